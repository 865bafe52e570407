"""A world's banks, accounts and rows in Enable Banking's shapes: amounts of rows have no sign."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

from tests.banks.fakes.world import Held, HeldAt, Row, View, decimal

CONSENT_SECONDS = 180 * 86_400
CASH_KINDS = {"credit": "CARD", "loan": "LOAN", "investment": "OTHR"}
BALANCES = {"ITBD": "Gross balance", "CLBD": "Closing booked", "ITAV": "Net balance"}
AVAILABLE = {"ITAV"}
NO_PARTY = dict.fromkeys(
    ("name", "postal_address", "organisation_id", "private_id", "contact_details")
)


def bank(held: HeldAt) -> dict[str, Any]:
    """A bank as the list of banks has it."""
    return {
        "name": held.name,
        "country": held.country,
        "logo": f"https://enablebanking.com/brands/{held.country}/{held.name.replace(' ', '%20')}/",
        "psu_types": ["personal"],
        "auth_methods": [{"psu_type": "personal", "approach": "REDIRECT", "hidden_method": False}],
        "maximum_consent_validity": CONSENT_SECONDS,
        "beta": False,
    }


def hashes(account: Held) -> list[str]:
    """What an account is known by in every session; the first is the one that is its own."""
    return [
        b64encode(sha256(f"{kind} {account.id}".encode()).digest()).decode()
        for kind in ("iban", "iban currency", "name")
    ]


def account(held: Held, uid: str) -> dict[str, Any]:
    """An account as a session first tells of it; `name` is its holder's."""
    iban = None if held.mask is None else f"FI00MADE00UP0000{held.mask}"
    return {
        "account_id": {"iban": iban, "other": None},
        "all_account_ids": []
        if iban is None
        else [{"identification": iban, "scheme_name": "IBAN", "issuer": None}],
        "account_servicer": None,
        "name": "Account Holder",
        "details": held.name,
        "usage": "PRIV",
        "cash_account_type": "SVGS"
        if held.subtype == "savings"
        else CASH_KINDS.get(held.kind, "CACC"),
        "product": held.name,
        "currency": held.currency,
        "psu_status": None,
        "credit_limit": None if held.credit_limit is None else _amount(held.credit_limit, held),
        "uid": uid,
        "identification_hash": hashes(held)[0],
        "identification_hashes": hashes(held),
    }


def balance(view: View, kind: str) -> dict[str, Any]:
    """One of an account's balances, which is below zero when the account owes."""
    available = kind in AVAILABLE
    return {
        "name": BALANCES[kind],
        "balance_amount": _amount(view.available if available else view.balance, view.account),
        "balance_type": kind,
        "last_change_date_time": None,
        "reference_date": view.as_of.isoformat(),
        "last_committed_transaction": None,
    }


def transaction(row: Row, held: Held, *, reference: bool) -> dict[str, Any]:
    """A row; which way it goes is said by a word, and what is pending is not booked."""
    party = NO_PARTY | {"name": row.payee} if row.payee is not None else None
    out = row.amount < 0
    booked = None if row.pending else row.day.isoformat()
    return {
        "entry_reference": row.id if reference else None,
        "merchant_category_code": row.mcc,
        "transaction_amount": _amount(abs(row.amount), held),
        "creditor": party if out else None,
        "creditor_account": None,
        "creditor_agent": None,
        "debtor": None if out else party,
        "debtor_account": None,
        "debtor_agent": None,
        "bank_transaction_code": None,
        "credit_debit_indicator": "DBIT" if out else "CRDT",
        "status": "PDNG" if row.pending else "BOOK",
        "booking_date": booked,
        "value_date": booked,
        "transaction_date": None if row.transacted is None else row.transacted.isoformat(),
        "balance_after_transaction": None,
        "reference_number": None,
        "remittance_information": [row.text],
        "debtor_account_additional_identification": None,
        "creditor_account_additional_identification": None,
        "exchange_rate": None,
        "note": None,
        "transaction_id": None,
    }


def _amount(amount: int, held: Held) -> dict[str, str]:
    return {"currency": held.currency, "amount": decimal(amount, held.currency)}
