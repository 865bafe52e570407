"""The one way to a daemon: find or start it, ask it the operations of the table."""
