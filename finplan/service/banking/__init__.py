"""Banks and their accounts: linked, synced, corrected and unlinked."""
