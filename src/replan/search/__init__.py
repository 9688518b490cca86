"""Searches: A* that can be stopped, incremental search, and the rules by which h-values are learned and states chosen.

What belongs here works on a space, an open list and arrays with a value for each state; it knows nothing of agents,
or of budgets as people give them. A path (`path`) records how far it has been followed, by an agent or another planner.
It may import `spaces` and `queues`.
"""
