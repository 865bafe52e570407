"""Imports as lines: what each file holds, and what it brought."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli import figures
from finplan.cli.choosing import shortened
from finplan.cli.listing import Column, Content, listing
from finplan.model.statement import FileReport, ImportRecord, ImportReport

NOTHING = Text("Nothing has been imported yet: `finplan import FILE`.", style="dim")


def draw_report(report: ImportReport) -> RenderableType:
    """List the files with their rows: new ones, known ones, and those that could be either."""
    return listing(
        (
            Column("file", gives_way=True),
            Column("read as", style="dim"),
            Column("account", gives_way=True),
            Column("rows", figures=True),
            Column("would be new" if report.dry_run else "new", figures=True, style="bold"),
            Column("known", figures=True),
            Column("ambiguous", figures=True),
        ),
        map(_file_row, report.files),
    )


def _file_row(file: FileReport) -> tuple[Content, ...]:
    if file.error is not None:
        return (file.file, "", Text(file.error, style="red"), "", "", "", "")
    read_as = " ".join(filter(None, (file.format, file.encoding)))
    accounts = ", ".join(f"{each.name} ({each.currency} {each.kind})" for each in file.accounts)
    ambiguous = Text(f"{file.ambiguous:,}", style="yellow" if file.ambiguous else "")
    counts = (f"{file.transactions:,}", f"{file.new:,}", f"{file.known:,}")
    return (file.file, read_as, accounts, *counts, ambiguous)


def draw_imports(records: Sequence[ImportRecord]) -> RenderableType:
    """List imports, newest first; those taken back are dim."""
    if not records:
        return NOTHING
    short = shortened([record.id for record in records])
    return listing(
        (
            Column("imported"),
            Column("files", gives_way=True),
            Column("new rows", figures=True),
            Column(""),
            Column("id", style="dim"),
        ),
        (_import_row(record, short[record.id]) for record in records),
    )


def _import_row(record: ImportRecord, short: str) -> tuple[Content, ...]:
    style = "" if record.undone_at is None else "dim"
    files = ", ".join(file.file for file in record.report.files)
    return (
        Text(f"{figures.moment(record.imported_at):%Y-%m-%d %H:%M}", style=style),
        Text(files, style=style),
        Text(f"{sum(file.new for file in record.report.files):,}", style=style),
        "" if record.undone_at is None else Text("undone", style="yellow"),
        short,
    )
