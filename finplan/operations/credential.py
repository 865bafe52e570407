"""The rows of what lets people and programs in."""

from finplan.model import credential as credentials
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, Forbidden, NotFound, SecretsUnreachable
from finplan.operation import AnyOperation, Creates, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

CREDENTIALS = Family("Credentials",
    "Sign-ins, API keys, apps, agents and invites. Only a signed-in person can manage them.")

LIST_KEYS = Operation(CREDENTIALS, "list_keys", "GET", "/keys",
    Nothing, tuple[credentials.ApiKey, ...], "session",
    "List your API keys; their secrets are not included.")
CREATE_KEY = Operation(CREDENTIALS, "create_key", "POST", "/keys",
    credentials.NewKey, credentials.CreatedKey, "session",
    "Create an API key; its secret is shown only once.", Creates())
REVOKE_KEY = Operation(CREDENTIALS, "revoke_key", "DELETE", "/keys/{id}",
    credentials.KeyId, credentials.ApiKey, "session",
    "Revoke an API key; it stops working at once.",
    faults=(NotFound,))
LIST_CLIENTS = Operation(CREDENTIALS, "list_clients", "GET", "/clients",
    Nothing, tuple[credentials.OAuthClient, ...], "session",
    "List the apps (OAuth clients) that you created or allowed; the newest comes first.",
    links=Links("/0/id", to=("revoke_client",)))
CREATE_CLIENT = Operation(CREDENTIALS, "create_client", "POST", "/clients",
    credentials.NewClient, credentials.CreatedClient, "session",
    "Create an OAuth client; the secret of a confidential client is shown only once.", Creates(),
    links=Links("/id", to=("revoke_client",)))
REVOKE_CLIENT = Operation(CREDENTIALS, "revoke_client", "DELETE", "/clients/{id}",
    credentials.ClientId, credentials.OAuthClient, "session",
    "Revoke an app's access; if you created the app, it is removed.",
    faults=(NotFound,))
LIST_AGENTS = Operation(CREDENTIALS, "list_agents", "GET", "/agents",
    Nothing, tuple[credentials.Agent, ...], "session",
    "List the agents that you allowed to act for you; the newest comes first.",
    links=Links("/0/id", to=("revoke_agent",)))
REVOKE_AGENT = Operation(CREDENTIALS, "revoke_agent", "DELETE", "/agents/{id}",
    credentials.AgentId, credentials.Agent, "session",
    "Revoke an agent's access; its tokens and assertion stop working at once.",
    faults=(NotFound,))
SET_PASSWORD = Operation(CREDENTIALS, "set_password", "PUT", "/me/password",
    credentials.PasswordChange, credentials.PasswordSet, "session",
    "Set your password; every other browser is signed out.",
    faults=(Forbidden,))
LIST_SESSIONS = Operation(CREDENTIALS, "list_sessions", "GET", "/sessions",
    Nothing, tuple[credentials.BrowserSession, ...], "session",
    "List the browsers signed in as you; the most recently used comes first.",
    links=Links("/0/id", to=("end_session",)))
END_SESSION = Operation(CREDENTIALS, "end_session", "DELETE", "/sessions/{id}",
    credentials.SessionId, credentials.BrowserSession, "session",
    "Sign a browser out.",
    faults=(NotFound,))
CREATE_SIGN_IN_LINK = Operation(CREDENTIALS, "create_sign_in_link", "POST", "/sessions/link",
    Nothing, credentials.SignInLink, "session",
    "Create a link that signs you in; it works once, within one minute.", Creates())
LIST_PEOPLE = Operation(CREDENTIALS, "list_people", "GET", "/people",
    Nothing, tuple[credentials.JoinedPerson, ...], "session",
    "List the people who use finplan here; only the owner of the machine sees everyone.")
LIST_INVITES = Operation(CREDENTIALS, "list_invites", "GET", "/invites",
    Nothing, tuple[credentials.Invite, ...], "session",
    "List your invites; the newest comes first.",
    links=Links("/0/id", to=("revoke_invite",)))
CREATE_INVITE = Operation(CREDENTIALS, "create_invite", "POST", "/invites",
    credentials.NewInvite, credentials.CreatedInvite, "session",
    "Invite a person to create an account; the link is shown only once.", Creates(),
    faults=(Forbidden, Conflict), links=Links("/id", to=("revoke_invite",)))
REVOKE_INVITE = Operation(CREDENTIALS, "revoke_invite", "DELETE", "/invites/{id}",
    credentials.InviteId, credentials.Invite, "session",
    "Revoke an invite; its link stops working at once.",
    faults=(NotFound,))
LIST_AUDIT = Operation(CREDENTIALS, "list_audit", "GET", "/audit",
    credentials.AuditQuery, tuple[credentials.AuditEvent, ...], "session",
    "Show the access log; it lists sign-ins, and credentials issued and revoked, newest first.")
SHOW_DATA_KEY = Operation(CREDENTIALS, "show_data_key", "GET", "/data-key",
    Nothing, credentials.DataKeyStatus, "session",
    (
        "Show where the data key is, and how many secrets it encrypts and can decrypt."
    ),
    faults=(Forbidden, SecretsUnreachable))
ROTATE_DATA_KEY = Operation(CREDENTIALS, "rotate_data_key", "POST", "/data-key/rotate",
    Nothing, credentials.DataKeyRotation, "session",
    "Replace the data key and re-encrypt every stored secret; the old key stops working.",
    faults=(Forbidden, Conflict, SecretsUnreachable))

ROWS: tuple[AnyOperation, ...] = (
    LIST_KEYS, CREATE_KEY, REVOKE_KEY, LIST_CLIENTS, CREATE_CLIENT, REVOKE_CLIENT, LIST_AGENTS,
    REVOKE_AGENT, SET_PASSWORD, LIST_SESSIONS, END_SESSION, CREATE_SIGN_IN_LINK, LIST_PEOPLE,
    LIST_INVITES, CREATE_INVITE, REVOKE_INVITE, LIST_AUDIT, SHOW_DATA_KEY, ROTATE_DATA_KEY,
)
# fmt: on
