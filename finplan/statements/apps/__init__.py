"""Exports of other programs: which app a table comes from, and its rows in one shape."""
