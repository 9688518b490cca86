"""Lies and wrong calls: nothing that is called from Python ends the process, hangs, or is wrong without a word."""
