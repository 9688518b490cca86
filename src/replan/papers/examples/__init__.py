"""The worked examples of RTAA* 2006 and of the course project, cell by cell."""
