"""One OFX transaction to one row: its day, its amount, and what it says of the other side."""

from itertools import repeat
from typing import cast

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.ofx.text import plain
from finplan.statements.statement import StatementRow, UnreadableStatement
from finplan.statements.text.descriptors import LONGEST_REMEMBERED, MOST_REMEMBERED, joined, quoted
from finplan.statements.text.printed import amounts_of, day_of, why_too_large

_KINDS: dict[str, tuple[AccountKind, str, str]] = {
    "CHECKING": ("depository", "checking", "Checking"),
    "SAVINGS": ("depository", "savings", "Savings"),
    "MONEYMRKT": ("depository", "money market", "Money market"),
    "CD": ("depository", "cd", "Certificate of deposit"),
    "CREDITLINE": ("credit", "line of credit", "Credit line"),
}


class RowConverter:
    """Converts transactions to rows, remembering descriptors that it has seen."""

    def __init__(self) -> None:
        self._descriptors = _Descriptors()

    def convert(
        self, booked: list[dict[str, str]], currency: str, already: int
    ) -> list[StatementRow]:
        """Convert a run of transactions that follows `already` others of the statement.

        Raises UnreadableStatement for one without a possible day or amount, naming it.
        """
        if len(self._descriptors) > MOST_REMEMBERED:
            self._descriptors.clear()
        days = [day_of(fields.get("DTPOSTED", "").strip()[:10]) for fields in booked]
        amounts = amounts_of([fields.get("TRNAMT", "") for fields in booked], currency)
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


def kind_of(sort: str, account_type: str) -> tuple[AccountKind | None, str | None, str]:
    """Translate an account's type to kind, subtype and a label for its name."""
    if sort == "card":
        return "credit", "credit card", "Credit card"
    return _KINDS.get(account_type.upper(), (None, None, "Account"))


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


def _kind_and_number(fields: dict[str, str]) -> str:
    """Describe a transaction without a name: a check by its number."""
    return plain(f"{fields.get('TRNTYPE', '')} {fields.get('CHECKNUM', '')}")


def _refusal(fields: dict[str, str], place: int, what: str, tag: str) -> UnreadableStatement:
    which = _named(fields, place)
    printed = plain(fields.get(tag, ""))
    if not printed:
        return UnreadableStatement(f"{which} has no {what}; the file is damaged or incomplete.")
    return UnreadableStatement(f"{which} has an impossible {what}: {quoted(printed)}.")


def _too_large(fields: dict[str, str], place: int, currency: str) -> UnreadableStatement:
    printed = plain(fields.get("TRNAMT", ""))
    return UnreadableStatement(f"{_named(fields, place)}: {why_too_large(printed, currency)}")


def _named(fields: dict[str, str], place: int) -> str:
    name = plain(fields.get("NAME", "") or fields.get("MEMO", ""))
    return f"Transaction {place} ({quoted(name)})" if name else f"Transaction {place}"
