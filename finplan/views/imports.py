"""Imports: how each file was read, what it holds and brought, and what was said of its kind."""

from collections.abc import Iterator, Sequence

from finplan.model import figures
from finplan.model.characters import shortened
from finplan.model.statement import (
    FileAccount,
    FileReport,
    ImportProfile,
    ImportRecord,
    ImportReport,
    Remembered,
    RestoredHousehold,
)
from finplan.views import page
from finplan.views.accounts import covered_days, kind_said, missing_days
from finplan.views.locale import Locale, Money

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


def report(told: ImportReport) -> page.Page:
    """Each file with how it was read, and each of its accounts with what it can be checked by."""
    ambiguous = (
        "Ambiguous rows are told by day and amount, whatever their texts say: another file brought them,"
        " so they are not added again."
    )
    return page.of(
        *(_file(each, dry_run=told.dry_run) for each in told.files),
        (page.said(_missing(each), "warn") for each in _with_holes(told)),
        page.said(ambiguous, "soft") if any(file.ambiguous for file in told.files) else None,
    )


def _with_holes(told: ImportReport) -> list[FileAccount]:
    """The accounts of which statements are missing, each once however many files are of it."""
    found = {
        (account.name, account.currency): account
        for file in told.files
        for account in file.accounts
        if len(account.coverage) > 1
    }
    return list(found.values())


def _missing(account: FileAccount) -> str:
    missing = missing_days(account.coverage)
    return f"{account.name} then covers {covered_days(account.coverage)}; missing: {missing}."


def _file(file: FileReport, *, dry_run: bool) -> Iterator[page.PageBlock]:
    read_as = ", ".join(filter(None, (file.format, file.encoding)))
    yield page.Sentence((page.name(file.file, "strong"), page.soft(f"  {read_as}")), level=2)
    if file.error is not None:
        yield page.said(file.error, "bad", indent=2)
        return
    if file.remembered is not None:
        before = ", ".join([*_read_as(file.remembered), *_into([file.remembered.account])])
        yield page.said(f"read as last time: {before}", "accent", indent=2)
    if file.restored is not None:
        yield page.said(_restored(file.restored, dry_run=dry_run), "good", indent=2)
    if not file.accounts:
        yield page.said("no rows", "soft", indent=2)
    for account in file.accounts:
        yield from _account(account, dry_run=dry_run)
    yield from (page.said(note, "warn", indent=2) for note in file.notes)


def _restored(household: RestoredHousehold, *, dry_run: bool) -> str:
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


def _account(account: FileAccount, *, dry_run: bool) -> Iterator[page.PageBlock]:
    kind = kind_said(account.subtype, account.kind)
    heading = (
        page.name(account.name),
        page.soft(f"  {kind}, {account.currency}"),
        page.TextSpan(" (assumed)" if account.currency_assumed else "", "warn"),
        page.soft(", new account" if account.new else ""),
    )
    yield page.Sentence(heading, indent=2, level=3)
    yield page.Remarks(tuple(_remarks(account, dry_run=dry_run)), indent=4)
    if account.samples:
        rows = (
            (
                f"{each.date}",
                Money(each.amount, account.currency, calm=True),
                page.name(each.raw or each.payee),
            )
            for each in account.samples
        )
        heads = ("day", "amount>", "text!")
        yield page.table(
            heads, rows, spoken=f"Some rows of {account.name}", indent=6, headless=True
        )
    if account.left_out:
        counted = ", ".join(f"{each.count:,} {each.reason}" for each in account.left_out)
        yield page.said(f"left out: {counted}", "soft", indent=4)
    yield from (page.said(each, "warn", indent=4) for each in account.assumed)


def _remarks(account: FileAccount, *, dry_run: bool) -> Iterator[page.Phrase]:
    """The days, the rows, the money and the balance."""
    if account.since is not None and account.until is not None:
        yield figures.day_span(account.since, account.until)
    counted = f"{figures.count(account.transactions, 'row')}: "
    known = f", {account.known:,} known" if account.known else ""
    yield (
        counted,
        page.TextSpan(f"{account.new_rows:,} {'would be new' if dry_run else 'new'}", "strong"),
        known,
        page.TextSpan(f", {account.ambiguous:,} ambiguous" if account.ambiguous else "", "warn"),
        f", and {account.pending:,} pending" if account.pending else "",
    )
    if account.transactions:
        yield f"in {figures.money(account.money_in, account.currency)}"
        yield f"out {figures.money(account.money_out, account.currency)}"
    if account.closing_balance is not None:
        owed = account.kind in ("credit", "loan")
        amount = (figures.owed_money if owed else figures.money)(
            account.closing_balance, account.currency
        )
        yield (f"closing balance {amount}", _FITS[account.balance_fits])


_FITS = {
    True: page.TextSpan(", fits", "good"),
    False: page.TextSpan(", does not fit the rows", "warn"),
    None: page.TextSpan(""),
}


# --- what is said before and after an import -----------------------------------------------------

NOTHING_NEW = "There is nothing new to import."


def new_rows(told: ImportReport) -> int:
    """How many rows an import brings."""
    return sum(file.new for file in told.files)


def proposal(told: ImportReport, *, has_answers: bool) -> str | None:
    """What a person is asked who has seen what an import would bring; None where that is nothing."""
    if brings_something(told):
        return "Import this?"
    if has_answers:
        return "No row is new. Keep your answers for the next file of the account?"
    return "No row is new. Keep the stated days and balances?" if _extends(told) else None


def done(told: ImportReport, *, has_answers: bool) -> Iterator[str]:
    """What came of an import, and how it is taken back."""
    if brings_something(told):
        yield f"Imported. `finplan imports undo {told.id}` takes it back."
    elif has_answers or _extends(told):
        kept = "your answers" if has_answers else "the stated days and balances"
        yield f"Nothing new, but {kept} are kept."
        yield f"`finplan imports undo {told.id}` takes them back."
    else:
        yield "Nothing new."


def next_step(questions: int) -> str:
    """What to do after an import: first answer what is open, since the plan rests on it."""
    if not questions:
        return "Next: `finplan plan build` makes the plan."
    return (
        f"Next: `finplan tasks answer` asks {figures.count(questions, 'question')} that only you can"
        " answer, then `finplan plan build` makes the plan."
    )


def brings_something(told: ImportReport) -> bool:
    """Whether an import brings a row or a household."""
    return any(file.new or file.pending or file.restored for file in told.files)


def _extends(told: ImportReport) -> bool:
    return any(account.extends for file in told.files for account in file.accounts)


# --- past imports --------------------------------------------------------------------------------


def imports(records: Sequence[ImportRecord], how: Locale) -> page.Page:
    """Imports, the newest first; those taken back are soft."""
    rows = [
        page.TableRow(
            (
                how.minute(each.imported_at),
                page.name(_files(each)),
                f"{new_rows(each.report):,}",
                "" if each.undone_at is None else page.TextSpan("undone", "warn"),
                each.id,
            ),
            tone="" if each.undone_at is None else "soft",
        )
        for each in records
    ]
    none = "Nothing has been imported yet: `finplan import FILE`."
    return page.of(page.listing(("imported", "files<", "new rows>", "", "id#"), rows, none))


def _files(record: ImportRecord) -> str:
    return ", ".join(file.file for file in record.report.files)


def called(record: ImportRecord) -> str:
    """An import by its files, and how many rows it brought."""
    return f"{_files(record)}: {figures.count(new_rows(record.report), 'row')}"


def taken_back(record: ImportRecord) -> str:
    """That an import is gone, and how much it was."""
    files = figures.count(len(record.report.files), "file")
    return f"Took back {figures.count(new_rows(record.report), 'row')} of {files}."


def what_stays(undone: ImportRecord, records: Sequence[ImportRecord]) -> Iterator[str]:
    """That rows stay which a later import of the same file found again, and how they go too."""
    names = {file.file for file in undone.report.files if file.new}
    for each in records:
        found_again = any(file.known and file.file in names for file in each.report.files)
        if each.undone_at is None and found_again:
            yield (
                f"Rows that `{each.id}` found in the same file stay; `finplan imports undo {each.id}`"
                " takes them back too."
            )


def to_take_back(record: ImportRecord) -> page.Page:
    """What goes when an import is taken back: each file with its rows, and what stays."""
    rows = (
        (page.name(each.file, "strong"), page.soft(figures.count(each.new, "row")))
        for each in record.report.files
    )
    stays = (
        "An account that nothing else brought goes with its rows, its name and its balance; rules and"
        " answers stay."
    )
    return page.of(
        page.table(("!", ">"), rows, gap=1), page.Sentence(""), page.Sentence(stays, "soft")
    )


# --- how files are read --------------------------------------------------------------------------


def profiles(listed: Sequence[ImportProfile], how: Locale) -> page.Page:
    """What the person said of files by their columns, the newest first."""
    if not listed:
        none = "You have not said yet how any kind of CSV file is to be read."
        return page.of(page.Sentence(none, "soft"))
    short = shortened([each.id for each in listed])
    return page.of(*(_profile(each, short[each.id], how) for each in listed))


def _profile(profile: ImportProfile, short: str, how: Locale) -> tuple[page.PageBlock, ...]:
    said = ", ".join([*_read_as(profile), *_into(profile.accounts)])
    when = f"said on {how.minute(profile.saved_at)[:10]}"
    return page.Title(page.name(profile.columns), short), page.said(f"{said}; {when}", indent=2)


def _read_as(said: Remembered | ImportProfile) -> list[str]:
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
    names = [each for each in accounts if each is not None]
    return [f"into {' or '.join(names)}"] if names else []
