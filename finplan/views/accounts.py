"""Accounts: what each holds or owes, what is known of one, and the days that its rows cover."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from shlex import quote
from typing import NamedTuple

from finplan.model import figures, money
from finplan.model.account import (
    ADDED_BY_YOU,
    Account,
    AccountKind,
    AccountRecord,
    CoveredSpan,
)
from finplan.views import page

KINDS: Mapping[str, str] = {
    "checking": "checking",
    "savings": "savings",
    "credit": "credit card",
    "loan": "loan",
    "investment": "investment",
    "depository": "bank account",
    "other": "other",
}
"""What each kind of account is called."""


class OwnKind(NamedTuple):
    """A thing that a person adds as an account of their own: what it is called, and its kind."""

    label: str
    kind: AccountKind
    subtype: str


OWN_KINDS = (
    OwnKind("Home or other property", "other", "property"),
    OwnKind("Car or other vehicle", "other", "vehicle"),
    OwnKind("Mortgage", "loan", "mortgage"),
    OwnKind("Car loan", "loan", "auto"),
    OwnKind("Other loan", "loan", "personal"),
    OwnKind("Cash", "depository", "cash"),
    OwnKind("Savings", "depository", "savings"),
    OwnKind("Investments", "investment", "brokerage"),
    OwnKind("Pension", "investment", "pension"),
    OwnKind("Credit card", "credit", "credit card"),
)
"""What is offered to who adds an account, what is most common first."""

OWED = ("credit", "loan")
"""The kinds whose balance is what is owed."""

_ORDER = ("depository", "investment", "other", *OWED)
_NONE = (
    "No accounts yet. Import a statement with `finplan import FILE`, link a bank with `finplan"
    " connect`, or add an account yourself with `finplan accounts add`."
)
_IMPORT_THEM = "Import the missing statements. Until then, averages exclude these months."


def accounts(records: Sequence[AccountRecord]) -> page.Page:
    """All accounts, bank by bank, and whose statements are missing."""
    if not records:
        return page.of(page.Sentence(_NONE, "soft"))
    missing = [
        page.Sentence(
            (page.name(called(record.account)), f": no data for {missing_days(record.coverage)}."),
            "warn",
        )
        for record in records
        if _has_holes(record)
    ]
    advice = page.Sentence(_IMPORT_THEM, "soft") if missing else None
    return page.of(balances(records, grouped=True), missing, advice)


def balances(records: Sequence[AccountRecord], *, grouped: bool = False) -> page.PageTable:
    """Each account with what it holds or owes, what is owned first; hidden ones are soft.

    Those of several banks are `grouped` below these, or the bank has a column.
    """
    banks = sorted({record.account.institution_name for record in records})
    several = len(banks) > 1
    rows = []
    for bank in banks if grouped else [None]:
        own = [record for record in records if bank in (None, record.account.institution_name)]
        own.sort(
            key=lambda record: (_ORDER.index(record.account.kind), record.account.institution_name)
        )
        if bank is not None and several:
            rows.append(
                page.TableRow((page.name(bank), "", "", "", "", ""), tone="strong", heads=True)
            )
        rows += [_row(record, level=grouped, by_bank=several and not grouped) for record in own]
    columns = (
        page.col("<", head=page.name(banks[0]) if grouped and not several else "account", floor=12),
        *((page.col("bank<~", floor=12, drops=2),) if several and not grouped else ()),
        page.col("kind<~", drops=1),
        *("balance>", "~", page.col("data since~", drops=3), "id#"),
    )
    return page.table(columns, rows, spoken="Accounts")


def _row(record: AccountRecord, *, level: int, by_bank: bool) -> page.TableRow:
    account, amount, owed = record.account, balance(record), owed_word(record.account)
    holes = page.TextSpan("has gaps", "warn") if _has_holes(record) else ""
    cells: tuple[page.TableCell, ...] = (
        page.name(called(account)),
        *((page.name(account.institution_name),) if by_bank else ()),
        page.name(kind(account)),
        amount._replace(tone="") if record.hidden else amount,
        "hidden" if record.hidden else (owed, ", " if owed and holes else "", holes),
        f"{record.coverage[0].since:%b %Y}" if record.coverage else "",
        account.id,
    )
    return page.TableRow(cells, account.id, "soft" if record.hidden else "", level)


def _has_holes(record: AccountRecord) -> bool:
    return len(record.coverage) > 1 and not record.hidden


def account(record: AccountRecord) -> page.Page:
    """All that is known of one account."""
    account = record.account
    about = page.facts(
        ("account", page.name(called(account), "strong")),
        ("bank", page.name(account.institution_name)),
        ("id", account.id),
        ("number", page.name(record.number)) if record.number else None,
        ("kind", page.name(kind(account))),
        ("currency", record.currency),
        ("hidden", "yes, excluded from every figure" if record.hidden else "no"),
        *_standing(record),
    )
    return page.of(about)


def recorded_balances(record: AccountRecord) -> page.Page:
    """The recorded balances of an account, oldest first."""
    if not record.anchors:
        return page.of(page.Sentence("No recorded balances.", "soft"))
    rows = [
        page.TableRow((figures.long_date(anchor.date), _amount(anchor.balance, record)))
        for anchor in record.anchors
    ]
    head = "owed" if record.account.kind in OWED else "balance"
    title = page.Title(page.name(called(record.account)))
    return page.of(title, page.table(("day<", f"{head}>"), rows, spoken="Recorded balances"))


def describe_removal(record: AccountRecord) -> str:
    """That an account was removed, and how to add it again."""
    account = record.account
    name, is_ungrouped = quote(account.name), account.institution_name == ADDED_BY_YOU
    *earlier, newest = record.anchors or (None,)
    options = (
        ("--kind", account.kind),
        ("--subtype", None if account.subtype is None else quote(account.subtype)),
        ("--balance", None if newest is None else _typed(newest.balance, record)),
        ("--as-of", None if newest is None else str(newest.date)),
        ("--since", None if record.since is None else str(record.since)),
        ("--currency", record.currency),
        (
            "--apr",
            None if record.apr is None else f"{100 * record.apr:.4f}".rstrip("0").rstrip("."),
        ),
        ("--limit", _typed(account.credit_limit, record)),
        ("--minimum-payment", _typed(record.minimum_payment, record)),
        ("--institution", None if is_ungrouped else quote(account.institution_name)),
    )
    typed = " ".join(f"{option} {value}" for option, value in options if value is not None)
    # A name that begins with a dash would be read as an option.
    words = f"{typed} -- {name}" if account.name.startswith("-") else f"{name} {typed}"
    again = [f"`finplan accounts add {words}`"]
    again += [
        f"`finplan accounts set {name} --balance {_typed(anchor.balance, record)} --as-of {anchor.date}`"
        for anchor in earlier
        if anchor is not None
    ]
    return f"Removed {account.name}. To add it again: {', then '.join(again)}."


def _typed(amount: int | None, record: AccountRecord) -> str | None:
    """An amount as a person types it."""
    return None if amount is None else money.to_text(amount, record.currency)


def explain_uncounted(record: AccountRecord, currency: str) -> Iterator[str]:
    """Why no total includes an account that was added; nothing where one does."""
    name, account = record.account.name, record.account
    if record.currency != currency:
        yield f"{name} is in {record.currency}, so totals in {currency} exclude it."
    elif account.kind == "other" and account.subtype not in _COUNTED_OTHERS:
        yield (
            f"Totals exclude {name}. To include it as an asset: `finplan accounts set"
            f" {quote(name)} --subtype property`."
        )


_COUNTED_OTHERS = frozenset({"property", "real estate", "home", "vehicle"})


def describe_account(record: AccountRecord) -> tuple[page.PageBlock, ...]:
    """What is known of the account that is marked in a list, which tells its kind."""
    title = page.Title(
        page.name(called(record.account)), page.name(record.account.institution_name)
    )
    return title, page.facts(*_standing(record))


def _standing(record: AccountRecord) -> Iterator[tuple[str, page.TableCell]]:
    """What is known of an account beside what it is, as facts."""
    account, anchors = record.account, record.anchors
    yield owed_word(account) or "balance", balance(record)
    if account.kind in OWED:
        if account.kind == "credit":
            yield "limit", _amount(account.credit_limit, record)
        yield "interest rate", "unknown" if record.apr is None else f"{record.apr * 100:.2f}% APR"
        yield "minimum payment", _amount(record.minimum_payment, record)
    if record.since is not None:
        yield "since", figures.long_date(record.since)
    if not record.own or record.coverage:
        yield "data for", covered_days(record.coverage) or "no days yet"
    if len(record.coverage) > 1:
        yield "missing", page.TextSpan(missing_days(record.coverage), "warn")
    if anchors:
        newest = f"{figures.long_date(anchors[-1].date)}: {_amount(anchors[-1].balance, record)}"
        yield "recorded balances", f"{len(anchors):,}; newest {newest}"


def called(account: Account) -> str:
    """An account as people know it at its bank: its name and the last digits."""
    mask = f" ··{account.mask}" if account.mask and account.mask not in account.name else ""
    return f"{account.name}{mask}"


def kind(account: Account) -> str:
    """What kind an account is, as closely as is known."""
    return format_kind(account.subtype, account.kind)


def format_kind(subtype: str | None, of: AccountKind) -> str:
    """What a kind of account is called, by its subtype where that is known."""
    return (subtype or KINDS[of]).replace("_", " ")


def owed_word(account: Account) -> str:
    """Whether a balance is owed, or was overpaid; empty for what is owned."""
    return figures.owed_word(account.balance or 0) if account.kind in OWED else ""


def balance(record: AccountRecord) -> page.TextSpan:
    """What an account holds, or what is owed on it either way."""
    amount = record.account.balance
    if amount is None:
        return page.soft("unknown")
    size = abs(amount) if record.account.kind in OWED else amount
    return page.TextSpan(_amount(size, record), "bad" if size < 0 else "strong")


def holds(record: AccountRecord) -> str:
    """A balance with whether it is owed."""
    is_known = record.account.balance is not None
    return f"{balance(record).text} {owed_word(record.account) if is_known else ''}".rstrip()


def _amount(amount: int | None, record: AccountRecord) -> str:
    return "unknown" if amount is None else figures.money(amount, record.currency)


# --- the days that are covered -------------------------------------------------------------------


def covered_days(spans: Sequence[CoveredSpan]) -> str:
    """The days that are covered, span by span; empty without any."""
    return page.listed([figures.day_span(span.since, span.until) for span in spans])


def missing_days(spans: Sequence[CoveredSpan]) -> str:
    """The days between the spans, of which nothing is known."""
    between = (
        figures.day_span(before.until + timedelta(1), after.since - timedelta(1))
        for before, after in pairwise(spans)
    )
    return page.listed([*between])


# --- what agents are told ------------------------------------------------------------------------


def brief(records: Sequence[AccountRecord]) -> page.Lines:
    """Each account with what it holds or owes."""
    yield f"{figures.count(len(records), 'account')}{':' if records else '.'}"
    for record in records:
        at = page.name(record.account.institution_name)
        what = (
            f" ({KINDS[record.account.kind]}{', hidden' if record.hidden else ''}): {holds(record)}"
        )
        yield "- ", page.name(called(record.account)), " at ", at, f"{what} [{record.account.id}]"
