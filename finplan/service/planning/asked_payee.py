"""The open question about one payee, found by its id without reading the ledger."""

from functools import partial

from sqlalchemy import Connection

from finplan.model.task import CategorizePayee
from finplan.plan.advise.tasks import UNKNOWN, categorize_payee, question_about
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, LedgerPayee
from finplan.plan.ledger.roles import counts_in_totals
from finplan.plan.ledger.window import window_start
from finplan.plan.sections.missing_accounts import task_id
from finplan.service.asker import Asker
from finplan.service.derived.household import catalogue_of, household_settings, ledger_accounts
from finplan.store.queries import one_payee as table
from finplan.store.queries import people, rules


def find_asked_payee(connection: Connection, asker: Asker, wanted: str) -> CategorizePayee | None:
    """The question of an id, just as the list of open questions shows it; None for another id.

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
        rows=table.rows_of_payee(connection, owner, number, day_of(since)),
        pending=(),
        catalogue=catalogue_of(connection, owner),
    )
    question = question_about(ledger, number, since, today)
    return None if question is None else categorize_payee(question, ledger.catalogue)


def _payee(connection: Connection, owner: int, number: int) -> LedgerPayee:
    row = table.payee_of(connection, number)
    return LedgerPayee(
        key=row["key"],
        name=row["name"],
        out=row["category_out"],
        into=row["category_in"],
        by_amount=rules.amount_rules(connection, owner).get(number, {}),
        source="user" if row["ruled"] else row["source"],
        suggested=row["suggested"],
        confidence=row["confidence"],
        alternatives=tuple(row["alternatives"].split()),
    )
