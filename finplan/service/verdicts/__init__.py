"""What was detected, transfers, series and duplicates, and the last word of the person on it."""
