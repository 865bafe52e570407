"""What every command works with: options, the session, the streams, errors as sentences."""
