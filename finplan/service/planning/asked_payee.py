"""The open question about one payee or one row, found by its id without reading the ledger."""

from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.model.task import CategorizePayee
from finplan.plan.advise.tasks import (
    UNKNOWN,
    PayeeQuestion,
    categorize_payee,
    question_about,
    row_question,
)
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import PAYEE, Ledger, LedgerPayee
from finplan.plan.ledger.window import window_start
from finplan.plan.sections.missing_accounts import task_id
from finplan.service.asker import Asker
from finplan.service.derived.household import (
    catalogue_of,
    household_settings,
    ledger_accounts,
    lone_rows,
    rows_filed_alone,
)
from finplan.store.queries import categories, payees, people, verdicts
from finplan.store.queries import plans as table


@dataclass(frozen=True, slots=True)
class AskedPayee:
    """A question with what its answer needs; `row_no` is the row that it is about alone, if any."""

    question: PayeeQuestion
    catalogue: Catalogue
    row_no: int | None = None

    def as_task(self) -> CategorizePayee:
        """The question as the list of open questions shows it, without what only all payees tell."""
        return categorize_payee(self.question, self.catalogue)


def find_asked_row(connection: Connection, owner: int, wanted: str) -> AskedPayee | None:
    """The question of an id about one row of a payee that is asked about each time; None for another."""
    each_time = verdicts.asked_each_time(verdicts.list_answers(connection, owner))
    if not each_time:
        return None
    numbers = payees.numbers_of(connection, owner)
    apart = sorted(number for key, number in numbers.items() if key in each_time)
    found = next(
        (row for row in lone_rows(connection, owner, apart) if row.lone.task_id == wanted), None
    )
    if found is None:
        return None
    number = found.lone.row[PAYEE]
    ledger = Ledger(
        settings=household_settings(people.get_person(connection, owner)),
        accounts={},
        payees={number: _payee(connection, owner, number)},
        rows=(),
        pending=(),
        catalogue=catalogue_of(connection, owner),
    )
    question = row_question(ledger, found.lone)
    return None if question is None else AskedPayee(question, ledger.catalogue, found.no)


def find_asked_payee(connection: Connection, asker: Asker, wanted: str) -> AskedPayee | None:
    """The question of an id about a payee as a whole; None for another id.

    A question that decides too little to be listed is found too: who has its id may answer it.
    """
    owner = asker.owner
    number = next(
        (
            no
            for no, key in table.payees_in(connection, owner, UNKNOWN)
            if task_id("categorize_payee", key) == wanted
        ),
        None,
    )
    if number is None:
        return None
    settings = household_settings(people.get_person(connection, owner))
    today = asker.today(settings.time_zone)
    accounts = ledger_accounts(connection, owner)
    counting = [
        no for no, account in accounts.items() if counts_in_totals(account, settings.currency)
    ]
    since = window_start(
        accounts,
        table.end_rows(connection, counting, day_of(today)),
        partial(table.weighed_rows, connection, counting, day_of(today)),
        today,
    )
    ledger = Ledger(
        settings=settings,
        accounts=accounts,
        payees={number: _payee(connection, owner, number)},
        rows=table.rows_of_payee(connection, owner, number),
        pending=(),
        catalogue=catalogue_of(connection, owner),
    )
    question = question_about(ledger, number, since, today)
    return None if question is None else AskedPayee(question, ledger.catalogue)


def _payee(connection: Connection, owner: int, number: int) -> LedgerPayee:
    row = table.payee_of(connection, number)
    filed = categories.filed_directions(connection, owner).get(number, frozenset())
    return LedgerPayee(
        key=row["key"],
        name=row["name"],
        out=row["category_out"],
        into=row["category_in"],
        by_amount=categories.amount_rules(connection, owner).get(number, {}),
        suggested=row["suggested"],
        confidence=row["confidence"],
        alternatives=tuple(row["alternatives"].split()),
        filed=filed,
        by_row=rows_filed_alone(connection, owner, number).get(number, {}),
    )
