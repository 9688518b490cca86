"""Depression avoidance 2011 (Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011).

`experiment` has the runs and the report, `claims` the claims, `findings` their tests, `columns` the columns of Figure
2, `authors_program` the differences of the authors' program, `case_by_case` the comparison of two planners,
`tried_averages` averages that were tried for one of its values, `families` worlds for the paper's discussion, `maps`
its maps, `data` the values of its Figure 2. May import the framework; of the other papers nothing.
"""
