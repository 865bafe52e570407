"""What Plaid answers, as accounts, rows and debts.

Plaid writes money as JSON numbers, read as exact decimals: what goes out is above zero, and so is
what is owed on a card or a loan. What it lists is cut down to the fields that are read first, so that
little of a long answer is kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from finplan.banks import answer as answers
from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.account import AccountKind

MOST_ROWS = 1_000
"""Of one answer; Plaid gives at most 500 at once."""

MOST_ACCOUNTS = 200

_LONGEST = 2 * answers.LONGEST_REMARK
"""Of a text, in characters: longer than any id, day or number may be, so that it stays too long."""

_ROW_FIELDS = (
    *("transaction_id", "account_id", "pending_transaction_id", "amount", "date", "pending"),
    *("iso_currency_code", "unofficial_currency_code"),
    *("merchant_name", "original_description", "name", "personal_finance_category"),
)
_ACCOUNT_FIELDS = ("account_id", "name", "official_name", "mask", "type", "subtype", "balances")
_NESTED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "personal_finance_category": ("confidence_level", "detailed", "primary"),
    "balances": (
        *("available", "current", "limit", "iso_currency_code", "unofficial_currency_code"),
    ),
}
_PAGE_FIELDS = ("next_cursor", "transactions_update_status", "has_more")


def read_page(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A page of an update. Raises Unreadable where it has no lists, or too long ones."""
    rows = {
        name: _listed(answer, name, _ROW_FIELDS, MOST_ROWS)
        for name in ("added", "modified", "removed")
    }
    cursor = answer.get("next_cursor")
    if isinstance(cursor, str) and len(cursor) > _LONGEST:
        raise answers.Unreadable("the key for the next page is too long")
    return {
        **_cut(answer, _PAGE_FIELDS),
        **rows,
        "accounts": _listed(answer, "accounts", _ACCOUNT_FIELDS, MOST_ACCOUNTS),
    }


def read_accounts(answer: Mapping[str, Any]) -> list[object]:
    """The accounts of an item. Raises Unreadable."""
    listed = answer.get("accounts")
    if not isinstance(listed, list):
        raise answers.Unreadable("the list of accounts is missing")
    if len(listed) > MOST_ACCOUNTS:
        raise answers.Unreadable(f"more than {MOST_ACCOUNTS:,} accounts")
    return [_cut(row, _ACCOUNT_FIELDS) if isinstance(row, dict) else None for row in listed]


def _listed(
    answer: Mapping[str, Any], name: str, fields: Iterable[str], most: int
) -> list[dict[str, Any]]:
    listed = answer.get(name)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        raise answers.Unreadable(f"the list {name!r} is missing")
    if len(listed) > most:
        raise answers.Unreadable(f"more than {most:,} {name} at once")
    return [_cut(row, fields) for row in listed]


def _cut(value: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    return {name: _short(name, value[name]) for name in fields if name in value}


def _short(name: str, value: object) -> object:
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, dict) and name in _NESTED_FIELDS:
        return _cut(value, _NESTED_FIELDS[name])
    # What is nested where nothing belongs stays odd, and small.
    return [] if isinstance(value, dict | list) else value


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


def read_account(fields: Any, kept_in: str | None, odd: answers.OddFields) -> BankAccount:
    """An account of Plaid's, perhaps kept in a currency already. Raises Unreadable with what it has."""
    if not isinstance(fields, dict) or not answers.is_id(fields.get("account_id")):
        raise answers.Unreadable("no id")
    balances = fields.get("balances")
    if not isinstance(balances, dict):
        raise answers.Unreadable("no balances")
    kind = _KINDS.get(str(fields.get("type")), "other")
    currency = answers.check_currency(_currency(balances), kept_in)
    read = partial(_amount, currency=currency)
    balance = odd.read("balance", read, balances.get("current"))
    if balance is None and kind == "depository":
        balance = odd.read("available balance", read, balances.get("available"))
    limit = odd.read("credit limit", read, balances.get("limit")) if kind == "credit" else None
    return BankAccount(
        external_id=str(fields["account_id"]),
        name=account_name(fields),
        mask=answers.remark(fields.get("mask")) or None,
        kind=kind,
        subtype=answers.remark(fields.get("subtype")) or None,
        currency=currency,
        balance=balance,
        credit_limit=limit,
    )


def account_name(fields: object) -> str:
    """What an account is called."""
    if not isinstance(fields, dict):
        return "Account"
    return (
        answers.remark(fields.get("name"))
        or answers.remark(fields.get("official_name"))
        or "Account"
    )


def read_row(fields: Mapping[str, Any], kept_in: str | None) -> BankTransaction:
    """A row of an account that is kept in a currency, None where no account has its id.

    Raises Unreadable with what it has.
    """
    if not answers.is_id(fields.get("transaction_id")):
        raise answers.Unreadable("no id")
    if kept_in is None:
        raise answers.Unreadable("the account is not listed")
    currency = _currency(fields)
    if currency != kept_in:
        raise answers.Unreadable(f"transaction in {currency}, account in {kept_in}")
    amount = answers.try_read(partial(_amount, currency=currency), fields.get("amount"))
    if amount is None:
        raise answers.Unreadable("no amount")
    day = answers.try_read(answers.read_day, fields.get("date"))
    if day is None:
        raise answers.Unreadable("no date")
    merchant = answers.remark(fields.get("merchant_name"))
    texts = (
        answers.remark(fields.get("original_description")),
        answers.remark(fields.get("name")),
        merchant,
    )
    replaces = fields.get("pending_transaction_id")
    return BankTransaction(
        account=str(fields["account_id"]),
        external_id=str(fields["transaction_id"]),
        day=day,
        amount=-amount,
        raw=next(filter(None, texts), "No description"),
        payee=merchant or None,
        pending=fields.get("pending") is True,
        replaces=str(replaces) if answers.is_id(replaces) else None,
        code=_category(fields.get("personal_finance_category")),
    )


def read_item(answer: Mapping[str, Any], zone: ZoneInfo) -> ItemTold:
    """What `/item/get` says; what is missing there is not known."""
    item, status = answer.get("item"), answer.get("status")
    if not isinstance(item, dict):
        return ItemTold()
    synced = status.get("transactions") if isinstance(status, dict) else None
    updated = synced.get("last_successful_update") if isinstance(synced, dict) else None
    stamp = answers.try_read(answers.read_instant, updated)
    lists = (item.get("products"), item.get("consented_products"), item.get("billed_products"))
    return ItemTold(
        institution=answers.remark(item.get("institution_name")) or None,
        institution_id=answers.remark(item.get("institution_id")) or None,
        consent_ends=answers.read_millis(item.get("consent_expiration_time")),
        seen_on=None if stamp is None else answers.day_number(stamp.astimezone(zone).date()),
        products=frozenset(
            str(product) for names in lists if isinstance(names, list) for product in names
        ),
        error=item["error"] if isinstance(item.get("error"), dict) else None,
    )


class PlaidDebt(NamedTuple):
    """A debt's yearly rate, what is to be paid of it at least, and the names of fields that are odd."""

    apr: float | None
    least: Decimal | None
    odd: list[str]


def read_debts(answer: Mapping[str, Any]) -> dict[str, PlaidDebt]:
    """What `/liabilities/get` tells of debts, by the ids of their accounts."""
    debts = answer.get("liabilities")
    return {
        str(debt["account_id"]): _debt(str(kind), debt)
        for kind, listed in (debts.items() if isinstance(debts, dict) else ())
        for debt in (listed if isinstance(listed, list) else ())
        if isinstance(debt, dict) and answers.is_id(debt.get("account_id"))
    }


def with_debts(
    accounts: Iterable[BankAccount], debts: Mapping[str, PlaidDebt]
) -> tuple[tuple[BankAccount, ...], list[answers.NotRead]]:
    """Accounts with the rate and the least payment of their debts, and what of these is left out."""
    bank_accounts: list[BankAccount] = []
    left_out: list[answers.NotRead] = []
    for account in accounts:
        debt, odd = debts.get(account.external_id), answers.OddFields()
        if debt is None:
            bank_accounts.append(account)
            continue
        read = partial(_amount, currency=account.currency)
        least = odd.read("minimum payment", read, debt.least)
        bank_accounts.append(replace(account, apr=debt.apr, minimum_payment=least))
        left_out += answers.odd_fields(account.name, [*debt.odd, *odd.names])
    return tuple(bank_accounts), left_out


def _debt(kind: str, fields: Mapping[str, Any]) -> PlaidDebt:
    odd = answers.OddFields()
    least = fields.get("minimum_payment_amount")
    if kind == "mortgage":
        rate = fields.get("interest_rate")
        percent = rate.get("percentage") if isinstance(rate, dict) else None
        least = fields.get("next_monthly_payment")
    elif kind == "student":
        percent = fields.get("interest_rate_percentage")
    else:
        rates = fields.get("aprs")
        purchases = [
            row
            for row in (rates if isinstance(rates, list) else ())
            if isinstance(row, dict) and row.get("apr_type") == _PURCHASES
        ]
        percent = purchases[0].get("apr_percentage") if purchases else None
    apr = odd.read("interest rate", _rate, percent)
    return PlaidDebt(apr, odd.read("minimum payment", answers.read_number, least), odd.names)


def _rate(value: object) -> float | None:
    """A ratio, None where Plaid tells no percentage. Raises OddValue."""
    percent = answers.read_number(value)
    if percent is None:
        return None
    if not 0 <= percent <= 1_000:
        raise answers.OddValue("not a rate")
    return float(percent / 100)


def _currency(fields: Mapping[str, Any]) -> str:
    """The currency that one of two fields tells. Raises Unreadable where both do, or neither."""
    official, unofficial = fields.get("iso_currency_code"), fields.get("unofficial_currency_code")
    if bool(official) == bool(unofficial):
        raise answers.Unreadable("no currency, or two currencies")
    return answers.read_currency(official)


def _amount(value: object, currency: str) -> int | None:
    """Minor units, None where there is no amount. Raises OddValue."""
    number = answers.read_number(value)
    return None if number is None else answers.minor_units(number, currency)


def _category(category: object) -> str | None:
    if not isinstance(category, dict) or category.get("confidence_level") not in _SURE:
        return None
    code = category.get("detailed") or category.get("primary")
    return str(code) if answers.is_id(code) else None
