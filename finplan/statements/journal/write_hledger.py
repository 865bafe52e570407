"""The export for hledger, which ledger reads too: each row is a transaction that balances.

The other side of a row is its category, or for each part of a split one the part's; money that moves
between own accounts goes through equity, and so adds up to nothing when both sides are there.
"""

import json
import re
from collections.abc import Sequence

from finplan.model.export import ROWS_ONLY
from finplan.model.money import to_text
from finplan.statements.exported import Exported, ExportedPart, ExportedRow, iso_date
from finplan.statements.journal.names import hledger_segment, names_of_accounts, names_of_counters

TAG = "finplan-"
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
        lines = [HLEDGER_MARK, f"; {ROWS_ONLY}"]
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
            lines += _tags(facts)
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
            "note": row.note,
        }
        lines = [
            "",
            f"{iso_date(row.day)} * {payee or '-'} | {text}".rstrip(),
            *_tags(tags),
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


def _tags(facts: dict[str, str | None]) -> list[str]:
    return [
        f"    ; {TAG}{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in facts.items()
        if value is not None
    ]


def _decimals(currency: str) -> str:
    return to_text(0, currency).partition(".")[2]
