"""What the store and the stage know of an import, loaded: the first of its three acts.

Accounts come as values. Rows are answered by queries as they are asked for, since there are too many of
them; they are those of the store and those of the stage that is attached to it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.intake import evidence, rows
from finplan.intake.facts import AccountSide, ComparedRows, Facts, Overlap, RowFacts, SizedRow
from finplan.intake.files import ImportRun
from finplan.intake.misreadings import BesideRows, EarlierImport, EarlierRow, ReadRow, may_hold
from finplan.intake.postings import WriteFacts, has_known_rows
from finplan.intake.reports import SAMPLES, StagedSample, StagedSummary
from finplan.plan.ledger.days import Interval
from finplan.plan.pairing.repetition import DIFFERENT
from finplan.service.derived.household import held_accounts
from finplan.store.queries import (
    accounts,
    connections,
    imports,
    payees,
    payments,
    people,
    repeated_rows,
    staged_rows,
)


def load_facts(connection: Connection, owner: int) -> Facts:
    """Load what a person's store knows beside the files of an import."""
    stored = held_accounts(connection, owner)
    linked = connections.list_connections(connection, owner)
    covered = accounts.coverage_of(connection, owner)
    return Facts(
        held=stored,
        rows=_row_facts(connection),
        learned=imports.learned_names(connection, owner),
        by_header=imports.accounts_by_header(connection, owner),
        by_layout=imports.accounts_by_layout(connection, owner),
        ways=imports.ways_by_layout(connection, owner),
        covered={no: [Interval(*span) for span in days] for no, days in covered.items()},
        beside_demo=any(row["provider"] == "demo" for row in linked),
    )


def _row_facts(connection: Connection) -> RowFacts:
    """Answer what is asked of rows by one query each."""
    return RowFacts(
        overlap=partial(_overlap, connection),
        compared=partial(_compared, connection),
        moved=partial(_moved_amount, connection),
        new_between=partial(staged_rows.new_between, connection),
        stated=partial(accounts.stated_balances, connection),
        of_size=partial(_of_size, connection),
        received=partial(payments.newest_received, connection),
        paid=partial(payments.paid_out, connection),
        spent=partial(payments.spent, connection),
        count_spent=partial(payments.count_spent, connection),
        span=partial(payments.span_of, connection),
        spent_in_files=partial(payments.spent_by_payee, connection),
        moved_by_payee=partial(payments.moved_by_payee_key, connection),
    )


def _overlap(connection: Connection, local: int, side: AccountSide) -> Overlap:
    if side.is_staged:
        return Overlap(*repeated_rows.overlap_with_staged(connection, local, side.number))
    agree = evidence.texts_agree
    return Overlap(*repeated_rows.overlap_with_stored(connection, local, side.number, agree))


def _compared(connection: Connection, local: int, side: AccountSide) -> ComparedRows:
    staged = side.is_staged
    compared = repeated_rows.compared_with_staged if staged else repeated_rows.compared_with_stored
    return compared(connection, local, side.number)


def _moved_amount(connection: Connection, side: AccountSide, after: int, until: int) -> int:
    moved = repeated_rows.moved_by_staged if side.is_staged else accounts.moved_between
    return moved(connection, side.number, after, until)


def _of_size(connection: Connection, side: AccountSide, day: int, size: int) -> list[SizedRow]:
    find_rows = repeated_rows.staged_of_size if side.is_staged else repeated_rows.stored_of_size
    return [SizedRow(*row) for row in find_rows(connection, side.number, day, size)]


def load_beside(
    connection: Connection, local: int, file: int, account: int | None
) -> rows.Beside | None:
    """What is left over of a file's account, and beside it; None where one side has nothing.

    `account` is its number in the store, None for a new one. The rows of files before it are matched.
    """
    span = repeated_rows.span_of(connection, local, file)
    beside = repeated_rows.span_beside(connection, local, file, account)
    if span is None or beside is None:
        return None
    reach = rows.days_beside(span)
    before = repeated_rows.left_over_of_earlier_files(connection, local, file, reach)
    again = repeated_rows.repeated_in_batch(connection, local, file) if before else []
    stored = (
        [] if account is None else repeated_rows.left_over_stored(connection, account, file, reach)
    )
    others = rows.others_beside(
        [rows.LeftOverRow(*row) for row in before],
        again,
        [rows.LeftOverRow(*row) for row in stored],
    )
    if not others:
        return None
    near = rows.days_beside(row.row.day for row in others)
    common = rows.common_days(span, beside)
    ours = repeated_rows.left_over_staged(connection, local, file, near)
    counts = repeated_rows.count_rows_again(connection, local, file, common, DIFFERENT)
    return rows.Beside(
        [rows.LeftOverRow(*row) for row in ours], others, rows.FoundRows(*counts), span, beside
    )


class MatchedRows(NamedTuple):
    """The staged rows once they are matched: by the places of file and account, or by local number.

    `summaries` count what waits, is there or perhaps is; `samples` are some of the newest. `beside` are
    new rows with what earlier `imports` brought of their days.
    """

    summaries: Mapping[tuple[int, int], StagedSummary]
    samples: Mapping[tuple[int, int], Sequence[StagedSample]]
    beside: Mapping[int, BesideRows]
    imports: Sequence[EarlierImport]


def load_matched(connection: Connection, run: ImportRun, facts: Facts) -> MatchedRows:
    """Load what is told of the files' rows once they are matched."""
    pending = staged_rows.pending_by_file(connection)
    matched = staged_rows.matched_by_account(connection)
    summaries = {
        index: StagedSummary(pending.get(index, 0), *matched.get(index, (0, 0)))
        for index in (pending | matched)
    }
    samples = {
        (index, local): [
            StagedSample(*row) for row in staged_rows.newest_rows(connection, index, local, SAMPLES)
        ]
        for index, file in enumerate(run.staged.files)
        for local in file.accounts
    }
    beside: dict[int, BesideRows] = {}
    for local, account in enumerate(run.accounts):
        earlier = [
            (stored, [EarlierRow(*row) for row in earlier_rows])
            for stored in may_hold(run, account, facts.held)
            if (earlier_rows := repeated_rows.earlier_rows(connection, local, stored.no))
        ]
        days = [row.day for _, earlier_rows in earlier for row in earlier_rows]
        if days:
            read = repeated_rows.read_rows(connection, local, min(days), max(days))
            count = repeated_rows.count_stored(connection, local)
            beside[local] = BesideRows([ReadRow(*row) for row in read], earlier, count)
    listed = imports.list_imports(connection, run.owner) if beside else ()
    earlier_imports = [
        EarlierImport(
            row["no"], row["id"], row["committed_at"], row["report"], row["status"] == "committed"
        )
        for row in listed
    ]
    return MatchedRows(summaries, samples, beside, earlier_imports)


def load_for_writing(connection: Connection, run: ImportRun) -> tuple[WriteFacts, dict[str, int]]:
    """Load what decides on the writes of an import, and the numbers of the store's payees by key."""
    has_known = has_known_rows(run)
    currency = people.get_person(connection, run.owner)["currency"]
    numbers = payees.numbers_of(connection, run.owner)
    rows = staged_rows.rows_by_account(connection) if currency is None else {}
    of_new = staged_rows.payees_of_new(connection) if has_known else None
    recorded = {
        account.no: [day for day, _ in accounts.balances_of(connection, account.no)]
        for account in run.accounts
        if account.staged.is_exported and not account.new
    }
    return WriteFacts(currency, rows, numbers, of_new, recorded), numbers
