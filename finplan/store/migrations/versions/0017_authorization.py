"""The authorization server: clients, grants, codes, tokens, agents, and the keys it signs with."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, and let a person be the guest of an agent that nobody has claimed."""
    op.add_column("person", sa.Column("guest_until", BIG, nullable=True))
    op.create_table(
        "oauth_client",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("auth_method", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.String(), nullable=True),
        sa.Column("redirect_uris", sa.Text(), nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("last_used_at", BIG, nullable=True),
        sa.UniqueConstraint("id"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("oauth_client_owner", "oauth_client", ["owner_no"])
    op.create_table(
        "oauth_grant",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("client_no", BIG, nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["client_no"], ["oauth_client.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sqlite_autoincrement=True,
    )
    op.create_index("oauth_grant_owner", "oauth_grant", ["owner_no"])
    op.create_index("oauth_grant_client", "oauth_grant", ["client_no"])
    op.create_table(
        "oauth_code",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("grant_no", BIG, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("challenge", sa.String(), nullable=False),
        sa.Column("nonce", sa.String(), nullable=True),
        sa.Column("signed_in_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("used_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["grant_no"], ["oauth_grant.no"], ondelete="CASCADE"),
        sa.UniqueConstraint("hash"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("oauth_code_owner", "oauth_code", ["owner_no"])
    op.create_index("oauth_code_grant", "oauth_code", ["grant_no"])
    op.create_index("oauth_code_end", "oauth_code", ["expires_at"])
    op.create_table(
        "agent",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("generation", BIG, nullable=False, server_default=sa.text("0")),
        sa.Column("claim_hash", sa.String(), nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("claimed_at", BIG, nullable=True),
        sa.Column("polled_at", BIG, nullable=True),
        sa.Column("last_used_at", BIG, nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.UniqueConstraint("id"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.UniqueConstraint("claim_hash"),
        sa.PrimaryKeyConstraint("no"),
        sqlite_autoincrement=True,
    )
    op.create_index("agent_owner", "agent", ["owner_no"])
    op.create_table(
        "oauth_token",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("grant_no", BIG, nullable=True),
        sa.Column("agent_no", BIG, nullable=True),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("used_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["grant_no"], ["oauth_grant.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["agent_no"], ["agent.no"], ondelete="CASCADE"),
        sa.UniqueConstraint("hash"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("oauth_token_owner", "oauth_token", ["owner_no"])
    op.create_index("oauth_token_grant", "oauth_token", ["grant_no"])
    op.create_index("oauth_token_agent", "oauth_token", ["agent_no"])
    op.create_index("oauth_token_end", "oauth_token", ["expires_at"])
    op.create_table(
        "claim_attempt",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("agent_no", BIG, nullable=False),
        sa.Column("view_hash", sa.String(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("tries", BIG, nullable=False, server_default=sa.text("0")),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.UniqueConstraint("id"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["agent_no"], ["agent.no"], ondelete="CASCADE"),
        sa.UniqueConstraint("view_hash"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("claim_attempt_owner", "claim_attempt", ["owner_no"])
    op.create_index("claim_attempt_agent", "claim_attempt", ["agent_no"])
    op.create_index("claim_attempt_email", "claim_attempt", ["email_key"])
    op.create_table(
        "signing_key",
        sa.Column("no", BIG, nullable=False),
        sa.Column("kid", sa.String(), nullable=False),
        sa.Column("algorithm", sa.String(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.UniqueConstraint("kid"),
        sa.PrimaryKeyConstraint("no"),
    )
