"""Aggregators as they really are, asked where variables give access, else said to be skipped."""
