"""What an export asks: which rows, in which format."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.account import AccountRef
from finplan.model.base import Day, Wire
from finplan.model.category import CategoryId, PayeeName

ExportFormat = Literal["json", "csv", "hledger", "beancount"]


class ExportQuery(Wire):
    """Which posted rows, filtered as transactions are, and the format of the file."""

    format: ExportFormat = "json"
    since: Annotated[Day | None, Field(alias="from")] = None
    until: Annotated[Day | None, Field(alias="to")] = None
    category: tuple[CategoryId, ...] = ()
    merchant: tuple[PayeeName, ...] = ()
    account: tuple[AccountRef, ...] = ()
