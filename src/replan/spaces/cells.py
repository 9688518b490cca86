"""The cells of a grid and the steps between them: what planners ask, and how a changed cell opens and closes steps.

The map has a ring of blocked cells around it, so that a state is `(row + 1) * (cols + 2) + col + 1` and a neighbour is
never outside. Per cell there is

- its `value`: 0 blocked, otherwise its weight (1 where there are no weights);
- its `exits`: one bit a direction, set where a step leads that way. The corner rule and the walls are in these bits
  alone; searching reads nothing else.

Directions: 0 right, 1 down, 2 left, 3 up, then the diagonals between them: 4 down-right, 5 down-left, 6 up-left,
7 up-right. Successors come in this order, or in a circle: 0, 4, 1, 5, 2, 6, 3, 7 (`turns`).

Ticks: a step costs 1 on 4-connected grids, 408 (straight) or 577 (diagonal) on 8-connected ones. On weighted terrain it
costs its length times the mean weight of its two cells, and ticks are doubled to keep that whole.
"""

from __future__ import annotations

from math import sqrt

from replan.errors import InputError
from replan.limits import DIAGONAL, INF, STRAIGHT
from replan.spaces.neighbours import Neighbours, Touched
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs, octets
    from replan.spaces.layout import exits_at

ROOT_2 = sqrt(2.0)


class Cells(Space):
    """What a `Grid` is for planners. Its arrays are laid out by `Grid.__init__`, which is the only way to make one."""

    rows: int
    cols: int
    width: int  # the columns and the ring: what to add to a state to get the one below
    neighbors: int
    weighted: bool
    walled: bool
    one_by_one: bool  # are neighbours listed one after the other? Where they have weights, or another order
    rule: int  # for diagonals, see CORNERS
    top_weight: int  # the largest weight that the bounds allow for
    value: memoryview
    last: memoryview  # with weights: what blocked cells weighed before, 0 where that is not known
    solid: memoryview  # 1 where the value is 0
    exits: memoryview
    walls: memoryview  # one bit a direction, set where a wall stands between a cell and its neighbour
    not_back: memoryview  # the exits that do not lead back to where a search came from
    hops: memoryview  # where the exits of a mask lead, four directions at a time: see `layout.compass`
    turned: memoryview  # which exits around a cell open and shut as it does: see `layout.block_turns`
    offset: memoryview  # what to add to a state to get the one that lies in a direction
    length: memoryview  # of a step in each direction, in ticks
    turns: memoryview  # the directions in the order in which neighbours are listed

    def refuse_numbers(self) -> int:
        raise InputError(f"{type(self).__name__}.__init__ has to call Grid.__init__, not Space.__init__")

    def _allow_for(self, weight: int) -> None:
        """Bring the bounds up to date with a larger weight."""
        if weight > self.top_weight:
            self.top_weight = weight
            longest = (DIAGONAL if self.neighbors == 8 else 1) * (2 * weight if self.weighted else 1)
            self.bound = self.rows * self.cols * longest
            self.span = 2 * longest

    def expand(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])

    def onward(self, near: Neighbours, s: int, back: int) -> int:
        return self.list_exits(near, s, self.exits[s] & self.not_back[back - s + self.width + 1])

    def list_exits(self, near: Neighbours, s: int, m: int) -> int:
        """List the neighbours that these exits lead to."""
        if self.one_by_one:
            return self.list_in_turn(near, s, m)
        # No unpredictable branch: write four neighbours whatever they are, and tell how many there are.
        succ, cost, hop = near.state, near.cost, ints(self.hops)
        i, at = 5 * (m & 15), s
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[0], succ[1], succ[2], succ[3] = a, b, c, d
        k: int = hop[i + 4]
        if self.neighbors == 4:
            return k
        cost[0] = cost[1] = cost[2] = cost[3] = STRAIGHT
        cost[k] = cost[k + 1] = cost[k + 2] = cost[k + 3] = DIAGONAL
        i = 80 + 5 * (m >> 4)
        a, b, c, d = at + hop[i], at + hop[i + 1], at + hop[i + 2], at + hop[i + 3]
        succ[k], succ[k + 1], succ[k + 2], succ[k + 3] = a, b, c, d
        k += hop[i + 4]
        return k

    def list_in_turn(self, near: Neighbours, s: int, m: int) -> int:
        """The same with weights, or with the directions in another order."""
        if m == 0:
            return 0  # the ring around the map has no neighbours to read on its far side
        succ, cost, turns = near.state, near.cost, longs(self.turns)
        offset, length, w, weighted = longs(self.offset), longs(self.length), self.value[s], self.weighted
        k = 0
        for i in range(self.neighbors):
            d = turns[i]
            v = s + offset[d]
            succ[k] = v
            cost[k] = length[d] * (w + self.value[v] if weighted else 1)
            k += (m >> d) & 1
        return k

    def reverse(self, near: Neighbours, s: int) -> int:
        return self.list_exits(near, s, self.exits[s])  # every step can be taken back at the same cost

    def step_cost(self, u: int, v: int) -> int:
        for d in range(self.neighbors):
            if u + self.offset[d] == v:
                if (self.exits[u] >> d) & 1 == 0:
                    return INF
                if self.weighted:
                    return self.length[d] * (self.value[u] + self.value[v])
                return self.length[d]
        return INF

    def bill(self, path: memoryview, paid: memoryview, moves: int) -> int:
        if self.neighbors == 8 or self.weighted or self.walled:
            return Space.bill(self, path, paid, moves)
        for i in range(moves):  # from a cell to the next one, as every path leads: only a blocked cell is in the way
            paid[i] = 1 if self.value[path[i + 1]] != 0 else INF
        return 0

    def cost_back(self, states: memoryview, toll: memoryview, stop: int, start: int) -> float:
        if self.unit_costs:
            return start - stop
        straight = diagonal = 0
        for i in range(stop + 1, start + 1):
            move = abs(states[i] - states[i - 1])
            if move == 1 or move == self.width:
                straight += toll[i]
            else:
                diagonal += toll[i]
        return self.length_of(straight, diagonal)

    def length_of(self, straight: float, diagonal: float) -> float:
        """Ticks of straight and of diagonal steps, in steps, with the true square root of 2."""
        half = 2.0 if self.weighted else 1.0
        return (straight / self.length[0] + ROOT_2 * (diagonal / self.length[4])) / half

    def estimate(self, u: int, v: int) -> int:
        down = abs(u // self.width - v // self.width)
        right = abs(u % self.width - v % self.width)
        if self.neighbors == 4:
            return self.unit * (down + right)
        if down > right:
            down, right = right, down
        return (self.unit // STRAIGHT) * (STRAIGHT * (right - down) + DIAGONAL * down)

    def read(self, place: int) -> int:
        return self.value[place]

    def write(self, touched: Touched, place: int, value: int) -> int:
        old = self.value[place]
        if old == value:
            return 0
        if value > self.top_weight:
            with cython.gil:
                self._allow_for(value)
        self.value[place] = value
        if value == 0 and self.weighted:
            self.last[place] = old
        if old != 0 and value != 0:
            return self.touch_around(touched, place)
        self.solid[place] = value == 0
        if self.walled:
            return self.reopen_walled(touched, place)
        return self.reopen_cross(touched, place) if self.neighbors == 4 else self.reopen_block(touched, place)

    def reopen_cross(self, touched: Touched, s: int) -> int:
        """Four neighbours: only the steps into and out of `s` change."""
        # No branch on what lies around: nobody can foretell it.
        solid, exits, offset, listed = octets(self.solid), octets(self.exits), longs(self.offset), ints(touched.state)
        free, ways, k = 1 - solid[s], 0, 1
        listed[0] = s
        for d in range(4):
            t = s + offset[d]
            step = 1 - solid[t]
            back = step << ((d + 2) & 3)
            ways |= step << d
            exits[t] = exits[t] & ~back | back * free
            listed[k] = t
            k += step
        exits[s] = ways * free
        return k if k > 1 else 0

    def reopen_block(self, touched: Touched, s: int) -> int:
        """Eight neighbours: diagonals that pass `s` change too, so look at the whole block around it.

        Which of its steps open or shut depends on which of the eight cells around `s` are blocked, and on nothing else:
        a table knows it.
        """
        solid, exits, offset, listed = octets(self.solid), octets(self.exits), longs(self.offset), ints(touched.state)
        pattern, turned, k = 0, octets(self.turned), 0
        for d in range(8):
            pattern |= solid[s + offset[d]] << d
        # No branch on what lies around: nobody can foretell it.
        for d in range(9):
            t = s + offset[d]
            turn = turned[9 * pattern + d]
            exits[t] = exits[t] ^ turn
            listed[k] = t
            k += turn != 0
        return k

    def reopen_walled(self, touched: Touched, s: int) -> int:
        """The same where walls stand between cells, which no table knows."""
        shut, walls = octets(self.solid), octets(self.walls)
        k = 0
        for d in range(9):
            t = s + self.offset[d]
            if self.value[t] != 0 or t == s:
                m = exits_at(shut, walls, self.walled, t, self.width, self.neighbors, self.rule)
                if m != self.exits[t]:
                    self.exits[t] = m
                    touched.state[k] = t
                    k += 1
        return k

    def touch_around(self, touched: Touched, s: int) -> int:
        """The weight of `s` changed: so did the costs of the steps out of it and into it."""
        k = 1
        touched.state[0] = s
        for d in range(self.neighbors):
            if (self.exits[s] >> d) & 1 != 0:
                touched.state[k] = s + self.offset[d]
                k += 1
        return k if k > 1 else 0
