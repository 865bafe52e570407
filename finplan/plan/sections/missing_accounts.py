"""Accounts that the data show but that are not linked: where pay comes from, or money is spent.

Each finding says its evidence. Its id is made of the trigger and what it is about, so a dismissal
lasts and only another account asks again. At most one is open for income and one for spending.

A card may be taken for a bank account: what one account pays to it arrives there exactly. What
cards that are not linked are paid a month is one figure, wherever it is said. Loans and savings are
shown by regular payments, by the names of who is paid; what is owed on the one and held on the
other is in no balance. Source: plan-semantics, C19 and C20, sections 10 and 12.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from shlex import quote
from typing import Literal

from finplan.model.money import half_even
from finplan.plan.detect.varying_bills import UNLINKED_CARD
from finplan.plan.ledger.books import Books, latest_rows, rows_between, rows_within, sheets_of
from finplan.plan.ledger.classes import (
    Sheet,
    is_savings_type,
    loan_category,
    nature_of,
    shown_accounts,
)
from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, PEER, Ledger, LedgerAccount, Row
from finplan.plan.sections.monthly import Means, per_month, unanswered_inflows
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import money, month, percent

_DAYS_TO_ARRIVE = 3
"""How many days a payment takes at most from one account to the other."""

_LEAST_ARRIVALS = 2


def mistaken_card(ledger: Ledger, books: Books, payments: Sequence[Row]) -> LedgerAccount | None:
    """The bank account into which most of some payments to a card came, each in full; None without one.

    A payment arrives where an unpaired inflow has its amount up to three days before or after it.
    """
    if not payments:
        return None
    paying = {row[ACCOUNT] for row in payments}
    possible = {
        number: account
        for number, account in shown_accounts(ledger)
        if account.kind == "depository" and number not in paying and not is_savings_type(account)
    }
    arrived = Counter(_arrivals(books, payments, possible)) if possible else Counter()
    for number, count in arrived.most_common(1):
        if count >= _LEAST_ARRIVALS and 2 * count > len(payments):
            return possible[number]
    return None


def _arrivals(
    books: Books, payments: Sequence[Row], possible: dict[int, LedgerAccount]
) -> Iterator[int]:
    """The account of each inflow that a payment explains; each inflow explains one."""
    days = [row[DAY] for row in payments]
    since = day_of(date_of(min(days)) - timedelta(days=_DAYS_TO_ARRIVE))
    until = day_of(date_of(max(days)) + timedelta(days=_DAYS_TO_ARRIVE))
    inflows = [
        row
        for sheet in books.sheets
        for row in rows_between(sheet, since, until)
        if row[AMOUNT] > 0 and not row[PEER] and row[ACCOUNT] in possible
    ]
    for payment in payments:
        near = [
            row
            for row in inflows
            if row[AMOUNT] == -payment[AMOUNT]
            and abs(ORDINAL[row[DAY]] - ORDINAL[payment[DAY]]) <= _DAYS_TO_ARRIVE
        ]
        if near:
            inflows.remove(near[0])
            yield near[0][ACCOUNT]


RECENT_DAYS = 90
"""What was paid so many days ago or fewer, such as a card or a loan, is what the household still has."""
_RECENT_MONTHS = 3


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card that is not linked is paid a month, minor units.

    `since` is the day of its first payment where only the months from then on are averaged, else None.
    """

    monthly: int
    since: date | None


def paid_a_month(books: Books, payee: int) -> CardPayments:
    """What is paid to a card a month, by the number of its payee: the mean of the window's months.

    Of a card that is newer than the window, the months since its first payment are averaged; where the
    window holds none of its payments, a third of what the last ninety days paid.
    """
    window = books.window
    sheets = [sheet for sheet in sheets_of(books, {UNLINKED_CARD}) if sheet.payee == payee]
    total = -sum(row[AMOUNT] for sheet in sheets for row in rows_within(sheet, window))
    if total <= 0:
        recent = -sum(
            row[AMOUNT] for row in _recent_rows(books, {UNLINKED_CARD}, -1).get(payee, ())
        )
        return CardPayments(half_even(recent, _RECENT_MONTHS), None)
    first = min(sheet.rows[0][DAY] for sheet in sheets)
    months = [month for month in window.month_keys if month >= first // 100]
    if len(months) == len(window.month_keys):
        return CardPayments(per_month(total, window.months), None)
    return CardPayments(per_month(total, Fraction(len(months))), date_of(first))


def _recent_rows(books: Books, categories: Collection[str], sign: int) -> dict[int, list[Row]]:
    """The unpaired rows of one sign of the last ninety days, of payees that have two such."""
    by_payee: dict[int, list[Row]] = {}
    for row in latest_rows(books, categories, RECENT_DAYS):
        if not row[PEER] and sign * row[AMOUNT] > 0:
            by_payee.setdefault(row[PAYEE], []).append(row)
    return {payee: rows for payee, rows in by_payee.items() if len(rows) >= 2}


_SAVING_CATEGORIES = ("savings", "investing")


_LEAST_MONTHS = 3
"""Money that moved in three months, in half of those averaged and lately, goes to an account."""


@dataclass(frozen=True, slots=True)
class UnlinkedAccounts:
    """The names of the payees of loans, of mortgages, and of savings and investments not linked."""

    loans: tuple[str, ...] = ()
    mortgages: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


def unlinked_accounts(ledger: Ledger, books: Books) -> UnlinkedAccounts:
    """What regular payments show beside the linked accounts.

    Where a linked account of the kind is paid by no row, the payments may be its, and nothing is said.
    """
    reached = {row[PEER] for row in ledger.rows}
    return UnlinkedAccounts(
        loans=_paid_for_loan(ledger, books, "loan_payment", reached),
        mortgages=_paid_for_loan(ledger, books, "mortgage", reached),
        assets=_saved_to(ledger, books, reached),
    )


def _paid_for_loan(
    ledger: Ledger, books: Books, category: str, reached: Collection[int]
) -> tuple[str, ...]:
    """Who is regularly paid for a loan that no row reaches."""
    if any(
        account.kind == "loan" and loan_category(account) == category and number not in reached
        for number, account in shown_accounts(ledger)
    ):
        return ()
    latest = {sheet.payee: sheet.rows[-1] for sheet in sheets_of(books, {category})}
    names = {
        charge.name
        for charge in running_charges(books)
        if charge.category == category
        and any(payee in latest and not latest[payee][PEER] for payee in charge.payees)
    }
    return tuple(sorted(names))


def _saved_to(ledger: Ledger, books: Books, reached: Collection[int]) -> tuple[str, ...]:
    """Who regularly gets money to save or invest, or gives it back, and is no linked account."""
    if any(
        number not in reached
        and account.kind != "other"
        and (nature_of(account) == "investment" or is_savings_type(account))
        for number, account in shown_accounts(ledger)
    ):
        return ()
    since = day_of(books.window.data_end - timedelta(RECENT_DAYS - 1))
    names = {
        ledger.payees[sheet.payee].name
        for sheet in sheets_of(books, _SAVING_CATEGORIES)
        if not sheet.rows[-1][PEER]
        and sheet.rows[-1][DAY] >= since
        and _moves_regularly(books, sheet)
    }
    return tuple(sorted(names))


def _moves_regularly(books: Books, sheet: Sheet) -> bool:
    months = {row[DAY] // 100 for row in rows_within(sheet, books.window) if not row[PEER]}
    return len(months) >= _LEAST_MONTHS and 2 * len(months) >= len(books.window.month_keys)


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
    findings: dict[str, MissingAccount] = {}
    for finder in FINDERS:
        for finding in finder(ledger, books, means):
            if finding.id not in ledger.dismissed:
                findings.setdefault(finding.missing, finding)
    return tuple(findings.values())


def unlinked_cards(ledger: Ledger, books: Books, _means: Means) -> Iterator[MissingAccount]:
    """Two payments in 90 days to a card that is not linked; the card that gets most comes first.

    Where they arrive in an imported account, that account is the card.
    """
    recent = _recent_rows(books, {UNLINKED_CARD}, -1)
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
                    f"{pays}, and the same amounts arrive in {card.name}, which looks like that card."
                    f" To change its kind: `finplan accounts set {quote(card.name)} --kind credit`."
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
    has_card = any(account.kind == "credit" for _, account in shown_accounts(ledger))
    if has_card or not books.window.month_keys or income <= 0:
        return
    if 4 * means.total_spend < income:
        share = percent(means.total_spend, income)
        yield MissingAccount(
            id=task_id("connect_missing_account", "little_spending"),
            missing="spending",
            reason=f"Only {share} of your income is spent from the linked accounts.",
        )


def only_cards(ledger: Ledger, _books: Books, _means: Means) -> Iterator[MissingAccount]:
    """Only credit accounts are linked."""
    kinds = {account.kind for _, account in shown_accounts(ledger)}
    if kinds == {"credit"}:
        yield MissingAccount(
            id=task_id("connect_missing_account", "only_cards"),
            missing="income",
            reason="Only cards are linked, and cards do not show your pay.",
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
    for payee, total in _sums_by_payee(ledger, _recent_rows(books, {"transfer", "savings"}, 1)):
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


def _sums_by_payee(ledger: Ledger, recent: dict[int, list[Row]]) -> list[tuple[int, int]]:
    """Payees with the sums of their rows, largest first."""
    sums = [(payee, sum(abs(row[AMOUNT]) for row in rows)) for payee, rows in recent.items()]
    return sorted(sums, key=lambda entry: (-entry[1], ledger.payees[entry[0]].key))
