"""What a SimpleFIN server answers is read to the cent and the day; its troubles by whom they touch."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from finplan.banks.answer import Unreadable
from finplan.banks.simplefin.answers import AccountSet, Trouble, read_account_set

UTC = ZoneInfo("UTC")


def _account(name: str = "Checking", **more: Any) -> dict[str, Any]:
    return {"id": name, "name": name, "currency": "USD", "balance": "1.00", **more}


def _row(**more: Any) -> dict[str, Any]:
    return {"id": "t", "posted": 1_781_524_800, "amount": "-1.50", "description": "CAFE", **more}


def _read(*accounts: dict[str, Any], **more: Any) -> AccountSet:
    return read_account_set({"accounts": list(accounts), **more}, UTC, 20260615)


@pytest.mark.parametrize(
    ("name", "more", "kind", "subtype"),
    [
        ("Everyday Checking", {}, "depository", "checking"),
        ("High Yield Savings", {}, "depository", "savings"),
        ("Sapphire Visa (4417)", {}, "credit", "credit card"),
        ("Visa Debit Card", {}, "depository", "checking"),
        ("Auto Loan", {}, "loan", "auto"),
        ("Personal Loan", {}, "loan", None),
        ("30 Year Mortgage", {}, "loan", "mortgage"),
        ("Roth IRA", {}, "investment", "roth"),
        ("401(k) Plan", {}, "investment", "401k"),
        ("Individual", {"holdings": [{"symbol": "VTI"}]}, "investment", None),
        ("Individual", {"holdings": []}, "depository", None),
        ("Prime", {}, "depository", None),
    ],
)
def test_a_kind_is_told_from_the_name_or_what_it_holds(
    name: str, more: dict[str, Any], kind: str, subtype: str | None
) -> None:
    """It is a guess, and said to be one."""
    [account] = _read(_account(name, **more)).accounts
    assert (account.kind, account.subtype, account.kind_is_guess) == (kind, subtype, True)


@pytest.mark.parametrize(
    ("name", "told", "balance"),
    [
        ("Checking", "-12.34", -12_34),
        ("Visa", "-12.34", 12_34),
        ("Visa", "12.34", -12_34),
        ("Mortgage", "-100000", 100_000_00),
        ("Checking", "nonsense", None),
        ("Checking", "NaN", None),
        ("Checking", "1e30", None),
        ("Checking", None, None),
    ],
)
def test_what_is_owed_is_positive_on_cards_and_loans(
    name: str, told: str | None, balance: int | None
) -> None:
    """Signs are turned and never dropped; what is no amount is not known."""
    assert _read(_account(name, balance=told)).accounts[0].balance == balance


def test_amounts_have_the_decimals_of_their_currency() -> None:
    """Yen have none, dinars three; a currency that is an address is none of a country."""
    yen, dinar, miles = (
        _account("a", currency="JPY", balance="1234", transactions=[_row(amount="-12")]),
        _account("b", currency="kwd", balance="1.234", transactions=[_row(amount="-0.005")]),
        _account("c", currency="https://example.com/miles", balance="7.5"),
    )
    found = _read(yen, dinar, miles)
    assert [(each.currency, each.balance) for each in found.accounts] == [
        ("JPY", 1234),
        ("KWD", 1234),
        ("XXX", 750),
    ]
    assert [row.amount for row in found.rows] == [-12, -5]


def test_a_row_without_a_posted_day_waits() -> None:
    """Zero is no day: it is pending since it was made, or since today."""
    rows = [
        _row(id="a", posted=0, transacted_at=1_781_438_400),
        _row(id="b", posted=0),
        _row(id="c", pending=True),
        _row(id="d"),
    ]
    found = _read(_account(transactions=rows)).rows
    assert [(row.external_id, row.day, row.pending) for row in found] == [
        ("a", 20260614, True),
        ("b", 20260615, True),
        ("c", 20260615, True),
        ("d", 20260615, False),
    ]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"mcc": "5814"}, "5814"),
        ({"mcc": 5814}, "5814"),
        ({"extra": {"mcc": "5411"}}, "5411"),
        ({"mcc": "58145"}, None),
        ({"mcc": "58a4"}, None),
        ({"extra": "none"}, None),
        ({}, None),
    ],
)
def test_a_merchant_code_has_four_digits(more: dict[str, Any], code: str | None) -> None:
    """Of the row itself, or of what it carries besides."""
    assert _read(_account(transactions=[_row(**more)])).rows[0].code == code


def test_a_row_is_called_by_what_there_is() -> None:
    """Its description, else its memo, else its payee; the payee apart."""
    rows = [
        _row(id="a", payee="Cafe", memo="two coffees"),
        _row(id="b", description="", memo="two coffees"),
        _row(id="c", description="", payee="Cafe"),
        _row(id="d", description=""),
    ]
    found = _read(_account(transactions=rows)).rows
    assert [(row.raw, row.payee) for row in found] == [
        ("CAFE", "Cafe"),
        ("two coffees", None),
        ("Cafe", "Cafe"),
        ("No description", None),
    ]


def test_troubles_of_the_second_version_are_told_by_codes() -> None:
    """A sign-in by its code, of a bank's accounts or of one; remarks on asking are none."""
    accounts = [_account("a", conn_id="A"), _account("b", conn_id="B"), _account("c", conn_id="B")]
    connections = [{"conn_id": "B", "org_name": "Elmgate"}]
    found = _read(
        *accounts,
        connections=connections,
        errlist=[
            {"code": "con.auth", "msg": "Sign in again", "conn_id": "B"},
            {"code": "act.failed", "message": "Not read", "account_id": "a"},
            {"code": "gen.api", "msg": "Deprecated"},
        ],
        errors=["Sign in again"],
    )
    assert found.troubles == (
        Trouble("Elmgate: Sign in again", sign_in=True, connection="B"),
        Trouble("Not read", sign_in=False, account="a"),
    )
    assert found.troubled == {"a", "b", "c"}
    one = _read(*accounts, errlist=[{"code": "con.auth", "msg": "x", "conn_id": "B"}])
    assert one.troubled == {"b", "c"}
    whole = _read(*accounts, errlist=[{"code": "gen.auth", "msg": "x"}])
    assert whole.troubled == {"a", "b", "c"}


def test_troubles_of_the_first_version_are_told_by_words() -> None:
    """The bank that a sentence names is the one that it is about, else nobody is taken for whole."""
    accounts = [
        _account("a", org={"name": "Harbour Bank"}),
        _account("b", org={"domain": "elmgate.example"}),
    ]
    named = _read(*accounts, errors=["Connection to Harbour Bank may need attention"])
    assert [each.sign_in for each in named.troubles] == [True]
    assert named.troubled == {"a"}
    assert [each.institution for each in named.accounts] == ["Harbour Bank", "elmgate.example"]
    other = _read(*accounts, errors=["Something broke"])
    assert [each.sign_in for each in other.troubles] == [False]
    assert other.troubled == {"a", "b"}
    assert _read(*accounts, errors=["Capping the date range", ""]).troubles == ()


@pytest.mark.parametrize(
    "told",
    [
        [],
        {},
        {"accounts": {}},
    ],
)
def test_what_is_no_answer_is_refused_whole(told: Any) -> None:
    """Without a list of accounts nothing can be said of any."""
    with pytest.raises(Unreadable):
        read_account_set(told, UTC, 20260615)


@pytest.mark.parametrize(
    ("account", "why"),
    [
        (None, "it has no id"),
        ({"name": "x"}, "it has no id"),
        ({**_account(), "currency": None}, "its currency is not told"),
        ({**_account(), "currency": ""}, "its currency is not told"),
        ({**_account("b"), "currency": "EUR"}, "it is told in EUR now, and is kept in USD"),
    ],
)
def test_an_account_that_cannot_be_read_is_left_out_and_told(account: Any, why: str) -> None:
    """The others are read, and none is taken for gone."""
    told = {"accounts": [account, _account("c", transactions=[_row()])]}
    found = read_account_set(told, UTC, 20260615, {"b": "USD", "c": "USD"})
    assert [each.external_id for each in found.accounts] == ["c"]
    assert ([each.why for each in found.left_out], found.unread) == ([why], True)
    assert (len(found.rows), "c" in found.troubled, len(found.troubled)) == (1, False, 1)


@pytest.mark.parametrize(
    ("row", "why", "day"),
    [
        (None, "it has no id", None),
        ({"amount": "1", "transacted_at": 1781438400}, "it has no id", "2026-06-14"),
        (_row(amount="much", posted=0), "it has no amount", None),
        (_row(amount="much", posted=1781438400), "it has no amount", "2026-06-14"),
    ],
)
def test_a_row_that_cannot_be_read_is_left_out_and_told(
    row: Any, why: str, day: str | None
) -> None:
    """Its account is read without it, and is asked for the same days again."""
    found = _read(_account("a", transactions=[row, _row(id="good")]), _account("b"))
    assert [each.external_id for each in found.rows] == ["good"]
    assert [(each.why, each.day, each.is_row) for each in found.left_out] == [(why, day, True)]
    assert (found.unread, set(found.troubled)) == (False, set())
    assert found.partly_read == {"a"}
