"""Stories in files: every moment comes back, from anywhere; what is damaged is refused, what is cut off recovered."""

from __future__ import annotations

import io
import os
import random
from dataclasses import fields

import numpy as np
import pytest

import replan
from replan.simulation import watching
from replan.simulation.story_file import MAGIC, VERSION
from stories import WORLDS, figures, fits, maze_world, values
from strategies import names

ALL = replan.planners()
FLIPS = 5000 if os.environ.get("REPLAN_THOROUGH") else 300


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Many parts, and pictures, also of short stories."""
    monkeypatch.setattr(watching, "MAX_PART_STEPS", 7)
    monkeypatch.setattr(watching, "KEYFRAME_PARTS", 3)


def same(a, b) -> bool:
    """Are two moments, episodes or arrays the same?"""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if type(a).__name__ == "Episode":
        shown = [f.name for f in fields(a) if f.name not in ("load_arrays", "kept")]
        return b is not None and all(same(getattr(a, name), getattr(b, name)) for name in shown)
    return a == b


def same_moment(a, b) -> bool:
    return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))


def watched(spec, kind: str, **options):
    """A story, and what was there to see at each of its moments."""
    world, start, goal = WORLDS[kind]()
    story = replan.watch(world, spec.slug, start, goal, max_moves=300, record_arrays=True, **options)
    shots = []
    while (moment := story.step()) is not None:
        shots.append((moment, values(world.belief), values(world.truth), story.agent.planner._table_arrays()))
    return story, shots


@pytest.mark.parametrize("kind", ["unknown", "doors", "chase", "graph"])
@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_everything_comes_back_from_a_file(spec, kind, tmp_path):
    if not fits(spec, kind):
        pytest.skip("needs a grid")
    story, shots = watched(spec, kind)
    story.save(tmp_path / "trip.replan")
    loaded = replan.Story.load(tmp_path / "trip.replan")
    assert len(loaded) == len(story) == len(shots)
    assert figures(loaded.trip) == figures(story.trip)
    moments = list(range(len(shots)))
    random.Random(1).shuffle(moments)
    for told in (loaded, story):
        for i in moments[:15]:
            check_moment(told, i, *shots[i])


def check_moment(story, i, moment, belief, truth, arrays):
    assert same_moment(story[i], moment)
    assert np.array_equal(story.belief(i), belief)
    assert np.array_equal(story.truth(i), truth)
    if moment.episode is not None:
        shown = story.arrays(i)
        for name, array in arrays.items():
            assert np.array_equal(shown[name], array), name
        if "h" in arrays:
            learned = shown["h"] != shown["h_before"]
            assert not learned.any() or set(np.flatnonzero(learned)) <= set(story[i].episode.expanded_states)


def test_h_before_learning_is_that_of_the_search():
    world, start, goal = maze_world()
    story = replan.watch(world, replan.planner("RTAA*", lookahead=5), start, goal, record_arrays=True)
    known, risen = np.full(story.space.n, -1), 0
    for moment in story:
        if moment.episode is not None:
            arrays = moment.episode.arrays
            met = known >= 0
            assert np.array_equal(arrays["h_before"][met], known[met])
            rise = int((arrays["h"] - arrays["h_before"]).sum())
            assert rise == moment.counts.h_increase - risen
            known, risen = arrays["h"], moment.counts.h_increase


def test_a_rule_of_the_users_may_change_any_h():
    class Rising(replan.LearningRule):
        def learn(self, lookahead):
            h = lookahead.h
            for s in [*lookahead.closed, lookahead.frontier[0]]:
                h[s] = h[s] + 1
            return 0

    world, start, goal = maze_world()
    planner = replan.planner("RTAA*", lookahead=3, learning=Rising())
    story = replan.watch(world, planner, start, goal, max_moves=60, record_arrays=True)
    before = None
    for moment in story:
        if moment.episode is not None:
            arrays = moment.episode.arrays
            assert np.array_equal(arrays["h"], planner._table_arrays()["h"])
            if before is not None:
                met = before >= 0
                assert np.array_equal(arrays["h_before"][met], before[met])
            before = arrays["h"]


def test_a_story_is_written_as_it_happens(tmp_path):
    world, start, goal = maze_world()
    path = tmp_path / "trip.replan"
    with replan.watch(world, "RTAA*", start, goal, file=path) as story:
        for _ in range(30):
            story.step()
        interrupted = replan.Story.load(path)  # as if the machine had stopped here
        assert 20 <= len(interrupted) <= 30 and interrupted.trip is None and not interrupted.has_ended
        assert all(same_moment(interrupted[i], story[i]) for i in range(len(interrupted)))
        trip = story.finish()
        assert figures(replan.Story.load(path).trip) == figures(trip)
        story.retarget(start)  # goes on, in the same file
        story.step()
    again = replan.Story.load(path)
    assert again[-1].cause == "step" and again[-2].cause == "retarget" and again.trip is None
    assert same_moment(again[-1], replan.Story.load(path)[len(again) - 1])


def test_several_trials_and_meddling_come_back(tmp_path):
    world, start, goal = WORLDS["doors"]()
    story = replan.watch(world, "LRTA*", start, goal, trials=2, max_moves=400)
    truths = []
    for moment in story:
        truths.append(values(world.truth))
        if moment.index == 12:
            story.change([(0, 0), (19, 19)], ["free", "blocked"])
    story.save(tmp_path / "trip.replan")
    loaded = replan.Story.load(tmp_path / "trip.replan")
    assert [figures(trip) for trip in loaded.trips] == [figures(trip) for trip in story.trips]
    assert [m.cause for m in loaded].count("change") == 1
    for i in range(0, len(loaded), 3):
        assert np.array_equal(loaded.truth(i), truths[i]) or loaded[i].why  # after a trial the terrain is as at first


def test_what_was_seen(tmp_path):
    world, start, goal = maze_world(sensor=replan.Radius(2))
    story = replan.watch(world, "RTAA*", start, goal)
    seen = set()
    for moment in story:
        seen |= set(replan.Radius(2).visible(world.truth, story.space.key(moment.state)))
    assert seen == set(story.space.keys(np.flatnonzero(story.seen())))
    assert len(np.concatenate([m.newly_seen for m in story])) == len(seen)
    story.save(tmp_path / "trip.replan")
    loaded = replan.Story.load(tmp_path / "trip.replan")
    assert all(np.array_equal(loaded.seen(i), story.seen(i)) for i in (0, 9, 30, -1))
    assert replan.watch(maze_world(known="everything")[0], "RTAA*", start, goal).step().newly_seen.size == 0


class Ring(replan.Space):
    """Seven states in a ring."""

    def __init__(self, values=None):
        super().__init__(7, max_path_cost=100, degree=2)
        self.values = list(values or [1] * 7)

    def successors(self, s):
        return [((s + d) % 7, 1) for d in (1, 6) if self.values[s] and self.values[(s + d) % 7]]

    predecessors = successors

    def edge_cost(self, u, v):
        return 1 if self.values[v] else replan.limits.INF

    def distance(self, u, v):
        return 0

    def get_value(self, location):
        return self.values[location]

    def set_value(self, location, value):
        self.values[location] = value
        return [location, (location + 1) % 7, (location + 6) % 7]

    def state(self, key):
        return "abcdefg".index(key)

    location = state

    def key(self, state):
        return "abcdefg"[state]

    def copy(self):
        return Ring(self.values)

    def assign(self, other):
        self.values[:] = other.values

    def believed_free(self):
        return Ring()

    def display_cost(self, path, step_costs):
        return float(len(step_costs))

    def adjacent(self, s):
        return [s, (s + 1) % 7, (s + 6) % 7]


def test_a_space_of_the_users_is_read_by_the_names_of_its_states(tmp_path):
    ring = Ring([1, 1, 0, 1, 1, 1, 1])
    story = replan.watch(replan.World(ring), "D* Lite", "a", "d", record_arrays=True)
    trip = story.finish()
    story.save(tmp_path / "ring.replan")
    loaded = replan.Story.load(tmp_path / "ring.replan")
    assert loaded.trip.path == trip.path == list("abagfed")
    assert [loaded.space.key(m.state) for m in loaded] == trip.path
    assert loaded.belief().tolist() == [1, 1, 0, 1, 1, 1, 1]
    assert np.array_equal(loaded.arrays()["g"], story.agent.planner._table_arrays()["g"])
    with pytest.raises(replan.InputError, match="no state 'z'"):
        loaded.space.state("z")


def test_graphs_come_back_as_they_were(tmp_path):
    graph = replan.Graph(
        [(("a", 1), "b", 1.5), ("b", 3, 2.5), (3, None, 0.5)],
        resolution=0.5,
        positions={("a", 1): (0, 0), "b": (1, 0), 3: (2, 0), None: (2, 1)},
    )
    story = replan.watch(replan.World(graph), "RTAA*", ("a", 1), 3, max_moves=50)
    story.finish()
    story.save(tmp_path / "graph.replan")
    back = replan.Story.load(tmp_path / "graph.replan").space
    assert back.nodes == graph.nodes and back.resolution == 0.5
    assert [back.successors(s) for s in range(4)] == [graph.successors(s) for s in range(4)]
    assert [back.distance(0, s) for s in range(4)] == [graph.distance(0, s) for s in range(4)]
    assert replan.simulate(back, "D* Lite", ("a", 1), 3).cost == replan.simulate(graph, "D* Lite", ("a", 1), 3).cost


def test_nodes_that_cannot_be_written_are_refused_before_the_trip(tmp_path):
    graph = replan.Graph([(1j, 2j, 1)])
    with pytest.raises(replan.InputError, match="a node 1j cannot be saved"):
        replan.watch(replan.World(graph), "RTAA*", 1j, 2j, file=tmp_path / "x.replan")
    story = replan.watch(replan.World(graph), "RTAA*", 1j, 2j)  # in memory it may have any
    assert story.finish().path == [1j, 2j]
    with pytest.raises(replan.InputError, match="a node 1j cannot be saved"):
        story.save(tmp_path / "x.replan")


# Files from strangers.


@pytest.fixture(scope="module")
def story_bytes(tmp_path_factory) -> bytes:
    world, start, goal = maze_world()
    before = watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS
    watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS = 20, 2
    try:
        story = replan.watch(world, replan.planner("RTAA*", lookahead=9), start, goal, record_arrays=True)
        story.finish()
        path = tmp_path_factory.mktemp("story") / "trip.replan"
        story.save(path)
    finally:
        watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS = before
    return path.read_bytes()


def all_told(path) -> list:
    """All that can be read of a story."""
    story = replan.Story.load(path)
    told = [len(story), None if story.trip is None else figures(story.trip)]
    for i in range(0, len(story), 25):
        moment = story[i]
        told.append((moment.state, moment.path.tolist(), moment.episode and moment.episode.expanded_states.tolist()))
        told.append(story.belief(i).tobytes() + story.truth(i).tobytes() + story.seen(i).tobytes())
        told.append(sorted((name, array.tobytes()) for name, array in story.arrays(i).items()))
    return told


def test_flipped_bytes_are_noticed(story_bytes, tmp_path):
    """Either nothing is different, or an error names the file; a story that is shorter lacks its end, and says so."""
    path, rng = tmp_path / "flipped.replan", random.Random(5)
    path.write_bytes(story_bytes)
    whole = all_told(path)
    outcomes = {"same": 0, "refused": 0}
    for _ in range(FLIPS):
        content = bytearray(story_bytes)
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        try:
            told = all_told(path)
        except replan.InputError as error:
            assert str(error).startswith(str(path))
            outcomes["refused"] += 1
        else:
            shorter = told[1] is None and told[0] <= whole[0]
            assert told == whole or (shorter and told[2:] == whole[2 : len(told)])
            outcomes["same"] += 1
    assert outcomes["refused"] > FLIPS // 2


def test_cut_off_anywhere(story_bytes, tmp_path):
    path = tmp_path / "cut.replan"
    path.write_bytes(story_bytes)
    whole, lengths = all_told(path), set()
    for size in [*range(1, len(story_bytes), len(story_bytes) // 80), len(story_bytes) - 1]:
        path.write_bytes(story_bytes[:size])
        try:
            told = all_told(path)
        except replan.InputError as error:
            assert str(error).startswith(str(path))
        else:
            assert told[1] is None and told[0] <= whole[0] and told[2:] == whole[2 : len(told)]
            lengths.add(told[0])
    assert len(lengths) > 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"type octile\nheight 1", "is no story"),
        (MAGIC, "cut off"),
        (MAGIC + (VERSION + 1).to_bytes(4, "little") + bytes(100), f"version {VERSION + 1}"),
        (MAGIC + VERSION.to_bytes(4, "little"), "cut off"),
        (MAGIC + VERSION.to_bytes(4, "little") + bytes(100), "damaged"),
    ],
)
def test_what_is_no_story_is_refused(content, words, tmp_path):
    path = tmp_path / "odd.replan"
    path.write_bytes(content)
    with pytest.raises(replan.InputError, match=words):
        replan.Story.load(path)


def test_odd_paths_are_refused(tmp_path):
    with pytest.raises(replan.InputError, match="no such file"):
        replan.Story.load(tmp_path / "none.replan")
    with pytest.raises(replan.InputError, match="directory"):
        replan.Story.load(tmp_path)
    world, start, goal = maze_world()
    with pytest.raises(replan.InputError, match="cannot be written"):
        replan.watch(world, "RTAA*", start, goal, file=tmp_path / "no" / "trip.replan")
    story = replan.watch(world, "RTAA*", start, goal)
    story.step()
    with pytest.raises(replan.InputError, match="cannot be written"):
        story.save(tmp_path / "no" / "trip.replan")
    with pytest.raises(IndexError, match="there is no step 7"):
        story[7]
    with pytest.raises(replan.InputError, match="numbered"):
        story["7"]


def test_stories_without_a_file_stay_small():
    """What has been is packed: a thousand moments do not keep a thousand paths."""
    world, start, goal = maze_world()
    story = replan.watch(world, "D* Lite", start, goal)
    story.finish()
    assert isinstance(story._file.handle, io.BytesIO) and not story._pending
    assert story._file.size < 40_000
