"""The framework of experiments: what is run, who runs it, where results are kept, and what is made of them.

It knows no paper and imports none: what belongs to one, its data included, is in `replan.papers`. It may import
everything below it, from `replan.crowds` down, and nothing of `replan.papers` or `replan.cli`. Most of it needs the
extra `experiments`.

    experiment      what an experiment is
    runs            what is done once: a planner on a problem, and what is measured
    mazes, cases    problems to run planners on: in mazes, and random ones on given maps
    planner_names   planners that a user names, also those of the user's own
    compare         `replan.compare`: planners side by side, as a table (rows)
    user_code       code from outside the package: how it is imported, and found by workers
    pipeline        an experiment from its runs to its report, as `replan reproduce` does it
    engines         who does the work: processes, threads, a Dask cluster
    store           where the results are kept: one SQLite file
    code_version    which results may be put together
    tables, plots, report, statistics    what is made of the results
    memory          what maps and planners take
    lookaheads, advise                            which lookahead for a limit of time, as `replan advise` answers it
"""
