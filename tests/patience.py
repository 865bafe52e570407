"""How long a test waits for what has to happen, before it says that it did not."""

LONG_ENOUGH = 300.0
"""In seconds: more than the busiest machine needs. What does happen is waited for no longer."""
