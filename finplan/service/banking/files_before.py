"""What files brought before a link joins the account of it once the bank tells the days that they have.

A bank may tell the last weeks first, and what was before them only later: then its account is there
before its rows can show that a file has them as well.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import SyncPage
from finplan.plan.pairing.same_account import AccountSigns, same_accounts
from finplan.service.banking.bank_accounts import drop_the_empty, signs_held
from finplan.service.verdicts.relinked_accounts import duplicate_id, join
from finplan.store.queries import accounts
from finplan.store.queries.banking.joining import dated_amounts
from finplan.store.queries.banking.relinked import RelinkedPair, relinked_pairs
from finplan.store.queries.duplicates import different_accounts

_EVER = (0, 99_991_231)
"""All days."""


def join_files_before(
    connection: Connection, owner: int, page: SyncPage, numbers: Mapping[str, int]
) -> bool:
    """Let accounts of files go on as those of an applied page that are theirs; whether any does.

    `numbers` are the accounts by the bank's ids. A file that came after an account of the bank's is
    none of these: the person was asked about it when it came. Nor are two that the person keeps apart.
    """
    told = {numbers[row.account] for row in page.added}
    held = {row["no"]: row for row in accounts.list_accounts(connection, owner)}
    files = {
        no: row
        for no, row in held.items()
        if row["provider"] == "manual" and told and no < max(told)
    }
    if not files:
        return False
    guessed = {numbers[each.external_id] for each in page.accounts if each.kind_is_guess}
    signs = {no: _signs_told(connection, held[no], is_guess=no in guessed) for no in told}
    of_files = {no: signs_held(connection, row, signs.values()) for no, row in files.items()}
    apart = different_accounts(connection, owner)
    asked = {each.listed for each in relinked_pairs(connection, owner)}
    joined = False
    for no, file in same_accounts(signs, of_files, relinked=False).items():
        listed, former = held[no], held[file]
        ids = frozenset({listed["id"], former["id"]})
        if file < no and ids not in apart and listed["id"] not in asked:
            pair = RelinkedPair(duplicate_id(*ids), former["id"], listed["id"])
            join(connection, owner, pair)
            drop_the_empty(connection, owner, {former["connection_no"]})
            joined = True
    return joined


def _signs_told(connection: Connection, row: RowMapping, *, is_guess: bool) -> AccountSigns:
    return AccountSigns(
        row["name"],
        row["mask"],
        None if is_guess else row["kind"],
        row["currency"],
        row["institution"] or row["institution_name"],
        row["balance"],
        tuple(dated_amounts(connection, row["no"], *_EVER)),
    )
