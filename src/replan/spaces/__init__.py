"""Spaces: the terrain as planners see it, states and the steps between them, with costs in whole cost units.

This package has the kinds of terrain (`grid`, `graph`, and `space`, the contract of both and of users' spaces), goals
(`goals`) and heuristics (`heuristics`). No module here searches. The package may import `maps`, which loads files.
"""
