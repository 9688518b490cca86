"""A page on which agents can be watched while they plan: `replan view`.

What belongs here turns stories (`replan.watch`) into frames for a page, and serves that page (`page/`: plain modules
for the browser, no build step). Planning happens in Python alone; the page draws what it is sent. A saved page is the
same page with its frames inside. It may import every room but the papers and the command line.
"""
