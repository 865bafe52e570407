"""Applying one page of a bank's: its accounts, its rows, and its cursor, in one transaction.

A page may list what is known already, in any order and again after a crash: a row is the one of its id,
day and amount, and whatever else has that id gives way to it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import BankTransaction, SyncPage
from finplan.categorise.payee import Payee
from finplan.intake.listed_accounts import decide_accounts
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import date_of, day_of_ordinal
from finplan.plan.pairing import repetition
from finplan.service.banking.bank_accounts import (
    bring_currency,
    join_files_before,
    load_link,
    write_accounts,
)
from finplan.service.derived.household import (
    held_accounts,
    household_settings,
    ledger_accounts,
)
from finplan.service.ledger.categorisation import Asking, ask_in_worker
from finplan.service.ledger.payee_keys import intern_payees
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.service.ledger.transfer_matching import unpair_rows
from finplan.store.queries import duplicates, people, syncs, transfers
from finplan.store.queries.syncs import RowFromElsewhere

CLAIMS_KEPT = 60
"""Days for which it is remembered which pending row a posted one was."""

Descriptor = tuple[str, str | None]
"""A descriptor with the name that the bank gives."""

RowKey = tuple[int, str, int, int]
"""A posted row: its account's number, the bank's id, its day and its amount."""


@dataclass
class Counted:
    """What the pages of one sync have changed so far; `emptied` are connections that went with that."""

    accounts: int = 0
    added: int = 0
    modified: int = 0
    removed: int = 0
    emptied: list[RowMapping] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page with what its transaction needs: `numbers` are accounts', `payees` are payees'."""

    connection: Connection
    owner: int
    provider: str
    page: SyncPage
    numbers: Mapping[str, int]
    payees: Mapping[Descriptor, int]

    def row(self, given: BankTransaction) -> syncs.SyncedRow:
        return syncs.SyncedRow(
            account=self.numbers[given.account],
            external_id=given.external_id,
            payee=self.payees[given.raw, given.payee],
            day=given.day,
            amount=given.amount,
            raw=given.raw,
            code=given.code,
        )


def apply_page(
    connection: Connection,
    owner: int,
    link: RowMapping,
    page: SyncPage,
    paid: Mapping[Descriptor, Payee],
    counted: Counted,
    today: int,
) -> bool:
    """Apply a page, all but its cursor; says whether anything is otherwise now than before."""
    facts = load_link(connection, owner, link)
    listed = decide_accounts(page, facts, today)
    counted.emptied += write_accounts(connection, owner, link, facts, listed)
    held = held_accounts(connection, owner)
    numbers = {each.external_id: each.no for each in held if each.connection_no == link["no"]}
    ask = ask_in_worker(connection)
    payees = _intern(connection, owner, paid, ask)
    given = _Page(connection, owner, link["provider"], page, numbers, payees)
    posted = _posted(given)
    renamed = _rename(given, posted)
    before = {(row.account, row.external_id) for row in _known(given, posted)}
    claims = _claims(given, [row for row in posted.values() if _id(row) not in before])
    removed, unpaired = _take_away_by_id(given, page.removed)
    gone = [each.replaces for each in page.added if each.replaces]
    for ids in (gone, [each.external_id for each in page.modified]):
        unpaired += _take_away_by_id(given, ids)[1]
    known = _known(given, posted)
    outdated = [row.no for row in known if row.no is not None and _key(row) not in posted]
    withdrawn = _withdrawn(given, posted)
    unpaired += _take_away(given, [*outdated, *withdrawn])
    present = {_key(row) for row in known}
    fresh = {key: row for key, row in posted.items() if key not in present}
    # Numbers of rows that went may be given again, so the newest is looked up after they went.
    newest = transfers.newest_row(connection)
    joined = _join(given, fresh)
    rows = [row for key, row in fresh.items() if key not in joined]
    _insert(given, rows)
    new_waiting, has_moved = _let_wait(given, posted, claims, today)
    counted.accounts = len(numbers)
    counted.added += len([row for row in rows if _id(row) not in before]) + new_waiting
    counted.modified += len(page.modified) + len(outdated) + renamed
    counted.removed += removed + len(withdrawn)
    touched = sorted(set(payees.values()))
    reconcile_added_rows(connection, owner, newest, touched, unpaired, ask=ask)
    joined_now = join_files_before(connection, owner, page, numbers)
    has_currency_now = bring_currency(connection, owner, page)
    return (joined_now or has_currency_now) or bool(
        listed.changes_any or removed or gone or withdrawn or fresh or renamed or has_moved
    )


def _key(row: syncs.SyncedRow | syncs.KnownRow) -> RowKey:
    return row.account, row.external_id, row.day, row.amount


def _id(row: syncs.SyncedRow) -> tuple[int, str]:
    return row.account, row.external_id


def _intern(
    connection: Connection, owner: int, paid: Mapping[Descriptor, Payee], ask: Asking
) -> dict[Descriptor, int]:
    """The payee number of each descriptor and bank-given name."""
    named: dict[str, tuple[str, str, str]] = {}
    for (raw, _), payee in paid.items():
        named.setdefault(payee.key, (payee.key, payee.name, raw))
    numbers = intern_payees(connection, owner, named.values(), ask)
    return {descriptor: numbers[payee.key] for descriptor, payee in paid.items()}


def _posted(given: _Page) -> dict[RowKey, syncs.SyncedRow]:
    """The page's posted rows, each once, oldest first."""
    rows = sorted((*given.page.added, *given.page.modified), key=lambda row: row.day)
    listed = (given.row(row) for row in rows if not row.pending)
    # A bank may use one id for several rows of one page; the day and the amount then tell them apart.
    return {_key(row): row for row in listed}


def _known(given: _Page, posted: Iterable[RowKey]) -> list[syncs.KnownRow]:
    """What is there already under the page's ids."""
    ids: dict[int, list[str]] = {}
    for account, external_id, _, _ in posted:
        ids.setdefault(account, []).append(external_id)
    return [
        row
        for account, wanted in ids.items()
        for row in syncs.known_rows(given.connection, account, wanted)
    ]


def _claims(
    given: _Page, fresh: Iterable[syncs.SyncedRow]
) -> dict[int, dict[str, repetition.NewlyPosted]]:
    """Which pending rows of each account newly posted ones are, where the bank does not say."""
    said = {row.external_id for row in given.page.added if row.replaces}
    by_account: dict[int, list[repetition.NewlyPosted]] = {}
    for row in fresh:
        if row.external_id not in said:
            posted = repetition.NewlyPosted(row.external_id, row.payee, row.day, row.amount)
            by_account.setdefault(row.account, []).append(posted)
    listed = {(given.numbers[r.account], r.external_id) for r in given.page.added if r.pending}
    whole = {given.numbers[each] for each in given.page.pending_of}
    gone = {*given.page.removed, *(row.replaces for row in given.page.added)}
    found = {}
    for account, rows in by_account.items():
        held = [
            repetition.WaitingCharge(
                *(row.external_id, row.payee, row.day, row.amount),
                listed=(account, row.external_id) in listed
                or (account not in whole and row.external_id not in gone),
            )
            for row in syncs.waiting_rows(given.connection, account)
        ]
        found[account] = repetition.claimed(held, rows)
    return found


def _take_away_by_id(given: _Page, ids: Iterable[str]) -> tuple[int, list[int]]:
    """Remove rows by a bank's ids; answers how many, and the rows whose other half went with them."""
    wanted = list(ids)
    removed, unpaired = 0, list[int]()
    if not wanted:
        return removed, unpaired
    for account in given.numbers.values():
        rows = [(account, each) for each in wanted]
        removed += syncs.remove_pending(given.connection, rows)
        numbers = syncs.numbers_of(given.connection, account, wanted)
        unpaired += _take_away(given, numbers)
        duplicates.forget_rows_aside(given.connection, account, wanted)
        removed += len(numbers)
    return removed, unpaired


def _take_away(given: _Page, numbers: Iterable[int]) -> list[int]:
    rows = list(numbers)
    if not rows:
        return []
    unpaired = unpair_rows(given.connection, given.owner, rows)
    syncs.remove_posted(given.connection, rows)
    return list(unpaired)


def _withdrawn(given: _Page, posted: Iterable[RowKey]) -> list[int]:
    """The rows that a bank which lists all that it has does not list, of what it says that of."""
    return [row.no for rows in _unlisted(given, posted).values() for row in rows]


def _unlisted(given: _Page, posted: Iterable[RowKey]) -> dict[int, list[RowFromElsewhere]]:
    """By account, the rows of the days of a whole list whose ids are not on it."""
    page = given.page
    # Where all of an account is listed, whatever it has by an id of the bank's is of the bank.
    whole_of = {given.numbers[each] for each in page.whole_of}
    first = dict.fromkeys(whole_of, 0)
    ids: dict[int, set[str]] = {account: set() for account in first}
    unsure = {given.numbers[each] for each in page.partly_read}
    for account, external_id, day, _ in posted:
        if (page.is_whole and account not in unsure) or account in first:
            first[account] = min(day, first.get(account, day))
            ids.setdefault(account, set()).add(external_id)
    return {
        account: [
            row
            for row in syncs.rows_of_bank_since(
                *(given.connection, account, given.provider, day),
                # Of all that an access gives, what lies before its reach is no part.
                forgotten=account not in whole_of,
            )
            if row.external_id not in ids[account]
        ]
        for account, day in first.items()
    }


def _rename(given: _Page, posted: Mapping[RowKey, syncs.SyncedRow]) -> int:
    """Let rows that a whole list has under another id have it; answers how many there are.

    A bank may give a row its id days after it first listed it. The amount and the payee must agree, so
    that no row stands in for another one.
    """
    unlisted = _unlisted(given, posted)
    if not any(unlisted.values()):
        return 0
    known = {(row.account, row.external_id) for row in _known(given, posted)}
    fresh: dict[tuple[int, int], dict[RowKey, repetition.ComparedRow]] = {}
    for key, row in posted.items():
        if _id(row) not in known:
            of_payee = fresh.setdefault((row.account, row.payee), {})
            of_payee[key] = repetition.ComparedRow(row.payee, row.day, row.amount)
    renamed = 0
    for (account, payee), rows in fresh.items():
        held = {row.no: row for row in unlisted.get(account, ()) if row.payee == payee}
        dated = {
            no: repetition.ComparedRow(row.payee, row.day, row.amount) for no, row in held.items()
        }
        taken = [
            syncs.Taken(held[no], posted[key].external_id, posted[key].day, posted[key].code)
            for key, no in repetition.joined_rows(rows, dated).items()
        ]
        syncs.take_over(given.connection, account, given.provider, taken)
        renamed += len(taken)
    return renamed


def _join(given: _Page, fresh: Mapping[RowKey, syncs.SyncedRow]) -> set[RowKey]:
    """Let rows that came from elsewhere be the bank's; answers which of the fresh ones were there so."""
    by_account: dict[int, dict[RowKey, repetition.ComparedRow]] = {}
    for key, row in fresh.items():
        by_account.setdefault(row.account, {})[key] = repetition.ComparedRow(
            row.payee, row.day, row.amount
        )
    done: set[RowKey] = set()
    for account, rows in by_account.items():
        days = [row.day for row in rows.values()]
        present = {
            row.no: row
            for row in syncs.rows_from_elsewhere(
                given.connection,
                account,
                given.provider,
                _days_off(min(days), -repetition.DAYS_APART),
                _days_off(max(days), repetition.DAYS_APART),
            )
        }
        dated = {
            no: repetition.ComparedRow(row.payee, row.day, row.amount)
            for no, row in present.items()
        }
        found = repetition.joined_rows(rows, dated)
        taken = [
            syncs.Taken(present[no], fresh[key].external_id, fresh[key].day, fresh[key].code)
            for key, no in found.items()
        ]
        syncs.take_over(given.connection, account, given.provider, taken)
        done |= found.keys()
    return done


def _insert(given: _Page, rows: Iterable[syncs.SyncedRow]) -> None:
    held = ledger_accounts(given.connection, given.owner)
    currency = household_settings(people.get_person(given.connection, given.owner)).currency
    counting = {no for no, account in held.items() if counts_in_totals(account, currency)}
    syncs.insert_posted(given.connection, given.owner, rows, given.provider, counting)


def _let_wait(
    given: _Page,
    posted: Mapping[RowKey, syncs.SyncedRow],
    claims: Mapping[int, Mapping[str, repetition.NewlyPosted]],
    today: int,
) -> tuple[int, bool]:
    """Let those rows wait that the bank says do; answers how many are new, and whether any changed."""
    told: dict[int, dict[str, syncs.SyncedRow]] = {
        given.numbers[each]: {} for each in given.page.pending_of
    }
    listed = (*given.page.added, *given.page.modified)
    for row in map(given.row, (each for each in listed if each.pending)):
        told.setdefault(row.account, {})[row.external_id] = row
    ids_posted: dict[int, set[str]] = {}
    for account, external_id, _, _ in posted:
        ids_posted.setdefault(account, set()).add(external_id)
    whole = {given.numbers[each] for each in given.page.pending_of}
    new, has_moved = 0, False
    for account in {*told, *claims, *ids_posted}:
        claimed_now = claims.get(account, {})
        _note_claims(given, account, claimed_now, today)
        over = {each.pending_id for each in syncs.claims_on(given.connection, account)}
        over |= ids_posted.get(account, set())
        over |= _posted_already(given, account, told.get(account, {}))
        before = {row.external_id: row for row in syncs.waiting_rows(given.connection, account)}
        after = {name: row for name, row in told.get(account, {}).items() if name not in over}
        is_whole = account in whole
        stays = before.keys() - over if not is_whole else before.keys() & after.keys()
        left = [(account, name) for name in before.keys() - stays]
        syncs.remove_pending(given.connection, left)
        otherwise = [
            row
            for name, row in after.items()
            if name not in before or (row.payee, row.day, row.amount) != before[name][1:]
        ]
        syncs.insert_pending(given.connection, given.owner, otherwise)
        new += len(after.keys() - before.keys())
        has_moved = has_moved or bool(left or otherwise)
    return new, has_moved


def _posted_already(given: _Page, account: int, told: Mapping[str, object]) -> set[str]:
    """Which ids of rows that wait are those of posted ones: a bank may keep a row's id as it posts."""
    if not told:
        return set()
    return {row.external_id for row in syncs.known_rows(given.connection, account, told)}


def _note_claims(
    given: _Page, account: int, claims: Mapping[str, repetition.NewlyPosted], today: int
) -> None:
    noted = [syncs.PendingClaim(name, row.external_id, row.day) for name, row in claims.items()]
    if noted:
        before = _days_off(today, -CLAIMS_KEPT)
        syncs.note_claims(given.connection, account, noted, before)


def _days_off(day: int, days: int) -> int:
    return day_of_ordinal(date_of(day).toordinal() + days)
