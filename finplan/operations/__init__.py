"""What a caller may ask for: a module for each family of rows, and the table of them all."""
