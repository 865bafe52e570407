"""Derived state: worked out from the ledger, or kept for one generation and day."""
