"""Bringing statements in by a browser: files wait on the machine while their person looks at them."""
