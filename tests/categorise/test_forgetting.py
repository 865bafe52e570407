"""Forgetting the shipped data changes no answer, only when it is read."""

from finplan.categorise.curated import clear_caches, curated
from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of

TEXTS = ("SQ *BLUE HERON CAFE 1234", "NETFLIX.COM", "POS PURCHASE 11/29 KROGER #123", "QUILLZWALD")


def test_what_was_forgotten_is_found_again() -> None:
    """Payees and categories are the same before and after, and nothing shipped is kept between."""

    def answers() -> list[object]:
        payees = [payee_of(text) for text in TEXTS]
        return [
            (payee, decide(PayeeFacts(payee.key, payee.name, text, 3, 1)))
            for payee, text in zip(payees, TEXTS, strict=True)
        ]

    before = answers()
    clear_caches()
    kept = (curated.cache_info().currsize, grammar.cache_info().currsize)

    assert kept == (0, 0)
    assert answers() == before
