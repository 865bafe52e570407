"""Totals of spending, drawn: one grouping with its bars, or groups beside months; exact either way."""
