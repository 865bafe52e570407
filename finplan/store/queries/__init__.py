"""Queries: a file per family, functions of a connection in somebody else’s transaction."""
