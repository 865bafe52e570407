"""Which way money goes: printed signs, columns, marks, and what a running balance proves."""

import pytest

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.table.row_words import ways_beside_blanks
from tests.statements.reading_files import ReadFile

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
def test_a_column_of_marks_gives_the_direction(
    read_file: ReadFile, name: str, out: str, inwards: str
) -> None:
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
    with pytest.raises(AmbiguousStatement, match="not whether “CHECK” is money out or money in"):
        read_file(content, direction=None)
    assert read_file(content, direction="marks:CHECK,D/C").amounts[-3:] == [-450, 900, -700]
    assert read_file("Date,Text,Amount,D/C\n" + rows[1] + odd).amounts[-1] == 700


def test_known_words_are_enough_for_unsigned_amounts(read_file: ReadFile) -> None:
    """Where no amount has a sign, a type that says deposit and withdrawal decides, row by row."""
    rows = "2026-03-04,A,Withdrawal,4.50\n2026-03-05,B,Deposit,9.00\n"
    assert read_file("Date,Text,Type,Amount\n" + rows).amounts == [-450, 900]
    with pytest.raises(AmbiguousStatement, match="not whether “Interest” is money out or"):
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
    assert question.choices == (
        ("out", "the first one is money out", "4.50 “A” out; 1500.00 “B” in"),
        ("in", "the second one is money out", "4.50 “A” in; 1500.00 “B” out"),
    )
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
def test_a_card_is_turned_round_only_with_proof(
    read_file: ReadFile, lines: str, amounts: list[int]
) -> None:
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
    found = read_file(head + rows, direction=None)
    assert found.amounts == [-way * 100, way * 200, -way * 300]


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
def test_what_is_no_mark_is_not_offered_as_one(
    read_file: ReadFile, name: str, words: tuple[str, str]
) -> None:
    """Ways of payment, holders of cards, codes and numbers never say which way money goes."""
    rows = [
        f"2026-03-0{day},{text},{words[day % 2]},{day}.00"
        for day, text in enumerate(("TEA", "BUN", "JAM", "PIE"), start=1)
    ]
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("\n".join((f"Date,Text,{name},Amount", *rows, "")), direction=None)
    (question,) = asked.value.questions
    assert [choice.value for choice in question.choices] == ["out", "in"]
