"""The framework of experiments: their runs, the engines that execute them, the store of results, and the reports.

It imports no paper: each paper has a package with its data in `replan.papers`. It may import everything below it, from
`replan.crowds` down, and nothing of `replan.papers` or `replan.cli`. Most of it needs the extra `experiments`.

    experiment          definition of an experiment
    runs                one run: a planner on a problem, and what is measured
    mazes, map_problems problems: in mazes, and random ones on given maps
    planner_names       planners that a user names, including the user's own classes
    compare             `replan.compare`: planners side by side
    result_tables       tables that `compare` and `advise` return
    common_problems     the problems that all compared planners solved
    user_code           import of code from outside the package
    user_sources        the files that such code consists of
    pipeline            from the runs of an experiment to its report, as `replan reproduce` does it
    engines             execution: processes, threads, a Dask cluster
    store               storage of results: one SQLite file
    code_version        version of the code that made results
    statistics          estimates, intervals and tests
    tables, plots, report    the parts of a report
    memory              memory of maps and planners
    lookahead_choice, advise    the lookahead for a time limit, as `replan advise` chooses it
"""
