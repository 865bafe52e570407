"""What refusals and answers come to: every published code, and a SimpleFIN server to the cent.

What passes, what is asked wrongly, and what a person is told; troubles by whom they touch, and how
far a connection was read, so that nothing that was left to be asked for is forgotten.
"""

import json
import pickle
import re
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from finplan.banks.answer import Unreadable
from finplan.banks.enablebanking.api import CONTROL_PANEL, WHY, RefusedRequest, refusal_of
from finplan.banks.http import BankReply
from finplan.banks.plaid.api import PlaidRefused, told_refusal
from finplan.banks.simplefin.answers import AccountSet, Trouble, read_account_set
from finplan.banks.simplefin.bank import LATE, WINDOW, Older, ReadSoFar, read_progress
from tests.banks.published_codes import ENABLE_BANKING, PLAID, PLAID_STATUS
from tests.golden_files import kept_in
from tests.present import present

LED_BACK = "https://localhost/connect/enablebanking"
STATUS = {code: status for status, codes in ENABLE_BANKING.items() for code in codes.split()}

CONSENT_OVER = {
    *("EXPIRED_SESSION", "REVOKED_SESSION", "CLOSED_SESSION", "SESSION_DOES_NOT_EXIST"),
    *("WRONG_SESSION_STATUS", "ASPSP_PSU_ACTION_REQUIRED", "WRONG_CREDENTIALS_PROVIDED"),
}
APPLICATION = {
    *("UNAUTHORIZED_ACCESS", "AUTHORIZATION_NOT_PROVIDED", "ACCESS_DENIED", "UNAUTHORIZED_IP"),
    *("INVALID_HOST", "REDIRECT_URI_NOT_ALLOWED", "WEBHOOK_URI_NOT_ALLOWED"),
}
ONE_ACCOUNT = {"ACCOUNT_DOES_NOT_EXIST", "ASPSP_ACCOUNT_NOT_ACCESSIBLE", "INVALID_ACCOUNT_ID"}


def refused_in_europe(
    status: int, code: str | None, words: str = "Words of the API"
) -> RefusedRequest:
    """The error of an answer with a code."""
    body = json.dumps({"message": words, "code": status, "error": code}).encode()
    return refusal_of(BankReply(status, {}, body), LED_BACK)


def test_every_published_code_of_enable_banking_has_a_class_and_a_sentence() -> None:
    """The kept table has all 43 codes, each with what kind it is of and what a person reads."""
    assert len(STATUS) == 43
    assert set(WHY) - {"RATE_LIMIT_EXCEEDED"} == set(STATUS)
    lines = []
    for code in sorted(STATUS):
        error = refused_in_europe(STATUS[code], code)
        extent = "all accounts" if error.is_of_all else "one account"
        kind = f"{error.failure}{', lasting' if error.lasting else ''}, {extent}"
        lines.append(f"{code}\n  {kind}\n  {error.message}\n")
    kept_in("banks")("enable_banking_errors", "".join(lines))


@pytest.mark.parametrize("code", sorted(CONSENT_OVER))
def test_a_consent_that_is_over_is_the_persons_to_give_again(code: str) -> None:
    """Whatever the status, the person is led to the bank's page."""
    for status in (STATUS[code], 400, 500):
        error = refused_in_europe(status, code)
        assert (error.failure, error.is_of_all) == ("login_required", True)
        assert "--reconnect NAME" in error.message


@pytest.mark.parametrize("code", sorted(APPLICATION))
def test_an_application_that_is_set_up_wrongly_is_no_matter_of_the_consent(code: str) -> None:
    """It is an error at once, of all accounts, which says where to mend it and asks for no consent."""
    error = refused_in_europe(STATUS[code], code)
    assert (error.failure, error.lasting, error.is_of_all) == ("provider_error", True, True)
    assert CONTROL_PANEL in error.message
    assert "--reconnect" not in error.message


@pytest.mark.parametrize("code", sorted(ONE_ACCOUNT))
def test_an_account_that_is_gone_is_of_that_account(code: str) -> None:
    """Nothing is said of the others, and the connection does not fail for good."""
    error = refused_in_europe(STATUS[code], code)
    assert (error.failure, error.lasting, error.is_of_all) == ("provider_error", False, False)


@pytest.mark.parametrize(
    ("status", "words", "failure", "lasting"),
    [
        (401, "Words of the API", "login_required", False),
        (403, "Words of the API", "login_required", False),
        (403, "Application is not active", "provider_error", True),
        (401, "Signature verification failed", "provider_error", True),
        (401, "JWT is expired", "provider_error", True),
        (402, "Words of the API", "login_required", False),
        (404, "Words of the API", "provider_error", False),
        (422, "Application of a strategy", "provider_error", False),
        (429, "Words of the API", "rate_limited", False),
        (500, "Words of the API", "provider_error", False),
    ],
)
@pytest.mark.parametrize("code", ["BRAND_NEW", None])
def test_a_code_of_enable_banking_that_nobody_knows(
    code: str | None, status: int, words: str, failure: str, lasting: bool
) -> None:
    """The status and the words tell what kind it is of."""
    error = refused_in_europe(status, code, words)
    assert (error.failure, error.lasting) == (failure, lasting)


def test_an_unknown_code_is_shown() -> None:
    """With the API's own words, since nobody has better ones."""
    assert refused_in_europe(422, "BRAND_NEW").message.endswith("of the API (BRAND_NEW).")
    assert refusal_of(BankReply(502, {}, b"<html>"), LED_BACK).message.endswith(": error 502.")


def test_the_redirect_address_is_named() -> None:
    """A person copies it into their application."""
    assert LED_BACK in refused_in_europe(400, "REDIRECT_URI_NOT_ALLOWED").message


def test_a_refusal_comes_whole_from_another_process() -> None:
    """It says the same, of as many accounts."""
    again = pickle.loads(pickle.dumps(refused_in_europe(403, "UNAUTHORIZED_IP")))
    assert (again.reason, again.lasting, again.is_of_all) == ("UNAUTHORIZED_IP", True, True)


AGAIN = "finplan tries again later."


def refused(kind: str, code: str) -> PlaidRefused:
    """A refusal with a code of a type."""
    return PlaidRefused(PLAID_STATUS.get(kind, 400), {"error_type": kind, "error_code": code})


@pytest.mark.parametrize(
    ("status", "kind", "code", "said"),
    [
        (500, "API_ERROR", "BRAND_NEW", f"Plaid answered with an error (BRAND_NEW). {AGAIN}"),
        (503, None, None, f"Plaid answered with an error (HTTP 503). {AGAIN}"),
        (
            400,
            "INSTITUTION_ERROR",
            "BRAND_NEW",
            f"Plaid answered with an error (BRAND_NEW). {AGAIN}",
        ),
        (499, "API_ERROR", "BRAND_NEW", f"Plaid refused the request (BRAND_NEW). {AGAIN}"),
        (400, "ITEM_ERROR", None, f"Plaid refused the request (HTTP 400). {AGAIN}"),
    ],
)
def test_a_code_nobody_knows(status: int, kind: str | None, code: str | None, said: str) -> None:
    """An error of Plaid's or the bank's own is told from something that was asked wrongly."""
    failed = told_refusal(PlaidRefused(status, {"error_type": kind, "error_code": code}))
    assert failed.message == said
    assert (failed.failure, failed.lasting) == ("provider_error", False)


def test_what_plaid_says_to_a_person_is_told() -> None:
    """Its own sentence for people follows the code."""
    error = {"error_type": "ITEM_ERROR", "error_code": "NEW", "display_message": "Try the app"}
    message = told_refusal(PlaidRefused(400, error)).message
    assert re.search(rf"\(NEW\)\..*: Try the app\. {AGAIN}$", message)


@pytest.mark.parametrize(("status", "kind"), [(429, "API_ERROR"), (400, "RATE_LIMIT_EXCEEDED")])
def test_what_was_asked_too_often(status: int, kind: str) -> None:
    """A limit is told by its kind or by the status."""
    failed = told_refusal(PlaidRefused(status, {"error_type": kind, "error_code": "NEW"}))
    assert failed.failure == "rate_limited"


def test_every_published_code_has_a_class_and_a_sentence() -> None:
    """The kept table has every code of every type, with what kind it is of and what a person reads."""
    lines = []
    for kind, codes in PLAID.items():
        lines.append(f"{kind}\n")
        for code in codes.split():
            error = told_refusal(refused(kind, code), "Harbour Bank")
            of = f"{error.failure}{', lasting' if error.lasting else ''}"
            lines.append(f"  {code}\n    {of}\n    {error.message}\n")
    kept_in("banks")("plaid_errors", "".join(lines))


@pytest.mark.parametrize("kind", PLAID)
def test_what_is_tried_again_says_so_and_nothing_else_does(kind: str) -> None:
    """Whoever reads a sentence knows whether to wait or to act."""
    for code in PLAID[kind].split():
        error = told_refusal(refused(kind, code), "Harbour Bank")
        waits = error.failure == "rate_limited" or (
            error.failure == "provider_error" and not error.lasting
        )
        assert error.message.endswith(AGAIN) == waits, code


@pytest.mark.parametrize(
    ("kind", "code", "failure", "to_do"),
    [
        ("ITEM_ERROR", "ITEM_NOT_SUPPORTED", "provider_error", "`finplan import FILE`"),
        (
            "INSTITUTION_ERROR",
            "UNAUTHORIZED_INSTITUTION",
            "provider_error",
            "us-oauth-institutions",
        ),
        (
            "INSTITUTION_ERROR",
            "INSTITUTION_REGISTRATION_REQUIRED",
            "provider_error",
            "us-oauth-institutions",
        ),
        ("ITEM_ERROR", "PRODUCT_NOT_ENABLED", "provider_error", "/settings/team/products"),
        (
            "INVALID_INPUT",
            "ADDITIONAL_CONSENT_REQUIRED",
            "login_required",
            "`finplan connect plaid --reconnect 'Harbour Bank'`",
        ),
        ("RATE_LIMIT_EXCEEDED", "TRIAL_CONNECTION_LIMIT", "provider_error", "Choose a plan"),
        ("RATE_LIMIT_EXCEEDED", "CREDITS_EXHAUSTED", "provider_error", "Choose a plan"),
    ],
)
def test_what_no_retry_mends_says_a_way_out(kind: str, code: str, failure: str, to_do: str) -> None:
    """It is the person's turn, or an error at once."""
    error = told_refusal(refused(kind, code), "Harbour Bank")
    assert error.failure == failure
    assert error.lasting == (failure == "provider_error")
    assert to_do in error.message


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
def test_debts_are_positive_on_any_kind(name: str, told: str | None, balance: int | None) -> None:
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
            {"code": "con.auth", "msg": "Sign in", "conn_id": "B"},
            {"code": "act.failed", "message": "Not read", "account_id": "a"},
            {"code": "gen.api", "msg": "Deprecated"},
        ],
        errors=["Sign in"],
    )
    assert found.troubles == (
        Trouble("Elmgate: Sign in", sign_in=True, connection="B"),
        Trouble("Not read", sign_in=False, account="a"),
    )
    assert found.troubled == {"a", "b", "c"}
    one = _read(*accounts, errlist=[{"code": "con.auth", "msg": "x", "conn_id": "B"}])
    assert one.troubled == {"b", "c"}
    assert _read(*accounts, errlist=[{"code": "gen.auth", "msg": "x"}]).troubled == {"a", "b", "c"}


NEEDS_ATTENTION = "Connection to Harbour Bank may need attention"
CAPPING = "Capping the date range"


def test_troubles_of_the_first_version_are_told_by_words() -> None:
    """The bank that a sentence names is the one that it is about, else nobody is taken for whole."""
    accounts = [
        _account("a", org={"name": "Harbour Bank"}),
        _account("b", org={"domain": "elmgate.example"}),
    ]
    named = _read(*accounts, errors=[NEEDS_ATTENTION])
    assert [each.sign_in for each in named.troubles] == [True]
    assert named.troubled == {"a"}
    assert [each.institution for each in named.accounts] == ["Harbour Bank", "elmgate.example"]
    other = _read(*accounts, errors=["Something broke"])
    assert [each.sign_in for each in other.troubles] == [False]
    assert other.troubled == {"a", "b"}
    assert _read(*accounts, errors=[CAPPING, ""]).troubles == ()


@pytest.mark.parametrize("told", [[], {}, {"accounts": {}}])
def test_what_is_no_answer_is_refused_whole(told: Any) -> None:
    """Without a list of accounts nothing can be said of any."""
    with pytest.raises(Unreadable):
        read_account_set(told, UTC, 20260615)


@pytest.mark.parametrize(
    ("account", "why"),
    [
        (None, "no id"),
        ({"name": "x"}, "no id"),
        ({**_account(), "currency": None}, "no currency"),
        ({**_account(), "currency": ""}, "no currency"),
        ({**_account("b"), "currency": "EUR"}, "currency changed from USD to EUR"),
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
        (None, "no id", None),
        ({"amount": "1", "transacted_at": 1781438400}, "no id", "2026-06-14"),
        (_row(amount="much", posted=0), "no amount", None),
        (_row(amount="much", posted=1781438400), "no amount", "2026-06-14"),
    ],
)
def test_an_unreadable_row_is_left_out_and_told(row: Any, why: str, day: str | None) -> None:
    """Its account is read without it, and is asked for the same days again."""
    found = _read(_account("a", transactions=[row, _row(id="good")]), _account("b"))
    assert [each.external_id for each in found.rows] == ["good"]
    assert [(each.why, each.day, each.is_row) for each in found.left_out] == [(why, day, True)]
    assert (found.unread, set(found.troubled)) == (False, set())
    assert found.partly_read == {"a"}


TODAY = date(2026, 6, 15)


def _ago(days: int) -> date:
    return TODAY - timedelta(days=days)


OLDER = st.none() | st.builds(
    lambda until, deep, accounts: Older(
        _ago(until), None if deep is None else _ago(until + deep), accounts=tuple(sorted(accounts))
    ),
    st.integers(1, 200),
    st.none() | st.integers(1, 300),
    st.sets(st.sampled_from("abc")),
)
READ = st.dictionaries(st.sampled_from("abc"), st.integers(0, 400).map(_ago))
SOME = st.sets(st.sampled_from("abcd"))


@given(accounts=READ, older=OLDER, listed=SOME, troubled=SOME, partly=SOME)
def test_what_was_left_is_asked_for_still(
    accounts: dict[str, date],
    older: Older | None,
    listed: set[str],
    troubled: set[str],
    partly: set[str],
) -> None:
    """What is left after a newest window reaches as far, and for as many, as what was left before."""
    after = ReadSoFar(accounts, _ago(1), older).after_newest(TODAY, listed, troubled, partly)
    assert read_progress(after.write()) == after
    if older is not None:
        left = after.older
        assert left is not None
        assert left.until >= older.until
        assert left.down_to is None or (older.down_to and left.down_to <= older.down_to)
        assert not left.accounts or (older.accounts and {*older.accounts} <= {*left.accounts})


@given(accounts=READ, older=OLDER, listed=SOME, troubled=SOME, partly=SOME)
def test_every_day_of_an_account_is_read_or_left(
    accounts: dict[str, date],
    older: Older | None,
    listed: set[str],
    troubled: set[str],
    partly: set[str],
) -> None:
    """Of a listed account without trouble, the days from its last one to the window are left to ask for.

    One that is new has all its past left; one in trouble stays where it was; one that was partly read is
    asked for the whole window again.
    """
    before = ReadSoFar(accounts, _ago(1), older)
    since = before.window_since(TODAY)
    after = before.after_newest(TODAY, listed, troubled, partly)
    for each in listed - troubled:
        left = after.older
        is_left = left is not None and (not left.accounts or each in left.accounts)
        if each not in accounts:
            assert is_left
            assert left is not None
            assert (left.down_to, left.until >= since) == (None, True)
        elif accounts[each] - timedelta(days=LATE) < since:
            assert left is not None
            assert left.down_to is None or left.down_to <= accounts[each] - timedelta(days=LATE)
        if each in partly:
            assert after.window_since(TODAY) <= since
        else:
            assert after.accounts[each] == TODAY
    for each in accounts.keys() - (listed - troubled):
        assert after.accounts[each] == accounts[each]


@given(accounts=READ, older=OLDER, lost=SOME)
def test_an_older_window_with_a_hole_is_asked_for_again(
    accounts: dict[str, date], older: Older | None, lost: set[str]
) -> None:
    """An account of which it lacks something is as one that was never read; the others stay."""
    older = older or Older(_ago(WINDOW))
    before = ReadSoFar(accounts, TODAY, older)
    asked = set(older.accounts) or set(accounts)
    after = before.after_older(older, lost, has_rows=True)
    assert set(after.accounts) == set(accounts) - (asked & lost)
    nameless = before.after_older(older, {"", *lost}, has_rows=True)
    assert set(nameless.accounts) == set(accounts) - asked


def test_a_history_that_is_being_read_goes_on_beyond_a_gap() -> None:
    """Where the past has no end yet, a gap that is to be filled gives it none."""
    after = ReadSoFar({"a": _ago(70)}, _ago(1), Older(_ago(60))).after_newest(TODAY, ["a"], [])
    assert after.older is not None
    assert after.older.down_to is None
    ended = ReadSoFar({"a": _ago(70)}, _ago(1), Older(_ago(60), _ago(200)))
    after = ended.after_newest(TODAY, ["a"], [])
    assert present(after.older).down_to == _ago(200)


def test_an_account_that_is_new_takes_no_others_past() -> None:
    """While the past of all is left, it stays that of all; while that of some is, a new one joins."""
    after = ReadSoFar({"a": _ago(1)}, _ago(1), Older(_ago(60))).after_newest(TODAY, ["a", "d"], [])
    assert after.older is not None
    assert after.older.accounts == ()
    of_some = ReadSoFar({"a": _ago(1), "b": _ago(1)}, _ago(1), Older(_ago(60), accounts=("b",)))
    after = of_some.after_newest(TODAY, ["a", "b", "d"], [])
    assert set(present(after.older).accounts) == {"b", "d"}
