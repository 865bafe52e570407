"""Where a table begins and ends in a file, and what parts its cells.

Rows go on in the lines below them, and headings say of which state the rows below are.
"""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.statements.statement import UnreadableStatement
from finplan.statements.table.table import Cells, find_table, plain_columns
from finplan.statements.text.encoding import Charset
from tests.statements.reading_files import ReadFile, read_content

ROWS = [("2026-03-04", "COFFEE", "-4.50"), ("2026-03-05", "PAY", "1000.00")]
MONEY = [(20260304, -450), (20260305, 100000)]
HEADER = "Date,Description,Amount\n"
TABLE = HEADER + "".join(",".join(row) + "\n" for row in ROWS)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^"])
def test_the_delimiter_is_found(read_file: ReadFile, delimiter: str) -> None:
    """Any usual sign may part the cells."""
    found = read_file(TABLE.replace(",", delimiter))
    assert (found.format, found.money, found.raws) == ("CSV", MONEY, ["COFFEE", "PAY"])


def test_an_explicit_separator_is_obeyed(read_file: ReadFile) -> None:
    """The first line of a spreadsheet's export names the sign, even where another would fit better."""
    found = read_file("sep=;\r\nDate;Description;Amount\r\n2026-03-04;A, B, C;-4.50\r\n")
    assert (found.money, found.raws) == ([(20260304, -450)], ["A, B, C"])


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_ends_a_row(read_file: ReadFile, ending: str) -> None:
    """Files of Unix, Windows and old Macintosh are the same."""
    assert read_file(TABLE.replace("\n", ending)).money == MONEY


def test_a_last_row_without_line_end_counts(read_file: ReadFile) -> None:
    """Many banks leave the last line end out."""
    assert read_file(TABLE.rstrip("\n")).money == MONEY


def test_lines_above_the_header_are_no_rows(read_file: ReadFile) -> None:
    """Statements begin with whose they are, even with dates and amounts among it."""
    above = 'Account,12345\nPeriod,01/03/2026,31/03/2026\n2026-03-01,Balance,"1,000.00"\n\n'
    assert read_file(above + TABLE).money == MONEY


FOOTERS = (
    '\nTotal,,995.50\nClosing balance,,"1,995.50"\n'
    '"This is no advice, of any kind, to anyone. As of 03/06/2026."\nDownloaded,2026-03-06 10:00,\n'
)


def test_lines_below_the_rows_are_no_rows(read_file: ReadFile) -> None:
    """Footers, sums and disclaimers are left out, also one with a date and commas in it."""
    assert read_file(TABLE + FOOTERS).money == MONEY


@pytest.mark.parametrize("row", [",SHOP,-3.00", ",NEW BALANCE 1234 BOSTON,-3.00"])
@pytest.mark.parametrize("after", ["", ",Total,-7.00\n", "\nExported by A\n"])
def test_a_last_row_without_a_date_is_refused(read_file: ReadFile, row: str, after: str) -> None:
    """A row with a text and an amount is lost nowhere, also not at the end where footers stand."""
    text = row.split(",")[1]
    content = f"Date,Text,Amount\n2026-05-01,A,-1.00\n{row}\n{after}"
    with pytest.raises(UnreadableStatement) as refused:
        read_file(content)
    assert str(refused.value).startswith(f"Line 3: “{text}” ")


@pytest.mark.parametrize(
    "row",
    [
        ",Total,-4.00",
        ",Sum of all rows,-3.00",
        ",New balance,96.00",
        ",Saldo 31.05.2026,96.00",
        ",Net movement,-3.00",
        ",Spent,3.00",
    ],
)
def test_a_last_row_that_is_a_sum_is_a_footer(read_file: ReadFile, row: str) -> None:
    """A sum or a balance is known by its word, or by being the sum of its column."""
    content = f"Date,Text,Amount\n2026-05-01,A,-1.00\n2026-05-02,B,-2.00\n{row}\n"
    assert read_file(content).raws == ["A", "B"]


def test_each_of_two_columns_has_its_own_sum(read_file: ReadFile) -> None:
    """Below columns of debits and credits a footer states the sum of each, or of one."""
    table = "Date,Text,Debit,Credit\n2026-05-01,A,1.00,\n2026-05-02,B,,5.00\n2026-05-03,C,2.00,\n"
    assert read_file(f"{table},Movements,3.00,5.00\n").raws == ["A", "B", "C"]
    with pytest.raises(UnreadableStatement, match=r"^Line 5: “Movements” has an amount"):
        read_file(f"{table},Movements,3.00,4.00\n")


def test_many_rows_without_a_date_are_no_footers(read_file: ReadFile) -> None:
    """Sums come in small numbers, so the rows that are set aside have a bound."""
    content = "Date,Text,Amount\n2026-05-01,A,-1.00\n" + ",Net,-1.00\n" * 1000
    with pytest.raises(UnreadableStatement, match=r"^Line 3: “Net” has an amount"):
        read_file(content)


def test_a_repeated_header_and_comments_are_no_rows(read_file: ReadFile) -> None:
    """Each page of a long statement may repeat the column names."""
    page = "".join(",".join(row) + "\n" for row in ROWS)
    assert read_file(f"# exported\n{TABLE}# page 2\n{HEADER}{page}").money == MONEY * 2


def test_a_table_without_header_is_understood_by_its_cells(read_file: ReadFile) -> None:
    """Dates, an amount and a text are told apart without names."""
    content = '"03/14/2026","-12.34","*","","STORE"\n"03/13/2026","1500.00","*","","PAYROLL"\n'
    found = read_file(content)
    assert found.money == [(20260314, -1234), (20260313, 150000)]
    assert found.raws == ["STORE", "PAYROLL"]


def test_a_header_in_an_unknown_language_is_no_row(read_file: ReadFile) -> None:
    """Names that say nothing still stand above their columns."""
    found = read_file(TABLE.replace("Date,Description,Amount", "Päiväys?,Selite?,Euroa?"))
    assert (found.money, found.raws) == (MONEY, ["COFFEE", "PAY"])


def test_a_header_that_does_not_fit_its_rows_is_not_believed(read_file: ReadFile) -> None:
    """Where rows have lost a column, their cells decide, not the names above other cells."""
    found = read_file("Date,Street,City,Amount,\n" + '2026-03-04,"High St, London",-4.50,\n' * 2)
    assert found.amounts == [-450, -450]


def test_cells_may_hold_line_ends_and_quotes(read_file: ReadFile) -> None:
    """A quoted cell keeps what it holds; the descriptor folds its white space."""
    found = read_file(HEADER + '2026-03-04,"SHOP\nNo. ""7""  \tX",-4.50\n')
    assert found.raws == ['SHOP No. "7" X']


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADER, "No line of the table"),
        (
            'Date,Description,Amount\n2026-03-04,"12 inch,-4.50\n2026-03-05,B,-1.00\n',
            "never closed",
        ),
        (TABLE + "2026-03-06,1,000 THINGS,-1.00\n", "Put cells that contain"),
        (TABLE + "2026-03-06,COF", "cut off in its last line"),
        ("Date,Amount,What\n04.03.2026,-12,50,Shop\n05.03.2026,-3,75,Shop\n", "split the amounts"),
        ("04.03.2026,Shop,-12,50\n05.03.2026,Shop,-3,75\n", "split the amounts"),
        (
            "Start Date,End Date,Start Balance\n2026-01-01,2026-01-31,$1\n",
            "needs a column of amounts",
        ),
        ("Name,Amount\nA,1.00\n", "No line of this text has both a date"),
    ],
    ids=["no rows", "quote", "comma", "cut off", "decimals", "no header", "periods", "no dates"],
)
def test_a_lossy_table_is_refused_whole(read_file: ReadFile, content: str, words: str) -> None:
    """What cannot be read with certainty is refused with a sentence, never guessed."""
    with pytest.raises(UnreadableStatement) as refused:
        read_file(content)
    assert words in str(refused.value)


@pytest.mark.parametrize("number", [1, 1001, 40_000])
def test_a_refusal_names_the_line(tmp_path: Path, number: int) -> None:
    """The line of a damaged row is found again, wherever it stands."""
    lines = [",".join(ROWS[0])] * number + ["2026-03-06,BAD,12.x4"] + [",".join(ROWS[1])] * 10
    with pytest.raises(
        UnreadableStatement, match=rf"^Line {number + 2}: “12.x4” is not an amount\.$"
    ):
        read_content(tmp_path / "a.csv", HEADER + "\n".join(lines) + "\n")


def test_a_row_without_a_date_between_others_is_refused(read_file: ReadFile) -> None:
    """A row that has everything but a date is not dropped as if it were a footer."""
    content = TABLE + ",LOST,-7.00\n" + ",".join(ROWS[0]) + "\n"
    with pytest.raises(UnreadableStatement, match=r"^Line 4: “.+” has an amount"):
        read_file(content)


def test_a_big_table_comes_in_parts(tmp_path: Path) -> None:
    """No part holds more than some thousands of rows; every row comes once, in the file's order."""
    lines = [f"2026-03-04,SHOP {number},-{number}.01" for number in range(50_000)]
    found = read_content(tmp_path / "big.csv", HEADER + "\n".join(lines))
    assert found.raws == [f"SHOP {number}" for number in range(50_000)]
    assert found.amounts == [-100 * number - 1 for number in range(50_000)]
    assert max(len(part.rows) for part in found.parts) < 30_000


def test_a_row_that_never_ends_is_refused(tmp_path: Path) -> None:
    """Quoted line ends cannot make one row of a whole file."""
    content = TABLE + '"\n",' * 1_200_000
    with pytest.raises(UnreadableStatement, match=r"never ends|never closed"):
        read_content(tmp_path / "a.csv", content)


def test_a_line_that_never_ends_is_refused(tmp_path: Path) -> None:
    """A text without line ends is not read into memory whole."""
    with pytest.raises(UnreadableStatement, match="a million characters"):
        read_content(tmp_path / "a.csv", TABLE + "x," * 2_000_000)


def test_a_table_of_absurd_width_is_none(tmp_path: Path) -> None:
    """Thousands of columns are no bank's."""
    path = tmp_path / "wide.csv"
    path.write_text("2026-03-04,-1.00" + ",x" * 600 + "\n")
    assert find_table(path, Charset("utf-8")) is None


@given(
    lines=st.lists(
        st.text(st.sampled_from("ab,; \"'\r\n\t\x0b\u2028é"), max_size=8), min_size=1, max_size=8
    ),
    end=st.sampled_from(["\n", "\r\n", "\r", ""]),
    width=st.integers(2, 4),
)
def test_a_plain_text_is_split_as_csv_splits_it(lines: list[str], end: str, width: int) -> None:
    """Columns that are split without csv are those that csv makes; what is not plain is left to it."""
    text = "".join(f"{line}{end}" for line in lines)
    columns = plain_columns(text, ",", width)
    rows = list(csv.reader(StringIO(text, newline="")))
    if columns is not None:
        assert [list(row) for row in zip(*columns, strict=True)] == rows
        assert Cells.of_columns(columns).rows == rows
        assert Cells.of_columns(columns).row(-1) == rows[-1]
    elif end in {"\n", "\r\n"} and not set('"\r\n') & set("".join(lines)):
        assert {len(row) for row in rows} != {width}


def test_a_cell_that_csv_refuses_is_left_to_csv() -> None:
    """A line that may hold a cell that is longer than csv allows is no plain one."""
    assert plain_columns(f"a,{'b' * ((1 << 17) - 2)}\nc,d\n", ",", 2) is not None
    assert plain_columns(f"a,{'b' * ((1 << 17) + 1)}\n", ",", 2) is None
    assert plain_columns(",\n" * 100 + f"a,{'b' * ((1 << 17) - 2)}\n", ",", 2) is not None
    assert plain_columns(",\n" * 100 + f"a,{'b' * ((1 << 17) - 1)}\n", ",", 2) is None


def test_a_named_column_of_amounts_is_never_replaced(read_file: ReadFile) -> None:
    """Where a cell below “Amount” cannot be one, the balance beside it is not taken for the amounts."""
    text = "Date,Description,Amount,Balance\n2026-03-04,COFFEE,{},100.00\n2026-03-05,PAY,20.00,120.00\n"
    assert read_file(text.format("n/a")).amounts == [2000]
    with pytest.raises(UnreadableStatement, match=r"Line 2: “tba” .* “Amount” is not an amount"):
        read_file(text.format("tba"))


@pytest.mark.parametrize("ending", ["", "\n"])
def test_the_last_row_helps_to_find_the_columns(read_file: ReadFile, ending: str) -> None:
    """Each row prints the balance before it, the balance after it and the amount, line end or not."""
    text = "2026-03-04\t15.00\t10.00\t-5.00\tCOFFEE\n2026-03-05\t10.00\t0.00\t-10.00\tTEA" + ending
    found = read_file(text)
    assert found.money == [(20260304, -500), (20260305, -1000)]
    assert [*found.balances.values()] == [(0, 20260305)]


@pytest.mark.parametrize("blank", ["", "0", "0.00"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_balance_tells_columns_in_turns(read_file: ReadFile, blank: str, turned: bool) -> None:
    """Without a header, blank or zero makes no difference, nor which of the two comes first."""
    moves = [("", "500.00", "500.00"), ("100.00", "", "400.00"), ("50.00", "", "350.00")]
    moves += [("20.00", "", "330.00")]
    lines = [
        [f"2026-03-0{day}", "TEXT", *((into, out)[:: -1 if turned else 1]), balance]
        for day, (out, into, balance) in enumerate(
            [(out or blank, into or blank, balance) for out, into, balance in moves], start=1
        )
    ]
    found = read_file("".join(",".join(line) + "\n" for line in lines), direction=None)
    assert found.amounts == [50000, -10000, -5000, -2000]


def test_a_column_of_zeros_takes_no_turns(read_file: ReadFile) -> None:
    """A fee that is never taken does not make the amounts beside it one half of two columns."""
    found = read_file("2026-03-04,TEA,-4.50,0.00\n2026-03-05,PAY,10.00,0.00\n")
    assert found.amounts == [-450, 1000]


def test_marks_are_found_without_a_header(read_file: ReadFile) -> None:
    """Amounts without a sign go the way that the column of marks says."""
    found = read_file("2026-03-04,TEA,4.50,debit,Food\n2026-03-05,PAY,10.00,credit,Income\n")
    assert found.amounts == [-450, 1000]


@pytest.mark.parametrize(
    "header",
    [
        "Date,Action,Symbol,Quantity,Price,Amount",
        "Trade Date,Security,Shares,Value",
        "Datum,ISIN,Stück,Kurs,Betrag",
        "Date,Titre,Quantité,Montant",
        "Fecha,Títulos,Precio,Importe",
    ],
)
def test_trades_are_no_statement(read_file: ReadFile, header: str) -> None:
    """A table of trades is refused by the names of its columns, and nothing of it is money."""
    row = ["2026-03-04", *["ACME"] * (len(header.split(",")) - 3), "3", "120.50"]
    with pytest.raises(UnreadableStatement, match=r"trades or holdings \(“.+” and “.+”"):
        read_file(f"{header}\n{','.join(row)}\n")


@pytest.mark.parametrize("nothing", ["", "0", " 0.00 ", "-"])
def test_a_brokers_account_of_cash_is_a_statement(read_file: ReadFile, nothing: str) -> None:
    """Columns of trades below which nothing is traded show none; the rows move cash."""
    text = (
        "Date,Action,Symbol,Quantity,Price ($),Amount ($)\n"
        f"2026-03-04,CHECK PAID,,{nothing},{nothing},-20.00\n"
        f"2026-03-05,INTEREST EARNED,QQXX,{nothing},{nothing},0.11\n"
    )
    assert read_file(text).amounts == [-2000, 11]
    with pytest.raises(UnreadableStatement, match="trades or holdings"):
        read_file(f"{text}2026-03-06,BOUGHT,QQXX,1,,-1.00\n")


def test_trades_without_a_header_are_no_statement(read_file: ReadFile) -> None:
    """Half of the rows are called trades or dividends."""
    text = (
        "2026-03-04,Buy,FUND A,XRE,300,-4779.95\n"
        "2026-03-05,Dividend,FUND A,XRE,300,12.55\n"
        "2026-03-06,Contribution,CONTRIBUTION,,,600.00\n"
    )
    with pytest.raises(UnreadableStatement, match="trades or holdings"):
        read_file(text)


@pytest.mark.parametrize(
    "text",
    [
        "Date,Item,Quantity,Amount\n2026-03-04,SOAP,2,-20.00\n",
        "Date,Description,Price,Amount\n2026-03-04,SOAP,10.00,-20.00\n",
        "2026-03-04,Sell,OLD BICYCLE,20.00\n2026-03-05,Coffee,TEA ROOM,-4.00\n",
        "2026-03-04,Dividend,ACME,20.00\n2026-03-05,Dividend,ACME,4.00\n",
    ],
)
def test_one_word_of_trade_makes_no_trades(read_file: ReadFile, text: str) -> None:
    """A shop's quantities, a sale and a dividend on an account are rows of that account."""
    assert read_file(text).amounts


CONTINUED_HEADER = "Date,Value date,Description,Debit,Credit\n"
PURCHASE = "14/03/2026,14/03/2026,CARD PURCHASE,5.20,\n"
SHOP = ",,SUNNY BAKERY,,\n"
CITY = ",,HARBOUR TOWN,,\n"
DEPOSIT = "15/03/2026,15/03/2026,DEPOSIT,,120.00\n"
FRIEND = ",,FROM A FRIEND\n"


def test_lines_below_a_row_are_part_of_its_text(read_file: ReadFile) -> None:
    """However many lines of text follow, so that card payments do not all look alike."""
    found = read_file(CONTINUED_HEADER + PURCHASE + SHOP + CITY + DEPOSIT + FRIEND)
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY HARBOUR TOWN", "DEPOSIT FROM A FRIEND"]
    assert found.money == [(20260314, -520), (20260315, 12000)]


def test_a_line_of_several_cells_goes_on_with_nothing(read_file: ReadFile) -> None:
    """The foot of a page and its head again are no part of a row, and neither is what follows them."""
    foot = ",,Ann,,Ben\n" + CONTINUED_HEADER
    found = read_file(CONTINUED_HEADER + PURCHASE + SHOP + foot + CITY + DEPOSIT + FRIEND)
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_one_note_below_the_rows_is_no_part_of_the_last(read_file: ReadFile) -> None:
    """Rows go on only in a table in which a third of them does, and two at least."""
    found = read_file(CONTINUED_HEADER + PURCHASE + DEPOSIT + ",,PRINTED BY THE BANK,,\n")
    assert found.raws == ["CARD PURCHASE", "DEPOSIT"]


def test_few_lines_among_many_rows_go_on_with_nothing(read_file: ReadFile) -> None:
    """Two notes below seven rows are notes."""
    rows = "".join(PURCHASE.replace("14/03", f"{day}/03") for day in range(14, 19))
    found = read_file(
        CONTINUED_HEADER + rows + PURCHASE + ",,A NOTE,,\n" + DEPOSIT + ",,A NOTE,,\n"
    )
    assert found.raws == ["CARD PURCHASE"] * 6 + ["DEPOSIT"]


def test_two_lines_among_six_rows_do(read_file: ReadFile) -> None:
    """A third is enough."""
    rows = "".join(PURCHASE.replace("14/03", f"{day}/03") for day in range(14, 18))
    found = read_file(CONTINUED_HEADER + rows + PURCHASE + SHOP + DEPOSIT + FRIEND)
    assert found.raws[-2:] == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_a_sum_below_a_row_is_no_part_of_it(read_file: ReadFile) -> None:
    """What names a sum or a balance is about more than the row above."""
    found = read_file(
        CONTINUED_HEADER
        + PURCHASE
        + SHOP
        + ",,Closing balance,,\n"
        + DEPOSIT
        + FRIEND
        + ",,Total,,\n"
    )
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_a_line_in_another_column_is_no_part_of_a_text(read_file: ReadFile) -> None:
    """More of a text stands below that text."""
    found = read_file(
        CONTINUED_HEADER + PURCHASE + ",,,SUNNY BAKERY,\n" + DEPOSIT + ",,,A FRIEND,\n"
    )
    assert found.raws == ["CARD PURCHASE", "DEPOSIT"]


def test_a_line_at_the_left_edge_is_a_heading(read_file: ReadFile) -> None:
    """Whatever stands in the first column begins something new."""
    table = "Text,Date,Amount\nBAKERY,2026-03-14,-5.20\nMarch,,\nPAY,2026-03-15,120.00\nApril,,\n"
    assert read_file(table).raws == ["BAKERY", "PAY"]


STATEMENT = (
    '"Date","Type","Description","Withdrawal","Deposit","Balance"\n'
    "{heading}\n"
    '"03/16/2026","","GARDEN SHOP","$12.00","",""\n'
    '"03/16/2026","","BAKERY","$5.20","",""\n'
    '"Posted Transactions"\n'
    '"03/15/2026","ACH","PAY","","$900.00","$950.00"\n'
)


def test_rows_below_a_heading_wait_until_another_one(read_file: ReadFile) -> None:
    """A bank that lists what it has not booked yet above the rest says so in a line of its own."""
    found = read_file(STATEMENT.format(heading='"Pending Transactions"'))
    assert [row.pending for row in found.rows] == [True, True, False]
    assert found.left_out == {}


def test_another_heading_says_nothing_of_a_state(read_file: ReadFile) -> None:
    """The name of a month or an account is none."""
    found = read_file(STATEMENT.format(heading='"March 2026"'))
    assert [row.pending for row in found.rows] == [False, False, False]


NOTE = '"Pending rows are shown for your information"'


def test_a_sentence_is_no_heading(read_file: ReadFile) -> None:
    """A note that speaks of pending rows is not one of a few words."""
    found = read_file(STATEMENT.format(heading=NOTE))
    assert [row.pending for row in found.rows] == [False, False, False]


def test_a_heading_fills_one_cell(read_file: ReadFile) -> None:
    """A line with more in it is about something else."""
    found = read_file(STATEMENT.format(heading='"Pending","","In all","","",""'))
    assert [row.pending for row in found.rows] == [False, False, False]


def test_a_heading_holds_for_all_plain_rows_below(read_file: ReadFile) -> None:
    """Rows that need no second look are no less under their heading."""
    rows = "".join(f"2026-03-{day},SHOP {day},-1.00\n" for day in range(10, 29))
    found = read_file(
        "Date,Text,Amount\nPosted\n" + rows * 700 + "Pending\n" + rows * 700 + "Posted\n" + rows
    )
    assert sum(row.pending for row in found.rows) == 19 * 700
    assert [row.pending for row in found.rows[-19:]] == [False] * 19


def test_a_note_of_two_lines_is_one_note(read_file: ReadFile) -> None:
    """Only what stands below a row of data is a row that goes on."""
    found = read_file(CONTINUED_HEADER + PURCHASE + ",,A NOTE,,\n,,IN TWO LINES,,\n" + DEPOSIT)
    assert found.raws == ["CARD PURCHASE", "DEPOSIT"]


def test_a_row_that_goes_on_is_named_by_its_first_line(read_file: ReadFile) -> None:
    """Whoever looks for a row in the file looks where it begins."""
    found = read_file(
        "Date,Description,Amount,Balance\n14/03/2026,PURCHASE,-5.00,95.00\n,BAKERY,,\n"
        "15/03/2026,PURCHASE,-6.00,89.00\n,GARAGE,,\n16/03/2026,PURCHASE,-7.00,80.00\n,BAKERY,,\n"
        "17/03/2026,PURCHASE,-8.00,72.00\n,GARAGE,,\n18/03/2026,PURCHASE,-9.00,63.00\n,SHOP,,\n"
    )
    assert "line 6:" in found.parts[-1].notes[0]


PAID = "2026-03-{day},SHOP {day},-{day}.00\n,CARD {day},\n"


def paid(*days: int) -> str:
    return "".join(PAID.format(day=day) for day in days)


def test_a_heading_of_states_between_continued_rows_is_no_line(read_file: ReadFile) -> None:
    """Rows below “Pending” wait until “Booked”; neither is part of a text."""
    found = read_file(
        "Date,Text,Amount\n" + paid(11, 12) + ",Pending,\n" + paid(13) + ",Booked,\n" + paid(14)
    )
    assert found.raws == [f"SHOP {day} CARD {day}" for day in range(11, 15)]
    assert [row.pending for row in found.rows] == [False, False, True, False]


def test_a_state_below_most_rows_is_each_rows_own(read_file: ReadFile) -> None:
    """Where nearly all rows have such a line, it speaks of the row above and not of those below."""
    rows = paid(11).strip() + "\n" + ",Booked,\n" + paid(12) + ",Pending,\n" + paid(13)
    found = read_file("Date,Text,Amount\n" + rows)
    assert found.raws == ["SHOP 11 CARD 11 Booked", "SHOP 12 CARD 12 Pending", "SHOP 13 CARD 13"]
    assert not found.rows[2].pending


def test_what_was_declined_heads_no_rows(read_file: ReadFile) -> None:
    """A line that says it below a row is about that row; those below it are not left out."""
    found = read_file("Date,Text,Amount\n" + paid(11, 12) + ",Declined,\n" + paid(13, 14))
    assert found.days[-2:] == [20260313, 20260314]


def test_a_row_goes_on_for_some_lines_alone(read_file: ReadFile) -> None:
    """Text without an end below one row is not all its own: 48 lines are, or 1,000 letters."""
    many = "".join(f",LINE {place},\n" for place in range(1, 60))
    found = read_file("Date,Text,Amount\n" + paid(11, 12, 13) + many)
    assert found.raws[-1] == "SHOP 13 CARD 13 " + " ".join(f"LINE {n}" for n in range(1, 48))
    long = ("," + "x" * 400 + ",\n") * 9
    found = read_file("Date,Text,Amount\n" + paid(11, 12) + "2026-03-13,SHOP,-13.00\n" + long)
    assert found.raws[-1].split() == ["SHOP", *["x" * 400] * 3]
