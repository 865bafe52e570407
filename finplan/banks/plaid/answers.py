"""What Plaid answers, as accounts, rows and debts.

Plaid writes money as JSON numbers, read as exact decimals: what goes out is above zero, and so is what
is owed on a card or a loan.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.http import Unreadable, remark
from finplan.banks.left_out import as_kept
from finplan.banks.plaid.changes import is_id
from finplan.banks.told_money import minor_units, told_currency
from finplan.model.account import AccountKind

_KINDS: Mapping[str, AccountKind] = {
    "depository": "depository",
    "credit": "credit",
    "loan": "loan",
    "investment": "investment",
    "brokerage": "investment",
}

_SURE = frozenset({"HIGH", "VERY_HIGH"})
"""How sure Plaid is of a category that is worth telling."""

_PURCHASES = "purchase_apr"


@dataclass(frozen=True, slots=True)
class ItemTold:
    """What Plaid says of a login: the bank, when consent ends, and the day of the newest data.

    `error` is what is wrong with it, as Plaid tells any error.
    """

    institution: str | None = None
    institution_id: str | None = None
    consent_ends: int | None = None
    seen_on: int | None = None
    products: frozenset[str] = frozenset()
    error: Mapping[str, Any] | None = None


def read_account(told: Any, kept_in: str | None = None) -> BankAccount:
    """An account of Plaid's, perhaps kept in a currency already. Raises Unreadable with what it has."""
    if not isinstance(told, dict) or not is_id(told.get("account_id")):
        raise Unreadable("it has no id")
    balances = told.get("balances")
    if not isinstance(balances, dict):
        raise Unreadable("it has no balances")
    kind = _KINDS.get(str(told.get("type")), "other")
    currency = as_kept(_currency(balances), kept_in)
    balance = _amount(balances.get("current"), currency)
    if balance is None and kind == "depository":
        balance = _amount(balances.get("available"), currency)
    return BankAccount(
        external_id=str(told["account_id"]),
        name=account_name(told),
        mask=remark(told.get("mask")) or None,
        kind=kind,
        subtype=remark(told.get("subtype")) or None,
        currency=currency,
        balance=balance,
        credit_limit=_amount(balances.get("limit"), currency) if kind == "credit" else None,
    )


def account_name(told: object) -> str:
    """What an account is called."""
    if not isinstance(told, dict):
        return "Account"
    return remark(told.get("name")) or remark(told.get("official_name")) or "Account"


def read_row(told: Mapping[str, Any], kept_in: str | None) -> BankTransaction:
    """A row of an account that is kept in a currency, None where no account has its id.

    Raises Unreadable with what it has.
    """
    if not is_id(told.get("transaction_id")):
        raise Unreadable("it has no id")
    if kept_in is None:
        raise Unreadable("its account is not listed")
    currency = _currency(told)
    if currency != kept_in:
        raise Unreadable(f"it is in {currency}, and the account in {kept_in}")
    amount = _amount(told.get("amount"), currency)
    if amount is None:
        raise Unreadable("it has no amount")
    merchant = remark(told.get("merchant_name"))
    texts = (remark(told.get("original_description")), remark(told.get("name")), merchant)
    replaces = told.get("pending_transaction_id")
    return BankTransaction(
        account=str(told["account_id"]),
        external_id=str(told["transaction_id"]),
        day=_day(told.get("date")),
        amount=-amount,
        raw=next(filter(None, texts), "No description"),
        payee=merchant or None,
        pending=told.get("pending") is True,
        replaces=str(replaces) if is_id(replaces) else None,
        code=_category(told.get("personal_finance_category")),
    )


def read_item(told: Mapping[str, Any], zone: ZoneInfo) -> ItemTold:
    """What `/item/get` says; what is missing there is not known."""
    item, status = told.get("item"), told.get("status")
    if not isinstance(item, dict):
        return ItemTold()
    synced = status.get("transactions") if isinstance(status, dict) else None
    seen = _instant(synced.get("last_successful_update")) if isinstance(synced, dict) else None
    ends = _instant(item.get("consent_expiration_time"))
    lists = (item.get("products"), item.get("consented_products"), item.get("billed_products"))
    return ItemTold(
        institution=remark(item.get("institution_name")) or None,
        institution_id=remark(item.get("institution_id")) or None,
        consent_ends=None if ends is None else int(ends.timestamp() * 1000),
        seen_on=None if seen is None else _number(seen.astimezone(zone).date()),
        products=frozenset(str(each) for one in lists if isinstance(one, list) for each in one),
        error=item["error"] if isinstance(item.get("error"), dict) else None,
    )


def with_debts(accounts: Iterable[BankAccount], told: Mapping[str, Any]) -> tuple[BankAccount, ...]:
    """Accounts with the rate and the least payment that `/liabilities/get` tells of them."""
    debts = told.get("liabilities")
    found: dict[str, tuple[float | None, object]] = {}
    for kind, listed in debts.items() if isinstance(debts, dict) else ():
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict):
                found[str(each.get("account_id"))] = _debt(str(kind), each)
    return tuple(
        replace(
            account,
            apr=found[account.external_id][0],
            minimum_payment=_amount(found[account.external_id][1], account.currency),
        )
        if account.external_id in found
        else account
        for account in accounts
    )


def _debt(kind: str, told: Mapping[str, Any]) -> tuple[float | None, object]:
    """A debt's yearly rate, and what is to be paid of it at least."""
    if kind == "mortgage":
        rate = told.get("interest_rate")
        percent = rate.get("percentage") if isinstance(rate, dict) else None
        return _rate(percent), told.get("next_monthly_payment")
    least = told.get("minimum_payment_amount")
    if kind == "student":
        return _rate(told.get("interest_rate_percentage")), least
    rates = told.get("aprs")
    purchases = [
        each
        for each in (rates if isinstance(rates, list) else ())
        if isinstance(each, dict) and each.get("apr_type") == _PURCHASES
    ]
    return _rate(purchases[0].get("apr_percentage") if purchases else None), least


def _rate(told: object) -> float | None:
    value = _decimal(told)
    # Plaid tells percent, and a ratio is kept.
    return None if value is None or not 0 <= value <= 1_000 else float(value / 100)


def _currency(told: Mapping[str, Any]) -> str:
    """The currency that one of two fields tells. Raises Unreadable where both do, or neither."""
    official, unofficial = told.get("iso_currency_code"), told.get("unofficial_currency_code")
    if bool(official) == bool(unofficial):
        raise Unreadable("its currency is not told, or twice")
    return told_currency(official)


def _amount(told: object, currency: str) -> int | None:
    value = _decimal(told)
    return None if value is None else minor_units(value, currency)


def _decimal(told: object) -> Decimal | None:
    if isinstance(told, bool) or not isinstance(told, int | Decimal):
        return None
    return Decimal(told)


def _day(told: object) -> int:
    try:
        return _number(date.fromisoformat(str(told)[:10]))
    except ValueError:
        raise Unreadable("it has no date") from None


def _instant(told: object) -> datetime | None:
    try:
        instant = datetime.fromisoformat(str(told))
    except ValueError:
        return None
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


def _category(told: object) -> str | None:
    if not isinstance(told, dict) or told.get("confidence_level") not in _SURE:
        return None
    code = told.get("detailed") or told.get("primary")
    return str(code) if code else None


def _number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day
