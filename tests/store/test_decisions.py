"""What was decided for payees is saved beside what their person said, thousands of them at once."""

from typing import Any

from sqlalchemy import Connection, event

from finplan.store.queries import payees
from finplan.store.queries.payees import SavedDecision
from finplan.store.store import Store

DECIDED = SavedDecision("dining", "refund", "auto", 0.9, "", None, "Matches the word 'cafe'")


def _rule(connection: Connection, payee: int, owner: int, category: str, direction: str) -> None:
    connection.exec_driver_sql(
        "INSERT INTO rule (id, owner_no, payee_no, category, saved_at, direction)"
        " VALUES (?, ?, ?, ?, 0, ?)",
        (f"{payee}-{direction}", owner, payee, category, direction),
    )


async def test_a_persons_word_holds_by_its_direction(store: Store, owner: int) -> None:
    """A rule of one direction goes before one of both, and what was decided holds without either."""

    def save(connection: Connection) -> list[tuple[str, str]]:
        names = [(key, key, key) for key in ("none", "both", "out and both", "in and both")]
        none, both, out, into = payees.add_payees(connection, owner, names).values()
        _rule(connection, both, owner, "groceries", "both")
        _rule(connection, out, owner, "groceries", "both")
        _rule(connection, out, owner, "travel", "out")
        _rule(connection, into, owner, "groceries", "both")
        _rule(connection, into, owner, "wages", "in")
        payees.save_decisions(connection, dict.fromkeys((none, both, out, into), DECIDED))
        found = payees.categories_of(connection, owner)
        for number in found:
            payees.apply_rules(connection, number)
        assert payees.categories_of(connection, owner) == found
        return [found[number] for number in (none, both, out, into)]

    assert await store.write(save) == [
        ("dining", "refund"),
        ("groceries", "groceries"),
        ("travel", "groceries"),
        ("groceries", "wages"),
    ]


async def test_decisions_are_saved_without_sorting(store: Store, owner: int) -> None:
    """Each payee's rules are looked up in an index: sorting them takes longer than all the rest."""
    statements: list[str] = []

    def remember(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        statements.append(statement)

    def plan(connection: Connection) -> list[str]:
        added = payees.add_payees(connection, owner, [("cafe", "Cafe", "CAFE")])
        event.listen(connection, "before_cursor_execute", remember)
        payees.save_decisions(connection, dict.fromkeys(added.values(), DECIDED))
        event.remove(connection, "before_cursor_execute", remember)
        (statement,) = statements
        marks = (None,) * statement.count("?")
        return [
            row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", marks)
        ]

    steps = await store.write(plan)
    assert any("SEARCH rule USING" in step for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)
