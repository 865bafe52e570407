"""Plaid: an aggregator that a person reaches with keys of their own, and links banks by at its page."""
