"""Where the key is kept that secrets in a store are sealed under; only a person changes the place."""
