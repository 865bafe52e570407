"""What lets somebody in: API keys, sessions, invites and passwords; and the record of their use."""
