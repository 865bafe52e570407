"""Pairing: which rows are two legs of one transfer, and what is one thing seen twice."""
