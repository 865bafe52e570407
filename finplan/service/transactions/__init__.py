"""Single rows: listed in pages, and taken along as files."""
