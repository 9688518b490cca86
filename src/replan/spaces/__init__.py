"""Spaces: the terrain as planners see it, states with steps between them that cost whole ticks.

What belongs here is terrain (`grid`, `graph`, and `space`, the contract of both and of your own), the places to go to
(`goals`), and estimates of the way there (`heuristics`). Nothing here searches. It may import `maps`, to load files.
"""
