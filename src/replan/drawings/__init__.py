"""Grids as pictures of few colours: what is believed of each cell, a path, a search.

What belongs here turns arrays into text for a terminal (`text`) and into animations (`animation`), and makes them small
enough (`shrinking`). It knows neither trips nor stories: those hand their arrays over. Rich and Pillow are imported
when something is drawn. It may import `spaces` and `maps`.
"""
