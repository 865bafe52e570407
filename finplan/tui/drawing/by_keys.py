"""Sentences that all faces share, with the keys of this one in the place of commands."""

import re

_KEYS = (
    (r"tasks answer \S+ --dismiss", "d under T (Questions)"),
    (r"tasks undo.*", "u under T (Questions)"),
    (r"tasks.*", "T (Questions)"),
    (r"imports.*", "u under A (Accounts)"),
    (r"import FILE", "i (Import)"),
    (r"transactions --category uncategorized", "S (Spending)"),
    (r"plan explain.*", "x under P (Plan)"),
    (r"plan build", "b under P (Plan)"),
    (r"--demo .*", "`finplan tui --demo`"),
    (r"connections sync|sync", "s under A (Accounts)"),
    (r"connections.*", "A (Accounts)"),
    (r"connect .*|connect", "c under A (Accounts)"),
    (r"accounts set .* --kind.*", "k under A (Accounts)"),
    (r"accounts set .* --balance.*", "b under A (Accounts)"),
    (r"accounts.*", "A (Accounts)"),
    (r"snapshot --income detected", "Income under G (Settings)"),
    (r"duplicates same \S+", "y under F (Found)"),
    (r"transfers reject \S+", "n under F (Found)"),
    (r"(transfers|duplicates|recurring).*", "F (Found)"),
    (r"settings.*", "G (Settings)"),
)
"""Commands as sentences write them, and where the same is done here; the first that fits counts."""


def by_keys(sentence: str) -> str:
    """A sentence of finplan's own that names keys where there are some; other commands stay."""
    return re.sub(r"`finplan ([^`]*)`", _key, sentence)


def _key(found: re.Match[str]) -> str:
    return next((key for way, key in _KEYS if re.fullmatch(way, found[1], re.DOTALL)), found[0])
