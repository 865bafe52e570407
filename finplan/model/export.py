"""What an export asks: which rows, in which format."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.filters import AccountFilter, RowFilter

ExportFormat = Literal["json", "csv", "hledger", "beancount"]


class ExportQuery(RowFilter):
    """Which posted rows, filtered as transactions are, and the format of the file."""

    format: Annotated[ExportFormat, Field(description="The format of the file.")] = "json"
    account: AccountFilter = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing narrows it, so that the file holds everything."""
        return not self.model_dump(exclude={"format"}, exclude_defaults=True)
