"""A word on a row knows the tags that the person gave it."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add the tags, in one text with a space between them; nobody has given any yet."""
    op.add_column("single_word", sa.Column("tags", sa.Text(), nullable=True))
