"""`replan results`: export the results of experiments."""

from __future__ import annotations

import io
from pathlib import Path

import click

from replan.atomic_write import write_bytes
from replan.cli.console import stdout_console
from replan.cli.group import SuggestingGroup
from replan.errors import InputError
from replan.extras import import_extra
from replan.formatting import format_count


@click.group("results", cls=SuggestingGroup)
def command() -> None:
    """Export the results of experiments."""


@command.command("export")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write comma-separated values."
)
@click.option("--parquet", "parquet_file", type=click.Path(path_type=Path), metavar="FILE", help="Write Parquet.")
def export(directory: Path, csv_file: Path | None, parquet_file: Path | None) -> None:
    """Write the results in DIR to a file.

    The file has a row for each run. Names of columns with times end in _ns.
    """
    if csv_file is None and parquet_file is None:
        raise InputError("give a file: --csv FILE or --parquet FILE")
    polars = import_extra("polars", extra="experiments", purpose="exporting results")
    from replan.experiments.pipeline import RESULTS_FILE
    from replan.experiments.store import ResultStore

    store = ResultStore(directory / RESULTS_FILE, create=False)
    try:
        records = list(store.records())
    finally:
        store.close()
    frame = polars.from_dicts(records, infer_schema_length=None) if records else polars.DataFrame()
    for path, write in ((csv_file, frame.write_csv), (parquet_file, frame.write_parquet)):
        if path is not None:
            content = io.BytesIO()
            write(content)
            write_bytes(path, content.getvalue())
    stdout_console().print(f"{format_count(len(records), 'run')} written.")
