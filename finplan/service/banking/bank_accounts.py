"""The accounts that a bank lists, loaded and written: what becomes of them is decided in between."""

from collections.abc import Collection, Mapping
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import SyncPage
from finplan.intake.facts import HeldAccount
from finplan.intake.listed_accounts import (
    AccountUpdate,
    FilesBefore,
    LinkFacts,
    ListedAccounts,
    files_gone_on,
    left_empty,
    most_common_currency,
)
from finplan.plan.ledger.days import Interval
from finplan.service.derived.household import held_accounts
from finplan.service.ids import new_id
from finplan.service.ledger.reconciliation import recount_rows
from finplan.service.ledger.transfer_matching import recount_accounts
from finplan.service.verdicts.account_duplicates import ask_which, duplicate_id, join
from finplan.store.queries import accounts, connections, duplicates, people, syncs


def load_link(connection: Connection, owner: int, link: RowMapping) -> LinkFacts:
    """Load what decides whose the accounts of a link are."""
    covered = accounts.synced_by_account(connection, owner)
    return LinkFacts(
        link["no"],
        link["bank"],
        held_accounts(connection, owner),
        {no: Interval(*days) for no, days in covered.items()},
        people.get_person(connection, owner)["currency"],
        partial(syncs.dated_amounts, connection),
    )


def write_accounts(
    connection: Connection,
    owner: int,
    link: RowMapping,
    facts: LinkFacts,
    listed: ListedAccounts,
) -> list[RowMapping]:
    """Write what was decided of the accounts of a link; answers the connections that went with that."""
    for no, external_id in listed.renamed.items():
        # The bank names its rows anew as well, so that they are told by what they are.
        syncs.forget_ids(connection, no, link["provider"])
        accounts.change_account(connection, no, {"external_id": external_id})
    for held in listed.moved:
        kept = " ".join(sorted(held.kept))
        moved = {"connection_no": link["no"], "external_id": held.external_id, "kept": kept}
        accounts.change_account(connection, held.no, moved)
    emptied = _drop_the_empty(connection, owner, listed.emptied)
    ids = {each.no: each.id for each in facts.held}
    for update in listed.updates:
        number = update.no
        if number is None:
            own = {"id": new_id("acc"), "owner_no": owner, "connection_no": link["no"]}
            number = accounts.add_account(connection, {**own, **update.values})
            ask_which(connection, owner, own["id"], [ids[each] for each in update.formers])
        write_update(connection, number, update)
    if listed.currency is not None:
        people.change_person(connection, owner, {"currency": listed.currency})
    if listed.changes_nature:
        recount_accounts(connection, owner)
    return emptied


def write_update(connection: Connection, no: int, update: AccountUpdate) -> None:
    """Write what a bank says anew of an account that is there by now."""
    if update.no is not None:
        accounts.change_account(connection, no, update.values)
    if update.is_turned:
        accounts.negate_balances(connection, no)
    if update.covered is not None:
        accounts.replace_synced_coverage(connection, no, update.covered)
    if update.balance is not None:
        accounts.record_balance(connection, no, *update.balance)


def _drop_the_empty(
    connection: Connection, owner: int, emptied: Collection[int]
) -> list[RowMapping]:
    """Remove the connections that have no accounts any more, as the files' own does; answers them."""
    if not emptied:
        return []
    linked = connections.list_connections(connection, owner)
    gone = [row for row in linked if row["no"] in emptied]
    for row in gone:
        connections.remove_connection(connection, row["no"])
    return gone


def join_files_before(
    connection: Connection, owner: int, page: SyncPage, numbers: Mapping[str, int]
) -> bool:
    """Let accounts of files go on as those of an applied page that are theirs; whether any does."""
    if not page.added:
        return False
    facts = FilesBefore(
        held_accounts(connection, owner),
        duplicates.different_accounts(connection, owner),
        {each.listed for each in duplicates.relinked_pairs(connection, owner)},
        partial(syncs.dated_amounts, connection),
    )
    pairs = files_gone_on(page, numbers, facts)
    for former, listed in pairs:
        _join_file(connection, owner, former, listed)
    _drop_the_empty(connection, owner, left_empty(facts.held, {each.no for each, _ in pairs}))
    return bool(pairs)


def _join_file(
    connection: Connection, owner: int, former: HeldAccount, listed: HeldAccount
) -> None:
    """Make two one, which is shown if either was: of two that were the same one was left out."""
    pair = duplicates.RelinkedPair(duplicate_id(former.id, listed.id), former.id, listed.id)
    for verdict in duplicates.duplicate_verdicts(connection, owner):
        if verdict.id == pair.id:
            duplicates.drop_verdict(connection, verdict)
    if former.hidden and not listed.hidden:
        accounts.change_account(connection, former.no, {"hidden": 0})
    join(connection, owner, pair)


def bring_currency(connection: Connection, owner: int, page: SyncPage) -> bool:
    """Let the rows of a bank bring the household's currency, if none is known; whether they did.

    It is that of most rows once the last page of a sync is applied.
    """
    if page.more or people.get_person(connection, owner)["currency"] is not None:
        return False
    in_use = accounts.currencies_in_use(connection, owner)
    currency = most_common_currency(in_use, complete=page.complete)
    if currency is None:
        return False
    people.change_person(connection, owner, {"currency": currency})
    recount_rows(connection, owner)
    return True
