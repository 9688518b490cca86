"""Stories and trips as drawings and animations."""

from __future__ import annotations

import numpy as np
import pytest
from rich.console import Console

import replan
from replan import Grid, Radius, World, maps
from replan.drawings.cell_codes import (
    AGENT,
    BLOCKED,
    CODE_COLORS,
    EXPANDED,
    FREE,
    GOAL,
    PATH,
    PATH_AHEAD,
    PATH_PAST_BLOCKED,
    START,
    UNSEEN,
    downscale,
)
from replan.worlds.problems import distant_problem


def watched(blocked: np.ndarray, start, goal, neighbors: int = 4, **world: object):
    story = replan.watch(World(Grid(blocked, neighbors), **world), "Repeated Forward A*", start, goal)
    story.finish()
    return story


@pytest.mark.parametrize("name", ["cave", "maze", "random"])
@pytest.mark.parametrize("neighbors", [4, 8])
@pytest.mark.parametrize("sensor", ["adjacent", Radius(1), Radius(1.5), Radius(4.2), Radius(200)])
def test_what_was_seen_blocked_is_what_is_believed_blocked(name, neighbors, sensor):
    grid = Grid.load(name, neighbors)
    problem = distant_problem(grid, 3)
    story = watched(grid.blocked, problem.start, problem.goal, neighbors, sensor=sensor)
    for i in (0, len(story) // 2, -1):
        seen, believed = grid.to_map_shape(story.seen(i)), grid.to_map_shape(story.belief(i) == 0)
        assert np.array_equal(seen & grid.blocked, believed)
        assert seen[grid.key(story[i].state)]


def test_shrink():
    codes = np.array([[UNSEEN, UNSEEN, FREE, BLOCKED, PATH], [UNSEEN, FREE, BLOCKED, BLOCKED, GOAL]], np.uint8)
    walls = np.array([[False, True, True]])
    assert downscale(codes, 2, 2, walls).tolist() == [[FREE, BLOCKED, GOAL]]
    assert downscale(codes, 1, 3, np.array([[False, True], [True, False]])).tolist() == [
        [FREE, PATH_PAST_BLOCKED],
        [BLOCKED, GOAL],
    ]
    assert downscale(codes, 1, 3, np.array([[False, False], [True, False]])).tolist() == [[FREE, PATH], [BLOCKED, GOAL]]
    assert downscale(np.zeros((3, 3), np.uint8), 2, 2, np.ones((2, 2), bool)).tolist() == [[UNSEEN] * 2] * 2
    assert START > PATH_PAST_BLOCKED > PATH


def drawn(blocked: np.ndarray, width: int, color: str | None, known: str = "nothing") -> list[str]:
    problem = distant_problem(Grid(blocked, 4), 0)
    story = watched(blocked, problem.start, problem.goal, known=known)
    console = Console(width=width, color_system=color, force_terminal=color is not None, record=True, quiet=False)
    with console.capture() as text:
        console.print(story.draw())
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


FIGURE_3 = ["  ........", "..oooooooo", "..oo##..oo", "..oo##..oo", "..ooSS##GG"]


def rows_of(drawing) -> list[str]:
    return [line.strip("│") for line in str(drawing).splitlines() if line.startswith("│")]


def test_the_picture_of_a_small_trip():
    story = watched(maps.builtin("figure-3").blocked, (4, 2), (4, 4))
    assert rows_of(story.draw()) == FIGURE_3
    assert rows_of(story.draw(0)) == ["          ", "          ", "          ", "    ##    ", "  ..SS##GG"]
    assert rows_of(story.trip.draw()) == ["..........", "..oooooooo", "..oo##..oo", "..oo##..oo", "..ooSS##GG"]
    assert repr(story.draw()) == str(story.draw())


def test_what_cannot_be_drawn(tmp_path):
    graph = replan.Graph([(0, 1, 1)])
    story = replan.watch(World(graph), "RTAA*", 0, 1)
    trip = story.finish()
    for draw in (story.draw, trip.draw, lambda: story.gif(tmp_path / "a.gif")):
        with pytest.raises(replan.InputError, match="on a grid can be drawn"):
            draw()
    trip.save(tmp_path / "trip.json")
    with pytest.raises(replan.InputError, match="has no map"):
        replan.Trip.load(tmp_path / "trip.json").draw()
    with pytest.raises(replan.InputError, match=r"\.gif"):
        story.gif(tmp_path / "a.png")


def test_grids_with_walls_between_cells_are_drawn_small():
    walls = np.zeros((40, 300), np.uint8)
    walls[:, 150] = 1
    walls[0, 150] = 0
    grid = Grid(np.zeros((40, 300), bool), 4, walls=walls)
    story = replan.watch(World(grid), "Repeated Forward A*", (20, 140), (20, 160))
    story.finish()
    assert any("#" in row or "%" in row for row in rows_of(story.draw()))


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
    lines = drawn(maps.rooms(48, 60, room_size=14, seed=2), 34, None, known="everything")
    assert [line.strip("│") for line in lines if line.startswith("│")] == HOUSE.split()
    legend = " ".join("".join(lines).split())
    assert "% path past a wall" in legend and "one sign stands for 4 x 2 cells (rows x columns)" in legend


def test_the_legend_names_what_is_drawn():
    assert "past a wall" not in " ".join(drawn(np.zeros((200, 200), bool), 80, None))


def frames_of(path) -> list[np.ndarray]:
    image = pytest.importorskip("PIL.Image")
    found = []
    with image.open(path) as animation:
        for i in range(animation.n_frames):
            animation.seek(i)
            found.append(np.array(animation.convert("RGB")))
    return found


def codes_in(pixels: np.ndarray) -> set[int]:
    return {CODE_COLORS.index(tuple(pixel)) for pixel in pixels.reshape(-1, 3).tolist() if tuple(pixel) in CODE_COLORS}


def test_thin_walls_stay_in_an_animation(tmp_path):
    pytest.importorskip("PIL")
    blocked = np.zeros((30, 1000), bool)
    blocked[:20, 500] = True
    watched(blocked, (10, 490), (10, 510), sensor=Radius(10)).gif(tmp_path / "a.gif")
    pixels = frames_of(tmp_path / "a.gif")[-1]
    assert pixels.shape[1] == 334  # 3 x 3 cells a pixel
    assert codes_in(pixels[1:6, 166]) <= {BLOCKED, PATH_PAST_BLOCKED}


def test_an_animation_shows_the_search_and_says_what_it_shows(tmp_path):
    pytest.importorskip("PIL")
    story = watched(maps.builtin("figure-3").blocked, (4, 2), (4, 4))
    said = []
    story.gif(tmp_path / "a.gif", said.append)
    frames = frames_of(tmp_path / "a.gif")
    assert len(frames) == len(story) == len(said)
    first, last = (frame[: 5 * 16, : 5 * 16] for frame in (frames[0], frames[-1]))
    assert codes_in(first[::16, ::16]) >= {UNSEEN, BLOCKED, EXPANDED, PATH_AHEAD, GOAL, AGENT}
    assert codes_in(last[::16, ::16]) >= {FREE, BLOCKED, PATH, AGENT}
    assert set().union(*(codes_in(frame[: 5 * 16, : 5 * 16]) for frame in frames)) >= {FREE, EXPANDED, START}
    legend = frames[0][5 * 16 :]
    assert codes_in(legend) >= {UNSEEN, FREE, BLOCKED, EXPANDED, PATH_AHEAD, PATH, START, GOAL, AGENT}
    assert frames[0].shape[1] >= 220


def test_a_story_from_a_file_is_drawn_alike(tmp_path):
    pytest.importorskip("PIL")
    story = watched(maps.builtin("maze").blocked, *problem_of("maze"))
    story.save(tmp_path / "trip.replan")
    loaded = replan.Story.load(tmp_path / "trip.replan")
    for i in (0, 40, -1):
        assert str(loaded.draw(i)) == str(story.draw(i))
    for name, told in (("a", story), ("b", loaded)):
        told.gif(tmp_path / f"{name}.gif")
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()
    assert len(frames_of(tmp_path / "a.gif")) == min(200, len(story))


def problem_of(name: str):
    problem = distant_problem(Grid.load(name, 4), 0)
    return problem.start, problem.goal
