"""Real accounts as the days ahead are judged on: a file of a bank's lines, read and cut in two."""

from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

from benchmarks.quality.forecast.__main__ import below_zero, middle_table
from benchmarks.quality.forecast.accounts import LEAST_KNOWN, parts, read_accounts, real_future
from benchmarks.quality.forecast.futures import DAYS
from benchmarks.quality.forecast.judging import HORIZONS, Middle

HEADINGS = "trans_id;account_id;date;type;operation;amount;balance;k_symbol;bank;account"


def bank_file(folder: Path, accounts: int = 4, days: int = LEAST_KNOWN + DAYS) -> Path:
    """So many accounts: 1,000 come in at first, 10 leave every tenth day, in Czech words."""
    lines = [HEADINGS]
    for account in range(1, accounts + 1):
        for place in range(0, days + 1, 10):
            day = (date(1995, 1, 3) + timedelta(place)).strftime("%y%m%d")
            out = f'{place};{account};{day};"VYDAJ";"PREVOD NA UCET";10.00;1.00;"SIPO";"EF";4025'
            first = f'{place};{account};{day};"PRIJEM";"VKLAD";1000.00;1.00;"";;'
            lines.append(out if place else first)
    path = folder / "trans.asc"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_is_read_as_a_bank_writes_it(tmp_path: Path) -> None:
    """Money out is negative, and purpose, account and bank are the text; a cut line is left out."""
    path = bank_file(tmp_path, accounts=1)
    path.write_text(path.read_text(encoding="utf-8") + '\n9;1;951230;"PRIJ', encoding="utf-8")
    (account,) = read_accounts(path)
    first, second = account.rows[:2]
    assert (first.day, first.amount, first.raw) == (date(1995, 1, 3), 1_000_00, "VKLAD")
    assert (second.amount, second.raw) == (-10_00, "PREVOD NA UCET SIPO 4025 EF")
    assert account.rows[-1].day < date(1995, 12, 30)


def test_what_comes_is_hidden_and_is_what_the_rows_bring(tmp_path: Path) -> None:
    (account,) = read_accounts(bank_file(tmp_path, accounts=1))
    made = real_future(account)
    assert max(row[2] for row in made.ledger.rows) <= int(made.today.strftime("%Y%m%d"))
    cash = sum(row.amount for row in account.rows if row.day <= made.today)
    assert made.ledger.accounts[1].balance == cash
    moved = [
        sum(row.amount for row in account.rows if row.day == made.today + timedelta(ahead))
        for ahead in range(1, DAYS + 1)
    ]
    assert list(made.true) == list(accumulate(moved, initial=cash))[1:]
    later = real_future(account, later=20)
    assert later.today == made.today + timedelta(20)
    assert list(later.true) == list(made.true)[20:]


def test_no_account_is_tuned_on_and_reported(tmp_path: Path) -> None:
    """Half of those with history enough each, the same ones every time."""
    path = bank_file(tmp_path, accounts=6)
    one, other = parts([path])
    assert (len(one), len(other)) == (3, 3)
    assert not {each.name for each in one} & {each.name for each in other}
    assert parts([path]) == (one, other)
    assert parts([bank_file(tmp_path, days=LEAST_KNOWN)]) == ([], [])


def case(
    error: int,
    turnover: float = 1_000.0,
    warned: tuple[bool, bool] | None = None,
    **facts: bool,
) -> Middle:
    """A case whose expected cash is off by so much at each horizon, where nothing truly changes."""
    same = dict.fromkeys(HORIZONS, 5_000)
    return Middle(
        turnover=turnover,
        start=5_000,
        ours=dict.fromkeys(HORIZONS, 5_000 + error),
        net_flow=dict.fromkeys(HORIZONS, 5_100.0),
        truth=same,
        shown=bool(facts.get("shown")),
        fell=bool(facts.get("fell")),
        warned=warned,
    )


def test_errors_of_both_signs_are_no_bias_and_are_errors() -> None:
    """20 too much and 20 too little: no error on the whole, and off by 20 in each case."""
    line = middle_table([case(2_000, 1_000.0), case(0, 2_000.0), case(-2_000, 3_000.0)])[0]
    assert line[1:5] == ["+0.000", "+2.000", "+0.000", "-0.667"]
    assert line[5:] == ["13", "0", "1"]


def test_below_zero_counts_false_alarms_and_warnings_apart() -> None:
    found = [
        case(0, shown=True),
        case(0, shown=True, fell=True, warned=(True, True)),
        case(0, fell=True, warned=(False, True)),
        case(0),
    ]
    assert below_zero(found) == (
        "Shown below zero, and never was: 1 of 4."
        " Fell below zero: 2. Ten days before, a fall by that day had 25 % or more in 1, a fall by the"
        " last day shown in 2."
    )
