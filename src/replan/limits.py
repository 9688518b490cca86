"""Constants that all parts share. (Uncompiled: a module that needs one in C declares it in its .pxd.)"""

from __future__ import annotations

INF = 1 << 62  # no edge, no path. Never added to anything

# Ticks of a straight and a diagonal step on 8-connected grids: 577/408 is a convergent of the square root of 2, just
# above it, so that estimates from true lengths, rounded up to ticks, stay consistent.
STRAIGHT, DIAGONAL = 408, 577

MAX_WEIGHT = 65_535
MAX_STATES = 1 << 30  # state numbers fit 32 bits, with room
LARGEST_KEY = float(INF)  # keys of open lists stay below
LARGEST_STAMP = 1 << 60  # searches are counted by twos
LARGEST_H_WEIGHT = 1000  # of h, in tenths
LARGEST_UPDATE_WEIGHT = 100  # how many times steps may count when h is learned
LARGEST_BOUND = (INF >> 8) - 1  # ticks: no cheapest path of any space costs more, so that keys fit 62 bits

SHARE_SCALE = 1_000_000  # shares are held in millionths: exact, and without floats

# What an episode of a planner answers.
COMPLETE = 1  # the trail ends in the goal
PARTIAL = 2  # the trail is only the beginning of a way
UNREACHABLE = 3  # no way, as far as is known
WAITING = 4  # no move yet

# Parts of the stamp of a state in incremental search.
QUEUED, ON_PATH = 1, 2

# What becomes of learned h-values when costs fall.
KEEP, REPAIR, RESET = range(3)
H_WAS_KEPT = 1  # a planner flag of a character of a crowd: h-values were kept when costs fell

BLOCK_BITS = 6  # 2**6 states whose numbers follow each other are a block, for which a crowd knows when it last changed

# What is logged of a state while a search is watched. A* expands; D* Lite and its kin lower an over-consistent state,
# raise an under-consistent one, and refresh a key that has gone stale, which is no expansion. LEARNED: a rule of the
# user's has changed its h.
EXPANDED, LOWERED, RAISED, KEY_UPDATED, H_CHANGED = range(5)

# What a moment of a story is due to: the beginning, a step of time, or somebody who changed the terrain or the goal.
CAUSE_START, CAUSE_STEP, CAUSE_CHANGE, CAUSE_RETARGET = range(4)
