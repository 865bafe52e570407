"""The plan: pure arithmetic over a ledger; `today` is a parameter, nothing is read or written."""
