"""What an export asks: which rows, in which format."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Wire

ExportFormat = Literal["json", "csv", "hledger", "beancount"]


class ExportQuery(Wire):
    """Which posted rows, filtered as transactions are, and the format of the file."""

    format: ExportFormat = "json"
    since: Annotated[date | None, Field(alias="from")] = None
    until: Annotated[date | None, Field(alias="to")] = None
    category: tuple[str, ...] = ()
    merchant: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
