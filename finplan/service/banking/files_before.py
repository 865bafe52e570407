"""What files brought before a link joins the account of it once the bank tells the days that they have.

A bank may tell the last weeks first, and what was before them only later: then its account is there
before its rows can show that a file has them as well.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import SyncPage
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.pairing.repetition import DAYS_APART
from finplan.plan.pairing.same_account import AccountSigns, same_rows
from finplan.service.banking.bank_accounts import drop_the_empty, signs_of
from finplan.service.verdicts.relinked_accounts import duplicate_id, join
from finplan.store.queries import accounts
from finplan.store.queries.duplicates import (
    RelinkedPair,
    different_accounts,
    drop_verdict,
    duplicate_verdicts,
    relinked_pairs,
)
from finplan.store.queries.syncs import dated_amounts

_EVER = (0, 99_991_231)
"""All days."""


def join_files_before(
    connection: Connection, owner: int, page: SyncPage, numbers: Mapping[str, int]
) -> bool:
    """Let accounts of files go on as those of an applied page that are theirs; whether any does.

    `numbers` are the accounts by the bank's ids. Only rows tell here: number and place were looked at
    when the bank listed its accounts, all of them at once. A file that came after an account of the
    bank's is none of these, since the person may have said then that it is another one: it stays a
    question. Nor are two that the person keeps apart.
    """
    told = {numbers[row.account] for row in page.added}
    if not told:
        return False
    held = {row["no"]: row for row in accounts.list_accounts(connection, owner)}
    days = [ORDINAL[row.day] for row in page.added]
    span = (day_of_ordinal(min(days) - DAYS_APART), day_of_ordinal(max(days) + DAYS_APART))
    files = {
        no: row
        for no, row in held.items()
        if row["provider"] == "manual" and no < max(told) and dated_amounts(connection, no, *span)
    }
    if not files:
        return False
    guessed = {numbers[each.external_id] for each in page.accounts if each.kind_is_guess}
    signs = {no: _signs(connection, held[no]) for no in told}
    signs |= {no: signs[no]._replace(kind=None) for no in guessed & told}
    of_files = {no: _signs(connection, row) for no, row in files.items()}
    apart = different_accounts(connection, owner)
    asked = {each.listed for each in relinked_pairs(connection, owner)}
    joined = False
    for no, file in same_rows(signs, of_files).items():
        listed, former = held[no], held[file]
        ids = frozenset({listed["id"], former["id"]})
        if file < no and ids not in apart and listed["id"] not in asked:
            _join(connection, owner, former, listed)
            joined = True
    return joined


def _join(connection: Connection, owner: int, former: RowMapping, listed: RowMapping) -> None:
    """Make two one, which is shown if either was: of two that were the same one was left out."""
    pair = RelinkedPair(duplicate_id(former["id"], listed["id"]), former["id"], listed["id"])
    for verdict in duplicate_verdicts(connection, owner):
        if verdict.id == pair.id:
            drop_verdict(connection, verdict)
    is_hidden = former["hidden"] and listed["hidden"]
    if is_hidden != former["hidden"]:
        accounts.change_account(connection, former["no"], {"hidden": is_hidden})
    join(connection, owner, pair)
    drop_the_empty(connection, owner, {former["connection_no"]})


def _signs(connection: Connection, row: RowMapping) -> AccountSigns:
    return signs_of(row, dated_amounts(connection, row["no"], *_EVER))
