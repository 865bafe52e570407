"""Collecting a whole household, as the JSON export carries it along."""

from collections.abc import Mapping, Sequence

from pydantic import TypeAdapter
from sqlalchemy import Connection, RowMapping

from finplan.model import household
from finplan.model.task import Task
from finplan.model.transaction import SplitPart, remarks_of
from finplan.plan.ledger.days import Interval, date_of, merged
from finplan.service.derived.household import household_settings
from finplan.statements.statement import StatementAccount
from finplan.store.queries import (
    accounts,
    categories,
    connections,
    payees,
    people,
    plans,
    single_words,
    verdicts,
)

_TASK: TypeAdapter[Task] = TypeAdapter(Task)

CORRECTIONS: Mapping[str, household.Correction] = {
    "name": "name",
    "kind": "kind",
    "subtype": "subtype",
    "balance": "balance",
    "credit_limit": "creditLimit",
    "apr": "apr",
    "minimum_payment": "minimumPayment",
}
"""The fields that a person corrects, by the column that keeps them."""


def collect_home(
    connection: Connection, owner: int, by_id: Mapping[str, StatementAccount]
) -> household.ExportedHome:
    """A household with its accounts and payees; `by_id` has each account by its id, as files name it."""
    recorded: dict[int, list[household.StatedBalance]] = {}
    for no, day, balance, is_stated in accounts.said_balances(connection, owner):
        stated = household.StatedBalance(date=date_of(day), balance=balance, by_statement=is_stated)
        recorded.setdefault(no, []).append(stated)
    covered = accounts.coverage_of(connection, owner)
    return household.ExportedHome(
        _household(connection, owner),
        tuple(_payee(row) for row in payees.list_payees(connection, owner)),
        tuple(
            _account(
                row,
                by_id[row["id"]],
                recorded.get(row["no"], ()),
                merged(Interval(*values) for values in covered.get(row["no"], ())),
            )
            for row in accounts.list_accounts(connection, owner)
        ),
    )


def _household(connection: Connection, owner: int) -> household.ExportedHousehold:
    person = people.get_person(connection, owner)
    was = people.list_remembered(connection, owner)
    aside = people.list_set_aside(connection, owner)
    own_rules = categories.list_rules(connection, owner)
    word_rows = single_words.list_words(connection, owner)
    by_number = single_words.words_by_number(connection, [row["no"] for row in word_rows])
    ids = {row["no"]: row["id"] for row in own_rules}
    word_ids = {row["no"]: row["id"] for row in word_rows}
    return household.ExportedHousehold(
        key_rules=person["key_rules"],
        settings=household.ExportedSettings.of(
            household_settings(person),
            currency=person["currency"],
            monthly_income=person["monthly_income"],
        ),
        connections=tuple(
            household.ExportedConnection.of(row)
            for row in connections.list_connections(connection, owner)
        ),
        categories=tuple(
            household.ExportedCategory.of(row, reimbursable=bool(row["reimbursable"]))
            for row in categories.list_categories(connection, owner)
        ),
        dismissed_suggestions=tuple(sorted(categories.dismissed_names(connection, owner))),
        # Those are listed newest first; they are written in the order in which they came.
        rules=tuple(map(household.ExportedRule.of, reversed(own_rules))),
        answers=tuple(
            household.ExportedAnswer.of(
                row,
                task=_TASK.validate_json(row["body"]),
                rule_id=ids.get(row["rule_no"]),
                word_id=word_ids.get(row["word_no"]),
                each=bool(row["each"]),
            )
            for row in reversed(verdicts.list_answers(connection, owner))
        ),
        transfers=tuple(
            household.ExportedTransferVerdict.of(
                row,
                out=_remembered(was[row["out_row_no"]]),
                into=_remembered(was[row["in_row_no"]]),
            )
            for row in people.list_transfer_verdicts(connection, owner)
        ),
        recurring=tuple(
            household.ExportedSeriesVerdict.of(row, date=date_of(row["day"]))
            for row in verdicts.series_verdicts(connection, owner)
        ),
        duplicates=tuple(
            _duplicate(row, was, aside.get(row["no"]))
            for row in people.list_duplicate_verdicts(connection, owner)
        ),
        single_words=tuple(
            household.ExportedSingleWord.of(
                row,
                row=_remembered(was[row["row_no"]]),
                category=by_number[row["no"]].category,
                splits=tuple(SplitPart(**part._asdict()) for part in by_number[row["no"]].parts),
                **remarks_of(by_number[row["no"]]),
            )
            for row in word_rows
        ),
        files=tuple(
            household.ExportedFileAnswer.of(row, columns=row["header"])
            for row in people.list_file_answers(connection, owner)
        ),
        pending=tuple(
            household.ExportedPending.of(row, date=date_of(row["day"]))
            for row in people.list_pending(connection, owner)
        ),
        planned=_planned(connection, owner),
    )


def _planned(connection: Connection, owner: int) -> tuple[household.ExportedPlanned, ...]:
    ids = {row["no"]: row["id"] for row in accounts.list_accounts(connection, owner)}
    return tuple(
        household.ExportedPlanned.of(
            row,
            incoming=bool(row["incoming"]),
            date=date_of(row["day"]),
            in_month=bool(row["in_month"]),
            until=None if row["until"] is None else date_of(row["until"]),
            account_id=ids.get(row["account_no"]),
            planned_on=date_of(row["planned_on"]),
            done=bool(row["done"]),
        )
        for row in plans.list_planned(connection, owner)
    )


def _payee(row: RowMapping) -> household.ExportedPayee:
    judged = household.ExportedJudgement.of(
        row,
        out=row["decided_out"],
        into=row["decided_in"],
        alternatives=tuple(row["alternatives"].split()),
    )
    return household.ExportedPayee.of(row, judged=judged)


def _account(
    row: RowMapping,
    statement_account: StatementAccount,
    recorded: Sequence[household.StatedBalance],
    covered: Sequence[Interval],
) -> household.ExportedAccount:
    return household.ExportedAccount.of(
        row,
        number=statement_account.number,
        institution_name=statement_account.institution,
        balances=tuple(recorded),
        balance_date=None if row["balance_day"] is None else date_of(row["balance_day"]),
        hidden=bool(row["hidden"]),
        coverage=tuple(map(_covered, covered)),
        corrected=tuple(CORRECTIONS[name] for name in row["kept"].split()),
        sources=tuple(row["sources"].split()),
        own=bool(row["own"]),
        since=None if row["since"] is None else date_of(row["since"]),
    )


def _covered(interval: Interval) -> household.CoveredInterval:
    return household.CoveredInterval.of(
        interval, since=date_of(interval.since), until=date_of(interval.until)
    )


def _duplicate(
    row: RowMapping, was: Mapping[int, verdicts.RowIdentity], aside: RowMapping | None
) -> household.ExportedDuplicateVerdict:
    rows = set_aside = None
    if row["kept_row_no"] is not None:
        rows = _remembered(was[row["kept_row_no"]]), _remembered(was[row["other_row_no"]])
    if aside is not None:
        set_aside = household.ExportedSetAside.of(aside, date=date_of(aside["day"]))
    pair = None if rows else (row["kept_account"], row["other_account"])
    return household.ExportedDuplicateVerdict.of(row, rows=rows, accounts=pair, set_aside=set_aside)


def _remembered(row: verdicts.RowIdentity) -> household.ExportedRowIdentity:
    return household.ExportedRowIdentity.of(row, date=date_of(row.day), pending=bool(row.pending))
