"""Webhooks and their deliveries: managed by people, sent by a courier, signed with keys."""
