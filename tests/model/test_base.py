"""The doors for outside input: strict, by outside names only, without what a person cannot see.

JSON says the same with every unseen character escaped; names are kept in normal form or refused,
and those that look like another name are told. Money is an integer, parts always add up to the
whole, and figures as text say exactly what they are given.
"""

import json
import re
import sys
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from finplan.model import base, figures, money
from finplan.model.account import AccountChange, KindWord
from finplan.model.category import RuleRequest
from finplan.model.characters import are_visible, escaped, visible, visible_lines
from finplan.model.connection import Institution
from finplan.model.credential import NewKey
from finplan.model.detection import TransferQuery, TransferStatus
from finplan.model.snapshot import IncomeRequest
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.model.user import UserChange


def test_a_query_is_read_by_its_outside_names() -> None:
    """Scalars are read as strings, repeated values become tuples."""
    query = base.read_query(
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
        base.read_query(SpendingQuery, query)


@pytest.mark.parametrize(
    "limit", ["0", "501", "7.5", "many", "1_0", "+5", " 5", "5 ", "5.0", "٥", "-", "", "5\n"]
)
def test_numbers_of_a_query_are_whole_and_bounded(limit: str) -> None:
    """An integer in a query string is digits after at most a minus, and within its bounds."""
    with pytest.raises(ValidationError) as refused:
        base.read_query(TransactionQuery, {"limit": [limit]})

    assert [issue["loc"] for issue in refused.value.errors()] == [("limit",)]
    assert base.read_query(TransactionQuery, {"limit": ["007"]}) == TransactionQuery(limit=7)


@pytest.mark.parametrize(
    "body",
    [
        '{"id": "a", "balance": "5"}',
        '{"id": "a", "balance": 5.0}',
        f'{{"id": "a", "balance": {base.LARGEST + 1}}}',
        f'{{"id": "a", "balance": {money.LARGEST_AMOUNT + 1}}}',
        f'{{"id": "a", "creditLimit": {money.LARGEST_AMOUNT + 1}}}',
        f'{{"id": "a", "minimumPayment": {money.LARGEST_AMOUNT + 1}}}',
        '{"id": "a", "credit_limit": 5}',
        '{"id": "a", "hidden": 1}',
    ],
)
def test_json_is_strict(body: str) -> None:
    """A number in a string, a float, one too large, an inside name and 1 for true are refused."""
    with pytest.raises(ValidationError):
        base.read_json(AccountChange, body)


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
def test_typed_words_are_bounded_as_statements_are(
    shape: type[base.Wire], property_name: str
) -> None:
    """The largest amount that may be typed is published, and it is the largest of a statement."""
    published = shape.model_json_schema()["properties"][property_name]
    (bounded,) = [each for each in published["anyOf"] if each["type"] == "integer"]

    assert bounded["maximum"] == money.LARGEST_AMOUNT
    assert bounded["minimum"] in (0, -money.LARGEST_AMOUNT)


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
    change = base.read_json(AccountChange, '{"id": "a", "creditLimit": null}')

    assert change.model_fields_set == {"id", "credit_limit"}


BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.thorough
def test_no_control_or_bidirectional_character_is_left() -> None:
    """Whatever Unicode calls one, and white space of every kind becomes a blank."""
    for sign in map(chr, range(sys.maxunicode + 1)):
        shown = visible(f"a{sign}b")
        if sign in "\u061c\u200e\u200f" or unicodedata.bidirectional(sign) in BIDIRECTIONAL:
            assert shown == "ab"
        elif unicodedata.category(sign) == "Cc" or sign.isspace():
            assert shown == "a b"
        elif sign in "\u200c\u200d" or unicodedata.category(sign)[0] in "LMNPS":
            assert shown == f"a{sign}b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31mred", "[31mred"), ("a\r\n b", "a b"), ("\u202egnp.exe", "gnp.exe"), ("\x00", ""),
     ("two  blanks", "two  blanks"), ("می‌خواهم", "می‌خواهم")],
)  # fmt: skip
def test_what_is_seen_of_a_text(text: str, shown: str) -> None:
    """Escapes cannot command a terminal, nor can letters be turned round; words are kept."""
    assert visible(text) == shown


@given(st.lists(st.text(max_size=6), max_size=5))
def test_texts_that_are_said_to_be_visible_are(texts: list[str]) -> None:
    """The quick look never lets anything through, and what was cleaned stays as it is."""
    if are_visible(texts):
        assert list(map(visible, texts)) == texts
    assert [visible(visible(text)) for text in texts] == list(map(visible, texts))


@pytest.mark.parametrize("beside", ["", "é"])
def test_every_control_character_is_found(beside: str) -> None:
    """No control character is taken for visible, beside other letters or not."""
    for sign in map(chr, range(0xA0)):
        assert are_visible([f"a{sign}b", beside]) == sign.isprintable()


@pytest.mark.thorough
def test_lines_keep_their_breaks_and_spaces() -> None:
    """Of several lines each sign is as in one, but the breaks and the spaces that indent stay."""
    for sign in map(chr, range(sys.maxunicode + 1)):
        shown = visible_lines(f"  a{sign}b\n")
        if sign == "\n":
            assert shown == "  a\nb\n"
        elif not sign.isspace():
            assert shown == f"  {visible(f'a{sign}b')}\n"
    assert visible_lines("  a\r\n\tb  c\n") == "  a \n b  c\n"


@pytest.mark.thorough
def test_no_json_hides_or_turns_anything() -> None:
    """No control or bidirectional character is written as it is, and the value stays the same."""
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    content = json.dumps(every, ensure_ascii=False).encode()
    written = escaped(content)

    assert json.loads(written) == every
    assert not [
        sign
        for sign in written.decode()
        if unicodedata.bidirectional(sign) in BIDIRECTIONAL
        or unicodedata.category(sign) == "Cc"
        or sign in "\u061c\u200e\u200f\u200b\u2028\u2029\u00ad\ufeff"
        or 0xE0000 <= ord(sign) < 0xE0080
    ]


def test_plain_json_stays_as_it_is() -> None:
    """What a person sees is not escaped."""
    for content in (b'{"a":"b\\u0007"}', '{"é":"東京 ‌ 😀"}'.encode()):
        assert escaped(content) == content
    assert escaped(b'"a\x7fb"') == rb'"a\u007fb"'


NAMED: tuple[tuple[type[base.Wire], dict[str, Any]], ...] = (
    (AccountChange, {"id": "acc_1"}),
    (Institution, {}),
    (UserChange, {}),
    (NewKey, {}),
)


@pytest.mark.parametrize(("shape", "rest"), NAMED)
@pytest.mark.parametrize(
    "name",
    ["\0", "   ", "\n", "\x1b[31m", "\u202e", "a\u202eb", "\u200b", "\u200d", "\u200c \u200c"],
)
def test_an_unreadable_name_is_refused(
    shape: type[base.Wire], rest: dict[str, Any], name: str
) -> None:
    """Whatever is named, blanks, control characters and signs that turn the text are no name."""
    with pytest.raises(ValidationError, match=base.UNREADABLE_NAME):
        shape.model_validate({**rest, "name": name})


@pytest.mark.parametrize("sign", ["\x1b", "\u202e", "\u200f", "\u2066", "\x9b", "\x00"])
def test_a_subtype_is_typed_as_a_name_is(sign: str) -> None:
    """However it is compared, a subtype is kept as it was typed, so nothing may hide in it."""
    with pytest.raises(ValidationError, match=base.UNREADABLE_NAME):
        AccountChange(id="acc_1", subtype=f"check{sign}ing")
    assert AccountChange(id="acc_1", subtype=" money  market ").subtype == "money market"


@pytest.mark.parametrize(("shape", "rest"), NAMED)
def test_a_name_is_kept_in_normal_form(shape: type[base.Wire], rest: dict[str, Any]) -> None:
    """Spaces around a name go, each run of them is one, and letters are composed."""
    held = shape.model_validate({**rest, "name": "  Cafe\u0301 \t du  Nord\n"})

    assert held.model_dump()["name"] == "Caf\u00e9 du Nord"


@pytest.mark.parametrize(
    "name", ["Ada", "Ада", "می\u200cخواهم", "👨\u200d👩\u200d👧", "O'Neill & co.", "7"]
)
def test_a_name_of_any_script_can_be_read(name: str) -> None:
    """A name that somebody can read stays as it is, with the joiners that its script needs."""
    assert base.readable_name(name) == name


@pytest.mark.parametrize(
    ("name", "taken_for"),
    [
        ("F\u043eod", "Food"),
        ("Fo\u03bfd", "Food"),
        ("\uff26\u043e\u043ed", "Food"),
        ("\u0421\u0430r", "Car"),
        ("F\u200co\u043ed", "Food"),
        ("BiIIs", "Bills"),
        ("Food", "F\u043eod"),
        ("\u041d\u041e\u041c\u0415", "HOME"),
        ("Loans 0", "Loans O"),
    ],
)
def test_a_name_in_the_shape_of_another_is_told(name: str, taken_for: str) -> None:
    """One letter of another alphabet is enough, in either of the two names, in any case."""
    assert base.look_alike(name, ["Else", taken_for]) == taken_for


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Food", "food"),
        ("\uff26ood", "Food"),
        ("Food", "Foot"),
        ("Еда", "Food"),
        ("нота", "hota"),
        ("Fo od", "Food"),
        ("Föod", "Food"),
        ("Дом", "Dom"),
    ],
)
def test_names_that_differ_or_are_the_same_are_no_look_alikes(name: str, other: str) -> None:
    """What is one name has its own refusal; other words, marks and shapes are read apart."""
    assert base.look_alike(name, [other]) is None


def test_the_first_of_several_is_named() -> None:
    """Of several names of one shape the first is told; of none, nothing."""
    assert base.look_alike("F\u043e\u043ed", ["Fuel", "Food", "Fo\u03bfd"]) == "Food"
    assert base.look_alike("Food", []) is None


def test_each_letter_is_drawn_like_one_of_latin() -> None:
    """No letter stands in the table twice, and none is a letter of plain Latin but the capital I."""
    every = "".join(base._LOOK_ALIKES.values())
    assert len(set(every)) == len(every)
    assert [sign for sign in every if sign.isascii()] == list("0I1|")
    for sign, likes in base._LOOK_ALIKES.items():
        assert all(
            unicodedata.category(sign) == unicodedata.category(like)
            for like in likes
            if not like.isascii() and sign != "l" and like != "Ь"
        ), sign


AMOUNTS = st.integers(-(2**53) + 1, 2**53 - 1)
CURRENCIES = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CLF"])


@given(AMOUNTS, CURRENCIES)
def test_text_and_minor_units_are_the_same_amount(amount: int, currency: str) -> None:
    """Writing an amount and reading it again gives the amount, in every exponent."""
    assert money.to_minor(Decimal(money.to_text(amount, currency)), currency) == amount


def test_exponents_are_the_standards() -> None:
    """ISO 4217 knows currencies of no, two, three and four digits."""
    assert [money.exponent(code) for code in ("JPY", "USD", "KWD", "CLF")] == [0, 2, 3, 4]


@given(AMOUNTS, st.lists(st.integers(0, 10**9)))
def test_a_split_adds_up(whole: int, weights: list[int]) -> None:
    """The parts of a split add up to the whole, above and below zero."""
    parts = money.split(whole, weights)

    assert len(parts) == len(weights)
    assert sum(parts) == (whole if weights else 0)


@given(AMOUNTS, st.lists(st.integers(1, 10**6), min_size=1))
def test_a_part_is_off_by_less_than_one(whole: int, weights: list[int]) -> None:
    """No part differs from its exact share by a unit or more."""
    exact = [Fraction(whole * weight, sum(weights)) for weight in weights]

    assert all(
        abs(part - share) < 1
        for part, share in zip(money.split(whole, weights), exact, strict=True)
    )


@given(st.lists(AMOUNTS, min_size=1), st.integers(1, 12))
def test_means_add_up_to_the_mean_of_the_sum(totals: list[int], months: int) -> None:
    """Monthly parts add up to the monthly whole, which is rounded once."""
    whole = money.half_even(sum(totals), months)

    assert sum(money.apportion(whole, [Fraction(total, months) for total in totals])) == whole


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000))
def test_half_even_is_pythons_rounding(numerator: int, denominator: int) -> None:
    """Rounding agrees with the standard library's exact rounding half to even."""
    assert money.half_even(numerator, denominator) == round(Fraction(numerator, denominator))


@pytest.mark.parametrize(
    ("typed", "currency", "amount"),
    [
        ("1840.25", "EUR", 184_025),
        ("1,840.25", "EUR", 184_025),
        ("1,840", "EUR", 184_000),
        ("1840.5", "EUR", 184_050),
        ("-3", "EUR", -300),
        ("1.840", "KWD", 1_840),
        ("1,840", "JPY", 1_840),
    ],
)
def test_an_amount_is_read_as_it_is_typed(typed: str, currency: str, amount: int) -> None:
    """A dot stands before decimals and commas between thousands, in every currency."""
    assert money.typed_amount(typed, currency, "The balance") == amount


@pytest.mark.parametrize(
    ("typed", "currency"),
    [("1.840", "EUR"), ("1840.250", "EUR"), ("1.8", "JPY"), ("1.8400", "KWD"), ("0.000", "USD")],
)
def test_a_dot_between_thousands_is_never_taken_for_decimals(typed: str, currency: str) -> None:
    """More decimals than a currency has are refused even where they are zeros, with what to write."""
    with pytest.raises(ValueError, match="1,840 or 1840"):
        money.typed_amount(typed, currency, "The balance")


class Had(base.Wire):
    """A value that others are made of, some of them of what follows from it."""

    first: int
    second: str = "left out"
    unheard_of: int = 0

    @property
    def both(self) -> str:
        """What follows from its fields."""
        return f"{self.first} {self.second}"


class Made(base.Wire):
    """A value that is made of another one."""

    first: int
    both: str
    third: str = "not there"


@pytest.mark.parametrize("source", [Had(first=1), SimpleNamespace(first=1, both="1 left out")])
def test_a_value_is_made_of_what_another_one_has(source: object) -> None:
    """Of its fields and of what follows from them; what is given wins, what nobody has is as usual."""
    made = Made.of(source)
    assert made == Made(**base.shared_fields(source, Made.model_fields))
    assert made == Made(first=1, both="1 left out", third="not there")
    assert Made.of(source, first=2, third="given") == Made(
        first=2, both="1 left out", third="given"
    )
    assert Made.of({"first": 3, "strange": 1}, both="") == Made(first=3, both="")


amounts = st.integers(-base.LARGEST, base.LARGEST)
currencies = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CHF", "CAD"])


@given(amounts, currencies)
def test_money_keeps_every_digit(amount: int, currency: str) -> None:
    """What is written reads back as the same amount, whatever the sign and the separators."""
    text = figures.money(amount, currency)
    assert Decimal(re.sub(r"[^0-9.]", "", text)).scaleb(money.exponent(currency)) == abs(amount)
    assert text.startswith("-") == (amount < 0)


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (184_025, "USD", "$1,840.25"),
        (-184_025, "USD", "-$1,840.25"),
        (5, "GBP", "£0.05"),
        (1_000_000, "JPY", "¥1,000,000"),
        (1_234_567, "KWD", "KWD 1,234.567"),
        (-500, "CHF", "-CHF 5.00"),
    ],
)
def test_money_is_written_as_people_write_it(amount: int, currency: str, text: str) -> None:
    """A sign where it names one currency without doubt, else the code; the minus stands first."""
    assert figures.money(amount, currency) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(50, "$0"), (150, "$2"), (-150, "-$2"), (-50, "$0"), (99_950, "$1,000")]
)
def test_whole_money_rounds_half_to_even(amount: int, text: str) -> None:
    """Whole units round half to even, and nothing is written as minus nothing."""
    assert figures.whole_money(amount, "USD") == text


def test_a_difference_has_its_sign() -> None:
    """A rise has a plus, a fall a minus, and no change is not written."""
    written = [figures.difference(amount, "USD") for amount in (12_345, -12_345, 0)]
    assert written == ["+$123", "-$123", ""]


@given(st.integers(-(10**9), 10**9), st.integers(-100, 10**9))
def test_a_percentage_needs_a_whole(part: int, whole: int) -> None:
    """A percentage is written of positive wholes alone."""
    assert bool(figures.percent(part, whole)) == (whole > 0)


@pytest.mark.parametrize(
    ("ratio", "text"), [(0.0, "0%"), (0.001, "under 1%"), (0.294, "29%"), (1.0, "100%")]
)
def test_a_small_share_is_not_nothing(ratio: float, text: str) -> None:
    """A share that rounds to nothing is still told from nothing."""
    assert figures.share(ratio) == text


@pytest.mark.parametrize(
    ("since", "until", "text"),
    [
        (date(2024, 11, 1), date(2025, 10, 31), "Nov 2024 – Oct 2025"),
        (date(2025, 2, 1), date(2025, 2, 28), "February 2025"),
        (date(2025, 2, 3), date(2025, 2, 28), "3 Feb 2025 – 28 Feb 2025"),
        (date(2025, 2, 1), date(2025, 2, 27), "1 Feb 2025 – 27 Feb 2025"),
    ],
)
def test_a_window_of_whole_months_is_named_by_months(since: date, until: date, text: str) -> None:
    """Whole months are named as such, anything else by its days."""
    assert figures.month_span(since, until) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (172_800, "2 days ago"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: int, text: str) -> None:
    """An age is whole units of its largest kind; what never happened is "never"."""
    now = datetime(2025, 11, 21, tzinfo=UTC)
    assert figures.age(int((now.timestamp() - seconds) * 1000), now) == text
    assert figures.age(None, now) == "never"


@pytest.mark.parametrize(
    ("since", "until", "text"),
    [
        (date(2026, 7, 1), date(2026, 7, 1), "1 Jul 2026"),
        (date(2026, 7, 1), date(2026, 7, 30), "1 – 30 Jul 2026"),
        (date(2026, 7, 1), date(2026, 11, 30), "1 Jul – 30 Nov 2026"),
        (date(2025, 7, 1), date(2026, 7, 30), "1 Jul 2025 – 30 Jul 2026"),
    ],
)
def test_days_are_named_as_shortly_as_they_can(since: date, until: date, text: str) -> None:
    """What both ends have in common is said once."""
    assert figures.day_span(since, until) == text


@pytest.mark.parametrize(
    ("amounts", "usual"),
    [
        ([], None),
        ([0, 0, 5], None),
        ([1, 2, 3, 4], None),
        ([10, 10, 10, 41], 10),
        ([10, 10, 10, -41, 0, 0], 10),
        ([10, 10, 10, 40], None),
        ([10, 10, 40, 81, 10], 40),
        ([10, 10, 40, 80, 10], None),
        ([10, 10, 90], None),
        ([10, 10, 10, 10, 10, 10, 90, 99], 10),
        ([10, 10, 10, 10, 10, 90, 99], None),
    ],
)
def test_what_is_huge_stands_out_of_a_row(amounts: list[int], usual: int | None) -> None:
    """More than four times the middle one and twice the next, and at most one of four."""
    assert figures.largest_usual(amounts) == usual
