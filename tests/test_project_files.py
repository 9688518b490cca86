"""Files that other programs read: they are whole, and say what the package says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import replan

TOP = Path(__file__).parents[1]
yaml = pytest.importorskip("yaml")


def read(name: str):
    return yaml.safe_load((TOP / name).read_text(encoding="utf-8"))


def project():
    return tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))


def test_how_to_cite_it():
    citation = read("CITATION.cff")
    assert citation["cff-version"] == "1.2.0" and citation["type"] == "software"
    assert {"message", "title", "authors", "version", "license"} <= citation.keys()
    assert all(author.get("name") or author.get("family-names") for author in citation["authors"])
    assert citation["version"] == replan.__version__
    assert citation["license"] == project()["project"]["license"]
    assert citation["url"] == project()["project"]["urls"]["Homepage"]


def test_addresses_are_plainly_placeholders():
    urls = project()["project"]["urls"]
    assert {"Homepage", "Documentation", "Source", "Issues"} <= urls.keys()
    assert all(url.startswith("https://example.org/") for url in urls.values())
