"""People who sign in: passwords, sessions, links, invites, and the record of their use."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _key(email: str) -> str:
    return unicodedata.normalize("NFKC", email.strip()).casefold()


def upgrade() -> None:
    """Give people what they sign in by, keys an end, and create the tables."""
    op.add_column("person", sa.Column("email_key", sa.String(), nullable=True))
    op.add_column("person", sa.Column("password", sa.String(), nullable=True))
    op.add_column("person", sa.Column("google_subject", sa.String(), nullable=True))
    op.create_index("person_email", "person", ["email_key"], unique=True)
    op.create_index("person_google", "person", ["google_subject"], unique=True)
    # So far a store has one person, so that no two can have one address.
    people = sa.table("person", sa.column("no"), sa.column("email"), sa.column("email_key"))
    for no, email in op.get_bind().execute(sa.select(people.c.no, people.c.email)).all():
        # SQLite knows the two cases of ASCII letters only.
        op.execute(sa.update(people).where(people.c.no == no).values(email_key=_key(email)))
    op.create_table(
        "last_number",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("given", BIG, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.add_column("api_key", sa.Column("expires_at", BIG, nullable=True))
    op.create_table(
        "browser_session",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("last_used_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("user_agent", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("hash"),
        sa.UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("browser_session_owner", "browser_session", ["owner_no"])
    op.create_index("browser_session_end", "browser_session", ["expires_at"])
    op.create_table(
        "sign_in_link",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("hash"),
    )
    op.create_index("sign_in_link_owner", "sign_in_link", ["owner_no"])
    op.create_table(
        "invite",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("used_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("hash"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("invite_owner", "invite", ["owner_no"])
    op.create_table(
        "audit_event",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("credential", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("audit_event_time", "audit_event", ["owner_no", "at"])
