"""The commands about what lets people and programs in: only the person's own session may use them."""
