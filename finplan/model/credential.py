"""What lets somebody in, as it is shown: keys, clients, sessions, invites, and their record."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from finplan.model.base import ById, Name, Timestamp, Whole, Wire
from finplan.model.user import EmailAddress

KeyScope = Literal["service:read", "service:write"]
"""What a key may be allowed; whatever needs the person's own session, no key may do."""

KEY_SCOPES: Mapping[KeyScope, str] = {
    "service:read": (
        "Read the plan, accounts, categories and questions. That is all of your money: banks, balances,"
        " imported statement files, every transaction, transfers, what comes again, and rules, also as"
        " one file; what is done by itself, webhooks and what was sent to them; and your name, e-mail"
        " address and settings."
    ),
    "service:write": (
        "Answer questions, record decisions, link and sync banks, build plans. That is all that changes"
        " your plan: import statement files and undo that, unlink banks with all that they brought,"
        " correct accounts, say what single transactions are for, decide on transfers, duplicates and"
        " what comes again, change your categories, rules, settings and name, have done at once what is"
        " else done by itself, and add, change and remove webhooks, which are told of your plan. Each"
        " change answers with what comes of it, such as the plan."
    ),
}
"""What each scope allows: its gist, then all of it, since a person grants it by these words."""


class ApiKey(Wire):
    """A key without its secret; `prefix` is its beginning, to tell it by."""

    id: str
    name: str
    prefix: str
    scopes: tuple[KeyScope, ...]
    created_at: Timestamp
    last_used_at: Timestamp | None
    revoked_at: Timestamp | None
    expires_at: Timestamp | None


class CreatedKey(ApiKey):
    """A new key with its secret, which is shown this once."""

    key: str


class NewKey(Wire):
    """Make a key; without scopes it may do whatever a key can, and without an end it has none."""

    name: Name
    scopes: Annotated[
        tuple[KeyScope, ...],
        Field(min_length=1, max_length=2, json_schema_extra={"uniqueItems": True}),
    ] = (
        "service:read",
        "service:write",
    )
    expires_at: Timestamp | None = None

    @field_validator("scopes")
    @classmethod
    def _each_once(cls, scopes: tuple[KeyScope, ...]) -> tuple[KeyScope, ...]:
        if len(set(scopes)) < len(scopes):
            raise ValueError("A scope may be given only once")
        return scopes


class KeyId(ById):
    """Names a key."""


GrantScope = Literal[KeyScope, "openid", "profile", "email", "offline_access"]
"""What a client may be granted."""

GRANT_SCOPES: tuple[GrantScope, ...] = get_args(GrantScope)


RedirectUri = Annotated[
    str, Field(min_length=1, max_length=2000, json_schema_extra={"format": "redirect-uri"})
]
"""Where a client's people are sent back to: encrypted, or a program on their own machine."""


def shown_scope(scope: GrantScope) -> str:
    """A scope as it stands in a list, where nothing else is called read or write."""
    return scope.removeprefix("service:")


def hosts_of(addresses: Sequence[str]) -> str:
    """Where a client's people are sent: the hosts, or the scheme of a program of their own machine.

    Whoever calls themselves by a known name still cannot choose a host that is not theirs.
    """
    parts = [urlsplit(each) for each in addresses]
    return ", ".join(dict.fromkeys(each.netloc or f"{each.scheme}:" for each in parts))


class OAuthClient(Wire):
    """A program that asks people for access; `yours` tells whether you made it or only let it in.

    `scopes` are what it may ask for, `granted` what you let it have and it still has. Of one that you
    only let in, `last_used_at` tells when it last got a token of yours.
    """

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    kind: Literal["public", "confidential"]
    scopes: tuple[GrantScope, ...]
    granted: tuple[GrantScope, ...]
    created_at: Timestamp
    last_used_at: Timestamp | None
    yours: bool


class CreatedClient(OAuthClient):
    """A new client; a confidential one with its secret, which is shown this once."""

    secret: str | None


class NewClient(Wire):
    """Make a client; without scopes it may ask for all that can be granted."""

    name: Name
    redirect_uris: Annotated[
        tuple[RedirectUri, ...],
        Field(min_length=1, max_length=20),
    ]
    kind: Literal["public", "confidential"] = "public"
    scopes: tuple[GrantScope, ...] = ()


class ClientId(ById):
    """Names a client."""


class Agent(Wire):
    """An agent that came from an `address` without an account, and that you have claimed."""

    id: str
    address: str
    scopes: tuple[GrantScope, ...]
    created_at: Timestamp
    claimed_at: Timestamp | None
    last_used_at: Timestamp | None


class AgentId(ById):
    """Names an agent."""


SHORTEST_PASSWORD = 12
"""How many characters a password has at least."""

LONGEST_PASSWORD = 256

Password = Annotated[
    str, Field(min_length=1, max_length=LONGEST_PASSWORD, json_schema_extra={"format": "password"})
]
"""A password as it is typed; whether it is long enough is told by who sets it."""


class BrowserSession(Wire):
    """A browser that is signed in; `current` is the one that asks."""

    id: str
    created_at: Timestamp
    last_used_at: Timestamp
    expires_at: Timestamp
    user_agent: str | None
    address: str
    current: bool


class SessionId(ById):
    """Names a session."""


class SignInLink(Wire):
    """A link that signs its person in, once and soon."""

    url: str
    expires_at: Timestamp


class PasswordChange(Wire):
    """A new password; `current` is the one so far, where there is one."""

    password: Password
    current: Password | None = None


class PasswordSet(Wire):
    """That a password was set, and how many other sessions of browsers it ended."""

    ended_sessions: Whole


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The order matters: each but Firefox says of itself that it is one of those behind it, too."""

_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
UNKNOWN_BROWSER = "an unknown browser"


def browser_name(user_agent: str | None) -> str:
    """Name a browser by what it calls itself, as "Firefox on Linux"; an unknown one is not guessed."""
    said = user_agent or ""
    browser = next((name for mark, name in _BROWSERS if mark in said), UNKNOWN_BROWSER)
    system = next((name for mark, name in _SYSTEMS if mark in said), None)
    return browser if system is None else f"{browser} on {system}"


LONGEST_INVITE_DAYS = 30


class Invite(Wire):
    """An invite without its link; with an `email` it is for that address alone."""

    id: str
    email: str | None
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Timestamp | None


class CreatedInvite(Invite):
    """A new invite with its link, which is shown this once."""

    url: str


class NewInvite(Wire):
    """Invite somebody for some days."""

    email: EmailAddress | None = None
    days: Annotated[int, Field(ge=1, le=LONGEST_INVITE_DAYS)] = 7


class InviteId(ById):
    """Names an invite."""


class JoinedPerson(Wire):
    """A person who has an account on this daemon; `you` is who asks, `owner` whose machine it is."""

    id: str
    email: str
    name: str | None
    created_at: Timestamp
    owner: bool
    you: bool


SealedKind = Literal["bank_access", "bank_link", "webhook_secret", "signing_key", "kept_reply"]
"""What is sealed: how a bank is reached, links that were begun, what deliveries and tokens are signed
with, and replies that are kept for whoever sends a request again."""


class SealedCount(Wire):
    """How many things of a kind are sealed, and how many of them do not open.

    `closed` is null while nobody gives the key. `lost` names those of yours that do not open; others
    have no name, or are somebody else's.
    """

    kind: SealedKind
    count: Whole
    closed: Whole | None
    lost: tuple[str, ...]


class DataKeyStatus(Wire):
    """Where the data key is kept, and what is sealed under it.

    `source` is `file`, `keyring`, or the name of what gives it from outside; `since` is null where
    nobody noted when it was made. `unfinished` says that making it anew was broken off: the former key
    is there still, and opens what it sealed. `trouble` says why nobody gives the key now.
    """

    source: str
    file: str
    since: Timestamp | None
    unfinished: bool
    trouble: str | None
    sealed: tuple[SealedCount, ...]


class DataKeyRotation(Wire):
    """What came of making the data key anew: how many were sealed anew, and how many open no more.

    Copies of the store that were made before hold what the former key sealed.
    """

    since: Timestamp | None
    sealed: Whole
    closed: Whole


AuditKind = Literal[
    "session.opened", "session.ended", "sign_in.failed", "link.created",
    "password.changed", "email.changed", "google.connected", "google.disconnected",
    "invite.created", "invite.revoked", "person.joined", "person.left",
    "key.created", "key.revoked",
    "client.created", "client.registered", "client.granted", "client.refused", "client.revoked",
    "token.replayed", "token.revoked",
    "agent.introduced", "agent.claim_asked", "agent.claimed", "agent.denied", "agent.revoked",
    "webhook.created", "webhook.changed", "webhook.removed", "webhook.secret_changed",
    "webhook.disabled", "data_key.rotated",
]  # fmt: skip
"""What can be told."""


class AuditEvent(Wire):
    """One thing that happened; `credential` names what it was done with, `address` where from.

    The credential `session` by itself is the command line of the machine, `session:7` a browser's,
    `key:7` an API key's; there is none where nothing was shown, or a password.
    """

    id: str
    at: Timestamp
    kind: AuditKind
    credential: str | None
    address: str | None
    text: str


class AuditQuery(Wire):
    """The newest things that happened, before an instant where one is given."""

    limit: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 100
    before: Annotated[
        Timestamp | None, Field(description="Only what happened before, in milliseconds.")
    ] = None
