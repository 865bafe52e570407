"""Rows that go on in the lines below them, and headings that say of which state the rows below are."""

from tests.statements.reading_files import ReadFile

HEADER = "Date,Value date,Description,Debit,Credit\n"
PURCHASE = "14/03/2026,14/03/2026,CARD PURCHASE,5.20,\n"
SHOP = ",,SUNNY BAKERY,,\n"
CITY = ",,HARBOUR TOWN,,\n"
DEPOSIT = "15/03/2026,15/03/2026,DEPOSIT,,120.00\n"
FRIEND = ",,FROM A FRIEND\n"


def test_lines_below_a_row_are_part_of_its_text(read_file: ReadFile) -> None:
    """However many lines of text follow, so that card payments do not all look alike."""
    found = read_file(HEADER + PURCHASE + SHOP + CITY + DEPOSIT + FRIEND)
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY HARBOUR TOWN", "DEPOSIT FROM A FRIEND"]
    assert found.money == [(20260314, -520), (20260315, 12000)]


def test_a_line_of_several_cells_goes_on_with_nothing(read_file: ReadFile) -> None:
    """The foot of a page and its head again are no part of a row, and neither is what follows them."""
    foot = ",,Ann,,Ben\n" + HEADER
    found = read_file(HEADER + PURCHASE + SHOP + foot + CITY + DEPOSIT + FRIEND)
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_one_note_below_the_rows_is_no_part_of_the_last(read_file: ReadFile) -> None:
    """Rows go on only in a table in which a third of them does, and two at least."""
    found = read_file(HEADER + PURCHASE + DEPOSIT + ",,PRINTED BY THE BANK,,\n")
    assert found.raws == ["CARD PURCHASE", "DEPOSIT"]


def test_few_lines_among_many_rows_go_on_with_nothing(read_file: ReadFile) -> None:
    """Two notes below seven rows are notes."""
    rows = "".join(PURCHASE.replace("14/03", f"{day}/03") for day in range(14, 19))
    found = read_file(HEADER + rows + PURCHASE + ",,A NOTE,,\n" + DEPOSIT + ",,A NOTE,,\n")
    assert found.raws == ["CARD PURCHASE"] * 6 + ["DEPOSIT"]


def test_two_lines_among_six_rows_do(read_file: ReadFile) -> None:
    """A third is enough."""
    rows = "".join(PURCHASE.replace("14/03", f"{day}/03") for day in range(14, 18))
    found = read_file(HEADER + rows + PURCHASE + SHOP + DEPOSIT + FRIEND)
    assert found.raws[-2:] == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_a_sum_below_a_row_is_no_part_of_it(read_file: ReadFile) -> None:
    """What names a sum or a balance is about more than the row above."""
    found = read_file(
        HEADER + PURCHASE + SHOP + ",,Closing balance,,\n" + DEPOSIT + FRIEND + ",,Total,,\n"
    )
    assert found.raws == ["CARD PURCHASE SUNNY BAKERY", "DEPOSIT FROM A FRIEND"]


def test_a_line_in_another_column_is_no_part_of_a_text(read_file: ReadFile) -> None:
    """More of a text stands below that text."""
    found = read_file(HEADER + PURCHASE + ",,,SUNNY BAKERY,\n" + DEPOSIT + ",,,A FRIEND,\n")
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


def test_a_sentence_is_no_heading(read_file: ReadFile) -> None:
    """A note that speaks of pending rows is not one of a few words."""
    found = read_file(STATEMENT.format(heading='"Pending rows are shown for your information"'))
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
    found = read_file(HEADER + PURCHASE + ",,A NOTE,,\n,,IN TWO LINES,,\n" + DEPOSIT)
    assert found.raws == ["CARD PURCHASE", "DEPOSIT"]


def test_a_row_that_goes_on_is_named_by_its_first_line(read_file: ReadFile) -> None:
    """Whoever looks for a row in the file looks where it begins."""
    found = read_file(
        "Date,Description,Amount,Balance\n14/03/2026,PURCHASE,-5.00,95.00\n,BAKERY,,\n"
        "15/03/2026,PURCHASE,-6.00,89.00\n,GARAGE,,\n16/03/2026,PURCHASE,-7.00,80.00\n,BAKERY,,\n"
        "17/03/2026,PURCHASE,-8.00,72.00\n,GARAGE,,\n18/03/2026,PURCHASE,-9.00,63.00\n,SHOP,,\n"
    )
    assert "in one row, first in line 6:" in found.parts[-1].notes[0]


PAID = "2026-03-{day},SHOP {day},-{day}.00\n,CARD {day},\n"


def paid(*days: int) -> str:
    return "".join(PAID.format(day=day) for day in days)


def test_a_heading_of_states_between_rows_that_go_on_is_none_of_their_lines(
    read_file: ReadFile,
) -> None:
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
