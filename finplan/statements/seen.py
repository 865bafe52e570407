"""What a person may see of a file: every format's texts without characters that hide or command."""

from collections.abc import Iterator
from dataclasses import replace

from finplan.model.characters import are_visible, visible
from finplan.statements.statement import (
    ParsedStatement,
    StatementAccount,
    StatementPart,
    StatementRows,
)
from finplan.statements.text.descriptors import MOST_REMEMBERED
from finplan.statements.text.parties import names_party


def seen(parsed: ParsedStatement) -> ParsedStatement:
    """Let a file's accounts, rows and notes hold no control and bidirectional characters.

    A payee that only looks like one, as a number of a card or "NOTPROVIDED", is none, but for formats in
    which keys of payees or what a person has written is read.
    """
    payees = _Payees(as_written=parsed.format in _AS_WRITTEN)
    notes = tuple(map(visible, parsed.notes))
    unshown = tuple(
        row._replace(account=_account(row.account), raw=visible(row.raw)) for row in parsed.unshown
    )
    return replace(parsed, parts=_parts(parsed.parts, payees), notes=notes, unshown=unshown)


_AS_WRITTEN = frozenset(["finplan-json", "finplan-csv", "hledger", "beancount"])
_UNNAMED = "Account"


class _Payees(dict[str | None, str | None]):
    """Remembers what was made of each name."""

    def __init__(self, *, as_written: bool) -> None:
        super().__init__({None: None})
        self._as_written = as_written

    def __missing__(self, name: str | None) -> str | None:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        shown = visible(name or "")
        self[name] = shown if shown and (self._as_written or names_party(shown)) else None
        return self[name]


def _parts(parts: Iterator[StatementPart], payees: _Payees) -> Iterator[StatementPart]:
    accounts: dict[StatementAccount, StatementAccount] = {}
    for part in parts:
        if part.account not in accounts:
            accounts[part.account] = _account(part.account)
        yield replace(
            part,
            account=accounts[part.account],
            rows=_rows(part.rows, payees),
            notes=tuple(map(visible, part.notes)),
        )


def _account(account: StatementAccount) -> StatementAccount:
    return replace(
        account,
        number=visible(account.number or "") or None,
        name=visible(account.name) or _UNNAMED,
        institution=visible(account.institution or "") or None,
        subtype=visible(account.subtype or "") or None,
    )


def _rows(rows: StatementRows, payees: _Payees) -> StatementRows:
    raws, ids, names = rows.raws, rows.external_ids, rows.payees
    if not are_visible(raws):
        raws = list(map(visible, raws))
    if any(ids) and not are_visible(filter(None, ids)):
        ids = [visible(each or "") or None for each in ids]
    if any(names):
        names = list(map(payees.__getitem__, names))
    return replace(rows, raws=raws, external_ids=ids, payees=names)
