"""The daemon, what it does by itself, and whom it tells."""
