"""Statement files: bytes in, statements out; no store, no network, no clock."""
