"""What the forms of rows need to know of words: who is well known, what says how, what is a place."""

from functools import cache

from finplan.categorise.descriptor import is_word
from finplan.categorise.grammar import Grammar, grammar
from finplan.categorise.payments import says_pay, skip_payment_words
from finplan.categorise.places import is_place
from finplan.categorise.shapes import (
    Heads,
    forms,
    labels,
    names_place_apart,
    opens_of,
    says_salary,
)
from finplan.categorise.tokens import tokens_of

_WORDS_OF_HOW = 2


@cache
def heads() -> Heads:
    """The shipped words in the form in which `shapes.recipient_text` asks for them."""
    words = grammar()
    return Heads(
        words.processors,
        words.houses,
        _opens_with_merchant,
        _opens_with_payment,
        _stands_in,
        _goes_to_people,
        labelled=[labels(words.company_labels), labels(words.payee_labels)],
        opens=opens_of(words.card_openings),
        opening=forms(words.card_openings, at_end=False),
        closing=forms(words.card_closings, at_end=True),
    )


def _opens_with_merchant(text: str) -> bool:
    tokens = tokens_of(text)
    return bool(tokens) and skip_payment_words(tokens, grammar())[1] is not None


def _opens_with_payment(text: str) -> bool:
    words, tokens = grammar(), tokens_of(text)
    prefix = words.prefixes.longest(tokens, 0) if tokens else None
    if prefix is None or prefix[0] < _WORDS_OF_HOW:
        return False
    after = tokens[prefix[0] : prefix[0] + 1]
    return not after or after[0] in words.references or not is_word(after[0])


def _stands_in(named: str, place: str) -> bool:
    words = grammar()
    if not is_place(tokens_of(place), words):
        return False
    return any(word.isalpha() and word not in words.rails for word in tokens_of(named))


def _goes_to_people(text: str) -> bool:
    tokens = tokens_of(text)
    return bool(tokens) and skip_payment_words(tokens, grammar())[2] == "person"


def how_outside(text: str, how: str) -> str:
    """How was paid by a text of which only a part was read: "person" by a transfer.

    A card's row that has its town in a column of its own closes with none.
    """
    if not how:
        return "person" if heads().to_people(text) else ""
    return "" if how == "card" and names_place_apart(text) else how


def says_pay_outside(text: str, words: Grammar, *, inside: bool) -> bool:
    """Whether a text says that it is pay, of which only a part was read."""
    if ":" in text or text[0] == "/":
        return says_pay(tokens_of(text), words)
    return inside or ("SAL" in text and says_salary(text))
