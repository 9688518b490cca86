"""Searches: A* that can be stopped, incremental search, learning rules and choosing rules.

A module here works on a space, an open list and arrays with a value per state. It knows neither agents nor the budgets
of users. A path (`path`) records how far it has been followed, by an agent or another planner. Modules may import
`spaces` and `queues`.
"""
