"""The columns and indexes that tables have in common, in the types that every dialect knows."""

from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, text
from sqlmodel import Field

Big = BigInteger().with_variant(Integer, "sqlite")
"""Sixty-four bits wherever that is not the default."""


def number() -> Any:
    """A table's own key, its number inside the store."""
    return Field(default=None, sa_column=Column("no", Big, primary_key=True))


def big(*, default: int | None = None, nullable: bool = False) -> Any:
    """A column for amounts in minor units and for instants in milliseconds."""
    default_text = None if default is None else text(str(default))
    return Field(sa_type=Big, nullable=nullable, sa_column_kwargs={"server_default": default_text})


def refers_to(target: str, *, nullable: bool = False) -> Any:
    """A column that names a row of another table, such as `person.no`, and goes with it."""
    return Field(sa_column=Column(Big, ForeignKey(target, ondelete="CASCADE"), nullable=nullable))


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows alone that a condition holds for.

    For PostgreSQL only the migrations say the condition: to name that dialect here would load all of it
    into every daemon, 2.5 MB.
    """
    return Index(name, *columns, unique=unique, sqlite_where=text(where))
