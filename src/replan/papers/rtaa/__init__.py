"""RTAA* 2006 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006).

`experiment` has the runs and the report, `claims` what the paper says and the tests of it, `columns` those of its Table
1, `time_limits` the decision at its end, `data` the figures of Table 1. May import the framework; of the other papers
nothing.
"""
