"""The accounts that a bank lists: known by its ids, known again under new ones, or new.

What files brought before a link joins the account of it once the bank tells the days that they have. A
bank may tell the last weeks first, and what was before them only later: then its account is there
before its rows can show that a file has them as well. Accounts whose data come first from a bank bring
the currency of their household.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from finplan.banks.answer import NO_CURRENCY
from finplan.banks.base import BankAccount, SyncPage
from finplan.intake.facts import HeldAccount
from finplan.model.base import shared_fields
from finplan.plan.ledger.classes import ROWS_ADD_UP, kind_owes
from finplan.plan.ledger.days import ORDINAL, Interval, day_of_ordinal
from finplan.plan.pairing.repetition import DAYS_APART, DatedAmount
from finplan.plan.pairing.same_account import (
    AccountSigns,
    same_accounts,
    same_rows,
    unsure_accounts,
)

DatedAmounts = Callable[[int, int, int], Sequence[DatedAmount]]
"""The rows of an account, by its number, between two days YYYYMMDD, both counted."""

_TOLD = (
    *("name", "mask", "kind", "subtype", "balance", "credit_limit", "apr", "minimum_payment"),
    "institution",
)
"""What a bank tells of an account by the columns' names."""

_NOT_ALWAYS_TOLD = ("apr", "minimum_payment")
"""What stays known when a bank leaves it out."""

LATELY = 45
"""How many days before others of its bank an account may have been listed last, to be one of now."""

_EVER = (0, 99_991_231)
"""All days."""


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What the store knows when the accounts that a bank lists are decided.

    `link` is the number of the connection, `bank` what its bank is known by, None where no account is
    taken over. `held` are the person's accounts, oldest first; `covered` are the days that a bank covers
    of each, by its number. `currency` is the household's, None while it is not known.
    """

    link: int
    bank: str | None
    held: Sequence[HeldAccount]
    covered: Mapping[int, Interval]
    currency: str | None
    dated: DatedAmounts


class AccountUpdate(NamedTuple):
    """What is new in an account that a bank lists: columns by name, its days, and its balance of a day.

    `no` is None for a new account, `formers` are the numbers of those that it may be. `is_turned` says
    that what was recorded as owned is owed, or the other way round.
    """

    no: int | None
    values: Mapping[str, object]
    covered: Interval | None
    balance: tuple[int, int] | None
    is_turned: bool = False
    formers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class ListedAccounts:
    """What is written of the accounts that a bank lists.

    `renamed` have their new ids by their numbers: the bank gives their rows new ids, too. `moved` is
    what changes in those from elsewhere, `emptied` are the connections that have none any more.
    `currency` is what they bring the household, None where they bring none.
    """

    renamed: Mapping[int, str]
    moved: Mapping[int, Mapping[str, object]]
    emptied: Collection[int]
    updates: Sequence[AccountUpdate]
    currency: str | None

    @property
    def changes_any(self) -> bool:
        """Whether anything is new in the accounts."""
        return bool(self.renamed or self.moved or any(update.values for update in self.updates))

    @property
    def changes_nature(self) -> bool:
        """Whether other rows may count than before."""
        changed = {name for update in self.updates for name in update.values}
        return bool(self.renamed or self.moved or not changed.isdisjoint({"kind", "subtype"}))


def decide_accounts(page: SyncPage, facts: LinkFacts, today: int) -> ListedAccounts:
    """Decide whose the accounts of a page are; one that was there under another id stays that account.

    `today` is YYYYMMDD.
    """
    ours = {account.external_id for account in facts.held if account.connection_no == facts.link}
    new = {
        account.external_id: account for account in page.accounts if account.external_id not in ours
    }
    by_name = {} if facts.bank is None else _signs_of_page(page, new)
    renamed, maybe = _match_relisted(page, facts, by_name)
    unmatched = {name: signs for name, signs in by_name.items() if name not in renamed.values()}
    moved = [
        _move_account(account, new[name], facts)
        for name, account in _adopted(facts, new, unmatched).items()
    ]
    accounts = {account.no: account for account in facts.held}
    accounts |= {no: replace(accounts[no], external_id=name) for no, name in renamed.items()}
    accounts |= {account.no: account for account in moved}
    linked = {
        account.external_id: account
        for account in accounts.values()
        if account.connection_no == facts.link
    }
    updates = [
        _first_update(account, today, maybe.get(account.external_id, ()))
        if (present := linked.get(account.external_id)) is None
        else told_anew(present, account, facts.covered.get(present.no), today)
        for account in page.accounts
    ]
    added = [account for account in page.accounts if account.external_id not in linked]
    return ListedAccounts(
        renamed,
        {account.no: _place_of(account) for account in moved},
        left_empty(facts.held, {account.no for account in moved}),
        updates,
        _only_currency((*facts.held, *added)) if facts.currency is None else None,
    )


def left_empty(accounts: Iterable[HeldAccount], moved: Collection[int]) -> set[int]:
    """The numbers of the connections that have no account any more once some are `moved`, by number."""
    listed = list(accounts)
    former = {account.connection_no for account in listed if account.no in moved}
    return former - {account.connection_no for account in listed if account.no not in moved}


def _match_relisted(
    page: SyncPage, facts: LinkFacts, by_name: Mapping[str, AccountSigns]
) -> tuple[dict[int, str], Mapping[str, Sequence[int]]]:
    """The new ids of accounts of this link by number, and by the ids of others which they may be."""
    listed = {account.external_id for account in page.accounts}
    ours = [account for account in facts.held if account.connection_no == facts.link]
    gone = [account for account in ours if account.external_id not in listed]
    if not page.lists_all or not gone:
        return {}, {}
    present = {
        account.no: _signs_of_stored(account, by_name.values(), facts.dated) for account in gone
    }
    same = same_accounts(by_name, present, relinked=True)
    unmatched = {name: signs for name, signs in by_name.items() if name not in same}
    lately = _listed_lately(ours, facts.covered)
    candidates = {
        no: signs for no, signs in present.items() if no in lately and no not in same.values()
    }
    return {no: name for name, no in same.items()}, unsure_accounts(unmatched, candidates)


def _listed_lately(accounts: Iterable[HeldAccount], covered: Mapping[int, Interval]) -> set[int]:
    """The accounts that the bank listed until now; one that was closed long ago is no new one."""
    until = {
        account.no: ORDINAL[covered[account.no].until]
        for account in accounts
        if account.no in covered
    }
    newest = max(until.values(), default=0)
    return {no for no, day in until.items() if newest - day <= LATELY}


def _adopted(
    facts: LinkFacts, new: Mapping[str, BankAccount], by_name: Mapping[str, AccountSigns]
) -> dict[str, HeldAccount]:
    """The accounts of files and of other links that those of `by_name` are, by the bank's ids."""
    # The same access was linked a second time, and knows the account by the same id.
    linked_before = {
        account.external_id: account
        for account in facts.held
        if account.provider != "manual"
        and account.bank == facts.bank
        and account.external_id in by_name
        and account.currency == new[account.external_id].currency
    }
    of_files = {account.no: account for account in facts.held if account.provider == "manual"}
    present = {
        no: _signs_of_stored(account, by_name.values(), facts.dated)
        for no, account in of_files.items()
    }
    candidates = {name: signs for name, signs in by_name.items() if name not in linked_before}
    same = same_accounts(candidates, present, relinked=False)
    return linked_before | {name: of_files[no] for name, no in same.items()}


def _move_account(stored: HeldAccount, listed: BankAccount, facts: LinkFacts) -> HeldAccount:
    locked = stored.kept
    if listed.kind_is_guess or stored.kind == listed.kind:
        # What a file said of its account, or the person, is more than what a name hints at.
        locked |= {"kind", "subtype"}
    return replace(stored, connection_no=facts.link, external_id=listed.external_id, kept=locked)


def _place_of(stored: HeldAccount) -> dict[str, object]:
    locked = " ".join(sorted(stored.kept))
    return {
        "connection_no": stored.connection_no,
        "external_id": stored.external_id,
        "kept": locked,
    }


def _signs_of_page(page: SyncPage, new: Mapping[str, BankAccount]) -> dict[str, AccountSigns]:
    """What tells the new accounts of a page from others, with their posted rows on it."""
    dated: dict[str, list[DatedAmount]] = {}
    for row in page.added:
        if not row.pending:
            dated.setdefault(row.account, []).append((row.day, row.amount))
    return {
        name: AccountSigns(
            account.name,
            account.mask,
            None if account.kind_is_guess else account.kind,
            account.currency,
            account.institution or page.institution,
            account.balance,
            tuple(dated.get(name, ())),
        )
        for name, account in new.items()
    }


def _signs_of_stored(
    stored: HeldAccount, listed: Iterable[AccountSigns], dated: DatedAmounts
) -> AccountSigns:
    days = [day for signs in listed for day, _ in signs.rows]
    return _signs_of(stored, dated(stored.no, min(days), max(days)) if days else ())


def _signs_of(stored: HeldAccount, rows: Iterable[DatedAmount]) -> AccountSigns:
    """What tells an account that is there from others, with some of its rows."""
    return AccountSigns(
        stored.name,
        stored.mask,
        stored.kind,
        stored.currency,
        stored.institution_name,
        stored.balance,
        tuple(rows),
    )


def _values(account: BankAccount, today: int) -> dict[str, object]:
    return shared_fields(account, _TOLD) | {"balance_day": account.seen_on or today}


def _first_update(account: BankAccount, today: int, maybe: Sequence[int]) -> AccountUpdate:
    values = {
        **_values(account, today),
        "external_id": account.external_id,
        "currency": account.currency,
        # One that may be an account that is there already would be counted twice.
        "hidden": int(bool(maybe)),
        "kept": "",
        "sources": "",
    }
    covered, balance = _covered(account, None, today), _balance(account, today)
    return AccountUpdate(None, values, covered, balance, formers=maybe)


def told_anew(
    stored: HeldAccount, account: BankAccount, covered: Interval | None, today: int
) -> AccountUpdate:
    """Decide what is new in an account that is there; what the person set stays.

    `covered` are the days that the bank has told of, None before the first sync. `today` is YYYYMMDD.
    """
    account = _keep_sign(stored, account)
    locked = set(stored.kept)
    if account.kind_is_guess:
        locked |= {"kind", "subtype"}
    locked |= {name for name in _NOT_ALWAYS_TOLD if getattr(account, name) is None}
    is_turned = "kind" not in locked and kind_owes(account.kind) != kind_owes(stored.kind)
    fresh = {name: value for name, value in _values(account, today).items() if name not in locked}
    if "balance" in locked:
        # It stays with its day, and the rows that came since are added to it.
        fresh.pop("balance_day", None)
    elif fresh.get("balance", 0) is None and fresh.get("kind", stored.kind) in ROWS_ADD_UP:
        # It stays with its day, and the rows that came since are added to it.
        turned = None if stored.balance is None else -stored.balance
        fresh["balance"] = turned if is_turned else stored.balance
        fresh["balance_day"] = stored.balance_day
    values = {name: value for name, value in fresh.items() if getattr(stored, name) != value}
    since, bank_since = None if covered is None else covered.since, account.covered_since
    reaches_back = bank_since is not None and (since is None or bank_since < since)
    if not values and not reaches_back:
        return AccountUpdate(stored.no, {}, None, None)
    days, balance = _covered(account, since, today), _balance(account, today)
    return AccountUpdate(stored.no, values, days, balance, is_turned)


def _keep_sign(stored: HeldAccount, account: BankAccount) -> BankAccount:
    """The account with the sign of its balance turned where it is of a kind that its bank does not say.

    A bank that does not know a card for one tells what is owed below zero, as of any account.
    """
    stays = account.kind_is_guess or "kind" in stored.kept
    if account.balance is None or not stays or kind_owes(stored.kind) == kind_owes(account.kind):
        return account
    return replace(account, balance=-account.balance)


def _covered(account: BankAccount, since: int | None, today: int) -> Interval:
    """The days of an account up to what was seen: a sync brings all since the one before."""
    until = account.seen_on or today
    starts = [day for day in (account.covered_since, since) if day is not None]
    return Interval(min([*starts, until]), until, account.covered_since is not None)


def _balance(account: BankAccount, today: int) -> tuple[int, int] | None:
    return None if account.balance is None else (account.seen_on or today, account.balance)


def _only_currency(accounts: Iterable[HeldAccount | BankAccount]) -> str | None:
    """The currency that accounts are all in, before their rows are there; points and miles are none."""
    currencies = {account.currency for account in accounts} - {NO_CURRENCY}
    return currencies.pop() if len(currencies) == 1 else None


def most_common_currency(in_use: Iterable[tuple[str, int, int]], *, complete: bool) -> str | None:
    """The currency of most rows, then of most accounts; of several that are equally common the first.

    `in_use` has each with its accounts and rows. Which account a bank lists first says nothing of where
    somebody lives, so that a bank whose rows are not read yet, which is not `complete`, is waited for.
    """
    usages = [usage for usage in in_use if usage[0] != NO_CURRENCY]
    if not complete and not any(rows for _, _, rows in usages):
        return None
    most = max(usages, key=lambda usage: (usage[2], usage[1]), default=None)
    return None if most is None else most[0]


@dataclass(frozen=True, slots=True)
class FilesBefore:
    """What the store knows when accounts of files are looked for that go on as those of a page.

    `held` are the person's accounts. Pairs `apart` are those that the person said are two, and `asked`
    those of the bank that are asked about, by their ids.
    """

    held: Sequence[HeldAccount]
    apart: Collection[frozenset[str]]
    asked: Collection[str]
    dated: DatedAmounts


def files_gone_on(
    page: SyncPage, numbers: Mapping[str, int], facts: FilesBefore
) -> list[tuple[HeldAccount, HeldAccount]]:
    """The accounts of files, each with the one of an applied page that it goes on as.

    `numbers` are the accounts by the bank's ids. Only rows tell here: number and place were looked at
    when the bank listed its accounts, all of them at once. A file that came after an account of the
    bank's is none of these, since the person may have said then that it is another one: it stays a
    question. Nor are two that the person keeps apart.
    """
    with_rows = {numbers[row.account] for row in page.added}
    days = [ORDINAL[row.day] for row in page.added]
    if not with_rows:
        return []
    span = (day_of_ordinal(min(days) - DAYS_APART), day_of_ordinal(max(days) + DAYS_APART))
    accounts = {account.no: account for account in facts.held}
    files = [
        account
        for no, account in accounts.items()
        if account.provider == "manual" and no < max(with_rows) and facts.dated(no, *span)
    ]
    if not files:
        return []
    guessed = {numbers[account.external_id] for account in page.accounts if account.kind_is_guess}
    signs = {no: _signs_of(accounts[no], facts.dated(no, *_EVER)) for no in with_rows}
    signs |= {no: signs[no]._replace(kind=None) for no in guessed & with_rows}
    of_files = {file.no: _signs_of(file, facts.dated(file.no, *_EVER)) for file in files}
    pairs = [
        (accounts[file], accounts[no])
        for no, file in same_rows(signs, of_files).items()
        if file < no
    ]
    return [
        (former, listed)
        for former, listed in pairs
        if frozenset((former.id, listed.id)) not in facts.apart and listed.id not in facts.asked
    ]
