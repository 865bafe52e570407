"""One OFX transaction to one row: its day, its amount, and what it says of the other side."""

import re
from decimal import Decimal
from itertools import repeat
from typing import cast

from finplan.model.account import AccountKind
from finplan.model.money import exponent, to_minor, to_text
from finplan.statements.descriptors import LONGEST_REMEMBERED, MOST_REMEMBERED, joined
from finplan.statements.limits import LARGEST_AMOUNT, day_number
from finplan.statements.ofx_text import plain
from finplan.statements.shapes import shapes_of
from finplan.statements.statement import StatementRow, UnreadableStatement

_KINDS: dict[str, tuple[AccountKind, str, str]] = {
    "CHECKING": ("depository", "checking", "Checking"),
    "SAVINGS": ("depository", "savings", "Savings"),
    "MONEYMRKT": ("depository", "money market", "Money market"),
    "CD": ("depository", "cd", "Certificate of deposit"),
    "CREDITLINE": ("credit", "line of credit", "Credit line"),
}
_PRINTED_DAY = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)")
_PRINTED_AMOUNT = re.compile(
    r"([+-]?)\s*(?:(\d*)(?:[.,](\d*))?"
    r"|(\d{1,3}(?:[,' \u00a0]\d{3})+)(?:\.(\d*))?|(\d{1,3}(?:[.' \u00a0]\d{3})+)(?:,(\d*))?)"
)
_CENTS = re.compile(r"\s*[+-]?9{1,18}[.,]99\s*")
_LONGEST_AMOUNT = 40
_CURRENCY = re.compile(r"[A-Z]{3}")


class RowConverter:
    """Converts transactions to rows, remembering days and descriptors that it has seen."""

    def __init__(self) -> None:
        self._days = _Days()
        self._descriptors = _Descriptors()

    def convert(
        self, booked: list[dict[str, str]], currency: str, already: int
    ) -> list[StatementRow]:
        """Convert a run of transactions that follows `already` others of the statement.

        Raises UnreadableStatement for one without a possible day or amount, naming it.
        """
        if max(len(self._days), len(self._descriptors)) > MOST_REMEMBERED:
            self._days.clear()
            self._descriptors.clear()
        days = [self._days[fields.get("DTPOSTED", "").strip()[:10]] for fields in booked]
        amounts = _amounts([fields.get("TRNAMT", "") for fields in booked], currency)
        for place, (day, amount) in enumerate(zip(days, amounts, strict=True)):
            if day is None:
                raise _refusal(booked[place], already + place + 1, "date", "DTPOSTED")
            if amount is None:
                raise _refusal(booked[place], already + place + 1, "amount", "TRNAMT")
            if not -LARGEST_AMOUNT <= amount <= LARGEST_AMOUNT:
                raise _too_large(booked[place], already + place + 1, currency)
        payees = [fields.get("PAYEE.NAME", "") for fields in booked]
        texts = [
            (fields.get("NAME", ""), payee, fields.get("MEMO", ""))
            for fields, payee in zip(booked, payees, strict=True)
        ]
        raws = list(map(self._descriptors.__getitem__, texts))
        if "" in raws:
            raws = [
                raw or _kind_and_number(fields) for raw, fields in zip(raws, booked, strict=True)
            ]
        printed = [fields.get("FITID", "").strip() for fields in booked]
        ids = [fitid if fitid.strip("0") else None for fitid in printed]
        names = [plain(payee) or None for payee in payees] if any(payees) else repeat(None)
        codes = [_code(fields.get("SIC", "")) for fields in booked]
        columns = (cast("list[int]", days), cast("list[int]", amounts), raws, ids, names)
        return list(map(StatementRow, *columns, [False] * len(raws), codes))


def day_of(printed: str) -> int | None:
    """Read the day that a date begins with, as YYYYMMDD; its time and zone never move it."""
    found = _PRINTED_DAY.match(printed)
    return day_number(int(found[1]), int(found[2]), int(found[3])) if found else None


def amount_of(printed: str, currency: str) -> int | None:
    """Read an amount in minor units, None when it is none; a single point or comma is decimal.

    A point alone is zero: banks whose programs suppress zeros print nothing else of 0.00.
    """
    found = _PRINTED_AMOUNT.fullmatch(printed.strip()[:_LONGEST_AMOUNT])
    if found is None or not printed.strip().lstrip("+-"):
        return None
    sign, plain_whole, plain_fraction, *grouped = found.groups()
    whole = plain_whole or re.sub(r"\D", "", grouped[0] or grouped[2] or "")
    fraction = plain_fraction or grouped[1] or grouped[3]
    return to_minor(Decimal(f"{sign}{whole or 0}.{fraction or 0}"), currency)


def currency_of(printed: str) -> str | None:
    """Read a currency code, None when it is none."""
    code = printed.strip().upper()
    return code if _CURRENCY.fullmatch(code) else None


def kind_of(sort: str, account_type: str) -> tuple[AccountKind | None, str | None, str]:
    """Translate an account's type to kind, subtype and a label for its name."""
    if sort == "card":
        return "credit", "credit card", "Credit card"
    return _KINDS.get(account_type.upper(), (None, None, "Account"))


def _amounts(printed: list[str], currency: str) -> list[int | None]:
    """Read amounts, all at once where each has two decimals, as nearly every bank prints them."""
    if exponent(currency) == 2 and all(map(_CENTS.fullmatch, set(shapes_of(printed)))):
        return [int(text.replace(".", "").replace(",", "")) for text in printed]
    return [amount_of(text, currency) for text in printed]


def _code(printed: str) -> str | None:
    """The code of the merchant's trade; banks print zeros where they have none."""
    code = printed.strip()
    return code if code.isascii() and code.isdigit() and len(code) == 4 and int(code) else None


class _Descriptors(dict[tuple[str, str, str], str]):
    """Remembers the descriptor of each name, payee and memo."""

    def __missing__(self, texts: tuple[str, str, str]) -> str:
        descriptor = joined(map(plain, texts))
        if sum(map(len, texts)) <= LONGEST_REMEMBERED:
            self[texts] = descriptor
        return descriptor


class _Days(dict[str, int | None]):
    """Remembers the day of each beginning of a printed date."""

    def __missing__(self, printed: str) -> int | None:
        day = self[printed] = day_of(printed)
        return day


def _kind_and_number(fields: dict[str, str]) -> str:
    """Describe a transaction without a name: a check by its number."""
    return plain(f"{fields.get('TRNTYPE', '')} {fields.get('CHECKNUM', '')}")


def _refusal(fields: dict[str, str], place: int, what: str, tag: str) -> UnreadableStatement:
    which = _named(fields, place)
    printed = plain(fields.get(tag, ""))
    if not printed:
        return UnreadableStatement(f"{which} has no {what}; the file is damaged or incomplete.")
    return UnreadableStatement(f"{which} has an impossible {what}: “{printed[:40]}”.")


def _too_large(fields: dict[str, str], place: int, currency: str) -> UnreadableStatement:
    printed, limit = plain(fields.get("TRNAMT", "")), to_text(LARGEST_AMOUNT, currency)
    return UnreadableStatement(
        f"{_named(fields, place)}: “{printed[:40]}” is too large; an amount is at most {limit}."
    )


def _named(fields: dict[str, str], place: int) -> str:
    name = plain(fields.get("NAME", "") or fields.get("MEMO", ""))
    return f"Transaction {place} (“{name[:40]}”)" if name else f"Transaction {place}"
