"""The demo bank: a made-up household, from its people and places to its ledger."""
