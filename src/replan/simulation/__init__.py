"""Simulation: an agent in a world, and the record of its trip.

The package runs trips (`simulate`, `trip_runner`), has the agent with its belief and its path (`agent`, `status`), and
records what happens (`trip`; step by step: `story`, `steps`). It does not search, does not compare planners, and leaves
drawing to `drawings`. It may import `drawings`, `worlds`, `planners` and the packages below them, but not
`replan.experiments` or `replan.cli`.
"""
