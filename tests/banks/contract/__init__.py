"""Aggregators as they really are: asked where variables give access, and otherwise said to be skipped."""
