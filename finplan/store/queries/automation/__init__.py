"""What is done by itself: jobs, and what people were told of."""
