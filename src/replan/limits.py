"""Constants of the whole package. (Not compiled: a .pxd declares the constants that its module needs in C.)"""

from __future__ import annotations

INF = 1 << 62  # cost without an edge or a path; never part of a sum

# Cost of a straight and of a diagonal step on 8-connected grids, in cost units: 577/408 is a convergent of the square
# root of 2, slightly above it, so that h-values from exact lengths, rounded up to cost units, stay consistent.
STRAIGHT, DIAGONAL = 408, 577

MAX_WEIGHT = 65_535
MAX_STATES = 1 << 30  # state numbers fit 32 bits, also after small additions
LARGEST_KEY = float(INF)  # keys of open lists are smaller
LARGEST_STAMP = 1 << 60  # largest stamp of a search; each search adds 2
LARGEST_H_WEIGHT = 1000  # largest weight of h, in tenths
LARGEST_UPDATE_WEIGHT = 100  # largest factor of step costs when h-values are learned
LARGEST_BOUND = (INF >> 8) - 1  # largest `max_path_cost` of a space, in cost units: keys fit 62 bits

SHARE_SCALE = 1_000_000  # shares are stored in millionths: exact, and without floats

# Results of an episode of a planner.
COMPLETE = 1  # the path ends in the goal
PARTIAL = 2  # the path is only the beginning of a path to the goal
UNREACHABLE = 3  # no path to the goal, as far as is known
WAITING = 4  # no move yet

# Bits of the stamp of a state in incremental search.
QUEUED, ON_PATH = 1, 2

# Treatment of learned h-values when costs decrease.
KEEP, REPAIR, RESET = range(3)
H_WAS_KEPT = 1  # planner flag of a character of a crowd: h-values were kept when costs decreased

BLOCK_BITS = 6  # 2**6 consecutive states are a block; a crowd stores when each block last changed

# Kinds of logged events of a watched search. A* expands a state; D* Lite and related algorithms lower g of an
# over-consistent state, raise g of an under-consistent state, or update an outdated key, which is no expansion.
# H_CHANGED: a user's rule changed the h-value of the state.
EXPANDED, LOWERED, RAISED, KEY_UPDATED, H_CHANGED = range(5)

# Causes of a step of a story: the start, a step of time, a change of the terrain, or a new goal.
CAUSE_START, CAUSE_STEP, CAUSE_CHANGE, CAUSE_RETARGET = range(4)
