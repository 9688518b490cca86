"""Searches: A* that can be stopped, incremental search, and the rules by which h-values are learned and states chosen.

What belongs here works on a space, an open list and arrays with a value for each state; it knows nothing of agents,
paths that are walked, or budgets as people give them. It may import `spaces` and `queues`.
"""
