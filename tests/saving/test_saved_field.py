"""A field is copied and pickled, and leads on as it did; a damaged one is refused, or can be used."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from saving.rides import spaces
from saving.ways import WAYS, Damaging, objects_in

TRIES = 300 if replan.compiled else 20
CELLS = [(0, 0), (5, 5), (1, 5), (3, 0)]


def lead(field: replan.FlowField, first: int, last: int) -> list[Any]:
    told: list[Any] = []
    for number in range(first, last):
        random = Random(number)
        cell = (random.randrange(6), random.randrange(6))
        if cell not in ((5, 6), (0, 0)):
            field.observe([cell], [random.random() < 0.5])
        told.append(field.advance(CELLS, replan.Expansions(20)).tolist())
        told.append((field.path(CELLS[number % 4]), field.expansions, field.cost((0, 0))))
    return told


@pytest.mark.parametrize("way", WAYS)
def test_it_goes_on_the_same(way: Any) -> None:
    for stop in (0, 1, 7):
        field = replan.FlowField(spaces()["4"], {(5, 6), (2, 4)})
        lead(field, 0, stop)
        replan.Agent("RTAA*", field.space, (0, 0), (5, 5)).observe([(3, 3)], [True])  # not heard of yet
        twin = way(field)
        told = lead(twin, stop, stop + 8)
        if twin.space is not field.space:
            assert told == lead(field, stop, stop + 8)
        arrays = field.snapshot()
        assert twin.goals == field.goals and [twin.path(c) for c in CELLS] == [field.path(c) for c in CELLS]
        assert arrays.keys() == twin.snapshot().keys()


def test_only_what_was_met_is_stored() -> None:
    field = replan.FlowField(replan.Grid(np.zeros((1000, 1000), bool)), (0, 0))
    field.advance([(20, 20)])
    assert len(pickle.dumps(field)) < 40_000


def test_damaged_ones() -> None:
    field = replan.FlowField(spaces()["4"], {(5, 6), (2, 4)})
    lead(field, 0, 5)
    data, random, refused = pickle.dumps(field), Random(4), 0
    for i in range(TRIES):
        loader = Damaging(data, i % objects_in(data), random)
        try:
            lead(loader.load(), 5, 9)
        except (ValueError, RuntimeError, TypeError, AttributeError, KeyError, IndexError):
            refused += 1
    assert refused > TRIES // 5


def test_half_made_ones() -> None:
    with pytest.raises(replan.InputError, match="not made yet"):
        pickle.dumps(replan.FlowField.__new__(replan.FlowField))
