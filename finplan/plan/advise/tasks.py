"""The questions that only the person can answer, the one that decides most money first.

Most of a plan hangs on the rent, so where nobody has named it yet, the question about what looks
like it among regular payments in no category comes before all others. It is suggested and never
filed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.categorise.people import names_landlord
from finplan.model import task as tasks
from finplan.model.category import MoneyDirection
from finplan.model.connection import access_ends_soon, consent_ends
from finplan.plan.ledger.books import Books, Series, rows_between, sheets_of
from finplan.plan.ledger.classes import category_of, filed_rows
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import (
    ACCOUNT,
    AMOUNT,
    DAY,
    PAYEE,
    Ledger,
    LedgerPayee,
    LoneRow,
    Row,
    RowPlace,
)
from finplan.plan.pairing.scoring import UNKNOWN
from finplan.plan.pairing.twins import Twins, find_twins, payees_with_twins
from finplan.plan.sections.missing_accounts import missing_accounts, task_id
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import day, money

CONFIDENCE = 0.7
"""How sure the suggestion is: a person may also be paid for something else each month."""

_HOMES = ("rent", "mortgage")

_FIRST_DAYS = 7
"""Rent is paid on the first days of a month, or after a weekend and a holiday that begin it."""

_LATEST_RENTS = 6
"""How many of the last payments are looked at; one of so many may have come on another day."""

_LEAST_PART = 10
"""A rent takes a tenth of a month's spending at least."""

_KNOWN_FROM = 0.5
"""From this confidence on, a guess says what a payee is."""


def _likely_rent(
    ledger: Ledger, possible: Iterable[Series], twins: Iterable[Twins], today: date
) -> tuple[int, str] | None:
    """The largest of the possible rents that goes to a payee whose name may be a landlord's.

    It is told by the payee's number, and a sentence of what speaks for it. Never one of which a row may
    be half of a transfer between own accounts.
    """
    twinned = payees_with_twins(twins)
    rents = (
        charge
        for charge in possible
        if names_landlord(ledger.payees[charge.payees[-1]].key)
        and twinned.isdisjoint(charge.payees)
    )
    rent = next(rents, None)
    if rent is None:
        return None
    currency = ledger.settings.currency
    evidence = (
        f"{rent.name} looks like your rent: {money(rent.amount, currency)} at the start of the month,"
        f" {rent.count_all} times since {day(rent.first_date, today)}. The payee may be a landlord, and"
        " finplan knows of no other rent or mortgage."
    )
    return rent.payees[-1], evidence


def _possible_rents(ledger: Ledger, books: Books) -> list[Series]:
    """Regular payments in no category that come as rent does, dearest first.

    There are none where a home is paid for. They are monthly, at the start of the month, at least a
    tenth of spending, and go to a payee of whom nothing else is known.
    """
    if any(books.categories[home].total > 0 for home in _HOMES if home in books.categories):
        return []
    return [charge for charge in running_charges(books) if _comes_as_rent(charge, ledger, books)]


def _comes_as_rent(charge: Series, ledger: Ledger, books: Books) -> bool:
    payee = ledger.payees[charge.payees[-1]]
    guessed = payee.suggested not in {None, "rent"} and (payee.confidence or 0) >= _KNOWN_FROM
    return (
        not guessed
        and charge.category == "uncategorized"
        and charge.cadence == "monthly"
        and charge.monthly * books.window.months * _LEAST_PART >= books.spending
        and _opens_months(charge)
    )


def _opens_months(charge: Series) -> bool:
    """Whether the last payments left on the first days of a month, one of six perhaps later."""
    latest = charge.recent[-_LATEST_RENTS:]
    return _LATEST_RENTS * sum(when.day > _FIRST_DAYS for when, _ in latest) <= len(latest)


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
    """A payee with the rows that an answer moves, newest first: all that nothing explains.

    Where the person wants to be asked each time it is about one row, whose task has an id of its own.
    `at_stake` is how much money since the window began it decides, in and out alike. `rent` is what
    speaks for it being the rent, None where it is not suggested; `may_be_rent` says that rent is offered
    among the choices. `twins` are the rows that may be the other halves of its own, each time anew;
    `may_be_transfer` says that some row may be half of a transfer.
    """

    payee: LedgerPayee
    rows: tuple[Row, ...]
    row_id: str | None = None
    rent: str | None = None
    may_be_rent: bool = False
    at_stake: int = 0
    twins: Twins | None = None
    may_be_transfer: bool = False

    def part(self, direction: MoneyDirection, amount: int | None) -> "PayeeQuestion | None":
        """The question about one direction or one exact amount (+ out) alone; None without such rows."""
        rows = tuple(
            row
            for row in self.rows
            if direction in ("both", "out" if row[AMOUNT] < 0 else "in")
            and amount in (None, -row[AMOUNT])
        )
        return replace(self, rows=rows) if rows else None

    @property
    def total(self) -> int:
        """The sum of the rows, positive when money went out."""
        return -sum(row[AMOUNT] for row in self.rows)

    @property
    def id(self) -> str:
        """The task's id, the same for as long as the payee is unknown."""
        return self.row_id or task_id("categorize_payee", self.payee.key)


def open_tasks(ledger: Ledger, books: Books, today: date) -> tuple[tasks.Task, ...]:
    """Every open task: banks to sign in to, accounts to link, payees by the money they decide."""
    means = take_means(books, ledger.catalogue)
    return (
        *reconnections(ledger, today),
        *map(tasks.ConnectMissingAccount.of, missing_accounts(ledger, books, means)),
        *(
            categorize_payee(question, ledger.catalogue)
            for question in payee_questions(ledger, books, today)
        ),
    )


def reconnections(ledger: Ledger, today: date) -> Iterator[tasks.ReconnectConnection]:
    """Banks that want the person to sign in again, and those where their consent ends within a week.

    The last good sync is part of the id: a dismissed question stays away until the bank has worked
    again and broken again. Of a consent it is its end.
    """
    for bank in ledger.connections:
        if bank.status == "login_required":
            about, error = str(bank.last_synced_at), bank.error
        elif bank.access_ends_at is not None and access_ends_soon(bank.access_ends_at, today):
            about = f"ends {bank.access_ends_at}"
            error = consent_ends(bank.access_ends_at, today)
        else:
            continue
        identity = task_id("reconnect_connection", bank.id, about)
        if identity not in ledger.dismissed:
            yield tasks.ReconnectConnection(
                id=identity, connection_id=bank.id, institution_name=bank.institution, error=error
            )


def payee_questions(ledger: Ledger, books: Books, today: date) -> list[PayeeQuestion]:
    """The payees worth asking about and not dismissed: a likely rent, then those that decide most money.

    A payee that the person wants to be asked about each time stands there as its rows, newest first,
    and none of them is too small, because the person wants to know of it.
    """
    since, until = day_of(books.window.since), day_of(today)
    threshold = max(abs(books.spending), abs(books.income))
    twins = find_twins(ledger, books)
    questions = [
        [question]
        for question in _whole_questions(ledger, books, twins, today)
        if question.at_stake * _WORTH_ASKING > threshold and question.id not in ledger.dismissed
    ]
    questions = _without_other_halves(questions)
    questions += _rows_of_payees(ledger, since, until)
    questions.sort(
        key=lambda rows: (
            rows[0].rent is None,
            -sum(question.at_stake for question in rows),
            rows[0].payee.key,
        )
    )
    return [question for rows in questions for question in rows]


def _whole_questions(
    ledger: Ledger, books: Books, twins: Sequence[Twins], today: date
) -> Iterator[PayeeQuestion]:
    """The question about each payee that has an unexplained row since the window began."""
    since, until = day_of(books.window.since), day_of(today)
    unknown: dict[int, list[Row]] = {}
    for sheet in sheets_of(books, UNKNOWN):
        payee = ledger.payees[sheet.payee]
        rows = list(_open_rows(payee, sheet.category, rows_between(sheet, 0, until)))
        unknown.setdefault(sheet.payee, []).extend(rows)
    again = {
        payee: twin
        for twin in reversed(twins)
        if twin.repeated
        for payee in (twin.into, twin.out)
        if payee in twin.mostly
    }
    for number, twin in again.items():
        if not unknown.get(number) and not unknown.get(twin.out):
            # Its rhythm alone makes it pay, and the other half is known for a transfer.
            unknown[number] = [row for row in twin.rows(number) if row[DAY] <= until]
    possible = _possible_rents(ledger, books)
    payee_of_rent, evidence = _likely_rent(ledger, possible, twins, today) or (None, None)
    # Cheques are offered rent among their choices, too.
    may_be_rents = {charge.payees[-1] for charge in possible}
    twinned = payees_with_twins(twins)
    for number, rows in unknown.items():
        payee = ledger.payees[number]
        if payee.key not in ledger.each_time and any(row[DAY] >= since for row in rows):
            yield replace(
                _question(payee, rows, since),
                rent=evidence if number == payee_of_rent else None,
                may_be_rent=number in may_be_rents,
                twins=again.get(number),
                may_be_transfer=number in twinned,
            )


def _without_other_halves(questions: Sequence[list[PayeeQuestion]]) -> list[list[PayeeQuestion]]:
    """The questions without those about money in that an answer about the money out settles too."""
    settled = {
        (twins.into, twins.out)
        for (question,) in questions
        if (twins := question.twins) is not None and question.rows[0][PAYEE] == twins.out
    }
    return [
        [question]
        for (question,) in questions
        if question.twins is None or (question.rows[0][PAYEE], question.twins.out) not in settled
    ]


def _open_rows(payee: LedgerPayee, category: str, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of a category that neither the payee's rules nor the person's words on rows put there."""
    by_hand = payee.said_parts() if payee.by_row else Counter[tuple[RowPlace, str]]()
    for row in rows:
        if by_hand and by_hand[key := ((row[ACCOUNT], row[DAY], row[AMOUNT]), category)]:
            by_hand[key] -= 1
        elif not payee.is_filed(row[AMOUNT]):
            yield row


def _rows_of_payees(ledger: Ledger, since: int, until: int) -> list[list[PayeeQuestion]]:
    """The rows that are asked about by themselves between two days, newest first, for each payee."""
    questions: dict[int, list[PayeeQuestion]] = {}
    for lone in reversed(ledger.lone_rows):
        question = row_question(ledger, lone)
        if (
            question is not None
            and since <= lone.row[DAY] <= until
            and lone.task_id not in ledger.dismissed
        ):
            questions.setdefault(lone.row[PAYEE], []).append(question)
    return list(questions.values())


def row_question(ledger: Ledger, lone: LoneRow) -> PayeeQuestion | None:
    """The question about one row; None where its payee or its amount explains it."""
    payee = ledger.payees[lone.row[PAYEE]]
    if payee.is_filed(lone.row[AMOUNT]) or category_of(ledger, lone.row) not in UNKNOWN:
        return None
    return PayeeQuestion(payee, (lone.row,), lone.task_id, at_stake=abs(lone.row[AMOUNT]))


def question_about(ledger: Ledger, number: int, since: date, today: date) -> PayeeQuestion | None:
    """The question about one payee, by its number; None when no row since a day is unexplained.

    It is about the earlier rows too. The ledger need hold no other payee and no other rows. Whether the
    answer decides enough to be asked for is not looked at.
    """
    payee = ledger.payees[number]
    first, last = day_of(since), day_of(today)
    there: dict[str, list[Row]] = {category: [] for category in sorted(UNKNOWN)}
    for row, category in filed_rows(ledger, ledger.rows):
        if category in UNKNOWN and row[DAY] <= last:
            there[category].append(row)
    unknown = [row for category, rows in there.items() for row in _open_rows(payee, category, rows)]
    is_open = any(row[DAY] >= first for row in unknown)
    return _question(payee, unknown, first) if is_open else None


def _question(payee: LedgerPayee, rows: Iterable[Row], since: int) -> PayeeQuestion:
    newest = tuple(sorted(rows, key=itemgetter(DAY, AMOUNT), reverse=True))
    at_stake = sum(abs(row[AMOUNT]) for row in newest if row[DAY] >= since)
    return PayeeQuestion(payee, newest, at_stake=at_stake)


def categorize_payee(question: PayeeQuestion, catalogue: Catalogue) -> tasks.CategorizePayee:
    """A question as a task. Where nothing suggests an answer, the commonest one is suggested."""
    payee = question.payee
    # More money in than out makes it a payer.
    paid_in = question.total < 0
    rent = None if paid_in else question.rent
    best, sure = (payee.suggested, payee.confidence) if rent is None else ("rent", CONFIDENCE)
    if question.twins is not None:
        best, sure = "transfer", CONFIDENCE
    options = answer_choices(catalogue, paid_in=paid_in)
    usual: tuple[str, ...] = _GUESS_IN if paid_in else _GUESS_OUT
    if question.may_be_transfer:
        usual = ("transfer", *usual)
    if question.may_be_rent and not paid_in:
        usual = ("rent", *usual)
    known_before = () if best == payee.suggested else (payee.suggested,)
    guesses = [
        guess for guess in (best, *known_before, *payee.alternatives, *usual) if guess in options
    ]
    suggested, *others = dict.fromkeys(guesses)
    is_best = suggested == best
    return tasks.CategorizePayee(
        id=question.id,
        payee_key=payee.key,
        payee=payee.name,
        count=len(question.rows),
        total=question.total,
        charges=tuple(
            tasks.Charge(date=date_of(row[DAY]), amount=-row[AMOUNT])
            for row in question.rows[:_SHOWN_CHARGES]
        ),
        suggested=suggested,
        suggested_label=catalogue[suggested].label,
        confidence=sure if is_best else None,
        alternatives=tuple(
            tasks.Alternative(category=name, label=catalogue[name].label) for name in others[:3]
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
