"""Programs as students write them: right ones, and each mistake that is really made, as a change of a right one."""

from __future__ import annotations

RIGHT = """
import heapq
TIES = "larger g"

def near(blocked, cell):
    row, col = cell
    for r, c in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
        if 0 <= r < len(blocked) and 0 <= c < len(blocked[0]) and not blocked[r][c]:
            yield r, c

def astar(blocked, source, target, h):
    g, parent, closed, expanded = {source: 0}, {}, set(), []
    open_list = [(h(source), 0, source)]
    while open_list:
        f, _, cell = heapq.heappop(open_list)
        if cell in closed:
            continue
        if cell == target:
            path = [cell]
            while path[-1] != source:
                path.append(parent[path[-1]])
            return path[::-1], expanded, g
        closed.add(cell)
        expanded.append(cell)
        for other in near(blocked, cell):
            if g[cell] + 1 < g.get(other, 10**9):
                g[other] = g[cell] + 1
                parent[other] = cell
                heapq.heappush(open_list, (g[other] + h(other), -g[other], other))
    return None, expanded, g

def far(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])

def forward(blocked, start, goal):
    path, expanded, g = astar(blocked, start, goal, lambda c: far(c, goal))
    return path, expanded

def backward(blocked, start, goal):
    path, expanded, g = astar(blocked, goal, start, lambda c: far(c, start))
    return None if path is None else path[::-1], expanded

class Adaptive:
    def __init__(self):
        self.learned, self.goal = {}, None

    def h(self, cell):
        return self.learned.get(cell, far(cell, self.goal))

    def search(self, blocked, start, goal):
        self.goal = goal
        path, expanded, g = astar(blocked, start, goal, self.h)
        if path is not None:
            for cell in expanded:
                self.learned[cell] = max(self.h(cell), len(path) - 1 - g[cell])
        return path, expanded
"""


def changed(*pairs: tuple[str, str], of: str = RIGHT) -> str:
    for old, new in pairs:
        assert old in of, old
        of = of.replace(old, new)
    return of


RIGHT_ONES = {
    "as above": RIGHT,
    "smaller g first, the goal listed as expanded": changed(
        ('TIES = "larger g"', 'TIES = "smaller g"'),
        ("-g[other], other", "g[other], other"),
        ("            path = [cell]\n", "            path = [cell]\n            expanded.append(cell)\n"),
        ("for cell in expanded:\n", "for cell in expanded[:-1]:\n"),
    ),
    "cells as lists, NumPy numbers, only one task": changed(
        (
            "    path, expanded, g = astar(blocked, start, goal, lambda c: far(c, goal))\n    return path, expanded\n",
            "    import numpy as np\n    path, expanded, g = astar(blocked, start, goal, lambda c: far(c, goal))\n"
            "    return None if path is None else np.array(path), [list(map(np.int64, c)) for c in expanded]\n",
        ),
        ("def backward(", "def _backward("),
        ("class Adaptive", "class _Adaptive"),
    ),
}

#: a program, the task in which it fails, the kind of mistake, and what has to be said
WRONG_ONES = {
    "closed cells are opened again": (
        changed(
            ("        if cell in closed:\n            continue\n", ""), ("g[cell] + 1 < g.get", "g[cell] + 1 <= g.get")
        ),
        "forward",
        "twice",
        "expanded twice",
    ),
    "ties the other way": (changed(("-g[other], other", "g[other], other")), "forward", "ties", "larger g goes first"),
    "h forgotten: Dijkstra": (changed(("(g[other] + h(other), -g", "(g[other], -g")), "forward", "order", "smallest f"),
    "greedy: g forgotten": (changed(("(g[other] + h(other), -g", "(h(other), -g")), "forward", "order", "smallest f"),
    "diagonal moves in h": (
        changed(
            ("    return abs(a[0] - b[0]) + abs(a[1] - b[1])", "    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))")
        ),
        "forward",
        "order",
        "smallest f",
    ),
    "an unreachable goal is missed": (
        changed(("    return None, expanded, g", "    return [source, target], expanded, g")),
        "forward",
        "unreachable",
        "None",
    ),
    "gives up when h is large": (
        changed(("        if cell in closed:", "        if f > 9:\n            break\n        if cell in closed:")),
        "forward",
        "early",
        "stops",
    ),
    "the path backwards": (
        changed(("return path[::-1], expanded, g", "return path, expanded, g")),
        "forward",
        "ends",
        "from",
    ),
    "backward from the wrong end": (
        changed(
            (
                "astar(blocked, goal, start, lambda c: far(c, start))",
                "astar(blocked, start, goal, lambda c: far(c, goal))",
            )
        ),
        "backward",
        "first",
        "the goal",
    ),
    "backward with h to the goal": (
        changed(("goal, start, lambda c: far(c, start)", "goal, start, lambda c: far(c, goal)")),
        "backward",
        "order",
        "smallest f",
    ),
    "walks through walls": (changed((" and not blocked[r][c]", "")), "forward", "blocked", "blocked"),
    "learns for all cells met": (
        changed(
            ("for cell in expanded:\n", "for cell in g:\n"),
            ("max(self.h(cell), len(path) - 1 - g[cell])", "len(path) - 1 - g[cell]"),
        ),
        "Adaptive",
        "inconsistent",
        "no longer consistent",
    ),
    "learns nothing": (changed(("self.learned[cell] = max", "unused = max")), "Adaptive", "learning", "should be"),
    "learns one too much": (
        changed(("len(path) - 1 - g[cell])", "len(path) - g[cell])")),
        "Adaptive",
        "inconsistent",
        "no longer consistent",
    ),
    "an endless loop": (
        changed(("        if cell == target:", "        while True: pass\n        if cell == target:")),
        "forward",
        "endless",
        "endless loop",
    ),
    "a crash": (
        changed(("    g, parent, closed", "    import os; os.abort()\n    g, parent, closed")),
        "forward",
        "crash",
        "ended",
    ),
    "a flood of prints": (
        changed(("    g, parent, closed", "    while True: print('x' * 1000)\n    g, parent, closed")),
        "forward",
        "prints",
        "print",
    ),
    "too much memory": (
        changed(("    g, parent, closed", "    x = [0] * 10**10\n    g, parent, closed")),
        "forward",
        "error",
        "MemoryError",
    ),
    "a wrong signature": (
        changed(("def forward(blocked, start, goal)", "def forward(grid, s)")),
        "forward",
        "error",
        "TypeError",
    ),
    "only the path": (
        changed(("lambda c: far(c, goal))\n    return path, expanded", "lambda c: far(c, goal))\n    return path")),
        "forward",
        "answer",
        "two things",
    ),
    "an index out of range": (
        changed(("    g, parent, closed", "    blocked[99][0]\n    g, parent, closed")),
        "forward",
        "error",
        "line 12",
    ),
    "coordinates swapped": (
        changed(("    row, col = cell\n", "    col, row = cell\n")),
        "forward",
        "unreached",
        "before any of its neighbours",
    ),
}
