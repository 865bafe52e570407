"""Webhooks, the deliveries on their way to them, and what they were told."""
