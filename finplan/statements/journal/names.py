"""Names of accounts in journals: unique, and within what hledger and beancount allow."""

import re
import unicodedata
from collections.abc import Callable, Iterable

from finplan.statements.exported import CounterAccount
from finplan.statements.statement import StatementAccount

Spell = Callable[[str], str]
"""Turns words into one segment of an account's name; empty when nothing is left of them."""

_OWED = ("credit", "loan")
_NOT_FOR_HLEDGER = re.compile(r"[^\w &+,./#$€£%-]+")
_NOT_FOR_BEANCOUNT = re.compile(r"[^A-Za-z0-9]+")


def hledger_segment(words: str) -> str:
    """A segment for hledger and ledger: without the signs that mean something to them."""
    plain = " ".join(_NOT_FOR_HLEDGER.sub(" ", unicodedata.normalize("NFC", words)).split())
    return plain.strip(" -+,./#")[:60].strip()


def beancount_segment(words: str) -> str:
    """A segment for beancount: letters and digits of ASCII and hyphens, a capital or digit first."""
    plain = unicodedata.normalize("NFKD", words).replace("ł", "l").replace("ß", "ss")
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    joined = _NOT_FOR_BEANCOUNT.sub("-", letters).strip("-")[:60].strip("-")
    return joined[:1].upper() + joined[1:]


def names_of_accounts(accounts: Iterable[StatementAccount], spell: Spell) -> dict[str, str]:
    """Name each account by its id, with its institution before it where the file would say one."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for account in accounts:
        root = spell("liabilities" if account.kind in _OWED else "assets")
        segments = (spell(account.institution or ""), spell(account.name) or spell("account"))
        name = ":".join(filter(None, (root, *segments)))
        names[account.id or ""] = _untaken(name, taken)
    return names


def names_of_counters(
    counters: Iterable[tuple[str, CounterAccount]], spell: Spell
) -> dict[str, str]:
    """Name the account of each category."""
    taken: set[str] = set()
    return {
        category: _untaken(f"{spell(counter.side)}:{spell(counter.words) or spell('other')}", taken)
        for category, counter in counters
    }


def _untaken(name: str, taken: set[str]) -> str:
    """Add a number to a name that is there already, whatever the letters' case."""
    place, free = 1, name
    while free.casefold() in taken:
        place += 1
        free = f"{name}-{place}"
    taken.add(free.casefold())
    return free
