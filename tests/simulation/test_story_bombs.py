"""Files of stories that say they are larger than their maps can be: refused before they are unpacked."""

from __future__ import annotations

import io
import itertools
import json
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import replan
from replan.simulation import watching
from replan.simulation.story_file import END, MAGIC, VERSION, encode_column
from replan.viewer.application import Tab
from replan.viewer.settings import Settings
from replan.viewer.tab_memory import TabMemory
from stories import figures, maze_world

ITEMS = 1 << 23
ZEROS = zlib.compress(bytes(ITEMS), 6)  # 8 KB
MOST = 12_000_000  # bytes that may be taken; a column of so many numbers takes 64 MB
BLOCK = struct.Struct("<4sIQI")
Columns = dict[str, list[Any]]  # by name: type, coding, items, content


def blocks_of(content: bytes) -> Iterator[tuple[bytes, dict[str, Any], Columns]]:
    """Tag, facts and columns of each block."""
    at = len(MAGIC) + 4
    while content[at : at + 4] in (b"HEAD", b"PART", b"DONE"):
        tag, size, *_ = BLOCK.unpack_from(content, at)
        at += BLOCK.size
        facts = json.loads(zlib.decompress(content[at : at + size]))
        at, columns = at + size, {}
        for name, kind, coding, items, length in facts.pop("columns"):
            columns[name] = [kind, coding, items, content[at : at + length]]
            at += length
        yield tag, facts, columns


def file_of(blocks: list[tuple[bytes, dict[str, Any], Columns]]) -> bytes:
    """The file again, with an index that fits."""
    made, index = io.BytesIO(), []
    made.write(MAGIC + VERSION.to_bytes(4, "little"))
    for tag, facts, columns in blocks:
        offset = made.tell()
        if tag == b"PART":
            index += [offset, facts["first"], facts["count"], facts["pictures"]]
        if tag == b"DONE" and columns["index"][2] != ITEMS:
            kind, coding, packed = encode_column(np.array(index))
            columns["index"] = [kind, coding, len(index), packed]
        listed = [[name, kind, coding, items, len(part)] for name, (kind, coding, items, part) in columns.items()]
        directory = zlib.compress(json.dumps({**facts, "columns": listed}).encode())
        payload = b"".join(column[3] for column in columns.values())
        frame = BLOCK.pack(tag, len(directory), len(payload), 0)[:-4]
        made.write(frame + struct.pack("<I", zlib.crc32(frame + directory)) + directory + payload)
    made.write(struct.pack("<Q8s", offset, END))
    return made.getvalue()


def told_from(content: bytes) -> list[Any]:
    """All that can be read of a story."""
    story = replan.Story.from_bytes(content)
    told: list[Any] = [len(story), [figures(trip) for trip in story.trips], story.states().tolist()]
    for i in range(0, len(story), 17):
        moment = story[i]
        told.append((moment.state, moment.path.tolist(), moment.episode and moment.episode.expanded_states.tolist()))
        told += [story.belief(i).sum(), story.truth(i).sum(), story.seen(i).sum()]
        told += [sorted((name, int(array.sum())) for name, array in story.arrays(i).items())]
        told += [sorted(story.array_changes(i))]
    return told


@pytest.fixture(scope="module")
def honest() -> bytes:
    world, start, goal = maze_world()
    before = watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS
    watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS = 20, 2
    try:
        story = replan.watch(world, replan.planner("RTAA*", lookahead=9), start, goal, record_arrays=True, trials=2)
        story.run_steps(60)
        story.change([(0, 1)], "blocked")
        story.finish()
        return story.to_bytes()
    finally:
        watching.MAX_PART_STEPS, watching.KEYFRAME_PARTS = before


def test_the_file_of_these_tests_is_one(honest):
    assert told_from(file_of(list(blocks_of(honest)))) == told_from(honest)


def bombs(honest: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Files in which one column, one list of moments, or one directory is large; by what is."""
    for number, (tag, facts, columns) in enumerate(blocks_of(honest)):
        if number > 2 and tag != b"DONE":
            continue  # one part stands for all
        for name in columns:

            def column(number=number, name=name) -> bytes:
                blocks = list(blocks_of(honest))
                kind, coding, _, _ = blocks[number][2][name]
                blocks[number][2][name] = ["i1" if kind != "b1" else "b1", coding & 1, ITEMS, ZEROS]
                return file_of(blocks)

            yield f"{tag.decode()} {name}", column
            for counted in (".states", ".places", ".values", ".kinds"):
                if name == f"{name.partition('.')[0]}{counted}" and tag == b"PART":

                    def together(number=number, name=name, facts=facts) -> bytes:
                        """Of so many items all columns say the same."""
                        blocks = list(blocks_of(honest))
                        start = name.rpartition(".")[0]
                        for one in [c for c in blocks[number][2] if c.rpartition(".")[0] == start]:
                            of = [ITEMS] + [0] * (blocks[number][2][f"{start}.n"][2] - 1)
                            new = [*encode_column(np.array(of))[:2], len(of), encode_column(np.array(of))[2]]
                            blocks[number][2][one] = new if one.endswith(".n") else ["i1", 0, ITEMS, ZEROS]
                        return file_of(blocks)

                    yield f"{tag.decode()} all of {name}", together

        def directory(number=number) -> bytes:
            blocks = list(blocks_of(honest))
            blocks[number][1]["more"] = [[]] * (1 << 20)
            return file_of(blocks)

        yield f"{tag.decode()} directory", directory

    def moments() -> bytes:
        blocks = list(blocks_of(honest))[:2]
        blocks[1][1]["count"] = ITEMS
        for name, column in blocks[1][2].items():
            if not name.startswith("="):
                blocks[1][2][name] = ["i1" if column[0] != "b1" else "b1", 0, ITEMS, ZEROS]
        return file_of(blocks)

    yield "moments", moments


def test_nothing_takes_more_than_its_map_allows(honest):
    taken = {}
    for what, make in bombs(honest):
        content = make()
        assert len(content) < 1_000_000
        tracemalloc.start()
        try:
            told_from(content)
        except replan.InputError:
            pass
        finally:
            taken[what] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    assert len(taken) > 40
    assert {what: peak for what, peak in taken.items() if peak > MOST} == {}


def test_the_page_refuses_a_map_that_is_too_large_before_it_is_read(honest):
    blocks, n = list(blocks_of(honest)), 5002 * 5002
    blocks[0][1]["space"].update(rows=5000, cols=5000, n=n, places=n)
    for name in ("space", "=belief", "=truth"):
        blocks[0][2][name] = ["i1", 0, n, zlib.compress(bytes(n))]
    content = file_of(blocks)
    tracemalloc.start()
    try:
        with pytest.raises(replan.InputError, match="at most 16,777,216 cells"):
            viewer_opens(content)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


def test_the_page_reads_stories_on_grids_alone(honest):
    blocks = list(blocks_of(honest))
    blocks[0][1]["space"]["kind"] = "graph"
    with pytest.raises(replan.InputError, match="grids"):
        viewer_opens(file_of(blocks))


def viewer_opens(content: bytes) -> None:
    Tab(Settings(), None, TabMemory(10**11))._open_story(content, "a story")


def test_names_that_repeat_themselves_come_back():
    """A directory that would be packed much smaller than it is is written as it is."""
    nodes = ["node" * 300 + str(i) for i in range(3000)]
    graph = replan.Graph([(a, b, 1) for a, b in itertools.pairwise(nodes)])
    story = replan.watch(replan.World(graph), "A*", nodes[0], nodes[3])
    story.finish()
    assert replan.Story.from_bytes(story.to_bytes()).space.nodes == graph.nodes


def test_many_trials_come_back():
    story = replan.watch(replan.World(replan.Grid([[0, 0, 0]])), "RTAA*", (0, 0), (0, 2), trials=1100)
    story.finish()
    assert len(replan.Story.from_bytes(story.to_bytes()).trips) == 1100
