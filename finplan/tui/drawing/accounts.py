"""Accounts as lines of a table, one of them whole, and the banks that bring them."""

from collections.abc import Sequence
from datetime import datetime

from rich.text import Text
from textual.content import Content

from finplan.model import figures
from finplan.model.account import Account, AccountRecord, covered_days_said, missing_days_said
from finplan.model.characters import visible
from finplan.model.connection import ConnectionRecord
from finplan.tui.drawing.lines import (
    CAUTION,
    FAINT,
    STRONG,
    ColumnHead,
    TableLine,
    heading,
    page,
    room_beside,
    row,
    sentences,
    styled,
    wrapped,
)

OWED = ("credit", "loan")
BANK, KIND, BALANCE, REMARK = 15, 11, 13, 9
"""How wide the columns are."""
LEAST_NAME = 18
"""How much room a name has beside all of them."""
LABEL, LEAST_BANK = 17, 12

_STATES = {"ok": "answers", "login_required": "c links anew", "error": "has trouble"}
KINDS_SAID = {
    "checking": "checking",
    "savings": "savings",
    "credit": "credit card",
    "loan": "loan or mortgage",
    "investment": "investment",
    "depository": "another account at a bank",
    "other": "something else",
}
"""The words for kinds, as a person reads them."""
_KINDS = ("depository", "investment", "other", "credit", "loan")


def account_lines(
    records: Sequence[AccountRecord], width: int
) -> tuple[list[ColumnHead], list[TableLine]]:
    """What is owned before what is owed, bank by bank; the bank is named where there are several."""
    banks = {each.account.institution_name for each in records}
    # Where there is little room, the figures go before the bank, which stands below the table as well.
    has_banks = len(banks) > 1 and room_beside(width, KIND, BALANCE, REMARK, BANK) >= LEAST_NAME
    others = [KIND, BALANCE, REMARK, *([BANK] if has_banks else [])]
    heads = [ColumnHead("account", max(LEAST_NAME - 4, room_beside(width, *others)))]
    heads += [ColumnHead("bank", BANK)] if has_banks else []
    heads += [ColumnHead("kind", KIND), ColumnHead("balance", BALANCE, figures=True)]
    heads.append(ColumnHead("", REMARK))
    ordered = sorted(
        records, key=lambda each: (_KINDS.index(each.account.kind), each.account.institution_name)
    )
    lines = (TableLine(each.account.id, _cells(each, has_banks=has_banks)) for each in ordered)
    return heads, list(lines)


def _cells(record: AccountRecord, *, has_banks: bool) -> list[str | Text]:
    account = record.account
    remark = "hidden" if record.hidden else owed_said(account)
    if len(record.coverage) > 1 and not record.hidden:
        remark = "has holes"
    cells = [called(account), *([account.institution_name] if has_banks else [])]
    cells += [kind_said(account), balance_said(record)]
    style = "dim" if record.hidden else ""
    told = Text(remark, style="yellow" if remark == "has holes" else "dim")
    return [*(Text(visible(each), style=style) for each in cells), told]


def called(account: Account) -> str:
    """An account as people know it at its bank: its name and the last digits."""
    mask = f" ··{account.mask}" if account.mask and account.mask not in account.name else ""
    return f"{account.name}{mask}"


def kind_said(account: Account) -> str:
    """What kind an account is, as people say it."""
    return account.subtype or KINDS_SAID.get(account.kind, account.kind)


def balance_said(record: AccountRecord) -> str:
    """What an account holds, or is owed on it either way, or that nobody knows."""
    balance, is_owed = record.account.balance, record.account.kind in OWED
    if balance is None:
        return "unknown"
    return figures.money(abs(balance) if is_owed else balance, record.currency)


def owed_said(account: Account) -> str:
    """Whether a balance is owed, or was overpaid; empty for what is owned or not known."""
    if account.kind not in OWED or account.balance is None:
        return ""
    return figures.owed_word(account.balance)


def draw_account(record: AccountRecord, width: int) -> Content:
    """What is known of one account."""
    account, currency = record.account, record.currency
    lines = [heading(called(account), account.institution_name, width)]
    facts = [("Balance", f"{balance_said(record)} {owed_said(account)}".rstrip())]
    if account.credit_limit is not None:
        facts.append(("Limit", figures.money(account.credit_limit, currency)))
    if record.apr is not None:
        facts.append(("Yearly rate", f"{record.apr * 100:.2f} %"))
    if record.minimum_payment is not None:
        facts.append(("Minimum payment", figures.money(record.minimum_payment, currency)))
    facts.append(("Data for", covered_days_said(record.coverage) or "no day yet"))
    room = max(1, width - LABEL - 1)
    for label, told in facts:
        first, *more = wrapped(told, room)
        lines.append(row((styled(label, FAINT), LABEL), (first, room)))
        lines += [row(("", LABEL), (each, room)) for each in more]
    if len(record.coverage) > 1:
        said = f"Statements are missing for {missing_days_said(record.coverage)}; import them (i)."
        lines += wrapped(said, width, CAUTION)
    return page(lines)


def draw_banks(connections: Sequence[ConnectionRecord], now: datetime, width: int) -> Content:
    """Each connection with its state and how old its data are."""
    lines = [heading("Banks", "", width)]
    if not connections:
        said = "None yet: i imports a statement, c links a bank."
        return page([*lines, *wrapped(said, width, FAINT)])
    name = min(28, max(LEAST_BANK, width - 32))
    for each in connections:
        connection = each.connection
        age = figures.age(each.last_synced_at, now)
        style = FAINT if connection.status == "ok" else CAUTION
        state = _STATES[connection.status]
        if connection.provider == "manual":
            state, age = "from files", ""
        lines.append(
            row(
                (styled(connection.institution_name, STRONG), name),
                (styled(state, style), 15),
                (styled(age, FAINT), max(1, width - name - 17)),
            )
        )
        if connection.error is not None:
            lines += sentences(connection.error, width, CAUTION, indent=2)
    return page(lines)
