"""What a refusal of Enable Banking's comes to, for every code that its reference lists."""

import json
import pickle

import pytest

from finplan.banks.enablebanking.api import CONTROL_PANEL, WHY, RefusedRequest, refusal_of
from finplan.banks.http import BankReply
from tests.banks.published_codes import ENABLE_BANKING
from tests.golden_files import kept_in

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


def refused(status: int, code: str | None, words: str = "Words of the API") -> RefusedRequest:
    """The error of an answer with a code."""
    body = json.dumps({"message": words, "code": status, "error": code}).encode()
    return refusal_of(BankReply(status, {}, body), LED_BACK)


def test_every_published_code_has_a_class_and_a_sentence() -> None:
    """The kept table has all 43 codes, each with what kind it is of and what a person reads."""
    assert len(STATUS) == 43
    assert set(WHY) - {"RATE_LIMIT_EXCEEDED"} == set(STATUS)
    lines = []
    for code in sorted(STATUS):
        error = refused(STATUS[code], code)
        extent = "all accounts" if error.is_of_all else "one account"
        kind = f"{error.failure}{', lasting' if error.lasting else ''}, {extent}"
        lines.append(f"{code}\n  {kind}\n  {error.message}\n")
    kept_in("banks")("enable_banking_errors", "".join(lines))


@pytest.mark.parametrize("code", sorted(CONSENT_OVER))
def test_a_consent_that_is_over_is_the_persons_to_give_again(code: str) -> None:
    """Whatever the status, the person is led to the bank's page."""
    for status in (STATUS[code], 400, 500):
        error = refused(status, code)
        assert (error.failure, error.is_of_all) == ("login_required", True)
        assert "--reconnect NAME" in error.message


@pytest.mark.parametrize("code", sorted(APPLICATION))
def test_an_application_that_is_set_up_wrongly_is_no_matter_of_the_consent(code: str) -> None:
    """It is an error at once, of all accounts, which says where to mend it and asks for no consent."""
    error = refused(STATUS[code], code)
    assert (error.failure, error.lasting, error.is_of_all) == ("provider_error", True, True)
    assert CONTROL_PANEL in error.message
    assert "--reconnect" not in error.message


@pytest.mark.parametrize("code", sorted(ONE_ACCOUNT))
def test_an_account_that_is_gone_is_of_that_account(code: str) -> None:
    """Nothing is said of the others, and the connection does not fail for good."""
    error = refused(STATUS[code], code)
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
def test_a_code_that_nobody_knows(
    code: str | None, status: int, words: str, failure: str, lasting: bool
) -> None:
    """The status and the words tell what kind it is of."""
    error = refused(status, code, words)
    assert (error.failure, error.lasting) == (failure, lasting)


def test_an_unknown_code_is_shown() -> None:
    """With the API's own words, since nobody has better ones."""
    assert (
        refused(422, "BRAND_NEW").message
        == "Enable Banking answered: Words of the API (BRAND_NEW)."
    )
    assert refusal_of(BankReply(502, {}, b"<html>"), LED_BACK).message == (
        "Enable Banking answered: error 502."
    )


def test_the_redirect_address_is_named() -> None:
    """A person copies it into their application."""
    assert LED_BACK in refused(400, "REDIRECT_URI_NOT_ALLOWED").message


def test_a_refusal_comes_whole_from_another_process() -> None:
    """It says the same, of as many accounts."""
    again = pickle.loads(pickle.dumps(refused(403, "UNAUTHORIZED_IP")))
    assert (again.reason, again.lasting, again.is_of_all) == ("UNAUTHORIZED_IP", True, True)
