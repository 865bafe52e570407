"""Which numbers of a row are its money, where the names of the columns say little of it."""

import pytest

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from tests.statements.reading_files import ReadFile


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
def test_the_balances_before_and_after_each_row_prove_its_amount(
    read_file: ReadFile, is_newest_first: bool
) -> None:
    """Each row begins where its neighbour ended, whichever way the rows go."""
    rows = [
        "2026-03-13,A,100.00,-19.00,81.00\n",
        "2026-03-14,B,81.00,33.00,114.00\n",
    ]
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
