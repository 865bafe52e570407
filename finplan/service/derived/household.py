"""The person's household as the plan's one argument, read from the store in one transaction.

What each account is covered for goes with it: the intervals of all its sources, with real holes
between them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, RowMapping

from finplan.categorise.catalogue import BUILT_IN, Catalogue, Category
from finplan.categorise.matching import inflow_sign
from finplan.intake.facts import HeldAccount
from finplan.model.base import shared_fields
from finplan.model.errors import BadRequest
from finplan.model.user import BudgetShares, HouseholdSettings
from finplan.plan.ledger import ledger
from finplan.plan.ledger.classes import ROWS_ADD_UP, counts_in_totals, kind_owes
from finplan.plan.ledger.days import Interval, balances_agree, date_of, join_intervals
from finplan.plan.sections.missing_accounts import task_id
from finplan.store.queries import (
    accounts,
    categories,
    connections,
    people,
    plans,
    single_words,
    transfers,
    verdicts,
)
from finplan.store.queries.duplicates import different_accounts, duplicate_accounts
from finplan.store.queries.payees import newest_inflows
from finplan.store.queries.plans import ledger_payees, ledger_rows, pending_rows


def coverage_of(
    connection: Connection, owner: int, rows: Iterable[RowMapping]
) -> dict[int, list[Interval]]:
    """The intervals of some of a person's accounts, by number; one without any is left out."""
    stored = accounts.coverage_of(connection, owner)
    return {
        row["no"]: join_intervals(
            [Interval(*values) for values in stored[row["no"]]],
            partial(_agrees_between, connection, row),
        )
        for row in rows
        if row["no"] in stored
    }


def _agrees_between(
    connection: Connection, account: RowMapping, before: Interval, after: Interval
) -> bool:
    def sum_moves(first: int, last: int) -> int:
        total = accounts.moved_between(connection, account["no"], first, last)
        return -total if kind_owes(account["kind"]) else total

    stated = accounts.stated_balances(connection, account["no"])
    return balances_agree(stated, sum_moves, before, after)


_MAY_BE_INCOME = frozenset(
    ["unknown_inflow", *(name for name, category in BUILT_IN.items() if category.flow == "income")]
)

_TEXTS_READ = 3
"""How many of a payee's newest inflows say what kind they are."""

DEFAULT_CURRENCY = "USD"
"""The household currency until the first account brings one."""


class NumberedRow(NamedTuple):
    """A row that is asked about by itself, with its number in the store."""

    no: int
    lone: ledger.LoneRow


def load_ledger(connection: Connection, owner: int) -> ledger.Ledger:
    """Read a whole household: its settings, accounts, payees and rows."""
    person = people.get_person(connection, owner)
    settings = household_settings(person)
    owned = ledger_accounts(connection, owner)
    counting = [no for no, account in owned.items() if counts_in_totals(account, settings.currency)]
    payees = ledger_payees_of(connection, owner)
    answers = verdicts.list_answers(connection, owner)
    each_time = verdicts.asked_each_time(answers)
    apart = [no for no, payee in payees.items() if payee.key in each_time] if each_time else []
    return ledger.Ledger(
        settings=settings,
        accounts=owned,
        payees=payees,
        rows=ledger_rows(connection, owner, counting),
        pending=pending_rows(connection, owner, counting),
        catalogue=catalogue_of(connection, owner),
        connections=[
            filled(ledger.LedgerConnection, row, institution=row["institution_name"])
            for row in connections.list_connections(connection, owner)
        ],
        recorded=_recorded_balances(connection, owner),
        dismissed=frozenset(row["task_id"] for row in answers if verdicts.is_dismissal(row)),
        monthly_income=person["monthly_income"],
        verdicts=[
            filled(ledger.SeriesVerdict, row) for row in verdicts.series_verdicts(connection, owner)
        ],
        different=different_accounts(connection, owner),
        each_time=each_time,
        lone_rows=[unfiled.lone for unfiled in lone_rows(connection, owner, apart)],
        spent_abroad=_spent_abroad(connection, owner, owned, settings.currency),
        planned=[
            planned_money(row)
            for row in plans.list_planned(connection, owner)
            if row["currency"] == settings.currency
        ],
    )


def planned_money(row: RowMapping | Mapping[str, Any]) -> ledger.PlannedMoney:
    """Planned money as its columns have it."""
    return ledger.PlannedMoney(
        id=row["id"],
        name=row["name"],
        amount=row["amount"],
        incoming=bool(row["incoming"]),
        first=date_of(row["day"]),
        in_month=bool(row["in_month"]),
        cadence=row["cadence"],
        until=None if row["until"] is None else date_of(row["until"]),
        account=row["account_no"],
        category=row["category"],
        planned_on=date_of(row["planned_on"]),
        done=bool(row["done"]),
    )


def _spent_abroad(
    connection: Connection, owner: int, owned: Mapping[int, ledger.LedgerAccount], currency: str
) -> frozenset[int]:
    """The accounts in other currencies that spend what is paid to them."""
    if all(account.currency == currency for account in owned.values()):
        return frozenset()
    crossings = transfers.crossings(connection, owner, currency)
    return frozenset(crossing.abroad for crossing in crossings if crossing.spends)


def _recorded_balances(connection: Connection, owner: int) -> list[ledger.RecordedBalance]:
    """The recorded balances in order, one a day: the person's word goes before a statement's."""
    by_day = {
        (no, day): ledger.RecordedBalance(no, day, balance, stated)
        for no, day, balance, stated in accounts.said_balances(connection, owner)
    }
    return list(by_day.values())


def catalogue_of(connection: Connection, owner: int) -> Catalogue:
    """The categories that a person's money is filed under: the built-in ones, then the own ones."""
    return Catalogue.including(
        Category.own(row["id"], row["name"], row["line"], reimbursable=bool(row["reimbursable"]))
        for row in categories.list_categories(connection, owner)
    )


def ledger_accounts(connection: Connection, owner: int) -> Mapping[int, ledger.LedgerAccount]:
    """A household's accounts by number."""
    rows = accounts.list_accounts(connection, owner)
    coverage = coverage_of(connection, owner, rows)
    duplicates = duplicate_accounts(connection, owner)
    return {
        row["no"]: filled(
            ledger.LedgerAccount,
            row,
            institution=row["institution_name"],
            balance=current_balance(row),
            hidden=bool(row["hidden"]),
            coverage=tuple(coverage.get(row["no"], ())),
            duplicate=bool(row["hidden"]) and row["id"] in duplicates,
            own=bool(row["own"]),
        )
        for row in rows
    }


def held_accounts(connection: Connection, owner: int) -> list[HeldAccount]:
    """A person's accounts as what arrives is compared with them, oldest first."""
    return [
        filled(
            HeldAccount,
            row,
            hidden=bool(row["hidden"]),
            kept=frozenset(row["kept"].split()),
            sources=frozenset(row["sources"].split()),
        )
        for row in accounts.list_accounts(connection, owner)
    ]


def find_accounts(connection: Connection, owner: int, ids: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the accounts with some ids. Raises BadRequest for an id that no account has."""
    numbers = {account.id: no for no, account in ledger_accounts(connection, owner).items()}
    for account in ids:
        if account not in numbers:
            raise BadRequest(f"Unknown account {account}. `finplan accounts` lists your accounts.")
    return tuple(numbers[account] for account in ids)


def household_settings(person: RowMapping | Mapping[str, Any]) -> HouseholdSettings:
    """The settings as a person's row holds them."""
    shares = person["budget_shares"]
    return HouseholdSettings(
        currency=person["currency"] or DEFAULT_CURRENCY,
        time_zone=person["time_zone"],
        budget_shares=None if shares is None else BudgetShares.model_validate_json(shares),
        target_months=person["target_months"],
    )


def current_balance(account: RowMapping) -> int | None:
    """An account's balance after its newest row.

    A statement's balance is of one day, and a file without a balance may bring later rows.
    """
    if account["balance"] is None or account["kind"] not in ROWS_ADD_UP:
        return None if account["balance"] is None else int(account["balance"])
    sign = -1 if kind_owes(account["kind"]) else 1
    return int(account["balance"] + sign * account["since_balance"])


def newest_recorded(connection: Connection, account: int) -> dict[str, int | None]:
    """The columns of the balance of an account that was recorded last, empty where none was."""
    recorded = accounts.balances_of(connection, account)
    day, balance = recorded[-1] if recorded else (None, None)
    return {"balance_day": day, "balance": balance}


def ledger_payees_of(connection: Connection, owner: int) -> dict[int, ledger.LedgerPayee]:
    """A household's payees by number, each with the categories that hold for its rows."""
    by_amount = categories.amount_rules(connection, owner)
    filed = categories.filed_directions(connection, owner)
    by_row = rows_filed_alone(connection, owner)
    by_pending_row = _by_place(single_words.filed_pending_parts(connection, owner))
    rows = ledger_payees(connection, owner)
    signs = _inflow_signs(
        connection, owner, {no: key for no, key, _, _, into, *_ in rows if into in _MAY_BE_INCOME}
    )
    return {
        no: ledger.LedgerPayee(
            key=key,
            name=name,
            out=out,
            into=into,
            by_amount=by_amount.get(no, {}),
            suggested=suggested,
            confidence=confidence,
            alternatives=tuple(alternatives.split()) if alternatives else (),
            filed=filed.get(no, frozenset()),
            inflow_sign=signs.get(no),
            by_row=by_row.get(no, {}),
            by_pending_row=by_pending_row.get(no, {}),
        )
        for (no, key, name, out, into, suggested, confidence, alternatives) in rows
    }


def _inflow_signs(
    connection: Connection, owner: int, keys: Mapping[int, str]
) -> dict[int, ledger.InflowSign | None]:
    """What the words of money in say, by the numbers of payees whose keys are given."""
    texts = newest_inflows(connection, owner, list(keys), _TEXTS_READ)
    return {no: inflow_sign(key, texts[no]) for no, key in keys.items() if no in texts}


_FiledAlone = dict[int, dict[ledger.RowPlace, list[ledger.RowParts]]]
"""What rows are for that are filed by themselves, by payee and place."""


def rows_filed_alone(connection: Connection, owner: int, payee: int | None = None) -> _FiledAlone:
    """What posted rows are for that are filed by themselves, by payee and place, or one payee's."""
    return _by_place(single_words.filed_parts(connection, owner, payee))


def _by_place(parts: Sequence[single_words.FiledPart]) -> _FiledAlone:
    filed: _FiledAlone = {}
    for _, of_word in groupby(parts, key=lambda part: part.word):
        first, *others = of_word
        spot = (first.account, first.day, first.amount)
        of_row = tuple((part.part, part.category) for part in (first, *others))
        filed.setdefault(first.payee, {}).setdefault(spot, []).append(of_row)
    return filed


def lone_rows(connection: Connection, owner: int, payees: Sequence[int]) -> list[NumberedRow]:
    """The rows of some payees that are asked about by themselves, oldest first, with their numbers.

    The id of a question is made of what the row is, so that it is the same for as long as the row is.
    """
    rows = []
    for row in single_words.unfiled_rows(connection, owner, payees):
        identity = row.account_key, row.currency, row.day, row.amount, row.text, row.ordinal
        parts = (row.payee, row.account, row.day, row.amount, 0, 1)
        lone = ledger.LoneRow(parts, task_id("categorize_payee", "row", *map(str, identity)))
        rows.append(NumberedRow(row.no, lone))
    return rows


Filled = TypeVar(
    "Filled",
    HeldAccount,
    ledger.LedgerAccount,
    ledger.LedgerConnection,
    ledger.LedgerPayee,
    ledger.SeriesVerdict,
)


def filled(shape: type[Filled], row: RowMapping, **values: Any) -> Filled:
    """A value of a dataclass: the columns of a row by the names of its fields, and `values`."""
    return shape(**shared_fields(row, (field.name for field in fields(shape))) | values)
