"""A hundred characters in the fog of war, at 60 frames a second.

    pip install 'replan[pygame]' && python examples/crowd_pygame.py

Click to send all characters to a place; drag with the right button to build walls, or to tear them down. Grey is what
no character has seen yet: it is believed to be free. Escape ends it.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

import replan

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

ROWS, COLS, SIZE = 80, 120, 9  # cells, and pixels of one
FRAMES, STEPS = 60, 10  # a second
PEOPLE, SIGHT = 100, 5
BUDGET = replan.Deadline(1000)  # microseconds that planning may take in a frame
WALL, FLOOR, FOG, MAN, FLAG = (40, 42, 54), (236, 232, 220), (150, 150, 158), (214, 84, 56), (46, 120, 190)


class Game:
    """The truth, what is seen of it, and the crowd, which knows only that."""

    def __init__(self, seed: int = 1) -> None:
        self.walls = replan.cave(ROWS, COLS, seed=seed)
        self.draw = np.random.default_rng(seed)
        free = np.argwhere(~self.walls)
        self.seen = np.zeros_like(self.walls)
        self.crowd = replan.Crowd(replan.Grid(np.zeros_like(self.walls)), "RTAA*", lookahead=17, collisions="wait")
        starts = self.draw.permutation(free)[:PEOPLE]
        self.ids = self.crowd.add(starts, starts)
        self.goal: tuple[int, int] | None = None
        self.frame = 0
        near = np.arange(-SIGHT, SIGHT + 1)
        rows, cols = np.meshgrid(near, near, indexing="ij")
        self.circle = np.stack([rows, cols], axis=-1)[rows**2 + cols**2 <= SIGHT**2]
        self.look(self.crowd.cells)

    def look(self, cells: Any) -> None:
        """What these see, all know."""
        view = (cells[:, None] + self.circle).reshape(-1, 2)
        view = np.unique(view[((view >= 0) & (view < (ROWS, COLS))).all(axis=1)], axis=0)
        self.seen[view[:, 0], view[:, 1]] = True
        self.crowd.observe(view, self.walls[view[:, 0], view[:, 1]])

    def send(self, goal: tuple[int, int]) -> None:
        """All characters go there, or as near as there is room."""
        far = np.square(np.argwhere(~self.crowd.belief.blocked) - goal).sum(axis=1)
        places = np.argwhere(~self.crowd.belief.blocked)[np.argsort(far, kind="stable")[:PEOPLE]]
        self.crowd.retarget(self.ids, places)
        self.goal = goal

    def build(self, cell: tuple[int, int], wall: bool) -> None:
        """A wall is built or torn down, where no character stands."""
        if not (self.crowd.cells == cell).all(axis=1).any():
            self.walls[cell] = wall
            if self.seen[cell]:
                self.crowd.observe([cell], wall)

    def tick(self) -> int:
        """One frame: a sixth of them takes a step. How many have?"""
        every = FRAMES // STEPS
        moved = self.crowd.tick(BUDGET, ids=self.ids[self.frame % every :: every])
        self.frame += 1
        if len(moved):
            self.look(moved.cells)
        return len(moved)

    def picture(self) -> Any:
        """The map as colours, one pixel a cell: (columns, rows, 3)."""
        colours = np.where(self.walls[..., None], WALL, FLOOR)
        colours = np.where(self.seen[..., None], colours, FOG)
        if self.goal is not None:
            colours[self.goal] = FLAG
        cells = self.crowd.cells
        colours[cells[:, 0], cells[:, 1]] = MAN
        return colours.swapaxes(0, 1).astype(np.uint8)


def play(game: Game, frames: int | None = None) -> None:
    """Until it is closed, or for so many frames."""
    import pygame

    pygame.init()
    screen = pygame.display.set_mode((COLS * SIZE, ROWS * SIZE))
    clock, builds = pygame.time.Clock(), None
    while frames is None or game.frame < frames:
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                return pygame.quit()
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                game.send(cell_at(event.pos))
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
                builds = not game.walls[cell_at(event.pos)]
            if event.type == pygame.MOUSEBUTTONUP and event.button == 3:
                builds = None
            if builds is not None and hasattr(event, "pos"):
                game.build(cell_at(event.pos), builds)
        game.tick()
        surface = pygame.surfarray.make_surface(game.picture())
        screen.blit(pygame.transform.scale(surface, screen.get_size()), (0, 0))
        pygame.display.set_caption(f"{game.crowd} at {clock.get_fps():.0f} frames a second")
        pygame.display.flip()
        clock.tick(FRAMES)
    return pygame.quit()


def cell_at(pos: tuple[int, int]) -> tuple[int, int]:
    x, y = pos
    return min(ROWS - 1, max(0, y // SIZE)), min(COLS - 1, max(0, x // SIZE))


if __name__ == "__main__":
    play(Game(), int(sys.argv[1]) if len(sys.argv) > 1 else None)
