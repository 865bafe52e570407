"""Accounts as a person reads them: the balances of each kind together, and what is owed as such."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.account import Account, AccountRecord, covered_days_said, missing_days_said
from finplan.model.characters import shortened

NOTHING = Text(
    "No accounts yet: `finplan connect demo` or `finplan import FILE` brings some.", style="dim"
)
IMPORT_THEM = Text(" Import those statements, so that no average leaves them out.", style="dim")
_OWED = ("credit", "loan")
_KINDS = ("depository", "investment", "other", "credit", "loan")


def draw_accounts(records: Sequence[AccountRecord]) -> RenderableType:
    """List accounts bank by bank, what is owned before what is owed; hidden ones are dim."""
    if not records:
        return NOTHING
    short = shortened([record.account.id for record in records])
    banks = sorted({record.account.institution_name for record in records})
    rows: list[tuple[Content, ...]] = []
    for bank in banks:
        if len(banks) > 1:
            rows.append((Text(bank, style="bold"), "", "", "", "", ""))
        own = [record for record in records if record.account.institution_name == bank]
        ordered = sorted(own, key=lambda record: _KINDS.index(record.account.kind))
        rows += [_row(record, short[record.account.id]) for record in ordered]
    table = listing(
        (
            Column("account" if len(banks) > 1 else banks[0], gives_way=True),
            Column("kind", style="dim"),
            Column("balance", figures=True),
            Column("", style="dim"),
            Column("data since", style="dim"),
            Column("id", style="dim"),
        ),
        rows,
    )
    missing = [
        Text(
            f" {_name(record.account)} misses {missing_days_said(record.coverage)}.", style="yellow"
        )
        for record in records
        if len(record.coverage) > 1 and not record.hidden
    ]
    return Group(table, *missing, IMPORT_THEM) if missing else table


def _row(record: AccountRecord, short: str) -> tuple[Content, ...]:
    account = record.account
    remark = _owed_word(account) if account.kind in _OWED else ""
    if record.hidden:
        remark = "hidden"
    since = f"{record.coverage[0].since:%b %Y}" if record.coverage else ""
    cells = (f" {_name(account)}", _kind(account), _balance(record), remark, since, short)
    return tuple(Text(str(cell), style="dim") for cell in cells) if record.hidden else cells


def _name(account: Account) -> str:
    """An account as people know it at its bank: its name and the last digits."""
    mask = f" ··{account.mask}" if account.mask and account.mask not in account.name else ""
    return f"{account.name}{mask}"


def draw_account(record: AccountRecord) -> Table:
    """All there is to know of one account."""
    account, currency = record.account, record.currency
    facts: list[tuple[str, str | Text]] = [
        ("account", Text(_name(account), style="bold")),
        ("bank", account.institution_name),
        ("id", account.id),
        *([("number", record.number)] if record.number else []),
        ("kind", _kind(account)),
        ("currency", currency),
        ("balance" if account.kind not in _OWED else _owed_word(account), _balance(record)),
        ("limit", _optional(account.credit_limit, currency)),
        ("yearly rate", "unknown" if record.apr is None else f"{record.apr * 100:.2f} %"),
        ("minimum payment", _optional(record.minimum_payment, currency)),
        ("hidden", "yes, left out of every figure" if record.hidden else "no"),
        ("covers", covered_days_said(record.coverage) or "no day yet"),
    ]
    if len(record.coverage) > 1:
        facts.append(("missing", Text(missing_days_said(record.coverage), style="yellow")))
    if record.anchors:
        facts.append(("stated balances", _anchors(record)))
    if account.kind not in _OWED:
        facts = [
            fact for fact in facts if fact[0] not in ("limit", "yearly rate", "minimum payment")
        ]
    return facts_table(facts)


def _anchors(record: AccountRecord) -> str:
    newest = record.anchors[-1]
    stated = figures.money(newest.balance, record.currency)
    return f"{len(record.anchors):,}, the newest of {figures.long_date(newest.date)}: {stated}"


def facts_table(facts: Iterable[tuple[str, str | Text]]) -> Table:
    """Names at the left, values at the right."""
    return listing((Column("", style="dim"), Column("", gives_way=True)), facts)


def _kind(account: Account) -> str:
    return (account.subtype or account.kind).replace("_", " ")


def _balance(record: AccountRecord) -> Text:
    balance = record.account.balance
    if balance is None:
        return Text("unknown", style="dim")
    if record.account.kind in _OWED:
        return Text(figures.money(abs(balance), record.currency), style="bold")
    return Text(figures.money(balance, record.currency), style="red" if balance < 0 else "bold")


def _owed_word(account: Account) -> str:
    return figures.owed_word(account.balance or 0)


def _optional(amount: int | None, currency: str) -> str:
    return "unknown" if amount is None else figures.money(amount, currency)
