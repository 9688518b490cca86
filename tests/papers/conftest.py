"""Experiments are about 150 times slower interpreted, and their trips are the same: other tests see to that."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("REPLAN_INTERPRETED") == "1":
        for item in items:
            if item.path.name == "test_samples.py":
                item.add_marker(pytest.mark.skip(reason="a sample takes many minutes interpreted"))
