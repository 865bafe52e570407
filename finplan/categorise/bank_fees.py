"""A bank's own fees, told apart by what they are for: what avoids one kind does not avoid another.

A row is a fee if it has a word for one and no word that is none of a fee's (`fee_nouns`, `fee_words` and
`fee_kinds` in `descriptor.toml`), in any language.
"""

from collections.abc import Collection, Sequence

from finplan.categorise.grammar import Grammar, grammar

_ANY = "bank fee"
_SENDING = "transfer fee"
_OF_BANKS = frozenset(("returned payment fee", "overdraft fee", "late fee", "ATM fee"))
_RHYTHMS = frozenset(
    (
        *("annual", "anual", "annuelle", "anuidade", "monthly", "mensal", "mensalidade"),
        *("mensile", "mensuel", "mensuels", "mensuelle"),
    )
)


def fee_named(words: Collection[str]) -> str:
    """The name of the fee that a row of such words charges; "bank fee" where they tell no kind.

    Of two kinds the first one in the data holds.
    """
    kinds = grammar().fee_kinds
    return next((kind for kind, own in kinds.items() if not own.isdisjoint(words)), _ANY)


def fee_in(tokens: Sequence[str], words: Grammar) -> str | None:
    """The name of the fee that a row charges; None where its words name anything else.

    A word that is also one for dues or costs of others needs a kind beside it; how often they are due
    and how they are sent is said of a rent, too. What only a bank charges for is a fee however it was
    paid.
    """
    said = [
        token
        for token in tokens
        if token in words.fee_words or (token.isalpha() and not _says_nothing(token, words))
    ]
    if words.fee_nouns.isdisjoint(said):
        return None
    others = [word for word in said if word not in words.fee_words]
    kind = fee_named([token for token in said if token not in _RHYTHMS])
    if others and not (kind in _OF_BANKS and words.mechanics.issuperset(others)):
        return None
    # "Commission on a transfer" is a fee, and "transfer: monthly dues" is none.
    is_sent = kind == _SENDING and said[0] in words.fee_kinds[_SENDING]
    if (kind == _ANY or is_sent) and words.fees.isdisjoint(said):
        return None
    return fee_named(said)


def _says_nothing(token: str, words: Grammar) -> bool:
    return any(token in said for said in (words.dated, words.small, words.links, words.references))
