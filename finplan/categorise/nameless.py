"""Rows that name nobody, whatever the bank and its language: every word says only what the row is."""

from collections.abc import Sequence

from finplan.categorise.bank_fees import fee_in
from finplan.categorise.curated import merchant_at
from finplan.categorise.grammar import Grammar

_CHECK = "check"


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
