"""The loop: an agent in a world, and the record of its trip.

What belongs here lets an agent with a planner walk through a world (`simulate`, `trip_runner`), keeps what it believes and its
path (`agent`, `status`) and tells what happened (`trip`; moment by moment: `story`, `steps`). It searches
nothing itself, compares nothing, and hands what is to be drawn to `drawings`. It may import `drawings`, `worlds`,
`planners` and what is below them; of `replan.experiments` and `replan.cli` it knows nothing.
"""
