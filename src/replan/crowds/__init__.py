"""Crowds: many characters with their own starts and goals, planned for in one call a frame.

`crowd.py` is what people call. Characters are rows of a table (`people.py`), known by their ids (`roll.py`), workers
plan for them (`worker.py`), in threads (`team.py`, `post.py`), a frame is who plans (`frame.py`) and who steps
(`steps.py`), `ground.py` is what all believe and see, and `labels.py` knows which goals can be reached.
What belongs here plans for many at once; a single agent is in `simulation`. It may import every room before it but
`maps` and `drawings`.
"""
