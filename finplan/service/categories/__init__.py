"""Categories and the rules that file payees under them."""
