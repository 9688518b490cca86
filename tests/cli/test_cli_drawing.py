"""What was seen on a trip, and how it is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from rich.console import Console

from replan import Grid, Radius, World, maps, simulate
from replan.cli.drawing import BLOCKED, FREE, GOAL, PAST_BLOCKED, PATH, RGB, START, UNSEEN, drawing, shrink
from replan.cli.gif import write_gif
from replan.cli.options import Setting
from replan.cli.sight import NEVER, first_seen
from replan.worlds.problems import Problem, far_apart


@pytest.mark.parametrize("name", ["cave", "maze", "random"])
@pytest.mark.parametrize("neighbors", [4, 8])
@pytest.mark.parametrize("sensor", ["adjacent", Radius(1), Radius(1.5), Radius(4.2), Radius(200)])
def test_what_was_seen_blocked_is_what_is_believed_blocked(name, neighbors, sensor):
    grid = Grid.load(name, neighbors)
    world, problem = World(grid, sensor), far_apart(grid, 3)
    trip = simulate(world, "Repeated Forward A*", problem.start, problem.goal)
    moments = first_seen(grid, trip.path, sensor, "nothing")
    assert np.array_equal((moments < NEVER) & grid.blocked, world.belief.blocked)
    assert all(moments[cell] <= move for move, cell in enumerate(trip.path))


def test_moments_are_first_ones():
    grid = Grid(np.zeros((1, 6), bool), 4)
    path = [(0, 0), (0, 1), (0, 2), (0, 1)]
    assert first_seen(grid, path, "adjacent", "nothing").tolist() == [[0, 0, 1, 2, NEVER, NEVER]]
    assert first_seen(grid, path, Radius(3), "nothing").tolist() == [[0, 0, 0, 0, 1, 2]]
    assert not first_seen(grid, path, "adjacent", "everything").any()
    assert not first_seen(grid, path, "everything", "nothing").any()


def test_shrink():
    codes = np.array([[UNSEEN, UNSEEN, FREE, BLOCKED, PATH], [UNSEEN, FREE, BLOCKED, BLOCKED, GOAL]], np.uint8)
    walls = np.array([[False, True, True]])
    assert shrink(codes, 2, 2, walls).tolist() == [[FREE, BLOCKED, GOAL]]
    assert shrink(codes, 1, 3, np.array([[False, True], [True, False]])).tolist() == [
        [FREE, PAST_BLOCKED],
        [BLOCKED, GOAL],
    ]
    assert shrink(codes, 1, 3, np.array([[False, False], [True, False]])).tolist() == [[FREE, PATH], [BLOCKED, GOAL]]
    assert shrink(np.zeros((3, 3), np.uint8), 2, 2, np.ones((2, 2), bool)).tolist() == [[UNSEEN] * 2] * 2
    assert START > PAST_BLOCKED > PATH


def drawn(blocked: np.ndarray, width: int, color: str | None, known: str = "nothing") -> list[str]:
    grid, setting = Grid(blocked, 4), Setting(neighbors=4, known=known)
    problem = far_apart(grid, 0)
    trip = simulate(setting.world(grid), "Repeated Forward A*", problem.start, problem.goal)
    console = Console(width=width, color_system=color, force_terminal=color is not None, record=True, quiet=False)
    with console.capture() as text:
        console.print(drawing(grid, trip, problem, setting, console))
    return text.get().splitlines()


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (31, 31), (40, 77), (40, 79), (130, 90), (999, 999)])
@pytest.mark.parametrize("width", [80, 33, 4])
def test_drawings_without_colors_fit(shape, width):
    lines = drawn(np.zeros(shape, bool), width, None)
    assert all(len(line) <= width for line in lines)
    picture = [line for line in lines if line[0] in "│"]
    assert len(picture) <= 50
    assert "G" in "".join(picture)


@pytest.mark.parametrize("shape", [(1, 1), (31, 31), (40, 60), (999, 500)])
def test_drawings_in_colors_fit(shape):
    lines = drawn(np.zeros(shape, bool), 80, "truecolor")
    assert "\x1b[" in lines[0]
    assert len(lines) <= 53
    assert lines[-1 if max(shape) < 80 else -2].count("\x1b[") >= 6  # the legend


def test_the_picture_of_a_small_trip():
    blocked = maps.builtin("figure-3").blocked
    grid, setting = Grid(blocked, 4), Setting(neighbors=4)
    trip = simulate(setting.world(grid), "Repeated Forward A*", (4, 2), (4, 4))
    console = Console(width=80, color_system=None)
    with console.capture() as text:
        console.print(drawing(grid, trip, Problem((4, 2), (4, 4)), setting, console))
    rows = [line.strip("│") for line in text.get().splitlines() if line.startswith("│")]
    assert rows == ["  ........", "..oooooooo", "..oo##..oo", "..oo##..oo", "..ooSS##GG"]


HOUSE = """
.......#......#..............G
......................#......o
.......#......#.......#......o
###.########.#######.######o%%
.......#......#.......#....o..
......................#....o..
.......#......#............o..
###.######.####.######o%%%%%##
.......#......#......oo.......
.......#......oooooooo#.......
..........Sooo%.......#.......
######.#####.#######.#..######
"""


def test_a_house_of_rooms_stays_one():
    """Walls one cell thick, at 4 x 2 cells a sign."""
    lines = drawn(maps.rooms(48, 60, room=14, seed=2), 34, None, known="everything")
    assert [line.strip("│") for line in lines if line.startswith("│")] == HOUSE.split()
    legend = " ".join("".join(lines).split())
    assert "% path past a wall" in legend and "one sign stands for 4 x 2 cells (rows x columns)" in legend


def test_the_legend_names_what_is_drawn():
    assert "past a wall" not in " ".join(drawn(np.zeros((200, 200), bool), 80, None))


def test_thin_walls_stay_in_an_animation(tmp_path):
    image = pytest.importorskip("PIL.Image")
    blocked = np.zeros((30, 1000), bool)
    blocked[:20, 500] = True
    grid, setting = Grid(blocked, 4), Setting(neighbors=4, sensor=Radius(10))
    trip = simulate(setting.world(grid), "Repeated Forward A*", (10, 490), (10, 510))
    write_gif(str(tmp_path / "a.gif"), grid, trip, Problem((10, 490), (10, 510)), setting, lambda label: None)
    with image.open(tmp_path / "a.gif") as animation:
        animation.seek(animation.n_frames - 1)
        pixels = np.array(animation.convert("RGB"))
    assert pixels.shape == (10, 334, 3)  # 3 x 3 cells a pixel
    shown = {RGB.index(tuple(pixel)) for pixel in pixels[1:6, 166].tolist()}
    assert shown == {BLOCKED, PAST_BLOCKED}
