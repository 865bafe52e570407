"""The tables. Each row belongs to one person; numbers are for joins, text ids for the outside."""
