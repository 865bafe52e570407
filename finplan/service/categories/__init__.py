"""Categories, the rules that file payees under them, and the payees that a person names."""
