"""Accounts that the data show but that are not linked: where pay comes from, or where money is spent.

Each finding says its evidence. Its id is made of the trigger and what it is about, so a dismissal
lasts and only another account asks again. At most one is open for income and one for spending.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import chain
from shlex import quote
from typing import Literal

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, rows_between, rows_of
from finplan.plan.ledger.classes import shown_accounts
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, PEER, Ledger, Row
from finplan.plan.sections.mistaken_cards import mistaken_card
from finplan.plan.sections.monthly import Means, per_month, unanswered_inflows
from finplan.plan.sections.unlinked_cards import paid_a_month, recent_payments
from finplan.plan.words import money, month, percent

_RECENT_DAYS = 90
_RECENT_MONTHS = 3

_DAYS_WITHOUT_PAY = 30
"""So long a time without any pay shows that it arrives elsewhere."""


@dataclass(frozen=True, slots=True)
class MissingAccount:
    """An account that seems to be missing, why, its name, and the minor units seen of it a month.

    `mistaken` says that it is there already, under that name, as an account of another kind. `since` is
    the day from which on a card is paid so much, None where it is the whole window.
    """

    id: str
    missing: Literal["income", "spending"]
    reason: str
    account: str | None = None
    monthly: int | None = None
    mistaken: bool = False
    since: date | None = None


def task_id(kind: str, *subject: str) -> str:
    """The id of a task: the same for the same question about the same subject, in every build."""
    digest = sha256("\n".join((kind, *subject)).encode()).hexdigest()
    return f"task_{digest[:16]}"


def missing_accounts(ledger: Ledger, books: Books, means: Means) -> tuple[MissingAccount, ...]:
    """What is missing and not dismissed, spending before income, the strongest evidence of each."""
    found: dict[str, MissingAccount] = {}
    for finder in FINDERS:
        for finding in finder(ledger, books, means):
            if finding.id not in ledger.dismissed:
                found.setdefault(finding.missing, finding)
    return tuple(found.values())


def unlinked_cards(ledger: Ledger, books: Books, _means: Means) -> Iterator[MissingAccount]:
    """Two payments in 90 days to a card that is not linked; the card that gets most comes first.

    Where they arrive in an imported account, that account is the card.
    """
    recent = recent_payments(books)
    for payee, _ in _sums_by_payee(ledger, recent):
        name, paid = ledger.payees[payee].name, paid_a_month(books, payee)
        pays = f"You pay {name} about {money(paid.monthly, ledger.settings.currency)} a month"
        if paid.since is not None:
            pays = f"{pays} since {month(paid.since, books.window.data_end)}"
        card = mistaken_card(ledger, books, recent[payee])
        if card is not None:
            yield MissingAccount(
                id=task_id("connect_missing_account", "mistaken_card", card.id),
                missing="spending",
                reason=(
                    f"{pays}, and the same amounts come into {card.name}, which looks like that card:"
                    f" `finplan accounts set {quote(card.name)} --kind credit`."
                ),
                account=card.name,
                monthly=paid.monthly,
                mistaken=True,
            )
            continue
        yield MissingAccount(
            id=task_id("connect_missing_account", "unlinked_card", ledger.payees[payee].key),
            missing="spending",
            reason=f"{pays}, but that card is not linked.",
            account=name,
            monthly=paid.monthly,
            since=paid.since,
        )


def little_spending(ledger: Ledger, books: Books, means: Means) -> Iterator[MissingAccount]:
    """Less than a quarter of income is spent over at least a full month, and no card is linked."""
    income = means.income - per_month(books.running.one_off_income, books.window.months)
    if _has_kind(ledger, "credit") or not books.window.month_keys or income <= 0:
        return
    if 4 * means.total_spend < income:
        share = percent(means.total_spend, income)
        yield MissingAccount(
            id=task_id("connect_missing_account", "little_spending"),
            missing="spending",
            reason=f"Only {share} of your income is spent here.",
        )


def only_cards(ledger: Ledger, _books: Books, _means: Means) -> Iterator[MissingAccount]:
    """Only credit accounts are linked."""
    kinds = {account.kind for _, account in shown_accounts(ledger)}
    if kinds == {"credit"}:
        yield MissingAccount(
            id=task_id("connect_missing_account", "only_cards"),
            missing="income",
            reason="A card shows spending only.",
        )


def no_pay(ledger: Ledger, books: Books, _means: Means) -> Iterator[MissingAccount]:
    """Thirty covered days with spending, no income row, and no regular source ever seen."""
    end = books.window.data_end
    since = min(books.window.since, end - timedelta(_DAYS_WITHOUT_PAY - 1))
    stated = (account.covered_since for _, account in shown_accounts(ledger))
    rows = (sheet.rows[0][DAY] for sheet in books.sheets)
    first = min(chain((day for day in stated if day is not None), rows), default=day_of(end))
    # Pay that came after the window's last month has come, too.
    paid = any(
        sheet.flow == "income" and rows_between(sheet, day_of(since), day_of(end))
        for sheet in books.sheets
    )
    regular = any(source.cadence != "irregular" for source in books.sources)
    if unanswered_inflows(ledger, books):
        # Pay may be among the money in that waits for an answer.
        return
    if first <= day_of(since) and books.spending > 0 and not paid and not regular:
        yield MissingAccount(
            id=task_id("connect_missing_account", "no_pay"),
            missing="income",
            reason="No pay arrives in the linked accounts.",
        )


def outside_money(ledger: Ledger, books: Books, means: Means) -> Iterator[MissingAccount]:
    """Two inflows in 90 days from an own account that is not linked cover half of the spending."""
    own = {"transfer", "savings"}
    for payee, total in _sums_by_payee(ledger, _recent_inflows(books, own)):
        if 2 * total > _RECENT_MONTHS * means.total_spend > 0:
            monthly = half_even(total, _RECENT_MONTHS)
            yield MissingAccount(
                id=task_id("connect_missing_account", "outside", ledger.payees[payee].key),
                missing="income",
                reason=(
                    f"{money(monthly, ledger.settings.currency)} a month comes from an account"
                    " that is not linked."
                ),
                monthly=monthly,
            )


Finder = Callable[[Ledger, Books, Means], Iterator[MissingAccount]]

FINDERS: Sequence[Finder] = (unlinked_cards, little_spending, only_cards, no_pay, outside_money)
"""What finds a missing account, spending before income, the strongest evidence of each first."""


def _recent_inflows(books: Books, categories: set[str]) -> dict[int, list[Row]]:
    """The unpaired inflows of the last 90 days, of payees that have two such."""
    end = books.window.data_end
    since = day_of(end - timedelta(days=_RECENT_DAYS - 1))
    found: dict[int, list[Row]] = {}
    for row in rows_of(books, categories, since, day_of(end)):
        if not row[PEER] and row[AMOUNT] > 0:
            found.setdefault(row[PAYEE], []).append(row)
    return {payee: rows for payee, rows in found.items() if len(rows) >= 2}


def _sums_by_payee(ledger: Ledger, recent: dict[int, list[Row]]) -> list[tuple[int, int]]:
    """Payees with the sums of their rows, largest first."""
    sums = [(payee, sum(abs(row[AMOUNT]) for row in rows)) for payee, rows in recent.items()]
    return sorted(sums, key=lambda entry: (-entry[1], ledger.payees[entry[0]].key))


def _has_kind(ledger: Ledger, kind: str) -> bool:
    return any(account.kind == kind for _, account in shown_accounts(ledger))
