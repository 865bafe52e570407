"""The names by which OAuth calls its parts."""

GRANT_TYPES = ("authorization_code", "refresh_token")
"""How a client asks for tokens."""

ASSERTION_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLAIM_GRANT = "urn:example:agent-auth:grant-type:claim"
"""How an agent does that came without an account: by its assertion, and by its claim token."""

PUBLIC = "none"
"""How a client shows who it is that can keep no secret."""

AUTH_METHODS = ["client_secret_basic", "client_secret_post", PUBLIC]
"""How clients show who they are."""
