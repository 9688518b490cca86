"""The papers: their experiments run again, a package each, with the figures that the paper prints in its `data`.

Here belongs what one paper says, draws or measures, and what only papers need (`common`). What every experiment needs
is in `replan.experiments`. A paper may import the framework and everything below it, and only `replan.cli` may import
this package. All but `registry`, which knows the experiments by name, needs the extra `experiments`. What the papers
say in words is one table, `claims`, whose rows are in the packages of the papers.

    rtaa            RTAA* 2006: Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006
    depression      depression avoidance 2011: Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE
    rtd             RTD* 2010: Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010
    buckets         buckets 2006: Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006
    course          the course project: Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games
    dispute         is MPGAA* faster than D* Lite? Its authors and those of D* Extra Lite disagree
    frame           all real-time planners: what a trip costs if a step may take so long
    moving_ai       the scenarios of the Moving AI maps, which `replan benchmark` runs
    examples        the worked examples of RTAA* 2006 and of the course project, drawn
    common          what several of them share
    user_planners   planners that a user names, in the tables of the first four
"""
