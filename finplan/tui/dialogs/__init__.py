"""What stands before a screen for a moment and asks one thing; what was answered is its result."""
