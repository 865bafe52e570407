"""The export for beancount: each row is a transaction that balances, as in the one for hledger."""

import json
from collections.abc import Sequence

from finplan.model.export import ROWS_ONLY
from finplan.model.money import to_text
from finplan.statements.exported import Exported, ExportedRow, iso_date
from finplan.statements.journal.names import beancount_segment, names_of_accounts, names_of_counters
from finplan.statements.journal.write_hledger import TAG

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
        lines = [BEANCOUNT_MARK, f"; {ROWS_ONLY}"]
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
            lines += _metadata(facts)
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
            f"{iso_date(row.day)} * {_quoted(row.payee)} {_quoted(row.raw)}",
            *_metadata({"payee": row.payee_key, "row": row.external_id, "note": row.note}),
            f"  {self._names[row.account]}  {to_text(row.amount, currency)} {currency}",
        ]
        for part in row.filed:
            amount = f"{to_text(-part.amount, currency)} {currency}"
            lines.append(f"  {self._counters[part.category]}  {amount}")
            # Metadata below a posting is the posting's.
            lines += _metadata({"note": part.note})
        return "\n".join(lines) + "\n"


def _metadata(facts: dict[str, str | None]) -> list[str]:
    return [
        f"  {TAG}{name}: {_quoted(value)}" for name, value in facts.items() if value is not None
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
