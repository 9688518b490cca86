"""RTAA* 2006 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006).

`experiment` has the runs and the report, `time_limits` the decision at the paper's end, `data` the figures of its Table
1. May import the framework; of the other papers nothing.
"""
