"""Imports as lines: how each file was read, what it holds, and what it brought."""

from collections.abc import Sequence
from itertools import chain

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.layout import ends, page, roomy, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures, statement
from finplan.model.characters import shortened
from finplan.views.accounts import covered_days, missing_days

AMBIGUOUS = (
    "Ambiguous rows are told by day and amount, whatever their texts say: another file brought them, so"
    " they are not added again."
)
NOTHING = Text("Nothing has been imported yet: `finplan import FILE`.", style="dim")
NO_PROFILES = Text("You have not said yet how any kind of CSV file is to be read.", style="dim")
_DATES = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
_NUMBERS = {".": "decimal point", ",": "decimal comma"}
_DIRECTIONS = {
    "in": "without a minus it comes in",
    "out": "without a minus it goes out",
    "negate": "signs turned round",
    "first:in": "the first row came in",
    "first:out": "the first row was spent",
    "first:owed": "the balance is owed",
}


def draw_report(report: statement.ImportReport, width: int, room: int = 0) -> RenderableType:
    """Draw each file with how it was read, and each of its accounts with what it can be checked by.

    Sentences are `width` columns wide; what a bank wrote may take up to `room`, where that is more.
    """
    lines = [
        line for file in report.files for line in _file(file, (width, room), dry_run=report.dry_run)
    ]
    for account in _with_holes(report):
        missing = missing_days(account.coverage)
        said = f"{account.name} then covers {covered_days(account.coverage)}; missing: {missing}."
        lines += wrapped(said, width, style="yellow")
    if any(file.ambiguous for file in report.files):
        lines += wrapped(AMBIGUOUS, width, style="dim")
    return page(lines)


def _with_holes(report: statement.ImportReport) -> list[statement.FileAccount]:
    """The accounts of which statements are missing, each once however many files are of it."""
    found = {
        (account.name, account.currency): account
        for file in report.files
        for account in file.accounts
        if len(account.coverage) > 1
    }
    return list(found.values())


def _file(file: statement.FileReport, widths: tuple[int, int], *, dry_run: bool) -> list[Text]:
    width, _ = widths
    read_as = ", ".join(filter(None, (file.format, file.encoding)))
    lines = [Text(file.file, style="bold").append(f"  {read_as}", style="not bold dim")]
    if file.error is not None:
        return [*lines, *wrapped(file.error, width, indent=2, style="red")]
    if file.remembered is not None:
        said = [*_read_as(file.remembered), *_into([file.remembered.account])]
        lines.append(Text(f"  read as last time: {', '.join(said)}", style="cyan"))
    if file.restored is not None:
        lines += wrapped(_restored(file.restored, dry_run=dry_run), width, indent=2, style="green")
    if not file.accounts:
        lines.append(Text("  no rows", style="dim"))
    for account in file.accounts:
        lines += _account(account, widths, dry_run=dry_run)
    notes = (wrapped(note, width, indent=2, style="yellow") for note in file.notes)
    return [*lines, *chain.from_iterable(notes)]


def _restored(household: statement.RestoredHousehold, *, dry_run: bool) -> str:
    """What of a whole household comes along with its accounts and rows."""
    counted = (
        (household.categories, "own category", "own categories"),
        (household.rules, "rule", "rules"),
        (household.answers, "answer", "answers"),
        (household.decisions, "decision", "decisions"),
        (household.words, "word on a transaction", "words on transactions"),
    )
    held = (figures.count(number, one, many) for number, one, many in counted if number)
    settings = f"settings in {household.currency}" if household.currency else "settings"
    done = "would be restored" if dry_run else "is restored"
    return f"the household {done}: {', '.join((settings, *held))}"


def _account(
    account: statement.FileAccount, widths: tuple[int, int], *, dry_run: bool
) -> list[Text]:
    width, most = widths
    kind = (account.subtype or account.kind).replace("_", " ")
    assumed = " (assumed)" if account.currency_assumed else ""
    new = ", new account" if account.new else ""
    name = Text(f"  {account.name}").append(f"  {kind}, {account.currency}", style="dim")
    name.append(assumed, style="yellow").append(new, style="dim")
    lines = [name, *_packed(_facts(account, dry_run=dry_run), width, indent=4)]
    lines += _samples(account, width, most)
    if account.left_out:
        counted = ", ".join(f"{each.count:,} {each.reason}" for each in account.left_out)
        lines += wrapped(f"left out: {counted}", width, indent=4, style="dim")
    for sentence in account.assumed:
        lines += wrapped(sentence, width, indent=4, style="yellow")
    return lines


def _facts(account: statement.FileAccount, *, dry_run: bool) -> list[Text]:
    """The days, the rows, the money and the balance, each to stand on one line as a whole."""
    new = f"{account.new_rows:,} {'would be new' if dry_run else 'new'}"
    rows = Text(f"{figures.count(account.transactions, 'row')}: ").append(new, style="bold")
    if account.known:
        rows.append(f", {account.known:,} known")
    if account.ambiguous:
        rows.append(f", {account.ambiguous:,} ambiguous", style="yellow")
    if account.pending:
        rows.append(f", and {account.pending:,} pending")
    facts = [rows]
    if account.since is not None and account.until is not None:
        facts.insert(0, Text(figures.day_span(account.since, account.until)))
    if account.transactions:
        facts.append(Text(f"in {figures.money(account.money_in, account.currency)}"))
        facts.append(Text(f"out {figures.money(account.money_out, account.currency)}"))
    if account.closing_balance is not None:
        facts.append(_closing(account, account.closing_balance))
    return facts


def _closing(account: statement.FileAccount, balance: int) -> Text:
    is_owed = account.kind in ("credit", "loan")
    said = (figures.owed_money if is_owed else figures.money)(balance, account.currency)
    closing = Text(f"closing balance {said}")
    if account.balance_fits is None:
        return closing
    if account.balance_fits:
        return closing.append(", fits", style="green")
    return closing.append(", does not fit the rows", style="yellow")


def _samples(account: statement.FileAccount, width: int, most: int) -> list[Text]:
    amounts = [figures.money(sample.amount, account.currency) for sample in account.samples]
    room = max(map(len, amounts), default=0)
    beside = len("      2026-01-01  ") + room + 2
    texts = [sample.raw or sample.payee for sample in account.samples]
    left = roomy(width, most, beside + max(map(cell_len, texts), default=0)) - beside
    return [
        Text("      ").append_text(
            row((f"{sample.date}", 11), (amount, -room), ("", 0), (text, left))
        )
        for sample, amount, text in zip(account.samples, amounts, texts, strict=True)
    ]


def _packed(parts: Sequence[Text], width: int, *, indent: int) -> list[Text]:
    """Put parts beside each other with a dot between them, on as few lines as they fit."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 3 + part.cell_len <= width:
            lines[-1].append(" · ", style="dim").append_text(part)
        else:
            lines.append(Text(" " * indent).append_text(part))
    return lines


def draw_profiles(
    profiles: Sequence[statement.ImportProfile], width: int, room: int = 0
) -> RenderableType:
    """List what the person said of files by their columns, the newest first.

    Lines are `width` columns wide; those of many columns may take up to `room`, where that is more.
    """
    if not profiles:
        return NO_PROFILES
    short = shortened([profile.id for profile in profiles])
    lines = []
    for profile in profiles:
        said = ", ".join([*_read_as(profile), *_into(profile.accounts)])
        day = f"{figures.moment(profile.saved_at):%Y-%m-%d}"
        known_as = Text(short[profile.id], style="dim")
        whole = roomy(width, room, cell_len(profile.columns) + 1 + known_as.cell_len)
        lines.append(ends(profile.columns, known_as, whole))
        lines += wrapped(f"{said}; said on {day}", width, indent=2)
    return page(lines)


def _read_as(said: statement.Remembered | statement.ImportProfile) -> list[str]:
    """What was said of how a file is read, in words."""
    words = (
        _DATES.get(said.date_order or ""),
        _NUMBERS.get(said.decimal_sign or ""),
        None if said.amount_column is None else f"amounts in {said.amount_column}",
        None if said.direction is None else _direction(said.direction),
        said.encoding,
        said.currency,
    )
    return [word for word in words if word is not None]


def _direction(said: str) -> str:
    """Which way amounts go, in words."""
    words = said.removeprefix("marks:")
    if words == said:
        return _DIRECTIONS[said]
    out, _, into = words.partition("/")
    listed = ((out, "out"), (into, "in"))
    return ", ".join(f"“{each.replace(',', '”, “')}” money {way}" for each, way in listed if each)


def _into(accounts: Sequence[str | None]) -> list[str]:
    names = [name for name in accounts if name is not None]
    return [f"into {' or '.join(names)}"] if names else []


def draw_imports(records: Sequence[statement.ImportRecord]) -> RenderableType:
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


def _import_row(record: statement.ImportRecord, short: str) -> tuple[Content, ...]:
    style = "" if record.undone_at is None else "dim"
    files = ", ".join(file.file for file in record.report.files)
    return (
        Text(f"{figures.moment(record.imported_at):%Y-%m-%d %H:%M}", style=style),
        Text(files, style=style),
        Text(f"{sum(file.new for file in record.report.files):,}", style=style),
        "" if record.undone_at is None else Text("undone", style="yellow"),
        short,
    )
