"""Claims of depression avoidance 2011. `findings` has the tests."""

from __future__ import annotations

from functools import partial

from replan.experiments.tables import row_name
from replan.papers.common.claims import Claim
from replan.papers.depression import case_by_case
from replan.papers.depression.columns import ALSS, ARTAA, DARTAA, LSS, RTAA, SELECTED_LOOKAHEADS
from replan.papers.depression.findings import (
    LARGEST_LOOKAHEAD,
    advantage_shrinks_with_time,
    at_each_lookahead,
    better_at_every_deadline,
    costs_less,
    costs_more_than_a_star,
    five_times_the_cost,
    is_faster_by_factor,
    is_faster_than_a_star,
    larger_lookahead_costs_less,
    order_of_magnitude_faster,
    ratio_grows,
    saves_against_lss,
    saves_with_avoidance,
    share_agrees,
)

PAPER = "Depression avoidance 2011"
CASE_BY_CASE = "case by case, mean and ranks"
SMALL, LARGE = (1, 7, 13), (73, 97)  # "small" and "high" lookaheads

claim = partial(Claim, PAPER)
CLAIMS = (
    claim(
        "Propositions 1 and 2, Theorems 1 to 3",
        "what LSS-LRTA* and RTAA* learn; states that rise are in a depression; aRTAA* and daRTAA* arrive",
        "",
        untested_reason="proved; tests check them on random spaces",
    ),
    claim(
        "Background",
        "within 5 µs an episode, RTAA* walks 11.6 % cheaper than LSS-LRTA*",
        "percent, from 11.6 / 1.5 to 11.6 * 1.5; RTAA* with the paper's lookahead for that time, LSS-LRTA* with what "
        "it has here in as much, costs between lookaheads interpolated",
        partial(saves_against_lss, 0.005, 11.6),
    ),
    claim(
        "Background",
        "within 20 µs an episode, RTAA* walks 41.5 % cheaper than LSS-LRTA*",
        "percent, from 41.5 / 1.5 to 41.5 * 1.5, in the same way",
        partial(saves_against_lss, 0.02, 41.5),
    ),
    claim(
        "Depression avoidance",
        "aLSS-LRTA* saves about 20 % of the cost of LSS-LRTA* with small lookaheads",
        "percent at lookaheads 1, 7 and 13, from 20 / 1.5 to 20 * 1.5 (the paper quotes this from other benchmarks)",
        partial(saves_with_avoidance, 20, SMALL),
    ),
    claim(
        "Depression avoidance",
        "aLSS-LRTA* saves about 8.4 % of the cost of LSS-LRTA* with large lookaheads",
        "percent at lookaheads 73 and 97, from 8.4 / 1.5 to 8.4 * 1.5 (the paper quotes this from other benchmarks)",
        partial(saves_with_avoidance, 8.4, LARGE),
    ),
    claim(
        "Introduction",
        "aLSS-LRTA* is typically cheaper than LSS-LRTA*",
        CASE_BY_CASE,
        at_each_lookahead(ALSS, LSS, lookaheads=SELECTED_LOOKAHEADS),
    ),
    claim("Evaluation", "aRTAA* is cheaper than RTAA* at all lookaheads", CASE_BY_CASE, at_each_lookahead(ARTAA, RTAA)),
    claim(
        "Evaluation", "daRTAA* is cheaper than aRTAA* at all lookaheads", CASE_BY_CASE, at_each_lookahead(DARTAA, ARTAA)
    ),
    claim(
        "Evaluation",
        "an episode of aRTAA* takes longer than one of RTAA*, at all lookaheads",
        f"time an episode, {CASE_BY_CASE}",
        at_each_lookahead(RTAA, ARTAA, "one_episode_ns"),
    ),
    claim(
        "Evaluation",
        "an episode of daRTAA* takes longer than one of RTAA*",
        f"time an episode, {CASE_BY_CASE}",
        at_each_lookahead(RTAA, DARTAA, "one_episode_ns"),
    ),
    claim(
        "Evaluation",
        "aRTAA* has more percolations an episode than RTAA*",
        CASE_BY_CASE,
        at_each_lookahead(RTAA, ARTAA, "percolations_an_episode"),
    ),
    claim(
        "Evaluation",
        "daRTAA* has more percolations an episode than RTAA*, for it takes several states out of its heap",
        CASE_BY_CASE,
        at_each_lookahead(RTAA, DARTAA, "percolations_an_episode"),
    ),
    claim(
        "Evaluation",
        "the choice of daRTAA* takes at most O(n log n) for n open states",
        "",
        untested_reason="a bound that follows from the algorithm: no run could contradict it",
    ),
    claim(
        "Evaluation",
        "daRTAA* with lookahead 1 is cheaper than aRTAA* with 19",
        CASE_BY_CASE,
        costs_less(row_name(DARTAA, 1), row_name(ARTAA, 19)),
    ),
    claim(
        "Evaluation",
        "and takes about 10 times less time an episode",
        "ratio of the mean times, from 10 / 1.5 to 10 * 1.5",
        partial(is_faster_by_factor, 10, row_name(DARTAA, 1), row_name(ARTAA, 19)),
    ),
    claim(
        "Evaluation",
        "daRTAA* with lookahead 25 is cheaper than RTAA* with 97",
        CASE_BY_CASE,
        costs_less(row_name(DARTAA, 25), row_name(RTAA, LARGEST_LOOKAHEAD)),
    ),
    claim(
        "Evaluation",
        "and takes about 2.6 times less time an episode",
        "ratio of the mean times, from 2.6 / 1.5 to 2.6 * 1.5",
        partial(is_faster_by_factor, 2.6, row_name(DARTAA, 25), row_name(RTAA, LARGEST_LOOKAHEAD)),
    ),
    claim(
        "Figure 1",
        "with more time an episode, RTAA* and daRTAA* are cheaper",
        f"lookaheads {', '.join(map(str, SELECTED_LOOKAHEADS))}, each against the next, {CASE_BY_CASE}",
        larger_lookahead_costs_less,
    ),
    claim(
        "Figure 1",
        "for every deadline, daRTAA* is cheaper than RTAA*",
        "in the time that RTAA* takes here with some lookaheads: daRTAA* with the largest lookahead that keeps it, "
        f"costs between lookaheads interpolated, {CASE_BY_CASE}",
        better_at_every_deadline,
    ),
    claim(
        "Figure 1",
        "especially when the deadline is short",
        "cost of RTAA* to daRTAA* in the time of RTAA* 7, less that in the time of RTAA* 97: above 0",
        advantage_shrinks_with_time,
    ),
    *(
        claim("Evaluation", said, f"{how}, interval within 10 % of the paper's figure", partial(share_agrees, name))
        for said, how, name in (
            (
                "daRTAA* is cheaper in 65.8 % of the runs",
                "share of cases and lookaheads",
                case_by_case.DARTAA_CHEAPER,
            ),
            ("both cost the same in 24.8 %", "share of cases and lookaheads", case_by_case.SAME_COST),
            ("RTAA* is cheaper in 9.4 %", "share of cases and lookaheads", case_by_case.RTAA_CHEAPER),
            (
                "in the tenth most favourable to RTAA*, it is 1.43 times cheaper on average",
                "one over the mean of RTAA* / daRTAA*, run by run",
                case_by_case.FAVOURS_RTAA,
            ),
            (
                "in the tenth most favourable to daRTAA*, it is 2.79 times cheaper on average",
                f"one over the mean of daRTAA* / RTAA*, run by run ({case_by_case.CONTRADICTION})",
                case_by_case.FAVOURS_DARTAA,
            ),
            (
                "in the tenth that is hardest for RTAA*, it is 8.37 times dearer",
                "ratio of what they cost together",
                case_by_case.HARD_FOR_RTAA,
            ),
            (
                "in the tenth that is hardest for daRTAA*, it is 5.57 times cheaper",
                "ratio of what they cost together",
                case_by_case.HARD_FOR_DARTAA,
            ),
        )
    ),
    claim("Evaluation", "all real-time planners are dearer than Repeated A*", CASE_BY_CASE, costs_more_than_a_star),
    claim(
        "Evaluation",
        "but need less time an episode",
        f"with lookahead 97, {CASE_BY_CASE}",
        is_faster_than_a_star,
    ),
    claim(
        "Evaluation",
        "daRTAA* with lookahead 97 costs 5.1 times as much as A*",
        "ratio of mean costs, interval within 10 % of 5.1",
        five_times_the_cost,
    ),
    claim(
        "Evaluation",
        "and needs an order of magnitude less time an episode (the text prints more; its sentence before and its "
        "Figure 2, 22 times less, say less)",
        "ratio of the mean times, from 3.2 to 32",
        order_of_magnitude_faster,
    ),
    claim(
        "Discussion",
        "there are families of problems on which depression avoidance is arbitrarily better",
        "corridors that end before the goal: the ratio of moves grows with every doubling of their size",
        partial(ratio_grows, "dead end"),
    ),
    claim(
        "Discussion",
        "and others on which it is arbitrarily worse",
        "a fork whose wrong way is long: the ratio of moves grows with every doubling of its size",
        partial(ratio_grows, "fork"),
    ),
)
