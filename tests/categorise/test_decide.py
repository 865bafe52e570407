"""What a payee's money is for until the person says so, and the reason that is given.

A row's reason quotes only words that stand in that row; what a payer sends besides its pay is
filed by what the row says.
"""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from benchmarks.quality.world.household import household
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import curated
from finplan.categorise.decide import (
    APPLIES_FROM,
    UNKNOWN_PAYEE,
    Knowledge,
    PayeeFacts,
    decide,
    reason_for,
)
from finplan.categorise.grammar import grammar
from finplan.categorise.infer import LabelledPayee, train
from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.matching import inflow_sign
from finplan.categorise.payee import payee_of
from finplan.categorise.payments import payer_of, purpose_in, purpose_of, without_purposes
from finplan.categorise.tokens import tokens_of
from tests.categorise.descriptors import DESCRIPTORS
from tests.present import present

REGULAR: tuple[Literal["no", "pay", "other"], ...] = ("no", "pay", "other")
PEERS: tuple[Literal["mortgage", "loan"] | None, ...] = (None, "mortgage", "loan")


def facts_of(raw: str, debits: int = 0, credits_in: int = 0, card_credits: int = 0) -> PayeeFacts:
    payee = payee_of(raw)
    return PayeeFacts(payee.key, payee.name, raw, debits, credits_in, card_credits)


def built_facts(
    raw: str,
    debits: int,
    deposits: int,
    card_credits: int,
    regular: Literal["no", "pay", "other"],
    peer: Literal["mortgage", "loan"] | None,
    code: str | None,
) -> PayeeFacts:
    facts = facts_of(raw, debits, deposits + card_credits, card_credits)
    return replace(facts, regular_credits=regular, loan_peer=peer, code=code)


FACTS = st.builds(
    built_facts,
    raw=DESCRIPTORS,
    debits=st.integers(0, 40),
    deposits=st.integers(0, 40),
    card_credits=st.integers(0, 40),
    regular=st.sampled_from(REGULAR),
    peer=st.sampled_from(PEERS),
    code=st.none() | st.sampled_from(["5411", "6011", "9999", "x"]),
)


@given(FACTS)
def test_every_payee_is_decided(facts: PayeeFacts) -> None:
    """A decision always names categories that exist, and says why in one line."""
    decision = decide(facts)
    assert {decision.out, decision.into, *decision.alternatives} <= set(BUILT_IN)
    assert decision.suggested is None or decision.suggested in BUILT_IN
    assert decision.text.strip()
    assert "\n" not in decision.text


@given(FACTS)
def test_what_is_not_known_is_not_filed(facts: PayeeFacts) -> None:
    """Without a source a payee is filed nowhere; only then is there a guess to ask with."""
    decision = decide(facts)
    if decision.source is None:
        spoken = decision.into if facts.credits and not facts.debits else decision.out
        assert spoken in ("uncategorized", "unknown_inflow")
        assert (decision.suggested is None) == (decision.confidence is None)
    else:
        assert decision.suggested is None
        assert 0.5 < present(decision.confidence) < 1


@given(FACTS)
def test_money_out_is_never_income(facts: PayeeFacts) -> None:
    """Outflows are spending, saving or a move."""
    assert BUILT_IN[decide(facts).out].flow in ("spending", "saving", "move")


@given(FACTS)
def test_a_credit_on_a_card_is_never_income(facts: PayeeFacts) -> None:
    """On a card money in is a refund or a payment of the card."""
    into = decide(replace(facts, credits=3, card_credits=3)).into
    assert into == "card_payment" or BUILT_IN[into].flow == "spending"


@given(FACTS)
def test_the_decision_depends_on_nothing_else(facts: PayeeFacts) -> None:
    """The same facts are decided the same way, and more of the same rows change nothing."""
    more = replace(facts, debits=facts.debits * 2)
    assert decide(facts) == decide(facts) == decide(more)


@pytest.mark.parametrize("regular", REGULAR)
def test_marketplaces_are_never_filed(regular: Literal["no", "pay", "other"]) -> None:
    """Where anything may be bought or anybody paid, nothing is decided and nothing is income."""
    for merchant in set(curated().by_phrase.values()):
        if not merchant.ask:
            continue
        decision = decide(PayeeFacts(merchant.key, merchant.name, merchant.name, 5, 5, 0, regular))
        assert (decision.out, decision.source) == ("uncategorized", None)
        assert BUILT_IN[decision.into].flow != "income"


EXPECTED: list[tuple[PayeeFacts, str, str, str | None]] = [
    # A shop, and its refunds.
    (facts_of("SAFEWAY #1711 SAN JOSE CA", 20), "groceries", "groceries", "curated"),
    (facts_of("SAFEWAY #1711 SAN JOSE CA", 20, 1), "groceries", "groceries", "curated"),
    (facts_of("BEST BUY 00001234", 0, 1), "shopping", "shopping", "curated"),
    (facts_of("BEST BUY 00001234", 0, 1, 1), "shopping", "shopping", "curated"),
    # Nobody knows this payee.
    (facts_of("BLUE HERON COLLECTIVE", 3), "uncategorized", "uncategorized", None),
    (facts_of("BLUE HERON COLLECTIVE", 0, 1), "uncategorized", "unknown_inflow", None),
    (facts_of("BLUE HERON COLLECTIVE", 0, 1, 1), "uncategorized", "uncategorized", None),
    # A processor takes its fees and still pays out; a shop that one pays over it gives money back.
    (facts_of("STRIPE TRANSFER ST-A1B2", 2, 9), "uncategorized", "self_employment", None),
    (facts_of("STICHTING MOLLIE PAYMENTS", 4, 1), "uncategorized", "uncategorized", None),
    (facts_of("AIRBNB PAYMENTS UK LTD", 4, 1), "travel", "travel", "curated"),
    # A guest house is no pension, and a contribution is put aside.
    (facts_of("PENSION MÜLLER GARMISCH", 2), "uncategorized", "uncategorized", None),
    (facts_of("PENSION MÜLLER GARMISCH", 2, 1), "uncategorized", "uncategorized", None),
    (facts_of("TEACHERS PENSIONS", 2), "investing", "pension_benefits", "curated"),
    (facts_of("TEACHERS PENSIONS BGC", 0, 1), "investing", "pension_benefits", "curated"),
    # A hint alone files nothing.
    (facts_of("SATURDAY FARM STAND", 9), "uncategorized", "uncategorized", None),
    # A card that is not linked, and one that is.
    (facts_of("CHASE CREDIT CRD AUTOPAY", 9), "unlinked_card", "unlinked_card", "curated"),
    (facts_of("PAYMENT THANK YOU-MOBILE", 0, 9, 9), "uncategorized", "card_payment", "curated"),
    # The same words on a depository account are no card's payment.
    (facts_of("PAYMENT THANK YOU-MOBILE", 0, 9), "uncategorized", "unknown_inflow", None),
    # Cash back on a card is no income; in a bank account it is.
    (facts_of("CASH BACK REWARD", 0, 2, 2), "uncategorized", "uncategorized", None),
    (facts_of("CASH BACK REWARD", 0, 2), "uncategorized", "interest", "curated"),
    # Pay, by words; what would be bought from an employer that sells is another matter.
    (facts_of("ACME CORP PAYROLL PPD ID: 12", 0, 30), "groceries", "wages", "curated"),
    (facts_of("NORTHGLEN DENTAL PAYROLL", 0, 30), "health", "wages", "curated"),
    # Savings, both ways.
    (facts_of("ONLINE TRANSFER TO SAV ...1234", 9), "savings", "savings", "curated"),
    (facts_of("ONLINE TRANSFER FROM SAV ...1234", 0, 9), "savings", "savings", "curated"),
    # People and marketplaces.
    (facts_of("ZELLE PAYMENT TO JOHN SMITH", 5, 2), "uncategorized", "unknown_inflow", None),
    (facts_of("AMZN MKTP US*2K4AB12C3", 50, 2, 2), "uncategorized", "uncategorized", None),
    (facts_of("AMZN MKTP US*2K4AB12C3", 50, 2), "uncategorized", "uncategorized", None),
    # Somebody else's money passing through.
    (facts_of("EXPENSIFY ACME EXP REIMB", 0, 2), "uncategorized", "work_expenses", "curated"),
    (facts_of("CHECK 1041", 12), "uncategorized", "uncategorized", None),
]


@pytest.mark.parametrize(
    ("facts", "out", "into", "source"), EXPECTED, ids=lambda value: getattr(value, "raw", None)
)
def test_a_person_decides_alike(facts: PayeeFacts, out: str, into: str, source: str | None) -> None:
    """Merchants, words, refunds, cards, savings and people are told apart by direction and account."""
    decision = decide(facts)
    assert (decision.out, decision.into, decision.source) == (out, into, source)


def test_a_payee_paired_with_a_linked_loan_is_that_loan() -> None:
    """A pair with a linked loan is better evidence than any name."""
    facts = facts_of("SAFEWAY #1711", 5)
    house = decide(replace(facts, loan_peer="mortgage"))
    car = decide(replace(facts, loan_peer="loan"))
    assert (house.out, house.source) == ("mortgage", "auto")
    assert (car.out, car.source) == ("loan_payment", "auto")


def test_a_regular_unknown_credit_is_income() -> None:
    """Credits that come as pay does are pay; other regular ones are other income, less surely."""
    unknown = facts_of("BLUE HERON COLLECTIVE", 0, 12)
    pay = decide(replace(unknown, regular_credits="pay"))
    other = decide(replace(unknown, regular_credits="other"))
    assert (pay.into, pay.source) == ("wages", "auto")
    assert (other.into, other.source) == ("other_income", "auto")
    assert pay.confidence is not None
    assert pay.confidence > present(other.confidence)
    assert pay.alternatives


def test_words_of_spending_suggest_what_money_in_pays_back() -> None:
    """What a payer's words say it is for is the suggestion; without such words there is none."""
    said = decide(facts_of("R OSEI ROOM RENT FT", credits_in=6))
    assert (said.into, said.source, said.suggested) == ("unknown_inflow", None, "rent")
    assert said.text.endswith("contains “rent”")
    assert decide(facts_of("BLUE HERON COLLECTIVE", credits_in=6)).suggested is None


def test_an_employer_where_the_person_shops_pays_wages() -> None:
    """Regular pay from a shop is pay, while what is bought there stays in its category."""
    decision = decide(replace(facts_of("STARBUCKS CORP", 8, 12), regular_credits="pay"))
    assert (decision.out, decision.into) == ("dining", "wages")


def test_a_code_decides_where_no_name_does() -> None:
    """A merchant code is evidence for an unknown payee, not against a known one or a marketplace."""
    assert decide(replace(facts_of("BLUE HERON COLLECTIVE", 3), code="5411")).out == "groceries"
    assert decide(replace(facts_of("NETFLIX.COM", 3), code="5411")).out == "subscriptions"
    asked = replace(facts_of("AMAZON.COM", 3), code="5411")
    assert (decide(asked).out, decide(asked).suggested) == ("uncategorized", "shopping")


def test_a_code_goes_before_words_and_after_a_merchant() -> None:
    """A pharmacy by its words may be a bar by its code; what the words say is the next best answer."""
    bar = decide(replace(facts_of("THE OLD PHARMACY"), code="5813"))
    assert (bar.out, bar.source) == ("dining", "curated")
    assert bar.alternatives[0] == "health"
    assert decide(replace(facts_of("THE OLD PHARMACY"), code="5999")).out == "health"
    agreed = decide(replace(facts_of("THE OLD PHARMACY"), code="5912"))
    assert agreed.out == "health"
    assert "health" not in agreed.alternatives


def test_a_banks_code_tells_what_comes_in() -> None:
    """Where no words do, the bank's own code files a credit; on a card it still is no income."""
    unknown = replace(facts_of("BLUE HERON COLLECTIVE", 0, 2), code="INCOME_GIG_ECONOMY")
    assert decide(unknown).into == "self_employment"
    assert decide(replace(unknown, card_credits=2)).into == "uncategorized"


@pytest.mark.parametrize(
    "raw",
    [
        "HALDANE WORKS INVOICE 00231",
        "FACTURE 77 ATELIER QUILLON",
        "INGLESHAW EVENTS INV 98969403 FPI",
        "INGLESHAW EVENTS INV98969403",
        "HOLMERE WERKE GMBH RE-NR. 2026/118",
    ],
)
def test_whoever_pays_an_invoice_is_a_client(raw: str) -> None:
    """Money in for an invoice is earned, unless its payer is paid as well or credits a card."""
    assert decide(facts_of(raw, 0, 2)).into == "self_employment"
    assert decide(facts_of(raw, 3, 1)).into != "self_employment"
    assert decide(facts_of(raw, 0, 2, 2)).into == "uncategorized"


@pytest.mark.parametrize(
    "raw",
    [
        "QUILLON INV",
        "QUILLON INV DIRECT",
        "QUILLON RG LEEDS",
        "INV",
        "JANE DOE RG1 4PS",
        "M SMITH RG41 2AB",
        "MUM INV 2",
        "FV 12 MARTA",
        "HARGREAVE INV 99321 WITHDRAWAL",
        "NORWAND STOCKS AND SHARES ISA INV 8831",
        "VELTRAN CAPITAL INV 220931",
    ],
)
def test_short_words_without_a_number_are_no_invoice(raw: str) -> None:
    """An investment is "INV", too: only a number behind it says that it is an invoice."""
    assert decide(facts_of(raw, 0, 2)).into == "unknown_inflow"


def test_a_known_payer_keeps_its_category_whatever_number_its_row_has() -> None:
    """A benefit that names its invoice is a benefit."""
    assert decide(facts_of("DWP PIP INV 20931", 0, 2)).into == "pension_benefits"


def test_a_question_comes_with_the_best_guess() -> None:
    """A marketplace suggests what most people buy there, a weak word what it hints at."""
    amazon = decide(facts_of("AMZN MKTP US*2K4AB12C3", 50))
    assert amazon.suggested == "shopping"
    assert "groceries" in amazon.alternatives
    farm = decide(facts_of("SATURDAY FARM STAND", 9))
    assert farm.suggested == "groceries"
    assert present(farm.confidence) < APPLIES_FROM


@pytest.mark.parametrize(
    "raw",
    [
        "ZELLE PAYMENT TO PETER BAKER",
        "VENMO *MARIA CHURCH",
        "BIZUM ENVIADO A PILAR OCHOA",
        "INTERAC E-TRANSFER SENT RITA YOGA CA8TT1",
    ],
)
def test_a_person_is_asked_about_and_never_told_by_a_surname(raw: str) -> None:
    """A full name has no rail in its key, and yet whoever is paid over a rail stays a question."""
    facts = facts_of(raw, 5)
    assert not facts.key.startswith(("zelle", "venmo", "bizum", "interac"))
    learnt = LabelledPayee(facts.key.split()[-1], "X", "pets")
    for decision in (decide(facts), decide(facts, Knowledge(out=train("out", [learnt])))):
        assert (decision.out, decision.source, decision.suggested) == ("uncategorized", None, None)
        assert "sends money to people" in decision.text


def test_a_card_purchase_is_never_a_persons() -> None:
    """A shop that bears the name of a person is judged as a shop."""
    assert decide(facts_of("POS PURCHASE PETER BAKER BAKERY 0441", 5)).out == "dining"


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (facts_of("SAFEWAY #1711", 3), "Known merchant: groceries"),
        (
            facts_of("FIRST BANK CREDIT CARD PAYMENT", 3),
            "The description contains “credit card payment”",
        ),
        (facts_of("AMAZON.COM", 3), "Amazon sells many things, so only you know the category"),
        (facts_of("ZELLE TO JO", 3), "Zelle sends money to people, so only you know the category"),
        (facts_of("BEST BUY 1234", 0, 1, 1), "Money back. Known merchant: shopping"),
        (facts_of("BLUE HERON COLLECTIVE", 3), UNKNOWN_PAYEE),
    ],
)
def test_the_reason_is_a_sentence_a_person_understands(facts: PayeeFacts, text: str) -> None:
    """The text says what the decision rests on."""
    assert decide(facts).text == text


@pytest.mark.parametrize(
    "raw", ["Standard Transfer", "Standard Transfer Wells Fargo (Personal) *1234"]
)
@pytest.mark.parametrize("direction", ["out", "into"])
def test_what_leaves_a_wallet_for_the_bank_only_moves(raw: str, direction: str) -> None:
    """A wallet's standard transfer goes to or comes from an own account, and is no investment."""
    debits, credits_in = (3, 0) if direction == "out" else (0, 3)
    knowledge = Knowledge(out=train("out", ()), into=train("in", ()))
    assert getattr(decide(facts_of(raw, debits, credits_in), knowledge), direction) == "transfer"


def test_the_word_transfer_teaches_nothing() -> None:
    """That money was transferred says nothing of what for, so no name with the word is filed by it."""
    lessons = train("out", ())
    assert lessons.guess("quillzwald transfer") == lessons.guess("quillzwald")


@pytest.mark.parametrize("first_debits", [0, 1])
def test_money_in_is_read_by_its_own_descriptor(first_debits: int) -> None:
    """Where money goes both ways, the descriptor of money out says nothing of money in."""
    facts = facts_of("QUILLZWALD STORE 12", first_debits, 3)
    paid = replace(facts, raw_in="QUILLZWALD PAYROLL PPD")
    assert decide(paid).into == "wages"
    assert decide(facts).into != "wages"
    assert decide(paid).out == decide(facts).out


_QUOTED = re.compile(r"“([^”]+)”")
_OTHERS = "Based on your other transactions with this payee"


@pytest.mark.parametrize(
    ("text", "raw", "said"),
    [
        ("Matches the words 'net pay'", "ACME NET PAY", "Matches the words 'net pay'"),
        ("Matches the words 'net pay'", "ACME PAY NET", _OTHERS),
        ("Money back. Matches the words 'cafe'", "ACME", f"Money back. {_OTHERS}"),
        ("Contains “net pay”", "ACME NET PAY", "Contains “net pay”"),
        ("Contains “net pay”", "ACME PAY NET", _OTHERS),
        ("Not certain. “cafe” often means Dining", "X", f"Not certain. {_OTHERS}"),
        (
            "Not certain. “cafe” often means Dining",
            "CAFE",
            "Not certain. “cafe” often means Dining",
        ),
        (
            "Venmo pays people. The note says 'rent'",
            "RENT",
            "Venmo pays people. The note says 'rent'",
        ),
        (
            "Not sure enough. The word 'cafe' in its name speaks for dining",
            "X",
            f"Not sure enough. {_OTHERS}",
        ),
        (
            "Like O'Brien's, which you filed under pets",
            "X",
            "Like O'Brien's, which you filed under pets",
        ),
        ("Known merchant: groceries", "X", "Known merchant: groceries"),
    ],
)
def test_what_a_row_does_not_say_is_not_quoted(text: str, raw: str, said: str) -> None:
    """Words are quoted where the row has them one after the other; else other rows are named."""
    assert reason_for(text, raw) == said


@pytest.mark.thorough
@pytest.mark.parametrize(
    "seeds",
    [range(9_000, 9_020), range(9_020, 9_200)],
    ids=["some", "many"],
)
def test_no_row_of_a_household_is_explained_by_words_of_another(seeds: range) -> None:
    """Whichever row a payee was judged by, each row's reason quotes what that row says."""
    quoted = told_otherwise = 0
    keys: dict[str, str] = {}
    for seed in seeds:
        texts: dict[str, set[str]] = defaultdict(set)
        for row in household(seed, "noisy").rows:
            raw = without_long_numbers(row.raw)
            if raw not in keys:
                keys[raw] = payee_of(raw).key
            texts[keys[raw]].add(raw)
        for key, raws in texts.items():
            judged_by = max(raws, key=len)
            for debits in (0, 1):
                facts = PayeeFacts(key, key, judged_by, debits=debits, credits=1 - debits)
                text = decide(facts).text
                for raw in raws:
                    reason = reason_for(text, raw)
                    told_otherwise += _OTHERS in reason
                    for phrase in _QUOTED.findall(reason):
                        quoted += 1
                        assert f" {phrase} " in f" {' '.join(tokens_of(raw))} ", (reason, raw)
    assert quoted > 50 * len(seeds)
    assert told_otherwise > len(seeds)


def _into(raw: str) -> str:
    """Where money in from the payee of a descriptor goes."""
    payee = payee_of(raw)
    return decide(PayeeFacts(key=payee.key, name=payee.name, raw=raw, debits=0, credits=2)).into


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
        ("QUILLZWALD PAYROLL PPD", "QUILLZWALD SALARY ADVANCE", "wage advance", "loan_proceeds"),
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
    ("raw", "key"), [("CHILD SUPPORT", "child support"), ("EXPENSE REIMBURSEMENT", "expenses")]
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


PAYS_FOR_MUCH = "ACME Travel-Expenses / wage advance, PAYOUTS"


def test_the_longest_phrase_says_the_purpose() -> None:
    """Of several phrases the longest tells, of equals the first; all of them leave the payer's name."""
    said = purpose_in(["acme", "travel", "expenses", "wage", "advance", "payouts"], grammar())
    assert said is not None
    assert (said.purpose.name, said.phrase) == ("expenses", ("travel", "expenses"))
    assert said.phrases == {("travel", "expenses"), ("wage", "advance"), ("payouts",)}
    left = without_purposes(PAYS_FOR_MUCH, said.phrases)
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
