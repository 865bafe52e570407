"""Sentences about values that are the same on every face."""
