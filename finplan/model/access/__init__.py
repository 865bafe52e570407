"""What lets somebody in, as it is shown: keys, sessions, invites, and the record of their use."""
