"""What finplan itself writes, as CSV and JSON, and reads back word for word."""
