"""Advice: what to do next, what to know and what to ask, each only when the figures say so."""
