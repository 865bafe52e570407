"""Payees by their keys: each is added once, a name that writes another's is it; keyed again.

They are keyed again when a store is opened that was written by other rules for keys. It runs before
anybody is served, in one transaction for each person: a daemon that is killed meanwhile leaves the
payees as they were, and the next one starts again. Rows that no transfer holds are matched once more,
since what they may be paired with follows from their payees, and from rules that change too.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from pydantic import TypeAdapter
from sqlalchemy import Connection

from finplan.categorise.joining import join_keys
from finplan.categorise.keying import Keyed, Succession, rekeyed_payee, succeed
from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.payee import KEY_RULES, Payee
from finplan.model.task import CategorizePayee, Task
from finplan.plan.sections.missing_accounts import task_id
from finplan.service.ids import new_rule_id
from finplan.service.ledger.categorisation import Asking, categorise_payees
from finplan.service.ledger.reconciliation import match_left_alone
from finplan.store.queries import categories, payees, people, verdicts
from finplan.store.store import Store

Named = tuple[str, str, str]
"""A payee's key, its name, and a descriptor that it was seen under."""


def intern_payees(
    connection: Connection, owner: int, seen_payees: Iterable[Named], ask: Asking
) -> dict[str, int]:
    """The number of every payee by its key, and by each key of `seen_payees` that of who is meant."""
    numbers = payees.numbers_of(connection, owner)
    new = {payee[0]: payee for payee in seen_payees if payee[0] not in numbers}
    written = ask(partial(join_keys, list(new), list(numbers))) if new else {}
    added = [payee for key, payee in new.items() if key not in written]
    numbers |= payees.add_payees(connection, owner, added)
    return numbers | {key: numbers[lead] for key, lead in written.items()}


def join_payee_names(
    connection: Connection,
    owner: int,
    seen_payees: Iterable[Named],
    fixed: Mapping[str, object],
    ask: Asking,
) -> list[Named]:
    """The payees in their order, each as the one whose name it writes; those that are `fixed` stay."""
    listed = list(seen_payees)
    names = {key: name for _, key, name in payees.names_of(connection, owner)}
    new = {payee[0]: payee[1] for payee in listed if payee[0] not in names}
    compared = [key for key in new if key not in fixed]
    written = ask(partial(join_keys, compared, [*names, *fixed])) if compared else {}
    names = new | names
    return [
        (written[key], names[written[key]], raw) if key in written else (key, name, raw)
        for key, name, raw in listed
    ]


_TASK: TypeAdapter[Task] = TypeAdapter(Task)

_ABOUT_PAYEES = (
    ("categorize_payee",),
    ("connect_missing_account", "unlinked_card"),
    ("connect_missing_account", "outside"),
)
"""What the ids of questions about a payee begin with."""

_REMEMBERED = 50_000
"""How many descriptors' payees are remembered at once, so that memory has a bound."""

log = logging.getLogger(__name__)


async def rekey_payees(store: Store, now: int, rule_set: int = KEY_RULES) -> None:
    """See to it that everybody's payees are keyed by the rules of this version.

    A copy of the store is kept first, since payees that became one cannot be told apart again. `now` is
    the instant in ms. Raises StorageFull; what has been done by then need not be done again.
    """
    stale = await store.read(lambda c: payees.people_to_rekey(c, rule_set))
    if not stale:
        return
    copy = store.backups / f"before-keys-{rule_set}.db"
    await asyncio.to_thread(store.back_up, copy)
    for owner in stale:
        await store.write(partial(key_again, owner=owner, rule_set=rule_set, now=now))
    log.info("Updated payees to the rules %s.", rule_set)


def key_again(connection: Connection, owner: int, rule_set: int, now: int) -> None:
    """Key one person's payees by the rules of this version, of which `rule_set` is the number.

    `now` is the instant in ms.
    """
    by_number = {payee.no: payee for payee in payees.known_payees(connection, owner)}
    reading = _Reading({no: Keyed(payee.key, payee.name) for no, payee in by_number.items()})
    counted = reading.count(payees.named_rows(connection, owner))
    for number in by_number.keys() - {payee for payee, _ in counted}:
        counted[number, reading.key_of(number, by_number[number].raw)] = 0
    counted = reading.join_names(counted)
    if any(key != by_number[payee].key for payee, key in counted):
        succession = succeed(reading.payees, counted)
        _verdicts_follow(connection, owner, reading, succession)
        numbers = _rename_payees(connection, owner, by_number, reading, succession)
        payees.move_rows(connection, owner, lambda row: numbers[reading.key_of(row.payee, row.raw)])
        _rules_follow(connection, owner, succession, numbers)
        _answers_follow(connection, owner, reading, succession)
        gone = by_number.keys() - set(succession.holders.values())
        payees.remove_unused(connection, owner, gone)
        categorise_payees(connection, owner, None)
        people.raise_generation(connection, owner)
        people.note_event(connection, owner, now)
    if match_left_alone(connection, owner):
        people.raise_generation(connection, owner)
        people.note_event(connection, owner, now)
    payees.save_key_rules(connection, owner, rule_set)


class _Reading:
    """Reads who rows are paid to today, once for the descriptors that say the same of one payee."""

    def __init__(self, by_number: Mapping[int, Keyed]) -> None:
        self.payees = by_number
        self.names: dict[str, tuple[str, str]] = {}
        """By key, the name and a descriptor of whoever it is."""
        self._keys: dict[tuple[int, str], str] = {}
        self._written: Mapping[str, str] = {}

    def count(self, rows: Iterator[payees.NamedRow]) -> Counter[tuple[int, str]]:
        """How many rows of each payee have which key."""
        return Counter((row.payee, self.key_of(row.payee, row.raw)) for row in rows)

    def join_names(self, counted: Counter[tuple[int, str]]) -> Counter[tuple[int, str]]:
        """Let names that write another payee's be that payee, once all rows were counted.

        Answers the rows of each payee by the keys that they have then.
        """
        self._written = join_keys(self.names)
        for key in self._written:
            del self.names[key]
        by_key: Counter[tuple[int, str]] = Counter()
        for (payee, key), count in counted.items():
            by_key[payee, self._written.get(key, key)] += count
        return by_key

    def key_of(self, payee: int, raw: str) -> str:
        """The key today of a row, given the payee that it had."""
        lookup = payee, without_long_numbers(raw)
        key = self._keys.get(lookup)
        if key is None:
            if len(self._keys) >= _REMEMBERED:
                self._keys.clear()
            key = self._keys[lookup] = self._note(rekeyed_payee(self.payees[payee], raw), raw)
        return self._written.get(key, key)

    def _note(self, payee: Payee, raw: str) -> str:
        if payee.key not in self._written:
            self.names.setdefault(payee.key, (payee.name, raw))
        return payee.key


def _rename_payees(
    connection: Connection,
    owner: int,
    by_number: Mapping[int, payees.KnownPayee],
    reading: _Reading,
    succession: Succession,
) -> dict[str, int]:
    """Give every key its payee; answers their numbers. Payees that became others keep no key."""
    holders = succession.holders
    renamed = [no for no, payee in by_number.items() if holders.get(payee.key) != no]
    payees.let_go_of_keys(connection, renamed)
    going_on = {no: key for key, no in holders.items()}
    payees.rename_payees(
        connection,
        [(no, going_on[no], *reading.names[going_on[no]]) for no in renamed if no in going_on],
    )
    new = [(key, *reading.names[key]) for key in sorted(reading.names.keys() - holders.keys())]
    return {**holders, **payees.add_payees(connection, owner, new)}


def _rules_follow(
    connection: Connection, owner: int, succession: Succession, numbers: Mapping[str, int]
) -> None:
    """Let the person's rules hold for the heirs; where two say otherwise, the newest does."""
    placed: set[tuple[int, int | None, str]] = set()
    moves = []
    copies = []
    for rule in categories.list_rules(connection, owner):
        free = [
            numbers[key]
            for key in succession.heirs[rule["payee_no"]]
            if (numbers[key], rule["amount"], rule["direction"]) not in placed
        ]
        if not free:
            categories.remove_rule(connection, rule["no"])
            continue
        placed |= {(payee, rule["amount"], rule["direction"]) for payee in free}
        moves.append((rule["no"], free[0]))
        copies += [(rule, payee) for payee in free[1:]]
    payees.move_rules(connection, moves)
    for rule, payee in copies:
        columns = ("owner_no", "amount", "direction", "category", "saved_at")
        copy = {name: rule[name] for name in columns} | {"payee_no": payee}
        categories.save_rule(connection, copy | {"id": new_rule_id(rule["direction"])})
    for payee, amount, _ in placed:
        if amount is None:
            payees.apply_rules(connection, payee)


def _answers_follow(
    connection: Connection, owner: int, reading: _Reading, succession: Succession
) -> None:
    """Let what was answered or dismissed be so for the heirs; of two dismissals the newest is kept.

    What was answered of a single row stays with the row.
    """
    subjects = {
        task_id(*opening, payee.key): (number, opening)
        for number, payee in reading.payees.items()
        for opening in _ABOUT_PAYEES
    }
    answers = [
        answer
        for answer in verdicts.list_answers(connection, owner)
        if answer["task_id"] in subjects
    ]
    for answer in answers:
        verdicts.remove_answer(connection, answer["no"])
    taken: set[tuple[str, int | None]] = set()
    for answer in answers:
        number, opening = subjects[answer["task_id"]]
        heirs = succession.heirs[number]
        # An answer goes with its one rule; a question that was dismissed is so for each heir.
        for key in heirs if answer["rule_no"] is None else heirs[:1]:
            identity = task_id(*opening, key)
            if (identity, answer["rule_no"]) not in taken:
                taken.add((identity, answer["rule_no"]))
                values = {
                    name: answer[name] for name in ("owner_no", "rule_no", "each", "answered_at")
                }
                body = _asked_of(_TASK.validate_json(answer["body"]), identity, key, reading)
                verdicts.save_answer(connection, {**values, "task_id": identity, "body": body})


def _asked_of(task: Task, identity: str, key: str, reading: _Reading) -> str:
    """A question as it would have been asked of an heir."""
    change = {"id": identity}
    if isinstance(task, CategorizePayee):
        change |= {"payee_key": key, "payee": reading.names[key][0]}
    return task.model_copy(update=change).model_dump_json()


def _verdicts_follow(
    connection: Connection, owner: int, reading: _Reading, succession: Succession
) -> None:
    """Let each verdict on a series go with the row that it names, or else with most rows."""
    numbers = {payee.key: number for number, payee in reading.payees.items()}
    keys = []
    for verdict in verdicts.series_verdicts(connection, owner):
        number = numbers.get(verdict["payee_key"])
        if number is None:
            continue
        raws = payees.raws_of(connection, owner, number, verdict["day"], verdict["amount"])
        key = next((reading.key_of(number, raw) for raw in raws), succession.heirs[number][0])
        keys.append((verdict["no"], key))
    payees.rekey_series(connection, keys)
