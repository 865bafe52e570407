"""One import may bring several answers for one header: a restored household has those of many."""

from alembic import op

revision = "0014"
down_revision = "0013"

COLUMNS = ["owner_no", "signature", "import_no"]


def upgrade() -> None:
    """Let the index by header hold several rows of one import."""
    op.drop_index("csv_answer_header", "csv_answer")
    op.create_index("csv_answer_header", "csv_answer", COLUMNS)
