"""What statement files would bring, as a person looks at it before they say yes."""

from collections.abc import Iterator

from finplan.daemon.surfaces.pages.markup import (
    Markup,
    cell,
    element,
    joined,
    name,
    row,
    sentence,
    table,
)
from finplan.model import figures
from finplan.model.statement import FileAccount, FileReport, ImportReport


def draw_report(report: ImportReport) -> Markup:
    """Each file with how it was read, and each of its accounts with what it can be checked by."""
    return joined(*(_file(file) for file in report.files))


def new_rows(report: ImportReport) -> int:
    """How many rows an import brings."""
    return sum(file.new for file in report.files)


def _file(file: FileReport) -> Markup:
    read_as = ", ".join(filter(None, (file.format, file.encoding)))
    return element(
        "section",
        element("h2", name(file.file)),
        element("p", f"Read as {read_as}.", class_="soft") if read_as else None,
        *(_account(each) for each in file.accounts),
        None if file.accounts else element("p", "It holds no rows."),
        *(element("p", sentence(note), class_="provisional") for note in file.notes),
    )


def _account(account: FileAccount) -> Markup:
    kind = (account.subtype or account.kind).replace("_", " ")
    told = f"{kind}, {account.currency}{', a new account' if account.new else ''}"
    said = (element("p", sentence(each), class_="provisional") for each in _doubts(account))
    facts = (
        joined(element("dt", label), element("dd", figure)) for label, figure in _facts(account)
    )
    return joined(
        element("h3", name(account.name)),
        element("p", told, class_="soft"),
        element("dl", *facts, class_="about"),
        *said,
        _samples(account) if account.samples else None,
    )


def _facts(account: FileAccount) -> Iterator[tuple[str, str]]:
    if account.since is not None and account.until is not None:
        yield "Days", figures.day_span(account.since, account.until)
    yield "Rows", _rows(account)
    if account.transactions:
        yield "Money in", figures.money(account.money_in, account.currency)
        yield "Money out", figures.money(account.money_out, account.currency)
    if account.closing_balance is not None:
        is_owed = account.kind in ("credit", "loan")
        said = figures.owed_money if is_owed else figures.money
        yield "Closing balance", said(account.closing_balance, account.currency)
    if account.left_out:
        yield "Left out", ", ".join(f"{each.count:,} {each.reason}" for each in account.left_out)


def _rows(account: FileAccount) -> str:
    counted = (
        (account.new_rows, "new"),
        (account.known, "known already"),
        (account.ambiguous, "perhaps known, so not added"),
        (account.pending, "pending besides"),
    )
    told = ", ".join(f"{number:,} {what}" for number, what in counted if number)
    return f"{account.transactions:,}{told and f': {told}'}"


def _doubts(account: FileAccount) -> Iterator[str]:
    if account.currency_assumed:
        yield f"The file names no currency, so {account.currency} is taken for it."
    if account.balance_fits is False:
        yield "The closing balance does not follow from the rows."
    yield from account.assumed


def _samples(account: FileAccount) -> Markup:
    rows = (
        row(
            sample.date.isoformat(),
            cell(name(sample.raw or sample.payee)),
            cell(figures.money(sample.amount, account.currency), figure=True),
        )
        for sample in account.samples
    )
    heads = (("Day", False), ("Text", False), ("Amount", True))
    drawn = table(f"Some rows of {account.name}", heads, rows)
    return element("div", drawn, class_="samples")
