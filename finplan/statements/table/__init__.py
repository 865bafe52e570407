"""Tables of text: cells, columns and what each means, for any reader that meets a table."""
