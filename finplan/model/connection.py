"""Bank connections: how one is linked, when its consent ends, what a sync reports."""

from datetime import UTC, date, datetime, tzinfo
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field

from finplan.model.base import ById, Name, Timestamp, Whole, Wire, one_of
from finplan.model.figures import short_date

Provider = Literal["aggregator", "demo", "manual"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)
ConnectionStatus = Literal["ok", "login_required", "error"]

UNNAMED_INSTITUTION = "Statement files"
"""The institution of accounts whose files name none."""


class Connection(Wire):
    """A link to one institution."""

    id: str
    user_id: str
    provider: Provider
    institution_name: str
    status: ConnectionStatus
    error: str | None


class ConnectionRecord(Wire):
    """A connection with how far it has been synced; `lastSyncedAt` is null before the first success.

    `syncCursor` is null as long as its bank has named no place to go on from; a manual one never does.
    """

    connection: Connection
    sync_cursor: str | None
    last_synced_at: Timestamp | None


class ConnectionState(Wire):
    """How a connection stands beyond what its record says.

    `bank` is by whom an aggregator reaches it. `accessEndsAt` is when the person's consent ends, and
    `accessEnding` whether that is within a week. `unsureAccounts` counts accounts under new ids that
    nothing tells apart from those that were there: in no total until the person says which they are.
    `nextTryAt` is when it is synced by itself.
    """

    record: ConnectionRecord
    bank: str | None
    access_ends_at: Timestamp | None
    access_ending: bool
    unsure_accounts: Whole
    next_try_at: Timestamp | None


class Institution(Wire):
    """The institution as the linking program names it."""

    id: str | None = None
    name: Name


class Reconnection(Wire):
    """The connection that a new access takes the place in: its accounts, rules and answers stay."""

    connection_id: str


class LinkRequest(Wire):
    """Link a bank. Only `provider` is always required.

    `publicToken` is what a person brings from an aggregator, such as a setup token of SimpleFIN; `demo`
    and `manual` accept it and do not use it. `institution` names the connection. `reconnect` is for
    `aggregator` alone: the others have no sign-in to renew.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"provider": {"const": "aggregator"}}},
            "then": {
                "properties": {"publicToken": {"type": "string"}},
                "required": ["publicToken"],
            },
            "else": {"properties": {"reconnect": {"type": "null"}}},
        }
    )

    provider: str
    public_token: Annotated[str, Field(max_length=4_000)] | None = None
    institution: Institution | None = None
    reconnect: Reconnection | None = None


class RowSpan(Wire):
    """How many rows, and the days of the first and the last; null where there is none."""

    count: Whole
    since: Annotated[date | None, Field(alias="from")]
    until: Annotated[date | None, Field(alias="to")]


class UnlinkEffect(Wire):
    """What of a connection goes when it is unlinked, and what stays as statement files brought it.

    Accounts are named. One that files brought stays, without the rows that the bank alone brought.
    """

    record: ConnectionRecord
    accounts_gone: tuple[str, ...]
    rows_gone: RowSpan
    accounts_kept: tuple[str, ...]
    rows_kept: RowSpan


BankName = Literal["simplefin", "plaid", "enablebanking"]
PageBankName = Literal["plaid", "enablebanking"]
"""The banks that are linked at a page of theirs."""

BANK_NAMES: tuple[BankName, ...] = get_args(BankName)
"""Through whom banks are reached behind the provider `aggregator`."""

LinkStatus = Literal["pending", "linked", "failed"]


class BankLinkRequest(Wire):
    """Open a page at which you link a bank, or sign in again at one that is linked (`reconnect`).

    `bank` is through whom. `institution` is where you want to sign in, for those that ask it beforehand.
    """

    bank: Annotated[str, Field(max_length=40, json_schema_extra=one_of(PageBankName))]
    reconnect: Reconnection | None = None
    institution: Institution | None = None


class BankLinkId(ById):
    """Names one link that was begun."""


class BankLink(Wire):
    """A link that was begun: open `url`, sign in there, and ask for it until it is no longer `pending`.

    `connection` is what came of it. One that `failed` because the page was left becomes `linked` after
    all where you go back to it before `expiresAt`.
    """

    id: str
    bank: BankName
    url: str
    expires_at: Timestamp
    status: LinkStatus
    connection: Connection | None
    error: str | None


class SyncReport(Wire):
    """What one sync of one connection changed; `complete` is false while the bank has more history."""

    connection_id: str
    ok: bool
    accounts: Whole
    added: Whole
    modified: Whole
    removed: Whole
    complete: bool
    error: str | None


class ConnectionId(ById):
    """Names one connection."""


class Unlinking(ById):
    """Ends one connection; with `keep` its accounts go on as those of statement files."""

    keep: Annotated[
        bool, Field(description="Keep all accounts and rows, as those of statement files.")
    ] = False


CONSENT_TOLD_BEFORE = 7
"""How many days before a consent ends the person is told."""


def last_day_of_access(ends_at: int, zone: tzinfo | None = UTC) -> date:
    """The day on which a consent ends at an instant in ms."""
    return datetime.fromtimestamp(ends_at / 1000, zone).date()


def access_ends_soon(ends_at: int | None, today: date, zone: tzinfo = UTC) -> bool:
    """Whether a consent ends within a week, or has ended."""
    return (
        ends_at is not None
        and (last_day_of_access(ends_at, zone) - today).days <= CONSENT_TOLD_BEFORE
    )


def consent_ends(ends_at: int, today: date, zone: tzinfo | None = UTC) -> str:
    """What is said of a consent that ends, as a part of a sentence."""
    day = last_day_of_access(ends_at, zone)
    left = (day - today).days
    if left < 0:
        return f"the consent that you gave ended on {short_date(day)}"
    when = {0: "today", 1: "tomorrow"}.get(left, f"on {short_date(day)}")
    return f"the consent that you gave ends {when}"
