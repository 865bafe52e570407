"""What a function may have answered with nothing, and a test needs."""

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """Answer a value that has to be there."""
    assert value is not None
    return value
