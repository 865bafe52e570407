"""The doors for outside input: strict, by outside names only."""

from datetime import date
from typing import get_args

import pytest
from pydantic import ValidationError

from finplan.model.account import AccountChange, KindWord
from finplan.model.base import LARGEST, Wire, read_json, read_query
from finplan.model.category import RuleRequest
from finplan.model.detection import TransferQuery, TransferStatus
from finplan.model.money import LARGEST_AMOUNT
from finplan.model.snapshot import IncomeRequest
from finplan.model.transaction import SpendingQuery, TransactionQuery


def test_a_query_is_read_by_its_outside_names() -> None:
    """Scalars are read as strings, repeated values become tuples."""
    query = read_query(
        SpendingQuery, {"from": ["2026-01-02"], "merchant": ["a", "b"], "groupBy": ["month"]}
    )

    assert query == SpendingQuery(since=date(2026, 1, 2), merchant=("a", "b"), group_by="month")


@pytest.mark.parametrize(
    "query",
    [
        {"since": ["2026-01-02"]},
        {"group_by": ["month"]},
        {"colour": ["red"]},
        {"from": ["2026-02-30"]},
        {"from": ["2026-01-01", "2026-01-02"]},
        {"groupBy": ["week"]},
        {"from": ["0"]},
        {"from": ["1767312000"]},
        {"from": ["20260102"]},
        {"from": ["2026-W01-5"]},
        {"from": ["2026-01-02T00:00:00"]},
        {"from": ["٢٠٢٦-٠١-٠٢"]},
    ],
)
def test_a_query_that_does_not_fit_is_refused(query: dict[str, list[str]]) -> None:
    """Inside names, unknown names, repeated scalars and whatever is no YYYY-MM-DD are refused."""
    with pytest.raises(ValidationError):
        read_query(SpendingQuery, query)


@pytest.mark.parametrize(
    "limit", ["0", "501", "7.5", "many", "1_0", "+5", " 5", "5 ", "5.0", "٥", "-", "", "5\n"]
)
def test_numbers_of_a_query_are_whole_and_bounded(limit: str) -> None:
    """An integer in a query string is digits after at most a minus, and within its bounds."""
    with pytest.raises(ValidationError) as refused:
        read_query(TransactionQuery, {"limit": [limit]})

    assert [issue["loc"] for issue in refused.value.errors()] == [("limit",)]
    assert read_query(TransactionQuery, {"limit": ["007"]}) == TransactionQuery(limit=7)


@pytest.mark.parametrize(
    "body",
    [
        '{"id": "a", "balance": "5"}',
        '{"id": "a", "balance": 5.0}',
        f'{{"id": "a", "balance": {LARGEST + 1}}}',
        f'{{"id": "a", "balance": {LARGEST_AMOUNT + 1}}}',
        f'{{"id": "a", "creditLimit": {LARGEST_AMOUNT + 1}}}',
        f'{{"id": "a", "minimumPayment": {LARGEST_AMOUNT + 1}}}',
        '{"id": "a", "credit_limit": 5}',
        '{"id": "a", "hidden": 1}',
    ],
)
def test_json_is_strict(body: str) -> None:
    """A number in a string, a float, one too large, an inside name and 1 for true are refused."""
    with pytest.raises(ValidationError):
        read_json(AccountChange, body)


@pytest.mark.parametrize(
    ("shape", "property_name"),
    [
        (AccountChange, "balance"),
        (AccountChange, "creditLimit"),
        (AccountChange, "minimumPayment"),
        (IncomeRequest, "monthly"),
        (RuleRequest, "amount"),
    ],
)
def test_what_a_person_types_is_bounded_as_statements_are(
    shape: type[Wire], property_name: str
) -> None:
    """The largest amount that may be typed is published, and it is the largest of a statement."""
    published = shape.model_json_schema()["properties"][property_name]
    (bounded,) = [each for each in published["anyOf"] if each["type"] == "integer"]

    assert bounded["maximum"] == LARGEST_AMOUNT
    assert bounded["minimum"] in (0, -LARGEST_AMOUNT)


def test_what_may_not_be_null_is_published_so() -> None:
    """A field that may only be left out is published without null, one that may be cleared with it."""
    published = AccountChange.model_json_schema()["properties"]

    assert published["name"]["type"] == "string"
    assert published["kind"]["enum"] == list(get_args(KindWord))
    assert {"type": "null"} in published["subtype"]["anyOf"]


def test_the_words_that_a_query_may_repeat_are_published() -> None:
    """A repeated value that must be one of some words is published with all of them."""
    published = TransferQuery.model_json_schema()["properties"]["status"]

    assert published["items"]["enum"] == list(get_args(TransferStatus))


def test_what_was_sent_is_known() -> None:
    """Null and absent are told apart, since one clears a value and the other keeps it."""
    change = read_json(AccountChange, '{"id": "a", "creditLimit": null}')

    assert change.model_fields_set == {"id", "credit_limit"}
