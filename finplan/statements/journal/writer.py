"""The exports for hledger, which ledger reads too, and for beancount: transactions that balance.

The other side of a row is its category, or for each part of a split one the part's; money that moves
between own accounts goes through equity, and so adds up to nothing when both sides are there. Names of
accounts are unique, and within what hledger and beancount allow.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from finplan.model.money import to_text
from finplan.model.transaction import EXPORT_OF_ROWS_ONLY, remark_texts
from finplan.statements.export import CounterAccount, Exported, ExportedPart, ExportedRow, iso_date
from finplan.statements.statement import StatementAccount

Spell = Callable[[str], str]
"""Turns words into one segment of an account's name; empty when nothing is left of them."""

_OWED_KINDS = ("credit", "loan")
_NOT_FOR_HLEDGER = re.compile(r"[^\w &+,./#$€£%-]+")
_NOT_FOR_BEANCOUNT = re.compile(r"[^A-Za-z0-9]+")


def hledger_segment(text: str) -> str:
    """A segment for hledger and ledger: without the signs that mean something to them."""
    plain = " ".join(_NOT_FOR_HLEDGER.sub(" ", unicodedata.normalize("NFC", text)).split())
    return plain.strip(" -+,./#")[:60].strip()


def beancount_segment(text: str) -> str:
    """A segment for beancount: letters and digits of ASCII and hyphens, a capital or digit first."""
    plain = unicodedata.normalize("NFKD", text).replace("ł", "l").replace("ß", "ss")
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    joined = _NOT_FOR_BEANCOUNT.sub("-", letters).strip("-")[:60].strip("-")
    return joined[:1].upper() + joined[1:]


def names_of_accounts(accounts: Iterable[StatementAccount], spell: Spell) -> dict[str, str]:
    """Name each account by its id, with its institution before it where the file would say one."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for account in accounts:
        root = spell("liabilities" if account.kind in _OWED_KINDS else "assets")
        segments = (spell(account.institution or ""), spell(account.name) or spell("account"))
        name = ":".join(filter(None, (root, *segments)))
        names[account.id or ""] = _untaken_name(name, taken)
    return names


def names_of_counters(
    counters: Iterable[tuple[str, CounterAccount]], spell: Spell
) -> dict[str, str]:
    """Name the account of each category."""
    taken: set[str] = set()
    return {
        category: _untaken_name(
            f"{spell(counter.side)}:{spell(counter.words) or spell('other')}", taken
        )
        for category, counter in counters
    }


def _untaken_name(name: str, taken: set[str]) -> str:
    """Add a number to a name that is there already, whatever the letters' case."""
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free.casefold())
    return free


HLEDGER_TAG = "finplan-"
"""What the names of the tags begin with that say which account and row this is."""

HLEDGER_MARK = "; Written by finplan for hledger; importing it again adds nothing."
"""The first line."""

_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f;|\u2028\u2029]+")
_STATUS_OR_CODE = "*!(=[ "
_MEANS_A_DATE = re.compile(r"\[|\]|(?<=date):|(?<=date2):|:(?=:)", re.IGNORECASE)
"""Signs by which a comment behind a posting says another date, or a value that ledger works out."""


class HledgerWriter:
    """Amounts stand before their currency's code, with its own number of decimals and no groups."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._names = names_of_accounts(exported.accounts.values(), hledger_segment)
        self._counters = names_of_counters(exported.counters.items(), hledger_segment)

    def head(self) -> str:
        """The commodities and the accounts, each of them declared."""
        lines = [HLEDGER_MARK, f"; {EXPORT_OF_ROWS_ONLY}"]
        for currency in self._exported.currencies:
            example = to_text(10 ** (3 + len(_decimals(currency))), currency)
            # With no decimals a point at the end still says which sign is decimal.
            point = "" if "." in example else "."
            lines += [f"commodity {currency}", f"  format {example}{point} {currency}"]
        for account_id, account in self._exported.accounts.items():
            lines += ["", f"account {self._names[account_id]}"]
            facts = {
                "id": account.id,
                "name": account.name,
                "number": account.number,
                "institution": account.institution,
                "kind": account.kind,
                "subtype": account.subtype,
            }
            lines += _hledger_tags(facts)
        lines += ["", *(f"account {name}" for name in self._counters.values())]
        return "\n".join(lines) + "\n"

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions, each after an empty line."""
        return "".join(map(self._transaction, rows))

    def tail(self) -> str:
        """Nothing."""
        return ""

    def _transaction(self, row: ExportedRow) -> str:
        currency = self._exported.accounts[row.account].currency
        payee, text = in_a_line(row.payee).lstrip(_STATUS_OR_CODE), in_a_line(row.raw)
        tags = {
            "payee": row.payee_key,
            "row": row.external_id,
            "text": None if text == row.raw else row.raw,
            **remark_texts(row.remarks),
        }
        lines = [
            "",
            f"{iso_date(row.day)} * {payee or '-'} | {text}".rstrip(),
            *_hledger_tags(tags),
            f"    {self._names[row.account]}  {to_text(row.amount, currency)} {currency}",
            *(self._counter_posting(part, currency) for part in row.filed),
        ]
        return "\n".join(lines) + "\n"

    def _counter_posting(self, part: ExportedPart, currency: str) -> str:
        amount = f"{to_text(-part.amount, currency)} {currency}"
        remark = _remark(part.note or "")
        return f"    {self._counters[part.category]}  {amount}{remark and f'  ; {remark}'}"


def _remark(text: str) -> str:
    """Fold a text so that it says nothing to the program behind a posting."""
    return in_a_line(_MEANS_A_DATE.sub(" ", text))


def in_a_line(text: str) -> str:
    """Fold a text so that it is one line without a comment."""
    return " ".join(_NOT_IN_A_LINE.sub(" ", text).split())


def _hledger_tags(facts: dict[str, str | None]) -> list[str]:
    return [
        f"    ; {HLEDGER_TAG}{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in facts.items()
        if value is not None
    ]


def _decimals(currency: str) -> str:
    return to_text(0, currency).partition(".")[2]


BEANCOUNT_MARK = "; Written by finplan for beancount; importing it again adds nothing."
"""The first line."""

_BEFORE_ALL = "1900-01-01"
"""When every account is opened: no row is older, not even one that comes while others are written."""


class BeancountWriter:
    """Texts are quoted as in JSON, whose escapes beancount shares but for control characters."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._names = names_of_accounts(exported.accounts.values(), beancount_segment)
        self._counters = names_of_counters(exported.counters.items(), beancount_segment)

    def head(self) -> str:
        """The options and the accounts, each of them opened."""
        lines = [BEANCOUNT_MARK, f"; {EXPORT_OF_ROWS_ONLY}"]
        lines += [
            f'option "operating_currency" "{currency}"' for currency in self._exported.currencies
        ]
        for account_id, account in self._exported.accounts.items():
            lines += ["", f"{_BEFORE_ALL} open {self._names[account_id]} {account.currency}"]
            facts = {
                "id": account.id,
                "name": account.name,
                "number": account.number,
                "institution": account.institution,
                "kind": account.kind,
                "subtype": account.subtype,
            }
            lines += _beancount_metadata(facts)
        lines += ["", *(f"{_BEFORE_ALL} open {name}" for name in self._counters.values())]
        return "\n".join(lines) + "\n"

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions, each after an empty line."""
        return "".join(map(self._transaction, rows))

    def tail(self) -> str:
        """Nothing."""
        return ""

    def _transaction(self, row: ExportedRow) -> str:
        currency = self._exported.accounts[row.account].currency
        lines = [
            "",
            f"{iso_date(row.day)} * {_beancount_quoted(row.payee)} {_beancount_quoted(row.raw)}",
            *_beancount_metadata(
                {
                    "payee": row.payee_key,
                    "row": row.external_id,
                    **remark_texts(row.remarks),
                }
            ),
            f"  {self._names[row.account]}  {to_text(row.amount, currency)} {currency}",
        ]
        for part in row.filed:
            amount = f"{to_text(-part.amount, currency)} {currency}"
            lines.append(f"  {self._counters[part.category]}  {amount}")
            # Metadata below a posting is the posting's.
            lines += _beancount_metadata({"note": part.note})
        return "\n".join(lines) + "\n"


def _beancount_metadata(facts: dict[str, str | None]) -> list[str]:
    return [
        f"  {HLEDGER_TAG}{name}: {_beancount_quoted(value)}"
        for name, value in facts.items()
        if value is not None
    ]


def _beancount_quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
