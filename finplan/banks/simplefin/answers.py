"""What a SimpleFIN server answers, in both versions of the protocol, as accounts, rows and troubles.

Version 2 names the bank of an account and the troubles by codes; version 1 has the bank in each account
and troubles as sentences. A server may send both at once, and what is wrong in a part of an answer keeps
nobody from the rest.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from finplan.banks import answer as answers
from finplan.banks.base import BankAccount, BankTransaction, KindOfName, kind_of_name, mask_of_name

MOST_ACCOUNTS = 200
MOST_ROWS = 20_000
"""Of one answer; the busiest household has 5,000 in a window of all its accounts."""

MOST_TROUBLES = 200


@dataclass(frozen=True, slots=True)
class Trouble:
    """What a part of the accounts has: a sentence, whether the person has to sign in, and where it is.

    `connection` and `account` are the server's ids, None where it names none. `access_is_over` says that
    it is the server itself that takes the access no more.
    """

    text: str
    sign_in: bool
    connection: str | None = None
    account: str | None = None
    access_is_over: bool = False


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
    left_out: tuple[answers.NotRead, ...] = ()
    unread: bool = False
    partly_read: frozenset[str] = frozenset()


def read_account_set(
    answer: Any, zone: ZoneInfo, today: int, kept_in: Mapping[str, str] = MappingProxyType({})
) -> AccountSet:
    """Read an answer's JSON; days are those of `zone`, `kept_in` are accounts' currencies by their ids.

    Raises Unreadable.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("accounts"), list):
        raise answers.Unreadable("the list of accounts is missing")
    if len(answer["accounts"]) > MOST_ACCOUNTS:
        raise answers.Unreadable(f"more than {MOST_ACCOUNTS:,} accounts")
    connections = _connections(answer.get("connections"))
    accounts: list[BankAccount] = []
    rows: list[BankTransaction] = []
    held_by: dict[str, set[str]] = {}
    left_out: list[answers.NotRead] = []
    unread: set[str] = set()
    partly: set[str] = set()
    ids: set[str] = set()
    for fields in answer["accounts"]:
        odd = answers.OddFields()
        try:
            account = _account(fields, connections, zone, kept_in, odd, ids)
        except answers.Unreadable as error:
            left_out.append(answers.NotRead(_name(fields), str(error)))
            unread.add(_id_of(fields))
            continue
        accounts.append(account)
        ids.add(account.external_id)
        left_out += answers.odd_fields(account.name, odd.names)
        listed = fields.get("transactions")
        listed = listed if isinstance(listed, list) else []
        if len(rows) + len(listed) > MOST_ROWS:
            raise answers.Unreadable(f"more than {MOST_ROWS:,} transactions at once")
        for row in listed:
            try:
                rows.append(_row(row, account, zone, today))
            except answers.Unreadable as error:
                left_out.append(
                    answers.NotRead(
                        account.name, str(error), is_row=True, day=_read_stated_day(row, zone)
                    )
                )
                partly.add(account.external_id)
        held_by.setdefault(str(fields.get("conn_id")), set()).add(account.external_id)
    troubles = _troubles(answer, connections)
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


def _connections(rows: object) -> dict[str, str]:
    """The names of the banks by the ids of version 2."""
    listed = rows if isinstance(rows, list) else []
    return {
        str(row["conn_id"]): answers.remark(row.get("org_name")) or answers.remark(row.get("name"))
        for row in listed
        if isinstance(row, dict) and "conn_id" in row
    }


def _account(
    fields: Any,
    connections: Mapping[str, str],
    zone: ZoneInfo,
    kept_in: Mapping[str, str],
    odd: answers.OddFields,
    ids: Container[str],
) -> BankAccount:
    external_id = _id_of(fields)
    if not external_id:
        raise answers.Unreadable("no id")
    if external_id in ids:
        raise answers.Unreadable("another account has the same id")
    name = _name(fields)
    if not fields.get("currency"):
        raise answers.Unreadable("no currency")
    # Points and miles have an address for a currency.
    currency = answers.check_currency(
        answers.read_currency(fields.get("currency")), kept_in.get(external_id)
    )
    by_name = kind_of_name(name)
    kind, subtype = by_name or KindOfName("investment" if fields.get("holdings") else "depository")
    balance = odd.read("balance", partial(_amount, currency=currency), fields.get("balance"))
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
        seen_on=odd.read(
            "day of the balance", partial(_day, zone=zone), fields.get("balance-date")
        ),
        institution=connections.get(str(fields.get("conn_id"))) or _organisation(fields.get("org")),
        kind_is_guess=True,
    )


def _row(fields: Any, account: BankAccount, zone: ZoneInfo, today: int) -> BankTransaction:
    external_id = _id_of(fields)
    if not external_id:
        raise answers.Unreadable("no id")
    amount = answers.try_read(partial(_amount, currency=account.currency), fields.get("amount"))
    if amount is None:
        raise answers.Unreadable("no amount")
    try:
        posted = _day(fields.get("posted"), zone)
        day = posted or _day(fields.get("transacted_at"), zone) or today
    except answers.OddValue:
        raise answers.Unreadable("no readable date") from None
    texts = [answers.remark(fields.get(key)) for key in ("description", "memo", "payee")]
    extra = fields.get("extra")
    code = fields.get("mcc") or (extra.get("mcc") if isinstance(extra, dict) else None)
    return BankTransaction(
        account=account.external_id,
        external_id=external_id,
        day=day,
        amount=amount,
        raw=next(filter(None, texts), "No description"),
        payee=texts[2] or None,
        pending=fields.get("pending") is True or posted is None,
        code=answers.merchant_code(code),
    )


def _name(fields: Any) -> str:
    return (answers.remark(fields.get("name")) if isinstance(fields, dict) else "") or "Account"


def _id_of(fields: Any) -> str:
    """The id of an account or a row, empty where it has none."""
    name = fields.get("id") if isinstance(fields, dict) else None
    if isinstance(name, int) and not isinstance(name, bool):
        return str(name)
    return name if isinstance(name, str) and answers.is_id(name) else ""


def _read_stated_day(row: Any, zone: ZoneInfo) -> str | None:
    """The day by which a person finds a row at their bank, None where none is told."""
    if not isinstance(row, dict):
        return None
    read = partial(_day, zone=zone)
    day = answers.try_read(read, row.get("posted")) or answers.try_read(
        read, row.get("transacted_at")
    )
    return None if day is None else f"{day // 10_000}-{day // 100 % 100:02}-{day % 100:02}"


def _troubles(answer: Mapping[str, Any], connections: Mapping[str, str]) -> tuple[Trouble, ...]:
    listed, sentences = answer.get("errlist"), answer.get("errors")
    if any(isinstance(rows, list) and len(rows) > MOST_TROUBLES for rows in (listed, sentences)):
        raise answers.Unreadable(f"more than {MOST_TROUBLES} errors")
    if isinstance(listed, list) and listed:
        return tuple(
            _coded(error, connections)
            for error in listed
            # The server's remarks on how it is asked are no trouble of an account.
            if isinstance(error, dict) and str(error.get("code")) != "gen.api"
        )
    remarks = map(answers.remark, sentences if isinstance(sentences, list) else ())
    return tuple(
        Trouble(text, _says(text, _ASKING_TO_SIGN_IN))
        for text in remarks
        if text and not _says(text, _ON_ASKING)
    )


def _coded(error: Mapping[str, Any], connections: Mapping[str, str]) -> Trouble:
    code = str(error.get("code"))
    text = (
        answers.remark(error.get("msg"))
        or answers.remark(error.get("message"))
        or f"Error {answers.remark(code)}"
    )
    connection = error.get("conn_id")
    bank = connections.get(str(connection))
    return Trouble(
        f"{bank}: {text}" if bank and bank not in text else text,
        code.endswith(".auth"),
        None if connection is None else str(connection),
        None if error.get("account_id") is None else str(error["account_id"]),
        access_is_over=code == "gen.auth",
    )


_ASKING_TO_SIGN_IN = ("reauth", "authenticat", "attention", "sign in", "log in")
_ON_ASKING = ("date range", "requests per day", "deprecated")


def _says(sentence: str, phrases: Iterable[str]) -> bool:
    return any(phrase in sentence.casefold() for phrase in phrases)


def _touched(
    trouble: Trouble, accounts: Iterable[BankAccount], held_by: Mapping[str, set[str]]
) -> set[str]:
    """The accounts that a trouble is about; all of them where it does not say."""
    if trouble.account is not None:
        return {trouble.account}
    if trouble.connection is not None:
        return held_by.get(trouble.connection, set())
    mentioned = {
        account.external_id
        for account in accounts
        if account.institution and account.institution in trouble.text
    }
    return mentioned or {account.external_id for account in accounts}


def _organisation(fields: object) -> str | None:
    if not isinstance(fields, dict):
        return None
    return answers.remark(fields.get("name")) or answers.remark(fields.get("domain")) or None


def _amount(value: object, currency: str) -> int | None:
    """Minor units, None where there is no amount. Raises OddValue."""
    number = answers.read_text_number(value)
    return None if number is None else answers.minor_units(number, currency)


def _day(value: object, zone: ZoneInfo) -> int | None:
    """The day of an instant in seconds, None where there is none. Raises OddValue.

    An instant at midnight or noon of UTC is a date already, which another zone must not move.
    """
    instant = answers.read_epoch(value)
    if instant is None:
        return None
    if int(instant.timestamp()) % 43_200:
        instant = instant.astimezone(zone)
    return answers.day_number(instant.date())


def without_what_waits(answer: AccountSet) -> AccountSet:
    """The same answer without pending rows: of days that are over they say nothing new."""
    return replace(answer, rows=tuple(row for row in answer.rows if not row.pending))
