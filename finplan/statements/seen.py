"""What a person may see of a file: every format's texts without characters that hide or command.

All rows of all readers pass here, so their texts are cut here to a length that what follows can bear.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finplan.model.characters import (
    LONGEST_NAME,
    LONGEST_TEXT,
    are_visible,
    visible,
    visible_name,
    visible_text,
)
from finplan.statements.statement import (
    ParsedStatement,
    StatementAccount,
    StatementPart,
    StatementRows,
)
from finplan.statements.text.descriptors import MOST_REMEMBERED, names_party


def clean_statement(parsed: ParsedStatement) -> ParsedStatement:
    """Let a file's accounts, rows and notes hold no control and bidirectional characters.

    A text of more than `LONGEST_TEXT` characters and a name of more than `LONGEST_NAME` is cut, which is
    said of its account behind all rows; an id of more is none.

    A payee that only looks like one, as a number of a card or "NOTPROVIDED", is none, but for formats in
    which keys of payees or what a person has written is read.
    """
    payees = _Payees(as_written=parsed.format in _AS_WRITTEN)
    notes = tuple(map(visible, parsed.notes))
    unshown = tuple(
        row._replace(account=_account(row.account), raw=visible_text(row.raw))
        for row in parsed.unshown
    )
    return replace(parsed, parts=_parts(parsed.parts, payees), notes=notes, unshown=unshown)


_AS_WRITTEN = frozenset(["finplan-json", "finplan-csv", "hledger", "beancount"])
_UNNAMED = "Account"


class _Payees(dict[str | None, str | None]):
    """Remembers what was made of each name."""

    def __init__(self, *, as_written: bool) -> None:
        super().__init__({None: None})
        self._as_written = as_written
        # A payee's key is made of the whole text, and names the payee as long as it is.
        self.longest = LONGEST_TEXT if as_written else LONGEST_NAME
        self._shown = visible_text if as_written else visible_name

    def __missing__(self, name: str | None) -> str | None:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        payee = self._shown(name or "")
        self[name] = payee if payee and (self._as_written or names_party(payee)) else None
        return self[name]


def _parts(parts: Iterator[StatementPart], payees: _Payees) -> Iterator[StatementPart]:
    accounts: dict[StatementAccount, StatementAccount] = {}
    cut: Counter[StatementAccount] = Counter()
    for part in parts:
        if part.account not in accounts:
            accounts[part.account] = _account(part.account)
        cut[accounts[part.account]] += _count_cut(part.rows, payees.longest)
        yield replace(
            part,
            account=accounts[part.account],
            rows=_rows(part.rows, payees),
            notes=tuple(map(visible, part.notes)),
        )
    for account, count in cut.items():
        if count:
            yield StatementPart(account, assumed=(_describe_cut(count),))


def _describe_cut(count: int) -> str:
    transactions = "1 transaction" if count == 1 else f"{count:,} transactions"
    return (
        f"Shortened the text of {transactions}. The limit is {LONGEST_TEXT:,} characters, or"
        f" {LONGEST_NAME:,} for a name."
    )


def _count_cut(rows: StatementRows, longest_name: int) -> int:
    """How many rows have a text or a name that is too long."""
    if not (_has_longer(rows.raws, LONGEST_TEXT) or _has_longer(rows.payees, longest_name)):
        return 0
    return sum(
        len(raw) > LONGEST_TEXT or len(name or "") > longest_name
        for raw, name in zip(rows.raws, rows.payees, strict=True)
    )


def _has_longer(texts: Sequence[str | None], most: int) -> bool:
    return max(map(len, filter(None, texts)), default=0) > most


def _account(account: StatementAccount) -> StatementAccount:
    return replace(
        account,
        number=visible_name(account.number or "") or None,
        name=visible_name(account.name) or _UNNAMED,
        institution=visible_name(account.institution or "") or None,
        subtype=visible_name(account.subtype or "") or None,
    )


def _rows(rows: StatementRows, payees: _Payees) -> StatementRows:
    raws, ids, names = rows.raws, rows.external_ids, rows.payees
    asides, codes = rows.asides, rows.codes
    if not are_visible(raws) or _has_longer(raws, LONGEST_TEXT):
        raws = list(map(visible_text, raws))
    if _has_longer(asides, LONGEST_TEXT):
        asides = [aside[:LONGEST_TEXT] for aside in asides]
    if _has_longer(codes, LONGEST_NAME):
        codes = [code and code[:LONGEST_NAME] for code in codes]
    if _has_longer(ids, LONGEST_NAME):
        # Cut, it might be another row's; without it, the row is told by its text.
        ids = [None if row_id and len(row_id) > LONGEST_NAME else row_id for row_id in ids]
    if any(ids) and not are_visible(filter(None, ids)):
        ids = [visible(external_id or "") or None for external_id in ids]
    if any(names):
        names = list(map(payees.__getitem__, names))
    return replace(rows, raws=raws, external_ids=ids, payees=names, asides=asides, codes=codes)
