"""Experiments: the tables and figures of the papers, run again.

    runs        what is done once: a planner on a problem, and what is measured
    engines     who does it: processes, threads, a Dask cluster
    store       where the results are kept: one SQLite file
    statistics, plots, report     what is made of them
    experiment  what an experiment is; `registry` has them by name
    conduct     all of it together, as `replan reproduce` does it

Needs the extra `experiments`.
"""
