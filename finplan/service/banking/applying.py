"""Applying one page of a bank's: its accounts, its rows, and its cursor, in one transaction.

Accounts come first, since what is decided of rows depends on them, then rows, then what only all of them
tell. Each time facts are loaded, a decision is made of them (`finplan.intake`), and it is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import SyncPage
from finplan.categorise.payee import Payee
from finplan.intake import listed_accounts, pages
from finplan.intake.facts import HeldAccount
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import Interval
from finplan.service.derived.household import held_accounts, household_settings
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import Asking, ask_in_worker
from finplan.service.ledger.payee_keys import intern_payees
from finplan.service.ledger.reconciliation import reconcile_added_rows, recount_rows
from finplan.service.ledger.transfer_matching import recount_accounts, unpair_rows
from finplan.service.verdicts.account_duplicates import ask_which, duplicate_id, join
from finplan.store.queries import accounts, connections, duplicates, people, syncs, transfers


@dataclass
class Counted:
    """What the pages of one sync have changed so far; `emptied` are connections that went with that."""

    accounts: int = 0
    added: int = 0
    modified: int = 0
    removed: int = 0
    emptied: list[RowMapping] = field(default_factory=list)


def apply_page(
    connection: Connection,
    owner: int,
    link: RowMapping,
    page: SyncPage,
    paid: Mapping[pages.Descriptor, Payee],
    counted: Counted,
    today: int,
) -> bool:
    """Apply a page, all but its cursor; says whether anything is otherwise now than before."""
    link_facts = load_link(connection, owner, link)
    listed = listed_accounts.decide_accounts(page, link_facts, today)
    counted.emptied += write_accounts(connection, owner, link, link_facts, listed)
    ask = ask_in_worker(connection)
    payees = _intern(connection, owner, paid, ask)
    own_accounts = held_accounts(connection, owner)
    numbers = {
        account.external_id: account.no
        for account in own_accounts
        if account.connection_no == link["no"]
    }
    numbered = pages.numbered(page, numbers, payees)
    facts = load_page(connection, link["provider"], numbered)
    rows = pages.decide_page(numbered, facts, today)
    currency = household_settings(people.get_person(connection, owner)).currency
    counting = {account.no for account in own_accounts if counts_in_totals(account, currency)}
    removed, newest, unpaired = write_page(
        connection, owner, link["provider"], numbered, rows, counting
    )
    counted.accounts = len(numbers)
    counted.added += rows.added
    counted.modified += rows.modified
    counted.removed += rows.removed + removed
    touched = sorted(set(payees.values()))
    reconcile_added_rows(connection, owner, newest, touched, unpaired, ask=ask)
    joined_now = join_files_before(connection, owner, page, numbers)
    has_currency_now = bring_currency(connection, owner, page)
    is_otherwise = listed.changes_any or rows.is_otherwise or removed > 0
    return is_otherwise or joined_now or has_currency_now


def load_link(connection: Connection, owner: int, link: RowMapping) -> listed_accounts.LinkFacts:
    """Load what decides whose the accounts of a link are."""
    covered = accounts.synced_by_account(connection, owner)
    return listed_accounts.LinkFacts(
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
    facts: listed_accounts.LinkFacts,
    listed: listed_accounts.ListedAccounts,
) -> list[RowMapping]:
    """Write what was decided of the accounts of a link; answers the connections that went with that."""
    for no, external_id in listed.renamed.items():
        # The bank gives its rows new ids, too, so that they are known by their contents.
        syncs.forget_ids(connection, no, link["provider"])
        accounts.change_account(connection, no, {"external_id": external_id})
    for no, values in listed.moved.items():
        accounts.change_account(connection, no, values)
    emptied = (
        connections.remove_connections(connection, owner, listed.emptied) if listed.emptied else []
    )
    ids = {account.no: account.id for account in facts.held}
    for update in listed.updates:
        number = update.no
        if number is None:
            own = {"id": new_id("acc"), "owner_no": owner, "connection_no": link["no"]}
            number = accounts.add_account(connection, {**own, **update.values})
            ask_which(connection, owner, own["id"], [ids[former] for former in update.formers])
        write_update(connection, number, update)
    if listed.currency is not None:
        people.change_person(connection, owner, {"currency": listed.currency})
    if listed.changes_nature:
        recount_accounts(connection, owner)
    return emptied


def write_update(connection: Connection, no: int, update: listed_accounts.AccountUpdate) -> None:
    """Write what is new in an account that is stored by now."""
    if update.no is not None:
        accounts.change_account(connection, no, update.values)
    if update.is_turned:
        accounts.negate_balances(connection, no)
    if update.covered is not None:
        accounts.replace_synced_coverage(connection, no, update.covered)
    if update.balance is not None:
        accounts.record_balance(connection, no, *update.balance)


def _intern(
    connection: Connection, owner: int, paid: Mapping[pages.Descriptor, Payee], ask: Asking
) -> dict[pages.Descriptor, int]:
    """The payee number of each descriptor and bank-given name."""
    names: dict[str, tuple[str, str, str]] = {}
    for (raw, _), payee in paid.items():
        names.setdefault(payee.key, (payee.key, payee.name, raw))
    numbers = intern_payees(connection, owner, names.values(), ask)
    return {descriptor: numbers[payee.key] for descriptor, payee in paid.items()}


def load_page(connection: Connection, provider: str, page: pages.NumberedPage) -> pages.PageFacts:
    """Load what decides on the rows of a page, but for those from elsewhere."""
    listed = {*page.waiting, *(account for account, *_ in page.posted)}
    known_rows = [
        pages.KnownRow(account, *row)
        for account, ids in page.ids.items()
        for row in syncs.known_rows(connection, account, ids)
    ]
    of_bank = {
        # Of all that an access gives, ever, what lies before its reach is no part.
        account: syncs.rows_of_bank_since(connection, account, provider, day, forgotten=day > 0)
        for account, day in page.whole_since.items()
    }
    return pages.PageFacts(
        known_rows,
        {no: [pages.RowFromElsewhere(*row) for row in rows] for no, rows in of_bank.items()},
        {
            no: [pages.WaitingRow(*row) for row in syncs.waiting_rows(connection, no)]
            for no in listed
        },
        {
            no: [pages.PendingClaim(*row) for row in syncs.claims_on(connection, no)]
            for no in listed
        },
        partial(_elsewhere, connection, provider),
    )


def _elsewhere(
    connection: Connection, provider: str, account: int, since: int, until: int
) -> list[pages.RowFromElsewhere]:
    rows = syncs.rows_from_elsewhere(connection, account, provider, since, until)
    return [pages.RowFromElsewhere(*row) for row in rows]


def write_page(
    connection: Connection,
    owner: int,
    provider: str,
    page: pages.NumberedPage,
    writes: pages.PageWrites,
    counting: set[int],
) -> tuple[int, int, list[int]]:
    """Write what was decided of the rows of a page; rows of the `counting` accounts count.

    Answers how many pending rows the bank took back, the number of the newest row before new ones, and
    the rows whose other half went.
    """
    removed_ids, given_up = set(page.page.removed), page.given_up
    _take_over(connection, provider, writes.renamed)
    removed = 0
    for account in page.accounts.values():
        removed += syncs.remove_pending(connection, [(account, row_id) for row_id in removed_ids])
        syncs.remove_pending(connection, [(account, row_id) for row_id in given_up - removed_ids])
        duplicates.forget_rows_aside(connection, account, given_up)
    unpaired = unpair_rows(connection, owner, writes.gone) if writes.gone else []
    syncs.remove_posted(connection, writes.gone)
    # Numbers of rows that went may be given again, so the newest is looked up after they went.
    newest = transfers.newest_row(connection)
    _take_over(connection, provider, writes.joined)
    syncs.insert_posted(connection, owner, writes.inserted, provider, counting)
    for account, claims in writes.claims.items():
        if claims:
            syncs.note_claims(connection, account, claims, writes.claims_since)
    syncs.remove_pending(connection, writes.over)
    syncs.insert_pending(connection, owner, writes.waiting)
    return removed, newest, unpaired


def _take_over(
    connection: Connection, provider: str, rows: Mapping[pages.RowKey, pages.Taken]
) -> None:
    by_account: dict[int, list[pages.Taken]] = {}
    for (account, *_), taken in rows.items():
        by_account.setdefault(account, []).append(taken)
    for account, listed in by_account.items():
        syncs.take_over(connection, account, provider, listed)


def join_files_before(
    connection: Connection, owner: int, page: SyncPage, numbers: Mapping[str, int]
) -> bool:
    """Let accounts of files go on as those of an applied page that are theirs; whether any does."""
    if not page.added:
        return False
    facts = listed_accounts.FilesBefore(
        held_accounts(connection, owner),
        duplicates.different_accounts(connection, owner),
        {pair.listed for pair in duplicates.relinked_pairs(connection, owner)},
        partial(syncs.dated_amounts, connection),
    )
    pairs = listed_accounts.files_gone_on(page, numbers, facts)
    if not pairs:
        return False
    for former, listed in pairs:
        _join_file(connection, owner, former, listed)
    connections.remove_connections(
        connection,
        owner,
        listed_accounts.left_empty(facts.held, {account.no for account, _ in pairs}),
    )
    return True


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
    currency = listed_accounts.most_common_currency(in_use, complete=page.complete)
    if currency is None:
        return False
    people.change_person(connection, owner, {"currency": currency})
    recount_rows(connection, owner)
    return True
