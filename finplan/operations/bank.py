"""The rows of linked banks, and of fetching what is new at them."""

from finplan.model import connection as connections
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound, UnsupportedProvider
from finplan.operation import AnyOperation, Creates, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

BANKS = Family("Banks", "Linked banks and their syncs.")

LIST_CONNECTIONS = Operation(BANKS, "list_connections", "GET", "/connections",
    Nothing, tuple[connections.ConnectionRecord, ...], "read",
    "List your linked banks.", Derived(),
    links=Links("/0/connection/id", to=("show_connection", "sync_connection")))
LINK_CONNECTION = Operation(BANKS, "link_connection", "POST", "/connections",
    connections.LinkRequest, connections.ConnectionRecord, "write",
    "Link a bank; the provider `demo` links a demo household with made-up data.", Creates(again=True),
    faults=(Conflict, UnsupportedProvider),
    links=Links("/connection/id", to=("show_connection", "sync_connection", "unlink_connection")))
BEGIN_LINK = Operation(BANKS, "begin_link", "POST", "/connections/link",
    connections.BankLinkRequest, connections.BankLink, "write",
    "Open a bank's sign-in page, to link the bank or to reconnect it.", Creates(),
    faults=(NotFound, Conflict, UnsupportedProvider),
    links=Links("/id", to=("show_link",)))
SHOW_LINK = Operation(BANKS, "show_link", "GET", "/connections/link/{id}",
    connections.BankLinkId, connections.BankLink, "read",
    "Show the status of a bank's sign-in page; poll every few seconds until it is `linked` or `failed`.",
    faults=(NotFound,))
SHOW_CONNECTION = Operation(BANKS, "show_connection", "GET", "/connections/{id}",
    connections.ConnectionId, connections.ConnectionRecord, "read",
    "Show one linked bank.",
    faults=(NotFound,))
LIST_CONNECTION_STATES = Operation(BANKS, "list_connection_states", "GET", "/connections/states",
    Nothing, tuple[connections.ConnectionState, ...], "read",
    (
        "List your linked banks in detail, including consents that end soon and accounts that "
        "need your decision."
    ),
    links=Links("/0/record/connection/id", to=("show_connection", "sync_connection")))
SHOW_UNLINKING = Operation(BANKS, "show_unlinking", "GET", "/connections/{id}/unlinking",
    connections.ConnectionId, connections.UnlinkEffect, "read",
    "Preview what unlinking a bank would remove and keep: accounts and transactions.",
    faults=(NotFound,))
UNLINK_CONNECTION = Operation(BANKS, "unlink_connection", "DELETE", "/connections/{id}",
    connections.Unlinking, connections.ConnectionRecord, "write",
    "Unlink a bank; data that only the bank delivered is deleted, but data from statement files stays.",
    faults=(NotFound, Conflict))
SYNC_CONNECTION = Operation(BANKS, "sync_connection", "POST", "/connections/{id}/sync",
    connections.ConnectionId, connections.SyncReport, "write",
    "Fetch new transactions from one bank.",
    faults=(NotFound, Conflict))
SYNC_ALL = Operation(BANKS, "sync_all", "POST", "/connections/sync",
    Nothing, tuple[connections.SyncReport, ...], "write",
    "Fetch new transactions from every bank.")

ROWS: tuple[AnyOperation, ...] = (
    LIST_CONNECTIONS, LIST_CONNECTION_STATES, LINK_CONNECTION, BEGIN_LINK, SHOW_LINK,
    SHOW_CONNECTION, SHOW_UNLINKING, UNLINK_CONNECTION, SYNC_CONNECTION, SYNC_ALL,
)
# fmt: on
