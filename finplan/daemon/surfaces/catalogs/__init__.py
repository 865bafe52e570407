"""What a program reads before it has a credential: cards of the servers here, and catalogs of them."""
