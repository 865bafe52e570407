"""What Enable Banking tells of rows and balances, read as values."""

from collections.abc import Iterable
from typing import Any

import pytest

from finplan.banks.answer import NotRead
from finplan.banks.enablebanking.consent import read_secret, read_session
from finplan.banks.enablebanking.rows import ToldRow, named_rows, read_balances
from finplan.banks.enablebanking.rows import read_rows as read_account_rows

TODAY = 20260615
IN_EURO = {"EUR": "a"}


def read_rows(told: Iterable[object]) -> list[ToldRow]:
    """The rows, all of which can be read."""
    rows, left_out = read_account_rows(told, "Giro")
    assert not left_out
    return rows


def _told(**more: Any) -> dict[str, Any]:
    return {
        "entry_reference": None,
        "transaction_amount": {"currency": "EUR", "amount": "3.50"},
        "credit_debit_indicator": "DBIT",
        "status": "BOOK",
        "booking_date": "2026-06-14",
        "remittance_information": ["CAFÉ"],
        **more,
    }


def _balance(kind: str, amount: str, day: str | None = None, currency: str = "EUR") -> Any:
    size = {"currency": currency, "amount": amount}
    return {"balance_type": kind, "balance_amount": size, "reference_date": day}


@pytest.mark.parametrize(
    ("told", "amount"),
    [
        ({}, -350),
        ({"credit_debit_indicator": "CRDT"}, 350),
        ({"transaction_amount": {"currency": "EUR", "amount": "-3.50"}}, -350),
        ({"transaction_amount": {"currency": "JPY", "amount": "350"}}, -350),
        ({"transaction_amount": {"currency": "KWD", "amount": "0.350"}}, -350),
    ],
)
def test_the_word_says_which_way_an_amount_goes(told: dict[str, Any], amount: int) -> None:
    """Whatever sign a bank writes besides, in units of the currency."""
    [row] = read_rows([_told(**told)])
    assert row.amount == amount


@pytest.mark.parametrize(
    ("told", "why", "day"),
    [
        ({"credit_debit_indicator": None}, "it does not say which way it goes", "2026-06-14"),
        ({"transaction_amount": None}, "it has no amount in a currency", "2026-06-14"),
        (
            {"transaction_amount": {"currency": "EUR", "amount": "NaN"}},
            "it has no amount in a currency",
            "2026-06-14",
        ),
        (
            {"transaction_amount": {"currency": "EURO", "amount": "1"}, "booking_date": None},
            "it has no amount in a currency",
            None,
        ),
        (
            {"transaction_amount": {"currency": "EUR", "amount": "1e30"}, "booking_date": "soon"},
            "it has no amount in a currency",
            None,
        ),
        ({"booking_date": None}, "it has no day", None),
        ({"booking_date": "soon"}, "it has no day", None),
    ],
)
def test_a_row_that_lacks_what_matters_is_left_out_and_told(
    told: dict[str, Any], why: str, day: str | None
) -> None:
    """It is not taken for nothing, and the others are read."""
    rows, [left_out] = read_account_rows([_told(**told), _told()], "Giro")
    assert len(rows) == 1
    assert left_out == NotRead("Giro", why, is_row=True, day=day)


def test_days_and_states() -> None:
    """Booked by the day of booking, else of value; what waits by that of the purchase."""
    days = {"value_date": "2026-06-15", "transaction_date": "2026-06-12"}
    booked, by_value, waits, other, undated = read_rows(
        [
            _told(**days),
            _told(booking_date=None, **days),
            _told(status="PDNG", **days),
            _told(status="OTHR", booking_date=None, transaction_date="2026-06-13"),
            _told(status="HOLD", booking_date=None),
        ]
    )
    assert (booked.day, booked.pending) == (20260614, False)
    assert (by_value.day, by_value.pending) == (20260615, False)
    assert (waits.day, waits.pending) == (20260612, True)
    assert (other.day, other.pending) == (20260613, True)
    assert (undated.day, undated.pending) == (None, True)
    [named] = named_rows(IN_EURO, [undated], TODAY)
    assert named.day == TODAY


def test_texts_and_names() -> None:
    """All lines of the text, each once; who was paid, or who paid; and what hides is left out."""
    out = _told(
        remittance_information=["Rechnung 12", "Rechnung 12", "Danke\x1b[31m"],
        creditor={"name": "Stadtwerke"},
        debtor={"name": "Ada"},
    )
    [row] = read_rows([out])
    assert (row.raw, row.payee) == ("Rechnung 12 Danke [31m", "Stadtwerke")
    [row] = read_rows([out | {"credit_debit_indicator": "CRDT", "remittance_information": None}])
    assert (row.raw, row.payee) == ("Ada", "Ada")
    [row] = read_rows([_told(remittance_information=[], bank_transaction_code=None)])
    assert (row.raw, row.payee) == ("No description", None)
    [row] = read_rows([_told(remittance_information=["x" * 5_000], merchant_category_code="5411")])
    assert (len(row.raw), row.code) == (300, "5411")


def test_ids_tell_apart_what_is_not_the_same() -> None:
    """Equal rows are counted; a reference holds with its day; a place in a list is none."""

    def ids(*told: dict[str, Any]) -> list[str]:
        return [row.external_id for row in named_rows(IN_EURO, read_rows(told), TODAY)]

    assert len(set(ids(_told(), _told(), _told(remittance_information=["KINO"])))) == 3
    assert ids(_told(), _told()) == ids(_told(), _told())
    assert ids(_told(entry_reference="R")) == ["20260614 R"]
    assert ids(_told(entry_reference="2026-06-14.0")) == ids(_told())
    assert ids(_told(status="PDNG", entry_reference="R")) == ["waiting R"]
    assert ids(_told(status="PDNG")) != ids(_told())
    [long] = ids(_told(entry_reference="R" * 5_000))
    assert len(long) < 100


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ([_balance("ITAV", "900"), _balance("ITBD", "400")], (40_000, None)),
        (
            [_balance("CLBD", "1", "2026-06-14"), _balance("ITBD", "2", "2026-06-12")],
            (100, 20260614),
        ),
        ([_balance("CLBD", "1", "2026-06-14"), _balance("ITBD", "2")], (200, None)),
        ([_balance("CLBD", "1", "2026-06-15"), _balance("XPCD", "2")], (100, None)),
        ([_balance("XPCD", "2"), _balance("CLAV", "3"), _balance("INFO", "4")], (200, None)),
        ([_balance("ITAV", "900")], (-10_000, None)),
        ([_balance("INFO", "900")], None),
        (["none", None, {"balance_type": "CLBD"}], None),
        (None, None),
    ],
)
def test_which_balance_is_shown(told: Any, shown: tuple[int, int | None] | None) -> None:
    """The newest booked one, then what is expected, then what is available less the credit line."""
    found = read_balances({"balances": told}, TODAY, 100_000).by_currency.get("EUR")
    assert (found and tuple(found)) == shown


def test_a_session_is_kept_as_it_was_told() -> None:
    """As a secret and back; accounts of one hash are told apart by their currency."""
    account = {"uid": "u1", "identification_hash": "h", "currency": "EUR", "product": "Giro"}
    told = {
        "session_id": "s",
        "aspsp": {"name": "Hafenbank", "country": "DE"},
        "access": {"valid_until": "2026-12-12T12:00:00+00:00"},
        "accounts": [
            account | {"account_id": {"iban": "DE02 1203 0000 0000 2020 51"}},
            account | {"uid": "u2", "currency": "USD", "cash_account_type": "CARD"},
            account | {"uid": "u3", "identification_hash": None, "product": "Baukredit"},
            {"uid": "u4", "cash_account_type": "SVGS"},
        ],
    }
    consent = read_session(told)
    assert read_secret(consent.write()) == consent
    assert consent.ends == 1_797_076_800_000
    assert [each.id for each in consent.accounts] == ["h", "h USD", "u3", "u4"]
    giro, card, loan, savings = consent.accounts
    assert (giro.mask, giro.kind, giro.kind_is_guess) == ("2051", "depository", True)
    assert (card.kind, card.subtype, card.kind_is_guess) == ("credit", "credit card", False)
    assert (loan.kind_is_guess, loan.currency) == (True, "EUR")
    assert (savings.name, savings.currency) == ("Savings account", None)
