"""The game of examples/crowd_pygame.py, without a screen."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "crowd_pygame.py"


def test_the_game():
    made = runpy.run_path(str(EXAMPLE))
    game = made["Game"]()
    free = np.argwhere(~game.walls)
    goal = tuple(free[len(free) // 2].tolist())
    game.send(goal)
    moved = sum(game.tick() for _ in range(600))
    assert moved > 1000
    assert len({tuple(cell) for cell in game.crowd.cells.tolist()}) == len(game.ids)
    assert not game.walls[tuple(game.crowd.cells.T)].any()
    seen = int(game.seen.sum())
    for cell in [(row, goal[1]) for row in range(0, made["ROWS"], 2)]:
        game.build(cell, True)
        game.build(cell, bool(sum(cell) % 3))
    game.send((1, 1))
    for _ in range(300):
        game.tick()
    assert not game.walls[tuple(game.crowd.cells.T)].any()
    assert int(game.seen.sum()) > seen
    assert game.picture().shape == (made["COLS"], made["ROWS"], 3)


def test_it_runs_without_a_screen():
    pytest.importorskip("pygame")
    code = (
        "import os, runpy; os.environ['SDL_VIDEODRIVER'] = 'dummy'; import pygame; "
        f"made = runpy.run_path({str(EXAMPLE)!r}); game = made['Game'](); pygame.init(); "
        "down = lambda b, at: pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=b, pos=at)); "
        "down(1, (300, 200)); down(3, (90, 90)); "
        "pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, button=3, pos=(90, 99))); "
        "made['FRAMES']; made['play'](game, 40); print(game.frame, game.goal)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-3:] == ["40", "(22,", "33)"], done.stdout + done.stderr
