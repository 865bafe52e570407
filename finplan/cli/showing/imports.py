"""Imports as lines: how each file was read, what it holds, and what it brought."""

from collections.abc import Sequence
from itertools import chain

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import ends, page, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.statement import (
    FileAccount,
    FileReport,
    ImportProfile,
    ImportRecord,
    ImportReport,
    Remembered,
    RestoredHousehold,
)

AMBIGUOUS = "Ambiguous rows match others by day and amount alone; they are not added again."
ASSUMED = "An assumed currency stands nowhere in the file; `--currency` says which it is."
NOTHING = Text("Nothing has been imported yet: `finplan import FILE`.", style="dim")
NO_PROFILES = Text("You have not said yet how any kind of CSV file is to be read.", style="dim")
_DATES = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
_NUMBERS = {".": "decimal point", ",": "decimal comma"}


def draw_report(report: ImportReport, width: int) -> RenderableType:
    """Draw each file with how it was read, its accounts, and what its rows are."""
    lines = [line for file in report.files for line in _file(file, width, dry_run=report.dry_run)]
    if any(file.ambiguous for file in report.files):
        lines.append(Text(AMBIGUOUS, style="dim"))
    if report.dry_run and any(
        each.currency_assumed for file in report.files for each in file.accounts
    ):
        lines.append(Text(ASSUMED, style="dim"))
    return page(lines)


def _file(file: FileReport, width: int, *, dry_run: bool) -> list[Text]:
    read_as = ", ".join(filter(None, (file.format, file.encoding)))
    lines = [Text(file.file, style="bold").append(f"  {read_as}", style="not bold dim")]
    if file.error is not None:
        return [*lines, Text(f"  {file.error}", style="red")]
    if file.remembered is not None:
        said = [*_read_as(file.remembered), *_into([file.remembered.account])]
        lines.append(Text(f"  read as last time: {', '.join(said)}", style="cyan"))
    lines += map(_account, file.accounts)
    if file.restored is not None:
        lines += wrapped(_restored(file.restored, dry_run=dry_run), width, indent=2, style="green")
    new = f"{file.new:,} {'would be new' if dry_run else 'new'}"
    rows = Text(f"  {figures.count(file.transactions, 'row')}: ").append(new, style="bold")
    rows.append(f", {file.known:,} known")
    if file.ambiguous:
        rows.append(f", {file.ambiguous:,} ambiguous", style="yellow")
    if file.pending:
        rows.append(f", and {file.pending:,} pending")
    notes = (wrapped(note, width, indent=2, style="yellow") for note in file.notes)
    return [*lines, rows, *chain.from_iterable(notes)]


def _restored(household: RestoredHousehold, *, dry_run: bool) -> str:
    """What of a whole household comes along with its accounts and rows."""
    counted = (
        (household.categories, "own category", "own categories"),
        (household.rules, "rule", "rules"),
        (household.answers, "answer", "answers"),
        (household.decisions, "decision", "decisions"),
    )
    held = (figures.count(number, one, many) for number, one, many in counted if number)
    settings = f"settings in {household.currency}" if household.currency else "settings"
    done = "would be restored" if dry_run else "is restored"
    return f"the household {done}: {', '.join((settings, *held))}"


def _account(account: FileAccount) -> Text:
    line = Text(f"  {account.name}").append(f"  {account.currency}", style="dim")
    if account.currency_assumed:
        line.append(" (assumed)", style="yellow")
    return line.append(f" {account.kind}{', new account' if account.new else ''}", style="dim")


def draw_profiles(profiles: Sequence[ImportProfile], width: int) -> RenderableType:
    """List what the person said of files by their columns, the newest first."""
    if not profiles:
        return NO_PROFILES
    short = shortened([profile.id for profile in profiles])
    lines = []
    for profile in profiles:
        said = ", ".join([*_read_as(profile), *_into(profile.accounts)])
        day = f"{figures.moment(profile.saved_at):%Y-%m-%d}"
        lines.append(ends(profile.columns, Text(short[profile.id], style="dim"), width))
        lines += wrapped(f"{said}; said on {day}", width, indent=2)
    return page(lines)


def _read_as(said: Remembered | ImportProfile) -> list[str]:
    """What was said of how a file is read, in words."""
    words = (
        _DATES.get(said.date_order or ""),
        _NUMBERS.get(said.decimal_sign or ""),
        said.encoding,
        said.currency,
    )
    return [word for word in words if word is not None]


def _into(accounts: Sequence[str | None]) -> list[str]:
    names = [name for name in accounts if name is not None]
    return [f"into {' or '.join(names)}"] if names else []


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
