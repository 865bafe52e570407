"""The tables of people, and of what lets them, their programs and agents in.

Of every secret only the SHA-256 is kept, in hexadecimal digits, as `hash`. `scopes` are words with
spaces between; `resource` is what a token is for: a path of this site, empty for all of it.
"""

from sqlalchemy import Index, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import BareRow, IdentifiedRow, OwnedRow, big, refers_to


class LastNumberRow(SQLModel, table=True):
    """The last number that a table has given: none is given twice, not even when its row is gone."""

    __tablename__ = "last_number"
    name: str = Field(primary_key=True)
    given: int = big()


class PersonRow(BareRow, table=True):
    """A person, the settings of the household, and the generation that each change of data raises.

    `row_generation` is raised only by what may change the rows, or which of them count; `event_no` by
    what may move the allowance, last at the instant `event_at`, and `data_no` by the same but for plans
    that are built. `key_rules` numbers the rules that the person's payees were keyed by. `inference_due`
    is 1 while what the person's own rules teach is not applied to other payees. `email_key` is the
    address as it is compared, `password` an Argon2 hash, `google_subject` Google's name of the person;
    until `guest_until` a person is the guest of an agent that nobody has claimed.
    """

    __tablename__ = "person"
    id: str = Field(unique=True)
    email: str
    name: str | None
    created_at: int = big()
    currency: str | None
    time_zone: str
    budget_shares: str | None
    target_months: int | None
    monthly_income: int | None = big(nullable=True)
    generation: int = big(default=0)
    key_rules: int = Field(sa_column_kwargs={"server_default": text("0")})
    row_generation: int = big(default=0)
    event_no: int = big(default=0)
    event_at: int = big(default=0)
    data_no: int = big(default=0)
    inference_due: int = Field(sa_column_kwargs={"server_default": text("0")})
    email_key: str | None
    password: str | None
    google_subject: str | None
    guest_until: int | None = big(nullable=True)

    __table_args__ = (
        Index("person_email", "email_key", unique=True),
        Index("person_google", "google_subject", unique=True),
    )


class BrowserSessionRow(IdentifiedRow, table=True):
    """A browser that somebody signed in with; it ends at `expires_at`, and earlier where it is idle."""

    __tablename__ = "browser_session"
    hash: str = Field(unique=True)
    created_at: int = big()
    last_used_at: int = big()
    expires_at: int = big()
    user_agent: str | None
    address: str

    __table_args__ = (
        Index("browser_session_owner", "owner_no"),
        Index("browser_session_end", "expires_at"),
        # A credential that is named by its number never becomes somebody else's.
        {"sqlite_autoincrement": True},
    )


class SignInLinkRow(OwnedRow, table=True):
    """A link that signs its person in once."""

    __tablename__ = "sign_in_link"
    hash: str = Field(unique=True)
    expires_at: int = big()

    __table_args__ = (Index("sign_in_link_owner", "owner_no"),)


class InviteRow(IdentifiedRow, table=True):
    """A link by which somebody may join once; `owner_no` is who invites.

    With an `email` it is for that address alone.
    """

    __tablename__ = "invite"
    hash: str = Field(unique=True)
    email: str | None
    created_at: int = big()
    expires_at: int = big()
    used_at: int | None = big(nullable=True)

    __table_args__ = (Index("invite_owner", "owner_no"),)


class AuditEventRow(IdentifiedRow, table=True):
    """One use or change of what lets somebody in, in words that hold no secret.

    `credential` names what it was done with, as a caller's does; `address` is where from.
    """

    __tablename__ = "audit_event"
    at: int = big()
    kind: str
    credential: str | None
    address: str | None
    text: str

    __table_args__ = (Index("audit_event_time", "owner_no", "at"),)


class ApiKeyRow(IdentifiedRow, table=True):
    """A key that lets another program in; only its hash is kept, and its beginning, to tell it by.

    `hash` is the SHA-256 of the key in hexadecimal digits, `scopes` are words with spaces between.
    """

    __tablename__ = "api_key"
    name: str
    hash: str = Field(unique=True)
    prefix: str
    scopes: str
    created_at: int = big()
    last_used_at: int | None = big(nullable=True)
    revoked_at: int | None = big(nullable=True)
    expires_at: int | None = big(nullable=True)

    __table_args__ = (Index("api_key_owner", "owner_no"),)


class OAuthClientRow(BareRow, table=True):
    """A program that may ask people for access; one that registered itself belongs to nobody.

    `auth_method` is how it shows who it is at the token endpoint.
    """

    __tablename__ = "oauth_client"
    id: str = Field(unique=True)
    owner_no: int | None = refers_to("person.no", nullable=True)
    name: str
    auth_method: str
    secret_hash: str | None
    redirect_uris: str = Field(sa_type=Text)
    scopes: str
    created_at: int = big()
    last_used_at: int | None = big(nullable=True)

    __table_args__ = (Index("oauth_client_owner", "owner_no"),)


class OAuthGrantRow(OwnedRow, table=True):
    """What a person allowed a client once; all tokens that follow from it go with it."""

    __tablename__ = "oauth_grant"
    client_no: int = refers_to("oauth_client.no")
    scopes: str
    resource: str
    created_at: int = big()

    __table_args__ = (
        Index("oauth_grant_owner", "owner_no"),
        Index("oauth_grant_client", "client_no"),
        # A credential that is named by its number never becomes somebody else's.
        {"sqlite_autoincrement": True},
    )


class OAuthCodeRow(OwnedRow, table=True):
    """The code that a client exchanges for tokens, once; it is kept used, so that a replay is known."""

    __tablename__ = "oauth_code"
    grant_no: int = refers_to("oauth_grant.no")
    hash: str = Field(unique=True)
    redirect_uri: str = Field(sa_type=Text)
    challenge: str
    nonce: str | None
    signed_in_at: int = big()
    expires_at: int = big()
    used_at: int | None = big(nullable=True)

    __table_args__ = (
        Index("oauth_code_owner", "owner_no"),
        Index("oauth_code_grant", "grant_no"),
        Index("oauth_code_end", "expires_at"),
    )


class AgentRow(IdentifiedRow, table=True):
    """An agent that came without an account; until it is claimed, its owner is a guest of its own.

    `generation` is in each assertion, and raising it ends those before; `claim_hash` is of the claim
    token until that was used up.
    """

    __tablename__ = "agent"
    scopes: str
    generation: int = big(default=0)
    claim_hash: str | None = Field(unique=True)
    created_at: int = big()
    expires_at: int = big()
    claimed_at: int | None = big(nullable=True)
    polled_at: int | None = big(nullable=True)
    last_used_at: int | None = big(nullable=True)
    address: str

    __table_args__ = (
        Index("agent_owner", "owner_no"),
        # A credential that is named by its number never becomes somebody else's.
        {"sqlite_autoincrement": True},
    )


class OAuthTokenRow(OwnedRow, table=True):
    """An access or refresh token, of a grant or of an agent; a refresh token is kept used."""

    __tablename__ = "oauth_token"
    grant_no: int | None = refers_to("oauth_grant.no", nullable=True)
    agent_no: int | None = refers_to("agent.no", nullable=True)
    hash: str = Field(unique=True)
    kind: str
    scopes: str
    resource: str
    created_at: int = big()
    expires_at: int = big()
    used_at: int | None = big(nullable=True)

    __table_args__ = (
        Index("oauth_token_owner", "owner_no"),
        Index("oauth_token_grant", "grant_no"),
        Index("oauth_token_agent", "agent_no"),
        Index("oauth_token_end", "expires_at"),
    )


class ClaimAttemptRow(IdentifiedRow, table=True):
    """One try to have an agent claimed by who has an address; a later try ends it."""

    __tablename__ = "claim_attempt"
    agent_no: int = refers_to("agent.no")
    view_hash: str = Field(unique=True)
    code_hash: str
    email_key: str
    tries: int = big(default=0)
    created_at: int = big()
    expires_at: int = big()

    __table_args__ = (
        Index("claim_attempt_owner", "owner_no"),
        Index("claim_attempt_agent", "agent_no"),
        Index("claim_attempt_email", "email_key"),
    )


class SigningKeyRow(BareRow, table=True):
    """A key that assertions, id tokens and messages are signed with; the private half is sealed.

    It is the daemon's, and nobody's: `public` is published as a JWK.
    """

    __tablename__ = "signing_key"
    kid: str = Field(unique=True)
    algorithm: str
    public: str = Field(sa_type=Text)
    sealed: bytes = Field(sa_type=LargeBinary)
    created_at: int = big()
