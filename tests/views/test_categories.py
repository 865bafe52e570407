"""What rules, categories and suggestions are worded as, whichever face shows them."""

from finplan.model.category import CategoryRule
from finplan.views import categories
from finplan.views.page import PageTable
from tests.views.drawing import how


def test_a_rule_says_its_direction() -> None:
    """A rule of one direction says which money it is for."""
    rules = [
        CategoryRule(
            id=f"rule_{beginning}abc",
            user_id="usr_1",
            payee_key="venmo",
            category="dining",
            source="user",
            confidence=None,
            alternatives=(),
            saved_at=1,
        )
        for beginning in ("in_", "out_", "")
    ]
    (table,) = categories.rules(rules, how(), {}).parts
    assert isinstance(table, PageTable)
    assert [row.cells[1] for row in table.rows] == ["any in", "any out", "any"]
