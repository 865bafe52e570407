"""Detection: what keeps a rhythm in a ledger, income and charges, and the books of all of it."""
