"""Crowds: many characters with their own starts and goals, planned for in one call a tick.

`crowd.py` is the interface. `tick.py` owns a tick: gather, plan, move, sense. Characters are rows of a table
(`characters.py`) with ids (`id_registry.py`). Workers plan for them (`worker.py`) in the threads of a pool (`pool.py`),
and `fields.py` plans where many have one goal. `shared_belief.py` has what all characters believe and see, and
`search/components.py` which goals can be reached.
What belongs here plans for many at once; a single agent is in `simulation`. It may import every room before it but
`maps` and `drawings`.
"""
