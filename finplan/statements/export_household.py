"""The household that a JSON export holds before its rows, checked before anything is stored.

The JSON is read value by value from a text that is read block by block, so that memory stays small.
"""

import json
import re
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TextIO

from pydantic import ValidationError

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.base import read_json
from finplan.model.household import ExportedAccount, ExportedHome, ExportedHousehold, ExportedPayee
from finplan.model.money import CODES
from finplan.statements.statement import StatementAccount, UnreadableStatement
from finplan.statements.text.descriptors import quoted

_JSON_SPACE = re.compile(r"[ \t\r\n]*")
_BLOCK = 1 << 16
_LONGEST_VALUE = 1 << 23


class JsonValues:
    """Takes one value after another from a text that is read block by block."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._kept = ""
        self._place = 0
        self._decoder = json.JSONDecoder(parse_float=str, parse_constant=_refuse_constant)

    def names(self) -> Iterator[str]:
        """Yield the names of an object; whoever takes one takes its value too. Raises ValueError."""
        self.take("{")
        while True:
            name = self.value()
            self.take(":")
            yield name
            if not self.goes_on("}"):
                return

    def items(self) -> Iterator[Any]:
        """Yield the items of a list."""
        return (value for _, value in self.written_items())

    def written_items(self) -> Iterator[tuple[str, Any]]:
        """Yield the items of a list, each as it is written too."""
        self.take("[")
        if self._next() == "]":
            self.take("]")
            return
        while True:
            yield self.written_value()
            if not self.goes_on("]"):
                return

    def skip(self) -> None:
        """Take whatever stands there, a list item by item, however long it is."""
        if self._next() == "[":
            for _ in self.items():
                pass
        else:
            self.value()

    def goes_on(self, end: str) -> bool:
        """Take a comma, or the end of the list or object. Raises ValueError for anything else."""
        if self._next() == end:
            self.take(end)
            return False
        self.take(",")
        return True

    def take(self, sign: str) -> None:
        """Take one sign. Raises ValueError when another one stands there."""
        if self._next() != sign:
            raise ValueError
        self._place += 1

    def value(self) -> Any:
        """Take a whole value. Raises ValueError when there is none."""
        return self.written_value()[1]

    def written_value(self) -> tuple[str, Any]:
        """Take a whole value, as it is written too. Raises ValueError when there is none."""
        self._next()
        size = _BLOCK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._kept, self._place)
            except ValueError:
                if not self._more(size):
                    raise
            else:
                # A number goes on where the text that is kept ends.
                if end < len(self._kept) or not self._more(size):
                    start, self._place = self._place, end
                    return self._kept[start:end], value
            size *= 2

    def _next(self) -> str:
        while True:
            match = _JSON_SPACE.match(self._kept, self._place)
            self._place = match.end() if match else self._place
            if self._place < len(self._kept):
                return self._kept[self._place]
            if not self._more(_BLOCK):
                raise ValueError

    def _more(self, size: int) -> bool:
        self._kept = self._kept[self._place :]
        self._place = 0
        if len(self._kept) > _LONGEST_VALUE:
            raise ValueError
        block = self._file.read(size)
        self._kept += block
        return bool(block)


def _refuse_constant(text: str) -> Any:
    raise ValueError(text)


def read_home(names: Iterator[tuple[str, JsonValues]]) -> ExportedHome | None:
    """Read what stands before the rows; None where that is no household.

    Raises UnreadableStatement where something in it cannot be, and ValueError, KeyError or TypeError
    where the file is damaged.
    """
    household: ExportedHousehold | None = None
    payees: list[ExportedPayee] = []
    accounts: list[ExportedAccount] = []
    try:
        for name, values in names:
            if name == "household":
                household = read_json(ExportedHousehold, values.written_value()[0])
            elif name == "payees" and household is not None:
                payees += (read_json(ExportedPayee, text) for text, _ in values.written_items())
            elif name == "accounts" and household is not None:
                accounts += (read_json(ExportedAccount, text) for text, _ in values.written_items())
            else:
                values.skip()
    except ValidationError as error:
        raise UnreadableStatement(_describe_error(error)) from None
    if household is None:
        return None
    home = ExportedHome(household, tuple(payees), tuple(accounts))
    _check_home(home)
    return home


def account_of_export(account: ExportedAccount) -> StatementAccount:
    """An account of a household as its rows name it."""
    return StatementAccount(
        account.number,
        account.name,
        account.currency,
        account.institution_name,
        account.kind,
        account.subtype,
        account.id,
    )


def _check_home(home: ExportedHome) -> None:
    """Raise UnreadableStatement where something is named that is not there, or is there twice."""
    household, payees, accounts = home
    keys = _once("payee", (payee.key for payee in payees))
    connections = _once("connection", (connection.id for connection in household.connections))
    ids = _once("account", (account.id for account in accounts))
    for account in accounts:
        for is_stated in (True, False):
            days = (
                str(balance.date)
                for balance in account.balances
                if balance.by_statement is is_stated
            )
            _once(f"balance of {account.id} on", days)
    _once("account", ((a.connection_id, a.external_id, a.currency) for a in accounts))
    own = _once("category", (category.id for category in household.categories))
    _once("category", (category.name.casefold() for category in household.categories))
    rules = _once("rule", (rule.id for rule in household.rules))
    _once("rule", ((rule.payee_key, rule.amount, rule.direction) for rule in household.rules))
    _once(
        "answer", ((answer.task.id, answer.rule_id, answer.word_id) for answer in household.answers)
    )
    word_ids = _once("word", (single_word.id for single_word in household.single_words))
    for verdicts in (household.transfers, household.recurring, household.duplicates):
        _once("decision", (verdict.id for verdict in verdicts))
    aside = [pair.set_aside for pair in household.duplicates if pair.set_aside is not None]
    _there("connection", (account.connection_id for account in accounts), connections)
    _there("payee", (rule.payee_key for rule in household.rules), keys)
    for rows in (aside, household.pending):
        _there("payee", (row.payee_key for row in rows), keys)
        _there("account", (row.account_id for row in rows), ids)
    _there("category", _filed_under(household), own | BUILT_IN.keys())
    judged = (payee.judged for payee in payees)
    used_categories = (category for verdict in judged for category in (verdict.out, verdict.into))
    _there("category", used_categories, own | BUILT_IN.keys())
    _there("rule", (answer.rule_id for answer in household.answers if answer.rule_id), rules)
    _there("word", (answer.word_id for answer in household.answers if answer.word_id), word_ids)
    filed = (file.account_id for file in household.files if file.account_id is not None)
    _there("account", filed, ids)
    _once("planned money", (money.id for money in household.planned))
    named = (money.account_id for money in household.planned if money.account_id is not None)
    _there("account", named, ids)
    _there("currency", (account.currency for account in accounts), CODES)
    for verdict in household.duplicates:
        if (verdict.accounts is None) != (verdict.kind != "accounts") or (
            (verdict.rows is None) == (verdict.accounts is None)
        ):
            raise UnreadableStatement(
                _damaged(f"the decision {verdict.id} does not name any transaction or account")
            )


def _filed_under(household: ExportedHousehold) -> Iterator[str]:
    """The categories that rules and words on rows name."""
    yield from (rule.category for rule in household.rules)
    for single_word in household.single_words:
        yield from () if single_word.category is None else (single_word.category,)
        yield from (part.category for part in single_word.splits)
    yield from (money.category for money in household.planned if money.category is not None)


def _once(what: str, values: Iterable[Hashable]) -> set[Hashable]:
    """All that is named, each of it once."""
    distinct: set[Hashable] = set()
    for value in values:
        if value in distinct:
            raise UnreadableStatement(_damaged(f"duplicate {what} {quoted(str(value))}"))
        distinct.add(value)
    return distinct


def _there(what: str, keys: Iterable[str], existing: Iterable[Hashable]) -> None:
    present = frozenset(existing)
    for key in keys:
        if key not in present:
            raise UnreadableStatement(_damaged(f"the {what} {quoted(key)} is missing"))


def _describe_error(error: ValidationError) -> str:
    """Where the file is damaged first, in the words of the file."""
    (first, *_) = error.errors(include_url=False, include_input=False)
    location = " / ".join(map(str, first["loc"]))
    return _damaged(f"{quoted(location)}: {first['msg'].lower()}")


def _damaged(what: str) -> str:
    return f"The household in this file is damaged: {what}. Export it again."
