"""The person, and the settings of their household."""
