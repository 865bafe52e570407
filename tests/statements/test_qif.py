"""QIF: each trap that real files have, written by hand."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.model.money import to_text
from finplan.statements.qif import printed_day
from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from tests.statements import reading_files

OTHER_DAY = "D12/31/2025\nT-1.00\nPOther\n^\n"
"""A record that proves the month first."""


def bank(*records: str, head: str = "!Type:Bank") -> str:
    return head + "\n" + "".join(f"{record}\n^\n" for record in records) + OTHER_DAY


def test_a_record_is_a_row(read_file: reading_files.ReadFile) -> None:
    """Day, amount, and a descriptor of payee and memo, which name the payee where there are both."""
    found = read_file(
        bank("D03/04/2026\nU-4.50\nT-4.50\nC*\nN1001\nPCOFFEE HOUSE\nMCups\nLFood:Coffee")
    )
    assert (found.format, found.encoding) == ("QIF", "utf-8")
    assert found.rows[0] == (
        20260304,
        -450,
        "COFFEE HOUSE Cups",
        None,
        "COFFEE HOUSE",
        False,
        None,
    )
    assert found.rows[1] == (20251231, -100, "Other", None, None, False, None)
    (account,) = found.accounts
    assert (account.number, account.name, account.currency) == (None, "Girokonto", "USD")


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        ("2/10'2020", "2/10/2020"),
        ("1/ 1'01", "1/1/2001"),
        ("1/ 1' 4", "1/1/2004"),
        ("12/31'95", "12/31/1995"),
        ("1/ 1/95", "1/1/95"),
        ("10-31-94", "10-31-94"),
        (" 2022-09-23", "2022-09-23"),
        ("23.10.2013", "23.10.2013"),
    ],
)
def test_quicken_s_dates(printed: str, written: str) -> None:
    """Blanks fill up short numbers, and the apostrophe announces a year from 2000."""
    assert printed_day(printed) == written


@pytest.mark.parametrize(
    ("first", "other", "day"),
    [
        ("3/4'26", "2/14'2026", 20260304),
        ("03/04/2026", "23/10/2026", 20260403),
        ("2026-03-04", "2026-03-05", 20260304),
        ("03-04-26", "10-31-26", 20260304),
        ("4.3.2026", "5.3.2026", 20260304),
    ],
)
def test_one_date_decides_the_order(
    read_file: reading_files.ReadFile, first: str, other: str, day: int
) -> None:
    """A day above twelve anywhere says what all other dates mean."""
    content = f"!Type:Bank\nD{first}\nT-1.00\nPA\n^\nD{other}\nT-1.00\nPB\n^\n"
    assert read_file(content).days[0] == day


def test_an_undecidable_order_is_asked(read_file: reading_files.ReadFile) -> None:
    """Where every date has two readings, only the person knows."""
    content = "!Type:Bank\nD3/4'26\nT-1.00\nPA\n^\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content)
    (question,) = asked.value.questions
    assert question.about == "date_order"
    assert [choice.value for choice in question.choices] == ["dmy", "mdy"]
    assert read_file(content, date_order="dmy").days == [20260403]
    assert read_file(content, date_order="mdy").days == [20260304]


@pytest.mark.parametrize(
    ("printed", "amount"),
    [("-1,234.56", -123456), ("1,000.00", 100000), ("-.5", -50), ("7", 700), ("+3.10", 310)],
)
def test_amounts_with_a_decimal_point(
    read_file: reading_files.ReadFile, printed: str, amount: int
) -> None:
    """Commas group thousands."""
    assert read_file(bank(f"D03/04/2026\nT{printed}\nPA")).amounts[0] == amount


def test_amounts_with_a_decimal_comma(read_file: reading_files.ReadFile) -> None:
    """One amount that only a decimal comma explains decides for all, and for the order of dates."""
    content = "!Type:Bank\nD3/4/2026\nT-1.234\nPA\n^\nD4/4/2026\nT-7,50\nPB\n^\n"
    assert read_file(content).money == [(20260403, -123400), (20260404, -750)]


def test_an_undecidable_decimal_sign_is_asked(read_file: reading_files.ReadFile) -> None:
    """Where every amount looks like 1.000, only the person knows."""
    content = "!Type:Bank\nD12/31/2026\nT-1.000\nPA\n^\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content)
    assert [question.about for question in asked.value.questions] == ["decimal_sign"]
    assert read_file(content, decimal_sign=",").amounts == [-100000]
    assert read_file(content, decimal_sign=".").amounts == [-100]


SPLIT = (
    "D03/04/2026\nT-100.00\nPAmazon\nLFood\nSFood\nD1/10'2020\nEhalf\n$-50.00\nS[Savings]\n$-50.00"
)


def test_a_split_record_is_one_row(read_file: reading_files.ReadFile) -> None:
    """The total counts; what stands in a split is the split's, even a date."""
    found = read_file(bank(SPLIT))
    assert found.money[0] == (20260304, -10000)
    assert len(found.rows) == 2


@pytest.mark.parametrize(
    ("lines", "raw"),
    [
        ("L[Savings]", "[Savings]"),
        ("LFood:Lunch", "Food:Lunch"),
        ("S[Card]\n$-1.00", "[Card]"),
        ("N1001", "Check 1001"),
        ("NATM", "ATM"),
        ("MOnly a memo", "Only a memo"),
        ("PSHOP  7\nMSHOP 7", "SHOP 7"),
    ],
)
def test_what_describes_a_record_without_a_payee(
    read_file: reading_files.ReadFile, lines: str, raw: str
) -> None:
    """The memo, the category or transfer, or the check's number."""
    assert read_file(bank(f"D03/04/2026\nT-1.00\n{lines}")).raws[0] == raw


@pytest.mark.parametrize(
    ("section", "name", "kind", "subtype"),
    [
        ("Bank", "Checking", "depository", "checking"),
        ("Bank", "My Savings", "depository", "savings"),
        ("Cash", "Wallet", "depository", "cash"),
        ("CCard", "Visa", "credit", "credit card"),
        ("Oth A", "House", "other", "asset"),
        ("Oth L", "Loan", "loan", "liability"),
        ("oth l ", "Loan", "loan", "liability"),
    ],
)
def test_a_section_tells_the_kind(
    read_file: reading_files.ReadFile, section: str, name: str, kind: str, subtype: str
) -> None:
    """The account before a section names it, and the section says what it is."""
    head = f"!Account\nN{name}\nT{section}\n^\n!Type:{section}"
    (account,) = read_file(bank("D03/04/2026\nT-1.00\nPA", head=head)).accounts
    assert (account.number, account.name) == (name, name)
    assert (account.kind, account.subtype) == (kind, subtype)


LISTED = "!Option:AutoSwitch\n!Account\nNOne\nTBank\n^\nNTwo\nTCCard\n^\n!Clear:AutoSwitch\n"


def test_a_list_of_accounts_selects_none(read_file: reading_files.ReadFile) -> None:
    """Quicken lists all accounts first; what counts is the account right before a section."""
    one = "!Option:AutoSwitch\n!Account\nNOne\nTBank\n^\n" + bank("D03/04/2026\nT-1.00\nPA")
    two = "!Account\nNTwo\nTCCard\n^\n" + bank("D03/05/2026\nT-2.00\nPB", head="!Type:CCard")
    found = read_file(LISTED + one + two)
    assert [account.name for account in found.accounts] == ["One", "Two"]
    assert [row.amount for row in found.rows_of("Two")] == [-200, -100]
    unnamed = read_file(LISTED + bank("D03/04/2026\nT-1.00\nPA"))
    assert [account.name for account in unnamed.accounts] == ["Girokonto"]


def test_a_switch_within_a_section_ends_the_account(read_file: reading_files.ReadFile) -> None:
    """Records that go on after !Clear:AutoSwitch are of no account that the file names."""
    content = "!Account\nNOne\nTBank\n^\n" + bank("D03/04/2026\nT-1.00\nPA")
    found = read_file(content + "!Clear:AutoSwitch\nD03/05/2026\nT-2.00\nPB\n^\n")
    assert [row.amount for row in found.rows_of("One")] == [-100, -100]
    assert [row.amount for row in found.rows_of("Girokonto")] == [-200]


CATEGORIES = "# a comment\n!Type:Cat\nNFood\nDMeals\nE\n^\n"


MEMORIZED_AND_INVESTED = (
    "!Type:Memorized\nT-50.00\nPRent\nKC\n^\n!Account\nNBroker\nTInvst\n^\n"
    "!Type:Invst\nD03/06/2026\nNBuy\nYX\nT100.00\n^\n!Type:Security\nNCoin\nS^BTCUSD\nTStock\n^"
)


def test_lists_and_investments_between_are_left_out(read_file: reading_files.ReadFile) -> None:
    """Categories, classes, memorised records, securities and investments move no account's money."""
    content = CATEGORIES + bank("D03/04/2026\nT-1.00\nPA") + MEMORIZED_AND_INVESTED
    assert read_file(content).amounts == [-100, -100]


def test_an_opening_balance_moves_no_money(read_file: reading_files.ReadFile) -> None:
    """Quicken's first record states the balance that the account began with; the rest adds up to it."""
    opening = "D01/01/2026\nT1,000.00\nCX\nPOpening Balance\nL[Checking]"
    found = read_file(bank(opening, "D03/04/2026\nT-4.50\nPA"))
    assert found.amounts == [-450, -100]
    assert found.balances == {"Girokonto": (99450, 20260304)}
    later = read_file(bank("D03/04/2026\nT-4.50\nPA", opening))
    assert later.amounts == [-450, 100000, -100]
    assert later.balances == {}


def test_an_account_s_statement_balance_is_kept(read_file: reading_files.ReadFile) -> None:
    """An account's record may say what its last statement said, and when."""
    head = "!Account\nNOne\nTBank\n$1,234.50\n/03/31/2026\n^\n!Type:Bank"
    found = read_file(bank("D03/04/2026\nT-1.00\nPA", head=head))
    assert found.balances == {"One": (123450, 20260331)}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_missing_last_caret(read_file: reading_files.ReadFile, ending: str) -> None:
    """Any line end will do, and the last record's ^ may be missing."""
    content = bank("D03/04/2026\nT-1.00\nPA").removesuffix("^\n")
    assert read_file(content.replace("\n", ending)).amounts == [-100, -100]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (bank("D02/30/2026\nT-1.00\nPA"), "“02/30/2026” is not a possible date"),
        (bank("Dsoon\nT-1.00\nPA"), "“soon” is not a possible date"),
        (bank("D03/04/2026\nTmuch\nPA"), "“much” is not an amount"),
        (bank("D03/04/2026\nPA"), r"Transaction 1 \(“A”\): missing amount"),
        (bank("T-1.00\nPA"), "missing date"),
        (bank("D03/04/2026\nT999,999,999,999.00\nPA"), "too large"),
        (bank("D03/04/2026\nT-1.00\nPA")[:-8], "cut off"),
        ("!Account\nNOne\nTBank\n^\n", "no transactions, only lists"),
        ("!Type:Invst\nD03/06/2026\nNBuy\nT1.00\n^\n", "only investments"),
    ],
)
def test_a_damaged_file_is_refused(
    read_file: reading_files.ReadFile, content: str, words: str
) -> None:
    """No row is lost in silence: the sentence says what is wrong."""
    with pytest.raises(UnreadableStatement, match=words):
        read_file(content)


def test_a_record_without_end_is_refused_soon(
    read_file: reading_files.ReadFile, bytes_read: reading_files.BytesRead
) -> None:
    """Ten megabytes of one record are neither read to their end nor kept in memory."""
    with pytest.raises(UnreadableStatement, match="never ends"):
        read_file("!Type:Bank\nD03/04/2026\nT-1.00\n" + "MA\n" * (5 << 20))
    assert bytes_read() < reading_files.SOON


DAYS = {
    "%m/%d/%Y": "mdy",
    "%d/%m/%Y": "dmy",
    "%Y-%m-%d": "ymd",
    "%m/%d/%y": "mdy",
    "%m/%d'%Y": "mdy",
    "%d.%m.%Y": "dmy",
}


@given(
    written=reading_files.rows,
    style=st.sampled_from(list(DAYS)),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
    is_german=st.booleans(),
)
def test_a_written_file_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[reading_files.Row],
    style: str,
    ending: str,
    is_german: bool,
) -> None:
    """Each row comes back exactly, in order, in any style of dates and amounts."""

    def print_amount(amount: int) -> str:
        whole, _, cents = to_text(abs(amount), "USD").partition(".")
        point, comma = ",." if is_german else ".,"
        grouped = f"{int(whole):,}".replace(",", comma)
        return f"{'-' if amount < 0 else ''}{grouped}{point}{cents}"

    def print_day(day: date) -> str:
        return day.strftime(style)

    path = tmp_path_factory.getbasetemp() / "written.qif"
    hints = Hints(household="USD", date_order=DAYS[style])  # type: ignore[arg-type]
    found = reading_files.read_content(
        path, reading_files.qif(written, print_day, print_amount, ending), hints
    )
    assert [(row.day, row.amount, row.raw) for row in found.rows] == [
        (int(day.strftime("%Y%m%d")), amount, text) for day, amount, text in written
    ]


PIECES = [
    "!Type:Bank\n", "!Type:Invst\n", "!Account\n", "!Clear:AutoSwitch\n", "\n^\n", "^", "\nD", "\nT",
    "\nL[A]\n", "\nPOpening Balance\nL[A]\n", "S", "$", "'", "D1/ 1' 4", "T1.000", "T1,5", "!", "N",
]  # fmt: skip


@given(
    written=reading_files.rows,
    edits=reading_files.damages(PIECES),
    hints=st.builds(
        Hints,
        date_order=st.sampled_from([None, "dmy", "mdy", "ymd"]),
        decimal_sign=st.sampled_from([None, ".", ","]),
        currency=st.sampled_from(["USD", "JPY", "KWD"]),
    ),
)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[reading_files.Row],
    edits: list[reading_files.Damage],
    hints: Hints,
) -> None:
    """Whatever was done to a file, it gives possible rows or one sentence."""
    content = reading_files.qif(written)
    for edit in edits:
        content = edit.done_to(content)
    reading_files.read_or_refuse(
        Path(tmp_path_factory.getbasetemp()) / "damaged.qif", content, hints
    )
