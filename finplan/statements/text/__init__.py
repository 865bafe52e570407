"""Text: bytes to characters, and the days, currencies and descriptors that they say."""
