"""The process that owns the store and serves the interface on this machine."""
