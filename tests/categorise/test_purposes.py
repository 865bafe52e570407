"""What a payer sends besides its pay has a payee of its own, and is filed by what the row says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.payments import payer_of, purpose_in, purpose_of, without_purposes


def _into(raw: str) -> str:
    """Where money in from the payee of a descriptor goes."""
    payee = payee_of(raw)
    facts = PayeeFacts(key=payee.key, name=payee.name, raw=raw, debits=0, credits=2)
    return decide(facts).into


@pytest.mark.parametrize(
    ("pay", "other", "purpose", "category"),
    [
        ("BGC QUILLZWALD LTD SALARY", "BGC QUILLZWALD LTD EXPENSES", "expenses", "work_expenses"),
        ("QUILLZWALD PAYROLL PPD", "QUILLZWALD TRAVEL REIMB 040325", "expenses", "work_expenses"),
        (
            "QUILLZWALD DES:PAYROLL ID:77 INDN:JANE ROE CO ID:141 PPD",
            "QUILLZWALD DES:EXP REIMB ID:77 INDN:JANE ROE CO ID:141 PPD",
            "expenses",
            "work_expenses",
        ),
        (
            "GUTSCHRIFT QUILLZWALD GMBH GEHALT 03/25",
            "SEPA-Gutschrift Quillzwald GmbH SVWZ+Auslagenerstattung",
            "expenses",
            "work_expenses",
        ),
        (
            "VIR SEPA QUILLZWALD SAS SALAIRE",
            "VIR SEPA QUILLZWALD SAS Indemnités kilométriques",
            "expenses",
            "work_expenses",
        ),
        (
            "QUILLZWALD PAYROLL PPD",
            "QUILLZWALD SALARY ADVANCE",
            "wage advance",
            "loan_proceeds",
        ),
        ("QUILLZWALD PAYROLL", "QUILLZWALD CHILDSUPP", "child support", "other_income"),
        ("QUILLZWALD PAYROLL", "QUILLZWALD SPOUSAL SUPPORT", "alimony", "other_income"),
        ("LYFT *RIDE SUN 9PM", "LYFT DRIVER PAYOUT 0520", "payouts", "self_employment"),
    ],
)
def test_a_purpose_is_a_payee_of_its_own(pay: str, other: str, purpose: str, category: str) -> None:
    """The payer's key and the purpose are the key, and money in is filed by the purpose."""
    payer, apart = payee_of(pay), payee_of(other)
    assert apart.key == f"{payer.key} {purpose}"
    assert apart.name == f"{payer.name} {purpose}"
    assert _into(other) == category


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("CHILD SUPPORT", "child support"),
        ("EXPENSE REIMBURSEMENT", "expenses"),
    ],
)
def test_a_purpose_of_nobody_is_its_own_payee(raw: str, key: str) -> None:
    """Where no payer is named, the purpose is."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("Zelle payment from Maria Lopez reimbursement", "maria lopez"),
        ("BIZUM DE MARIA LOPEZ CONCEPTO DIETAS", "maria lopez"),
        ("Zelle payment from Quill reimbursement", "zelle quill"),
        ("QUILLZWALD EX-PENSES", "quillzwald expenses"),
        ("SQ *EXPENSES ACCOUNTED Boise ID", "expenses accounted"),
        ("QUILLZWALD PAYOUT", "quillzwald payout"),
        ("ADVANCE AUTO PARTS 4412 BOISE ID", "advance auto parts"),
        ("AMZN Mktp US REFUND Amzn.com/bill WA", "amazon"),
    ],
)
def test_whom_no_purpose_tells_apart(raw: str, key: str) -> None:
    """People, cards' shops, firms that pay nobody out, and refunds of a shop keep the one key."""
    assert payee_of(raw).key == key


def test_the_banks_own_name_is_told_apart_too() -> None:
    """Where the bank names the payer, the descriptor still says what for."""
    assert payee_of("BGC EXPENSES 0441", "Quillzwald").key == "quillzwald expenses"
    assert payee_of("BGC SALARY 0441", "Quillzwald").key == "quillzwald"


def test_what_an_insurer_pays_back_is_no_work_cost() -> None:
    """A reimbursement lowers what was paid to an insurer; from an employer it is a repayment."""
    assert _into("ZILVEREN KRUIS ZORGVERZEKERINGEN DECLARATIE") != "work_expenses"
    assert _into("QUILLZWALD BV DECLARATIE") == "work_expenses"


def test_money_out_is_not_filed_by_a_purpose() -> None:
    """What goes out with the word "expenses" is no repayment."""
    payee = payee_of("QUILLZWALD EXPENSES")
    facts = PayeeFacts(
        key=payee.key, name=payee.name, raw="QUILLZWALD EXPENSES", debits=3, credits=0
    )
    assert decide(facts).out == "uncategorized"


def test_the_longest_phrase_says_the_purpose() -> None:
    """Of several phrases the longest tells, of equals the first; all of them leave the payer's name."""
    said = purpose_in(["acme", "travel", "expenses", "wage", "advance", "payouts"], grammar())
    assert said is not None
    assert (said.purpose.name, said.words) == ("expenses", ("travel", "expenses"))
    assert said.phrases == {("travel", "expenses"), ("wage", "advance"), ("payouts",)}
    left = without_purposes("ACME Travel-Expenses / wage advance, PAYOUTS", said.phrases)
    assert left.split() == ["ACME", "/", ","]


def test_only_whole_words_say_a_purpose() -> None:
    """A purpose's letters inside of another word say nothing."""
    assert purpose_in(["acme", "expensesx"], grammar()) is None
    assert without_purposes("ACMEEXPENSES", frozenset({("expenses",)})) == "ACMEEXPENSES"


@given(
    st.sampled_from(["quillzwald", "terrvix", "safeway", "maria lopez", "travel", "employee", ""]),
    st.lists(
        st.sampled_from(
            ["expenses", "wage advance", "child support", "payouts", "reimb", "travel"]
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_a_key_with_a_purpose_is_its_own_key(payer: str, said: list[str]) -> None:
    """A key read again is the same key, and its purpose is the one that it closes with."""
    key = payee_of(" ".join([payer, *said])).key
    assert payee_of(key).key == key
    purpose = purpose_of(key)
    if purpose is not None:
        assert f"{payer_of(key, purpose)} {purpose.name}".strip() == key
