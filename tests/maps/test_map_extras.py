from __future__ import annotations

import json

import pytest

from replan.errors import MissingExtra
from replan.extras import import_extra


def test_returns_the_module() -> None:
    assert import_extra("json", extra="images", purpose="reading") is json


def test_says_which_extra_brings_a_missing_module() -> None:
    with pytest.raises(MissingExtra) as caught:
        import_extra("replan_no_such_module", extra="images", purpose="reading an image")
    assert str(caught.value) == "reading an image needs an extra: pip install 'replan[images]'"
    assert caught.value.extra == "images"
    assert isinstance(caught.value.__cause__, ImportError)
