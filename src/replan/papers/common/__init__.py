"""What several papers share, and only papers need.

claims, verdicts       what papers say in words, and whether it holds
whole_columns, fits    whole columns of a table beside the paper's; why times differ from the paper's
tracing, grid_drawing, grid_cells    single searches on small grids, cell by cell, as the papers draw and name them
"""
