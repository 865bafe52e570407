"""The ledger: a household as it is stored, each row in one class, and the shape of its books."""
