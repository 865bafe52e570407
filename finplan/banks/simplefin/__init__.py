"""SimpleFIN: a bridge that a person signs up at, and that gives read access by one secret address."""
