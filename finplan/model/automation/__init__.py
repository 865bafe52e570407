"""What finplan does by itself, and tells others of: jobs and webhooks."""
