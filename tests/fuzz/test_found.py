"""What fuzzing has found: each file that broke a law is kept, beside the law that it broke."""

from pathlib import Path

import pytest

from finplan.statements.statement import Hints, UnreadableStatement
from tests.fuzz.judge import judge
from tests.statements.reading_files import read_content

JOURNAL = """\
2026-01-01 open Assets:Bank
2026-03-04 * "Shop"
  Assets:Bank  -1,"34.56 USD
  ! Expenses:Food
2026-03-05 * x" y
"""
IN_SENTENCES: dict[str, tuple[str, str]] = {
    "a cell that is no amount": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,-1.50\n2026-03-05,B,"1,5\nx\ny"\n',
    ),
    "a cell that is no date": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,-1.50\n"2026-\n\n03-32",B,-2.50\n',
    ),
    "cells with both decimal signs": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,"9,99°.C\n"\n2026-03-05,A,9999.5\n',
    ),
    "an amount of a journal that is a text": ("beancount", JOURNAL),
    "an included file's name": ("beancount", 'option "title" "x"\ninclude "a\nb.beancount"\n'),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", IN_SENTENCES)
def test_a_quoted_text_keeps_its_sentence_in_one_line(tmp_path: Path, name: str) -> None:
    """What a sentence quotes of the file has its line ends folded, whatever stands within a cell."""
    reader, content = IN_SENTENCES[name]
    assert isinstance(
        judge(reader, content.encode(), tmp_path / "statement", Hints(household="USD")), str
    )


LATE_CURRENCY = """\
:20:REPORT
:25:12345678/1234567890
:28C:1
:13D:2603051200+0100
:61:2603050305C2000,NTRFNONREF//1
:61:2603050305C3000,NTRFNONREF//2
:90D:0EUR0,
:34F:EURD0,
:61:2603060306D7,25NTRFNONREF//2
"""


def test_what_stands_behind_a_line_is_not_said_of_it(tmp_path: Path) -> None:
    """Wherever a block of the file ends, a balance behind a line does not name that line's currency."""
    found = judge("MT940", LATE_CURRENCY.encode(), tmp_path / "statement", Hints("JPY"))
    assert not isinstance(found, str)


def test_an_amount_with_a_control_character_stumbles_nobody(tmp_path: Path) -> None:
    """A control character beside an amount is a space or no amount, and nobody stumbles over it."""
    row = "<STMTTRN><DTPOSTED>20260304<TRNAMT>\x1d-12.50</STMTTRN>"
    content = f"<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM>{row}</STMTRS></OFX>"
    judge("OFX", content.encode(), tmp_path / "statement", Hints(household="USD"))


def test_a_refusal_may_quote_half_a_character(tmp_path: Path) -> None:
    """An escape of half a surrogate pair, which JSON allows, is told of in text that can be written."""
    account = '{"id": "1", "name": "A", "currency": "\\ud800EUR"}'
    content = f'{{"format": "finplan", "version": 1, "accounts": [{account}]}}'
    judge("finplan-json", content.encode(), tmp_path / "statement", Hints(household="USD"))


@pytest.mark.parametrize("zeros", [10, 37, 50, 5000])
def test_an_amount_is_read_whole_or_not_at_all(tmp_path: Path, zeros: int) -> None:
    """However many digits an amount is printed with, none is cut off: else 1.50 becomes 0.00."""
    row = f"<STMTTRN><DTPOSTED>20260304<TRNAMT>{'0' * zeros}1.50</STMTTRN>"
    content = f"<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM>{row}</STMTRS></OFX>"
    try:
        found = read_content(tmp_path / "statement", content).amounts
    except UnreadableStatement:
        found = []
    assert found in ([150], [])
    assert bool(found) == (zeros < 30)
