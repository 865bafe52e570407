"""What was said of earlier files with one header answers what a file leaves open, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.statements.csv.reader import header_of
from finplan.statements.detect import read
from finplan.statements.statement import (
    AmbiguousStatement,
    Header,
    HeaderAnswers,
    Hints,
    ParsedStatement,
    SourceFile,
    StatementRow,
)
from finplan.statements.table.table import Table
from finplan.statements.text.encoding import Charset

OPEN_DATES = "Date,Description,Amount\n03/04/2026,RENT,-1200.00\n05/04/2026,SHOP,-3.50\n"
OPEN_NUMBERS = "Datum;Text;Betrag\n2026-03-04;RENT;-1.200\n2026-03-05;SHOP;-3.400\n"
GREEK = "Date;Κείμενο;Amount\n2026-03-04;ΕΝΟΙΚΙΟ;-1200,00\n2026-03-05;ΑΓΟΡΑ;-3,50\n"

Take = Callable[..., tuple[ParsedStatement, list[StatementRow]]]
CurrencyOf = Callable[[str, HeaderAnswers], str]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Read a file after this was said of files with its header; give the reading and its rows."""

    def write_and_read(
        content: str | bytes,
        said: HeaderAnswers | None = None,
        *,
        like: str | None = None,
        **hints: Any,
    ) -> tuple[ParsedStatement, list[StatementRow]]:
        path = tmp_path / "Girokonto.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        profiles = {} if said is None else {signature(like or str(content)): said}
        reading = read(SourceFile.of(path), Hints(household="EUR", profiles=profiles, **hints))
        return reading, [row for part in reading.parts for row in part.rows]

    return write_and_read


@pytest.fixture
def currency_of(tmp_path: Path) -> CurrencyOf:
    """Read a file after this was said of files with its header; give its account's currency."""

    def read_currency(content: str, said: HeaderAnswers) -> str:
        path = tmp_path / "Girokonto.csv"
        path.write_text(content)
        reading = read(
            SourceFile.of(path), Hints(household="EUR", profiles={signature(content): said})
        )
        return next(reading.parts).account.currency

    return read_currency


def signature(content: str) -> str:
    """The signature of a content's first line."""
    line = content.splitlines()[0]
    delimiter = ";" if ";" in line else ","
    return header(*line.split(delimiter), delimiter=delimiter).signature


def header(*names: str, delimiter: str = ",") -> Header:
    table = Table(Path(), Charset("utf-8"), delimiter, (), names, len(names))
    found = header_of(table)
    assert found is not None
    return found


def test_what_was_said_is_not_asked_again(take: Take) -> None:
    """An order of dates or a decimal sign that was said before decides, and is told to have done so."""
    reading, rows = take(OPEN_DATES, HeaderAnswers(date_order="dmy", decimal_sign=","))
    assert [row.day for row in rows] == [20260403, 20260405]
    assert reading.used == HeaderAnswers(date_order="dmy")

    reading, rows = take(OPEN_NUMBERS, HeaderAnswers(date_order="dmy", decimal_sign=","))
    assert [row.amount for row in rows] == [-120_000, -340_000]
    assert reading.used == HeaderAnswers(decimal_sign=",")


def test_two_open_questions_are_both_answered(take: Take) -> None:
    """A file that leaves dates and numbers open is read when both were said."""
    text = "Datum;Text;Betrag\n03/04/2026;RENT;-1.200\n05/04/2026;SHOP;-3.400\n"
    reading, rows = take(text, HeaderAnswers(date_order="mdy", decimal_sign="."))
    assert [(row.day, row.amount) for row in rows] == [(20260304, -120), (20260504, -340)]
    assert reading.used == HeaderAnswers(date_order="mdy", decimal_sign=".")

    with pytest.raises(AmbiguousStatement) as asked:
        take(text, HeaderAnswers(date_order="mdy"))
    assert [question.about for question in asked.value.questions] == ["decimal_sign"]


def test_the_file_proves_more_than_was_said(take: Take) -> None:
    """A date or an amount that allows one reading only is read so, whatever was said before."""
    said = HeaderAnswers(date_order="mdy", decimal_sign=",")
    reading, rows = take(OPEN_DATES + "31/12/2026,SHOP,-1.25\n", said)
    assert [row.day for row in rows] == [20260403, 20260405, 20261231]
    assert [row.amount for row in rows] == [-120_000, -350, -125]
    assert reading.used == HeaderAnswers()


def test_an_order_that_no_date_allows_is_asked_for(take: Take) -> None:
    """What was said decides only where it is one of the choices."""
    with pytest.raises(AmbiguousStatement):
        take(OPEN_DATES, HeaderAnswers(date_order="ymd"))


def test_what_is_typed_wins(take: Take) -> None:
    """A hint overrules what was said, and nothing is remembered then."""
    said = {"date_order": "mdy", "currency": "EUR"}
    reading, rows = take(OPEN_DATES, HeaderAnswers(date_order="dmy"), **said)
    assert rows[0].day == 20260304
    assert reading.used == HeaderAnswers()


def test_another_header_knows_nothing(take: Take) -> None:
    """What was said of one header says nothing of another."""
    with pytest.raises(AmbiguousStatement):
        take(OPEN_DATES, HeaderAnswers(date_order="dmy"), like=OPEN_NUMBERS)


def test_a_table_without_a_header_is_never_known(take: Take) -> None:
    """Rows alone have no header to be known by."""
    reading, _ = take("2026-03-04,RENT,-1.00\n2026-03-05,SHOP,-2.00\n")
    assert reading.header is None


def test_a_currency_is_assumed_where_none_is_named(take: Take, currency_of: CurrencyOf) -> None:
    """The currency of before is a file's that names none, and settles a sign that many share."""
    bare = "Date,Description,Amount\n2026-03-04,RENT,-1200.00\n"
    assert currency_of(bare, HeaderAnswers(currency="CHF")) == "CHF"
    assert take(bare, HeaderAnswers(currency="CHF"))[0].used == HeaderAnswers(currency="CHF")

    kroner = "Date,Description,Amount\n2026-03-04,RENT,-1200.00 kr\n"
    with pytest.raises(AmbiguousStatement) as asked:
        take(kroner)
    assert [question.about for question in asked.value.questions] == ["currency"]
    assert currency_of(kroner, HeaderAnswers(currency="SEK")) == "SEK"

    named = "Date,Description,Amount,Currency\n2026-03-04,RENT,-1200.00,GBP\n"
    assert currency_of(named, HeaderAnswers(currency="EUR")) == "GBP"
    assert take(named, HeaderAnswers(currency="EUR"))[0].used == HeaderAnswers()


def test_an_encoding_is_remembered_where_the_file_proves_none(take: Take) -> None:
    """Bytes that may be of several code pages are read in the one that was named for this header."""
    content = GREEK.encode("iso8859_7")
    reading, rows = take(content, HeaderAnswers(encoding="iso8859_7"), like=GREEK)
    assert [row.raw for row in rows] == ["ΕΝΟΙΚΙΟ", "ΑΓΟΡΑ"]
    assert (reading.encoding, reading.used) == ("iso8859-7", HeaderAnswers(encoding="iso8859_7"))

    guessed, _ = take(content)
    assert guessed.encoding != "iso8859-7"


def test_text_that_is_utf_8_proves_it(take: Take) -> None:
    """An encoding of before is left alone where the bytes say what they are."""
    reading, rows = take(GREEK, HeaderAnswers(encoding="iso8859_7"))
    assert [row.raw for row in rows] == ["ΕΝΟΙΚΙΟ", "ΑΓΟΡΑ"]
    assert (reading.encoding, reading.used) == ("utf-8", HeaderAnswers())


def test_text_that_is_utf_8_proves_it_below_any_header(take: Take) -> None:
    """Also where the header is the same in every encoding, the rows say what they are."""
    text = "Date;Text;Amount\n2026-03-04;CAFÉ MÜLLER;-1,00\n2026-03-05;BÄCKEREI;-2,50\n"
    reading, rows = take(text, HeaderAnswers(encoding="cp437"))
    assert rows[0].raw == "CAFÉ MÜLLER"
    assert (reading.encoding, reading.used) == ("utf-8", HeaderAnswers())


def test_an_encoding_that_does_not_fit_is_passed_over(take: Take) -> None:
    """Bytes that the encoding of before cannot be are read as if nothing had been said."""
    text = "Date;Text;Amount\n2026-03-04;CAFÉ MÜLLER;-1,00\n2026-03-05;BÄCKEREI;-2,50\n"
    reading, rows = take(text.encode("cp1252"), HeaderAnswers(encoding="euc_kr"), like=text)
    assert rows[0].raw == "CAFÉ MÜLLER"
    assert (reading.encoding, reading.used) == ("cp1252", HeaderAnswers())


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=5))
def test_case_and_white_space_do_not_make_another_header(names: list[str]) -> None:
    """A header is known again however its names are spaced, and only with its own delimiter."""
    spaced = [f"  {name}\t" for name in names]
    assert header(*spaced).signature == header(*names).signature
    assert header(*names, delimiter=";").signature != header(*names).signature
    assert header(*names, "more").signature != header(*names).signature
    assert header("DATE", "Amount").signature == header("date", "AMOUNT").signature


def test_where_a_name_ends_makes_a_difference() -> None:
    """Names that run into one another are not the same header."""
    assert header("ab", "c").signature != header("a", "bc").signature
