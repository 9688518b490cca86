"""RTD* 2010 (Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010).

`experiment` has the runs and the report, `worlds` the worlds and the trips through them, `figures` shows what came out
in each. The paper prints no numbers, so there is no `data`. May import the framework; of the other papers nothing.
"""
