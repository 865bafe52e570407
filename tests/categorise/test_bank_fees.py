"""A bank's fees are apart by what they are for."""

import pytest

from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.payments import fee_in, fee_named
from finplan.categorise.tokens import tokens_of
from finplan.plan.advise.fees import kind_of_fee
from finplan.plan.ledger.ledger import LedgerPayee


@pytest.mark.parametrize(
    ("raw", "key", "kind"),
    [
        ("OVERDRAFT FEE", "overdraft fee", "overdraft"),
        ("RETURNED ITEM FEE", "returned payment fee", "overdraft"),
        ("CHQ BOUNCE CHARGES", "returned payment fee", "overdraft"),
        ("OVERDRAFT ITEM FEE FOR ACTIVITY OF 03-11", "overdraft fee", "overdraft"),
        ("LATE PAYMENT FEE", "late fee", "late payment"),
        ("PAST DUE FEE", "late fee", "late payment"),
        ("NON-NETWORK ATM FEE", "atm fee", "cash machine"),
        ("INTERNATIONAL ATM FEE", "atm fee", "cash machine"),
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
    assert fee_named({"international", "returned", "payment", "fee"}) == "returned payment fee"
    assert fee_named({"stop", "payment", "fee"}) == "bank fee"


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
