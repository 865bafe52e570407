"""The face that every bank shows: a sync that starts from a cursor and answers a page.

Aggregators that do not say what kind of account one is are helped by its name, and the manual
bank, whose rows come from statement files, has nothing to fetch.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple, Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from finplan.model.account import AccountKind
from finplan.model.characters import visible_name, visible_text
from finplan.model.errors import BankProviderError

_UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class BankAccount:
    """An account as the bank knows it.

    `balance` follows the store's convention: positive is owned on depository and investment
    accounts, owed on credit and loan accounts; minor units of `currency`. Days are YYYYMMDD:
    `covered_since` is the first that the bank has rows for, `seen_on` the one that its balance and its
    newest rows are of, where that is not the day of the sync. `institution` is named where one link
    reaches several. `kind_is_guess` says that the kind and subtype were told from a name.
    """

    external_id: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    currency: str
    balance: int | None
    credit_limit: int | None = None
    apr: float | None = None
    minimum_payment: int | None = None
    covered_since: int | None = None
    seen_on: int | None = None
    institution: str | None = None
    kind_is_guess: bool = False


class BankTransaction(NamedTuple):
    """A row as the bank knows it; `amount` is positive when money comes in, `day` is YYYYMMDD.

    `replaces` is the external id of the pending row that this posted row settles, where the bank
    says. `code` is its own code of what the row was for (see `categorise.merchant_codes`).
    """

    account: str
    external_id: str
    day: int
    amount: int
    raw: str
    payee: str | None = None
    pending: bool = False
    replaces: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class SyncPage:
    """What changed since a cursor: whole accounts, rows added, rows modified, ids removed.

    `more` says that another page follows; `complete` that the bank has no further history to give.
    `pending_of` are the accounts whose pending rows are all among `added`: what else waited there waits
    no longer. `is_whole` says that `added` has all that the bank has of the days from its first row on,
    `whole_of` are the accounts of whose rows `added` has all that the bank gives under this access;
    `partly_read` are those of which rows were left out, so that none of theirs is missed.
    `lists_all` says that `accounts` are all that the link reaches. `institution` is what the bank calls
    itself, `institution_id` what the aggregator knows it by. `access_ends` is the instant in ms at which
    the person's consent does, `trouble` what a part of the accounts is not brought for.
    """

    accounts: tuple[BankAccount, ...]
    added: tuple[BankTransaction, ...]
    modified: tuple[BankTransaction, ...]
    removed: tuple[str, ...]
    cursor: str
    more: bool = False
    complete: bool = True
    pending_of: frozenset[str] = frozenset()
    is_whole: bool = False
    whole_of: frozenset[str] = frozenset()
    partly_read: frozenset[str] = frozenset()
    lists_all: bool = False
    institution: str | None = None
    institution_id: str | None = None
    access_ends: int | None = None
    trouble: BankProviderError | None = None

    def strip_invisible(self) -> "SyncPage":
        """The page without characters that a person cannot see, and with texts of a bounded length."""
        return replace(
            self,
            accounts=tuple(
                replace(account, name=visible_name(account.name)) for account in self.accounts
            ),
            institution=self.institution and visible_name(self.institution),
            added=tuple(map(_strip_row, self.added)),
            modified=tuple(map(_strip_row, self.modified)),
        )


def _strip_row(row: BankTransaction) -> BankTransaction:
    return row._replace(raw=visible_text(row.raw), payee=row.payee and visible_name(row.payee))


def in_order(rows: Iterable[BankTransaction]) -> tuple[BankTransaction, ...]:
    """Rows by their day, account and id."""
    return tuple(sorted(rows, key=lambda row: (row.day, row.account, row.external_id, row.amount)))


def first_days(rows: Iterable[BankTransaction]) -> dict[str, int]:
    """The day of the first posted row of each account that has one."""
    days: dict[str, int] = {}
    for row in rows:
        if not row.pending:
            days[row.account] = min(row.day, days.get(row.account, row.day))
    return days


def without_frames(error: BankProviderError) -> BankProviderError:
    """A failure without the frames that it came through: they hold the answers that were read.

    Whoever keeps a failure would keep those as well, until the collector looks for cycles.
    """
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


async def _uncounted() -> None:
    """For a bank that sets no limit."""


@dataclass(frozen=True, slots=True)
class Link:
    """What a bank needs to know of a connection: whose it is, where, its secret if any.

    `zone` is where the person lives. `kept_in` is the currency that each account is kept in, by the
    bank's ids: one that is told in another one cannot be read. `count_request` is called before each
    request of a bank that allows so many a day; it raises BankProviderError when those are spent.
    """

    owner: str
    institution: str
    secret: str | None = field(default=None, repr=False)
    zone: ZoneInfo = _UTC
    kept_in: Mapping[str, str] = field(default_factory=dict)
    count_request: Callable[[], Awaitable[None]] = _uncounted


class Bank(Protocol):
    """A provider. Raises model.errors.BankProviderError when the provider fails."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Fetch what changed since the cursor; None means from the beginning."""
        ...


@dataclass(frozen=True, slots=True)
class Access:
    """What a person's token was exchanged for: the secret that reaches the bank from now on.

    `institution` and `institution_id` are what the bank says of itself, where it does already.
    """

    secret: str = field(repr=False)
    institution: str | None = None
    institution_id: str | None = None


class Aggregator(Bank, Protocol):
    """A bank that is reached through somebody else, by a secret that a person's token is worth.

    `title` is what people know it by. `requests_a_day` is how often it may be asked within 24 hours for
    one connection, None where nothing limits that.
    """

    title: str
    requests_a_day: int | None

    def recognises(self, public_token: str) -> bool:
        """Whether a token is written as this one's are."""
        ...

    async def exchange(self, public_token: str) -> Access:
        """Spend a token. Raises BankProviderError with what the person can do."""
        ...

    def after_relink(self, cursor: str | None) -> str | None:
        """Where the next sync goes on once a new access has taken the place of the one before."""
        ...

    async def leave(self, secret: str) -> None:
        """End the access, so that nobody pays for it any more. Raises BankProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class PageWanted:
    """What a page is opened for: whose it is, at which institution, and the access that it renews.

    `institution_id` is what the aggregator knows the institution by, `secret` is the access of a
    connection that is to be reconnected, each None where there is none.
    """

    owner: str
    institution: str | None = None
    institution_id: str | None = None
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page at which a person links a bank: its address, until when it is open, in ms, and its ticket.

    The ticket is a secret that `look` is asked with. Where the person has to bring along the address
    that the page leads to, `state` is what that is known by.
    """

    url: str
    expires_at: int
    ticket: str = field(repr=False)
    state: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PageDone:
    """The person is done at the page; `public_token` is to be exchanged.

    It is None where the access that there was goes on. `institution` and `institution_id` are what the
    page says of where the person signed in. `further` is the ticket by which the next sign-in at the
    same page is looked for, None where a page is good for one.
    """

    public_token: str | None = field(default=None, repr=False)
    institution: str | None = None
    institution_id: str | None = None
    further: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PageLeft:
    """The person left the page without having linked a bank, and may come back while it is open."""

    message: str


@runtime_checkable
class PageAggregator(Aggregator, Protocol):
    """An aggregator whose banks are linked at a page of its own, where the person signs in.

    BankProviderError of the kind `login_required` ends a link, since only the person can mend it by
    another page; any other is tried again while the page is open.
    """

    async def begin(self, request: PageWanted) -> OpenedPage:
        """Open a page. Raises BankProviderError, and BadRequest for an institution that it lacks."""
        ...

    async def look(self, ticket: str) -> PageDone | PageLeft | None:
        """What came of a page, None as long as nothing did. Raises BankProviderError."""
        ...

    def state_of(self, public_token: str) -> str | None:
        """The state of the page that a token comes from; None where a token says nothing of it."""
        ...


class KindOfName(NamedTuple):
    """A kind of account and, where the name tells it too, the subtype."""

    kind: AccountKind
    subtype: str | None = None


_KINDS_BY_WORDS: tuple[tuple[str, AccountKind, str | None], ...] = (
    ("mortgage|home loan|hypothek|hypotheek", "loan", "mortgage"),
    ("auto loan|car loan|vehicle loan", "loan", "auto"),
    ("student loans?", "loan", "student"),
    ("heloc|home equity|line of credit", "loan", "line of credit"),
    ("loans?|kredit|darlehen|prêt", "loan", None),
    ("401 ?\\(?k\\)?|403 ?\\(?b\\)?|457 ?\\(?b\\)?", "investment", "401k"),
    ("roth ira|roth", "investment", "roth"),
    ("ira|sep ira", "investment", "ira"),
    ("brokerage|invest\\w*|securities|portfolio|depot|rsu|espp|529", "investment", "brokerage"),
    ("debit cards?", "depository", "checking"),
    ("credit ?cards?|kreditkarte|carte de crédit|creditcard", "credit", "credit card"),
    (
        "visa|master ?card|amex|american express|discover it|platinum card",
        "credit",
        "credit card",
    ),
    ("money market", "depository", "money market"),
    ("cds?|certificates?( of deposit)?|festgeld", "depository", "cd"),
    ("sav(ings?)?|sparkonto|tagesgeld|livret", "depository", "savings"),
    ("che(ck|que|quing|cking)\\w*|chk|current|girokonto|giro", "depository", "checking"),
)
"""The first that fits counts: an auto loan is no bare loan, a debit card no card."""

_KIND_PATTERNS = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), KindOfName(kind, subtype))
    for pattern, kind, subtype in _KINDS_BY_WORDS
)


def kind_of_name(name: str) -> KindOfName | None:
    """The kind that a name speaks of, None where it speaks of none."""
    return next((kind for pattern, kind in _KIND_PATTERNS if pattern.search(name)), None)


_LAST_DIGITS = re.compile(r"(?:^|[^0-9])([0-9]{4})\W*$")


def mask_of_name(name: str) -> str | None:
    """The last four digits of an account's number where its name ends in them: "Checking (…1234)"."""
    match = _LAST_DIGITS.search(name)
    return match[1] if match else None


class Manual:
    """The Bank of imported statements: every sync is complete at once and changes nothing."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:  # noqa: ARG002
        """Answer an empty page; what a person imports is stored by the import itself."""
        return SyncPage(accounts=(), added=(), modified=(), removed=(), cursor=cursor or "")
