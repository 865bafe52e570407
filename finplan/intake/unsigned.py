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
from finplan.plan.ledger.days import ORDINAL, Interval, join_intervals, merged
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
    known_rows = _KnownRows(find_accounts(replace(run, staged=staged), facts), facts)
    settled = {}
    for index, file in enumerate(run.staged.files):
        verdicts = [known_rows.find_way(index, local, row) for local, row in file.unshown]
        if any(verdicts):
            is_debt = all(
                kind_owes(known_rows.run.accounts[local].kind) for local, _ in file.unshown
            )
            settled[index] = _settled_rows(
                file, verdicts, run.said[index].direction, is_debt=is_debt
            )
    return settled


def _settled_rows(
    file: StagedFile, verdicts: Sequence[_Told | None], answer: str | None, *, is_debt: bool
) -> SettledRows:
    """What follows for a file from what is told of its rows, beside the person's own word.

    `is_debt` says that its accounts are ones of which a balance is owed.
    """
    rows = [row for _, row in file.unshown]
    pairs = [
        (row, verdict) for row, verdict in zip(rows, verdicts, strict=True) if verdict is not None
    ]
    ways = {row.cells: verdict.way for row, verdict in pairs}
    owed = {verdict.is_owed for _, verdict in pairs}
    if len(pairs) < len(rows) or len(owed) > 1 or None in owed:
        return SettledRows(ways, answer)
    direction = None
    if rows[0].is_owed is not None:
        direction = FIRST_OWED if True in owed else FIRST_CAME_IN
    if answer is None:
        return SettledRows(ways, direction)
    # Where the file itself tells what its balance is, nobody's word has made it a debt.
    is_balance_as_said = answer != FIRST_OWED or is_debt or direction == FIRST_OWED
    is_followed = is_balance_as_said and all(
        row.amount * verdict.way > 0 and bool(row.is_owed) == verdict.is_owed
        for row, verdict in pairs
    )
    note = unneeded("direction", answer, pairs[0][1].why, is_followed=is_followed)
    if not is_followed and pairs[0][1].is_there:
        note += (
            " If the earlier transaction is wrong, undo its import (see `finplan imports`), then"
            " import this file again."
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

    def find_way(self, index: int, local: int, row: UnshownRow) -> _Told | None:
        """Which way a row goes, by the account's rows and else by its balances; None where unknown."""
        account = self.run.accounts[local]
        ways = self._known_ways(index, local, row)
        possible = [reading for reading in _readings(row) if not ways or reading[0] in ways]
        openings = set(self._openings(index, local, row.day)) if possible else set()
        readings = [reading for reading in possible if reading[2] in openings]
        there = f"{account.name} already has that transaction"
        if len(readings) == 1:
            way, is_owed, opening = readings[0]
            had = f"{account.name} had {to_text(opening, account.currency)} before that transaction"
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
            index
            for index, candidate in enumerate(self.run.accounts)
            if candidate is account or (candidate.no == account.no and not account.new)
        ]

    def _known_ways(self, index: int, local: int, row: UnshownRow) -> list[int]:
        """The ways of the row that its account has, beyond those rows that the file shows itself."""
        size, account = abs(row.amount), self.run.accounts[local]
        staged = [
            sized
            for same in self._same(local)
            for sized in self.facts.rows.of_size(AccountSide(same, is_staged=True), row.day, size)
        ]
        readable = [
            sized
            for sized in staged
            if (sized.file, row.day, sized.amount, sized.raw) not in self.unshown
        ]
        own = next((sized for sized in staged if sized[:3] == (index, row.amount, row.raw)), None)
        if own is None:
            return []
        others = [sized for sized in readable if sized.file != index]
        if not account.new:
            others += self.facts.rows.of_size(AccountSide(account.no), row.day, size)
        here = Counter(
            sized.amount for sized in readable if sized.file == index and _rows_agree(own, sized)
        )
        there = Counter((sized.file, sized.amount) for sized in others if _rows_agree(own, sized))
        most = Counter[int]()
        for (_, amount), many in there.items():
            most[amount] = max(most[amount], many)
        return [way for way in _BOTH_WAYS if most[way * size] > here[way * size]]

    def _openings(self, index: int, local: int, day: int) -> Iterator[int]:
        """The balances that the account may have had before its first row of a day."""
        yield from self._stated_by_others(index, local, day)
        account = self.run.accounts[local]
        if account.new:
            return
        sign = -1 if kind_owes(account.kind) else 1
        stated = [(on, sign * balance) for on, balance in self.facts.rows.stated(account.no)]
        earlier = [pair for pair in stated if pair[0] <= day]
        if earlier and self._is_known_until(account, earlier[-1][0], day):
            since, balance = earlier[-1]
            # Rows of the same day may stand before the file's first one, or after it.
            openings = {
                balance + self._moved_amount(account, since, until) for until in (day - 1, day)
            }
            # Many an account is empty, so that it was shows nothing.
            yield from openings - {0}
        later = next((pair for pair in stated if pair[0] >= day), None)
        if later is not None and self._is_covered(account, day, later[0]):
            yield later[1] - self._moved_amount(account, day - 1, later[0])

    def _stated_by_others(self, index: int, local: int, day: int) -> Iterator[int]:
        """The closing balance of the latest other file of the account up to a day."""
        others = [
            in_file
            for same in self._same(local)
            for file, in_file in self.run.staged.accounts[same].in_files.items()
            if file != index
        ]
        stated = [
            (in_file.balance_day, in_file.balance)
            for in_file in others
            if in_file.balance is not None
            and in_file.balance_day is not None
            and in_file.balance_day <= day
        ]
        if stated:
            since, balance = max(stated)
            covered = chain.from_iterable(in_file.intervals for in_file in others)
            is_close = ORDINAL[day] - ORDINAL[since] < _SHORTEST_STATEMENT
            if is_close or self._is_known_until(self.run.accounts[local], since, day, covered):
                yield balance

    def _moved_amount(self, account: ResolvedAccount, after: int, until: int) -> int:
        if until <= after:
            return 0
        return self.facts.rows.moved(AccountSide(account.no), after, until)

    def _is_known_until(
        self, account: ResolvedAccount, since: int, day: int, extra: Iterable[Interval] = ()
    ) -> bool:
        """Say whether no statement is missing between two days, the later one being of a row.

        Of what a missing one has, a part may look like the row turned round. `extra` are days that other
        files cover.
        """
        alone = Interval(day, day, since_stated=False, until_stated=False)
        spans = [*self._covered(account), *extra, alone]
        without_holes = join_intervals(spans, lambda _before, _after: False)
        return any(span.since <= since and day <= span.until for span in without_holes)

    def _covered(self, account: ResolvedAccount) -> list[Interval]:
        return merged(self.facts.covered.get(account.no, ()))

    def _is_covered(self, account: ResolvedAccount, first: int, last: int) -> bool:
        return any(span.since <= first and last <= span.until for span in self._covered(account))


def _readings(row: UnshownRow) -> Iterator[tuple[int, bool, int]]:
    """Each way that a row may go, whether its balance is owed then, and the balance before it."""
    if row.balance is None:
        return
    for is_owed in (False,) if row.is_owed is None else (False, True):
        for way in _BOTH_WAYS:
            after = -row.balance if is_owed else row.balance
            yield way, is_owed, after - way * abs(row.amount)


def _rows_agree(own: SizedRow, candidate: SizedRow) -> bool:
    return wordings_agree(
        Wording(own.raw, own.aside, own.external_id),
        Wording(candidate.raw, "", candidate.external_id),
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
    places = [index for index in range(len(run.staged.files)) if _is_said_spent(run, index)]
    cards = [local for local, account in enumerate(run.accounts) if account.kind == "credit"]
    if not places or not cards:
        return []
    payers = payers_of(run, facts.held)
    turned: list[TurnedIn] = []
    for local in cards:
        spent = facts.rows.spent_in_files(local, places)
        for payee, name in _paid_rows(run, facts, local, spent, payers):
            text = run.staged.payees[payee][2]
            for index, amounts in _by_file(spent[payee]).items():
                in_file = run.accounts[local].staged.in_files[index]
                in_file.money_out -= sum(amounts)
                in_file.money_in += sum(amounts)
                note = _note_on_payments(len(amounts), text, name)
                run.staged.files[index].notes.append(note)
                turned.append(TurnedIn(local, payee, index))
    return turned


def _by_file(rows: Iterable[tuple[int, int, int]]) -> dict[int, list[int]]:
    by_file: dict[int, list[int]] = {}
    for file, _, amount in rows:
        by_file.setdefault(file, []).append(amount)
    return dict(sorted(by_file.items()))


def _is_said_spent(run: ImportRun, index: int) -> bool:
    direction = run.said[index].direction or run.staged.files[index].used.direction
    return direction in _SPENT and run.staged.files[index].source == "csv"


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
    by_payee = {} if account.new else facts.rows.moved_by_payee(account.no)
    own = [payer for payer in payers if payer.currency == account.currency]
    paid = list(_payments_of(facts.rows, own))
    for payee, listed in spent.items():
        stored = by_payee.get(run.staged.payees[payee][0], [])
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
        unmatched = chain.from_iterable(
            payer.by_size.get(size, ()) for size in {row[1] for row in open_}
        )
        matched = match_paid(open_, list(unmatched))
        names += [payer.name] * bool(matched)
        sizes += [size for _, size in matched]
        for row in matched:
            open_.remove(row)
    if len(set(sizes)) < LEAST_PAYMENTS or not covered.isdisjoint(open_):
        return None
    return names[0]


def _note_on_payments(turned: int, text: str, payer: str) -> str:
    rows = count(turned, "transaction")
    is_one = turned == 1
    return (
        f"{rows} like {quoted(text)} {'is' if is_one else 'are'} money in despite your answer:"
        f" {quoted(payer)} paid exactly {'that' if is_one else 'those amounts'} within three days."
    )


def ask_about_ways(run: ImportRun, facts: Facts) -> ImportRun:
    """Ask which way the amounts of an account go where only an answer on another one tells it.

    An account keeps the way that its own newest file of the layout went; of one that has none, an answer
    on accounts of its kind tells it.

    `run` has its kinds resolved; a file that is asked about already is left for later.
    """
    if not any(file.used.direction in PLAIN_WAYS for file in run.staged.files):
        return run
    added = _questions_on_ways(run, facts.kinds_by_layout(), facts.ways)
    return replace(run, questions=(*run.questions, *added))


def _questions_on_ways(
    run: ImportRun, by_layout: Mapping[str, set[str]], ways: Mapping[tuple[str, int], str]
) -> Iterator[FileQuestion]:
    """A question on each file of which an account goes another way, as far as is known.

    `by_layout` has the kinds of the accounts with files of it, `ways` the accounts' own ways there.
    """
    asked_files = {question.file for question in run.questions}
    for index, file in enumerate(run.staged.files):
        if file.used.direction not in PLAIN_WAYS or index in asked_files:
            continue
        for account in (run.accounts[local] for local in file.accounts):
            own = None if account.new else ways.get((file.layout, account.no))
            is_of_others = bool(by_layout.get(file.layout, set()) - {account.kind})
            if is_of_others if own is None else _is_inward(own) != _is_inward(file.used.direction):
                yield FileQuestion(index, _question_on_way(account, own))
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
        f"Are positive amounts in {name} money out or money in? Your earlier answer was about"
        " another kind of account."
    )
    if own is not None:
        went = "money in" if _is_inward(own) else "money out"
        text = (
            f"Are positive amounts in {name} money out or money in? In the earlier files of this"
            f" account, they were {went}. Since then, you gave the opposite answer for another"
            " account."
        )
    choices = [
        Choice("out", "Money out", f"{sample} out" if sample else ""),
        Choice("in", "Money in", f"{sample} in" if sample else ""),
    ]
    if own is not None and _is_inward(own):
        choices.reverse()
    return Question("direction", text, tuple(choices))
