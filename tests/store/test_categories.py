"""A person's own categories as rows: one name once, and nothing of anybody else's."""

from functools import partial

import pytest
from sqlalchemy import Connection, insert
from sqlalchemy.exc import IntegrityError

from finplan.store.queries import categories, people
from finplan.store.store import Store
from finplan.store.tables.tables import payee, rule


def _values(owner: int, number: int, known_as: str = "bikes") -> dict[str, object]:
    return {
        "id": f"cat_{number}",
        "owner_no": owner,
        "name": known_as.title(),
        "known_as": known_as,
        "line": "essential",
        "reimbursable": 0,
        "created_at": 0,
    }


@pytest.fixture
async def housemate(store: Store, owner: int) -> int:
    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    assert owner
    return await store.write(add)


async def test_a_name_is_one_category_of_one_person(
    store: Store, owner: int, housemate: int
) -> None:
    """The table itself refuses a second category of a name, and leaves other people theirs."""

    def add(connection: Connection) -> None:
        categories.add_category(connection, _values(owner, 1))
        categories.add_category(connection, _values(housemate, 2))

    await store.write(add)
    with pytest.raises(IntegrityError):
        await store.write(lambda c: categories.add_category(c, _values(owner, 3)))

    for person, expected in ((owner, "cat_1"), (housemate, "cat_2")):
        rows = await store.read(partial(categories.list_categories, owner=person))
        assert [row["id"] for row in rows] == [expected]


async def test_changes_reach_one_persons_rows_alone(
    store: Store, owner: int, housemate: int
) -> None:
    """To rename, refile or remove another person's category does nothing."""

    def prepare(connection: Connection) -> None:
        categories.add_category(connection, _values(owner, 1))
        _add_payee(connection, owner, 1, "cat_1")

    def meddle(connection: Connection) -> None:
        categories.change_category(connection, housemate, "cat_1", {"name": "Mine"})
        categories.refile(connection, housemate, "cat_1", "dining")
        categories.remove_rules(connection, housemate, "cat_1")
        categories.remove_category(connection, housemate, "cat_1")

    def look(connection: Connection) -> tuple[object, ...]:
        (held,) = categories.list_categories(connection, owner)
        row = connection.exec_driver_sql("SELECT category_out, category_in FROM payee").one()
        ruled = connection.exec_driver_sql("SELECT category FROM rule").scalars().all()
        return (held["name"], *row, *ruled)

    await store.write(prepare)
    before = await store.read(look)
    await store.write(meddle)

    assert await store.read(look) == before == ("Bikes", "cat_1", "cat_1", "cat_1")


async def test_dismissals_are_kept_once_and_forgotten(
    store: Store, owner: int, housemate: int
) -> None:
    """A name is dismissed by one person, however often, and wanted again at once."""
    for _ in range(2):
        await store.write(lambda c: categories.set_dismissed(c, owner, "car costs", dismissed=True))
    assert await store.read(lambda c: categories.dismissed_names(c, owner)) == {"car costs"}
    assert await store.read(lambda c: categories.dismissed_names(c, housemate)) == frozenset()

    await store.write(lambda c: categories.set_dismissed(c, owner, "car costs", dismissed=False))
    assert await store.read(lambda c: categories.dismissed_names(c, owner)) == frozenset()


def _add_payee(connection: Connection, owner: int, number: int, ruled: str) -> None:
    plain = {
        "no": number,
        "owner_no": owner,
        "key": f"payee {number}",
        "name": "Payee",
        "raw": "PAYEE",
        "category_out": ruled,
        "category_in": ruled,
        "decided_out": "uncategorized",
        "decided_in": "unknown_inflow",
        "why": "",
    }
    connection.execute(insert(payee).values(**plain))
    connection.execute(
        insert(rule).values(
            id=f"rule_{number}", owner_no=owner, payee_no=number, category=ruled, saved_at=0
        )
    )
