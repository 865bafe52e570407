"""finplan: a local-first personal finance planner."""

__version__ = "0.1.0"
