"""What holds between rows after any change: which count, which are transfers, what they are for."""
