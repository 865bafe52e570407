"""Periods in words: one grammar for every face, pure; `today` and the days of pay are parameters."""
