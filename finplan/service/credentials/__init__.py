"""What lets somebody in: API keys, sessions, invites, passwords; the record of it; and leaving."""
