"""What a staged account has in common with an account of the store, or with another staged one."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Overlap:
    """The booked rows of the days that two accounts both cover: how many each has, and has alike.

    `same` rows have day, amount and identity in common, `alike` ones day and amount; the same
    rows are of so many different `amounts`. Rows `apart` are those that only one side has, though both
    would have them if they were one account: a file may lack rows of its own last day alone.
    """

    ours: int
    theirs: int
    same: int
    alike: int
    amounts: int
    apart: int


_NOTHING = Overlap(0, 0, 0, 0, 0, 0)

_MOST_COMPARED = 2000
"""Rows of a long file that are compared with another account's, spread over all of it."""

_BOUNDS = (
    "SELECT max((SELECT min(day) FROM staged.arranged WHERE account = {local:d}),"
    " (SELECT min(day) FROM {rows} WHERE {owner} = {number:d})),"
    " min((SELECT max(day) FROM staged.arranged WHERE account = {local:d}),"
    " (SELECT max(day) FROM {rows} WHERE {owner} = {number:d}))"
)
_COUNT = (
    "(SELECT count(*) FROM {rows} WHERE {owner} = {number:d} AND day >= {since:d} AND day < {last:d}),"
    " (SELECT count(*) FROM {rows} WHERE {owner} = {number:d} AND day = {last:d})"
)
_ALIKE = (
    "SELECT 1 FROM {rows} AS theirs WHERE theirs.{owner} = {number:d} AND theirs.day = ours.day"
    " AND theirs.amount = ours.amount"
)
_COMPARED = (
    "SELECT total(day < {last:d}), total(same AND day < {last:d}), total(same AND day = {last:d}),"
    " total(alike AND day < {last:d}), total(alike AND day = {last:d}),"
    " count(DISTINCT CASE WHEN same THEN amount END) FROM ("
    f"SELECT day, amount, EXISTS ({_ALIKE} AND theirs.ordinal = ours.ordinal"
    " AND coalesce(theirs.external_id, theirs.raw) = coalesce(ours.external_id, ours.raw)) AS same,"
    f" EXISTS ({_ALIKE}) AS alike FROM staged.arranged AS ours"
    " WHERE account = {local:d} AND day BETWEEN {since:d} AND {last:d}"
    " AND (seq % {step:d} = 0 OR day = {last:d}))"
)


_PAIRED = (
    "SELECT ours.seq, ours.day, ours.amount, ours.raw, ours.aside, ours.external_id,"
    " theirs.raw, theirs.external_id"
    " FROM staged.arranged AS ours CROSS JOIN {rows} AS theirs ON theirs.{owner} = {number:d}"
    # The sign keeps SQLite from looking through all days of the other account for each row.
    " AND theirs.day = +ours.day AND theirs.amount = ours.amount"
    " WHERE ours.account = {local:d} AND ours.day BETWEEN {since:d} AND {last:d}"
    " AND (ours.seq % {step:d} = 0 OR ours.day = {last:d}) LIMIT 20000"
)

TextsAgree = Callable[[str, str, str | None, str, str | None], bool]
"""Whether a read row and a stored one may be the same: the text, the text aside and the id of the first,
the text and the id of the other."""


def common_days(connection: Connection, local: int, **theirs: str | int) -> tuple[int, int] | None:
    """The first and the last day that an account of the files has in common with another one.

    `theirs` are the table of the other's `rows`, the column of their `owner`, and its `number` there.
    """
    since, last = connection.exec_driver_sql(_BOUNDS.format(local=local, **theirs)).one()
    return None if since is None or last is None or since > last else (since, last)


def overlap_with_stored(
    connection: Connection, local: int, account: int, agree: TextsAgree
) -> Overlap:
    """Compare an account of the files, by its local number, with one of the store.

    Rows of one day and amount are the same also where `agree` finds that they differ in wording alone.
    """
    theirs: dict[str, str | int] = {"rows": "tx", "owner": "account_no", "number": account}
    overlap = _overlap(connection, local, None, **theirs)
    if overlap.same == overlap.alike:
        return overlap
    return _overlap(connection, local, agree, **theirs)


def overlap_with_staged(connection: Connection, local: int, other: int) -> Overlap:
    """Compare two accounts of the files, by their local numbers."""
    return _overlap(connection, local, None, rows="staged.arranged", owner="account", number=other)


def _overlap(
    connection: Connection, local: int, agree: TextsAgree | None, **theirs: str | int
) -> Overlap:
    common = common_days(connection, local, **theirs)
    if common is None:
        return _NOTHING
    since, last = common
    days = {"since": since, "last": last}
    sides = (
        _COUNT.format(rows="staged.arranged", owner="account", number=local, **days),
        _COUNT.format(**days, **theirs),
    )
    ours, ours_last, other, other_last = connection.exec_driver_sql(
        f"SELECT {', '.join(sides)}"
    ).one()
    step = ours // _MOST_COMPARED + 1
    compared, same, same_last, alike, alike_last, amounts = map(
        int,
        connection.exec_driver_sql(
            _COMPARED.format(local=local, step=step, **days, **theirs)
        ).one(),
    )
    if agree is not None:
        same, same_last, amounts = _worded(
            connection, agree, _PAIRED.format(local=local, step=step, **days, **theirs), last
        )
    missing = (compared - same) * step
    return Overlap(
        ours + ours_last,
        other + other_last,
        same * step + same_last,
        alike * step + alike_last,
        amounts,
        missing + abs(other - (ours - missing)) + min(ours_last, other_last) - same_last,
    )


def _worded(
    connection: Connection, agree: TextsAgree, query: str, last: int
) -> tuple[int, int, int]:
    """Count the rows with one of equal day and amount that agrees: before the last day, and on it.

    Answers too of how many different amounts they are.
    """
    same: dict[int, tuple[int, int]] = {}
    for seq, day, amount, raw, aside, external_id, other, other_id in connection.exec_driver_sql(
        query
    ):
        if seq not in same and agree(raw, aside or "", external_id, other, other_id):
            same[seq] = day, amount
    on_last = sum(day == last for day, _ in same.values())
    return len(same) - on_last, on_last, len({amount for _, amount in same.values()})
