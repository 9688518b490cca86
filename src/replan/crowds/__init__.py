"""Crowds: many characters with their own starts and goals, planned for in one call a frame.

`crowd.py` is what people call. Characters are rows of a table (`people.py`), workers plan for them (`worker.py`), a
frame is who plans, who steps and what they see (`frame.py`), and `labels.py` knows which goals can be reached.
What belongs here plans for many at once; a single agent is in `simulation`. It may import every room before it but
`maps` and `drawings`.
"""
