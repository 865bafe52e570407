"""The columns and indexes that tables have in common, in the types that every dialect knows."""

from typing import Any, Literal

from sqlalchemy import BigInteger, Index, Integer, text
from sqlmodel import Field, SQLModel

Big = BigInteger().with_variant(Integer, "sqlite")
"""Sixty-four bits wherever that is not the default."""


def big(*, default: int | None = None, nullable: bool = False) -> Any:
    """A column for amounts in minor units and for instants in milliseconds."""
    default_text = None if default is None else text(str(default))
    return Field(sa_type=Big, nullable=nullable, sa_column_kwargs={"server_default": default_text})


def refers_to(
    target: str,
    *,
    nullable: bool = False,
    primary_key: bool = False,
    ondelete: Literal["CASCADE", "SET NULL"] = "CASCADE",
) -> Any:
    """A column that names a row of another table, such as `person.no`, and mostly goes with it."""
    return Field(
        sa_type=Big,
        foreign_key=target,
        ondelete=ondelete,
        nullable=nullable,
        primary_key=primary_key,
    )


class BareRow(SQLModel):
    """A row with a number inside the store."""

    no: int | None = Field(default=None, sa_type=Big, primary_key=True)


class OwnedRow(BareRow):
    """A row that belongs to one person, and goes with them."""

    owner_no: int = refers_to("person.no")


class IdentifiedRow(BareRow):
    """A row that belongs to one person and is known outside by an id."""

    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows alone that a condition holds for.

    For PostgreSQL only the migrations say the condition: to name that dialect here would load all of it
    into every daemon, 2.5 MB.
    """
    return Index(name, *columns, unique=unique, sqlite_where=text(where))
