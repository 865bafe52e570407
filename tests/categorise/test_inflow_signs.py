"""What the words of money in say: pay, a pension, a benefit, a payout, a reward, a windfall."""

from pathlib import Path

import pytest

from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.matching import inflow_sign
from finplan.categorise.payee import payee_of

TABLE = [
    line.split("\t")
    for line in Path(__file__).with_name("inflow_signs.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("text", "sign", "category"), TABLE, ids=[row[0] for row in TABLE])
def test_the_words_say_what_kind_of_money_comes_in(text: str, sign: str, category: str) -> None:
    """The sign and the category of a first credit, in the words of banks of sixteen countries."""
    payee = payee_of(text)
    decision = decide(PayeeFacts(payee.key, payee.name, text, debits=0, credits=1))
    assert (inflow_sign(payee.key, [text]) or "-", decision.into) == (sign, category)


def test_most_texts_of_a_payee_say_its_sign() -> None:
    """One odd text does not make another kind of payer, and of equals the newest says it."""
    pay, pension, silent = "ACME LTD SALARY", "ACME LTD PENSION", "ACME LTD"
    assert inflow_sign("acme", [pension, pay, pay]) == "pay"
    assert inflow_sign("acme", [silent, silent, pay]) == "pay"
    assert inflow_sign("acme", [pension, pay]) == "pension"
    assert inflow_sign("acme", [silent]) is None
    assert inflow_sign("acme", []) is None
