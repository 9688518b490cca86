"""Helpers of the map tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Save = Callable[[str, bytes | str], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Put a file of this name and content in a fresh folder."""

    def put(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put
