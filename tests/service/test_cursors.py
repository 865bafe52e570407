"""Cursors: only what a page gave is taken, whole, and for the filters that it was given for."""

import base64
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.errors import BadRequest
from finplan.model.transaction import TransactionQuery
from finplan.service.transactions import START, PagePosition, read_cursor, write_cursor

PLACE = PagePosition(pending=False, day=20260318, no=5)
PLACES = st.builds(
    PagePosition,
    st.booleans(),
    st.dates(date(1900, 1, 1), date(2199, 12, 31)).map(lambda day: int(f"{day:%Y%m%d}")),
    st.integers(1, 2**53 - 1),
)
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"since": date(2026, 1, 1)},
    {"until": date(2026, 1, 1)},
    {"category": ("dining",)},
    {"category": ("dining", "groceries")},
    {"merchant": ("dining",)},
    {"account": ("acc_1",)},
    {"pending": True},
    {"pending": False},
)


def _page(cursor: str | None, **filters: Any) -> TransactionQuery:
    return TransactionQuery(cursor=cursor, **filters)


@given(place=PLACES, filters=st.sampled_from(FILTERS), limit=st.integers(1, 500))
def test_a_cursor_is_read_as_it_was_written(
    place: PagePosition, filters: dict[str, Any], limit: int
) -> None:
    """A cursor gives its place back to the question with its filters, whatever the pages' length."""
    cursor = write_cursor(place, TransactionQuery(**filters))

    assert read_cursor(_page(cursor, limit=limit, **filters)) == place


def test_without_a_cursor_the_pages_begin() -> None:
    """No cursor is the place before every row."""
    assert read_cursor(TransactionQuery()) == START


def test_filters_are_the_same_in_any_order() -> None:
    """Repeated values ask the same question in whatever order they stand."""
    one = TransactionQuery(category=("dining", "groceries"))
    other = TransactionQuery(category=("groceries", "dining"))

    assert write_cursor(PLACE, one) == write_cursor(PLACE, other)


@given(place=PLACES, data=st.data())
def test_a_cursor_that_was_cut_is_refused(place: PagePosition, data: st.DataObject) -> None:
    """Wherever a cursor is cut off, it would skip rows in silence, so it is refused."""
    cursor = write_cursor(place, TransactionQuery())
    kept = data.draw(st.integers(0, len(cursor) - 1))

    with pytest.raises(BadRequest, match="cursor"):
        read_cursor(_page(cursor[:kept]))


@pytest.mark.parametrize("given_for", FILTERS)
def test_a_cursor_of_other_filters_is_refused(given_for: dict[str, Any]) -> None:
    """A place in the pages of one question is none in those of another."""
    cursor = write_cursor(PLACE, TransactionQuery(**given_for))
    for asked in FILTERS:
        if asked != given_for:
            with pytest.raises(BadRequest, match="cursor"):
                read_cursor(_page(cursor, **asked))


@pytest.mark.parametrize(
    "place",
    [
        "0.99999999.5",
        "0.20260230.5",
        "0.-5.5",
        "0.20260318.-5",
        "0.20260318.٥",
        "2.20260318.5",
        "+0.20260318.5",
        "00.20260318.5",
        "0.20260318.9007199254740992000000",
        "0.20260318",
        "0.20260318.5.",
    ],
)
def test_a_place_that_no_row_has_is_refused(place: str) -> None:
    """A day that no calendar has, a sign, digits of another script and a third flag are no place."""
    check = base64.urlsafe_b64decode(write_cursor(PLACE, TransactionQuery()) + "==")[-6:].decode()
    for written in (place, f"{place}.{check}"):
        cursor = base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")
        with pytest.raises(BadRequest, match="cursor"):
            read_cursor(_page(cursor))


def test_a_day_is_looked_at_before_the_check() -> None:
    """Even with a check that is right, a day that no calendar has is refused."""
    cursor = write_cursor(PagePosition(pending=False, day=99999999, no=5), TransactionQuery())

    with pytest.raises(BadRequest, match="cursor"):
        read_cursor(_page(cursor))
