"""People: who they are, what they set, the generation of their data, and what a household holds.

What it holds besides its rows is read as it is exported, and put into another home.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from sqlalchemy import Connection, RowMapping, Select, Table, func, insert, select

from finplan.model.errors import Unauthorized
from finplan.store.queries import rows
from finplan.store.queries.duplicates import RELINKED
from finplan.store.queries.verdicts import RowIdentity
from finplan.store.store_file import LookUp
from finplan.store.tables.tables import (
    METADATA,
    account,
    csv_answer,
    duplicate_verdict,
    last_number,
    payee,
    pending,
    person,
    remembered_row,
    set_aside,
    transfer_verdict,
)


def only_person(connection: Connection) -> RowMapping | None:
    """The first person of the store, None in a new one."""
    return rows.first(connection, select(person).order_by(person.c.no))


def list_people(connection: Connection) -> Sequence[RowMapping]:
    """Everybody who has an account, the owner of the machine first; guests of agents have none."""
    query = select(person).filter_by(guest_until=None).order_by(person.c.no)
    return rows.every(connection, query)


def person_of_email(connection: Connection, email_key: str) -> RowMapping | None:
    """The person of an address, as it is compared."""
    return rows.find(connection, person, email_key=email_key)


def person_of_google(connection: Connection, subject: str) -> RowMapping | None:
    """The person whom Google calls so."""
    return rows.find(connection, person, google_subject=subject)


def add_person(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a person and answer the number, which is one that nobody has had unless it is given.

    What began for somebody who is gone, and goes on, must never be about somebody else.
    """
    no = values["no"] if "no" in values else _next_number(connection)
    connection.execute(insert(person).values(**{**values, "no": no}))
    return int(no)


def _next_number(connection: Connection) -> int:
    highest = connection.execute(select(func.max(person.c.no))).scalar_one() or 0
    last = rows.find(connection, last_number, name=person.name)
    number = max(highest, 0 if last is None else last["given"]) + 1
    rows.remove(connection, last_number, name=person.name)
    rows.add_all(connection, last_number, [{"name": person.name, "given": number}])
    return int(number)


def get_person(connection: Connection, owner: int) -> RowMapping:
    """The person of a number. Raises Unauthorized when the person was deleted meanwhile."""
    row = connection.exec_driver_sql("SELECT * FROM person WHERE no = ?", (owner,))
    return row.mappings().first() or gone()


def is_there(connection: Connection, owner: int) -> bool:
    """Whether there is a person of a number."""
    return rows.is_there(connection, person, no=owner)


_SET = ("currency", "time_zone", "budget_shares", "target_months")


def _settings(*values: Any) -> Mapping[str, Any]:
    return dict(zip(_SET, values, strict=True))


SETTINGS_OF_PERSON = LookUp(f"SELECT {', '.join(_SET)} FROM person WHERE no = ?", _settings)
"""What the person of a number has set for the household."""


class StateOfPerson(NamedTuple):
    """The generation of a person's data, and the time zone that says which day it is."""

    generation: int
    time_zone: str


STATE_OF_PERSON = LookUp("SELECT generation, time_zone FROM person WHERE no = ?", StateOfPerson)
"""The same as `generation_of`, found without a way to a thread and back."""


def generation_of(connection: Connection, owner: int) -> tuple[int, str]:
    """The generation of a person's data, and the time zone that says which day it is.

    Raises Unauthorized when the person was deleted meanwhile.
    """
    return STATE_OF_PERSON.find(connection, owner) or gone()


def data_generation_of(connection: Connection, owner: int) -> tuple[int, str]:
    """As `generation_of`, without the plans that were built: no figure follows from an earlier plan.

    `note_plan_built` raises `generation` and `event_no` by one each, and leaves `data_no` as it is.
    """
    query = "SELECT generation - (event_no - data_no), time_zone FROM person WHERE no = ?"
    generation, zone = connection.exec_driver_sql(query, (owner,)).first() or gone()
    return int(generation), str(zone)


class LedgerEvent(NamedTuple):
    """The newest event that may have moved the allowance: how many there were, and its instant in ms.

    `person` is the public id of whose it is. `data_no` counts those events alone that may change a plan.
    """

    person: str
    number: int
    at: int
    data_no: int


def note_event(connection: Connection, owner: int, at: int) -> None:
    """Say that something changed of what a plan follows from, at an instant in ms."""
    connection.exec_driver_sql(
        "UPDATE person SET event_no = event_no + 1, event_at = ?, data_no = data_no + 1"
        " WHERE no = ?",
        (at, owner),
    )


def note_plan_built(connection: Connection, owner: int, at: int) -> None:
    """Say that a plan was built, at an instant in ms: what was cached before it is stale."""
    connection.exec_driver_sql(
        "UPDATE person SET event_no = event_no + 1, event_at = ?, generation = generation + 1"
        " WHERE no = ?",
        (at, owner),
    )


def last_event(connection: Connection, owner: int) -> LedgerEvent:
    """The newest event. Raises Unauthorized when the person was deleted meanwhile."""
    query = "SELECT id, event_no, event_at, data_no FROM person WHERE no = ?"
    return LedgerEvent(*(connection.exec_driver_sql(query, (owner,)).first() or gone()))


def set_inference_due(connection: Connection, owner: int, *, due: bool = True) -> None:
    """Say whether the person's rules teach something that is not yet applied to other payees."""
    connection.exec_driver_sql(
        "UPDATE person SET inference_due = ? WHERE no = ?", (int(due), owner)
    )


def is_inference_due(connection: Connection, owner: int) -> bool:
    """Whether the person's rules teach something that is not yet applied to other payees."""
    query = "SELECT inference_due FROM person WHERE no = ?"
    return bool(connection.exec_driver_sql(query, (owner,)).scalar())


def gone() -> NoReturn:
    """Raise Unauthorized: whom a credential spoke for was deleted."""
    raise Unauthorized("The person of this credential was deleted, and the credential with them.")


def lowest_number(connection: Connection) -> int:
    """A number below that of every person; the first of them all is the owner of the machine."""
    return int(connection.execute(select(func.min(person.c.no))).scalar_one()) - 1


def count_rows(connection: Connection, owner: int) -> Mapping[str, int]:
    """How many rows a person has in each table whose rows belong to somebody."""
    return {table.name: rows.count(connection, table, owner_no=owner) for table in _owned()}


def remove_person(connection: Connection, owner: int) -> None:
    """Delete a person with every row of theirs, in every table."""
    # What refers to other rows goes first, so that no row has to be looked for by its parent.
    for table in reversed(_owned()):
        rows.remove(connection, table, owner_no=owner)
    rows.remove(connection, person, no=owner)


def _owned() -> list[Table]:
    return [table for table in METADATA.sorted_tables if "owner_no" in table.c]


def change_person(connection: Connection, owner: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a person."""
    rows.change(connection, person, owner, **values)


def raise_generation(connection: Connection, owner: int, *, rows: bool = True) -> None:
    """Say that the person's data have changed; what was cached for the old generation is stale.

    `rows=False` says of a change that it leaves every row as it is, and which of them count.
    """
    connection.exec_driver_sql(
        "UPDATE person SET generation = generation + 1, row_generation = row_generation + ?"
        " WHERE no = ?",
        (int(rows), owner),
    )


def list_remembered(connection: Connection, owner: int) -> dict[int, RowIdentity]:
    """Every row that a person's verdicts remember, by the number it is remembered by."""
    columns = [remembered_row.c[name] for name in RowIdentity._fields]
    query = select(remembered_row.c.no, *columns).where(remembered_row.c.owner_no == owner)
    return {no: RowIdentity(*values) for no, *values in connection.execute(query)}


def list_transfer_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on transfers as they are kept, oldest first."""
    query = select(transfer_verdict).filter_by(owner_no=owner)
    return rows.every(connection, query.order_by(transfer_verdict.c.no))


def list_duplicate_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on duplicates as they are kept, oldest first."""
    query = select(duplicate_verdict).filter_by(owner_no=owner)
    query = query.where(duplicate_verdict.c.kind != RELINKED)
    return rows.every(connection, query.order_by(duplicate_verdict.c.no))


def list_set_aside(connection: Connection, owner: int) -> dict[int, RowMapping]:
    """The posted row that each verdict set aside, with account id and payee key, by its number."""
    query = _with_names(set_aside, owner).where(set_aside.c.pending == 0)
    return {row["verdict_no"]: row for row in rows.every(connection, query)}


def list_pending(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's pending rows with account id and payee key, those last that are set aside."""
    aside = _with_names(set_aside, owner).where(set_aside.c.pending == 1)
    return [
        *rows.every(connection, _with_names(pending, owner).order_by(pending.c.no)),
        *rows.every(connection, aside.order_by(set_aside.c.no)),
    ]


def _with_names(table: Table, owner: int) -> Select[Any]:
    """The rows of a person in a table, with account id and payee key."""
    return (
        select(table, account.c.id.label("account_id"), payee.c.key.label("payee_key"))
        .join(account, account.c.no == table.c.account_no)
        .join(payee, payee.c.no == table.c.payee_no)
        .where(table.c.owner_no == owner)
    )


def list_file_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """What a person said of files with some header, with the account's id, oldest first."""
    query = (
        select(csv_answer, account.c.id.label("account_id"))
        .outerjoin(account, account.c.no == csv_answer.c.account_no)
        .where(csv_answer.c.owner_no == owner)
        .order_by(csv_answer.c.no)
    )
    return rows.every(connection, query)


def taken_ids(connection: Connection, table: Table, ids: Iterable[str]) -> set[str]:
    """Which of some public ids anybody in the store has already."""
    listed = list(ids)
    taken: set[str] = set()
    for start in range(0, len(listed), _AT_ONCE):
        query = select(table.c.id).where(table.c.id.in_(listed[start : start + _AT_ONCE]))
        taken.update(connection.execute(query).scalars())
    return taken


_AT_ONCE = 500
"""How many values one statement names."""


def named_categories(connection: Connection, owner: int) -> set[str]:
    """The categories that a person's rules and words on rows name."""
    result = connection.exec_driver_sql(
        "SELECT category FROM rule WHERE owner_no = ? UNION"
        " SELECT category FROM single_word WHERE owner_no = ? AND category IS NOT NULL UNION"
        " SELECT category FROM word_part WHERE owner_no = ?",
        (owner, owner, owner),
    )
    return set(result.scalars())
