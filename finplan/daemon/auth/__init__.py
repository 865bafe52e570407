"""Credentials: what a request shows, and whom it therefore speaks for."""
