"""Tables whose program is known: which app it is, and its rows in one shape for all of them.

The sign of an app's amounts, its split rows and what it calls cleared are known, so nothing of it is
inferred; dates and numbers are, since they follow the person's settings. Rows that an app has split
between categories are put together to what the bank booked. The source of the conventions are the apps'
own programs and their users' files.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, islice
from typing import NamedTuple

from finplan.statements.statement import SPLIT_PART, STATES_BALANCE
from finplan.statements.table.columns import Columns
from finplan.statements.table.table import Cells, Table
from finplan.statements.table.texts import TextColumns
from finplan.statements.table.words import words_of
from finplan.statements.text.currencies import is_currency

_DATE, _ACCOUNT, _MEMO, _OUTFLOW, _INFLOW = 0, 1, 4, 5, 6
_PART_OF_A_SPLIT = re.compile(r"\(?Split \(?(\d{1,3})/(\d{1,3})\)\)?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_SEPARATORS = re.compile(r"[^\d]")


def without_splits(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Put parts that follow each other together, when all parts of one split are there.

    A part says “Split (1/3)” before its memo. The sum has the payee and memo of the first part.
    """
    parts: dict[str, list[str]] = {}
    expected: tuple[str, ...] = ()
    for row in rows:
        match = _PART_OF_A_SPLIT.match(row[_MEMO])
        split = (row[_DATE], row[_ACCOUNT], match[2]) if match else ()
        if parts and (match is None or split != expected or match[1] in parts):
            yield from parts.values()
            parts = {}
        if match is None:
            yield row
            continue
        parts[match[1]], expected = row, split
        if len(parts) == int(match[2]):
            yield from _put_together(list(parts.values()))
            parts = {}
    yield from parts.values()


def _put_together(parts: list[list[str]]) -> list[list[str]]:
    row = list(parts[0])
    for index in (_OUTFLOW, _INFLOW):
        total = _sum_printed([part[index] for part in parts])
        if total is None:
            return parts
        row[index] = total
    row[_MEMO] = _PART_OF_A_SPLIT.sub("", row[_MEMO])
    return [row]


def _sum_printed(printed: list[str]) -> str | None:
    """Add amounts of one way of printing, whichever sign is decimal; None when they are of several.

    The last separator stays at its place from the end, so the sum reads as its parts do.
    """
    texts = [text for text in printed if text.strip()]
    numbers = [_NUMBER.search(text) for text in texts]
    if not texts:
        return ""
    if any(match is None or "-" in text for match, text in zip(numbers, texts, strict=True)):
        return None
    amounts = [match[0] for match in numbers if match]
    tails = {
        len(text) - 1 - max(text.rfind("."), text.rfind(",")) for text in amounts if _has_sign(text)
    }
    total = sum(int(_SEPARATORS.sub("", text)) for text in amounts)
    first = numbers[0]
    before, after = (texts[0][: first.start()], texts[0][first.end() :]) if first else ("", "")
    if not all(map(_has_sign, amounts)):
        # A number without a separator is whole, and so the separators of the others part thousands.
        return f"{before}{total}{after}" if tails <= {3} else None
    if len(tails) != 1:
        return None
    (tail,) = tails
    sign = amounts[0][-1 - tail]
    digits = f"{total:0{tail + 1}d}"
    return f"{before}{digits[:-tail]}{sign}{digits[-tail:]}{after}"


def _has_sign(text: str) -> bool:
    return "." in text or "," in text


HEADER = (
    "Date", "Account", "Account name", "Payee", "Description", "Outflow", "Inflow", "Currency",
    "Status", "ID",
)  # fmt: skip
"""The one shape: outflow and inflow are unsigned, the status is blank or a word of `row_words.py`."""

_AT_ONCE = 4096
_MINUS = re.compile(r"^\s*\(|[-−–]")
_SIGNS = re.compile(r"[-−–()]")


class AppRow(NamedTuple):
    """A row in the shape of HEADER."""

    date: str
    account: str
    account_name: str
    payee: str
    description: str
    outflow: str
    inflow: str
    currency: str = ""
    status: str = ""
    id: str = ""


AppValues = Mapping[str, str]
"""The cells of a row by the name of their column, in small letters."""


class AppFacts(NamedTuple):
    """What only the whole table says: accounts with a cleared row, and whether expenses are positive."""

    clearing: frozenset[str]
    expenses_are_positive: bool


@dataclass(frozen=True, slots=True)
class App:
    """An app: the columns that give its export away, and how a row of it is translated.

    `left_out` is the reason for which `translate` gives nothing for some of its rows.
    """

    name: str
    columns: frozenset[str]
    translate: Callable[[AppValues, AppFacts], Iterable[AppRow]]
    has_currency: bool = False
    has_bank_text: bool = False
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class AppTable(Table):
    """An app's table whose rows come translated; `own_names` are the app's own columns.

    `left_out` counts the rows that the latest reading of all chunks translated to nothing.
    """

    app: App
    own_names: tuple[str, ...]
    facts: AppFacts
    left_out: Counter[str] = field(default_factory=Counter, compare=False)

    @property
    def columns(self) -> Columns:
        """What each column means, which is no question."""
        return Columns(
            date=0,
            account=1,
            account_name=2,
            texts=TextColumns(parties=(3,), descriptions=(4,), is_whole=self.app.has_bank_text),
            debit=5,
            credit=6,
            currency=7 if self.app.has_currency else None,
            status=8,
            id=9,
        )

    def chunks(self) -> Iterator[Cells]:
        """Yield the translated rows, some thousands at once."""
        self.left_out.clear()
        translated = without_splits(
            list(counted) for row in _rows_of_app(self) for counted in self._counted(row)
        )
        while some := list(islice(translated, _AT_ONCE)):
            yield Cells(some)

    def line_of(self, row: Sequence[str]) -> int:
        """Find the line of the row that a translated row was made of; 0 for one made of several."""
        target = tuple(row)
        for read in _rows_of_app(self):
            if target in self._translated(read):
                return Table.line_of(self, read)
        return 0

    def unfinished_row(self) -> list[str] | None:
        """Nothing: the app's own row is checked by its number of cells."""
        return None

    def _counted(self, row: Sequence[str]) -> list[AppRow]:
        translated = self._translated(row)
        if not translated:
            self.left_out[self.app.left_out] += 1
        return translated

    def _translated(self, row: Sequence[str]) -> list[AppRow]:
        values = dict(zip(self.own_names, row, strict=False))
        return list(self.app.translate(values, self.facts))


def _rows_of_app(table: Table) -> Iterator[list[str]]:
    """The rows as the app wrote them."""
    return chain.from_iterable(cells.rows for cells in Table.chunks(table))


def translated(table: Table) -> Table:
    """Give an app's table in the one shape, and any other as it is."""
    names = tuple(" ".join(words_of(name)) for name in table.header)
    app = next((app for app in APPS if app.columns <= set(names)), None)
    if app is None:
        return table
    own = {field.name: getattr(table, field.name) for field in fields(Table)}
    return AppTable(**own, app=app, own_names=names, facts=_facts_of(table, names))


def _facts_of(table: Table, names: Sequence[str]) -> AppFacts:
    """Look through the table for what a single row cannot say."""
    clearing: set[str] = set()
    signs: Counter[bool] = Counter()
    amounts = names.index("amount") if "amount" in names else None
    for row in _rows_of_app(table):
        values = dict(zip(names, row, strict=False))
        if _is_cleared(values):
            clearing.add(values.get("account", ""))
        if amounts is not None and row[amounts].strip():
            signs[bool(_MINUS.search(row[amounts]))] += 1
    return AppFacts(frozenset(clearing), signs[False] >= signs[True])


def _is_cleared(values: AppValues) -> bool:
    return values.get("cleared", "").strip().lower() in {"cleared", "reconciled", "c", "r"}


def _waits(values: AppValues, facts: AppFacts) -> str:
    """An uncleared row waits for its bank, unless its account never clears any, as one for cash."""
    if _is_cleared(values) or values["account"] not in facts.clearing:
        return ""
    return "pending"


def _flows(amount: str, *, out_is_positive: bool = False) -> tuple[str, str]:
    """Split an amount into what goes out and what comes in."""
    size = _SIGNS.sub("", amount).strip()
    is_negative = bool(_MINUS.search(amount))
    return ("", size) if is_negative == out_is_positive else (size, "")


def _ynab(values: AppValues, facts: AppFacts) -> Iterable[AppRow]:
    account = values["account"]
    yield AppRow(
        values["date"], account, account, values["payee"], values["memo"],
        values["outflow"], values["inflow"], status=_waits(values, facts),
    )  # fmt: skip


_SPLIT_PART = re.compile(r"\(SPLIT \d+ OF \d+\)")
_SPLIT_WHOLE = re.compile(r"\(SPLIT INTO \d+\)\s*")


def _actual(values: AppValues, facts: AppFacts) -> Iterable[AppRow]:
    """A split transaction stands in one row as a whole and in others by its parts; the whole counts."""
    notes, account = values["notes"], values["account"]
    if _SPLIT_PART.match(notes):
        return
    is_whole = _SPLIT_WHOLE.match(notes)
    amount = values["split amount"] if is_whole else values["amount"]
    yield AppRow(
        values["date"], account, account, values["payee"], _SPLIT_WHOLE.sub("", notes),
        *_flows(amount), status=_waits(values, facts),
    )  # fmt: skip


def _monarch(values: AppValues, _facts: AppFacts) -> Iterable[AppRow]:
    account, payee = values["account"], values["merchant"]
    text = values["original statement"].strip() or payee
    yield AppRow(values["date"], account, account, payee, text, *_flows(values["amount"]))


def _copilot(values: AppValues, _facts: AppFacts) -> Iterable[AppRow]:
    """Expenses are positive; accounts of one name are told apart by their last digits."""
    mask = values["account mask"].strip()
    account = f"{values['account']} (...{mask})" if mask else values["account"]
    yield AppRow(
        values["date"], account, account, values["name"], values.get("note", ""),
        *_flows(values["amount"], out_is_positive=True), status=values["status"],
    )  # fmt: skip


def _lunch_money(values: AppValues, facts: AppFacts) -> Iterable[AppRow]:
    """Expenses have the sign that most amounts have, which is a setting; “uncleared” is unreviewed."""
    account = values.get("account name") or values.get("account", "")
    flows = _flows(values["amount"], out_is_positive=facts.expenses_are_positive)
    status = values.get("status", "")
    yield AppRow(
        values["date"], account, account, values["payee"],
        values["original name"].strip() or values["payee"], *flows, values["currency"].upper(),
        status if status.lower() == "pending" else "", values.get("transaction id", ""),
    )  # fmt: skip


def _sure(values: AppValues, _facts: AppFacts) -> Iterable[AppRow]:
    """Expenses are positive, and of a split transaction only the parts are there."""
    account = values["account name"]
    yield AppRow(
        values["date"], account, account, values["name"], values["notes"],
        *_flows(values["amount"], out_is_positive=True), values["currency"],
    )  # fmt: skip


_FIREFLY_OWN = {"asset account", "default account", "loan", "debt", "mortgage"}


def _firefly(values: AppValues, _facts: AppFacts) -> Iterable[AppRow]:
    """A journal is a row of each own account in it; what opens an account moves no money."""
    if values["type"].strip().lower() == "opening balance":
        return
    date = values["date"][:10]
    size, currency = _SIGNS.sub("", values["amount"]), values["currency code"]
    names = values["source name"], values["destination name"]
    ends = (("source", names[1], size, currency), ("destination", names[0], size, currency))
    foreign = _SIGNS.sub("", values["foreign amount"]).strip()
    both_own = all(_is_own_of_firefly(values, end) for end, *_ in ends)
    if both_own and foreign and values["foreign currency code"]:
        # A transfer between currencies arrives as what the other account's currency says.
        ends = (ends[0], ("destination", names[0], foreign, values["foreign currency code"]))
    for end, payee, amount, code in ends:
        if _is_own_of_firefly(values, end):
            name = values[f"{end} name"]
            yield AppRow(
                date, values[f"{end} iban"].strip() or name, name, payee, values["description"],
                amount if end == "source" else "", "" if end == "source" else amount,
                code, id=f"firefly-{values['journal id']}-{end}",
            )  # fmt: skip


def _is_own_of_firefly(values: AppValues, end: str) -> bool:
    return values[f"{end} type"].strip().lower() in _FIREFLY_OWN


def _crypto_com(values: AppValues, _facts: AppFacts) -> Iterable[AppRow]:
    """A purchase in another currency is taken from the account in its own; a coin is no money."""
    code, amount = values["currency"], values["amount"]
    if is_currency(code):
        code, amount = values["native currency"], values["native amount"]
    yield AppRow(
        values["timestamp utc"],
        "",
        "",
        "",
        values["transaction description"],
        *_flows(amount),
        code,
    )


APPS = (
    App(
        "YNAB",
        frozenset(["account", "date", "payee", "memo", "outflow", "inflow", "cleared"]),
        _ynab,
    ),
    App(
        "Actual",
        frozenset(["account", "date", "payee", "notes", "amount", "split amount", "cleared"]),
        _actual,
        left_out=SPLIT_PART,
    ),
    App(
        "Monarch",
        frozenset(["date", "merchant", "account", "original statement", "amount"]),
        _monarch,
        has_bank_text=True,
    ),
    App(
        "Copilot",
        frozenset(["date", "name", "amount", "status", "excluded", "account", "account mask"]),
        _copilot,
    ),
    App(
        "Lunch Money",
        frozenset(["date", "payee", "original name", "amount", "currency", "category"]),
        _lunch_money,
        has_currency=True,
        has_bank_text=True,
    ),
    App(
        "Sure",
        frozenset(["date", "account name", "amount", "name", "category", "notes", "currency"]),
        _sure,
        has_currency=True,
    ),
    App(
        "Crypto.com",
        frozenset(
            {
                *("timestamp utc", "transaction description", "currency", "amount", "to currency"),
                *("native currency", "native amount", "transaction kind"),
            }
        ),
        _crypto_com,
        has_currency=True,
        has_bank_text=True,
    ),
    App(
        "Firefly III",
        frozenset(
            {
                *("journal id", "type", "currency code", "amount", "foreign currency code"),
                *("foreign amount", "description", "date", "source name", "source iban"),
                *("source type", "destination name", "destination iban", "destination type"),
            }
        ),
        _firefly,
        has_currency=True,
        left_out=STATES_BALANCE,
    ),
)
"""The apps whose tables are not what they seem; Mint's says everything in its columns."""
