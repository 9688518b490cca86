"""Columns and rows of Table 1 of RTAA* 2006, with the values of the paper."""

from __future__ import annotations

from pathlib import Path

from replan.experiments import tables
from replan.experiments.experiment import read_paper_table
from replan.experiments.tables import NS_TO_US, Column, columns_by_name, mean_of, total_ratio

PAPER_TABLE_FILE = Path(__file__).parent / "data" / "table1.csv"
MAZES = 2500
LOOKAHEADS = (1, 9, 17, 25, 33, 41, 49, 57, 65, 73, 81, 89, None)
RTAA, LSS = "RTAA*", "LSS-LRTA*"
OTHERS = ("D* Lite", "Repeated Forward A*", "Repeated Backward A*")
REGISTRY_NAMES = {"LRTA*": LSS}  # for planners that have another name in the paper
COLUMNS = columns_by_name(
    Column("expansions", "(b) expansions", mean_of("expansions")),
    Column("episodes", "(c) episodes", mean_of("episodes")),
    Column("cost", "(d) cost", mean_of("cost")),
    Column("moves_per_episode", "(e) moves per episode", total_ratio("moves", "episodes"), rounding=0.01),
    Column("search_us", "(f) search µs", mean_of("search_ns", NS_TO_US), is_time=True),
    Column("us_per_episode", "(g) µs per episode", total_ratio("search_ns", "episodes", NS_TO_US), is_time=True),
    Column("us_per_move", "(h) µs per move", total_ratio("search_ns", "moves", NS_TO_US), is_time=True),
    Column(
        "h_increase_per_update", "(i) h-increase per update", total_ratio("h_increase", "expansions"), rounding=0.01
    ),
)


def registry_name(planner: str) -> str:
    return REGISTRY_NAMES.get(planner, planner)


def paper_rows() -> dict[str, dict[str, str]]:
    """Return the rows of the paper by our names of them."""
    rows = {}
    for row in read_paper_table(PAPER_TABLE_FILE):
        text = row["lookahead"]
        lookahead = None if text in ("inf", "") else int(text)
        rows[tables.row_name(registry_name(row["planner"]), lookahead, text != "")] = row
    return rows
