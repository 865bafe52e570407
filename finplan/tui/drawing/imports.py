"""What statement files would bring, to be checked before it is stored."""

from textual.content import Content

from finplan.model import figures
from finplan.model.statement import FileAccount, FileReport, ImportRecord, ImportReport
from finplan.tui.drawing.lines import BAD, CAUTION, FAINT, STRONG, ends, page, row, styled, wrapped


def draw_report(report: ImportReport, width: int) -> Content:
    """Each file with its accounts, its sums and some of its rows."""
    return page([line for file in report.files for line in (*_file(file, width), Content(""))][:-1])


def draw_undo(record: ImportRecord, width: int) -> Content:
    """What goes when an import is taken back: each file with its rows."""
    lines = [
        ends(styled(file.file, STRONG), styled(figures.count(file.new, "row"), FAINT), width)
        for file in record.report.files
    ]
    said = (
        "An account that nothing else brought goes with its rows, its name and its balance; rules and"
        " answers stay."
    )
    return page([*lines, Content(""), *wrapped(said, width, FAINT)])


def _file(file: FileReport, width: int) -> list[Content]:
    counts = [f"{file.new:,} new", f"{file.known:,} there already"]
    if file.ambiguous:
        counts.append(f"{file.ambiguous:,} uncertain")
    lines = [ends(styled(file.file, STRONG), styled(", ".join(counts), FAINT), width)]
    if file.error is not None:
        return [*lines, *wrapped(file.error, width, BAD)]
    for account in file.accounts:
        lines += _account(account, width)
    for note in file.notes:
        lines += wrapped(note, width, CAUTION)
    return lines


def _account(account: FileAccount, width: int) -> list[Content]:
    days = ""
    if account.since is not None and account.until is not None:
        days = figures.day_span(account.since, account.until)
    lines = [ends(f"{account.name} ({account.kind})", styled(days, FAINT), width)]
    currency = account.currency
    money_in = figures.money(account.money_in, currency)
    money_out = figures.money(account.money_out, currency)
    lines.append(styled(f"in {money_in}, out {money_out}", FAINT))
    if account.closing_balance is not None:
        fits = {True: "fits its rows", False: "does not fit its rows", None: "cannot be checked"}
        told = figures.money(account.closing_balance, currency)
        style = CAUTION if account.balance_fits is False else FAINT
        lines.append(styled(f"balance {told}, {fits[account.balance_fits]}", style))
    for sample in account.samples:
        amount = figures.fitted(sample.amount, currency, 12)
        day = styled(f"{sample.date}", FAINT)
        lines.append(row((day, 10), (sample.payee, max(8, width - 25)), (amount, -12)))
    for said in account.assumed:
        lines += wrapped(said, width, FAINT)
    for left in account.left_out:
        lines += wrapped(
            f"Left out: {figures.count(left.count, 'row')}, {left.reason}", width, FAINT
        )
    return lines
