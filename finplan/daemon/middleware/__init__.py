"""What every request passes on its way in, one subject a file."""
