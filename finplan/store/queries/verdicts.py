"""Verdicts on transfers and series, a person's answers, and rows as verdicts remember them.

Verdicts are kept until the person takes them back. Syncs and imports take rows away and bring them
back under other numbers. A remembered row is known again by its account, day, amount and identity
(the bank's id, else the raw text, and the ordinal); else by the bank's id and the amount; else by
day and amount where only one row has both.

Of the open questions, which follow from the data, only what the person answered or dismissed is
kept. One question may have several answers: one for the money in, one for an exact amount.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, select

from finplan.store.queries.rows import add, every, remove
from finplan.store.tables.tables import (
    remembered_row,
    series_verdict,
    task_answer,
    transfer_verdict,
)


class RowIdentity(NamedTuple):
    """What of a row outlives it; `pending` is 1 for a row that was not posted."""

    account_id: str
    account_key: str
    currency: str
    day: int
    amount: int
    raw: str
    external_id: str | None
    ordinal: int
    pending: int


_WHAT_OUTLIVES = (
    "SELECT now.no, account.id, account.external_id, account.currency, now.day, now.amount,"
    " now.raw, now.external_id, {ordinal}, {pending} FROM {rows} AS now"
    " JOIN account ON account.no = now.account_no WHERE now.no IN ({numbers})"
)

_POSTED_ORDINAL = "now.ordinal"
_PENDING_ORDINAL = (
    "(SELECT count(*) FROM pending AS equal WHERE equal.account_no = now.account_no"
    " AND equal.day = now.day AND equal.amount = now.amount"
    " AND coalesce(equal.external_id, equal.raw) = coalesce(now.external_id, now.raw)"
    " AND equal.no < now.no)"
)
"""The place of a row among equal ones, which tells two charges of one shop and day apart."""


def posted_identities(connection: Connection, numbers: Iterable[int]) -> dict[int, RowIdentity]:
    """What outlives each of some posted rows, by number."""
    return _to_remember(connection, numbers, rows="tx", ordinal=_POSTED_ORDINAL, pending="0")


def pending_identities(connection: Connection, numbers: Iterable[int]) -> dict[int, RowIdentity]:
    """What outlives each of some pending rows, by number."""
    how = {"rows": "pending", "ordinal": _PENDING_ORDINAL, "pending": "1"}
    return _to_remember(connection, numbers, **how)


def _to_remember(
    connection: Connection, numbers: Iterable[int], **how: str
) -> dict[int, RowIdentity]:
    query = _WHAT_OUTLIVES.format(numbers=",".join(map(str, numbers)), **how)
    return {no: RowIdentity(*columns) for no, *columns in connection.exec_driver_sql(query)}


def save_identity(connection: Connection, owner: int, row: RowIdentity) -> int:
    """Keep what a row was; answers the number it is remembered by."""
    return add(connection, remembered_row, {"owner_no": owner, **row._asdict()})


def forget_identities(connection: Connection, numbers: Iterable[int | None]) -> None:
    """Forget rows, and with them the verdicts that need them."""
    for no in numbers:
        remove(connection, remembered_row, no=no)


class PostedLater(NamedTuple):
    """A posted row of the account of a remembered pending one, from whose day it came on.

    `was` is the number that the pending one is remembered by.
    """

    was: int
    was_day: int
    was_amount: int
    was_raw: str
    no: int
    day: int
    amount: int
    raw: str
    by_banks_id: bool


_SAME_ACCOUNT = (
    "JOIN account ON account.owner_no = was.owner_no AND (account.id = was.account_id"
    " OR account.external_id = was.account_key AND account.currency = was.currency)"
)

_SAME_TEXT = "coalesce(now.external_id, now.raw) = coalesce(was.external_id, was.raw)"

_BY_DAY = (
    "SELECT was.no, account.id = was.account_id,"
    f" CASE WHEN {_SAME_TEXT} AND {{ordinal}} = was.ordinal THEN 3 ELSE 1 END, now.no"
    f" FROM remembered_row AS was {_SAME_ACCOUNT}"
    " JOIN {rows} AS now ON now.account_no = account.no AND now.day = was.day"
    " AND now.amount = was.amount AND {alike} WHERE was.owner_no = ? AND was.pending = ?"
)

_BY_BANKS_ID = (
    " UNION ALL SELECT was.no, account.id = was.account_id, 2, now.no"
    f" FROM remembered_row AS was {_SAME_ACCOUNT}"
    " JOIN {rows} AS now ON now.account_no = account.no AND now.external_id = was.external_id"
    " AND now.amount = was.amount WHERE was.owner_no = ? AND was.pending = ?"
    " AND was.external_id IS NOT NULL"
)


def current_rows(
    connection: Connection, owner: int, *, for_certain: bool = False
) -> dict[int, int]:
    """The number of the posted row that each remembered posted one is; one that is gone is left out.

    With `for_certain` day and amount alone are not enough.
    """
    least = 2 if for_certain else 1
    how = {"rows": "tx", "ordinal": _POSTED_ORDINAL, "alike": "true"}
    return _of_today(connection, owner, least, pending=0, **how)


def current_pending(connection: Connection, owner: int) -> dict[int, int]:
    """The number of the pending row that each remembered pending one is.

    Of equal ones each is known by its place among them, and one that is left alone without that.
    """
    how = {"rows": "pending", "ordinal": _PENDING_ORDINAL, "alike": _SAME_TEXT}
    return _of_today(connection, owner, 1, pending=1, **how)


_POSTED_LATER = (
    "SELECT was.no, was.day, was.amount, was.raw, now.no, now.day, now.amount, now.raw,"
    " coalesce(now.external_id = was.external_id, 0)"
    f" FROM remembered_row AS was {_SAME_ACCOUNT}"
    " JOIN tx AS now ON now.account_no = account.no AND {sizes}"
    " AND now.day BETWEEN was.day AND was.day + 9000"
    " WHERE was.owner_no = ? AND was.pending = 1 AND was.no IN ({numbers}) ORDER BY now.no"
)
"""Days are YYYYMMDD, so that a year's turn adds as much; how near they are is the caller's to say."""


def posted_later(
    connection: Connection, owner: int, numbers: Iterable[int], *, larger: bool = False
) -> list[PostedLater]:
    """The rows that some remembered pending ones may have become once they were posted.

    They are as large, or `larger` and the same way.
    """
    # Zero is neither way, so no row grows from it.
    sizes = "now.amount = was.amount"
    if larger:
        sizes = "abs(now.amount) > abs(was.amount) AND (now.amount < 0) = (was.amount < 0)"
    listed = ",".join(map(str, sorted(numbers)))
    query = _POSTED_LATER.format(numbers=listed, sizes=sizes)
    return [
        PostedLater._make((*columns, bool(same)))
        for *columns, same in connection.exec_driver_sql(query, (owner,))
    ]


def _of_today(
    connection: Connection, owner: int, least: int, *, pending: int, **how: str
) -> dict[int, int]:
    query = (_BY_DAY + _BY_BANKS_ID).format(**how)
    matches: dict[int, dict[tuple[int, int], list[int]]] = {}
    for was, own, likeness, now in connection.exec_driver_sql(query, (owner, pending) * 2):
        if likeness < least:
            continue
        matches.setdefault(was, {}).setdefault((own, likeness), []).append(now)
    chosen = {was: now for was, by in matches.items() if (now := _best(by)) is not None}
    return _apart(chosen, matches)


def _best(matches: Mapping[tuple[int, int], list[int]]) -> int | None:
    own, likeness = max(matches)
    numbers = matches[own, likeness]
    # By day and amount alone a row is known only where no other has both.
    return numbers[0] if likeness > 1 or len(numbers) == 1 else None


def _apart(
    chosen: Mapping[int, int], matches: Mapping[int, Mapping[tuple[int, int], list[int]]]
) -> dict[int, int]:
    """The choices without those by day and amount alone of a row that another is known to be."""
    sure = {now for was, now in chosen.items() if max(matches[was])[1] > 1}
    return {was: now for was, now in chosen.items() if max(matches[was])[1] > 1 or now not in sure}


@dataclass(frozen=True, slots=True)
class SavedTransferVerdict:
    """A verdict on two rows; `out` and `into` are their numbers today, None for one that is gone."""

    no: int
    id: str
    verdict: str
    out: int | None
    into: int | None
    rows: tuple[int, int]


def transfer_verdicts(connection: Connection, owner: int) -> list[SavedTransferVerdict]:
    """A person's verdicts on transfers, oldest first, with the rows that they are about today."""
    query = select(transfer_verdict).filter_by(owner_no=owner)
    rows = every(connection, query.order_by(transfer_verdict.c.no))
    today = current_rows(connection, owner) if rows else {}
    return [
        SavedTransferVerdict(
            no=row["no"],
            id=row["id"],
            verdict=row["verdict"],
            out=today.get(row["out_row_no"]),
            into=today.get(row["in_row_no"]),
            rows=(row["out_row_no"], row["in_row_no"]),
        )
        for row in rows
    ]


def save_transfer_verdict(
    connection: Connection,
    owner: int,
    transfer_id: str,
    verdict: str,
    rows: tuple[RowIdentity, RowIdentity],
    now: int,
) -> None:
    """Keep a verdict on the outgoing and the incoming row."""
    out_no, in_no = (save_identity(connection, owner, row) for row in rows)
    values = {"id": transfer_id, "owner_no": owner, "verdict": verdict, "decided_at": now}
    add(connection, transfer_verdict, {**values, "out_row_no": out_no, "in_row_no": in_no})


def drop_transfer_verdict(connection: Connection, verdict: SavedTransferVerdict) -> None:
    """Take a verdict back."""
    # The verdict goes with the rows that it needs.
    forget_identities(connection, verdict.rows)


def series_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on series, oldest first."""
    query = select(series_verdict).where(series_verdict.c.owner_no == owner)
    return every(connection, query.order_by(series_verdict.c.no))


def save_series_verdict(connection: Connection, owner: int, values: Mapping[str, Any]) -> None:
    """Keep a verdict on a series, in place of an earlier one of the same id."""
    drop_series_verdict(connection, owner, values["id"])
    add(connection, series_verdict, {"owner_no": owner, **values})


def drop_series_verdict(connection: Connection, owner: int, series_id: str) -> None:
    """Take a verdict on a series back."""
    remove(connection, series_verdict, owner_no=owner, id=series_id)


def save_answer(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep an answer, in place of an earlier one to the same question that made the same."""
    same = ("owner_no", "task_id", "rule_no", "word_no")
    remove(connection, task_answer, **{name: values.get(name) for name in same})
    add(connection, task_answer, values)


def answers_to(connection: Connection, owner: int, task_id: str) -> Sequence[RowMapping]:
    """A person's answers to one question, newest first."""
    return _newest_answers(connection, owner_no=owner, task_id=task_id)


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's answers, newest first."""
    return _newest_answers(connection, owner_no=owner)


def _newest_answers(connection: Connection, **values: Any) -> Sequence[RowMapping]:
    newest_first = task_answer.c.answered_at.desc(), task_answer.c.no.desc()
    return every(connection, select(task_answer).filter_by(**values).order_by(*newest_first))


def remove_answer(connection: Connection, number: int) -> None:
    """Forget an answer, by its number."""
    remove(connection, task_answer, no=number)


def is_dismissal(answer: RowMapping) -> bool:
    """Whether the person wants the question not to be asked again, and said nothing else."""
    return answer["rule_no"] is None and answer["word_no"] is None and not answer["each"]


def asked_each_time(answers: Sequence[RowMapping]) -> frozenset[str]:
    """The keys of the payees each row of which the person wants to be asked about."""
    return frozenset(json.loads(row["body"])["payeeKey"] for row in answers if row["each"])
