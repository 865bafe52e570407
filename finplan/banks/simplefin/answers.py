"""What a SimpleFIN server answers, in both versions of the protocol, as accounts, rows and troubles.

Version 2 names the bank of an account and the troubles by codes; version 1 has the bank in each account
and troubles as sentences. A server may send both at once, and what is wrong in a part of an answer keeps
nobody from the rest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from finplan.banks.account_kinds import KindOfName, kind_of_name, mask_of_name
from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.http import Unreadable, remark
from finplan.banks.left_out import NotRead, as_kept
from finplan.banks.told_money import minor_units, told_currency


@dataclass(frozen=True, slots=True)
class Trouble:
    """What a part of the accounts has: a sentence, whether the person has to sign in, and where it is.

    `connection` and `account` are the server's ids, None where it names none.
    """

    text: str
    sign_in: bool
    connection: str | None = None
    account: str | None = None


@dataclass(frozen=True, slots=True)
class AccountSet:
    """An answer: accounts, rows, what went wrong, and `troubled`, the accounts not brought whole.

    One that has no id is among these as "". `left_out` is what cannot be read; `unread` says that an
    account is among it, and `partly_read` are the accounts of whose rows some are.
    """

    accounts: tuple[BankAccount, ...]
    rows: tuple[BankTransaction, ...]
    troubles: tuple[Trouble, ...]
    troubled: frozenset[str]
    left_out: tuple[NotRead, ...] = ()
    unread: bool = False
    partly_read: frozenset[str] = frozenset()


def read_account_set(
    told: Any, zone: ZoneInfo, today: int, kept_in: Mapping[str, str] = MappingProxyType({})
) -> AccountSet:
    """Read an answer's JSON; days are those of `zone`, `kept_in` are accounts' currencies by their ids.

    Raises Unreadable.
    """
    if not isinstance(told, dict) or not isinstance(told.get("accounts"), list):
        raise Unreadable("its answer has no list of accounts")
    connections = _connections(told.get("connections"))
    accounts: list[BankAccount] = []
    rows: list[BankTransaction] = []
    held_by: dict[str, set[str]] = {}
    left_out: list[NotRead] = []
    unread: set[str] = set()
    partly: set[str] = set()
    for each in told["accounts"]:
        try:
            account = _account(each, connections, zone, kept_in)
        except Unreadable as error:
            left_out.append(NotRead(_name(each), str(error)))
            unread.add(_id_of(each))
            continue
        accounts.append(account)
        listed = each.get("transactions")
        for row in listed if isinstance(listed, list) else ():
            try:
                rows.append(_row(row, account, zone, today))
            except Unreadable as error:
                left_out.append(
                    NotRead(account.name, str(error), is_row=True, day=_told(row, zone))
                )
                partly.add(account.external_id)
        held_by.setdefault(str(each.get("conn_id")), set()).add(account.external_id)
    troubles = _troubles(told, connections)
    touched = {account for trouble in troubles for account in _touched(trouble, accounts, held_by)}
    return AccountSet(
        tuple(accounts),
        tuple(rows),
        troubles,
        frozenset(touched | unread),
        tuple(left_out),
        unread=bool(unread),
        partly_read=frozenset(partly),
    )


def _connections(told: object) -> dict[str, str]:
    """The names of the banks by the ids of version 2."""
    listed = told if isinstance(told, list) else []
    return {
        str(each["conn_id"]): remark(each.get("org_name")) or remark(each.get("name"))
        for each in listed
        if isinstance(each, dict) and "conn_id" in each
    }


def _account(
    told: Any, connections: Mapping[str, str], zone: ZoneInfo, kept_in: Mapping[str, str]
) -> BankAccount:
    if not isinstance(told, dict) or not _is_id(told.get("id")):
        raise Unreadable("it has no id")
    name, external_id = _name(told), _id_of(told)
    if not told.get("currency"):
        raise Unreadable("its currency is not told")
    # Points and miles have an address for a currency.
    currency = as_kept(told_currency(told.get("currency")), kept_in.get(external_id))
    found = kind_of_name(name)
    kind, subtype = found or KindOfName("investment" if told.get("holdings") else "depository")
    balance = _amount(told.get("balance"), currency)
    if balance is not None and kind in ("credit", "loan"):
        # What is owed comes below zero, and a card that was overpaid above; neither sign is dropped.
        balance = -balance
    return BankAccount(
        external_id=external_id,
        name=name,
        mask=mask_of_name(name),
        kind=kind,
        subtype=subtype,
        currency=currency,
        balance=balance,
        seen_on=_day(told.get("balance-date"), zone),
        institution=connections.get(str(told.get("conn_id"))) or _organisation(told.get("org")),
        kind_is_guess=True,
    )


def _row(told: Any, account: BankAccount, zone: ZoneInfo, today: int) -> BankTransaction:
    if not isinstance(told, dict) or not _is_id(told.get("id")):
        raise Unreadable("it has no id")
    amount = _amount(told.get("amount"), account.currency)
    if amount is None:
        raise Unreadable("it has no amount")
    posted = _day(told.get("posted"), zone)
    texts = [remark(told.get(key)) for key in ("description", "memo", "payee")]
    return BankTransaction(
        account=account.external_id,
        external_id=str(told["id"]),
        day=posted or _day(told.get("transacted_at"), zone) or today,
        amount=amount,
        raw=next(filter(None, texts), "No description"),
        payee=texts[2] or None,
        pending=told.get("pending") is True or posted is None,
        code=_merchant_code(told),
    )


def _name(told: Any) -> str:
    return (remark(told.get("name")) if isinstance(told, dict) else "") or "Account"


def _id_of(told: Any) -> str:
    """The id of an account, empty where it has none."""
    found = told.get("id") if isinstance(told, dict) else None
    return str(found) if _is_id(found) else ""


def _told(row: Any, zone: ZoneInfo) -> str | None:
    """The day by which a person finds a row at their bank, None where none is told."""
    if not isinstance(row, dict):
        return None
    day = _day(row.get("posted"), zone) or _day(row.get("transacted_at"), zone)
    return None if day is None else f"{day // 10_000}-{day // 100 % 100:02}-{day % 100:02}"


def _troubles(told: Mapping[str, Any], connections: Mapping[str, str]) -> tuple[Trouble, ...]:
    listed = told.get("errlist")
    if isinstance(listed, list) and listed:
        return tuple(
            _coded(each, connections)
            for each in listed
            # The server's remarks on how it is asked are no trouble of an account.
            if isinstance(each, dict) and str(each.get("code")) != "gen.api"
        )
    sentences = told.get("errors")
    return tuple(
        Trouble(remark(each), _asks_to_sign_in(remark(each)))
        for each in (sentences if isinstance(sentences, list) else ())
        if remark(each) and not _is_on_asking(remark(each))
    )


def _coded(told: Mapping[str, Any], connections: Mapping[str, str]) -> Trouble:
    code = str(told.get("code"))
    text = remark(told.get("msg")) or remark(told.get("message")) or f"Error {remark(code)}"
    connection = told.get("conn_id")
    bank = connections.get(str(connection))
    return Trouble(
        f"{bank}: {text}" if bank and bank not in text else text,
        code.endswith(".auth"),
        None if connection is None else str(connection),
        None if told.get("account_id") is None else str(told["account_id"]),
    )


def _asks_to_sign_in(sentence: str) -> bool:
    words = sentence.casefold()
    return any(
        each in words for each in ("reauth", "authenticat", "attention", "sign in", "log in")
    )


def _is_on_asking(sentence: str) -> bool:
    words = sentence.casefold()
    return any(each in words for each in ("date range", "requests per day", "deprecated"))


def _touched(
    trouble: Trouble, accounts: Iterable[BankAccount], held_by: Mapping[str, set[str]]
) -> set[str]:
    """The accounts that a trouble is about; all of them where it does not say."""
    if trouble.account is not None:
        return {trouble.account}
    if trouble.connection is not None:
        return held_by.get(trouble.connection, set())
    named = {
        account.external_id
        for account in accounts
        if account.institution and account.institution in trouble.text
    }
    return named or {account.external_id for account in accounts}


def _organisation(told: object) -> str | None:
    if not isinstance(told, dict):
        return None
    return remark(told.get("name")) or remark(told.get("domain")) or None


def _is_id(told: object) -> bool:
    return isinstance(told, str | int) and str(told) != ""


def _amount(told: object, currency: str) -> int | None:
    try:
        return minor_units(Decimal(str(told).strip()), currency)
    except InvalidOperation:
        return None


def _day(told: object, zone: ZoneInfo) -> int | None:
    """The day of an instant in seconds, None for what is none.

    An instant at midnight or noon of UTC is a date already, which another zone must not move.
    """
    try:
        seconds = int(str(told))
        if seconds <= 0:
            return None
        instant = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if seconds % 43_200:
        instant = instant.astimezone(zone)
    return instant.year * 10_000 + instant.month * 100 + instant.day


def _merchant_code(told: Mapping[str, Any]) -> str | None:
    extra = told.get("extra")
    code = told.get("mcc") or (extra.get("mcc") if isinstance(extra, dict) else None)
    text = str(code or "")
    return text if len(text) == 4 and text.isdecimal() else None


def without_what_waits(found: AccountSet) -> AccountSet:
    """The same answer without pending rows: of days that are over they say nothing new."""
    return replace(found, rows=tuple(row for row in found.rows if not row.pending))
