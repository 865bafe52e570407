"""Names that a person types: what can be read is kept in normal form, what cannot is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from finplan.model.account import AccountChange
from finplan.model.base import UNREADABLE_NAME, Wire, readable_name
from finplan.model.connection import Institution
from finplan.model.credential import NewKey
from finplan.model.user import UserChange

NAMED: tuple[tuple[type[Wire], dict[str, Any]], ...] = (
    (AccountChange, {"id": "acc_1"}),
    (Institution, {}),
    (UserChange, {}),
    (NewKey, {}),
)


@pytest.mark.parametrize(("shape", "rest"), NAMED)
@pytest.mark.parametrize(
    "name",
    [
        "\0",
        "   ",
        "\n",
        "\x1b[31m",
        "\u202e",
        "a\u202eb",
        "\u200b",
        "\u200d",
        "\u200c \u200c",
    ],
)
def test_a_name_that_cannot_be_read_is_refused(
    shape: type[Wire], rest: dict[str, Any], name: str
) -> None:
    """Whatever is named, blanks, control characters and signs that turn the text are no name."""
    with pytest.raises(ValidationError, match=UNREADABLE_NAME):
        shape.model_validate({**rest, "name": name})


@pytest.mark.parametrize("sign", ["\x1b", "\u202e", "\u200f", "\u2066", "\x9b", "\x00"])
def test_a_subtype_is_typed_as_a_name_is(sign: str) -> None:
    """However it is compared, a subtype is kept as it was typed, so nothing may hide in it."""
    with pytest.raises(ValidationError, match=UNREADABLE_NAME):
        AccountChange(id="acc_1", subtype=f"check{sign}ing")
    assert AccountChange(id="acc_1", subtype=" money  market ").subtype == "money market"


@pytest.mark.parametrize(("shape", "rest"), NAMED)
def test_a_name_is_kept_in_normal_form(shape: type[Wire], rest: dict[str, Any]) -> None:
    """Spaces around a name go, each run of them is one, and letters are composed."""
    held = shape.model_validate({**rest, "name": "  Cafe\u0301 \t du  Nord\n"})

    assert held.model_dump()["name"] == "Caf\u00e9 du Nord"


@pytest.mark.parametrize(
    "name", ["Ada", "Ада", "می\u200cخواهم", "👨\u200d👩\u200d👧", "O'Neill & co.", "7"]
)
def test_a_name_of_any_script_can_be_read(name: str) -> None:
    """A name that somebody can read stays as it is, with the joiners that its script needs."""
    assert readable_name(name) == name
