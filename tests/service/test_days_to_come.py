"""Rows booked on days to come: the report says so, for their days may be read the wrong way round."""

from collections.abc import Awaitable, Callable

import pytest

from finplan.model.statement import FileReport, ImportReport

Import = Callable[..., Awaitable[ImportReport]]

ON_TIME = "2026-11-14,SHOP,-3.00\n"
A_WEEK_AHEAD = "2026-11-28,RENT,-1200.00\n"
"""Seven days after the day on which these tests take place."""
EIGHT_DAYS_AHEAD = "2026-11-29,SHOP,-4.00\n"

_OPTION = "; if days and months are the wrong way round, say it with --date-order."


def _table(*rows: str, header: str = "Date,Description,Amount\n") -> str:
    return header + "".join(rows)


def _said(report: FileReport) -> list[str]:
    return [note for note in report.notes if "to come" in note]


async def test_rows_more_than_a_week_ahead_are_told(import_texts: Import) -> None:
    """Day and month the wrong way round make days to come, which nobody has booked."""
    text = "Date,Description,Amount\n" + "".join(
        f"{month:02}/10/2026,SHOP {month},-{month}.50\n" for month in range(3, 13)
    )
    report = await import_texts({"checking.csv": text}, date_order="mdy")
    assert _said(report.files[0]) == ["One row is on a day to come, 10 Dec 2026" + _OPTION]


@pytest.mark.parametrize(("day", "option"), [(12, _OPTION), (13, ".")])
async def test_a_day_that_is_no_month_is_not_the_wrong_way_round(
    import_texts: Import, day: int, option: str
) -> None:
    """The option that turns day and month is named only where it could turn them."""
    text = _table(ON_TIME, f"2026-12-{day},SHOP,-5.00\n")
    report = await import_texts({"checking.csv": text})
    assert _said(report.files[0]) == [f"One row is on a day to come, {day} Dec 2026{option}"]


async def test_each_file_says_how_many_and_the_last(import_texts: Import) -> None:
    """Only the rows of a file itself count, and a preview says the same."""
    ahead = _table(ON_TIME, A_WEEK_AHEAD, EIGHT_DAYS_AHEAD, "2027-01-02,SHOP,-5.00\n")
    files = {"checking.csv": ahead, "card.csv": _table(ON_TIME.replace("3.00", "8.00"))}
    for dry_run in (True, False):
        first, second = (await import_texts(files, dry_run=dry_run)).files
        assert _said(first) == ["2 rows are on days to come, the last on 2 Jan 2027" + _OPTION]
        assert _said(second) == []


async def test_a_week_ahead_is_nothing_to_tell(import_texts: Import) -> None:
    """Banks date what is booked over holidays a few days ahead."""
    report = await import_texts({"checking.csv": _table(ON_TIME, A_WEEK_AHEAD)})
    assert _said(report.files[0]) == []


async def test_pending_rows_may_lie_ahead(import_texts: Import) -> None:
    """A standing order that waits for its day is nothing to look at."""
    header = "Date,Description,Amount,Status\n"
    rows = ("2026-11-14,SHOP,-3.00,booked\n", "2026-12-14,RENT,-1200.00,pending\n")
    report = await import_texts({"checking.csv": _table(*rows, header=header)})
    assert (_said(report.files[0]), report.files[0].pending) == ([], 1)


async def test_a_format_of_one_order_of_dates_names_no_option(import_texts: Import) -> None:
    """OFX writes the year first, so that no answer changes its days."""
    text = (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        "<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>000111222<ACCTTYPE>CHECKING"
        "</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101<DTEND>20261130"
        "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20261129<TRNAMT>-5.00<FITID>1<NAME>SHOP</STMTTRN>"
        "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    report = await import_texts({"one.ofx": text})
    assert _said(report.files[0]) == ["One row is on a day to come, 29 Nov 2026."]
