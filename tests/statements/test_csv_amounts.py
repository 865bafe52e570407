"""Which columns of a table hold the amounts where names do not say it all."""

import pytest

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.table.header_words import HEADER_WORDS, ColumnMeaning
from finplan.statements.table.words import is_exact
from tests.statements.reading_files import ReadFile

MOVED = ["7.00,100.00", "30.00,70.00", "5.00,65.00", "15.00,80.00"]


def table(cells: list[str], header: str = "") -> str:
    """A table of a date and a shop, with further cells in each row."""
    rows = [f"2026-03-{day:02},SHOP {day},{each}\n" for day, each in enumerate(cells, start=13)]
    return header + "".join(rows)


def asked(read_file: ReadFile, content: str) -> list[str]:
    """Read a table; the subjects of its questions."""
    with pytest.raises(AmbiguousStatement) as questions:
        read_file(content, direction=None)
    return [question.about for question in questions.value.questions]


@pytest.mark.parametrize("header", ["", "Date,Text,Vorbel,Tarniq\n"])
def test_steps_of_a_balance_prove_amounts_without_signs(read_file: ReadFile, header: str) -> None:
    """Three steps as large as the amounts beside them prove which column has these."""
    found = read_file(table(MOVED, header), direction="out")
    assert list(map(abs, found.amounts)) == [700, 3000, 500, 1500]


def test_a_signed_balance_is_not_taken_for_amounts(read_file: ReadFile) -> None:
    """Amounts may have no sign and the balance one, from the newest row to the oldest, too."""
    cells = ["-80.00,15.00", "-65.00,5.00", "-60.00,30.00", "-30.00,9.00"]
    assert list(map(abs, read_file(table(cells)).amounts)) == [1500, 500, 3000, 900]


def test_two_steps_of_a_balance_prove_nothing(read_file: ReadFile) -> None:
    """Two steps may be as large as a price by chance, so that the person is asked."""
    assert "amount_column" in asked(read_file, table(MOVED[:3]))


def test_a_step_without_an_amount_is_no_proof(read_file: ReadFile) -> None:
    """Where the balance moves beside a zero, that column has not all of the amounts."""
    cells = ["7.00,100.00", "30.00,70.00", "0.00,65.00", "0.00,80.00", "2.00,78.00", "3.00,75.00"]
    assert "amount_column" in asked(read_file, table(cells))


def test_thousandths_and_commas_prove_amounts_too(read_file: ReadFile) -> None:
    """Steps are compared to the last decimal, whichever sign is decimal."""
    cells = ["0,007;1.100,000", "30,012;1.069,988", "5,001;1.064,987", "9,000;1.055,987"]
    rows = (f"2026-03-{day};SHOP {day};{each}\n" for day, each in enumerate(cells, start=13))
    found = read_file("".join(rows), currency="KWD")
    assert list(map(abs, found.amounts)) == [7, 30012, 5001, 9000]


def test_one_of_two_numbers_without_proof_is_asked_for(read_file: ReadFile) -> None:
    """A price beside an amount looks like one, and only the person knows."""
    content = table(["7.00,19.99", "30.00,27.30", "5.00,34.61", "15.00,41.92"])
    assert "amount_column" in asked(read_file, content)
    assert read_file(content, amount_column="3").amounts == [700, 3000, 500, 1500]


def test_a_known_name_of_other_numbers_leaves_the_amounts(read_file: ReadFile) -> None:
    """What the header calls a price, a rate or a foreign amount is none of the amounts."""
    header = "Datum,Text,Vorbel,Wechselkurs,Originalbetrag\n"
    cells = ["7.00,1.0800,8.00", "30.00,1.0801,33.00", "5.00,1.0802,6.00"]
    assert read_file(table(cells, header), currency="EUR").amounts == [700, 3000, 500]


def test_the_other_one_of_debits_and_credits_is_found(read_file: ReadFile) -> None:
    """Where only one of both is named, the column that is filled in turns with it is the other."""
    header = "Date,Text,Debit,Vorbel\n"
    cells = ["7.00,0.00", "0.00,30.00", "5.00,0.00"]
    assert read_file(table(cells, header)).amounts == [-700, 3000, -500]


def test_dashes_stand_for_no_amount(read_file: ReadFile) -> None:
    """A column with more dashes than numbers is one of numbers all the same."""
    header = "Date,Text,Debit,Credit\n"
    cells = ["7.00,-", "8.00,-", "9.00,-", "5.00,-", "6.00,-", "-,30.00"]
    assert read_file(table(cells, header)).amounts == [-700, -800, -900, -500, -600, 3000]


def test_a_balance_below_one_row_a_day_is_not_asked_for(read_file: ReadFile) -> None:
    """A column that some rows leave blank holds no amounts where another one is filled."""
    cells = ["-7.00,", "30.00,123.00", "-5.00,", "-6.00,112.00"]
    assert read_file(table(cells)).amounts == [-700, 3000, -500, -600]


def test_serial_numbers_are_no_amounts(read_file: ReadFile) -> None:
    """Whole numbers of equally many digits, each another one, number the rows."""
    cells = ["7,1026122", "30,1034041", "5,1041960"]
    assert read_file(table(cells)).amounts == [700, 3000, 500]


def test_a_label_with_a_currency_is_no_header(read_file: ReadFile) -> None:
    """A line above the table that labels its currency “Valuta:” names no columns."""
    found = read_file("Valuta:,NOK\nDato,Tekst,Beløp\n2026-03-13,SHOP,-7.00\n")
    assert (found.accounts[0].currency, found.amounts) == ("NOK", [-700])


def test_a_label_above_rows_without_names_is_no_header(read_file: ReadFile) -> None:
    """A currency labelled right above the first row is the account's."""
    found = read_file("Waluta:,KRW\n" + table(["-700", "-3000", "-500"]).replace("SHOP ", "SHOP"))
    assert (found.accounts[0].currency, found.amounts) == ("KRW", [-700, -3000, -500])


def test_of_several_pairs_in_turns_the_person_says_which(read_file: ReadFile) -> None:
    """A balance below each day's last row may take turns with one of the amounts, too."""
    content = table(["1.10,,5.00", "2.20,,7.00", ",3.30,"])
    with pytest.raises(AmbiguousStatement) as raised:
        read_file(content, direction="in")
    (question,) = raised.value.questions
    assert (question.about, [choice.value for choice in question.choices]) == (
        "amount_column", ["3", "5"],
    )  # fmt: skip
    assert read_file(content, amount_column="3", direction="out").amounts == [-110, -220, 330]
    assert read_file(content, amount_column="5", direction="in").amounts == [-500, -700, 330]


def test_the_neighbour_is_meant_where_a_column_has_two_partners(read_file: ReadFile) -> None:
    """Debits and credits stand beside each other, whatever else takes turns with one of them."""
    content = table(["1.10,9,,5.00", "2.20,9,,7.00", ",9,3.30,"])
    assert read_file(content, amount_column="5", direction="out").amounts == [500, 700, -330]


def test_a_signed_balance_in_turns_with_other_money_is_not_the_amounts(
    read_file: ReadFile,
) -> None:
    """A column that each row fills may be the amounts beside two that rows fill in turns."""
    cells = ["0.71,,-413.97", "312.06,,-413.90", "230.91,2540.07,", "3.36,,129.07"]
    assert "amount_column" in asked(read_file, table(cells))


def test_the_pair_that_prints_minus_throughout_has_the_amounts(read_file: ReadFile) -> None:
    """Numbers of cheques take turns with credits, too, and have no minus; a balance is in each row."""
    cells = ["122,-76.00,,1750.06", ",,327.49,1826.06", "112,-800.00,,1498.57"]
    assert read_file(table(cells)).amounts == [-7600, 32749, -80000]
    cells = ["122,-76.00,,1750.06", ",,327.49,1826.06", "112,800.00,,1498.57"]
    assert "amount_column" in asked(read_file, table(cells))
    assert "amount_column" in asked(read_file, table(["-76.00,,", ",32.10,35.31", "-80.00,,"]))
    cells = ["-76.00,,1750.06,", ",327.49,1826.06,1.5", "-80.00,,1498.57,"]
    assert "amount_column" in asked(read_file, table(cells))


def test_a_negative_balance_with_a_gap_is_none_of_a_pair(read_file: ReadFile) -> None:
    """A balance below each day's last row may have a minus throughout where the amounts have none."""
    cells = ["860.16,,-77.09", "0.79,,-77.88", ",36.44,", "83.66,,-68.22"]
    assert "amount_column" in asked(read_file, table(cells))


def test_two_columns_are_proven_rather_than_one_of_them(read_file: ReadFile) -> None:
    """The row at the end of a balance has no step, and must not lose its amount to a zero."""
    cells = ['"257,052",0,"289,473"', '"59,683",0,"32,421"', '"947,238",0,"27,262-"',
             '0,"38605,232","974,500-"']  # fmt: skip
    found = read_file(table(cells), currency="TND", direction="out").amounts
    assert found == [-257_052, -59_683, -947_238, 38_605_232]


def test_a_named_column_of_zeros_is_not_all_of_the_money(read_file: ReadFile) -> None:
    """Where the only named column has no money, an unnamed one is asked for."""
    content = table(["0.00,1.50", "0.00,2.50"], "Date,Text,Debit,Wendra\n")
    assert asked(read_file, content) == ["amount_column"]
    assert read_file(content, amount_column="Wendra").amounts == [150, 250]
    content = table(["0.00,1.50", "0.00,2.50"], "Date,Text,Credit,Wendra\n")
    assert read_file(content, amount_column="4").amounts == [-150, -250]


def test_zeros_beside_other_names_stay_what_they_are(read_file: ReadFile) -> None:
    """A balance, a price or an id is no money of a row that has none."""
    content = table(["0.00,9.50,1.10", "0.00,9.50,1.10"], "Date,Text,Debit,Balance,Price\n")
    assert read_file(content).amounts == [0, 0]
    both = table(["0.00,0.00,1.50", "0.00,0.00,2.50"], "Date,Text,Debit,Credit,Wendra\n")
    assert read_file(both).amounts == [0, 0]


def test_a_side_whose_cells_are_no_amounts_is_refused(read_file: ReadFile) -> None:
    """A column of debits or credits that cannot be read is never left out."""
    cells = ["71.50,,1.1", "38.29,,1.2", ",X9X244.26,1.3"]
    for header, name in (("Credit,Debit", "Debit"), ("Debit,Credit", "Credit")):
        with pytest.raises(UnreadableStatement, match=f"“X9X244.26” in the column “{name}”"):
            read_file(table(cells, f"Date,Text,{header},Exchange rate\n"))


def test_a_side_of_words_is_no_side(read_file: ReadFile) -> None:
    """“Debit” above the words of an order names no amounts, and refuses nothing."""
    cells = ["71.50,Standing order 17,1.1", "38.29,Standing order 18,1.2"]
    assert read_file(table(cells, "Date,Text,Credit,Debit,Exchange rate\n")).amounts == [7150, 3829]


@pytest.mark.parametrize("meaning", ["amount", "debit", "credit", "balance", "description"])
def test_each_name_of_a_meaning_goes_before_a_hint(meaning: ColumnMeaning) -> None:
    """A name that is known means more than one that has a known word in it, wherever it is listed."""
    names = " ".join(HEADER_WORDS[meaning].split()).split("|")
    assert [name.strip() for name in names if not is_exact(name, meaning)] == []


def test_an_unread_amount_below_a_name_of_any_language_is_refused(read_file: ReadFile) -> None:
    """Names far down in the list are as much the header's word as the first ones."""
    cells = ["3X595.33,,1.1", "959.01,,1.2", ",86.57,1.3"]
    with pytest.raises(UnreadableStatement, match=r"“3X595\.33” in the column “Καταθέσεις”"):
        read_file(table(cells, "Date,Text,Καταθέσεις,Χρέωση,Rate\n"), currency="EUR")


def test_groups_that_an_unknown_sign_parts_are_refused(read_file: ReadFile) -> None:
    """A column of numbers that cannot be read is not passed over for a price beside it."""
    for cell in ("1¢532.49", "-1Ά532Ά491.89"):
        with pytest.raises(
            UnreadableStatement, match=f"“{cell[:2]}.* in the column “4” is no amount"
        ):
            read_file(table([f"63.85,{cell}", "56.54,9.99"]))
    assert read_file(table(["12:345:67,1.50", "12:345:68,2.50"])).amounts == [150, 250]


def test_rows_above_the_first_one_that_can_be_read_are_not_lost(read_file: ReadFile) -> None:
    """What has a date and something like an amount is a row, and none of the lines above the table."""
    cells = ["5~~742-,Tessoro", "60~~987-,Lundeby", "47,Quandor"]
    for header in ("", "Ottwin,Quilb,Vorbel,Tarniq\n"):
        with pytest.raises(UnreadableStatement, match="“5~~742-” is no amount"):
            read_file(table(cells, header))
    above = "From,2026-03-01,,\nTo,2026-03-31,at 9:00,\n"
    assert read_file(above + table(["47,Quandor"])).amounts == [4700]


def test_whole_numbers_that_amounts_move_are_a_balance(read_file: ReadFile) -> None:
    """A balance in whole numbers of equal length is no number of a row, and may be the amounts."""
    assert "amount_column" in asked(read_file, table(["452807,485", "546745,93938", "546822,77"]))
    assert read_file(table(["1006660,485", "1014579,938", "1022498,77"])).amounts
