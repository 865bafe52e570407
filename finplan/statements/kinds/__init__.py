"""What kind of account a table is of: evidence of stated strength, and what all of it adds up to."""
