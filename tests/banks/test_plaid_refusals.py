"""What a refusal of Plaid's comes to: what passes, what is asked wrongly, what a person is told."""

import pytest

from finplan.banks.plaid.api import PlaidRefused
from finplan.banks.plaid.errors import told

AGAIN = "It is asked again by itself, later."


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
        (499, "API_ERROR", "BRAND_NEW", f"Plaid refused what it was asked (BRAND_NEW). {AGAIN}"),
        (400, "ITEM_ERROR", None, f"Plaid refused what it was asked (HTTP 400). {AGAIN}"),
    ],
)
def test_a_code_that_nobody_knows(
    status: int, kind: str | None, code: str | None, said: str
) -> None:
    """An error of Plaid's or the bank's own is told from something that was asked wrongly."""
    failed = told(PlaidRefused(status, {"error_type": kind, "error_code": code}))
    assert failed.message == said
    assert (failed.failure, failed.lasting) == ("provider_error", False)


def test_what_plaid_says_to_a_person_is_told() -> None:
    """Its own sentence for people follows the code."""
    error = {"error_type": "ITEM_ERROR", "error_code": "NEW", "display_message": "Try the app"}
    assert told(PlaidRefused(400, error)).message == (
        f"Plaid refused what it was asked (NEW). It says: Try the app. {AGAIN}"
    )


@pytest.mark.parametrize(("status", "kind"), [(429, "API_ERROR"), (400, "RATE_LIMIT_EXCEEDED")])
def test_what_was_asked_too_often(status: int, kind: str) -> None:
    """A limit is told by its kind or by the status."""
    failed = told(PlaidRefused(status, {"error_type": kind, "error_code": "NEW"}))
    assert failed.failure == "rate_limited"
