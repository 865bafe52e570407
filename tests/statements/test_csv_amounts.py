"""Which columns of a table hold the amounts, and which way they go by printed signs and balances.

Names do not say it all; a running balance that contradicts the amounts is read, and the person is
told where.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from finplan.statements.statement import AmbiguousStatement, StatementAccount, UnreadableStatement
from finplan.statements.table.balances import Booked, RunningBalances
from finplan.statements.table.header_words import HEADER_WORDS, ColumnMeaning
from finplan.statements.table.row_words import ways_beside_blanks
from finplan.statements.table.words import column_name
from tests.statements.reading_files import ReadFile, Statement

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


@pytest.mark.parametrize("header", ["Date,Text,Debit,Vorbel\n", "Date,Text,Vorbel,Credit\n"])
@pytest.mark.parametrize("nothing", ["", "-", "0.00"])
def test_a_named_side_finds_the_other(read_file: ReadFile, header: str, nothing: str) -> None:
    """Where only debits or credits are named, the column that is filled in turns is the other."""
    cells = [f"7.00,{nothing}", f"{nothing},30.00", f"5.00,{nothing}"]
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
    assert read_file(table(["7,1026122", "30,1034041", "5,1041960"])).amounts == [700, 3000, 500]


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


def test_a_signed_balance_in_turns_with_other_money_is_not_the_amounts(read_file: ReadFile) -> None:
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
    assert [name.strip() for name in names if not column_name(name).is_exact(meaning)] == []


def test_an_unread_amount_below_a_name_of_any_language_is_refused(read_file: ReadFile) -> None:
    """Names far down in the list are as much the header's word as the first ones."""
    cells = ["3X595.33,,1.1", "959.01,,1.2", ",86.57,1.3"]
    with pytest.raises(UnreadableStatement, match=r"“3X595\.33” in the column “Καταθέσεις”"):
        read_file(table(cells, "Date,Text,Καταθέσεις,Χρέωση,Rate\n"), currency="EUR")


def test_groups_that_an_unknown_sign_parts_are_refused(read_file: ReadFile) -> None:
    """A column of numbers that cannot be read is not passed over for a price beside it."""
    for cell in ("1¢532.49", "-1Ά532Ά491.89"):
        with pytest.raises(UnreadableStatement, match=f"“{cell[:2]}.* column “4”"):
            read_file(table([f"63.85,{cell}", "56.54,9.99"]))
    assert read_file(table(["12:345:67,1.50", "12:345:68,2.50"])).amounts == [150, 250]


def test_rows_above_the_first_one_that_can_be_read_are_not_lost(read_file: ReadFile) -> None:
    """What has a date and something like an amount is a row, and none of the lines above the table."""
    cells = ["5~~742-,Tessoro", "60~~987-,Lundeby", "47,Quandor"]
    for header in ("", "Ottwin,Quilb,Vorbel,Tarniq\n"):
        with pytest.raises(UnreadableStatement, match="“5~~742-” is not an amount"):
            read_file(table(cells, header))
    above = "From,2026-03-01,,\nTo,2026-03-31,at 9:00,\n"
    assert read_file(above + table(["47,Quandor"])).amounts == [4700]


def test_whole_numbers_that_amounts_move_are_a_balance(read_file: ReadFile) -> None:
    """A balance in whole numbers of equal length is no number of a row, and may be the amounts."""
    assert "amount_column" in asked(read_file, table(["452807,485", "546745,93938", "546822,77"]))
    assert read_file(table(["1006660,485", "1014579,938", "1022498,77"])).amounts


DEBIT_AND_CREDIT = [
    ("Debit", "Credit"),
    ("Withdrawals", "Deposits"),
    ("Paid out", "Paid in"),
    ("Money Out", "Money In"),
    ("Outflow", "Inflow"),
    ("Soll", "Haben"),
    ("Lastschrift in CHF", "Gutschrift in CHF"),
    ("Débit euros", "Crédit euros"),
    ("Cargo", "Abono"),
    ("Dare", "Avere"),
    ("Af", "Bij"),
]


@pytest.mark.parametrize(("debit", "credit"), DEBIT_AND_CREDIT)
def test_debits_go_out_and_credits_come_in(read_file: ReadFile, debit: str, credit: str) -> None:
    """Two columns part the directions, whichever language names them and in either order."""
    rows = "04.03.2026;SHOP;4,50;\n05.03.2026;PAY;;1.000,00\n"
    found = read_file(f"Date;Text;{debit};{credit}\n{rows}", currency="EUR")
    assert found.amounts == [-450, 100000]
    turned = read_file(f"Date;Text;{credit};{debit}\n{rows}", currency="EUR")
    assert turned.amounts == [450, -100000]


def test_debits_may_be_printed_with_a_minus(read_file: ReadFile) -> None:
    """A minus in the debit column says the same as the column; one among many is a reversal."""
    content = (
        "Date,Text,Debit,Credit\n2026-03-04,A,-4.50,\n2026-03-05,B,-2.00,\n2026-03-06,C,1.00,\n"
    )
    assert read_file(content).amounts == [-450, -200, 100]


def test_credits_may_be_printed_with_a_minus(read_file: ReadFile) -> None:
    """A card's payments in a credit column with a minus come in all the same."""
    content = "Date,Text,Debit,Credit\n2026-03-04,A,40.00,\n2026-03-05,PAID,,-250.00\n"
    assert read_file(content).amounts == [-4000, 25000]


def test_a_single_column_of_debits_goes_out(read_file: ReadFile) -> None:
    """A list of nothing but debits has no credits to be told from."""
    assert read_file("Date,Payee,Debit\n2026-03-04,A,40.00\n").amounts == [-4000]


@pytest.mark.parametrize(
    ("name", "out", "inwards"),
    [
        ("D/C", "D", "C"), ("Transaction Type", "debit", "credit"), ("Details", "DEBIT", "CREDIT"),
        ("Type", "DR", "CR"), ("Af Bij", "Af", "Bij"), ("S/H", "S", "H"), ("D/K", "D", "K"),
        ("Direction", "OUT", "IN"), ("Credit Debit Indicator", "DBIT", "CRDT"),
    ],
)  # fmt: skip
def test_marks_give_the_direction(read_file: ReadFile, name: str, out: str, inwards: str) -> None:
    """Amounts without a sign go where their row's mark says."""
    content = f"Date,Text,Amount,{name}\n2026-03-04,A,4.50,{out}\n2026-03-05,B,9.00,{inwards}\n"
    assert read_file(content).amounts == [-450, 900]


def test_marks_beside_printed_signs_say_the_same(read_file: ReadFile) -> None:
    """A mark does not turn a sign round that says the same already."""
    content = "Details,Date,Text,Amount\nDEBIT,2026-03-04,A,-4.50\nCREDIT,2026-03-05,B,9.00\n"
    assert read_file(content).amounts == [-450, 900]


def test_an_unknown_mark_is_asked_about_where_it_is_needed(read_file: ReadFile) -> None:
    """A word that nothing gives a direction is named; where amounts are signed, the sign counts."""
    rows = [f"2026-03-04,A,4.50,D\n2026-03-05,B,{sign}9.00,C\n" * 200 for sign in ("", "-")]
    odd = "2026-03-06,C,7.00,CHECK\n"
    content = "Date,Text,Amount,D/C\n" + rows[0] + odd
    with pytest.raises(AmbiguousStatement, match="Does “CHECK”"):
        read_file(content, direction=None)
    assert read_file(content, direction="marks:CHECK,D/C").amounts[-3:] == [-450, 900, -700]
    assert read_file("Date,Text,Amount,D/C\n" + rows[1] + odd).amounts[-1] == 700


def test_known_words_are_enough_for_unsigned_amounts(read_file: ReadFile) -> None:
    """Where no amount has a sign, a type that says deposit and withdrawal decides, row by row."""
    rows = "2026-03-04,A,Withdrawal,4.50\n2026-03-05,B,Deposit,9.00\n"
    assert read_file("Date,Text,Type,Amount\n" + rows).amounts == [-450, 900]
    with pytest.raises(AmbiguousStatement, match="Does “Interest”"):
        read_file("Date,Text,Type,Amount\n" + rows + "2026-03-06,C,Interest,1.00\n", direction=None)


def balanced(
    amounts: list[str], balances: list[str], days: list[int], header: str = "Amount"
) -> str:
    rows = zip(days, amounts, balances, strict=True)
    return f"Date,Text,{header},Balance\n" + "".join(
        f"2026-03-{day:02},SHOP,{amount},{balance}\n" for day, amount, balance in rows
    )


def test_a_balance_proves_the_opposite_sign(read_file: ReadFile) -> None:
    """Where the balance falls by what is printed as positive, positive goes out."""
    printed, balances = ["4.50", "-100.00", "2.00", "1.00"], ["95.50", "195.50", "193.50", "192.50"]
    found = read_file(balanced(printed, balances, [1, 2, 3, 4]), direction=None)
    assert (found.amounts, found.balances) == (
        [-450, 10000, -200, -100],
        {"Girokonto": (19250, 20260304)},
    )


def test_a_balance_is_followed_upwards_too(read_file: ReadFile) -> None:
    """A file with the latest row first has its balance in the first row."""
    content = balanced(["-2.00", "100.00", "-4.50"], ["193.50", "195.50", "95.50"], [3, 2, 1])
    found = read_file(content)
    assert (found.amounts, found.balances) == (
        [-200, 10000, -450],
        {"Girokonto": (19350, 20260303)},
    )


def test_a_balance_proves_which_column_goes_out(read_file: ReadFile) -> None:
    """A bank that books from its own side calls debit what comes in; two steps overrule no names."""
    content = (
        "Date,Text,Debit,Credit,Balance\n2026-03-01,A,0.00,20.00,-10.00\n"
        "2026-03-02,B,33.50,0.00,23.50\n2026-03-03,C,0.00,13.50,10.00\n"
    )
    assert read_file(content).amounts == [2000, -3350, 1350]
    assert read_file(content + "2026-03-04,D,0.00,4.00,6.00\n").amounts == [
        -2000,
        3350,
        -1350,
        -400,
    ]


def test_a_balance_proves_that_fees_come_on_top(read_file: ReadFile) -> None:
    """Where only amount and fee together explain the balance, the row is both."""
    content = (
        "Date,Text,Amount,Fee,Balance\n2026-03-01,A,-10.00,0.00,90.00\n"
        "2026-03-02,B,-50.00,0.50,39.50\n2026-03-03,C,100.00,0.00,139.50\n"
        "2026-03-04,D,-1.00,0.25,138.25\n"
    )
    assert read_file(content).amounts == [-1000, -5050, 10000, -125]


def test_a_balance_that_contradicts_is_no_balance(read_file: ReadFile) -> None:
    """A column that does not run with the amounts proves nothing and is not reported."""
    content = balanced(["-1.00", "-2.00", "-3.00"], ["50.00", "7.00", "900.00"], [1, 2, 3])
    found = read_file(content)
    assert (found.amounts, found.balances) == ([-100, -200, -300], {})


def test_a_balance_tells_nameless_columns_apart(read_file: ReadFile) -> None:
    """Without a header the column that runs is the balance, wherever it stands."""
    content = (
        "20260313;1000,00;987,50;-12,50;JUMBO\n20260314;987,50;1087,50;100,00;OMA\n"
        "20260315;1087,50;1080,00;-7,50;KIOSK\n"
    )
    found = read_file(content)
    assert (found.amounts, found.balances) == (
        [-1250, 10000, -750],
        {"Girokonto": (108000, 20260315)},
    )


def test_nameless_debits_and_credits_need_a_proof(read_file: ReadFile) -> None:
    """Two columns that take turns are told apart by a balance or a minus, or the person is asked."""
    proven = (
        "03/13/2026,A,4.50,,995.50\n03/14/2026,B,,1500.00,2495.50\n"
        "03/15/2026,C,2.00,,2493.50\n03/16/2026,D,3.00,,2490.50\n"
    )
    assert read_file(proven, direction=None).amounts == [-450, 150000, -200, -300]
    signed = "03/13/2026,A,,-4.50\n03/14/2026,B,1500.00,\n"
    assert read_file(signed, direction=None).amounts == [-450, 150000]


@pytest.mark.parametrize(
    "rows",
    [
        "03/13/2026,A,4.50,\n03/14/2026,B,,1500.00\n",
        "03/13/2026,A,4.50,,995.50\n03/14/2026,B,,1500.00,2495.50\n",
    ],
    ids=["no balance", "one step of a balance"],
)
def test_nameless_columns_are_asked_about(read_file: ReadFile, rows: str) -> None:
    """Where nothing tells debits and credits apart, the person says which column goes out."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(rows, direction=None)
    (question,) = asked.value.questions
    assert question.about == "direction"
    assert [(choice.value, choice.sample) for choice in question.choices] == [
        ("out", "4.50 “A” out; 1500.00 “B” in"),
        ("in", "4.50 “A” in; 1500.00 “B” out"),
    ]
    assert read_file(rows, direction="out").amounts == [-450, 150000]
    assert read_file(rows, direction="in").amounts == [450, -150000]


@pytest.mark.parametrize(
    ("lines", "amounts"),
    [
        ("FOODS,,54.20|ONLINE PAYMENT - THANK YOU,,-400.00", [-5420, 40000]),
        ("UBER,Purchase,14.20|ACH,Payment,-5.00", [-1420, 500]),
        ("UBER,Sale,-14.20|Payment Thank You,Payment,5.00", [-1420, 500]),
        ("ORDER 7,charge,14.20|ORDER 6,refund,-5.00", [1420, -500]),
        ("FOODS,,54.20|DRINKS,,-400.00", [5420, -40000]),
        ("FOODS,,-5.00|RENT,,-9.00|BACK,Fee,3.00", [-500, -900, 300]),
    ],
    ids=["payment", "purchase", "printed right", "a shop's own", "no proof", "a fee paid back"],
)
def test_cards_turn_only_with_proof(read_file: ReadFile, lines: str, amounts: list[int]) -> None:
    """Positive charges go out when words prove it; otherwise amounts count as printed."""
    rows = "".join(f"2026-03-14,{line}\n" for line in lines.split("|"))
    assert read_file(f"Date,Description,Type,Amount\n{rows}").amounts == amounts


def test_a_balance_of_what_is_owed_turns_round_with_the_card(read_file: ReadFile) -> None:
    """A card whose charges and debt are both printed positive has a negative balance."""
    content = (
        "Date,Description,Amount,Balance\n2026-03-01,FOODS,50.00,50.00\n"
        "2026-03-02,SHOP,20.00,70.00\n2026-03-03,PAYMENT RECEIVED THANK YOU,-50.00,20.00\n"
    )
    found = read_file(content)
    assert (found.amounts, found.balances) == (
        [-5000, -2000, 5000],
        {"Girokonto": (-2000, 20260303)},
    )


@pytest.mark.parametrize(
    ("name", "out", "into"),
    [
        ("借贷", "借 Dr", "贷 Cr"),
        ("Tipe", "Pengeluaran", "Pemasukan"),
        ("受払区分", "払出", "預入"),
        ("Soll/Haben", "S Soll", "H Haben"),
    ],
)
def test_marks_in_further_words(read_file: ReadFile, name: str, out: str, into: str) -> None:
    """Marks of Asian banks, and those that say the same in two languages, tell the way."""
    rows = f"2026-03-02,A,{out},1.00\n2026-03-03,B,{into},2.00\n2026-03-04,C,{out},3.00\n"
    found = read_file(f"Date,Text,{name},Amount (EUR)\n{rows}", direction=None)
    assert found.amounts == [-100, 200, -300]


@pytest.mark.parametrize(("word", "way"), [("CR", 1), ("Cr", 1), ("DR", -1), ("Debit", -1)])
def test_a_mark_beside_blanks(read_file: ReadFile, word: str, way: int) -> None:
    """Where a bank marks one way alone, rows without the mark go the other."""
    head = "Date,Text,Amount,BillingAmountSign\n"
    rows = f"2026-03-02,A,1.00,\n2026-03-03,B,2.00,{word}\n2026-03-04,C,3.00,\n"
    assert read_file(head + rows, direction=None).amounts == [-way * 100, way * 200, -way * 300]


def test_a_mark_beside_blanks_goes_before_a_column_of_types(read_file: ReadFile) -> None:
    """A word of a type that tells no way is not asked about where marks do."""
    head = "Date,Text,Type,Amount,BillingAmountSign\n"
    rows = "2026-03-02,A,Purchase,1.00,\n2026-03-03,B,Transfer,2.00,CR\n2026-03-04,C,Fee,3.00,\n"
    assert read_file(head + rows, direction=None).amounts == [-100, 200, -300]
    assert ways_beside_blanks(["CR", "CR"]) is None
    assert ways_beside_blanks(["CR", " "]) == {"cr": 1, "": -1}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("BillingAmountSign", "C", ""),
        ("BillingAmountSign", "CR", "CR"),
        ("BillingAmountSign", "hold", ""),
        ("Type", "Deposit", ""),
        ("Anything", "CR", ""),
    ],
)
def test_a_mark_that_tells_nothing_of_blanks(
    read_file: ReadFile, name: str, first: str, second: str
) -> None:
    """A letter, a word of no way, a type, and a column of no known name leave blank rows open."""
    head = f"Date,Text,Amount,{name}\n"
    rows = f"2026-03-02,A,1.00,{second}\n2026-03-03,B,2.00,{first}\n2026-03-04,C,3.00,\n"
    if first == second:
        rows += "2026-03-05,D,4.00,DR\n"
    with pytest.raises((AmbiguousStatement, UnreadableStatement)):
        read_file(head + rows, direction=None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("支払方法", ("一括", "分割")),
        ("利用者", ("本人", "家族")),
        ("Payment method", ("cash", "wire")),
        ("Anything", ("ARSPBE11", "KBSPBE23")),
        ("Anything", ("1回払い", "3回払い")),
        ("Anything", ("447", "448")),
    ],
)
def test_no_other_word_is_offered(read_file: ReadFile, name: str, words: tuple[str, str]) -> None:
    """Ways of payment, holders of cards, codes and numbers never say which way money goes."""
    rows = [
        f"2026-03-0{day},{text},{words[day % 2]},{day}.00"
        for day, text in enumerate(("TEA", "BUN", "JAM", "PIE"), start=1)
    ]
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("\n".join((f"Date,Text,{name},Amount", *rows, "")), direction=None)
    (question,) = asked.value.questions
    assert [choice.value for choice in question.choices] == ["out", "in"]


HEADER = "Date,Description,Amount,Balance\n"
ACCOUNT = StatementAccount("1", "Giro", "EUR")


def _notes(statement: Statement) -> list[str]:
    return [note for part in statement.parts for note in part.notes]


def test_the_first_row_that_the_balance_contradicts_is_named(read_file: ReadFile) -> None:
    """The rows are read as they are, and one note counts the contradictions and names the first."""
    rows = (
        "2026-03-02,A,-10.00,90.00\n2026-03-03,B,-10.00,80.00\n2026-03-05,C,-5.00,70.00\n"
        "2026-03-06,D,-10.00,60.00\n2026-03-07,E,-10.00,50.00\n"
    )
    found = read_file(HEADER + rows)
    assert found.amounts == [-1000, -1000, -500, -1000, -1000]
    (note,) = _notes(found)
    assert "one row; the first" in note
    assert "line 4:" in note


def test_the_newest_row_may_stand_first(read_file: ReadFile) -> None:
    """Where later rows stand above, the row that is named is the one whose own balance is off."""
    rows = (
        "2026-03-07,E,-10.00,50.00\n2026-03-06,D,-10.00,60.00\n2026-03-05,C,-5.00,70.00\n"
        "2026-03-03,B,-10.00,80.00\n2026-03-02,A,-10.00,90.00\n"
    )
    (note,) = _notes(read_file(HEADER + rows))
    assert "line 4" in note


def test_a_column_that_never_follows_is_told(read_file: ReadFile) -> None:
    """A balance that explains hardly any amount proves nothing, and that is told too."""
    rows = "2026-03-02,A,-10.00,90.00\n2026-03-03,B,-10.00,95.00\n2026-03-05,C,-5.00,70.00\n"
    (note,) = _notes(read_file(HEADER + rows))
    assert "2 of 3 rows" in note
    assert "line 3:" in note


def test_blank_and_pending_rows_contradict_nothing(read_file: ReadFile) -> None:
    """Rows without a balance of their own, and rows that wait, are no contradiction."""
    rows = (
        "2026-03-02,A,-10.00,90.00,Booked\n2026-03-03,B,-10.00,80.00,Booked\n"
        "2026-03-04,W,-7.00,80.00,Pending\n2026-03-05,C,-5.00,75.00,Booked\n"
        "2026-03-06,D,-5.00,70.00,Booked\n2026-03-07,X,-1.00,,Pending\n"
    )
    assert _notes(read_file(HEADER.replace("\n", ",Status\n") + rows)) == []


@given(
    amounts=st.lists(st.integers(-500, 500).filter(bool), min_size=1, max_size=30),
    cuts=st.lists(st.integers(1, 7), min_size=30, max_size=30),
    direction=st.sampled_from([1, -1]),
    changed=st.none() | st.integers(0, 28),
)
def test_a_changed_amount_is_found_wherever_a_run_ends(
    amounts: list[int], cuts: Sequence[int], direction: int, changed: int | None
) -> None:
    """Amounts that add up are followed without a word; one that was changed is the one that is named.

    The balances at the ends of the runs find it as well as those of all rows.
    """
    balances = [sum(amounts[: place + 1]) for place in range(len(amounts))]
    printed = list(amounts)
    # The balance before the oldest row is not printed, so nothing can contradict that row.
    place = None if changed is None or changed + 1 >= len(amounts) else changed + 1
    if place is not None:
        printed[place] += 1000
    rows = [[str(number)] for number in range(len(amounts))]
    rows, printed, balances = rows[::direction], printed[::direction], balances[::direction]
    running = RunningBalances(direction)
    quick = RunningBalances(direction)
    for cut in cuts:
        run = Booked(rows[:cut], printed[:cut], balances[:cut])
        running.follow(ACCOUNT, run)
        if run.rows and not quick.adds_up(
            ACCOUNT, run._replace(balances=[]), run.balances[0], run.balances[-1]
        ):
            quick.follow(ACCOUNT, run)
        rows, printed, balances = rows[cut:], printed[cut:], balances[cut:]

    assert running.broken == (place is not None)
    assert running.first == (None if place is None else (ACCOUNT, [str(place)]))
    assert (quick.broken, quick.first, quick.steps) == (
        running.broken,
        running.first,
        running.steps,
    )


def test_a_triangle_is_a_minus(read_file: ReadFile) -> None:
    """Banks in Japan print one, black or white, before what goes out."""
    found = read_file(
        "日付,内容,金額\n2026-03-13,A,▲500\n2026-03-14,B,△1200\n2026-03-15,C,3000\n", direction=None
    )
    assert found.amounts == [-500, -1200, 3000]


@pytest.mark.parametrize(
    ("names", "sign"), [("Withdrawal,Amount handed over", 1), ("Deposit,Amount handed over", -1)]
)
def test_a_side_may_be_called_an_amount(read_file: ReadFile, names: str, sign: int) -> None:
    """What is filled where the one side is blank is the other one."""
    found = read_file(
        f"Date,Text,{names}\n2026-03-13,A,5.00,\n2026-03-14,B,,6.00\n2026-03-15,C,7.00,\n",
        direction=None,
    )
    assert found.amounts == [sign * -500, sign * 600, sign * -700]


@pytest.mark.parametrize("name", ["Fee", "Balance amount", "Amount"])
def test_what_has_another_name_is_no_side(read_file: ReadFile, name: str) -> None:
    """Fees and balances do not come in, in whichever rows they stand."""
    try:
        found = read_file(
            f"Date,Text,Withdrawal,{name}\n2026-03-13,A,5.00,\n2026-03-14,B,,6.00\n"
            "2026-03-15,C,7.00,\n",
            direction=None,
        )
    except (AmbiguousStatement, UnreadableStatement):
        return
    assert 600 not in found.amounts


def test_a_name_beside_a_nameless_column_of_numbers_stays(read_file: ReadFile) -> None:
    """Only above currencies it is the name of the numbers."""
    found = read_file(
        "Date,Amount,Text,\n2026-03-13,-5.00,BAKERY,17.00\n2026-03-14,-6.00,GARAGE,18.00\n"
    )
    assert found.raws == ["BAKERY", "GARAGE"]


def test_a_name_of_currencies_beside_a_nameless_text_stays(read_file: ReadFile) -> None:
    """What has no number beside it names nothing else."""
    found = read_file(
        "Date,Amount,Account,\n2026-03-13,-5.00,EUR,BAKERY\n2026-03-14,-6.00,EUR,GARAGE\n"
    )
    assert found.raws == ["BAKERY", "GARAGE"]


def test_a_blank_currency_is_the_only_one_that_is_named(read_file: ReadFile) -> None:
    """In a language of many countries no other one is more likely."""
    found = read_file("Date,Text,Amount,Currency\n2026-03-13,A,-5.00,\n2026-03-14,B,-6.00,EUR\n")
    assert [account.currency for account in found.accounts] == ["EUR"]


def test_a_blank_currency_beside_several_is_none_of_them(read_file: ReadFile) -> None:
    """Nothing says which of them it could be."""
    found = read_file(
        "Date,Text,Amount,Currency\n2026-03-13,A,-5.00,\n2026-03-14,B,-6.00,EUR\n"
        "2026-03-15,C,-7.00,GBP\n"
    )
    assert {account.currency for account in found.accounts} == {"EUR", "GBP", "USD"}


def test_an_amount_without_money_is_none_beside_one_with(read_file: ReadFile) -> None:
    """Cards print the amount abroad first, and zero for what is bought at home."""
    found = read_file(
        "Date,Text,Amount Elsewhere,Amount Hereabouts\n"
        "2026-03-13,A,0.00,-5.00\n2026-03-14,B,0.00,-6.00\n"
    )
    assert found.amounts == [-500, -600]


def test_names_that_end_in_a_digit_are_names(read_file: ReadFile) -> None:
    """“詳細1” is no sum of money, so the row of the names is no row of data."""
    found = read_file("取引日,詳細1,詳細2,金額\n2026-03-13,A,B,-500\n2026-03-14,C,D,-600\n")
    assert found.money == [(20260313, -500), (20260314, -600)]


def test_names_may_stand_above_a_blank_line(read_file: ReadFile) -> None:
    """The row of names is the last one with anything in it above the rows."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("Dies,Wording,Anna,Ben\n\n2026-03-13,A,-5.00,7.00\n2026-03-14,B,6.50,-6.00\n")
    assert "Anna" in asked.value.questions[0].choices[0].label


THREE = "Date,Text,First,Second,Third\n"


def test_what_adds_up_in_each_row_is_no_balance_by_itself(read_file: ReadFile) -> None:
    """A net price, its tax and the whole add up, too, and so do the shares of two people."""
    for rows in (
        "2026-03-13,A,10.00,1.90,11.90\n2026-03-14,B,20.00,3.80,23.80\n2026-03-15,C,5.00,0.95,5.95\n",
        "2026-03-13,A,5.00,-5.00,0.00\n2026-03-14,B,-6.00,6.00,0.00\n2026-03-15,C,7.00,-7.00,0.00\n",
    ):
        with pytest.raises(AmbiguousStatement, match="column"):
            read_file(THREE + rows)


@pytest.mark.parametrize("is_newest_first", [False, True])
def test_balances_around_each_row_prove_it(read_file: ReadFile, is_newest_first: bool) -> None:
    """Each row begins where its neighbour ended, whichever way the rows go."""
    rows = ["2026-03-13,A,100.00,-19.00,81.00\n", "2026-03-14,B,81.00,33.00,114.00\n"]
    found = read_file(THREE + "".join(rows[::-1] if is_newest_first else rows))
    assert sorted(found.amounts) == [-1900, 3300]


FEES = "Date,Text,Amount,Fee,Net\n"


def test_what_is_left_of_an_amount_when_its_fee_is_paid_counts(read_file: ReadFile) -> None:
    """Where each row has an amount, a fee and the one less the other, the last moves the account."""
    rows = (
        "2026-03-13,A,30.00,1.17,28.83\n2026-03-14,B,-25.00,0.50,-25.50\n2026-03-15,C,9.00,0,9.00\n"
    )
    assert read_file(FEES + rows).amounts == [2883, -2550, 900]
    printed = rows.replace("1.17", "-1.17").replace("0.50", "-0.50")
    assert read_file(FEES + printed).amounts == [2883, -2550, 900]


@pytest.mark.parametrize(
    "rows",
    [
        "2026-03-13,A,30.00,1.17,31.17\n2026-03-14,B,-25.00,0.50,-24.50\n",
        "2026-03-13,A,30.00,1.17,28.83\n2026-03-14,B,-25.00,0.50,-25.00\n",
        "2026-03-13,A,30.00,0,30.00\n2026-03-14,B,-25.00,0,-25.00\n",
    ],
)
def test_other_sums_are_no_fees_that_were_paid(read_file: ReadFile, rows: str) -> None:
    """One row in which it does not add up, and no fee at all, leave the amounts what their name says."""
    assert read_file(FEES + rows).amounts == [3000, -2500]


def test_the_same_fee_in_each_row_may_be_all_that_there_is(read_file: ReadFile) -> None:
    """A constant with a minus is no filler, so that the column beside it has no amounts."""
    rows = "".join(
        f"2026-03-1{n},FEE,-€0.01,{left}\n" for n, left in enumerate(["1.50", "0", "0", "0"])
    )
    assert read_file(f"Dies,Wording,Anna,Ben\n{rows}").amounts == [-1] * 4
