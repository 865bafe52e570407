"""Rows that name nobody, whatever the bank and its language: every word says only what the row is.

A bank's own fees are told apart by what they are for: what avoids one kind does not avoid another. A row
is a fee if it has a word for one and no word that is none of a fee's (`fee_nouns`, `fee_words` and
`fee_kinds` in `descriptor.toml`).
"""

from collections.abc import Collection, Sequence

from finplan.categorise.curated import merchant_at
from finplan.categorise.grammar import Grammar, grammar

_CHECK = "check"
_ANY = "bank fee"
_SENDING = "transfer fee"
_OF_BANKS = frozenset(("returned payment fee", "overdraft fee", "late fee", "ATM fee"))
_RHYTHMS = frozenset(
    (
        *("annual", "anual", "annuelle", "anuidade", "monthly", "mensal", "mensalidade"),
        *("mensile", "mensuel", "mensuels", "mensuelle"),
    )
)


def nobody_in(tokens: Sequence[str], words: Grammar) -> str | None:
    """What a row is that names nobody: a bank's fee, its interest, money to own savings; else None."""
    if not words.fee_nouns.isdisjoint(tokens) and (fee := fee_in(tokens, words)):
        return fee
    for name, kind in words.nameless.items():
        if kind.nouns.isdisjoint(tokens):
            continue
        said = {token for token in tokens if token.isalpha() and token not in words.dated}
        if kind.said.issuperset(said) and (not kind.needs or not kind.needs.isdisjoint(said)):
            return name
    return None


def check_or_nobody(name: Sequence[str], words: Grammar) -> str | None:
    """What a name is that is nobody's, of which a paper check's number may have gone."""
    if not words.checks.isdisjoint(name) and words.check_words.issuperset(
        word for word in name if word not in words.small
    ):
        return _CHECK
    return nobody_in(name, words)


def is_cash(tokens: list[str], words: Grammar) -> bool:
    """Whether cash was taken out, whoever owns the machine; its fee is another matter.

    The cash of "Cash App" is none.
    """
    at_desk = not words.cash_desks.isdisjoint(tokens) and not words.cash_words.isdisjoint(tokens)
    if not at_desk and not _takes_cash(tokens, words):
        return False
    if "fee" in tokens and words.including.isdisjoint(tokens):
        return False
    known = merchant_at(tokens, 0)
    return known is None or not known[1].people


def _takes_cash(tokens: list[str], words: Grammar) -> bool:
    """Whether "cash" stands right before or behind a word for taking it out."""
    if "cash" not in tokens:
        return False
    place = tokens.index("cash")
    beside = (*tokens[max(place - 1, 0) : place], *tokens[place + 1 : place + 2])
    return any(word in words.cash_words for word in beside)


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
