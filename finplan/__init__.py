"""finplan: a local-first personal finance planner."""

__version__ = "0.1.0"

STATEMENT_FORMATS = "OFX, CAMT, MT940, QIF or CSV"
"""What banks' statements are read as, the one that says most first."""
