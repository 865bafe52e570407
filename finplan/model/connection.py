"""Bank connections and what a sync reports."""

from typing import Literal

from pydantic import ConfigDict

from finplan.model.base import PathId, Timestamp, Whole, Wire
from finplan.model.names import Name

Provider = Literal["aggregator", "demo", "manual"]
ConnectionStatus = Literal["ok", "login_required", "error"]


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


class Institution(Wire):
    """The institution as the linking program names it."""

    id: str | None = None
    name: Name


class LinkRequest(Wire):
    """Link a bank. Only `provider` is always required; `manual` needs the institution, too."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"provider": {"const": "manual"}}},
            "then": {
                "properties": {"institution": {"type": "object"}},
                "required": ["institution"],
            },
        }
    )

    provider: str
    public_token: str | None = None
    institution: Institution | None = None
    reconnect: dict[str, str] | None = None


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


class ConnectionId(Wire):
    """Names one connection."""

    id: PathId
