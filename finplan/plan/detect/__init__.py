"""Detection: income and charges that come again, and the books that hold them with every sum."""
