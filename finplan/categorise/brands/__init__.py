"""Brands of shops and firms beside the curated ones: whose name opens a payee's, and what they sell.

The names are from the name-suggestion-index of OpenStreetMap, © its contributors, whose licence stands
in `LICENSE.md`; `benchmarks/brands/make.py` makes `brands.txt` from it.
"""
