"""Webhooks on their way: when a delivery is tried, how it is signed, where it may go, and who sends it.

What is due and what came of it are rows, which the courier is handed functions for; it knows no SQL.
"""
