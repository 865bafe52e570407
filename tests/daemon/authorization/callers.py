"""The kinds of caller: what each shows, and what it may ask for.

`nobody` to `session that has ended` let nobody in. Whoever is `other` is let in as Bob, so that Ada's
things are not there; who comes with something of hers may do no more than its scopes.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from finplan.operation import AnyOperation
from finplan.service.credentials.keys import new_token
from finplan.service.dispatch import NOT_FOR_GUESTS
from tests.daemon.authorization.household import Settled, begin_browser_session, local_cookie
from tests.daemon.running import RunningDaemon

Headers = Mapping[str, str]
Whose = Literal["nobody", "other", "guest", "owner"]

_ALL = ("read", "write", "session")
_PROGRAM = ("read", "write")


@dataclass(frozen=True)
class CallerKind:
    """A kind of caller: whom it speaks for and its scopes; `show` answers its headers."""

    name: str
    whose: Whose
    scopes: Collection[str]
    show: Callable[[RunningDaemon, Settled], Headers]
    is_browser: bool = False

    def may(self, row: AnyOperation) -> bool:
        """Whether its credential is good for a row, of whosever things."""
        if self.whose == "guest" and row in NOT_FOR_GUESTS:
            return False
        return row.scope in self.scopes

    async def headers(self, daemon: RunningDaemon, settled: Settled) -> Headers:
        """The credential as headers; a browser's session is begun for each request."""
        if not self.is_browser:
            return self.show(daemon, settled)
        cookie = await begin_browser_session(daemon, settled.bob)
        return {
            "Cookie": f"finplan_browser_{daemon.port}={cookie}",
            "Origin": daemon.base_url,
            "Sec-Fetch-Site": "same-origin",
        }


def _secret(header: str, secret: str, before: str = "") -> Callable[..., Headers]:
    def show(_daemon: RunningDaemon, settled: Settled) -> Headers:
        return {header: f"{before}{settled.secrets[secret]}"}

    return show


def _key(secret: str) -> Callable[..., Headers]:
    return _secret("x-api-key", secret)


def _token(secret: str) -> Callable[..., Headers]:
    return _secret("Authorization", secret, "Bearer ")


def _always(header: str, value: str) -> Callable[..., Headers]:
    return lambda _daemon, _settled: {header: value}


def _of_bob(daemon: RunningDaemon, _settled: Settled) -> Headers:
    return {"Cookie": local_cookie(daemon)}


def _browser_cookie(value: str) -> Callable[..., Headers]:
    def show(daemon: RunningDaemon, settled: Settled) -> Headers:
        cookie = settled.secrets.get(value, value)
        return {
            "Cookie": f"finplan_browser_{daemon.port}={cookie}",
            "Origin": daemon.base_url,
            "Sec-Fetch-Site": "same-origin",
        }

    return show


REFUSED = (
    CallerKind("nobody", "nobody", (), lambda _daemon, _settled: {}),
    CallerKind("wrong local session", "nobody", (), _always("Cookie", "finplan_session=wrong")),
    CallerKind("wrong browser session", "nobody", (), _browser_cookie("wrong")),
    CallerKind("wrong key", "nobody", (), _always("x-api-key", new_token("fpk_"))),
    CallerKind(
        "wrong token", "nobody", (), _always("Authorization", f"Bearer {new_token('fpa_')}")
    ),
    CallerKind("revoked key", "nobody", (), _key("revoked key")),
    CallerKind("key that is over", "nobody", (), _key("key that is over")),
    CallerKind("revoked token", "nobody", (), _token("revoked token")),
    CallerKind("token that is over", "nobody", (), _token("token that is over")),
    CallerKind("ended session", "nobody", (), _browser_cookie("session that has ended")),
)
"""Who is nobody, or is not any more: each is refused before anything is looked for."""

OTHERS = (
    CallerKind("other's local session", "other", _ALL, _of_bob),
    CallerKind("other's browser", "other", _ALL, _of_bob, is_browser=True),
    CallerKind("other's key", "other", _PROGRAM, _key("his key")),
    CallerKind("other's token", "other", _PROGRAM, _token("his token")),
    CallerKind("other's agent", "other", _PROGRAM, _token("his agent")),
    CallerKind("other's reading key", "other", ("read",), _key("his reading key")),
    CallerKind("other's reading token", "other", ("read",), _token("his reading token")),
    CallerKind("other's token without a scope", "other", (), _token("his scopeless token")),
)

GUEST = CallerKind("unclaimed agent", "guest", _PROGRAM, _token("guest"))

OWN = (
    CallerKind("own reading key", "owner", ("read",), _key("her reading key")),
    CallerKind("own reading token", "owner", ("read",), _token("her reading token")),
    CallerKind("own token without a scope", "owner", (), _token("her scopeless token")),
)

OWNER = CallerKind("owner's key", "owner", _PROGRAM, _key("her key"))
"""Whose answers are there already when the others ask."""

NARROWED = CallerKind(
    "own key that gave up writing",
    "owner",
    ("read",),
    lambda _daemon, settled: {"x-api-key": settled.secrets["her key"], "finplan-scopes": "read"},
)
"""Who starts an agent may give up writing, on the way to MCP."""

CALLERS = (*REFUSED, *OTHERS, GUEST, *OWN)

FOR_MCP_ALONE = "token of another part"
"""What is said of tokens that are good at /mcp and nowhere else."""

ELSEWHERE = CallerKind("own token for MCP", "nobody", (), _token(f"her {FOR_MCP_ALONE}"))
AT_MCP = CallerKind("other's token for MCP", "other", _PROGRAM, _token(f"his {FOR_MCP_ALONE}"))
