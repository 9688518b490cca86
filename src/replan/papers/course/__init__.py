"""The course project (Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games).

`experiment` has the runs and the report, `questions` what is asked, `worlds` the worlds and the trips through them,
`paired_tests` the statistics, `claims` what the text says, `extra_credits` the extra credits, `data` the explanations
and proofs. May import the framework and `replan.papers.examples`; of the other papers nothing.
"""
