"""The rows of linked banks, and of fetching what is new at them."""

from finplan.model import connection as connections
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound, UnsupportedProvider
from finplan.operation import AnyOperation, Creates, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

BANKS = Family("Banks", "Banks that are linked, and fetching what is new at them.")

LIST_CONNECTIONS = Operation(BANKS, "list_connections", "GET", "/connections",
    Nothing, tuple[connections.ConnectionRecord, ...], "read",
    "The linked banks.", Derived(),
    links=Links("/0/connection/id", to=("show_connection", "sync_connection")))
LINK_CONNECTION = Operation(BANKS, "link_connection", "POST", "/connections",
    connections.LinkRequest, connections.ConnectionRecord, "write",
    "Link a bank; `demo` gives a synthetic household.", Creates(again=True),
    faults=(Conflict, UnsupportedProvider),
    links=Links("/connection/id", to=("show_connection", "sync_connection", "unlink_connection")))
BEGIN_LINK = Operation(BANKS, "begin_link", "POST", "/connections/link",
    connections.BankLinkRequest, connections.BankLink, "write",
    "Open a page at which you sign in at a bank, to link it or to reconnect it.", Creates(),
    faults=(NotFound, Conflict, UnsupportedProvider),
    links=Links("/id", to=("show_link",)))
SHOW_LINK = Operation(BANKS, "show_link", "GET", "/connections/link/{id}",
    connections.BankLinkId, connections.BankLink, "read",
    "What came of a page at which you sign in at a bank; ask every few seconds until it is linked.",
    faults=(NotFound,))
SHOW_CONNECTION = Operation(BANKS, "show_connection", "GET", "/connections/{id}",
    connections.ConnectionId, connections.ConnectionRecord, "read",
    "One linked bank.",
    faults=(NotFound,))
LIST_CONNECTION_STATES = Operation(BANKS, "list_connection_states", "GET", "/connections/states",
    Nothing, tuple[connections.ConnectionState, ...], "read",
    "The linked banks with consents that end soon and accounts that nothing tells apart.",
    links=Links("/0/record/connection/id", to=("show_connection", "sync_connection")))
SHOW_UNLINKING = Operation(BANKS, "show_unlinking", "GET", "/connections/{id}/unlinking",
    connections.ConnectionId, connections.UnlinkEffect, "read",
    "What of a bank would go when it is unlinked, and what would stay.",
    faults=(NotFound,))
UNLINK_CONNECTION = Operation(BANKS, "unlink_connection", "DELETE", "/connections/{id}",
    connections.Unlinking, connections.ConnectionRecord, "write",
    "Unlink a bank; what statement files brought stays, what it alone brought goes.",
    faults=(NotFound, Conflict))
SYNC_CONNECTION = Operation(BANKS, "sync_connection", "POST", "/connections/{id}/sync",
    connections.ConnectionId, connections.SyncReport, "write",
    "Fetch what is new at one bank.",
    faults=(NotFound, Conflict))
SYNC_ALL = Operation(BANKS, "sync_all", "POST", "/connections/sync",
    Nothing, tuple[connections.SyncReport, ...], "write",
    "Fetch what is new at every bank.")

ROWS: tuple[AnyOperation, ...] = (
    LIST_CONNECTIONS, LIST_CONNECTION_STATES, LINK_CONNECTION, BEGIN_LINK, SHOW_LINK,
    SHOW_CONNECTION, SHOW_UNLINKING, UNLINK_CONNECTION, SYNC_CONNECTION, SYNC_ALL,
)
# fmt: on
