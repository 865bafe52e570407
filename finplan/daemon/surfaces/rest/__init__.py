"""REST: each row of the table is a route; requests are read, done once, cached by tag."""
