"""What a plan does not know: its shape, and the words of every face for it."""
