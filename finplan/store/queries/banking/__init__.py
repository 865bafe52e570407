"""What syncs need of the store: rows by the banks' ids, claims of pending rows, requests."""
