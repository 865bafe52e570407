"""Amounts whose way their file does not show: what the person's accounts hold may tell it.

Beside amounts without any sign a running balance shows which way each row goes, but for the oldest one.
Where the account has that row already, its way is known; else the balance before it has to be the one
that the account was left with. Only what neither tells is asked.

Who says that a card's amounts were spent does not mean its payments, and no word of theirs need tell:
what another account paid comes in here.

Many banks share a header such as Date, Description, Amount. What was said of a checking account would
turn every sign of a card whose file looks the same, so which way its amounts go is asked about.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from finplan.intake.accounts import find_accounts
from finplan.intake.evidence import Wording, wordings_agree
from finplan.intake.facts import AccountSide, Facts, RowFacts, SizedRow
from finplan.intake.files import ImportRun, ResolvedAccount, SettledRows, StagedFile
from finplan.intake.kinds import DAYS_OF_PAYMENT, LEAST_PAYMENTS, Payer, match_paid, payers_of
from finplan.intake.questions import FileQuestion
from finplan.model.figures import count
from finplan.model.money import to_text
from finplan.model.statement import FIRST_CAME_IN, FIRST_OWED, PLAIN_WAYS
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import ORDINAL, Interval, joined, merged
from finplan.plan.pairing.repetition import DatedAmount
from finplan.statements.statement import Choice, Question, UnshownRow, unneeded
from finplan.statements.text.descriptors import quoted

_BOTH_WAYS = (1, -1)
_SHORTEST_STATEMENT = 28
"""In how many days at least a whole statement may be missing between two that are imported together."""


class _Told(NamedTuple):
    """Which way a row goes, 1 in or -1 out, whether its balance is owed, None where unknown, and why.

    `is_there` says that the account has the row already.
    """

    way: int
    is_owed: bool | None
    why: str
    is_there: bool


def settle_unshown(run: ImportRun, facts: Facts) -> dict[int, SettledRows]:
    """What the accounts of files, by their places, tell of rows that these leave open.

    Raises what resolving accounts raises.
    """
    files = [replace(file, notes=[*file.notes]) for file in run.staged.files]
    staged = replace(run.staged, accounts=deepcopy(run.staged.accounts), files=files)
    known = _KnownRows(find_accounts(replace(run, staged=staged), facts), facts)
    settled = {}
    for place, file in enumerate(run.staged.files):
        told = [known.told(place, local, row) for local, row in file.unshown]
        if any(told):
            is_debt = all(kind_owes(known.run.accounts[local].kind) for local, _ in file.unshown)
            settled[place] = _settled_rows(file, told, run.said[place].direction, is_debt=is_debt)
    return settled


def _settled_rows(
    file: StagedFile, told: Sequence[_Told | None], said: str | None, *, is_debt: bool
) -> SettledRows:
    """What follows for a file from what is told of its rows, beside the person's own word.

    `is_debt` says that its accounts are ones of which a balance is owed.
    """
    rows = [row for _, row in file.unshown]
    pairs = [(row, each) for row, each in zip(rows, told, strict=True) if each is not None]
    ways = {row.cells: each.way for row, each in pairs}
    owed = {each.is_owed for _, each in pairs}
    if len(pairs) < len(rows) or len(owed) > 1 or None in owed:
        return SettledRows(ways, said)
    direction = None
    if rows[0].is_owed is not None:
        direction = FIRST_OWED if True in owed else FIRST_CAME_IN
    if said is None:
        return SettledRows(ways, direction)
    # Where the file itself tells what its balance is, nobody's word has made it a debt.
    is_balance_as_said = said != FIRST_OWED or is_debt or direction == FIRST_OWED
    is_followed = is_balance_as_said and all(
        row.amount * each.way > 0 and bool(row.is_owed) == each.is_owed for row, each in pairs
    )
    note = unneeded("direction", said, pairs[0][1].why, is_followed=is_followed)
    if not is_followed and pairs[0][1].is_there:
        note += (
            " If it is wrong there, undo the import that brought it (`finplan imports` lists it) and"
            " import the file again."
        )
    return SettledRows(ways, direction, (note,))


@dataclass
class _KnownRows:
    """What the store and the other files of an import know of rows whose way one file does not show."""

    run: ImportRun
    facts: Facts
    unshown: set[tuple[int | None, int, int, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.unshown = {
            (file, row.day, row.amount, row.raw)
            for file, read in enumerate(self.run.staged.files)
            for _, row in read.unshown
        }

    def told(self, place: int, local: int, row: UnshownRow) -> _Told | None:
        """Which way a row goes, by the account's rows and else by its balances; None where unknown."""
        account = self.run.accounts[local]
        ways = self._ways_of_known(place, local, row)
        possible = [each for each in _readings(row) if not ways or each[0] in ways]
        openings = set(self._openings(place, local, row.day)) if possible else set()
        readings = [each for each in possible if each[2] in openings]
        there = f"{account.name} has that row already"
        if len(readings) == 1:
            way, is_owed, opening = readings[0]
            had = f"{account.name} had {to_text(opening, account.currency)} before that row"
            return _Told(way, is_owed, there if ways else had, is_there=bool(ways))
        if not ways:
            return None
        read = 1 if row.amount > 0 else -1
        is_owed_known = False if row.is_owed is None else None
        return _Told(read if read in ways else ways[0], is_owed_known, there, is_there=True)

    def _same(self, local: int) -> list[int]:
        """The local numbers of the accounts that are one with a given one."""
        account = self.run.accounts[local]
        return [
            place
            for place, other in enumerate(self.run.accounts)
            if other is account or (other.no == account.no and not account.new)
        ]

    def _ways_of_known(self, place: int, local: int, row: UnshownRow) -> list[int]:
        """The ways of the row that its account has, beyond those rows that the file shows itself."""
        size, account = abs(row.amount), self.run.accounts[local]
        staged = [
            each
            for same in self._same(local)
            for each in self.facts.rows.of_size(AccountSide(same, is_staged=True), row.day, size)
        ]
        shown = [
            each
            for each in staged
            if (each.file, row.day, each.amount, each.raw) not in self.unshown
        ]
        own = next((each for each in staged if each[:3] == (place, row.amount, row.raw)), None)
        if own is None:
            return []
        others = [each for each in shown if each.file != place]
        if not account.new:
            others += self.facts.rows.of_size(AccountSide(account.no), row.day, size)
        here = Counter(
            each.amount for each in shown if each.file == place and _rows_agree(own, each)
        )
        there = Counter((each.file, each.amount) for each in others if _rows_agree(own, each))
        most = Counter[int]()
        for (_, amount), many in there.items():
            most[amount] = max(most[amount], many)
        return [way for way in _BOTH_WAYS if most[way * size] > here[way * size]]

    def _openings(self, place: int, local: int, day: int) -> Iterator[int]:
        """The balances that the account may have had before its first row of a day."""
        yield from self._stated_by_others(place, local, day)
        account = self.run.accounts[local]
        if account.new:
            return
        sign = -1 if kind_owes(account.kind) else 1
        stated = [(each, sign * balance) for each, balance in self.facts.rows.stated(account.no)]
        earlier = [each for each in stated if each[0] <= day]
        if earlier and self._is_known_until(account, earlier[-1][0], day):
            since, balance = earlier[-1]
            # Rows of the same day may stand before the file's first one, or after it.
            openings = {balance + self._moved(account, since, until) for until in (day - 1, day)}
            # Many an account is empty, so that it was shows nothing.
            yield from openings - {0}
        later = next((each for each in stated if each[0] >= day), None)
        if later is not None and self._is_covered(account, day, later[0]):
            yield later[1] - self._moved(account, day - 1, later[0])

    def _stated_by_others(self, place: int, local: int, day: int) -> Iterator[int]:
        """The closing balance of the latest other file of the account up to a day."""
        others = [
            said
            for same in self._same(local)
            for file, said in self.run.staged.accounts[same].in_files.items()
            if file != place
        ]
        stated = [
            (said.balance_day, said.balance)
            for said in others
            if said.balance is not None and said.balance_day is not None and said.balance_day <= day
        ]
        if stated:
            since, balance = max(stated)
            covered = chain.from_iterable(said.intervals for said in others)
            is_close = ORDINAL[day] - ORDINAL[since] < _SHORTEST_STATEMENT
            if is_close or self._is_known_until(self.run.accounts[local], since, day, covered):
                yield balance

    def _moved(self, account: ResolvedAccount, after: int, until: int) -> int:
        if until <= after:
            return 0
        return self.facts.rows.moved(AccountSide(account.no), after, until)

    def _is_known_until(
        self, account: ResolvedAccount, since: int, day: int, more: Iterable[Interval] = ()
    ) -> bool:
        """Say whether no statement is missing between two days, the later one being of a row.

        Of what a missing one has, a part may look like the row turned round. `more` are days that other
        files cover.
        """
        alone = Interval(day, day, since_stated=False, until_stated=False)
        known = [*self._covered(account), *more, alone]
        without_holes = joined(known, lambda _before, _after: False)
        return any(each.since <= since and day <= each.until for each in without_holes)

    def _covered(self, account: ResolvedAccount) -> list[Interval]:
        return merged(self.facts.covered.get(account.no, ()))

    def _is_covered(self, account: ResolvedAccount, first: int, last: int) -> bool:
        return any(each.since <= first and last <= each.until for each in self._covered(account))


def _readings(row: UnshownRow) -> Iterator[tuple[int, bool, int]]:
    """Each way that a row may go, whether its balance is owed then, and the balance before it."""
    if row.balance is None:
        return
    for is_owed in (False,) if row.is_owed is None else (False, True):
        for way in _BOTH_WAYS:
            after = -row.balance if is_owed else row.balance
            yield way, is_owed, after - way * abs(row.amount)


def _rows_agree(own: SizedRow, other: SizedRow) -> bool:
    return wordings_agree(
        Wording(own.raw, own.aside, own.external_id), Wording(other.raw, "", other.external_id)
    )


_SPENT = {"out", "negate"}


class TurnedIn(NamedTuple):
    """Rows of a card that come in: those of a payee in one file, both by their local numbers."""

    local: int
    payee: int
    file: int


def let_payments_in(run: ImportRun, facts: Facts) -> list[TurnedIn]:
    """Find the rows of a card that another account paid, and note on their files that they come in.

    They are all rows of one payee that the person said were spent. Each that lies in the days of the
    other accounts has to be paid there, at least two and of more than one size; and they are at most
    half of what was spent, since more is in files of one account. What the card has of the payee
    already counts with them, and keeps its way.
    """
    places = [place for place in range(len(run.staged.files)) if _is_said_spent(run, place)]
    cards = [local for local, each in enumerate(run.accounts) if each.kind == "credit"]
    if not places or not cards:
        return []
    payers = payers_of(run, facts.held)
    turned: list[TurnedIn] = []
    for local in cards:
        spent = facts.rows.spent_in_files(local, places)
        for payee, name in _paid_rows(run, facts, local, spent, payers):
            text = run.staged.payees[payee][2]
            for place, amounts in _by_file(spent[payee]).items():
                said = run.accounts[local].staged.in_files[place]
                said.money_out -= sum(amounts)
                said.money_in += sum(amounts)
                note = _note_on_payments(len(amounts), text, name)
                run.staged.files[place].notes.append(note)
                turned.append(TurnedIn(local, payee, place))
    return turned


def _by_file(rows: Iterable[tuple[int, int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for file, _, amount in rows:
        found.setdefault(file, []).append(amount)
    return dict(sorted(found.items()))


def _is_said_spent(run: ImportRun, place: int) -> bool:
    said = run.said[place].direction or run.staged.files[place].used.direction
    return said in _SPENT and run.staged.files[place].source == "csv"


class _Payments(NamedTuple):
    """What an account paid, by size, and the days, as ordinals, on which it would have paid all."""

    name: str
    begun: int
    ended: int
    by_size: Mapping[int, Sequence[DatedAmount]]


def _payments_of(rows: RowFacts, payers: Iterable[Payer]) -> Iterator[_Payments]:
    for payer in payers:
        span = rows.span(payer.side)
        if span is None:
            continue
        by_size: dict[int, list[DatedAmount]] = {}
        for row in rows.spent(payer.side):
            by_size.setdefault(row[1], []).append(row)
        # What is booked on the first or last days of one may be on days of the other that no file has.
        yield _Payments(
            payer.name,
            ORDINAL[span[0]] + DAYS_OF_PAYMENT,
            ORDINAL[span[1]] - DAYS_OF_PAYMENT,
            by_size,
        )


def _paid_rows(
    run: ImportRun,
    facts: Facts,
    local: int,
    spent: Mapping[int, Sequence[tuple[int, int, int]]],
    payers: Sequence[Payer],
) -> Iterator[tuple[int, str]]:
    """The payees, by their local numbers, whose rows are payments of a card, and who paid them."""
    account = run.accounts[local]
    most = sum(map(len, spent.values())) // 2
    held = {} if account.new else facts.rows.moved_by_payee(account.no)
    own = [each for each in payers if each.currency == account.currency]
    paid = list(_payments_of(facts.rows, own))
    for payee, listed in spent.items():
        stored = held.get(run.staged.payees[payee][0], [])
        if len(listed) > most or any(amount < 0 for _, amount in stored):
            continue
        rows = [(day, amount) for _, day, amount in listed]
        name = _payer_of_all([*(row for row in stored if row not in rows), *rows], paid)
        if name is not None:
            yield payee, name


def _payer_of_all(rows: Sequence[DatedAmount], paid: Sequence[_Payments]) -> str | None:
    """The name of one who paid some rows, if each within the days of all payers was paid by one."""
    open_, names, sizes = list(rows), list[str](), list[int]()
    covered: set[DatedAmount] = set()
    for payer in paid:
        covered |= {row for row in rows if payer.begun <= ORDINAL[row[0]] <= payer.ended}
        left = chain.from_iterable(
            payer.by_size.get(size, ()) for size in {row[1] for row in open_}
        )
        found = match_paid(open_, list(left))
        names += [payer.name] * bool(found)
        sizes += [size for _, size in found]
        for row in found:
            open_.remove(row)
    if len(set(sizes)) < LEAST_PAYMENTS or not covered.isdisjoint(open_):
        return None
    return names[0]


def _note_on_payments(turned: int, text: str, payer: str) -> str:
    rows = count(turned, "row")
    is_one = turned == 1
    return (
        f"{rows} like {quoted(text)} {'comes' if is_one else 'come'} in, though amounts were said to be"
        f" spent: {quoted(payer)} paid exactly {'that' if is_one else 'those'} just then."
    )


def ask_about_ways(run: ImportRun, facts: Facts) -> ImportRun:
    """Ask which way the amounts of an account go where only an answer on another one tells it.

    An account keeps the way that its own newest file of the layout went; of one that has none, an answer
    on accounts of its kind tells it.

    `run` has its kinds resolved; a file that is asked about already is left for later.
    """
    if not any(file.used.direction in PLAIN_WAYS for file in run.staged.files):
        return run
    asked = _questions_on_ways(run, facts.kinds_by_layout(), facts.ways)
    return replace(run, questions=(*run.questions, *asked))


def _questions_on_ways(
    run: ImportRun, held: Mapping[str, set[str]], ways: Mapping[tuple[str, int], str]
) -> Iterator[FileQuestion]:
    """A question on each file of which an account goes another way, as far as is known.

    `held` are the kinds of the accounts with files of a layout, `ways` the accounts' own ways there.
    """
    asked = {each.file for each in run.questions}
    for place, file in enumerate(run.staged.files):
        if file.used.direction not in PLAIN_WAYS or place in asked:
            continue
        for account in (run.accounts[local] for local in file.accounts):
            own = None if account.new else ways.get((file.layout, account.no))
            is_of_others = bool(held.get(file.layout, set()) - {account.kind})
            if is_of_others if own is None else _is_inward(own) != _is_inward(file.used.direction):
                yield FileQuestion(place, _question_on_way(account, own))
                break


def _is_inward(way: str) -> bool:
    return way == "in"


def _question_on_way(account: ResolvedAccount, own: str | None) -> Question:
    """Ask which way they go; `own` is how they went in the account's newest file, if that is known."""
    sample = ""
    if account.staged.example is not None:
        amount, text = account.staged.example
        sample = f"{to_text(abs(amount), account.currency)} {quoted(text)}"
    name = quoted(account.name)
    text = (
        f"Which way amounts without a minus go was said of files with these columns, but of another kind"
        f" of account than {name}."
    )
    if own is not None:
        went = "came in" if _is_inward(own) else "were spent"
        text = (
            f"Amounts without a minus {went} in earlier files of {name}, but the other way was said of"
            " another account with these columns since."
        )
    choices = [
        Choice("out", "they were spent", f"{sample} out".strip()),
        Choice("in", "they came in", f"{sample} in".strip()),
    ]
    if own is not None and _is_inward(own):
        choices.reverse()
    return Question("direction", text, tuple(choices))
