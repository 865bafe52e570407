"""Jobs and webhooks, drawn."""
