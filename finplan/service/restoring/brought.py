"""What a restored household has brought, noted for the day on which its import is undone."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class BroughtWords:
    """What an export has brought, as undoing it needs to know: ids, and when each was said.

    `balances` are those that no statement stated: the account's id, day and balance.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    balances: list[tuple[str, int, int]] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    rules: list[tuple[str, int]] = field(default_factory=list)
    answers: list[tuple[str, int]] = field(default_factory=list)
    transfers: list[tuple[str, int]] = field(default_factory=list)
    recurring: list[tuple[str, int]] = field(default_factory=list)
    duplicates: list[tuple[str, int]] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)
