"""The tables of a person's own categories, and of the suggestions that the person does not want."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, refers_to


class CustomCategoryRow(SQLModel, table=True):
    """A category that a person made; `known_as` is its name without differences of letters' case.

    Rules name it by its id. `reimbursable` is 1 when somebody pays its charges back.
    """

    __tablename__ = "custom_category"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    name: str
    known_as: str
    line: str
    reimbursable: int
    created_at: int = big()

    __table_args__ = (Index("custom_category_name", "owner_no", "known_as", unique=True),)


class DismissedSuggestionRow(SQLModel, table=True):
    """The name of a suggested category that the person does not want to hear of."""

    __tablename__ = "dismissed_suggestion"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    name: str

    __table_args__ = (Index("dismissed_suggestion_name", "owner_no", "name", unique=True),)
