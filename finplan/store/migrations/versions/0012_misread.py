"""Which imports read their file wrongly, as a later reading of it shows."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Of no import it is known yet."""
    op.add_column("import_batch", sa.Column("misread", sa.Text(), nullable=True))
