"""Buckets 2006 (Likhachev, Koenig: Incremental Heuristic Search in Games: The Quest for Speed, AIIDE 2006).

`experiment` has the runs and the report, `claims` what the paper says, `figures` draws the paper's Figures 1 and 2,
`data` has the figures of its Table 1. May import the framework; of the other papers nothing.
"""
