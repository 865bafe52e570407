"""A world's accounts, rows, debts and failures in Plaid's shapes: money is a number, going out is plus.

Each error code has its type, its HTTP status and what Plaid says of it.
"""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.banks.fakes.wire import Answered
from tests.banks.fakes.world import Debt, Held, HeldAt, Row, View, decimal

UNOFFICIAL = {"BTC", "ETH"}
PRIMARY = (
    "INCOME",
    "TRANSFER_IN",
    "TRANSFER_OUT",
    "LOAN_PAYMENTS",
    "BANK_FEES",
    "ENTERTAINMENT",
    "FOOD_AND_DRINK",
    "GENERAL_MERCHANDISE",
    "HOME_IMPROVEMENT",
    "MEDICAL",
    "PERSONAL_CARE",
    "GENERAL_SERVICES",
    "GOVERNMENT_AND_NON_PROFIT",
    "TRANSPORTATION",
    "TRAVEL",
    "RENT_AND_UTILITIES",
)
NOWHERE = dict.fromkeys(
    ("address", "city", "region", "postal_code", "country", "lat", "lon", "store_number")
)
NO_PAYMENT = dict.fromkeys(
    (
        "by_order_of",
        "payee",
        "payer",
        "payment_method",
        "payment_processor",
        "ppd_id",
        "reason",
        "reference_number",
    )
)


def number(amount: int, currency: str) -> int | float:
    """Minor units as the JSON number that Plaid writes: 100, 72.1."""
    exact = Decimal(decimal(amount, currency))
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def stamp(moment: datetime) -> str:
    """An instant as Plaid writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def money(currency: str) -> dict[str, str | None]:
    """A currency: exactly one of the two codes is set."""
    official = currency not in UNOFFICIAL
    return {
        "iso_currency_code": currency if official else None,
        "unofficial_currency_code": None if official else currency,
    }


def account(view: View) -> dict[str, Any]:
    """An account; what is owed on a card or a loan is above zero."""
    held = view.account
    owes = held.kind in {"credit", "loan"}
    knows_available = held.kind == "depository" or held.credit_limit is not None
    return {
        "account_id": held.id,
        "balances": {
            "available": number(view.available, held.currency) if knows_available else None,
            "current": number(-view.balance if owes else view.balance, held.currency),
            "limit": None
            if held.credit_limit is None
            else number(held.credit_limit, held.currency),
            **money(held.currency),
        },
        "mask": held.mask,
        "name": held.name,
        "official_name": None,
        "subtype": held.subtype,
        "type": held.kind,
    }


def transaction(row: Row, held: Held, *, original: bool) -> dict[str, Any]:
    """A row; money that goes out is above zero."""
    detailed = row.category
    primary = next((each for each in PRIMARY if detailed and detailed.startswith(each)), None)
    said = {
        "account_id": held.id,
        "account_owner": None,
        "amount": number(-row.amount, held.currency),
        **money(held.currency),
        "check_number": None,
        "counterparties": [] if row.payee is None else [_counterparty(row.payee)],
        "date": row.day.isoformat(),
        "datetime": None,
        "authorized_date": None if row.transacted is None else row.transacted.isoformat(),
        "authorized_datetime": None,
        "location": dict(NOWHERE),
        "name": row.text,
        "merchant_name": row.payee,
        "merchant_entity_id": None if row.payee is None else _entity(row.payee),
        "logo_url": None,
        "website": None,
        "payment_meta": dict(NO_PAYMENT),
        "payment_channel": "in store",
        "pending": row.pending,
        "pending_transaction_id": row.settles,
        "personal_finance_category": None
        if detailed is None
        else {"primary": primary, "detailed": detailed, "confidence_level": "HIGH"},
        "personal_finance_category_icon_url": None,
        "transaction_id": row.id,
        "transaction_code": None,
        "transaction_type": "place",
    }
    return said | ({"original_description": row.text} if original else {})


def link_account(held: Held) -> dict[str, Any]:
    """An account as Link tells of it when the person has chosen it."""
    return {
        "class_type": None,
        "id": held.id,
        "mask": held.mask,
        "name": held.name,
        "subtype": held.subtype,
        "type": held.kind,
        "verification_status": None,
    }


def institution(bank: HeldAt) -> dict[str, str]:
    """An institution as Link tells of it."""
    return {"institution_id": bank.id, "name": bank.name}


def liabilities(views: list[View]) -> dict[str, list[dict[str, Any]]]:
    """What is owed on cards, mortgages and student loans, of those whose terms the bank tells."""
    told = [(view, view.account.debt) for view in views if view.account.debt is not None]
    return {
        "credit": [_card(view, debt) for view, debt in told if view.account.kind == "credit"],
        "mortgage": [
            _mortgage(view, debt) for view, debt in told if view.account.subtype == "mortgage"
        ],
        "student": [
            _student(view, debt) for view, debt in told if view.account.subtype == "student"
        ],
    }


def _card(view: View, debt: Debt) -> dict[str, Any]:
    held = view.account
    return {
        "account_id": held.id,
        "aprs": [
            {
                "apr_percentage": debt.apr,
                "apr_type": "purchase_apr",
                "balance_subject_to_apr": None,
                "interest_charge_amount": None,
            }
        ],
        "is_overdue": False,
        "last_payment_amount": None,
        "last_payment_date": None,
        **_statement(debt, held.currency),
        "minimum_payment_amount": number(debt.minimum, held.currency),
        "next_payment_due_date": debt.due.isoformat(),
    }


def _mortgage(view: View, debt: Debt) -> dict[str, Any]:
    held = view.account
    return {
        "account_id": held.id,
        "account_number": f"000{held.mask}",
        "current_late_fee": None,
        "escrow_balance": None,
        "has_pmi": None,
        "has_prepayment_penalty": None,
        "interest_rate": {"percentage": debt.apr, "type": "fixed"},
        "last_payment_amount": None,
        "last_payment_date": None,
        "loan_term": "30 year",
        "loan_type_description": "conventional",
        "maturity_date": None,
        "next_monthly_payment": number(debt.minimum, held.currency),
        "next_payment_due_date": debt.due.isoformat(),
        "origination_date": None,
        "origination_principal_amount": None,
        "past_due_amount": None,
        "property_address": dict.fromkeys(("city", "country", "postal_code", "region", "street")),
        "ytd_interest_paid": None,
        "ytd_principal_paid": None,
    }


def _student(view: View, debt: Debt) -> dict[str, Any]:
    held = view.account
    return {
        "account_id": held.id,
        "account_number": f"000{held.mask}",
        "disbursement_dates": [],
        "expected_payoff_date": (debt.due + timedelta(days=3650)).isoformat(),
        "guarantor": None,
        "interest_rate_percentage": debt.apr,
        "is_overdue": False,
        "last_payment_amount": None,
        "last_payment_date": None,
        **_statement(debt, held.currency),
        "loan_name": held.name,
        "loan_status": {"end_date": None, "type": "repayment"},
        "minimum_payment_amount": number(debt.minimum, held.currency),
        "next_payment_due_date": debt.due.isoformat(),
        "origination_date": None,
        "origination_principal_amount": None,
        "outstanding_interest_amount": None,
        "payment_reference_number": None,
        "pslf_status": dict.fromkeys(
            ("estimated_eligibility_date", "payments_made", "payments_remaining")
        ),
        "repayment_plan": {"description": "Standard Repayment", "type": "standard"},
        "sequence_number": "1",
        "servicer_address": dict.fromkeys(("city", "country", "postal_code", "region", "street")),
        "ytd_interest_paid": None,
        "ytd_principal_paid": None,
    }


def _statement(debt: Debt, currency: str) -> dict[str, Any]:
    return {
        "last_statement_issue_date": debt.statement_day and debt.statement_day.isoformat(),
        "last_statement_balance": None
        if debt.statement is None
        else number(debt.statement, currency),
    }


def _counterparty(payee: str) -> dict[str, Any]:
    return {
        "name": payee,
        "type": "merchant",
        "logo_url": None,
        "website": None,
        "entity_id": _entity(payee),
        "confidence_level": "HIGH",
    }


def _entity(payee: str) -> str:
    return "ent" + payee.encode().hex()[:34].ljust(34, "0")


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
