"""What weights do, of h in TBA*, and of steps when LSS-LRTA* and daLSS-LRTA* learn: costs of trips on maps of games.

    python benchmarks/weights.py [known] [learning] [--maps DIR] [--problems 3]

Nothing here depends on the machine. 8 neighbours, corners not cut, the agent sees the cells beside it.
"""

from __future__ import annotations

from pathlib import Path

from later import LARGE, SLICES, SMALL, mean_of, problems, run

import replan


def known(maps: Path, each: int) -> None:
    """TBA* with and without a weight: what a trip costs."""
    print(f"\n{'TBA*, weight 1 and 3':34}" + "".join(f"{f'k = {k}':>22}" for k in SLICES))
    for title, names in (("small maps", SMALL), ("large maps", LARGE)):
        fog = list(problems(maps, names, each))
        clear = [(replan.World(world.truth, known="everything"), start, goal) for world, start, goal in fog]
        for what, cases in (("known", clear), ("unknown", fog)):
            cells = []
            for k in SLICES:
                plain, weighted = (mean_of(cases, "TBA*", lookahead=k, weight=weight)[0] for weight in (1, 3))
                cells.append(f"{plain:,.0f} -> {weighted:,.0f}")
            print(f"{f'{title}, {what}':34}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


WEIGHTS = (1, 2, 4, 8, 16, 32)
WEIGHTED_ON = {  # the maps of the weights paper (2015) that are at hand, and the lookaheads that take no hours there
    "game maps": ("dao brc202d orz702d orz900d ost000a ost000t ost100d sc1 Enigma JungleSiege Ramparts WheelofWar", 1),
    "maze512-8": ("maze maze512-8-0", 64),
    "maze512-4": ("maze maze512-4-0", 64),
}


def learning(maps: Path, each: int) -> None:
    """What a trip costs with each weight of learning, up to lookahead 256."""
    for title, (listed, least) in WEIGHTED_ON.items():
        names, folder = [], ""
        for word in listed.split():
            folder = word if (maps / word).is_dir() else folder
            names += [(folder, word)] if word != folder else []
        cases = list(problems(maps, names, max(each, 12 // len(names))))
        print(f"\n{f'{title}, {len(cases)} problems':34}" + "".join(f"{f'w = {w}':>12}" for w in WEIGHTS))
        for name in ("LSS-LRTA*", "daLSS-LRTA*"):
            for k in (1, 4, 16, 64, 256):
                if k >= least:
                    costs = [mean_of(cases, name, lookahead=k, update_weight=w)[0] for w in WEIGHTS]
                    print(f"{f'{name}, k = {k}':34}" + "".join(f"{cost:12,.0f}" for cost in costs), flush=True)


if __name__ == "__main__":
    run({"known": known, "learning": learning}, __doc__)
