"""Commands about this machine and how finplan is set up on it."""
