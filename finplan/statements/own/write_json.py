"""The JSON export: the accounts with their balances, then the transactions, one on each line."""

import json
from collections.abc import Sequence

from finplan.statements.exported import Exported, ExportedRow, iso_date

MARK = "finplan"
"""The first name in the file, whose value is the version of the format."""

VERSION = 1


class JsonWriter:
    """Amounts are minor units, positive when money comes in; names are the interface's."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._is_begun = False

    def head(self) -> str:
        """The mark, and the accounts."""
        accounts: list[dict[str, object]] = [
            {
                "id": account.id,
                "name": account.name,
                "number": account.number,
                "institutionName": account.institution,
                "kind": account.kind,
                "subtype": account.subtype,
                "currency": account.currency,
                "balances": [
                    {"date": iso_date(day), "balance": balance}
                    for day, balance in self._exported.balances.get(account_id, ())
                ],
            }
            for account_id, account in self._exported.accounts.items()
        ]
        lines = ",\n".join(map(_line, accounts))
        return f'{{"{MARK}": {VERSION},\n"accounts": [\n{lines}\n],\n"transactions": ['

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions, each after a comma but the first."""
        written = [
            _line(
                {
                    "accountId": row.account,
                    "date": iso_date(row.day),
                    "amount": row.amount,
                    "currency": self._exported.accounts[row.account].currency,
                    "payeeKey": row.payee_key,
                    "payee": row.payee,
                    "raw": row.raw,
                    "category": row.category,
                    "externalId": row.external_id,
                }
            )
            for row in rows
        ]
        before = ",\n" if self._is_begun else "\n"
        self._is_begun = self._is_begun or bool(written)
        return before + ",\n".join(written) if written else ""

    def tail(self) -> str:
        """The end of the list and of the object."""
        return "\n]}\n"


def _line(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
