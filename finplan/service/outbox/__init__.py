"""What webhooks are told: each event is written as deliveries in the transaction of what it tells of."""
