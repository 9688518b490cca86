"""RTD* 2010 (Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010).

`experiment` has the runs and the report, `curves` the planners, `worlds` the worlds and the trips through them,
`claims` what the paper says, `figures` shows what came out, `noop` asks why one of them is better here. The paper
prints no numbers, so there is no `data`. May import the framework; of the other papers nothing.
"""
