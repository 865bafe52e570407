"""What narrows a question to some rows: the days, the categories, the merchants and the accounts."""

from typing import Annotated

from pydantic import Field

from finplan.model.account import AccountRef
from finplan.model.base import Day, Wire
from finplan.model.category import CategoryId, PayeeName
from finplan.model.money import LARGEST_AMOUNT

AccountFilter = Annotated[
    tuple[AccountRef, ...],
    Field(description="Only this account, by its id; may be repeated."),
]
"""The rows on any of these accounts; on all of them when there are none."""


class DayRange(Wire):
    """The rows of some days, both ends inclusive; of all days when it has none."""

    since: Annotated[Day | None, Field(alias="from", description="The first day, inclusive.")] = (
        None
    )
    until: Annotated[Day | None, Field(alias="to", description="The last day, inclusive.")] = None


class RowFilter(DayRange):
    """The rows of some days, in any of some categories, and of any of some merchants."""

    category: Annotated[
        tuple[CategoryId, ...],
        Field(description="Only this category, by its id; may be repeated."),
    ] = ()
    merchant: Annotated[
        tuple[PayeeName, ...],
        Field(description="Only this merchant, by its key or its name; may be repeated."),
    ] = ()


_SIZE = (
    "minor units of the household's currency, whichever way the money went. A row in another currency is"
    " told by the number that it shows."
)
RowSize = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
"""How large an amount is, whatever its sign."""


class RowSearch(RowFilter):
    """The rows of a filter in which some words stand, and whose amount is of some size."""

    text: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="Only rows in whose text, payee or note each of these words stands, also as a"
            " part of a longer word; case and accents make no difference.",
        ),
    ] = None
    min_amount: Annotated[
        RowSize | None, Field(description=f"Only rows of at least so much: {_SIZE}")
    ] = None
    max_amount: Annotated[
        RowSize | None, Field(description=f"Only rows of at most so much: {_SIZE}")
    ] = None
