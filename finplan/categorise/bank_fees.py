"""A bank's own fees, told apart by what they are for: what avoids one kind does not avoid another."""

from collections.abc import Collection, Mapping

_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in (
        (
            "overdraft fee",
            "overdraft od unarranged arranged nsf insufficient uncollected unpaid returned",
        ),
        ("late fee", "late"),
        ("ATM fee", "atm atms machine"),
        ("foreign transaction fee", "foreign international intl exchange conversion sterling"),
        ("annual fee", "annual membership cardholder"),
        ("account fee", "monthly maintenance account service"),
    )
}
"""Each kind with the words of which a row of it has one; of two kinds the first one holds."""

_ANY = "bank fee"


def fee_named(words: Collection[str]) -> str:
    """The name of the fee that a row of such words charges; "bank fee" where they tell no kind."""
    return next((kind for kind, own in _KINDS.items() if own.intersection(words)), _ANY)
