"""CAMT.052, 053 and 054, read from XML that is taken apart while it grows."""
