"""The handbook as data: its pages, their sections, and where each is found. Pure."""
