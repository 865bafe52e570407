"""What is said of values in the same words on every face."""
