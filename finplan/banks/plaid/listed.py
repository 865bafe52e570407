"""What Plaid lists, cut down to the fields that are read, so that little of a long answer is kept."""

from collections.abc import Iterable, Mapping
from typing import Any

from finplan.banks.fields import LONGEST_REMARK, Unreadable

MOST_ROWS = 1_000
"""Of one answer; Plaid gives at most 500 at once."""

MOST_ACCOUNTS = 200

_LONGEST = 2 * LONGEST_REMARK
"""Of a text, in characters: longer than any id, day or number may be, so that it stays too long."""

_ROW = (
    *("transaction_id", "account_id", "pending_transaction_id", "amount", "date", "pending"),
    *("iso_currency_code", "unofficial_currency_code"),
    *("merchant_name", "original_description", "name", "personal_finance_category"),
)
_ACCOUNT = ("account_id", "name", "official_name", "mask", "type", "subtype", "balances")
_NESTED: Mapping[str, tuple[str, ...]] = {
    "personal_finance_category": ("confidence_level", "detailed", "primary"),
    "balances": (
        *("available", "current", "limit", "iso_currency_code", "unofficial_currency_code"),
    ),
}
_PAGE = ("next_cursor", "transactions_update_status", "has_more")


def read_page(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A page of an update. Raises Unreadable where it has no lists, or too long ones."""
    rows = {
        name: _listed(answer, name, _ROW, MOST_ROWS) for name in ("added", "modified", "removed")
    }
    cursor = answer.get("next_cursor")
    if isinstance(cursor, str) and len(cursor) > _LONGEST:
        raise Unreadable("the cursor of its next page is too long")
    return {
        **_cut(answer, _PAGE),
        **rows,
        "accounts": _listed(answer, "accounts", _ACCOUNT, MOST_ACCOUNTS),
    }


def read_accounts(answer: Mapping[str, Any]) -> list[object]:
    """The accounts of an item. Raises Unreadable."""
    listed = answer.get("accounts")
    if not isinstance(listed, list):
        raise Unreadable("its answer has no list of accounts")
    if len(listed) > MOST_ACCOUNTS:
        raise Unreadable(f"it lists more than {MOST_ACCOUNTS:,} accounts")
    return [_cut(each, _ACCOUNT) if isinstance(each, dict) else None for each in listed]


def _listed(
    answer: Mapping[str, Any], name: str, fields: Iterable[str], most: int
) -> list[dict[str, Any]]:
    listed = answer.get(name)
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise Unreadable(f"its answer has no list {name}")
    if len(listed) > most:
        raise Unreadable(f"it lists more than {most:,} {name} at once")
    return [_cut(each, fields) for each in listed]


def _cut(value: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    return {name: _short(name, value[name]) for name in fields if name in value}


def _short(name: str, value: object) -> object:
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, dict) and name in _NESTED:
        return _cut(value, _NESTED[name])
    # What is nested where nothing belongs stays odd, and small.
    return [] if isinstance(value, dict | list) else value
