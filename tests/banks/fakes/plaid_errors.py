"""Plaid's errors: each code with its type, its HTTP status and what Plaid says of it."""

import json
from typing import Any

from tests.banks.fakes.faults import Answered

_SAID: dict[str, tuple[str, int, str]] = {
    "ITEM_LOGIN_REQUIRED": (
        "ITEM_ERROR",
        400,
        "the login details of this item have changed and a user login is required to update them",
    ),
    "INVALID_CREDENTIALS": ("ITEM_ERROR", 400, "the credentials were not correct"),
    "INVALID_MFA": ("ITEM_ERROR", 400, "the provided MFA response(s) were not correct"),
    "ITEM_LOCKED": ("ITEM_ERROR", 400, "the account is locked"),
    "USER_SETUP_REQUIRED": ("ITEM_ERROR", 400, "the account has not been fully set up"),
    "INSUFFICIENT_CREDENTIALS": ("ITEM_ERROR", 400, "insufficient authorization was given"),
    "ACCESS_NOT_GRANTED": ("ITEM_ERROR", 400, "access to this product was not granted"),
    "NO_ACCOUNTS": ("ITEM_ERROR", 400, "no valid accounts were found for this item"),
    "NO_LIABILITY_ACCOUNTS": ("ITEM_ERROR", 400, "no liability accounts were found"),
    "MFA_NOT_SUPPORTED": ("ITEM_ERROR", 400, "this account requires a MFA type not supported"),
    "ITEM_NOT_SUPPORTED": ("ITEM_ERROR", 400, "the account is not supported"),
    "PRODUCT_NOT_ENABLED": ("ITEM_ERROR", 400, "the product is not enabled"),
    "ITEM_NOT_FOUND": ("ITEM_ERROR", 400, "the Item you requested cannot be found"),
    "PRODUCT_NOT_READY": ("ITEM_ERROR", 400, "the requested product is not yet ready"),
    "PRODUCTS_NOT_SUPPORTED": ("ITEM_ERROR", 400, "the product is not supported by this item"),
    "USER_PERMISSION_REVOKED": (
        "ITEM_ERROR",
        400,
        "the holder of this account has revoked their permission for your application to access it",
    ),
    "USER_ACCOUNT_REVOKED": ("ITEM_ERROR", 400, "the user's account access was revoked"),
    "INVALID_ACCESS_TOKEN": (
        "INVALID_INPUT",
        400,
        "provided access token is in an invalid format or is not known",
    ),
    "INVALID_PUBLIC_TOKEN": (
        "INVALID_INPUT",
        400,
        "provided public token is expired. Public tokens expire 30 minutes after creation",
    ),
    "INVALID_LINK_TOKEN": ("INVALID_INPUT", 400, "link token is invalid or has expired"),
    "INVALID_API_KEYS": ("INVALID_INPUT", 400, "invalid client_id or secret provided"),
    "INVALID_INSTITUTION": ("INVALID_INPUT", 400, "invalid institution_id provided"),
    "ADDITIONAL_CONSENT_REQUIRED": (
        "INVALID_INPUT",
        400,
        "client does not have user consent to access the requested product",
    ),
    "SANDBOX_ONLY": ("INVALID_REQUEST", 400, "sandbox endpoint used outside of sandbox"),
    "MISSING_FIELDS": ("INVALID_REQUEST", 400, "the following required fields are missing"),
    "INVALID_FIELD": ("INVALID_REQUEST", 400, "a field is not valid"),
    "INVALID_BODY": ("INVALID_REQUEST", 400, "body could not be parsed as JSON"),
    "NOT_FOUND": ("INVALID_REQUEST", 404, "not found"),
    "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION": (
        "TRANSACTIONS_ERROR",
        400,
        "Underlying transaction data changed since last page was fetched. Please restart pagination",
    ),
    "INSTITUTION_DOWN": ("INSTITUTION_ERROR", 400, "this institution is not currently responding"),
    "INSTITUTION_NOT_RESPONDING": ("INSTITUTION_ERROR", 400, "this institution is not responding"),
    "INSTITUTION_NOT_AVAILABLE": ("INSTITUTION_ERROR", 400, "this institution is not available"),
    "INSTITUTION_NO_LONGER_SUPPORTED": (
        "INSTITUTION_ERROR",
        400,
        "this institution is no longer supported",
    ),
    "INSTITUTION_REGISTRATION_REQUIRED": ("INSTITUTION_ERROR", 400, "not registered yet"),
    "UNAUTHORIZED_INSTITUTION": ("INSTITUTION_ERROR", 400, "not authorized"),
    "INTERNAL_SERVER_ERROR": ("API_ERROR", 500, "an unexpected error occurred"),
    "PLANNED_MAINTENANCE": ("API_ERROR", 503, "the API is undergoing planned maintenance"),
    "TRANSACTIONS_SYNC_LIMIT": (
        "RATE_LIMIT_EXCEEDED",
        429,
        "rate limit exceeded for attempts to access this item. please try again later",
    ),
    "ACCOUNTS_LIMIT": (
        "RATE_LIMIT_EXCEEDED",
        429,
        "rate limit exceeded for attempts to access this item. please try again later",
    ),
}


class Refused(Exception):
    """Plaid refuses, with a code and what it says beside or instead of the usual words."""

    def __init__(self, code: str, words: str | None = None, reason: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        kind, self.status, usual = _SAID[code]
        self.error: dict[str, Any] = {
            "display_message": None,
            "documentation_url": f"https://plaid.com/docs/errors/#{code.lower()}",
            "error_code": code,
            "error_message": usual if words is None else words,
            "error_type": kind,
            "suggested_action": None,
        }
        if reason is not None:
            self.error["error_code_reason"] = reason


def refusing(
    code: str,
    *,
    reason: str | None = None,
    retry_after: int | None = None,
    request: str = "REFUSED",
) -> Answered:
    """A fault that answers with a code, as Plaid does."""
    refused = Refused(code, reason=reason)
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    body = json.dumps(refused.error | {"request_id": request})
    return Answered(refused.status, body, headers=headers)
