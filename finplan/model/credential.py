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
        "Read all your data: plan, accounts, balances, every transaction, banks, imports, transfers,"
        " duplicates, recurring charges, categories, rules and tasks. Export it as one file. Read"
        " scheduled jobs, webhooks and their deliveries. Read your name, e-mail address and settings."
    ),
    "service:write": (
        "Change everything that your plan depends on: answer tasks, build plans, import statement"
        " files, undo imports. Link, sync and unlink banks; unlinking deletes their transactions."
        " Correct accounts, and change single transactions. Decide on transfers, duplicates and"
        " recurring charges. Change your categories, rules, settings and name. Run scheduled jobs. Add,"
        " change and remove webhooks, which send facts from your plan to other addresses. The reply to"
        " each change contains its result, such as the plan."
    ),
}
"""What each scope allows, in full, since a person grants it by these words."""


class ApiKey(Wire):
    """A key without its secret; `prefix` is its start, so that you can recognize it."""

    id: str
    name: str
    prefix: str
    scopes: tuple[KeyScope, ...]
    created_at: Timestamp
    last_used_at: Timestamp | None
    revoked_at: Timestamp | None
    expires_at: Timestamp | None


class CreatedKey(ApiKey):
    """A new key with its secret, which is shown only once."""

    key: str


class NewKey(Wire):
    """Create a key; by default it has both scopes and never expires."""

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
            raise ValueError("Give each scope only once")
        return scopes


class KeyId(ById):
    """Identifies a key."""


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
    parts = [urlsplit(address) for address in addresses]
    return ", ".join(dict.fromkeys(part.netloc or f"{part.scheme}:" for part in parts))


class OAuthClient(Wire):
    """An app that asks people for access; `yours` is true if you created the app.

    `yours` is false if you only allowed it. `scopes` are the scopes that it may request; `granted` are
    those that you allowed and have not revoked. For an app that you only allowed, `lastUsedAt` is when
    it last got a token for your data.
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
    """A new app; a confidential one has a secret, which is shown only once."""

    secret: str | None


class NewClient(Wire):
    """Create an app; if you list no scopes, it may request all of them."""

    name: Name
    redirect_uris: Annotated[
        tuple[RedirectUri, ...],
        Field(min_length=1, max_length=20),
    ]
    kind: Literal["public", "confidential"] = "public"
    scopes: tuple[GrantScope, ...] = ()


class ClientId(ById):
    """Identifies an app."""


class Agent(Wire):
    """An agent that registered itself from an `address`, and that you have claimed."""

    id: str
    address: str
    scopes: tuple[GrantScope, ...]
    created_at: Timestamp
    claimed_at: Timestamp | None
    last_used_at: Timestamp | None


class AgentId(ById):
    """Identifies an agent."""


SHORTEST_PASSWORD = 12
"""How many characters a password has at least."""

LONGEST_PASSWORD = 256

Password = Annotated[
    str, Field(min_length=1, max_length=LONGEST_PASSWORD, json_schema_extra={"format": "password"})
]
"""A password as it is typed; whether it is long enough is told by who sets it."""


class BrowserSession(Wire):
    """A browser that is signed in; `current` is the one that sends this request."""

    id: str
    created_at: Timestamp
    last_used_at: Timestamp
    expires_at: Timestamp
    user_agent: str | None
    address: str
    current: bool


class SessionId(ById):
    """Identifies a session."""


class SignInLink(Wire):
    """A link that signs a person in once, before it expires."""

    url: str
    expires_at: Timestamp


class PasswordChange(Wire):
    """A new password; `current` is the current password, if you have one."""

    password: Password
    current: Password | None = None


class PasswordSet(Wire):
    """A password was set; `endedSessions` counts the other browsers that it signed out."""

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
    agent = user_agent or ""
    browser = next((name for mark, name in _BROWSERS if mark in agent), UNKNOWN_BROWSER)
    system = next((name for mark, name in _SYSTEMS if mark in agent), None)
    return browser if system is None else f"{browser} on {system}"


LONGEST_INVITE_DAYS = 30


class Invite(Wire):
    """An invite without its link; with an `email`, only that address can use it."""

    id: str
    email: str | None
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Timestamp | None


class CreatedInvite(Invite):
    """A new invite with its link, which is shown only once."""

    url: str


class NewInvite(Wire):
    """Invite somebody; the link works for the given number of `days`."""

    email: EmailAddress | None = None
    days: Annotated[int, Field(ge=1, le=LONGEST_INVITE_DAYS)] = 7


class InviteId(ById):
    """Identifies an invite."""


class JoinedPerson(Wire):
    """A person with an account here.

    `you` is true for the person who sent the request, `owner` for the machine's owner.
    """

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
    """How many secrets of a kind are encrypted, and how many cannot be decrypted (`closed`).

    `closed` is null while the key is unavailable. `lost` names your secrets that cannot be decrypted.
    Other lost secrets have no name, or belong to another person.
    """

    kind: SealedKind
    count: Whole
    closed: Whole | None
    lost: tuple[str, ...]


class DataKeyStatus(Wire):
    """Where the data key is saved, and the secrets that it encrypts.

    `source` is `file`, `keyring`, or the name of the outside source; `since` is null if the age of the
    key is unknown. `unfinished`: a rotation was interrupted, and the previous key still decrypts the
    secrets that it encrypted. `trouble` is why the key is unavailable now.
    """

    source: str
    file: str
    since: Timestamp | None
    unfinished: bool
    trouble: str | None
    sealed: tuple[SealedCount, ...]


class DataKeyRotation(Wire):
    """The result of rotating the data key: secrets re-encrypted, and secrets lost (`closed`).

    Earlier copies of the store hold secrets that need the previous key.
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
    """One entry of the access log: the credential that was used, and the address it came from.

    In `credential`, `session` is the command line on this machine, `session:7` a browser and `key:7` an
    API key. `credential` is null if a password or no credential was used.
    """

    id: str
    at: Timestamp
    kind: AuditKind
    credential: str | None
    address: str | None
    text: str


class AuditQuery(Wire):
    """The newest entries of the access log, or the newest before a given time."""

    limit: Annotated[
        int, Field(ge=1, le=1000, description="The maximum number of entries to return.")
    ] = 100
    before: Annotated[
        Timestamp | None, Field(description="Only entries before this time, in milliseconds.")
    ] = None
