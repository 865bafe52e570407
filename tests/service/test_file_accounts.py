"""What a report tells of each account of a file: a person checks an import by it before and after."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.account import AccountKind
from finplan.model.statement import FileAccount, ImportReport
from finplan.service.context import Context

Import = Callable[..., Awaitable[Any]]
HEADER = "Date,Description,Amount,Balance\n"
ROWS = (
    "2026-02-03,RENT,-1000.00,900.00\n2026-02-10,GROCER,-10.50,889.50\n"
    "2026-02-11,ACME PAYROLL,2000.00,2889.50\n2026-02-20,GROCER,-89.50,2800.00\n"
    "2026-02-25,GROCER,-50.00,2750.00\n"
)
MARCH = "2026-03-03,RENT,-1000.00,1750.00\n2026-03-25,GROCER,-50.00,1700.00\n"


def _only(report: ImportReport) -> FileAccount:
    (file,) = report.files
    (account,) = file.accounts
    return account


def _ofx(
    rows: str, balance: str, *, since: str, until: str, day: str = "", sort: str = "BANK"
) -> str:
    outer, inner, source = {
        "BANK": ("BANKMSGSRSV1", "STMT", "BANKACCTFROM"),
        "CARD": ("CREDITCARDMSGSRSV1", "CCSTMT", "CCACCTFROM"),
    }[sort]
    return (
        f"OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><{outer}><{inner}TRNRS><{inner}RS>"
        f"<CURDEF>USD<{source}><BANKID>1<ACCTID>77001<ACCTTYPE>CHECKING</{source}><BANKTRANLIST>"
        f"<DTSTART>{since}<DTEND>{until}{rows}</BANKTRANLIST><LEDGERBAL><BALAMT>{balance}"
        f"<DTASOF>{day or until}</LEDGERBAL></{inner}RS></{inner}TRNRS></{outer}></OFX>\n"
    )


def _row(day: str, amount: str) -> str:
    return f"<STMTTRN><TRNTYPE>X<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{day}{amount}<NAME>SHOP</STMTTRN>"


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_an_account_of_a_file_is_described(import_texts: Import, dry_run: bool) -> None:
    """Days, rows, money of both directions and the balance are told, by a preview as afterwards."""
    account = _only(await import_texts({"giro.csv": HEADER + ROWS}, dry_run=dry_run))
    assert (f"{account.since}", f"{account.until}") == ("2026-02-03", "2026-02-25")
    assert (account.transactions, account.new_rows, account.known, account.pending) == (5, 5, 0, 0)
    assert (account.money_in, account.money_out) == (200_000, 115_000)
    assert (account.closing_balance, account.balance_fits) == (275_000, True)
    assert (account.kind, account.subtype) == ("depository", "checking")
    assert [(f"{span.since}", f"{span.until}") for span in account.coverage] == [
        ("2026-02-03", "2026-02-25")
    ]


@pytest.mark.usefixtures("context")
async def test_samples_are_the_newest_rows_of_both_directions(import_texts: Import) -> None:
    """Three rows, the newest first; where all of these go one way, one of the other is among them."""
    account = _only(await import_texts({"giro.csv": HEADER + ROWS}))
    assert [(f"{row.date}", row.amount, row.payee, row.raw) for row in account.samples] == [
        ("2026-02-25", -5_000, "Grocer", "GROCER"),
        ("2026-02-20", -8_950, "Grocer", "GROCER"),
        ("2026-02-11", 200_000, "Acme", "ACME PAYROLL"),
    ]
    later = HEADER + "".join(f"2026-05-0{day},GROCER,-1.00,\n" for day in range(1, 6))
    pay = "2026-04-01,ACME PAYROLL,2000.00,\n"
    both = _only(await import_texts({"b.csv": later.replace(HEADER, HEADER + pay)}, account="B"))
    assert [row.amount for row in both.samples] == [-100, -100, 200_000]
    one_way = _only(await import_texts({"c.csv": later}, account="C"))
    assert [row.amount for row in one_way.samples] == [-100, -100, -100]


@pytest.mark.usefixtures("context")
async def test_rows_that_are_there_are_told_by_account(import_texts: Import) -> None:
    """Each account of a file has its own rows, and the file their sums."""
    header = "Date,Account Name,Description,Amount\n"
    one, two = "2026-02-03,One,RENT,-10.00\n", "2026-02-04,Two,RENT,-20.00\n"
    await import_texts({"a.csv": header + one + two})
    again = header + one + two + "2026-02-05,Two,PAY,30.00\n2026-02-06,Two,PAY,40.00\n"
    (file,) = (await import_texts({"a.csv": again})).files
    told = {each.name: (each.transactions, each.new_rows, each.known) for each in file.accounts}
    assert told == {"One": (1, 0, 1), "Two": (3, 2, 1)}
    assert (file.transactions, file.new, file.known) == (4, 2, 2)
    assert [(each.money_in, each.money_out) for each in file.accounts] == [(0, 1000), (7000, 2000)]


@pytest.mark.usefixtures("context")
async def test_pending_rows_are_counted_apart(import_texts: Import) -> None:
    """A row that waits is in no sum, no sample and no day."""
    rows = "2026-02-03,A,-1.00,Booked\n2026-02-04,B,-2.00,Pending\n2026-02-05,C,-4.00,Declined\n"
    account = _only(await import_texts({"a.csv": "Date,Description,Amount,Status\n" + rows}))
    assert (account.transactions, account.pending, account.money_out) == (1, 1, 100)
    assert [row.raw for row in account.samples] == ["A"]
    assert f"{account.until}" == "2026-02-03"
    assert [(each.reason, each.count) for each in account.left_out] == [("declined", 1)]


@pytest.mark.usefixtures("context")
async def test_an_assumed_currency_is_said_in_a_sentence(import_texts: Import) -> None:
    """What was taken for granted is told; an account that is there has its currency."""
    first = _only(await import_texts({"a.csv": HEADER + ROWS}, account="A"))
    assert first.assumed == (
        (
            "The file names no currency; USD is assumed. If it is another, import it with"
            " `--currency CODE`."
        ),
    )
    assert _only(await import_texts({"a.csv": HEADER + MARCH}, account="A")).assumed == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("balance", "fits"), [("190.00", True), ("190.01", False), ("210.00", False)]
)
@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_a_balance_is_compared_with_the_one_before(
    import_texts: Import, balance: str, fits: bool, dry_run: bool
) -> None:
    """The rows since an earlier statement's balance explain the next one, or a row is missing."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    assert _only(await import_texts({"a.ofx": first})).balance_fits is None
    second = _ofx(_row("20260310", "-10.00"), balance, since="20260301", until="20260331")
    account = _only(await import_texts({"b.ofx": second}, dry_run=dry_run))
    assert account.closing_balance == round(float(balance) * 100)
    assert account.balance_fits is fits


@pytest.mark.usefixtures("context")
async def test_what_is_owed_is_compared_with_its_sign(import_texts: Import) -> None:
    """On a card more is owed after a charge, whatever sign the bank prints."""
    first = _ofx(
        _row("20260210", "-5.00"), "-200.00", since="20260201", until="20260228", sort="CARD"
    )
    second = _ofx(
        _row("20260310", "-10.00"), "-210.00", since="20260301", until="20260331", sort="CARD"
    )
    report = await import_texts({"a.ofx": first, "b.ofx": second})
    told = [
        (each.closing_balance, each.balance_fits) for file in report.files for each in file.accounts
    ]
    assert told == [(20_000, None), (21_000, True)]


@pytest.mark.usefixtures("context")
async def test_a_balance_across_a_hole_is_not_compared(import_texts: Import) -> None:
    """Where statements are missing between two balances, that they differ says nothing."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    later = _ofx(_row("20260610", "-10.00"), "150.00", since="20260601", until="20260630")
    await import_texts({"a.ofx": first})
    account = _only(await import_texts({"b.ofx": later}))
    assert account.balance_fits is None
    assert len(account.coverage) == 2


@pytest.mark.usefixtures("context")
async def test_a_balance_of_a_later_day_is_not_compared(import_texts: Import) -> None:
    """A balance of the day of the download counts rows that the file does not hold."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    later = _ofx(
        _row("20260310", "-10.00"), "170.00", since="20260301", until="20260331", day="20260415"
    )
    await import_texts({"a.ofx": first})
    assert _only(await import_texts({"b.ofx": later})).balance_fits is None


@pytest.mark.usefixtures("context")
async def test_rows_of_the_day_of_a_balance_leave_it_open(import_texts: Import) -> None:
    """A balance that was fetched during its day does not tell which of that day's rows it counts."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    rows = _row("20260228", "-7.00") + _row("20260310", "-10.00")
    later = _ofx(rows, "183.00", since="20260228", until="20260331")
    await import_texts({"a.ofx": first})
    assert _only(await import_texts({"b.ofx": later})).balance_fits is None


@pytest.mark.parametrize("kind", ["credit", "loan", "depository"])
async def test_a_closing_balance_has_the_sign_of_its_kind(
    context: Context, import_texts: Import, kind: AccountKind
) -> None:
    """What a bank prints below zero is owed on cards and loans, and missing on any other account."""
    assert context.caller.owner
    file = _ofx(_row("20260210", "-5.00"), "-40.00", since="20260201", until="20260228")
    account = _only(await import_texts({"a.ofx": file}, account_kind=kind))
    assert account.closing_balance == (-4000 if kind == "depository" else 4000)


@pytest.mark.usefixtures("context")
async def test_a_file_under_two_names_of_one_account_is_one(import_texts: Import) -> None:
    """What is said of an account under several numbers in one file is told once, added up."""
    head = ":20:STARTUMS\n:25:{}\n:28C:1/1\n:60F:C260201EUR100,00\n"
    tail = ":62F:C260228EUR{}\n-\n"
    iban, number = "DE89370400440532013000", "37040044/532013000"
    first = head.format(iban) + ":61:2602100210D10,00NMSC\n" + tail.format("90,00")
    second = (
        head.format(number).replace("C260201EUR100,00", "C260228EUR90,00")
        + ":61:2603100310D10,00NMSC\n"
        + tail.format("80,01").replace("260228", "260331")
    )
    await import_texts({"a.sta": first})
    (file,) = (await import_texts({"b.sta": first + second})).files
    (account,) = file.accounts
    assert (account.transactions, account.known, account.money_out) == (2, 1, 2000)
    assert (account.closing_balance, account.balance_fits) == (8001, False)


@pytest.mark.parametrize(("amounts", "fits"), [(("9,00", "10,00"), False), (("10,00",) * 2, True)])
@pytest.mark.usefixtures("context")
async def test_every_statement_of_a_file_must_fit(
    import_texts: Import, amounts: tuple[str, str], fits: bool
) -> None:
    """A file of several statements fits when each of them does; of one day the last balance counts."""
    statement = (
        ":20:STARTUMS\n:25:10020030/1234567\n:28C:1/1\n:60F:C260201EUR{},00\n"
        ":61:2602100210D{}NMSC\n:62F:C260228EUR{},00\n-\n"
    )
    text = statement.format(100, amounts[0], 90) + statement.format(90, amounts[1], 80)
    account = _only(await import_texts({"a.sta": text}))
    assert account.balance_fits is fits
    assert account.closing_balance == 8000


@pytest.mark.usefixtures("context")
async def test_days_and_balances_that_were_not_known_are_told(import_texts: Import) -> None:
    """A quiet month brings no row, but days without any and a balance; once known, they are no news."""
    bought = _row("20260210", "-10.50")
    february = _ofx(bought, "889.50", since="20260201", until="20260228")
    quiet = _ofx(bought, "889.50", since="20260201", until="20260331")
    corrected = _ofx(bought, "889.50", since="20260201", until="20260331", day="20260315")
    for text, is_news in (
        (february, True), (february, False), (quiet, True), (quiet, False), (corrected, True),
    ):  # fmt: skip
        assert _only(await import_texts({"a.ofx": text}, dry_run=True)).extends == is_news
        assert _only(await import_texts({"a.ofx": text})).extends == is_news
