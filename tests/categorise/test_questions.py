"""What is suggested with a question: by a note, never by a weak guess, and no income for a refund."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.decide import SUGGESTS_FROM, Decision, Knowledge, PayeeFacts, decide
from finplan.categorise.infer import train
from finplan.categorise.payee import payee_of
from tests.categorise.descriptors import DESCRIPTORS

SHIPPED = Knowledge(out=train("out", ()), into=train("in", ()))


def _decided(raw: str, *, paid: bool, knowledge: Knowledge = SHIPPED) -> Decision:
    payee = payee_of(raw)
    debits, credits_in = (2, 0) if paid else (0, 2)
    return decide(PayeeFacts(payee.key, payee.name, raw, debits, credits_in), knowledge)


@pytest.mark.parametrize(
    ("raw", "category"),
    [
        ("ZELLE TO JOHN LANDLORD RENT", "rent"),
        ('Zelle payment to John Smith for "rent"; Conf# a1b2c3', "rent"),
        ("VENMO *JOHN DOE groceries", "groceries"),
        ("BIZUM A FAVOR DE LUCIA NAVARRO CONCEPTO: ALQUILER", "rent"),
    ],
)
def test_a_note_suggests_what_a_person_was_paid_for(raw: str, category: str) -> None:
    """The words of a note are evidence; yet it speaks of one payment, so that the payee stays open."""
    decision = _decided(raw, paid=True)
    assert (decision.out, decision.source, decision.suggested) == ("uncategorized", None, category)
    assert decision.confidence is not None


@pytest.mark.parametrize("raw", ["ZELLE TO PETER BAKER", "VENMO *MARIA CHURCH", "ZELLE RITA YOGA"])
def test_the_name_of_a_person_is_no_note(raw: str) -> None:
    """A surname says nothing of what was paid for."""
    assert _decided(raw, paid=True).suggested is None


@given(DESCRIPTORS, st.booleans())
def test_no_weak_guess_is_shown(raw: str, paid: bool) -> None:
    """No suggestion is better than one that is most often wrong."""
    decision = _decided(raw, paid=paid)
    if decision.source is None and decision.suggested is not None:
        assert decision.confidence is not None
        assert decision.confidence >= SUGGESTS_FROM


@pytest.mark.parametrize("raw", ["SIRIUS RADIO", "WANG FANG", "KERN LINDQUIST", "BLUE HERON QZX"])
def test_a_name_that_tells_nothing_suggests_nothing(raw: str) -> None:
    """Pieces of words alone are no reason to suggest a category."""
    assert _decided(raw, paid=True).suggested is None


@pytest.mark.parametrize("raw", ["JANE DOE", "ZELLE FROM JANE DOE", "HOFFMAN LINDQUIST"])
def test_an_unknown_sender_is_no_employer(raw: str) -> None:
    """Pay is the last thing that a sender of whom nothing is known is taken for."""
    decision = _decided(raw, paid=False)
    assert (decision.into, decision.suggested) == ("unknown_inflow", None)
    assert decision.alternatives[-1] == "wages"


@pytest.mark.parametrize(
    ("raw", "shop", "category"),
    [
        ("TARGET REFUND", "TARGET", "shopping"),
        ("SMITH HARDWARE REFUND", "SMITH HARDWARE", "home_upkeep"),
        ("REFUND BOBS BOOKS", "BOBS BOOKS", "shopping"),
        ("PURCHASE REFUND BLUE HERON QZX", "BLUE HERON QZX", "uncategorized"),
        ("LIBRERIA MOLINA DEVOLUCION", "LIBRERIA MOLINA", "shopping"),
    ],
)
def test_a_shops_refund_is_money_back(raw: str, shop: str, category: str) -> None:
    """A refund is the shop's, and lowers what is spent there; it is neither pay nor a tax refund."""
    assert payee_of(raw).key == payee_of(shop).key
    assert _decided(raw, paid=False).into == category


@pytest.mark.parametrize(
    "raw", ["IRS TREAS 310 TAX REF", "STATE OF OHIO TAX REFUND", "TAX REFUND", "HMRC PAYE REFUND"]
)
def test_a_tax_refund_is_one(raw: str) -> None:
    """What a tax office gives back is no shop's refund."""
    assert _decided(raw, paid=False).into == "tax_refund"


def test_a_tax_refund_keeps_its_name() -> None:
    """A refund goes from a shop's name, and stays where the tax is all that is left."""
    assert payee_of("TAX REFUND").key == "tax refund"
