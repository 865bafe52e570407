"""The rows of what lets people and programs in."""

from finplan.model import credential as credentials
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, Forbidden, NotFound, SecretsUnreachable
from finplan.operation import AnyOperation, Creates, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

CREDENTIALS = Family("Credentials",
    "What lets people and programs in: managed by a first-party session, and by nothing else.")

LIST_KEYS = Operation(CREDENTIALS, "list_keys", "GET", "/keys",
    Nothing, tuple[credentials.ApiKey, ...], "session",
    "The API keys; without their secrets.")
CREATE_KEY = Operation(CREDENTIALS, "create_key", "POST", "/keys",
    credentials.NewKey, credentials.CreatedKey, "session",
    "Make an API key; its secret is shown this once.", Creates())
REVOKE_KEY = Operation(CREDENTIALS, "revoke_key", "DELETE", "/keys/{id}",
    credentials.KeyId, credentials.ApiKey, "session",
    "Revoke an API key; whoever shows it is refused from now on.",
    faults=(NotFound,))
LIST_CLIENTS = Operation(CREDENTIALS, "list_clients", "GET", "/clients",
    Nothing, tuple[credentials.OAuthClient, ...], "session",
    "The OAuth clients that you made or let in; the newest first.",
    links=Links("/0/id", to=("revoke_client",)))
CREATE_CLIENT = Operation(CREDENTIALS, "create_client", "POST", "/clients",
    credentials.NewClient, credentials.CreatedClient, "session",
    "Make an OAuth client; the secret of a confidential one is shown this once.", Creates(),
    links=Links("/id", to=("revoke_client",)))
REVOKE_CLIENT = Operation(CREDENTIALS, "revoke_client", "DELETE", "/clients/{id}",
    credentials.ClientId, credentials.OAuthClient, "session",
    "Take back all that you granted a client, and remove it if you made it.",
    faults=(NotFound,))
LIST_AGENTS = Operation(CREDENTIALS, "list_agents", "GET", "/agents",
    Nothing, tuple[credentials.Agent, ...], "session",
    "The agents that you have claimed; the newest first.",
    links=Links("/0/id", to=("revoke_agent",)))
REVOKE_AGENT = Operation(CREDENTIALS, "revoke_agent", "DELETE", "/agents/{id}",
    credentials.AgentId, credentials.Agent, "session",
    "Take an agent's access back; its tokens and its assertion are dead from now on.",
    faults=(NotFound,))
SET_PASSWORD = Operation(CREDENTIALS, "set_password", "PUT", "/me/password",
    credentials.PasswordChange, credentials.PasswordSet, "session",
    "Set the password that you sign in with; every other browser is signed out.",
    faults=(Forbidden,))
LIST_SESSIONS = Operation(CREDENTIALS, "list_sessions", "GET", "/sessions",
    Nothing, tuple[credentials.BrowserSession, ...], "session",
    "The browsers that are signed in as you; the one used last first.",
    links=Links("/0/id", to=("end_session",)))
END_SESSION = Operation(CREDENTIALS, "end_session", "DELETE", "/sessions/{id}",
    credentials.SessionId, credentials.BrowserSession, "session",
    "Sign a browser out.",
    faults=(NotFound,))
CREATE_SIGN_IN_LINK = Operation(CREDENTIALS, "create_sign_in_link", "POST", "/sessions/link",
    Nothing, credentials.SignInLink, "session",
    "Make a link that signs you in once, within a minute.", Creates())
LIST_PEOPLE = Operation(CREDENTIALS, "list_people", "GET", "/people",
    Nothing, tuple[credentials.JoinedPerson, ...], "session",
    "Who has an account here; everybody for the owner of the machine, else you.")
LIST_INVITES = Operation(CREDENTIALS, "list_invites", "GET", "/invites",
    Nothing, tuple[credentials.Invite, ...], "session",
    "Whom you have invited; the newest first.",
    links=Links("/0/id", to=("revoke_invite",)))
CREATE_INVITE = Operation(CREDENTIALS, "create_invite", "POST", "/invites",
    credentials.NewInvite, credentials.CreatedInvite, "session",
    "Invite somebody to an account of their own; the link is shown this once.", Creates(),
    faults=(Forbidden, Conflict), links=Links("/id", to=("revoke_invite",)))
REVOKE_INVITE = Operation(CREDENTIALS, "revoke_invite", "DELETE", "/invites/{id}",
    credentials.InviteId, credentials.Invite, "session",
    "Take an invite back; its link lets nobody in from now on.",
    faults=(NotFound,))
LIST_AUDIT = Operation(CREDENTIALS, "list_audit", "GET", "/audit",
    credentials.AuditQuery, tuple[credentials.AuditEvent, ...], "session",
    "Who came in with what, and what was given and taken back; the newest first.")
SHOW_DATA_KEY = Operation(CREDENTIALS, "show_data_key", "GET", "/data-key",
    Nothing, credentials.DataKeyStatus, "session",
    "Where the data key is kept, what is sealed under it, and whether each of these opens.",
    faults=(Forbidden, SecretsUnreachable))
ROTATE_DATA_KEY = Operation(CREDENTIALS, "rotate_data_key", "POST", "/data-key/rotate",
    Nothing, credentials.DataKeyRotation, "session",
    "Make a new data key and seal everything anew under it; the former one opens nothing then.",
    faults=(Forbidden, Conflict, SecretsUnreachable))

ROWS: tuple[AnyOperation, ...] = (
    LIST_KEYS, CREATE_KEY, REVOKE_KEY, LIST_CLIENTS, CREATE_CLIENT, REVOKE_CLIENT, LIST_AGENTS,
    REVOKE_AGENT, SET_PASSWORD, LIST_SESSIONS, END_SESSION, CREATE_SIGN_IN_LINK, LIST_PEOPLE,
    LIST_INVITES, CREATE_INVITE, REVOKE_INVITE, LIST_AUDIT, SHOW_DATA_KEY, ROTATE_DATA_KEY,
)
# fmt: on
