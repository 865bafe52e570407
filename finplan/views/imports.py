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
    LeftOut,
    Remembered,
    RestoredHousehold,
)
from finplan.views import page
from finplan.views.accounts import covered_days, format_kind, missing_days
from finplan.views.locale import Locale, Money

_DATES = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
_NUMBERS = {".": "decimal point", ",": "decimal comma"}
_DIRECTIONS = {
    "in": "positive is money in",
    "out": "positive is money out",
    "negate": "signs reversed",
    "first:in": "oldest is money in",
    "first:out": "oldest is money out",
    "first:owed": "balance owed",
}


def report(result: ImportReport) -> page.Page:
    """Each file with how it was read, and each of its accounts with what it can be checked by."""
    ambiguous = (
        "An ambiguous transaction has the same day and amount as one from another file, so"
        " finplan does not add it again."
    )
    return page.of(
        *(_file(file, dry_run=result.dry_run) for file in result.files),
        (page.sentence(_missing(account), "warn") for account in _with_holes(result)),
        page.sentence(ambiguous, "soft") if any(file.ambiguous for file in result.files) else None,
    )


def _with_holes(result: ImportReport) -> list[FileAccount]:
    """The accounts of which statements are missing, each once however many files are of it."""
    by_name = {
        (account.name, account.currency): account
        for file in result.files
        for account in file.accounts
        if len(account.coverage) > 1
    }
    return list(by_name.values())


def _missing(account: FileAccount) -> str:
    missing = missing_days(account.coverage)
    covered = covered_days(account.coverage)
    return f"With this import, {account.name} covers {covered}. Missing: {missing}."


def _file(file: FileReport, *, dry_run: bool) -> Iterator[page.PageBlock]:
    read_as = ", ".join(filter(None, (file.format, file.encoding)))
    yield page.Sentence((page.name(file.file, "strong"), page.soft(f"  {read_as}")), level=2)
    if file.error is not None:
        yield page.sentence(file.error, "bad", indent=2)
        return
    if file.remembered is not None:
        before = ", ".join([*_read_as(file.remembered), *_into([file.remembered.account])])
        yield page.sentence(f"Read with your saved answers: {before}", "accent", indent=2)
    if file.restored is not None:
        yield page.sentence(_describe_household(file.restored, dry_run=dry_run), "good", indent=2)
    if not file.accounts:
        yield page.sentence("No transactions", "soft", indent=2)
    for account in file.accounts:
        yield from _account(account)
    yield from (page.sentence(note, "warn", indent=2) for note in file.notes)


def _describe_household(household: RestoredHousehold, *, dry_run: bool) -> str:
    """What of a whole household comes along with its accounts and rows."""
    counted = (
        (household.categories, "own category", "own categories"),
        (household.rules, "rule", "rules"),
        (household.answers, "answer", "answers"),
        (household.decisions, "decision", "decisions"),
        (household.words, "edited transaction", "edited transactions"),
    )
    counts = (figures.count(number, single, many) for number, single, many in counted if number)
    settings = f"settings in {household.currency}" if household.currency else "settings"
    done = "Will restore" if dry_run else "Restored"
    return f"{done} the household: {', '.join((settings, *counts))}"


def _account(account: FileAccount) -> Iterator[page.PageBlock]:
    kind = format_kind(account.subtype, account.kind)
    heading = (
        page.name(account.name),
        page.soft(f"  {kind}, {account.currency}"),
        page.TextSpan(" (assumed)" if account.currency_assumed else "", "warn"),
        page.soft(", new account" if account.new else ""),
    )
    yield page.Sentence(heading, indent=2, level=3)
    yield page.Remarks(tuple(_remarks(account)), indent=4)
    if account.samples:
        rows = (
            (
                f"{sample.date}",
                Money(sample.amount, account.currency, calm=True),
                page.name(sample.raw or sample.payee),
            )
            for sample in account.samples
        )
        heads = ("day", "amount>", "text!")
        yield page.table(
            heads, rows, spoken=f"Some transactions of {account.name}", indent=6, headless=True
        )
    if account.left_out:
        yield page.sentence(_describe_skips(account.left_out), "soft", indent=4)
    yield from (page.sentence(note, "warn", indent=4) for note in account.assumed)


def _describe_skips(left_out: Sequence[LeftOut]) -> str:
    """How many lines are not imported, and why."""
    total = figures.count(sum(skip.count for skip in left_out), "line")
    if len(left_out) == 1:
        return f"Skipped {total}: {left_out[0].reason}."
    return f"Skipped {total}: {', '.join(f'{skip.count:,} {skip.reason}' for skip in left_out)}."


def _remarks(account: FileAccount) -> Iterator[page.Phrase]:
    """The days, the transactions, the money and the balance."""
    if account.since is not None and account.until is not None:
        yield figures.day_span(account.since, account.until)
    counted = f"{figures.count(account.transactions, 'transaction')}: "
    recorded = f", {account.known:,} already recorded" if account.known else ""
    yield (
        counted,
        page.TextSpan(f"{account.new_rows:,} new", "strong"),
        recorded,
        page.TextSpan(f", {account.ambiguous:,} ambiguous" if account.ambiguous else "", "warn"),
        f", and {account.pending:,} pending" if account.pending else "",
    )
    if account.transactions:
        yield f"money in {figures.money(account.money_in, account.currency)}"
        yield f"money out {figures.money(account.money_out, account.currency)}"
    if account.closing_balance is not None:
        owed = account.kind in ("credit", "loan")
        amount = (figures.owed_money if owed else figures.money)(
            account.closing_balance, account.currency
        )
        yield (f"closing balance {amount}", _FITS[account.balance_fits])


_FITS = {
    True: page.TextSpan(", matches the transactions", "good"),
    False: page.TextSpan(", does not match the transactions", "warn"),
    None: page.TextSpan(""),
}


# --- what is said before and after an import -----------------------------------------------------

NOTHING_NEW = "Nothing new to import."


def new_rows(result: ImportReport) -> int:
    """How many rows an import brings."""
    return sum(file.new for file in result.files)


def proposal(result: ImportReport, *, has_answers: bool) -> str | None:
    """What a person is asked who has seen what an import would bring; None where that is nothing."""
    if brings_something(result):
        return "Import this?"
    if has_answers:
        return "No new transactions. Save your answers for the next file of this account?"
    if not _extends(result):
        return None
    return "No new transactions. Save the days that the file covers, and its balances?"


def done(result: ImportReport, *, has_answers: bool) -> Iterator[str]:
    """What came of an import, and how it is undone."""
    if brings_something(result):
        new = new_rows(result)
        what = f" {figures.count(new, 'transaction')}" if new else ""
        yield f"Imported{what}. Undo: `finplan imports undo {result.id}`."
    elif has_answers or _extends(result):
        saved = "your answers" if has_answers else "the days that the file covers, and its balances"
        yield f"No new transactions. Saved {saved}."
        yield f"Undo: `finplan imports undo {result.id}`."
    else:
        yield "No new transactions."


def next_step(questions: int) -> str:
    """What to do after an import: first answer what is open, since the plan rests on it."""
    if not questions:
        return "Next, build your plan: `finplan plan build`."
    return (
        f"Next, answer {figures.count(questions, 'task')}: `finplan tasks answer`. Then build your plan:"
        " `finplan plan build`."
    )


def brings_something(result: ImportReport) -> bool:
    """Whether an import brings a row or a household."""
    return any(file.new or file.pending or file.restored for file in result.files)


def _extends(result: ImportReport) -> bool:
    return any(account.extends for file in result.files for account in file.accounts)


# --- past imports --------------------------------------------------------------------------------


def imports(records: Sequence[ImportRecord], how: Locale) -> page.Page:
    """Imports, the newest first; those taken back are soft."""
    rows = [
        page.TableRow(
            (
                how.minute(record.imported_at),
                page.name(_files(record)),
                f"{new_rows(record.report):,}",
                "" if record.undone_at is None else page.TextSpan("undone", "warn"),
                record.id,
            ),
            tone="" if record.undone_at is None else "soft",
        )
        for record in records
    ]
    none = "No imports yet. Import a file: `finplan import FILE`."
    return page.of(page.listing(("imported", "files<", "new>", "", "id#"), rows, none))


def _files(record: ImportRecord) -> str:
    return ", ".join(file.file for file in record.report.files)


def called(record: ImportRecord) -> str:
    """An import by its files, and how many transactions it added."""
    return f"{_files(record)}: {figures.count(new_rows(record.report), 'transaction')}"


def taken_back(record: ImportRecord) -> str:
    """That an import is gone, and how much it was."""
    files = figures.count(len(record.report.files), "file")
    removed = figures.count(new_rows(record.report), "transaction")
    return f"Undid the import of {files}: removed {removed}."


def what_stays(undone: ImportRecord, records: Sequence[ImportRecord]) -> Iterator[str]:
    """That rows stay which a later import of the same file found again, and how they go too."""
    names = {file.file for file in undone.report.files if file.new}
    for record in records:
        found_again = any(file.known and file.file in names for file in record.report.files)
        if record.undone_at is None and found_again:
            yield (
                f"Transactions that are also in the later import `{record.id}` stay. To remove them:"
                f" `finplan imports undo {record.id}`."
            )


def to_take_back(record: ImportRecord) -> page.Page:
    """What goes when an import is taken back: each file with its rows, and what stays."""
    rows = (
        (page.name(file.file, "strong"), page.soft(figures.count(file.new, "transaction")))
        for file in record.report.files
    )
    stays = "Accounts that only this import created are removed too. Your rules and answers stay."
    return page.of(
        page.table(("!", ">"), rows, gap=1), page.Sentence(""), page.Sentence(stays, "soft")
    )


# --- how files are read --------------------------------------------------------------------------


def profiles(listed: Sequence[ImportProfile], how: Locale) -> page.Page:
    """What the person said of files by their columns, the newest first."""
    if not listed:
        none = "No saved answers about CSV files yet."
        return page.of(page.Sentence(none, "soft"))
    short = shortened([profile.id for profile in listed])
    return page.of(*(_profile(profile, short[profile.id], how) for profile in listed))


def _profile(profile: ImportProfile, short: str, how: Locale) -> tuple[page.PageBlock, ...]:
    answers = ", ".join([*_read_as(profile), *_into(profile.accounts)])
    when = f"saved {how.minute(profile.saved_at)[:10]}"
    return page.Title(page.name(profile.columns), short), page.sentence(
        f"{answers}; {when}", indent=2
    )


def _read_as(profile: Remembered | ImportProfile) -> list[str]:
    """What was said of how a file is read, in words."""
    parts = (
        _DATES.get(profile.date_order or ""),
        _NUMBERS.get(profile.decimal_sign or ""),
        None if profile.amount_column is None else f"amounts in {profile.amount_column}",
        None if profile.direction is None else _direction(profile.direction),
        profile.encoding,
        profile.currency,
    )
    return [part for part in parts if part is not None]


def _direction(direction: str) -> str:
    """Which way amounts go, in words."""
    marks = direction.removeprefix("marks:")
    if marks == direction:
        return _DIRECTIONS[direction]
    out, _, into = marks.partition("/")
    listed = ((out, "out"), (into, "in"))
    return ", ".join(f"“{mark.replace(',', '”, “')}” money {way}" for mark, way in listed if mark)


def _into(accounts: Sequence[str | None]) -> list[str]:
    names = [name for name in accounts if name is not None]
    return [f"into {' or '.join(names)}"] if names else []
