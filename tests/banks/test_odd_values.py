"""One odd value of a bank's answer is left out and named, and everything else is read as without it."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.banks.answer import NotRead, parse_answer
from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.enablebanking.choosing import LONGEST_CONSENT, _read_banks
from finplan.banks.enablebanking.consent import read_session
from finplan.banks.enablebanking.rows import read_balances
from finplan.banks.enablebanking.rows import read_page as read_enable_page
from finplan.banks.plaid.answers import read_accounts, read_debts, read_item, read_page, with_debts
from finplan.banks.plaid.changes import Changes, read_update
from finplan.banks.simplefin.answers import read_account_set
from finplan.model.money import LARGEST_AMOUNT

UTC = ZoneInfo("UTC")
TODAY = 20260615
Path = tuple[str | int, ...]


class Raw(str):
    """JSON that no value of Python writes."""

    __slots__ = ()


ODD: Sequence[object] = (
    *("1e999999999", "-1E+400", "NaN", "Infinity", "-Infinity", "sNaN", "9" * 100_000, "1_0"),
    *("99999-13-45", "0001-01-01", "9999-12-31", "2026-02-30", "soon", "½", "\u0661", "\x00"),
    *(10**400, 10**30, -(10**30), True, {"amount": 1}, [1], [[]]),
    *(Raw("1e999999999"), Raw("-1e999999999"), Raw("1E+400"), Raw("NaN"), Raw("-Infinity")),
    *(Raw("9" * 100_000), Raw("1e30"), Raw("-1e30"), Raw('"\\ud83d"')),
)
"""What is never a number, an instant or a day of an account; any of these is left out."""

STRANGE: Sequence[object] = (
    "-0",
    Raw("-0"),
    Raw("-0.0"),
    0,
    -1,
    "",
    None,
    Raw("1.5"),
    Raw("1e-400"),
)
"""What may be one: it is read within bounds, or left out."""

SIMPLEFIN = {
    "errlist": [],
    "accounts": [
        {
            "id": "a",
            "name": "Checking",
            "currency": "USD",
            "balance": "12.50",
            "balance-date": 1_781_524_800,
            "transactions": [
                {
                    "id": f"r{n}",
                    "posted": 1_781_524_800 - n * 86_400,
                    "transacted_at": 1_781_524_800 - n * 86_400,
                    "amount": f"-{n}.50",
                    "description": "CAFE",
                }
                for n in (1, 2, 3)
            ],
        },
        {"id": "b", "name": "Visa", "currency": "USD", "balance": "-3.00", "transactions": []},
    ],
}
PLAID_ACCOUNTS = {
    "accounts": [
        {
            "account_id": "a",
            "name": "Checking",
            "type": "depository",
            "balances": {
                "current": 12.5,
                "available": 12,
                "limit": None,
                "iso_currency_code": "USD",
            },
        },
        {
            "account_id": "b",
            "name": "Visa",
            "type": "credit",
            "balances": {"current": 3, "available": None, "limit": 500, "iso_currency_code": "USD"},
        },
    ]
}
PLAID_PAGE = {
    "next_cursor": "c",
    "has_more": False,
    "modified": [],
    "removed": [],
    "accounts": [],
    "added": [
        {
            "transaction_id": f"r{n}",
            "account_id": "a",
            "date": f"2026-06-0{n}",
            "amount": n + 0.5,
            "iso_currency_code": "USD",
            "name": "CAFE",
        }
        for n in (1, 2, 3)
    ],
}
PLAID_DEBTS = {
    "liabilities": {
        "credit": [
            {
                "account_id": "b",
                "minimum_payment_amount": 25,
                "aprs": [{"apr_type": "purchase_apr", "apr_percentage": 19.9}],
            }
        ],
        "mortgage": [
            {
                "account_id": "m",
                "next_monthly_payment": 900.5,
                "interest_rate": {"percentage": 3.5},
            }
        ],
        "student": [
            {
                "account_id": "s",
                "minimum_payment_amount": 100,
                "interest_rate_percentage": 4,
            }
        ],
    }
}
ENABLE_PAGE = {
    "continuation_key": None,
    "transactions": [
        {
            "entry_reference": f"r{n}",
            "status": "BOOK",
            "booking_date": f"2026-06-0{n}",
            "value_date": f"2026-06-0{n}",
            "transaction_date": f"2026-06-0{n}",
            "credit_debit_indicator": "DBIT",
            "remittance_information": ["KINO"],
            "transaction_amount": {"currency": "EUR", "amount": f"{n}.50"},
        }
        for n in (1, 2, 3)
    ],
}
ENABLE_BALANCES = {
    "balances": [
        {
            "balance_type": kind,
            "balance_amount": {"currency": currency, "amount": "7.50"},
            "reference_date": "2026-06-14",
        }
        for kind, currency in (("ITBD", "EUR"), ("CLBD", "USD"))
    ]
}


def _with(answer: Any, path: Path, value: object) -> Any:
    """An answer as it comes over the wire, with one value otherwise."""
    changed = deepcopy(answer)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    raw = isinstance(value, Raw)
    holder[path[-1]] = "the odd value" if raw else value
    text = json.dumps(changed)
    return parse_answer((text.replace('"the odd value"', str(value)) if raw else text).encode())


def _must_be_bounded(accounts: Sequence[BankAccount], rows: Sequence[BankTransaction]) -> None:
    for account in accounts:
        for amount in (account.balance, account.credit_limit, account.minimum_payment):
            assert amount is None or (type(amount) is int and abs(amount) <= LARGEST_AMOUNT)
        assert account.apr is None or 0 <= account.apr <= 10
        assert account.seen_on is None or 19000101 <= account.seen_on <= 21991231
    for row in rows:
        assert type(row.amount) is int
        assert abs(row.amount) <= LARGEST_AMOUNT
        assert 19000101 <= row.day <= 21991231


def _must_be_said(left_out: Sequence[NotRead], value: object, account: str) -> None:
    assert all(each.account == account for each in left_out)
    if any(value is each for each in ODD):
        assert len(left_out) == 1


any_value = st.sampled_from([*ODD, *STRANGE])


@given(
    place=st.sampled_from(["balance", "balance-date", "posted", "transacted_at", "amount"]),
    value=any_value,
)
def test_of_simplefin_only_the_odd_value_is_left_out(place: str, value: object) -> None:
    """A balance, its day, or a row; the other account and the other rows are the same."""
    of_row = place in ("posted", "transacted_at", "amount")
    path: Path = ("accounts", 0, "transactions", 1, place) if of_row else ("accounts", 0, place)
    fine = read_account_set(parse_answer(json.dumps(SIMPLEFIN).encode()), UTC, TODAY)
    read = read_account_set(_with(SIMPLEFIN, path, value), UTC, TODAY)
    _must_be_bounded(read.accounts, read.rows)
    assert [each.external_id for each in read.accounts] == ["a", "b"]
    assert read.accounts[1] == fine.accounts[1]
    if of_row:
        assert read.accounts == fine.accounts
        assert [row for row in read.rows if row.external_id != "r2"] == [fine.rows[0], fine.rows[2]]
    else:
        assert read.rows == fine.rows
    if place != "transacted_at":
        _must_be_said(read.left_out, value, "Checking")


@given(
    path=st.sampled_from(
        [
            *(("accounts", 0, "balances", name) for name in ("current", "available")),
            *(("accounts", 1, "balances", name) for name in ("current", "limit")),
            *(("added", 1, name) for name in ("amount", "date")),
        ]
    ),
    value=any_value,
)
def test_of_plaid_only_the_odd_value_is_left_out(path: Path, value: object) -> None:
    """A balance, a limit, or a row; the other account and the other rows are the same."""

    def read(page: Any, accounts: Any) -> Any:
        changes = Changes(from_beginning=True)
        changes.take(read_page(page))
        return read_update(changes, read_accounts(accounts), {})

    page, accounts = (
        parse_answer(json.dumps(each).encode()) for each in (PLAID_PAGE, PLAID_ACCOUNTS)
    )
    fine = read(page, accounts)
    of_row = path[0] == "added"
    if of_row:
        page = _with(PLAID_PAGE, path, value)
    else:
        accounts = _with(PLAID_ACCOUNTS, path, value)
    got = read(page, accounts)
    _must_be_bounded(list(got.accounts.values()), got.rows)
    if of_row:
        assert got.accounts == fine.accounts
        assert [row for row in got.rows if row.external_id != "r2"] == [fine.rows[0], fine.rows[2]]
        _must_be_said(got.left_out, value, "Checking")
    else:
        other = "b" if path[1] == 0 else "a"
        assert got.accounts[other] == fine.accounts[other]
        assert got.rows == fine.rows
        assert got.accounts.keys() == {"a", "b"}
        if path[-1] != "available":
            _must_be_said(got.left_out, value, "Visa" if path[1] else "Checking")


@given(
    path=st.sampled_from(
        [
            ("liabilities", "credit", 0, "minimum_payment_amount"),
            ("liabilities", "credit", 0, "aprs", 0, "apr_percentage"),
            ("liabilities", "mortgage", 0, "next_monthly_payment"),
            ("liabilities", "mortgage", 0, "interest_rate", "percentage"),
            ("liabilities", "student", 0, "minimum_payment_amount"),
            ("liabilities", "student", 0, "interest_rate_percentage"),
        ]
    ),
    value=any_value,
)
def test_of_debts_only_the_odd_value_is_left_out(path: Path, value: object) -> None:
    """A rate or a payment; the other debts, and the other figure of this one, are the same."""
    accounts = [BankAccount(name, name, None, "loan", None, "USD", 100) for name in ("b", "m", "s")]
    fine, _ = with_debts(accounts, read_debts(parse_answer(json.dumps(PLAID_DEBTS).encode())))
    read, left_out = with_debts(accounts, read_debts(_with(PLAID_DEBTS, path, value)))
    _must_be_bounded(read, ())
    place = ("credit", "mortgage", "student").index(str(path[1]))
    for index, (one, other) in enumerate(zip(read, fine, strict=True)):
        if index != place:
            assert one == other
    is_rate = "percentage" in str(path[-1])
    if is_rate:
        assert read[place].minimum_payment == fine[place].minimum_payment
    else:
        assert read[place].apr == fine[place].apr
    _must_be_said(left_out, value, accounts[place].name)


@given(
    path=st.sampled_from(
        [
            ("transaction_amount", "amount"),
            *((name,) for name in ("booking_date", "value_date", "transaction_date")),
        ]
    ),
    value=any_value,
)
def test_of_enable_banking_only_the_odd_row_is_left_out(path: Path, value: object) -> None:
    """A day that is not needed leaves even its own row alone."""
    fine = read_enable_page(parse_answer(json.dumps(ENABLE_PAGE).encode()), "Giro")
    read = read_enable_page(_with(ENABLE_PAGE, ("transactions", 1, *path), value), "Giro")
    assert [row for row in read.rows if row.reference != "r2"] == [fine.rows[0], fine.rows[2]]
    assert all(row.day is None or 19000101 <= row.day <= 21991231 for row in read.rows)
    assert all(abs(row.amount) <= LARGEST_AMOUNT for row in read.rows)
    if path[-1] in ("amount", "booking_date"):
        _must_be_said(read.left_out, value, "Giro")


@given(
    path=st.sampled_from([("balance_amount", "amount"), ("reference_date",)]),
    value=any_value,
)
def test_of_enable_banking_only_the_odd_balance_is_left_out(path: Path, value: object) -> None:
    """The balance in another currency is the same, and a balance without its day is of today."""
    fine = read_balances(parse_answer(json.dumps(ENABLE_BALANCES).encode()), TODAY, None)
    read = read_balances(_with(ENABLE_BALANCES, ("balances", 0, *path), value), TODAY, None)
    assert read.by_currency["USD"] == fine.by_currency["USD"]
    euro = read.by_currency.get("EUR")
    assert euro is None or abs(euro.amount) <= LARGEST_AMOUNT
    if any(value is each for each in ODD):
        assert len(read.odd) == 1


SESSION: Mapping[str, Any] = {
    "session_id": "s",
    "aspsp": {"name": "Hafenbank", "country": "DE"},
    "access": {"valid_until": "2026-12-12T12:00:00+00:00"},
    "accounts": [
        {"uid": "u", "currency": "EUR", "credit_limit": {"currency": "EUR", "amount": "100"}}
    ],
}


@pytest.mark.parametrize("value", [*ODD, *STRANGE])
def test_what_is_no_row_and_no_balance_is_as_if_it_were_missing(value: object) -> None:
    """A limit, the end of a consent, how long one may be, and when a login was read last."""
    limit = _with(SESSION, ("accounts", 0, "credit_limit", "amount"), value)
    ends = _with(SESSION, ("access", "valid_until"), value)
    for session in map(read_session, (limit, ends)):
        assert session.accounts[0].uid == "u"
        assert json.loads(session.write())["bank"] == "Hafenbank"
    bank = {"name": "Hafenbank", "country": "DE", "maximum_consent_validity": 1}
    [listed] = _read_banks(
        _with({"aspsps": [bank]}, ("aspsps", 0, "maximum_consent_validity"), value)
    )
    assert listed.longest <= LONGEST_CONSENT
    item = {
        "item": {"institution_name": "Harbour", "consent_expiration_time": None},
        "status": {"transactions": {"last_successful_update": None}},
    }
    for path in (
        ("item", "consent_expiration_time"),
        ("status", "transactions", "last_successful_update"),
    ):
        assert read_item(_with(item, path, value), UTC).institution == "Harbour"
