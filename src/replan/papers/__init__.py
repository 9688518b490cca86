"""Reproductions of papers: a package for each paper, with the numbers that the paper prints in its `data`.

`common` has the parts that several papers share. Parts that every experiment needs are in `replan.experiments`. A paper
may import the framework and everything below it, and only `replan.cli` may import this package. All modules except
`registry`, which finds experiments by name, need the extra `experiments`. `claims` has the statements of all papers in
one table; its rows are in the packages of the papers.

    rtaa            RTAA* 2006: Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006
    depression      depression avoidance 2011: Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE
    rtd             RTD* 2010: Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010
    buckets         buckets 2006: Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006
    course          the course project: Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games
    dispute         MPGAA* against D* Lite, on which the authors of MPGAA* and of D* Extra Lite disagree
    frame           all real-time planners: the cost of a trip against the time of an episode
    moving_ai       the scenarios of the Moving AI maps, which `replan benchmark` runs
    examples        the worked examples of RTAA* 2006 and of the course project, drawn
    common          parts that several papers share
    user_planners   planners that a user names, in the tables of the first four
"""
