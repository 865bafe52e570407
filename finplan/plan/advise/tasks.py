"""The questions that only the person can answer, the one that decides most money first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.model.task import (
    Alternative,
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    ReconnectConnection,
    Task,
)
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import category_of
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Ledger, LedgerPayee, Row
from finplan.plan.ledger.lookup import rows_of
from finplan.plan.sections.missing_accounts import MissingAccount, missing_accounts, task_id
from finplan.plan.sections.monthly import take_means

UNKNOWN = frozenset({"uncategorized", "unknown_inflow"})
"""The categories that say nothing yet."""

_WORTH_ASKING = 200
"""A question is asked when it decides more than one two-hundredth of the window's money: a smaller
answer moves no figure that a person acts on, and a list of trifles hides the questions that matter."""

_SHOWN_CHARGES = 5

_GUESS_OUT = ("shopping", "groceries", "dining", "home_goods")
_GUESS_IN = ("other_income", "wages", "transfer", "work_expenses")
"""What an unknown payee is most often, and the next best, where categorisation has no idea."""

_NO_ANSWER_OUT = UNKNOWN | {"card_payment", "loan_proceeds"}
_NO_ANSWER_IN = UNKNOWN | {"card_payment", "unlinked_card", "cash"}
"""What is no answer for money out, and for money in; a linked card's payment is paired, not asked."""


@dataclass(frozen=True, slots=True)
class PayeeQuestion:
    """A payee whose rows nothing explains, with those of them since the window began, newest first."""

    payee: LedgerPayee
    rows: tuple[Row, ...]

    @property
    def amount_at_stake(self) -> int:
        """How much money the answer decides, in and out alike."""
        return sum(abs(row[AMOUNT]) for row in self.rows)

    @property
    def total(self) -> int:
        """The sum of the rows, positive when money went out."""
        return -sum(row[AMOUNT] for row in self.rows)

    @property
    def id(self) -> str:
        """The task's id, the same for as long as the payee is unknown."""
        return task_id("categorize_payee", self.payee.key)


def open_tasks(ledger: Ledger, books: Books, today: date) -> tuple[Task, ...]:
    """Every open task: banks to sign in to, accounts to link, payees by the money they decide."""
    means = take_means(books, ledger.catalogue)
    return (
        *reconnections(ledger),
        *(missing_account_task(found) for found in missing_accounts(ledger, books, means)),
        *(
            categorize_payee(question, ledger.catalogue)
            for question in payee_questions(ledger, books, today)
        ),
    )


def reconnections(ledger: Ledger) -> Iterator[ReconnectConnection]:
    """Banks that want the person to sign in again.

    The last good sync is part of the id: a dismissed question stays away until the bank has worked
    again and broken again.
    """
    for each in ledger.connections:
        identity = task_id("reconnect_connection", each.id, str(each.last_synced_at))
        if each.status == "login_required" and identity not in ledger.dismissed:
            yield ReconnectConnection(
                id=identity,
                connection_id=each.id,
                institution_name=each.institution,
                error=each.error,
            )


def missing_account_task(found: MissingAccount) -> ConnectMissingAccount:
    """A missing account as a task."""
    return ConnectMissingAccount(id=found.id, missing=found.missing, reason=found.reason)


def payee_questions(ledger: Ledger, books: Books, today: date) -> list[PayeeQuestion]:
    """The payees worth asking about and not dismissed, those that decide most money first."""
    since, until = day_of(books.window.since), day_of(today)
    threshold = max(abs(books.spending), abs(books.income))
    unknown: dict[int, list[Row]] = {}
    for row in rows_of(books, UNKNOWN, since, until):
        if ledger.payees[row[PAYEE]].source != "user":
            unknown.setdefault(row[PAYEE], []).append(row)
    asked = [_question(ledger.payees[number], rows) for number, rows in unknown.items()]
    return sorted(
        (
            each
            for each in asked
            if each.amount_at_stake * _WORTH_ASKING > threshold and each.id not in ledger.dismissed
        ),
        key=lambda each: (-each.amount_at_stake, each.payee.key),
    )


def question_about(ledger: Ledger, number: int, since: date, today: date) -> PayeeQuestion | None:
    """The question about one payee, by its number; None when no row since a day is unexplained.

    The ledger need hold no other payee and no other rows. Whether the answer decides enough to be asked
    for is not looked at.
    """
    if ledger.payees[number].source == "user":
        return None
    first, last = day_of(since), day_of(today)
    unknown = [
        row
        for row in ledger.rows
        if first <= row[DAY] <= last and category_of(ledger, row) in UNKNOWN
    ]
    return _question(ledger.payees[number], unknown) if unknown else None


def _question(payee: LedgerPayee, rows: Iterable[Row]) -> PayeeQuestion:
    return PayeeQuestion(payee, tuple(sorted(rows, key=itemgetter(DAY, AMOUNT), reverse=True)))


def categorize_payee(question: PayeeQuestion, catalogue: Catalogue) -> CategorizePayee:
    """A question as a task. Where nothing suggests an answer, the commonest one is suggested."""
    payee = question.payee
    # More money in than out makes it a payer.
    paid_in = question.total < 0
    options = answer_choices(catalogue, paid_in=paid_in)
    guesses = [
        guess
        for guess in (payee.suggested, *payee.alternatives, *(_GUESS_IN if paid_in else _GUESS_OUT))
        if guess in options
    ]
    suggested, *others = dict.fromkeys(guesses)
    known = suggested == payee.suggested
    return CategorizePayee(
        id=question.id,
        payee_key=payee.key,
        payee=payee.name,
        count=len(question.rows),
        total=question.total,
        charges=tuple(
            Charge(date=date_of(row[DAY]), amount=-row[AMOUNT])
            for row in question.rows[:_SHOWN_CHARGES]
        ),
        suggested=suggested,
        suggested_label=catalogue[suggested].label,
        confidence=payee.confidence if known else None,
        alternatives=tuple(
            Alternative(category=each, label=catalogue[each].label) for each in others[:3]
        ),
        options=options,
        last_date=date_of(question.rows[0][2]),
        answer=None,
    )


def answer_choices(catalogue: Catalogue, *, paid_in: bool) -> tuple[str, ...]:
    """The categories that make sense for a payee, in the catalogue's order.

    Money that goes out is never income. Money that comes in may be anything: a friend who pays back
    a dinner lowers dining.
    """
    never = _NO_ANSWER_IN if paid_in else _NO_ANSWER_OUT
    return tuple(
        category.id
        for category in catalogue.categories.values()
        if category.id not in never and (paid_in or category.flow != "income")
    )
