"""An answer of a bank is bounded before a value of it is built, and read exactly.

Its page is without what a person cannot see; the manual bank has nothing to say. One odd value is
left out and named, and everything else is read as without it.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from datetime import date
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from finplan.banks import answer as answers
from finplan.banks.base import BankAccount, BankTransaction, Link, Manual, SyncPage
from finplan.banks.enablebanking.choosing import LONGEST_CONSENT, _read_banks
from finplan.banks.enablebanking.consent import read_secret, read_session
from finplan.banks.enablebanking.rows import (
    ToldRow,
    named_rows,
    read_balances,
    read_page as read_enable_page,
    read_rows as read_account_rows,
)
from finplan.banks.plaid.answers import read_accounts, read_debts, read_item, read_page, with_debts
from finplan.banks.plaid.changes import Changes, read_update
from finplan.banks.simplefin.answers import MOST_ROWS, read_account_set
from finplan.model.money import LARGEST_AMOUNT


def test_numbers_are_exact_and_what_cannot_be_kept_is_none() -> None:
    """A decimal stays as it was written; a number of 41 characters is not a number any more."""
    read = answers.parse_answer(
        b"[1, -1.50, 1e5, %s, NaN, -Infinity, %s]" % (b"9" * 41, b"0.%s" % (b"1" * 40))
    )
    assert read[:3] == [1, Decimal("-1.50"), Decimal("1e5")]
    assert [each.is_nan() for each in read[3:]] == [True] * 4


@pytest.mark.parametrize(
    "body",
    [
        b"[" * (answers.DEEPEST + 1) + b"]" * (answers.DEEPEST + 1),
        b'{"a":' * (answers.DEEPEST + 1) + b"1" + b"}" * (answers.DEEPEST + 1),
        b"[" + b"1," * answers.MOST_VALUES + b"1]",
        b" " * (answers.LARGEST_ANSWER + 1),
    ],
)
def test_more_than_can_be_read_is_refused(body: bytes) -> None:
    """By its depth, its values and its bytes."""
    with pytest.raises(answers.TooMuch):
        answers.parse_answer(body)


def test_brackets_within_texts_nest_nothing() -> None:
    """Also behind an escaped quotation mark, and where none ends the text."""
    text = b'"' + b"[" * 200 + b'\\"' + b"{" * 200 + b'"'
    assert len(answers.parse_answer(b"[%s]" % text)[0]) == 401
    deepest = b"[" * answers.DEEPEST + text + b"]" * answers.DEEPEST
    assert isinstance(answers.parse_answer(deepest), list)
    with pytest.raises(answers.NotJson):
        answers.parse_answer(b'["' + b"[" * 200)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"nul", b'{"a":"\xc3"}', b"[1e]"])
def test_what_is_no_json_is_said_to_be_none(body: bytes) -> None:
    """Without a word of it."""
    with pytest.raises(answers.NotJson) as error:
        answers.parse_answer(body)
    assert str(error.value) == ""


def test_small_is_what_has_few_bytes_and_few_values() -> None:
    """The count is never below the number of values."""
    assert answers.is_small(b"[%s]" % (b" " * (answers.SMALL_ANSWER - 2)))
    assert not answers.is_small(b"[%s]" % (b" " * answers.SMALL_ANSWER))
    assert not answers.is_small(b"[" + b"1," * answers.SMALL_VALUES + b"1]")
    assert answers.count_values(b'{"a":[1,{"b":2}],"c":{}}') >= 8


def test_a_packed_answer_is_unpacked_within_the_bound() -> None:
    """gzip, and deflate with its head or without; never more than an answer may have."""
    bare = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    for packed in (
        gzip.compress(b"[1]"),
        zlib.compress(b"[1]"),
        bare.compress(b"[1]") + bare.flush(),
    ):
        assert answers.unpack(packed) == b"[1]"
    with pytest.raises(answers.TooMuch):
        answers.unpack(gzip.compress(b" " * (answers.LARGEST_ANSWER + 1)))
    for broken in (b"", b"[]", gzip.compress(b"[1]")[:-9]):
        with pytest.raises(answers.NotJson):
            answers.unpack(broken)


def test_no_text_of_a_bank_hides_anything() -> None:
    """Names and descriptors come without control and bidirectional characters; all else stays."""
    account = BankAccount("1", "My\u202e\x1bbank", "11", "depository", "checking", "USD", 5)
    row = BankTransaction("1", "a", 20260304, -450, "SHOP\u200f\x00 1", "SH\u202aOP")
    unnamed = BankTransaction("1", "b", 20260305, -1, "TEA", None)

    page = SyncPage((account,), (row,), (unnamed,), ("c",), "next", more=True).strip_invisible()

    assert page.accounts[0].name == "My bank"
    assert page.added == (row._replace(raw="SHOP 1", payee="SHOP"),)
    assert page.modified == (unnamed,)
    assert (page.removed, page.cursor, page.more) == (("c",), "next", True)


@pytest.mark.parametrize("cursor", [None, "", "anything"])
async def test_a_sync_is_empty_and_complete(cursor: str | None) -> None:
    """Whatever the cursor, nothing changes, nothing follows, and the cursor stays."""
    page = await Manual().sync(Link("alice", "My files"), cursor, date(2026, 11, 21))
    assert page == SyncPage((), (), (), (), cursor or "", more=False, complete=True)


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
            {"account_id": "m", "next_monthly_payment": 900.5, "interest_rate": {"percentage": 3.5}}
        ],
        "student": [
            {"account_id": "s", "minimum_payment_amount": 100, "interest_rate_percentage": 4}
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
    return answers.parse_answer(
        (text.replace('"the odd value"', str(value)) if raw else text).encode()
    )


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


def _must_be_said(left_out: Sequence[answers.NotRead], value: object, account: str) -> None:
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
    fine = read_account_set(answers.parse_answer(json.dumps(SIMPLEFIN).encode()), UTC, TODAY)
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
        answers.parse_answer(json.dumps(each).encode()) for each in (PLAID_PAGE, PLAID_ACCOUNTS)
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
    fine, _ = with_debts(
        accounts, read_debts(answers.parse_answer(json.dumps(PLAID_DEBTS).encode()))
    )
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
    fine = read_enable_page(answers.parse_answer(json.dumps(ENABLE_PAGE).encode()), "Giro")
    read = read_enable_page(_with(ENABLE_PAGE, ("transactions", 1, *path), value), "Giro")
    assert [row for row in read.rows if row.reference != "r2"] == [fine.rows[0], fine.rows[2]]
    assert all(row.day is None or 19000101 <= row.day <= 21991231 for row in read.rows)
    assert all(abs(row.amount) <= LARGEST_AMOUNT for row in read.rows)
    if path[-1] in ("amount", "booking_date"):
        _must_be_said(read.left_out, value, "Giro")


@given(path=st.sampled_from([("balance_amount", "amount"), ("reference_date",)]), value=any_value)
def test_of_enable_banking_only_the_odd_balance_is_left_out(path: Path, value: object) -> None:
    """The balance in another currency is the same, and a balance without its day is of today."""
    fine = read_balances(answers.parse_answer(json.dumps(ENABLE_BALANCES).encode()), TODAY, None)
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
    for session in map(read_session, (limit, _with(SESSION, ("access", "valid_until"), value))):
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
        ({"credit_debit_indicator": None}, "neither money in nor money out", "2026-06-14"),
        ({"transaction_amount": None}, "no amount with a currency", "2026-06-14"),
        (
            {"transaction_amount": {"currency": "EUR", "amount": "NaN"}},
            "no amount with a currency",
            "2026-06-14",
        ),
        (
            {"transaction_amount": {"currency": "EURO", "amount": "1"}, "booking_date": None},
            "no amount with a currency",
            None,
        ),
        (
            {"transaction_amount": {"currency": "EUR", "amount": "1e30"}, "booking_date": "soon"},
            "no amount with a currency",
            None,
        ),
        ({"booking_date": None}, "no date", None),
        ({"booking_date": "soon"}, "no date", None),
    ],
)
def test_rows_without_essentials_are_told(told: dict[str, Any], why: str, day: str | None) -> None:
    """It is not taken for nothing, and the others are read."""
    rows, [left_out] = read_account_rows([_told(**told), _told()], "Giro")
    assert len(rows) == 1
    assert left_out == answers.NotRead("Giro", why, is_row=True, day=day)


def test_the_rows_of_all_accounts_of_one_answer_are_bounded() -> None:
    """Two accounts together have no more rows than one alone may have."""
    told: Any = deepcopy(SIMPLEFIN)
    row = told["accounts"][0]["transactions"][0]
    for account, rows in zip(told["accounts"], (MOST_ROWS - 1, 1), strict=True):
        account["transactions"] = [row] * rows
    assert len(read_account_set(told, UTC, TODAY).rows) == MOST_ROWS
    told["accounts"][1]["transactions"].append(row)
    with pytest.raises(answers.Unreadable):
        read_account_set(told, UTC, TODAY)


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
