"""Rows that name nobody are one payee for each kind, at any bank and in any language."""

import pytest

from finplan.categorise.payee import payee_of

KINDS = {
    "own savings": """
        TRANSFER TO SAVINGS
        INSTANT TRANSFER TO SAVINGS
        ROUND UP TO SAVINGS
        Überweisung auf Tagesgeldkonto
        GIROCONTO SU CONTO RISPARMIO
        Naar Oranje spaarrekening
        VIR INTERNE LIVRET A
        APLIC POUPANCA
        """,
    "interest": """
        SB INTEREST CREDIT
        BONUS INTEREST 12 JUN
        INTERETS ANNUELS LIVRET A
        INTERESSI ATTIVI 2025
        JUROS POUPANCA
        Zinsabschluss 2. Quartal
        """,
    "cash withdrawal": """
        LINK CASH WITHDRAWAL QUILLZWALD
        TELLER CASH WITHDRAWAL
        PRELIEVO CONTANTE SPORTELLO AUTOMATICO
        RETIRADA EFECTIVO QUILLZWALD
        """,
    "atm fee": """
        FRAIS RETRAIT DAB
        COMMISSIONI PRELIEVO BANCOMAT ALTRA BANCA
        ATM WDL CHARGES
        AUTOMATENGEBUEHR
        """,
    "late fee": """
        Mahnkosten
        AANMANINGSKOSTEN
        PENALITE DE RETARD
        CREDIT CARD LATE PAYMENT CHARGES
        """,
    "returned payment fee": """
        RETURNED DIRECT DEBIT FEE
        STORNERINGSKOSTEN
        DISHONOUR FEE
        """,
    "transfer fee": """
        ENTGELT ECHTZEITÜBERWEISUNG
        INTERNATIONAL TRANSFER FEE
        """,
    "foreign transaction fee": """
        WAEHRUNGSUMRECHNUNGSENTGELT
        COMMISSION DE CHANGE
        """,
}


ROWS = [(raw.strip(), key) for key, raws in KINDS.items() for raw in raws.strip().split("\n")]


@pytest.mark.parametrize(("raw", "key"), ROWS)
def test_a_row_of_one_kind_is_that_kind(raw: str, key: str) -> None:
    """Where every word says only what the row is, it is the one payee of its kind."""
    assert payee_of(raw).key == key
    assert payee_of(key).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "QUILLZWALD SAVINGS BANK",
        "MONTHLY SAVINGS",
        "REGULAR SAVINGS",
        "TRANSFER TO QUILLZWALD SAVINGS",
        "LOAN INTEREST",
        "INTEREST CHARGE PURCHASES",
        "CASH APP WITHDRAWAL",
        "CASH CONVERTERS QUILLZWALD",
        "ABFALLGEBUEHR QUILLZWALD",
        "NEBENKOSTEN",
        "STANDING ORDER FEES",
        "DIRECT DEBIT MEMBERSHIP FEE QUILLZWALD",
    ],
)
def test_a_row_that_says_more_is_another(raw: str) -> None:
    """A name, a loan, another charge, or dues that are only sent make it none of them."""
    assert payee_of(raw).key not in KINDS
