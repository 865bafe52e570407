"""A module per screen: what it asks, and what its keys do."""
