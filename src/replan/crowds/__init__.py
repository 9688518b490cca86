"""Crowds: many characters with their own starts and goals, planned for in one call per tick.

`crowd.py` is the interface. `tick.py` owns a tick: gather, plan, move, sense. Characters are rows of a table
(`characters.py`) with ids (`id_registry.py`). Workers plan for them (`worker.py`) in the threads of a pool (`pool.py`),
and `flow_fields.py` plans for many characters with the same goal. `shared_belief.py` has the belief of all characters,
and `search/components.py` knows which goals can be reached.

This package plans for many characters at once; a single agent is in `simulation`. It may import every package before it
except `maps` and `drawings`.
"""
