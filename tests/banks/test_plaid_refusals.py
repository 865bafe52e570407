"""What a refusal of Plaid's comes to: what passes, what is asked wrongly, what a person is told."""

import pytest

from finplan.banks.plaid.api import PlaidRefused, told_refusal
from tests.banks.published_codes import PLAID, PLAID_STATUS
from tests.golden_files import kept_in

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
def test_a_code_that_nobody_knows(
    status: int, kind: str | None, code: str | None, said: str
) -> None:
    """An error of Plaid's or the bank's own is told from something that was asked wrongly."""
    failed = told_refusal(PlaidRefused(status, {"error_type": kind, "error_code": code}))
    assert failed.message == said
    assert (failed.failure, failed.lasting) == ("provider_error", False)


def test_what_plaid_says_to_a_person_is_told() -> None:
    """Its own sentence for people follows the code."""
    error = {"error_type": "ITEM_ERROR", "error_code": "NEW", "display_message": "Try the app"}
    assert told_refusal(PlaidRefused(400, error)).message == (
        f"Plaid refused the request (NEW). It says: Try the app. {AGAIN}"
    )


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
def test_what_no_retry_mends_says_what_to_do(
    kind: str, code: str, failure: str, to_do: str
) -> None:
    """It is the person's turn, or an error at once."""
    error = told_refusal(refused(kind, code), "Harbour Bank")
    assert error.failure == failure
    assert error.lasting == (failure == "provider_error")
    assert to_do in error.message
