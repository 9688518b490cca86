"""Files that other programs read: they are whole, and say what the package says."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

import replan

TOP = Path(__file__).parents[1]
yaml = pytest.importorskip("yaml")
# the keys of the Citation File Format 1.2.0
CITED = {"abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi", "identifiers", "keywords"}
CITED |= {"license", "license-url", "message", "preferred-citation", "references", "repository", "repository-artifact"}
CITED |= {"repository-code", "title", "type", "url", "version"}


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
    assert citation.keys() <= CITED and isinstance(citation["date-released"], date)
    assert citation["license"] == project()["project"]["license"]
    assert citation["url"] == project()["project"]["urls"]["Homepage"]


def test_addresses_are_plainly_placeholders():
    urls = project()["project"]["urls"]
    assert {"Homepage", "Documentation", "Source", "Issues"} <= urls.keys()
    assert all(url.startswith("https://example.org/") for url in urls.values())


WORKFLOWS = sorted(path.relative_to(TOP).as_posix() for path in TOP.glob(".github/workflows/*.yml"))


def steps(name: str):
    return [step for job in read(name)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows(name):
    """As far as one can tell from here: they are whole, take only what is pinned, and install extras that exist."""
    workflow = read(name)
    assert workflow["permissions"] == {"contents": "read"} and (True in workflow or "on" in workflow)
    for job in workflow["jobs"].values():
        assert job["runs-on"] and 0 < job["timeout-minutes"] <= 120
    for step in steps(name):
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/any@v1"))
        for extras in re.findall(r"\.\[([\w,]+)\]", step.get("run", "")):
            assert set(extras.split(",")) <= project()["project"]["optional-dependencies"].keys()
        for path in re.findall(r"(?:tests|docs)/[\w./]+", step.get("run", "")):
            assert (TOP / path).exists()


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_system_has_tests_and_wheels(name):
    matrices = [job["strategy"]["matrix"] for job in read(name)["jobs"].values() if "strategy" in job]
    systems = {image.partition("-")[0] for matrix in matrices for image in matrix["os"]}
    assert systems == {"ubuntu", "macos", "windows"}


def test_what_is_checked_before_a_commit_is_there_already():
    """All hooks are local, and call what the extra `test` installs."""
    config = read(".pre-commit-config.yaml")
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    installed = {re.match(r"[\w-]+", name)[0] for name in project()["project"]["optional-dependencies"]["test"]}
    for hook in config["repos"][0]["hooks"]:
        assert hook["language"] == "system"
        command = hook["entry"].removeprefix("python -m ").split()[0]
        assert command in installed
        assert all((TOP / word).exists() for word in hook["entry"].split() if word.startswith("tests/"))
