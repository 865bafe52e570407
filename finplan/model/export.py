"""What an export asks: which rows, in which format."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.filters import AccountFilter, RowSearch

ExportFormat = Literal["json", "csv", "hledger", "beancount"]


ROWS_ONLY = (
    "It holds the booked transactions and their accounts. Settings, rules, own categories, answers,"
    " decisions, balances and pending transactions are in a JSON export only."
)
"""What a file of every format but JSON says of itself."""

FILTERED = (
    "It holds the transactions that the filters name, and their accounts. Without filters it holds the"
    " whole household, which a home without accounts restores."
)
"""What is said of a JSON export that is narrowed."""


class ExportQuery(RowSearch):
    """Which posted rows, filtered as transactions are, and the format of the file."""

    format: Annotated[ExportFormat, Field(description="The format of the file.")] = "json"
    account: AccountFilter = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing narrows it, so that the file holds everything."""
        return not self.model_dump(exclude={"format"}, exclude_defaults=True)

    @property
    def leaves_out(self) -> str | None:
        """What a person should know that the file does not hold; None where it holds everything."""
        if self.format != "json":
            return ROWS_ONLY
        return None if self.is_whole else FILTERED
