"""Laws of the readers for all files: what is written is read, and nothing else is ever raised."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, strategies as st

from finplan.model.money import to_text
from finplan.statements.detect import READERS, read
from finplan.statements.statement import (
    AmbiguousStatement,
    Hints,
    SourceFile,
    StatementReader,
    UnreadableStatement,
)
from finplan.statements.table.dates import read_days
from finplan.statements.table.numbers import AmountConverter
from finplan.statements.table.row_words import balance_name
from finplan.statements.text import encoding
from finplan.statements.text.descriptors import fold, shapes_of
from tests.statements import test_camt, test_mt940, test_qif
from tests.statements.reading_files import read_content


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


LARGEST = 10**13
days = st.dates(date(1970, 1, 1), date(2069, 12, 31))
amounts = st.integers(-LARGEST, LARGEST) | st.integers(-10_000, 10_000)
PROOFS = ("payment", "paiement", "zahlung", "pago")
"""Words that turn a card's amounts round, which is another test's subject."""
texts = (
    st.text(st.characters(codec="cp1252", exclude_categories=["Cc", "Cf"]), min_size=1, max_size=40)
    .map(fold)
    .filter(lambda text: text and text[0] != "'" and balance_name(text) == "none")
    .filter(lambda text: not any(word in text.lower() for word in PROOFS))
)
rows = st.lists(st.tuples(days, amounts, texts), min_size=1, max_size=12)

DATE_STYLES: dict[str, tuple[str, str]] = {
    "%Y-%m-%d": ("ymd", "dmy"),
    "%Y%m%d": ("ymd", "mdy"),
    "%d/%m/%Y": ("dmy", "dmy"),
    "%m/%d/%Y": ("mdy", "mdy"),
    "%d.%m.%y": ("dmy", "dmy"),
    "%m-%d-%Y": ("mdy", "mdy"),
    "%d %b %Y": ("dmy", "ymd"),
    "%b %d, %Y": ("mdy", "ymd"),
    "%Y-%m-%dT%H:%M:%S": ("ymd", "dmy"),
    "%d/%m/%Y %H:%M": ("dmy", "dmy"),
}
"""How to print a date, and two answers to the question of its order that must leave it right."""


@dataclass(frozen=True)
class NumberStyle:
    """How to print an amount."""

    decimal: str
    group: str
    negative: Callable[[str], str]
    currency: str

    def printed(self, amount: int) -> str:
        whole, _, cents = to_text(abs(amount), "USD").partition(".")
        grouped = f"{int(whole):,}".replace(",", self.group)
        number = f"{grouped}{self.decimal}{cents}"
        return (self.negative(number) if amount < 0 else number) + self.currency


number_styles = st.builds(
    NumberStyle,
    decimal=st.sampled_from([".", ","]),
    group=st.sampled_from(["", "'", " ", "\u00a0", ".", ","]),
    negative=st.sampled_from(["-{}".format, "−{}".format, "({})".format, "{}-".format]),
    currency=st.sampled_from(["", " €", " EUR"]),
).filter(lambda style: style.decimal != style.group)


@pytest.mark.thorough
@given(
    written=rows,
    date_style=st.sampled_from(list(DATE_STYLES)),
    which_hint=st.integers(0, 1),
    style=number_styles,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    ending=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    layout=st.sampled_from(["amount", "columns", "marks"]),
)
def test_a_written_table_is_read_back(
    folder: Path,
    written: list[tuple[date, int, str]],
    date_style: str,
    which_hint: int,
    style: NumberStyle,
    delimiter: str,
    ending: str,
    encoding: str,
    layout: str,
) -> None:
    """In every style of numbers, dates and cells, each row comes back exactly, in order."""
    header = {
        "amount": ["Date", "Description", "Amount"],
        "columns": ["Date", "Description", "Debit", "Credit"],
        "marks": ["Date", "Description", "Amount", "D/C"],
    }[layout]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=ending)
    writer.writerow(header)
    for day, amount, text in written:
        sized = style.printed(abs(amount))
        money = {
            "amount": [style.printed(amount)],
            "columns": [sized, ""] if amount < 0 else ["", sized],
            "marks": [sized, "D" if amount < 0 else "C"],
        }[layout]
        writer.writerow([day.strftime(date_style), text, *money])
    order = DATE_STYLES[date_style][which_hint]
    hints = Hints(household="USD", date_order=order, direction="in")  # type: ignore[arg-type]
    found = read_content(folder / "table", buffer.getvalue(), hints, encoding)
    assert [(row.day, row.amount, row.raw) for row in found.rows] == [
        (int(day.strftime("%Y%m%d")), amount, text) for day, amount, text in written
    ]


@given(written=rows, ids=st.booleans(), xml=st.booleans())
def test_a_written_ofx_file_is_read_back(
    folder: Path, written: list[tuple[date, int, str]], ids: bool, xml: bool
) -> None:
    """SGML or XML, each transaction comes back exactly, in order."""

    def element(tag: str, value: str) -> str:
        return f"<{tag}>{escape(value)}" + (f"</{tag}>\n" if xml else "\n")

    body = "".join(
        "<STMTTRN>"
        + element("DTPOSTED", day.strftime("%Y%m%d"))
        + element("TRNAMT", to_text(amount, "USD"))
        + (element("FITID", f"id{place}") if ids else "")
        + element("NAME", text)
        + "</STMTTRN>"
        for place, (day, amount, text) in enumerate(written)
    )
    account = f"<BANKACCTFROM>{element('ACCTID', '1234')}</BANKACCTFROM>"
    content = f"<OFX><STMTRS>{element('CURDEF', 'USD')}{account}{body}</STMTRS></OFX>"
    found = read_content(folder / "statement", content)
    assert [(row.day, row.amount, row.raw, row.external_id) for row in found.rows] == [
        (int(day.strftime("%Y%m%d")), amount, text, f"id{place}" if ids else None)
        for place, (day, amount, text) in enumerate(written)
    ]


@given(column=st.lists(amounts, min_size=1, max_size=20), style=number_styles)
def test_a_column_of_amounts_is_converted_exactly(column: list[int], style: NumberStyle) -> None:
    """Converting a whole column at once never changes a digit or a sign."""
    cells = [style.printed(amount) for amount in column]
    shapes = shapes_of(cells)
    converter = AmountConverter(style.decimal, "USD")
    assert converter.knows(shapes)
    assert converter.convert(cells, shapes) == column


@given(day=days, style=st.sampled_from(list(DATE_STYLES)))
def test_a_printed_date_is_read_in_its_own_order(day: date, style: str) -> None:
    """Every style gives the day back in the order that it was printed in."""
    found = read_days(day.strftime(style))
    assert found is not None
    assert getattr(found, DATE_STYLES[style][0]) == int(day.strftime("%Y%m%d"))


@pytest.mark.parametrize(
    "content",
    [
        test_mt940.statement(
            ":61:2603040304D5,00NTRFNONREF//REF7654321\n:86:" + "COFFEEHOUSE13" * 5 + "\nSEATTLE\n"
        )
        * 3,
        test_qif.bank("D03/04/2026\nT-1.00\nPA\nMB", "D03/05/2026\nT-2.00\nPC"),
        test_camt.document(*(test_camt.entry(each, rest=test_camt.OTHER_SIDE) for each in "47")),
    ],
    ids=["MT940", "QIF", "CAMT"],
)
@given(size=st.integers(1, 90), ending=st.sampled_from(["\r\n", "\r"]))
def test_a_blocks_end_changes_nothing(folder: Path, content: str, size: int, ending: str) -> None:
    """A file is read in blocks, and one may end anywhere, even within a tag or a line's end."""
    content = content.replace("\n", ending)
    wanted = read_content(folder / "blocks", content).rows
    assert wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "BLOCK", size)
        assert read_content(folder / "blocks", content).rows == wanted


PIECES = [
    "<OFX>", "</OFX>", "<STMTRS>", "</STMTRS>", "<INVSTMTRS>", "<STMTTRN>", "</STMTTRN>", "<!--",
    "-->", "<![CDATA[", "]]>", "<DTPOSTED>20260304", "<DTPOSTED>", "<TRNAMT>-1.50", "<TRNAMT>.",
    "<NAME>SHOP &amp;", "<ACCTID>12", "<BANKACCTFROM>", "<LEDGERBAL>", "<BALAMT>7", "<CURDEF>USD",
    "<PAYEE>", "<", ">", "</", "Date,Text,Amount\n", "Date;Debit;Credit;Balance;Status\n",
    "2026-03-04,SHOP,-1.50\n", "04/03/2026", "2026-02-30", "1.000", "1,5", "(2.00)", "-", "12 DR",
    "$", "€", ",", ";", "\t", '"', "\n", "\r\n", "\0", "\ufeff", "Pending", "Total", "USD", "é",
    "x" * 200, "sep=;\n", "=1+1", "9" * 30, "٣", "\x1f", "\x85", "\u2028",
]  # fmt: skip
contents = st.binary(max_size=400) | st.lists(st.sampled_from(PIECES), max_size=60).map(
    "".join
).flatmap(
    lambda text: st.sampled_from(["utf-8", "utf-16", "utf-32-be", "utf-8-sig"]).map(text.encode)
)
hints = st.builds(
    Hints,
    currency=st.sampled_from(["USD", "EUR", "JPY", "KWD"]),
    encoding=st.sampled_from([None, "utf-8", "cp1252", "utf-16", "shift_jis", "nonsense"]),
    date_order=st.sampled_from([None, "dmy", "mdy", "ymd"]),
    decimal_sign=st.sampled_from([None, ".", ","]),
)


def read_by_detection(source: SourceFile, hints: Hints) -> None:
    for part in read(source, hints).parts:
        assert all(abs(row.amount) <= LARGEST for row in part.rows)


def read_by(reader: StatementReader) -> Callable[[SourceFile, Hints], None]:
    def read_whole(source: SourceFile, hints: Hints) -> None:
        reader.recognises(source)
        for part in reader.read(source, hints).parts:
            assert all(read_days(str(row.day)) for row in part.rows)

    return read_whole


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "attempt",
    [read_by_detection, *map(read_by, READERS)],
    ids=["detection", *(reader.format for reader in READERS)],
)
@given(content=contents, hints=hints)
def test_nothing_but_the_two_refusals_is_raised(
    folder: Path, attempt: Callable[[SourceFile, Hints], None], content: bytes, hints: Hints
) -> None:
    """Any bytes are a statement with possible rows, or are refused in a sentence."""
    path = folder / "anything"
    path.write_bytes(content)
    sentence = "Everything is read."
    try:
        attempt(SourceFile.of(path), hints)
    except (UnreadableStatement, AmbiguousStatement) as refusal:
        sentence = str(refusal)
    assert sentence.endswith((".", "”", "?"))
    assert "\n" not in sentence


@given(written=rows)
def test_reading_twice_gives_the_same(folder: Path, written: list[tuple[date, int, str]]) -> None:
    """A file says the same each time, so that a commit does what its preview showed."""
    lines = [
        f"{day};{text.replace(';', ',').replace(chr(34), '')};{to_text(amount, 'USD')}"
        for day, amount, text in written
    ]
    content = "Date;Text;Amount\n" + "\n".join(lines) + "\n"
    first = read_content(folder / "twice", content, Hints(household="USD", direction="in"))
    assert read_content(folder / "twice", content, Hints(household="USD", direction="in")) == first
