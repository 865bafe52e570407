"""Explanations: how each figure of a plan comes about, by formula, numbers and rows."""
