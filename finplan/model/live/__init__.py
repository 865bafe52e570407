"""What the live view says in words, the same on every face."""
