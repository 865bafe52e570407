"""Exact totals of spending: one engine adds them up, the SQL of the store."""
