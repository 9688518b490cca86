"""Depression avoidance 2011 (Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011).

`experiment` has the runs and the report, `claims` what the paper says, `findings` the tests of that, `columns` those of
its Figure 2, `authors` what their program does otherwise, `case_by_case` the comparison of two planners, `tried` what
was tried for one figure of it, `families` worlds for the paper's discussion, `maps` its maps, `data` the figures of its
Figure 2. May import the framework; of the other papers nothing.
"""
