"""Random legal calls, and an oracle that knows what each may answer.

`draw.py` makes cases of a seed and a number; a case is plain data, so that it can be shrunk and told as a script.
`drive.py` drives agents by hand, `walk.py` lets them walk through worlds, `query.py` asks LPA*, `throng.py` crowds and
`leading.py` fields. Each looks at every answer with what `ground.py` and `belief.py` know of the terrain, without the
code of the core; what a planner promises is in `claims.py`.

    python -m fuzz.run --cases 20000 --seed 1 --jobs 2    in tests/: what is wrong, as the smallest script that shows it
"""
