"""Real bank accounts, as the Czech bank of the PKDD'99 challenge published them, cut in two.

A file holds a transaction a line, `;` between the columns, named by its first line: `trans_id`,
`account_id`, `date` (YYMMDD), `type`, `operation`, `amount`, `balance`, `k_symbol`, `bank`, `account`.
Its words are Czech, as published, or English. What a line says of its purpose and of the other account
is read as a bank's text.
"""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import attrgetter
from pathlib import Path
from random import Random

from benchmarks.quality.chain import ledger_of
from benchmarks.quality.forecast.futures import DAYS, Future
from benchmarks.quality.world.truth import Household, LabelledRow, OwnAccount, Span

LEAST_KNOWN = 240
"""Days of history that an account has at least, so that the baselines have their windows, too."""

_OUT = frozenset({"VYDAJ", "VYBER", "withdrawal", "withdrawal in cash"})
"""The types of what goes out; a few withdrawals have their operation for a type."""

MOST_ACCOUNTS = 375
"""Of each part."""

_SEED = 41
_CURRENCY = "CZK"


@dataclass(frozen=True, slots=True)
class RealAccount:
    """An account with its rows in the order of the days; it was opened with nothing on it."""

    name: str
    rows: Sequence[LabelledRow]


def read_accounts(path: Path) -> list[RealAccount]:
    """The accounts of a file; a last line that was cut off is left out."""
    rows: dict[str, list[LabelledRow]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter=";"):
            if line["balance"]:
                rows[line["account_id"]].append(_row(line))
    return [
        RealAccount(f"{path.stem} {name}", sorted(found, key=attrgetter("day")))
        for name, found in rows.items()
    ]


def _row(line: Mapping[str, str]) -> LabelledRow:
    amount = _minor(line["amount"])
    words = (line["operation"], line["k_symbol"], line["account"], line["bank"])
    text = " ".join(word.strip() for word in words if word and word.strip() not in {"", "0"})
    return LabelledRow(
        account=1,
        day=_day(line["date"]),
        amount=-amount if line["type"] in _OUT else amount,
        raw=text.upper() or line["type"].upper(),
        payee=text,
    )


def _minor(amount: str) -> int:
    return round(float(amount) * 100)


def _day(text: str) -> date:
    return date(1900 + int(text[:2]), int(text[2:4]), int(text[4:6]))


def real_future(account: RealAccount, later: int = 0) -> Future:
    """What is known of an account on a day of its life, and what came in the sixty days after it.

    The day is drawn, since many accounts of a file end on one day, and cash is not the same in all weeks
    of a year. It is known so many days `later` than that.
    """
    first, last = account.rows[0].day, account.rows[-1].day
    first_cut, last_cut = first.toordinal() + LEAST_KNOWN, last.toordinal() - DAYS
    cut = Random(account.name).randint(first_cut, last_cut)
    today, until = date.fromordinal(cut + later), date.fromordinal(cut + DAYS)
    rows = [row for row in account.rows if row.day <= today]
    own = OwnAccount(1, "BANK", "ACCOUNT", "0001", "depository", "checking", _CURRENCY)
    known = Household(
        seed=0,
        today=today,
        currency=_CURRENCY,
        accounts=[own],
        rows=rows,
        streams=[],
        coverage={1: [Span(first, today, stated=True)]},
    )
    moved = [0] * ((until - first).days + 1)
    for row in account.rows:
        if row.day <= until:
            moved[(row.day - first).days] += row.amount
    split = (today - first).days + 1
    cash = sum(moved[:split])
    ledger = ledger_of(known)
    ledger = replace(ledger, accounts={1: replace(ledger.accounts[1], balance=cash)})
    true, evening = [], cash
    for change in moved[split:]:
        evening += change
        true.append(evening)
    return Future(ledger, today, moved[:split], true)


def parts(paths: Sequence[Path]) -> tuple[list[RealAccount], list[RealAccount]]:
    """The accounts of the tuning and of the reporting part, half of all that are long enough each."""
    accounts = [
        account
        for path in paths
        for account in read_accounts(path)
        if (account.rows[-1].day - account.rows[0].day).days >= LEAST_KNOWN + DAYS
    ]
    accounts.sort(key=attrgetter("name"))
    Random(_SEED).shuffle(accounts)
    half = min(MOST_ACCOUNTS, len(accounts) // 2)
    return accounts[:half], accounts[half : 2 * half]
