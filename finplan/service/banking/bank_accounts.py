"""The accounts that a bank lists: known by its ids, known again under new ones, or new.

What files brought before a link joins the account of it once the bank tells the days that they have. A
bank may tell the last weeks first, and what was before them only later: then its account is there
before its rows can show that a file has them as well. Accounts whose data come first from a bank bring
the currency of their household.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.banks.answer import NO_CURRENCY
from finplan.banks.base import BankAccount, SyncPage
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.pairing.repetition import DAYS_APART, DatedAmount
from finplan.plan.pairing.same_account import (
    AccountSigns,
    same_accounts,
    same_rows,
    unsure_accounts,
)
from finplan.service.derived.household import ROWS_ADD_UP
from finplan.service.ids import new_id
from finplan.service.ledger.reconciliation import recount_rows
from finplan.service.ledger.transfer_matching import recount_accounts
from finplan.service.verdicts.account_duplicates import ask_which, duplicate_id, join
from finplan.store.queries import accounts, connections, people
from finplan.store.queries.duplicates import (
    RelinkedPair,
    different_accounts,
    drop_verdict,
    duplicate_verdicts,
    relinked_pairs,
)
from finplan.store.queries.syncs import dated_amounts, forget_ids


def bring_only_currency(connection: Connection, owner: int) -> None:
    """Let accounts that are all in one currency bring the household's, before their rows are there."""
    if people.get_person(connection, owner)["currency"] is None:
        known = _known_currencies(connection, owner)
        if len(known) == 1:
            people.change_person(connection, owner, {"currency": known[0].currency})


def bring_most_common_currency(connection: Connection, owner: int, page: SyncPage) -> bool:
    """Let the rows of a bank bring the household's currency, if none is known; whether they did.

    It is that of most rows once the last page of a sync is applied. Which account a bank lists first
    says nothing of where somebody lives, so that a bank whose rows are not read yet is waited for.
    """
    if page.more or people.get_person(connection, owner)["currency"] is not None:
        return False
    known = _known_currencies(connection, owner)
    if not known or not (page.complete or any(each.rows for each in known)):
        return False
    # Of several that are equally common the one that stands first.
    most = max(known, key=lambda each: (each.rows, each.accounts))
    people.change_person(connection, owner, {"currency": most.currency})
    recount_rows(connection, owner)
    return True


def _known_currencies(connection: Connection, owner: int) -> list[accounts.CurrencyInUse]:
    """The currencies of accounts, without points and miles."""
    in_use = accounts.currencies_in_use(connection, owner)
    return [each for each in in_use if each.currency != NO_CURRENCY]


_NOT_ALWAYS_TOLD = ("apr", "minimum_payment")
"""What a bank that does not say it does not take back."""


class SavedAccounts(NamedTuple):
    """The numbers of a page's accounts by the bank's ids, and whether anything is new in them.

    `emptied` are the connections that went with their last account, which this one has taken over.
    """

    numbers: dict[str, int]
    changed: bool
    emptied: Sequence[RowMapping]


LATELY = 45
"""How many days before others of its bank an account may have been listed last, to be one of now."""


class _Adopted(NamedTuple):
    """Whether any account was adopted, what went with that, and which the others may be, by number."""

    any: bool
    unsure: Mapping[str, Sequence[int]]
    emptied: Sequence[RowMapping] = ()


_NOTHING = _Adopted(any=False, unsure={})


def save_accounts(
    connection: Connection, owner: int, link: RowMapping, page: SyncPage, today: int
) -> SavedAccounts:
    """Save what a bank says of its accounts; one that was there under another id stays that account."""
    held = _held(connection, owner, link["no"])
    adopted = _adopt(connection, owner, link, page, held)
    held = _held(connection, owner, link["no"])
    changed = other_nature = adopted.any
    for told in page.accounts:
        account, present = told, held.get(told.external_id)
        if present is None:
            formers = adopted.unsure.get(account.external_id, ())
            no = _new_account(connection, owner, link["no"], account, today, unsure=bool(formers))
            _ask_which(connection, owner, no, formers)
            changed = other_nature = True
        else:
            no = present["no"]
            account = _owed_as_held(present, account)
            differing = _refresh(connection, present, account, today)
            changed = changed or bool(differing)
            other_nature = other_nature or not differing.isdisjoint({"kind", "subtype"})
            if not differing and not _reaches_back(connection, no, account):
                continue
        _cover(connection, no, account, today)
        if account.balance is not None:
            accounts.record_balance(connection, no, account.seen_on or today, account.balance)
    bring_only_currency(connection, owner)
    if other_nature:
        recount_accounts(connection, owner)
    numbers = {name: row["no"] for name, row in _held(connection, owner, link["no"]).items()}
    return SavedAccounts(numbers, changed, adopted.emptied)


def _held(connection: Connection, owner: int, link: int) -> dict[str, RowMapping]:
    return {
        row["external_id"]: row
        for row in accounts.list_accounts(connection, owner)
        if row["connection_no"] == link
    }


def _adopt(
    connection: Connection,
    owner: int,
    link: RowMapping,
    page: SyncPage,
    held: Mapping[str, RowMapping],
) -> _Adopted:
    """Let accounts that are there be those that the bank lists under ids that nobody knows."""
    new = {each.external_id: each for each in page.accounts if each.external_id not in held}
    if not new or link["bank"] is None:
        return _NOTHING
    left, unsure = _told_again(connection, link, page, new, held)
    others = [
        row
        for row in accounts.list_accounts(connection, owner)
        if row["provider"] == "manual"
        or (row["bank"] == link["bank"] and row["external_id"] in left)
    ]
    dated = _dated_rows(page)
    told = {name: _signs_told(new[name], page, dated) for name in left}
    present = {row["no"]: _signs_held(connection, row, told.values()) for row in others}
    by_no = {row["no"]: row for row in others}
    same = {
        name: row["no"]
        for name in left
        for row in others
        # The same access was linked a second time, and knows the account by the same id.
        if row["provider"] != "manual"
        and (row["external_id"], row["currency"]) == (name, new[name].currency)
    }
    by_file = {no: signs for no, signs in present.items() if by_no[no]["provider"] == "manual"}
    rest = {name: signs for name, signs in told.items() if name not in same}
    same |= same_accounts(rest, by_file, relinked=False)
    for name, no in same.items():
        _move_here(connection, link, new[name], by_no[no])
    formers = {by_no[no]["connection_no"] for no in same.values()}
    emptied = drop_the_empty(connection, owner, formers)
    rest_unsure = {name: maybe for name, maybe in unsure.items() if name not in same}
    return _Adopted(len(left) < len(new) or bool(same), rest_unsure, emptied)


def _told_again(
    connection: Connection,
    link: RowMapping,
    page: SyncPage,
    new: Mapping[str, BankAccount],
    held: Mapping[str, RowMapping],
) -> tuple[set[str], Mapping[str, Sequence[int]]]:
    """Give accounts of this link their new ids; answers those ids that no account has got.

    And of each of these which accounts it may be, where nothing tells, by number.
    """
    listed = {each.external_id for each in page.accounts}
    gone = {row["no"]: row for name, row in held.items() if name not in listed}
    if not page.lists_all or not gone:
        return set(new), {}
    dated = _dated_rows(page)
    told = {name: _signs_told(each, page, dated) for name, each in new.items()}
    present = {no: _signs_held(connection, row, told.values()) for no, row in gone.items()}
    same = same_accounts(told, present, relinked=True)
    for name, no in same.items():
        # The bank names its rows anew as well, so that they are told by what they are.
        forget_ids(connection, no, link["provider"])
        accounts.change_account(connection, no, {"external_id": name})
    left = {name: signs for name, signs in told.items() if name not in same}
    lately = _listed_lately(connection, held.values())
    maybe = {no: signs for no, signs in present.items() if no in lately and no not in same.values()}
    return set(left), unsure_accounts(left, maybe)


def _listed_lately(connection: Connection, held: Iterable[RowMapping]) -> set[int]:
    """The accounts that the bank listed until now; one that was closed long ago is no new one."""
    until = {}
    for row in held:
        covered = accounts.synced_coverage(connection, row["no"])
        if covered is not None:
            until[row["no"]] = ORDINAL[covered[1]]
    newest = max(until.values(), default=0)
    return {no for no, day in until.items() if newest - day <= LATELY}


def _ask_which(connection: Connection, owner: int, no: int, formers: Sequence[int]) -> None:
    if formers:
        rows = {row["no"]: row for row in accounts.list_accounts(connection, owner)}
        ask_which(connection, owner, rows[no], [rows[each] for each in formers])


def _move_here(
    connection: Connection, link: RowMapping, account: BankAccount, row: RowMapping
) -> None:
    kept = set(row["kept"].split())
    if account.kind_is_guess or row["kind"] == account.kind:
        # What a file said of its account, or the person, is more than what a name hints at.
        kept |= {"kind", "subtype"}
    accounts.change_account(
        connection,
        row["no"],
        {
            "connection_no": link["no"],
            "external_id": account.external_id,
            "kept": " ".join(sorted(kept)),
        },
    )


def drop_the_empty(
    connection: Connection, owner: int, formers: Collection[int]
) -> list[RowMapping]:
    """Remove those connections that have no accounts any more, as the files' own does; answers them."""
    full = {row["connection_no"] for row in accounts.list_accounts(connection, owner)}
    gone = [
        row
        for row in connections.list_connections(connection, owner)
        if row["no"] in set(formers) - full
    ]
    for row in gone:
        connections.remove_connection(connection, row["no"])
    return gone


def _dated_rows(page: SyncPage) -> dict[str, list[DatedAmount]]:
    """The days and amounts of a page's posted rows, by the ids of their accounts."""
    dated: dict[str, list[DatedAmount]] = {}
    for row in page.added:
        if not row.pending:
            dated.setdefault(row.account, []).append((row.day, row.amount))
    return dated


def _signs_told(
    account: BankAccount, page: SyncPage, dated: Mapping[str, Sequence[DatedAmount]]
) -> AccountSigns:
    return AccountSigns(
        account.name,
        account.mask,
        None if account.kind_is_guess else account.kind,
        account.currency,
        account.institution or page.institution,
        account.balance,
        tuple(dated.get(account.external_id, ())),
    )


def _signs_held(
    connection: Connection, row: RowMapping, told: Iterable[AccountSigns]
) -> AccountSigns:
    days = [day for signs in told for day, _ in signs.rows]
    return signs_of(row, dated_amounts(connection, row["no"], min(days), max(days)) if days else ())


def signs_of(row: RowMapping, rows: Iterable[DatedAmount]) -> AccountSigns:
    """What tells an account that is there from others, with some of its rows."""
    return AccountSigns(
        row["name"],
        row["mask"],
        row["kind"],
        row["currency"],
        row["institution_name"],
        row["balance"],
        tuple(rows),
    )


def _values(account: BankAccount, today: int) -> dict[str, object]:
    return {
        "name": account.name,
        "mask": account.mask,
        "kind": account.kind,
        "subtype": account.subtype,
        "balance": account.balance,
        "balance_day": account.seen_on or today,
        "credit_limit": account.credit_limit,
        "apr": account.apr,
        "minimum_payment": account.minimum_payment,
        "institution": account.institution,
    }


def _owed_as_held(present: RowMapping, account: BankAccount) -> BankAccount:
    """The account with the sign of its balance turned where it is of a kind that its bank does not say.

    A bank that does not know a card for one tells what is owed below zero, as of any account.
    """
    stays = account.kind_is_guess or "kind" in present["kept"].split()
    if (
        account.balance is None
        or not stays
        or kind_owes(present["kind"]) == kind_owes(account.kind)
    ):
        return account
    return replace(account, balance=-account.balance)


def _refresh(
    connection: Connection, present: RowMapping, account: BankAccount, today: int
) -> set[str]:
    """Save what the bank says of an account that is there; answers what is new in it."""
    kept = set(present["kept"].split())
    if account.kind_is_guess:
        kept |= {"kind", "subtype"}
    kept |= {name for name in _NOT_ALWAYS_TOLD if getattr(account, name) is None}
    turned = "kind" not in kept and kind_owes(account.kind) != kind_owes(present["kind"])
    fresh = {name: value for name, value in _values(account, today).items() if name not in kept}
    if fresh.get("balance", 0) is None and fresh.get("kind", present["kind"]) in ROWS_ADD_UP:
        # It stays with its day, and the rows that came since are added to it.
        fresh |= {"balance": present["balance"], "balance_day": present["balance_day"]}
        if turned and present["balance"] is not None:
            fresh["balance"] = -present["balance"]
    differing = {name for name, value in fresh.items() if present[name] != value}
    if differing:
        accounts.change_account(connection, present["no"], fresh)
    if "kind" in differing and turned:
        accounts.negate_balances(connection, present["no"])
    return differing


def _new_account(
    connection: Connection,
    owner: int,
    link: int,
    account: BankAccount,
    today: int,
    *,
    unsure: bool,
) -> int:
    return accounts.add_account(
        connection,
        {
            **_values(account, today),
            "id": new_id("acc"),
            "owner_no": owner,
            "connection_no": link,
            "external_id": account.external_id,
            "currency": account.currency,
            # One that may be an account that is there already would be counted twice.
            "hidden": int(unsure),
            "kept": "",
            "sources": "",
        },
    )


def _reaches_back(connection: Connection, no: int, account: BankAccount) -> bool:
    """Whether a page covers days of an account before those that are covered."""
    since = accounts.synced_since(connection, no)
    told = account.covered_since
    return told is not None and (since is None or told < since)


def _cover(connection: Connection, no: int, account: BankAccount, today: int) -> None:
    """Let an account be covered up to what was seen: a sync brings all since the one before."""
    until = account.seen_on or today
    told = [account.covered_since, accounts.synced_since(connection, no)]
    since = min((day for day in told if day is not None), default=until)
    covered = (min(since, until), until, account.covered_since is not None, True)
    accounts.replace_synced_coverage(connection, no, covered)


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
    signs = {no: _signs_ever(connection, held[no]) for no in told}
    signs |= {no: signs[no]._replace(kind=None) for no in guessed & told}
    of_files = {no: _signs_ever(connection, row) for no, row in files.items()}
    apart = different_accounts(connection, owner)
    asked = {each.listed for each in relinked_pairs(connection, owner)}
    joined = False
    for no, file in same_rows(signs, of_files).items():
        listed, former = held[no], held[file]
        ids = frozenset({listed["id"], former["id"]})
        if file < no and ids not in apart and listed["id"] not in asked:
            _join_file(connection, owner, former, listed)
            joined = True
    return joined


def _join_file(connection: Connection, owner: int, former: RowMapping, listed: RowMapping) -> None:
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


def _signs_ever(connection: Connection, row: RowMapping) -> AccountSigns:
    return signs_of(row, dated_amounts(connection, row["no"], *_EVER))
