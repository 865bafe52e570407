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
    """A connection and its last sync; `lastSyncedAt` is null before the first success.

    `syncCursor` is null until the bank returns a cursor; a manual connection never has a cursor.
    """

    connection: Connection
    sync_cursor: str | None
    last_synced_at: Timestamp | None


class ConnectionState(Wire):
    """The state of a connection.

    `bank` is the provider. `accessEndsAt` is when the person's consent ends; `accessEnding` is true if
    consent ends within a week. `unsureAccounts` counts accounts with new ids that may be accounts linked
    earlier. Totals exclude them until the person decides. `nextTryAt` is the time of the next scheduled
    sync.
    """

    record: ConnectionRecord
    bank: str | None
    access_ends_at: Timestamp | None
    access_ending: bool
    unsure_accounts: Whole
    next_try_at: Timestamp | None


class Institution(Wire):
    """The institution, with the name that the provider uses."""

    id: str | None = None
    name: Name


class Reconnection(Wire):
    """The connection to renew; its accounts, rules and answers stay."""

    connection_id: str


class LinkRequest(Wire):
    """Link a bank. Only `provider` is always required.

    `publicToken` is the person's token from the provider, such as a SimpleFIN setup token; `demo` and
    `manual` ignore it. `institution` names the connection. `reconnect` is only for `aggregator`.
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
    """The number of transactions, and the days of the first and last; without any, the days are null."""

    count: Whole
    since: Annotated[date | None, Field(alias="from")]
    until: Annotated[date | None, Field(alias="to")]


class UnlinkEffect(Wire):
    """What unlinking a connection deletes, and what stays.

    Accounts are listed by name. An account with imported statement files stays, but without the
    transactions that came only from the bank.
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
    """Open a provider's page to link a bank, or to sign in to a bank again (`reconnect`).

    `bank` is the provider. `institution` is where you sign in; some providers require it.
    """

    bank: Annotated[str, Field(max_length=40, json_schema_extra=one_of(PageBankName))]
    reconnect: Reconnection | None = None
    institution: Institution | None = None


class BankLinkId(ById):
    """Identifies one started link."""


class BankLink(Wire):
    """A started link: open `url`, sign in there, and poll until it is no longer `pending`.

    `connection` is the result. If the link `failed` because you closed the page, you can still open
    `url` and finish before `expiresAt`.
    """

    id: str
    bank: BankName
    url: str
    expires_at: Timestamp
    status: LinkStatus
    connection: Connection | None
    error: str | None


class SyncReport(Wire):
    """What one sync of a connection changed; `complete` is false while the bank has more history."""

    connection_id: str
    ok: bool
    accounts: Whole
    added: Whole
    modified: Whole
    removed: Whole
    complete: bool
    error: str | None


class ConnectionId(ById):
    """Identifies one connection."""


class Unlinking(ById):
    """Unlink one connection; with `keep`, its accounts stay as if imported from files."""

    keep: Annotated[
        bool, Field(description="Keep all accounts and transactions, as if imported from files.")
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
    days = (day - today).days
    if days < 0:
        return f"your consent ended on {short_date(day)}"
    when = {0: "today", 1: "tomorrow"}.get(days, f"on {short_date(day)}")
    return f"your consent ends {when}"
