"""CSV and its like: a bank's table is looked at as a whole before any row is converted."""
