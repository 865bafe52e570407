"""What a bank itself says of a row's category: hints, codes and fees.

A statement's own categories hint at a suggestion in its own words, and never more; the codes name
what they name; a bank's fees are apart by what they are for.
"""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.bank_categories import (
    COLUMN_CONFIDENCE,
    category_code,
    match_category_code,
    match_code,
    merchant_codes,
)
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import Direction
from finplan.categorise.decide import APPLIES_FROM, Decision, PayeeFacts, decide, reason_for
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.payments import fee_in, name_fee
from finplan.categorise.tokens import tokens_of
from finplan.plan.advise.fees import kind_of_fee
from finplan.plan.ledger.ledger import LedgerPayee
from tests.present import present
from tests.says import says

SHIPPED: dict[str, str] = tomllib.loads(
    files("finplan.categorise").joinpath("bank_categories.toml").read_text("utf-8")
)


def said_of(value: str) -> str | None:
    code = category_code(value)
    found = None if code is None else match_category_code(code)
    return None if found is None else found.category


def decided(raw: str, value: str, *, debits: int = 3, credits_in: int = 0) -> Decision:
    payee, code = payee_of(raw), category_code(value)
    return decide(PayeeFacts(payee.key, payee.name, raw, debits, credits_in, code=code))


def test_every_value_hints_at_one_category_that_money_may_go_to() -> None:
    """Values are folded as they are looked up, stand once, and name no income and no bare move."""
    values = [
        (" ".join(value.split()), category)
        for category, block in SHIPPED.items()
        for value in block.split(",")
    ]
    assert [value for value, _ in values if " ".join(tokens_of(value)) != value] == []
    assert [value for value, count in Counter(v for v, _ in values).items() if count > 1] == []
    assert {BUILT_IN[category].flow for category in SHIPPED} <= {"spending", "saving"}
    assert all(said_of(value) == category for value, category in values)


@pytest.mark.parametrize(
    ("value", "category"),
    [
        ("Food & Drink", "dining"),
        ("Gas/Automotive", "transport"),
        ("Phone/Cable", "phone_internet"),
        ("Travel/ Entertainment", "travel"),
        ("Merchandise & Supplies-Groceries", "groceries"),
        ("Restaurant-Bar & Café", "dining"),
        ("Transportation-Rail Services", "transport"),
        ("Essen & Trinken", "dining"),
        ("Travel-Groceries", "groceries"),
        ("Travel-Whatever", "travel"),
        ("Versicherungen", "insurance"),
        (" SUPERMARKETS ", "groceries"),
        ("Merchandise", None),
        ("Services", None),
        ("Other", None),
        ("Transfer", None),
        ("", None),
        ("x" * 61, None),
    ],
)
def test_values_of_banks_are_known_whole_or_in_parts(value: str, category: str | None) -> None:
    """The whole value counts first, then its last part, then its first; what says nothing is left."""
    assert said_of(value) == category


def test_a_value_is_a_name_and_no_essay() -> None:
    """What is longer than any name of a category is none, and is not kept with the row."""
    assert category_code("x" * 60) == f"category:{'x' * 60}"
    assert [category_code(value) for value in ("x" * 61, "", "  ")] == [None, None, None]


def test_an_unknown_payee_is_asked_about_with_the_hint_and_its_source() -> None:
    """The suggestion is likelier than not, files nothing, and says where it comes from."""
    decision = decided("QXZ VENTURES LLC", "Food & Drink")
    assert (decision.out, decision.source) == ("uncategorized", None)
    assert (decision.suggested, decision.confidence) == ("dining", COLUMN_CONFIDENCE)
    assert says(decision.text, "'Food & Drink'", "restaurants and coffee")
    reason = f"{decision.text}."
    assert reason_for(reason, "QXZ VENTURES LLC") == reason


@given(st.text(max_size=70), st.sampled_from(["out", "in"]))
def test_a_statements_category_never_files_anything(value: str, direction: str) -> None:
    """Whatever a column says, it is a suggestion for money out, and nothing for money in."""
    code = category_code(value)
    if code is None:
        return
    out, into = match_code(code, "out"), match_code(code, "in")
    assert out is None or out.confidence == COLUMN_CONFIDENCE < APPLIES_FROM
    assert into is None
    # What looks like a merchant's code or Plaid's value is none of these.
    assert match_category_code(value.strip()) is None or value.strip().startswith("category:")


@pytest.mark.parametrize(
    ("raw", "value", "category"),
    [
        ("NOTEMACHINE LTD", "Food & Drink", "cash"),
        ("WHOLE FOODS MKT 10242", "Travel", "groceries"),
        ("CORNER PHARMACY", "Food & Drink", "health"),
    ],
)
def test_what_a_name_says_for_sure_goes_before_it(raw: str, value: str, category: str) -> None:
    """A known merchant or a telling word files the payee, whatever the bank sorted its rows under."""
    assert decided(raw, value).out == category


def test_a_weak_word_beside_it_is_the_next_best() -> None:
    """Of two hints alike the statement's goes first, and the word's is among the alternatives."""
    decision = decided("QXZ STORE", "Travel")
    assert (decision.suggested, decision.alternatives[:1]) == ("travel", ("shopping",))


def test_money_in_takes_no_hint_from_it() -> None:
    """What comes in from an unknown payee is no dinner."""
    decision = decided("QXZ VENTURES LLC", "Food & Drink", debits=0, credits_in=2)
    assert (decision.into, decision.suggested) == ("unknown_inflow", None)


SHIPPED_CODES: dict[str, Any] = tomllib.loads(
    files("finplan.categorise").joinpath("codes.toml").read_text("utf-8")
)


def test_every_code_names_a_category_that_fits_its_direction() -> None:
    """Codes name built-in categories; money out is never income, money in never a new spending."""
    for name, table in SHIPPED_CODES.items():
        for category in table:
            flow = BUILT_IN[category].flow
            assert name != "in" or flow != "spending"
            assert name not in ("merchant", "broad", "out") or flow != "income"


def test_a_code_means_one_thing() -> None:
    """The ranges of merchant codes do not overlap, and no value of Plaid's is listed twice."""
    numbers: Counter[int] = Counter()
    for table in (SHIPPED_CODES["merchant"], SHIPPED_CODES["broad"]):
        for part in " ".join(table.values()).split():
            first, _, last = part.partition("-")
            assert len(first) == 4
            assert len(last) in (0, 4)
            numbers.update(range(int(first), int(last or first) + 1))
    assert [number for number, count in numbers.items() if count > 1] == []
    assert numbers.keys() == merchant_codes().merchant.keys() | merchant_codes().broad.keys()
    for name in ("out", "in", "hint"):
        told = Counter(" ".join(SHIPPED_CODES[name].values()).split())
        assert [value for value, count in told.items() if count > 1] == []


def test_every_detailed_value_belongs_to_a_primary_one() -> None:
    """Plaid's detailed values begin with their primary value, so a typing error shows."""
    primaries = {*" ".join(SHIPPED_CODES["hint"].values()).split(), "TRANSFER_IN", "TRANSFER_OUT"}
    for direction in ("out", "in"):
        for value in " ".join(SHIPPED_CODES[direction].values()).split():
            assert any(value.startswith(f"{primary}_") for primary in primaries), value


def test_there_are_enough_of_them() -> None:
    """Most shops' codes and most of Plaid's values say something."""
    assert len(merchant_codes().merchant) >= 1_000
    assert len(merchant_codes().detailed["out"]) >= 70
    assert len(merchant_codes().detailed["in"]) >= 20


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("5411", "groceries"),
        ("5812", "dining"),
        ("5541", "transport"),
        ("3058", "travel"),
        ("0742", "pets"),
        ("742", "pets"),
        ("6011", "cash"),
        ("FOOD_AND_DRINK_COFFEE", "dining"),
        ("RENT_AND_UTILITIES_RENT", "rent"),
        ("MEDICAL_VETERINARY_SERVICES", "pets"),
        ("LOAN_PAYMENTS_CREDIT_CARD_PAYMENT", "unlinked_card"),
        ("TRANSFER_OUT_SAVINGS", "savings"),
    ],
)
def test_a_code_of_one_trade_files(code: str, category: str) -> None:
    """A code of one trade names its category, surely enough to apply, and says why."""
    said = present(match_code(code))
    assert said.category == category
    assert said.confidence >= APPLIES_FROM
    assert BUILT_IN[category].label.lower() in said.rule_text


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("INCOME_SALARY", "wages"),
        ("INCOME_WAGES", "wages"),
        ("INCOME_GIG_ECONOMY", "self_employment"),
        ("INCOME_TAX_REFUND", "tax_refund"),
        ("LOAN_DISBURSEMENTS_STUDENT", "loan_proceeds"),
        ("LOAN_PAYMENTS_CREDIT_CARD_PAYMENT", "card_payment"),
    ],
)
def test_money_in_has_codes_of_its_own(code: str, category: str) -> None:
    """What Plaid says of a credit files the credit."""
    assert present(match_code(code, "in")).category == category


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("5999", "shopping"),
        ("TRAVEL", "travel"),
        ("FOOD_AND_DRINK_OTHER_FOOD_AND_DRINK", "dining"),
        ("ENTERTAINMENT_SOMETHING_NEW", "entertainment"),
    ],
)
def test_a_code_of_many_trades_only_suggests(code: str, category: str) -> None:
    """A broad code, a primary value and a value that is not known yet are hints."""
    said = present(match_code(code))
    assert said.category == category
    assert said.confidence < APPLIES_FROM


@pytest.mark.parametrize(
    ("code", "direction"),
    [
        *((code, "out") for code in ("4829", "5262", "9998", "", "abcd", "-5411", "５４１１")),
        ("5411", "in"),
        ("GENERAL_MERCHANDISE_ONLINE_MARKETPLACES", "out"),
        ("GENERAL_MERCHANDISE_SUPERSTORES", "out"),
        ("TRANSFER_OUT_TRANSFER_OUT_FROM_APPS", "out"),
        ("TRANSFER_IN_ACCOUNT_TRANSFER", "in"),
        ("INCOME_SALARY", "out"),
        ("FOOD_AND_DRINK_COFFEE", "in"),
        ("OTHER_OTHER", "out"),
    ],
)
def test_a_code_of_no_one_thing_says_nothing(code: str, direction: Direction) -> None:
    """Money transfer, marketplaces, the other direction and what is no code at all decide nothing."""
    assert match_code(code, direction) is None


@pytest.mark.parametrize(
    ("raw", "key", "kind"),
    [
        ("OVERDRAFT FEE", "overdraft fee", "overdraft"),
        ("RETURNED ITEM FEE", "returned payment fee", "overdraft"),
        ("CHQ BOUNCE CHARGES", "returned payment fee", "overdraft"),
        ("OVERDRAFT ITEM FEE FOR ACTIVITY OF 03-11", "overdraft fee", "overdraft"),
        ("LATE PAYMENT FEE", "late fee", "late payment"),
        ("PAST DUE FEE", "late fee", "late payment"),
        ("NON-NETWORK ATM FEE", "atm fee", "ATM"),
        ("INTERNATIONAL ATM FEE", "atm fee", "ATM"),
        ("FOREIGN TRANSACTION FEE", "foreign transaction fee", "foreign transaction"),
        ("CURRENCY EXCHANGE FEE", "foreign transaction fee", "foreign transaction"),
        ("MONTHLY MAINTENANCE FEE", "account fee", "account"),
        ("MONTHLY FEE BUSINESS FUNDAMENTALS", "account fee", "account"),
        ("ANNUAL MEMBERSHIP FEE", "annual fee", "bank"),
        ("STOP PAYMENT FEE", "bank fee", "bank"),
    ],
)
def test_a_fee_keeps_its_kind(raw: str, key: str, kind: str) -> None:
    """The key of a fee names its kind, is its own key, and tells advice which kind it is."""
    payee = payee_of(raw)
    assert (payee.key, payee_of(payee.key).key) == (key, key)
    assert kind_of_fee(LedgerPayee(payee.key, payee.name, "x", "x", {})).name == kind


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("COMMISSION D'INTERVENTION 03 OPERATIONS FEVRIER 2025", "overdraft fee"),
        ("ADIANT DEPOSITANTE TARIFA", "overdraft fee"),
        ("Other ATM withdrawal fee", "atm fee"),
        ("AUSLANDSEINSATZENTGELT 1,75% VISA", "foreign transaction fee"),
        ("COMMISSIONI SU BONIFICO", "transfer fee"),
        ("OUTGOING WIRE FEE", "transfer fee"),
        ("COTIS CARTE VISA CLASSIC 2025", "annual fee"),
        ("TARIFA BANCARIA CESTA FACIL", "account fee"),
        ("FRAIS DE TENUE DE COMPTE", "account fee"),
        ("CANONE CONTO CORRENTE FEBBRAIO", "account fee"),
        ("ACH RETURN CHARGES 030225 INCL GST", "returned payment fee"),
        ("PAST DUE FEE", "late fee"),
        ("BANK CHARGES", "bank fee"),
        ("COURTESY PAY FEE", "overdraft fee"),
        ("COURTESY PAY FEE REFUND", "overdraft fee"),
        ("OVERSEAS TRANSACTION FEE 16 JUN", "foreign transaction fee"),
        ("COMMISSION PAIEMENT HORS ZONE EURO 23/06", "foreign transaction fee"),
        ("KOERSOPSLAG BUITENLAND 1,40 VREEMDE VALUTA", "foreign transaction fee"),
        ("E-TRANSFER SERVICE FEE", "transfer fee"),
        ("COMIS. TRANSF. EXTERIOR", "transfer fee"),
        ("JAHRESENTGELT KREDITKARTE MASTERCARD", "annual fee"),
        ("QUOTA ANNUALE CARTA NEXI CLASSIC", "annual fee"),
        ("ANUIDADE DIFERENCIADA VISA", "annual fee"),
        ("RENEWAL MEMBERSHIP FEE JUN 25 - MAY 26", "annual fee"),
        ("MAHNGEBUEHR", "late fee"),
        ("MENSALIDADE KY", "mensalidade"),
        ("JAHRESGEBUEHR KY", "annual fee"),
        ("KARTENGEBUEHR ET CHEQUE", "annual fee"),
    ],
)
def test_a_fee_is_told_by_its_words_in_any_language(raw: str, key: str) -> None:
    """A row of nothing but words of fees is the fee of its kind, wherever the word for one stands."""
    assert payee_of(raw).key == key
    assert payee_of(key).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "COTISATION QUILLZWALD",
        "QUOTA QUILLZWALD",
        "SPESE CONDOMINIALI",
        "CANONE RAI",
        "CUOTA COMUNIDAD",
        "TARIFA SURF SHOP",
        "COTISATION",
        "KOSTEN",
        "MONTHLY PLAN GYM",
        "QUILLZWALD ATM FEE",
        "ACCOUNT SERVICE",
    ],
)
def test_a_row_that_names_anything_else_is_no_fee_of_the_bank(raw: str) -> None:
    """Dues and costs of others have the same words, and so may a name; a fee needs a word for one."""
    assert fee_in(tokens_of(raw), grammar()) is None


def test_of_two_kinds_the_worse_one_holds() -> None:
    """A returned payment abroad is a returned payment, and no kind is a fee of the bank."""
    assert name_fee({"international", "returned", "payment", "fee"}) == "returned payment fee"
    assert name_fee({"stop", "payment", "fee"}) == "bank fee"


@pytest.mark.parametrize(
    "raw",
    [
        "BONIFICO CANONE MARZO 2025",
        "BONIFICO CANONE MENSILE",
        "TRANSFERENCIA CUOTA MARZO",
        "VIREMENT COTISATION ANNUELLE 2025",
        "PIX MENSALIDADE",
        "VIREMENT FRAIS",
        "UEBERWEISUNG GEBUEHREN",
        "COTISATION ANNUELLE",
    ],
)
def test_dues_that_are_sent_are_no_fee_of_the_bank(raw: str) -> None:
    """How often dues come and how they are sent makes no fee of a rent."""
    assert not payee_of(raw).key.endswith("fee")
