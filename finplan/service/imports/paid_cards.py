"""Payments of a credit card among amounts without a sign: what another account paid comes in here.

Who says that a card's amounts were spent does not mean its payments, and no word of theirs need tell.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.figures import count
from finplan.plan.ledger.days import ORDINAL
from finplan.service.imports.card_payments import DAYS, LEAST, Payer, match_paid, payers_of
from finplan.service.imports.import_run import ImportRun
from finplan.statements.text.descriptors import quoted
from finplan.store.queries import accounts, payments
from finplan.store.queries.payments import AccountRows, Moved

_SPENT = {"out", "negate"}


def let_payments_in(connection: Connection, run: ImportRun) -> None:
    """Turn the staged rows of a card that another account paid, and note it on their files.

    They are all rows of one payee that the person said were spent. Each that lies in the days of the
    other accounts has to be paid there, at least two and of more than one size; and they are at most
    half of what was spent, since more is in files of one account. What the card has of the payee
    already counts with them, and keeps its way.
    """
    places = [place for place in range(len(run.staged.files)) if _is_said_spent(run, place)]
    cards = [local for local, each in enumerate(run.accounts) if each.kind == "credit"]
    if not places or not cards:
        return
    payers = payers_of(run, accounts.list_accounts(connection, run.owner))
    for local in cards:
        side = AccountRows(local, is_staged=True)
        for payee, name in _paid(connection, run, local, places, payers):
            for place, (turned, total) in payments.turn_in(connection, side, payee, places).items():
                said = run.accounts[local].staged.in_files[place]
                said.money_out -= total
                said.money_in += total
                text = run.staged.payees[payee][2]
                run.staged.files[place].notes.append(_note(turned, text, name))


def _is_said_spent(run: ImportRun, place: int) -> bool:
    said = run.said[place].direction or run.staged.files[place].used.direction
    return said in _SPENT and run.staged.files[place].source == "csv"


class _Payments(NamedTuple):
    """What an account paid, by size, and the days, as ordinals, on which it would have paid all."""

    name: str
    begun: int
    ended: int
    by_size: Mapping[int, Sequence[Moved]]


def _payments_of(connection: Connection, payers: Iterable[Payer]) -> Iterator[_Payments]:
    for payer in payers:
        span = payments.span_of(connection, payer.side)
        if span is None:
            continue
        by_size: dict[int, list[Moved]] = {}
        for row in payments.spent(connection, payer.side):
            by_size.setdefault(row[1], []).append(row)
        # What is booked on the first or last days of one may be on days of the other that no file has.
        yield _Payments(payer.name, ORDINAL[span[0]] + DAYS, ORDINAL[span[1]] - DAYS, by_size)


def _paid(
    connection: Connection, run: ImportRun, local: int, places: Sequence[int], payers: list[Payer]
) -> Iterator[tuple[int, str]]:
    """The payees, by their local numbers, whose rows are payments of a card, and who paid them."""
    account = run.accounts[local]
    spent = payments.spent_by_payee(connection, AccountRows(local, is_staged=True), places)
    most = sum(map(len, spent.values())) // 2
    held = {} if account.new else payments.moved_by_payee_key(connection, account.no)
    own = [each for each in payers if each.currency == account.currency]
    paid = list(_payments_of(connection, own))
    for payee, rows in spent.items():
        stored = held.get(run.staged.payees[payee][0], [])
        if len(rows) > most or any(amount < 0 for _, amount in stored):
            continue
        name = _payer_of_all([*(row for row in stored if row not in rows), *rows], paid)
        if name is not None:
            yield payee, name


def _payer_of_all(rows: Sequence[Moved], paid: Sequence[_Payments]) -> str | None:
    """The name of one who paid some rows, if each within the days of all payers was paid by one."""
    open_, names, sizes = list(rows), list[str](), list[int]()
    covered: set[Moved] = set()
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
    if len(set(sizes)) < LEAST or not covered.isdisjoint(open_):
        return None
    return names[0]


def _note(turned: int, text: str, payer: str) -> str:
    rows = count(turned, "row")
    is_one = turned == 1
    return (
        f"{rows} like {quoted(text)} {'comes' if is_one else 'come'} in, though amounts were said to be"
        f" spent: {quoted(payer)} paid exactly {'that' if is_one else 'those'} just then."
    )
