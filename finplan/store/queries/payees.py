"""Payees, interned per person, each with the categories that hold for it.

Rows are moved between payees, and payees renamed, when they are keyed again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, select

from finplan.store.engine import let_references_wait, many
from finplan.store.queries.rows import LISTED, as_list, change, every, fetch, grouped
from finplan.store.tables.tables import payee as table, person


class Flows(NamedTuple):
    """How often money went to a payee and came from it; `card_credits` came in on a card."""

    payee: int
    debits: int
    credits: int
    card_credits: int


class SeenDescriptors(NamedTuple):
    """A descriptor of money out to a payee, and one of money in."""

    out: str
    into: str


class PayeeCodes(NamedTuple):
    """The bank's code of a payee's charges, and that of its credits; either stands in for the other."""

    out: str
    into: str


class SavedDecision(NamedTuple):
    """What the rules say of a payee; `alternatives` are words with spaces between."""

    out: str
    into: str
    source: str | None
    confidence: float | None
    alternatives: str
    suggested: str | None
    why: str


class KnownPayee(NamedTuple):
    """A payee as it is categorised: what is known of its name, and what was decided before."""

    no: int
    key: str
    name: str
    raw: str
    decided: SavedDecision


MOST_NAMED = 10_000
"""How many payees one statement names; when they are more, it is asked about all of them."""


def numbers_of(connection: Connection, owner: int) -> dict[str, int]:
    """Every payee's number by key."""
    return dict(fetch(connection, "SELECT key, no FROM payee WHERE owner_no = ?", (owner,)))


def keys_of(connection: Connection, owner: int) -> dict[int, str]:
    """The key of each payee of a person, by number."""
    return {number: key for key, number in numbers_of(connection, owner).items()}


def add_payees(
    connection: Connection, owner: int, payees: Iterable[tuple[str, str, str]]
) -> dict[str, int]:
    """Intern new payees, given as key, name and a raw descriptor; answers their numbers by key."""
    first = (
        int(connection.exec_driver_sql("SELECT coalesce(max(no), 0) FROM payee").scalar_one()) + 1
    )
    numbered = [(first + index, *payee) for index, payee in enumerate(payees)]
    many(
        connection,
        "INSERT INTO payee (no, owner_no, key, name, raw, category_out, category_in, decided_out,"
        f" decided_in, why) VALUES (?, {owner:d}, ?, ?, ?, 'uncategorized', 'unknown_inflow',"
        " 'uncategorized', 'unknown_inflow', '')",
        numbered,
    )
    return {key: no for no, key, _, _ in numbered}


def list_payees(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's payees, by number."""
    return every(connection, select(table).filter_by(owner_no=owner).order_by(table.c.no))


def known_payees(connection: Connection, owner: int) -> list[KnownPayee]:
    """A person's payees, by number; there may be thousands, so they are no rows of SQLAlchemy's."""
    query = (
        "SELECT no, key, name, raw, decided_out, decided_in, source, confidence, alternatives,"
        " suggested, why FROM payee WHERE owner_no = ? ORDER BY no"
    )
    return [
        KnownPayee(no, key, name, raw, SavedDecision(*decided))
        for no, key, name, raw, *decided in fetch(connection, query, (owner,))
    ]


def categories_of(connection: Connection, owner: int) -> dict[int, tuple[str, str]]:
    """The categories of each payee's outflows and inflows, by number."""
    query = "SELECT no, category_out, category_in FROM payee WHERE owner_no = ?"
    return {no: (out, into) for no, out, into in fetch(connection, query, (owner,))}


def find_payee(connection: Connection, owner: int, key: str) -> RowMapping | None:
    """A person's payee by key."""
    # A daemon's first rule would wait for a statement of SQLAlchemy's to be compiled.
    query = "SELECT * FROM payee WHERE owner_no = ? AND key = ?"
    return connection.exec_driver_sql(query, (owner, key)).mappings().first()


def flows(connection: Connection, owner: int, numbers: Sequence[int] | None = None) -> list[Flows]:
    """How money flows with each payee over the rows that count; all payees, or at least some.

    The covering index answers how often; only payees that money came from are looked at by account.
    """
    few = _among(numbers, "payee_no")
    counts = (
        "SELECT payee_no, sum(amount < 0), sum(amount > 0) FROM tx"
        f" WHERE owner_no = ? AND counts = 1{few} GROUP BY payee_no"
    )
    counted = fetch(connection, counts, (owner,))
    paying = ",".join(str(row[0]) for row in counted if row[2])
    on_cards = (
        "SELECT payee_no, count(*) FROM tx JOIN account ON account.no = tx.account_no"
        f" WHERE tx.owner_no = ? AND counts = 1 AND payee_no IN ({paying}) AND amount > 0"
        " AND kind = 'credit' GROUP BY payee_no"
    )
    card_credits = dict(fetch(connection, on_cards, (owner,)))
    return [
        Flows(payee, debits, paid_in, card_credits.get(payee, 0))
        for payee, debits, paid_in in counted
    ]


def seen_descriptors(
    connection: Connection, owner: int, numbers: Sequence[int]
) -> dict[int, SeenDescriptors]:
    """The descriptors of the largest charge and of the largest credit of payees that have both."""
    out = _largest(connection, owner, numbers, "min(amount)", "amount < 0")
    into = _largest(connection, owner, numbers, "max(amount)", "amount > 0")
    return {
        number: SeenDescriptors(raw, into[number]) for number, raw in out.items() if number in into
    }


def newest_inflows(
    connection: Connection, owner: int, numbers: Sequence[int], most: int
) -> dict[int, list[str]]:
    """The different descriptors of the newest credits of payees, `most` credits each, newest first."""
    few = _among(numbers, "payee_no")
    # The covering index alone finds the rows, so that only the descriptors of a few are read.
    query = (
        "SELECT newest.payee_no, tx.raw FROM (SELECT payee_no, no, row_number() OVER (PARTITION BY"
        " payee_no ORDER BY day DESC, no DESC) AS place FROM tx WHERE owner_no = ? AND counts = 1"
        f" AND amount > 0{few}) AS newest JOIN tx ON tx.no = newest.no WHERE newest.place <= ?"
        " ORDER BY newest.payee_no, newest.place"
    )
    return grouped(fetch(connection, query, (owner, most)))


def _largest(
    connection: Connection, owner: int, numbers: Sequence[int], largest: str, which: str
) -> dict[int, str]:
    few = _among(numbers, "payee_no")
    # The covering index alone finds the rows, so that only their own descriptors are read: the other
    # columns beside a sole min or max are those of its row.
    query = (
        f"SELECT found.payee_no, tx.raw FROM (SELECT payee_no, no, {largest} FROM tx"
        f" WHERE owner_no = ? AND counts = 1 AND {which}{few} GROUP BY payee_no) AS found"
        " JOIN tx ON tx.no = found.no"
    )
    return dict(fetch(connection, query, (owner,)))


def payees_of_rows(connection: Connection, rows: Iterable[int]) -> list[int]:
    """The payees that some posted rows name."""
    query = f"SELECT DISTINCT payee_no FROM tx WHERE no IN {LISTED} ORDER BY payee_no"
    return [payee for (payee,) in fetch(connection, query, (as_list(rows),))]


def payees_of_account(connection: Connection, account: int) -> list[int]:
    """The payees that the posted rows of an account name."""
    query = "SELECT DISTINCT payee_no FROM tx WHERE account_no = ?"
    return [payee for (payee,) in fetch(connection, query, (account,))]


def payee_codes(connection: Connection, owner: int) -> dict[int, PayeeCodes]:
    """The bank's code that most charges of each payee carry, and the one that most credits carry."""
    query = (
        "SELECT payee_no, code, sum(amount < 0), sum(amount > 0) FROM tx"
        " WHERE owner_no = ? AND code IS NOT NULL GROUP BY payee_no, code"
    )
    counted = grouped((row[0], row[1:]) for row in fetch(connection, query, (owner,)))
    return {
        payee: PayeeCodes(
            max(codes, key=lambda code: (code[1], code[2], code[0]))[0],
            max(codes, key=lambda code: (code[2], code[1], code[0]))[0],
        )
        for payee, codes in counted.items()
    }


def credits_of(connection: Connection, owner: int, number: int) -> list[tuple[int, int]]:
    """Day and amount of what came in from one payee, on accounts that count."""
    query = (
        "SELECT day, amount FROM tx WHERE owner_no = ? AND payee_no = ? AND counts = 1"
        " AND amount > 0 ORDER BY day"
    )
    return fetch(connection, query, (owner, number))


def earned(
    connection: Connection, owner: int, categories: Sequence[str]
) -> list[tuple[int, int, int]]:
    """Day, payee and amount of what came in from payees whose money in is of some categories."""
    listed = ",".join(f"'{category}'" for category in categories)
    query = (
        "SELECT day, payee_no, amount FROM tx WHERE owner_no = ? AND counts = 1 AND amount > 0"
        f" AND payee_no IN (SELECT no FROM payee WHERE owner_no = ? AND category_in IN ({listed}))"
    )
    return fetch(connection, query, (owner, owner))


def paid_to(connection: Connection, owner: int, number: int) -> int:
    """How much went to one payee, on accounts that count."""
    query = (
        "SELECT -coalesce(sum(amount), 0) FROM tx WHERE owner_no = ? AND payee_no = ? AND counts = 1"
        " AND amount < 0"
    )
    return int(connection.exec_driver_sql(query, (owner, number)).scalar_one())


def loan_peers(connection: Connection, owner: int) -> dict[int, tuple[str, int]]:
    """The subtype of the linked loan that each payee's charges were paired with, and how many were."""
    query = (
        "SELECT tx.payee_no, coalesce(peer.subtype, ''), count(*) FROM transfer"
        " JOIN tx ON tx.no = transfer.out_no JOIN account AS peer ON peer.no = tx.peer_no"
        " WHERE transfer.owner_no = ? AND transfer.counts = 1 AND peer.kind = 'loan'"
        " GROUP BY tx.payee_no"
    )
    return {payee: (subtype, count) for payee, subtype, count in fetch(connection, query, (owner,))}


_SAID = (
    "(SELECT category FROM rule WHERE rule.payee_no = payee.no AND rule.amount IS NULL"
    " AND rule.direction = '{}')"
)
# Two look-ups in an index are quicker than one that sorts what it finds.
_RULED_OUT = f"coalesce({_SAID.format('out')}, {_SAID.format('both')})"
_RULED_IN = f"coalesce({_SAID.format('in')}, {_SAID.format('both')})"
"""What a person's own rules say of a payee's outflows and inflows, that of one direction first."""


def save_decisions(connection: Connection, decisions: Mapping[int, SavedDecision]) -> None:
    """Save what the curated and inferred rules say of some payees; a person's own rules still win."""
    many(
        connection,
        "UPDATE payee SET decided_out = ?, decided_in = ?, source = ?, confidence = ?,"
        f" alternatives = ?, suggested = ?, why = ?, category_out = coalesce({_RULED_OUT}, ?),"
        f" category_in = coalesce({_RULED_IN}, ?) WHERE no = ?",
        [(*decided, decided.out, decided.into, no) for no, decided in decisions.items()],
    )


def apply_rules(connection: Connection, number: int) -> None:
    """Let a person's own rules hold for a payee, and where there is none what was decided for it."""
    connection.exec_driver_sql(
        f"UPDATE payee SET category_out = coalesce({_RULED_OUT}, decided_out),"
        f" category_in = coalesce({_RULED_IN}, decided_in) WHERE no = ?",
        (number,),
    )


def keep_pay(connection: Connection, owner: int, spending: Sequence[str]) -> None:
    """Let the person's rules of some categories, those of spending, leave an employer's pay alone.

    Whoever files the charges of a shop that pays them says nothing of the pay; who files the money that
    comes in does.
    """
    categories = ",".join(f"'{category}'" for category in spending)
    connection.exec_driver_sql(
        f"UPDATE payee SET category_in = CASE WHEN {_RULED_IN} IN ({categories})"
        " AND EXISTS (SELECT 1 FROM tx WHERE tx.owner_no = payee.owner_no"
        " AND tx.payee_no = payee.no AND counts = 1 AND amount < 0)"
        f" THEN decided_in ELSE {_RULED_IN} END"
        " WHERE no IN (SELECT payee_no FROM rule WHERE owner_no = ? AND amount IS NULL"
        " AND direction = 'both') AND no NOT IN (SELECT payee_no FROM rule WHERE amount IS NULL"
        " AND direction = 'in') AND decided_in IN ('wages', 'pension_benefits')",
        (owner,),
    )


def remove_unused(connection: Connection, owner: int, numbers: Iterable[int]) -> None:
    """Forget those of the payees that no row, posted, pending or set aside, and no rule names."""
    connection.exec_driver_sql(
        f"DELETE FROM payee WHERE no IN {LISTED}"
        " AND no NOT IN (SELECT payee_no FROM tx WHERE owner_no = ?)"
        " AND no NOT IN (SELECT payee_no FROM pending) AND no NOT IN (SELECT payee_no FROM rule)"
        " AND no NOT IN (SELECT payee_no FROM set_aside)",
        (as_list(numbers), owner),
    )


def names_of(connection: Connection, owner: int) -> list[tuple[int, str, str]]:
    """Number, key and display name of every payee."""
    return fetch(connection, "SELECT no, key, name FROM payee WHERE owner_no = ?", (owner,))


def _among(numbers: Sequence[int] | None, column: str) -> str:
    if numbers is None or len(numbers) > MOST_NAMED:
        return ""
    return f" AND {column} IN ({','.join(map(str, numbers))})"


ROWS_OF_PAYEES = ("tx", "pending", "set_aside")
"""The tables whose rows name a payee by what a bank wrote."""

_MOVED_AT_ONCE = 10_000


class NamedRow(NamedTuple):
    """A row's number, its payee, and the descriptor that names it."""

    no: int
    payee: int
    raw: str


def people_to_rekey(connection: Connection, rules: int) -> list[int]:
    """The people whose payees were keyed by other rules than these."""
    query = select(person.c.no).where(person.c.key_rules != rules).order_by(person.c.no)
    return list(connection.execute(query).scalars())


def save_key_rules(connection: Connection, owner: int, rules: int) -> None:
    """Note which rules a person's payees are keyed by."""
    change(connection, person, owner, key_rules=rules)


def named_rows(connection: Connection, owner: int) -> Iterator[NamedRow]:
    """Every row of a person that names a payee, set aside and pending ones too."""
    for rows in ROWS_OF_PAYEES:
        for some in _in_turns(connection, owner, rows):
            yield from some


def move_rows(connection: Connection, owner: int, target: Callable[[NamedRow], int]) -> None:
    """Give each row of a person to the payee that `target` answers."""
    for rows in ROWS_OF_PAYEES:
        connection.exec_driver_sql(
            "CREATE TEMP TABLE moved (no INTEGER PRIMARY KEY, payee INTEGER)"
        )
        for some in _in_turns(connection, owner, rows):
            moves = [(row.no, payee) for row in some if (payee := target(row)) != row.payee]
            many(connection, "INSERT INTO moved VALUES (?, ?)", moves)
        connection.exec_driver_sql(
            f"UPDATE {rows} SET payee_no = (SELECT payee FROM moved WHERE moved.no = {rows}.no)"
            " WHERE no IN (SELECT no FROM moved)"
        )
        connection.exec_driver_sql("DROP TABLE moved")


def _in_turns(connection: Connection, owner: int, rows: str) -> Iterator[list[NamedRow]]:
    # There may be a million rows; they are never all in memory. The sign before the owner keeps the
    # database from an index by owner, which it would have to sort for each turn.
    query = (
        f"SELECT no, payee_no, raw FROM {rows} WHERE no > ? AND +owner_no = ? ORDER BY no LIMIT ?"
    )
    last = -1
    while True:
        some = [NamedRow(*row) for row in fetch(connection, query, (last, owner, _MOVED_AT_ONCE))]
        if not some:
            return
        yield some
        last = some[-1].no


def raws_of(connection: Connection, owner: int, payee: int, day: int, amount: int) -> Iterable[str]:
    """The descriptors of a payee's rows of one day and amount, whatever its sign."""
    query = (
        "SELECT raw FROM tx WHERE owner_no = ? AND payee_no = ? AND day = ? AND abs(amount) = ?"
        " ORDER BY raw"
    )
    return [raw for (raw,) in fetch(connection, query, (owner, payee, day, amount))]


def let_go_of_keys(connection: Connection, numbers: Iterable[int]) -> None:
    """Take the keys of some payees away, so that others may have them before these get new ones."""
    many(connection, "UPDATE payee SET key = '\n' || no WHERE no = ?", [(no,) for no in numbers])


def rename_payees(connection: Connection, payees: Iterable[tuple[int, str, str, str]]) -> None:
    """Give payees, by number, a new key, name and descriptor."""
    many(
        connection,
        "UPDATE payee SET key = ?, name = ?, raw = ? WHERE no = ?",
        [(key, name, raw, no) for no, key, name, raw in payees],
    )


def move_rules(connection: Connection, moves: Iterable[tuple[int, int]]) -> None:
    """Give rules, by number, to other payees."""
    listed = list(moves)
    # Two rules may change places, and no payee may have two rules of one amount meanwhile.
    let_references_wait(connection)
    many(connection, "UPDATE rule SET payee_no = -no WHERE no = ?", [(no,) for no, _ in listed])
    many(
        connection,
        "UPDATE rule SET payee_no = ? WHERE no = ?",
        [(payee, no) for no, payee in listed],
    )


def rekey_series(connection: Connection, keys: Iterable[tuple[int, str]]) -> None:
    """Give verdicts on series, by number, the key that their payee has now."""
    many(
        connection,
        "UPDATE series_verdict SET payee_key = ? WHERE no = ?",
        [(key, no) for no, key in keys],
    )
