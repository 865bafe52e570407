"""The JSON export: the household, its payees, the accounts, then the transactions, one on each line.

What a reader needs first stands first, so that a file is read from its beginning to its end.
"""

import json
from collections.abc import Sequence

from finplan.statements.exported import Exported, ExportedRow, iso_date

MARK = "finplan"
"""The first name in the file; its value is the version of how accounts and rows are written."""

VERSION = 1

HOUSEHOLD_MARK = "exportVersion"
"""The name whose value is the version of the whole file, the household included."""

HOUSEHOLD_VERSION = 3
"""Files without the mark are of version 1, which held accounts and transactions alone."""

SINCE_HOUSEHOLDS = 2
"""The first version that held the household; words on rows had no notes and parts in it."""


class JsonWriter:
    """Amounts are minor units, positive when money comes in; names are the interface's."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._is_begun = False

    def head(self) -> str:
        """The mark, the household if it is whole, and the accounts."""
        exported = self._exported
        if exported.home is None:
            begins = f'{{"{MARK}": {VERSION},\n'
            accounts = [self._account(account_id) for account_id in exported.accounts]
        else:
            household, payees, whole = exported.home
            held = "\n".join(
                (
                    f'"household": {household.model_dump_json(by_alias=True)},',
                    _list("payees", [payee.model_dump_json(by_alias=True) for payee in payees]),
                )
            )
            begins = f'{{"{MARK}": {VERSION}, "{HOUSEHOLD_MARK}": {HOUSEHOLD_VERSION},\n{held},\n'
            accounts = [account.model_dump_json(by_alias=True) for account in whole]
        return f'{begins}{_list("accounts", accounts)},\n"transactions": ['

    def _account(self, account_id: str) -> str:
        """An account as far as its rows need it, with its balances."""
        account = self._exported.accounts[account_id]
        return _line(
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
        )

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions, each after a comma but the first."""
        written = list(map(self._row, rows))
        before = ",\n" if self._is_begun else "\n"
        self._is_begun = self._is_begun or bool(written)
        return before + ",\n".join(written) if written else ""

    def tail(self) -> str:
        """The end of the list and of the object."""
        return "\n]}\n"

    def _row(self, row: ExportedRow) -> str:
        transaction: dict[str, object] = {
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
        # Most rows have nothing of what follows, and there may be a million rows.
        if row.source:
            transaction["source"] = row.source
        if row.ordinal:
            transaction["ordinal"] = row.ordinal
        if row.code is not None:
            transaction["code"] = row.code
        if row.transfer is not None:
            transaction["transferId"] = row.transfer
        if row.spends:
            transaction["spends"] = True
        if row.note is not None:
            transaction["note"] = row.note
        if row.parts:
            transaction["splits"] = [part._asdict() for part in row.parts]
        return _line(transaction)


def _list(name: str, lines: Sequence[str]) -> str:
    listed = ",\n".join(lines)
    return f'"{name}": [\n{listed}\n]'


def _line(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
