"""What is near to a name that nothing goes by."""

from finplan.service.lookup import near


def test_the_closest_come_first_then_those_that_hold_the_word() -> None:
    """A mistyped name is near to its like, a single word to the names it is in; five at most."""
    known = ["gifts and donations", "groceries", "gift shop", "rent"]
    assert near("gifts", known) == ["gift shop", "gifts and donations"]
    assert near("grocries", known) == ["groceries"]
    assert near("and", known) == ["gifts and donations"]
    assert near("an", known) == []
    assert near("shop", [f"shop {n}" for n in range(9)]) == [
        *sorted((f"shop {n}" for n in range(9)), reverse=True)[:5]
    ]
    assert near("corner", [f"the corner of street {n}" for n in range(9)]) == [
        f"the corner of street {n}" for n in range(5)
    ]
