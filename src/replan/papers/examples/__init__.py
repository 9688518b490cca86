"""The worked examples of RTAA* 2006 and of the course project, cell by cell.

`figures` has the examples and draws them, `experiment` the report. May import the framework; of other papers nothing.
"""
