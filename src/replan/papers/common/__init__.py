"""Parts that several papers share.

claims, verdicts           statements of papers, and their tests
whole_columns, time_fits   whole columns of a table beside the paper's; why times differ from the paper's
tracing, grid_drawing, grid_cells    single searches on small grids, cell by cell, as the papers draw and name them
"""
