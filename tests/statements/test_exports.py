"""What other apps export: whose rows they are, which way money goes, and what is split or waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.money import to_text
from finplan.statements.apps import without_splits
from finplan.statements.statement import UnreadableStatement
from tests.statements.reading_files import ReadFile

YNAB = """\
"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"
"Checking","","11/20/2025","Whole Foods","Food: Groceries","Food","Groceries","","$25.10","$0.00","Cleared"
"Checking","","11/19/2025","Transfer : Savings","","","","","$100.00","$0.00","Reconciled"
"Savings","","11/19/2025","Transfer : Checking","","","","","$0.00","$100.00","Cleared"
"Checking","Red","11/18/2025","Target","Home: House","Home","House","Split (1/2) towels","$1,010.00","$0.00","Cleared"
"Checking","Red","11/18/2025","Target","Food: Groceries","Food","Groceries","Split (2/2) snacks","$5.50","$0.00","Cleared"
"Checking","","11/17/2025","Corner Deli","Food: Dining","Food","Dining","","$7.25","$0.00","Uncleared"
"Wallet","","11/17/2025","Market","Food: Dining","Food","Dining","","$3.00","$0.00","Uncleared"
"Checking","","11/01/2025","Acme Payroll","Inflow: Ready to Assign","Inflow","Ready to Assign","","$0.00","$2,500.00","Cleared"
"Checking","","10/31/2025","Starting Balance","Inflow: Ready to Assign","Inflow","Ready to Assign","","$0.00","$1,000.00","Cleared"
"""  # noqa: E501  # The header is one line.


def test_ynab(read_file: ReadFile) -> None:
    """Splits are put together, an opening balance is no row, a transfer is a row on both sides."""
    found = read_file(YNAB)
    checking = [(r.day, r.amount, r.payee, r.pending) for r in found.rows_of("Checking")]
    assert checking == [
        (20251120, -2510, "Whole Foods", False),
        (20251119, -10000, "Transfer : Savings", False),
        (20251118, -101550, "Target", False),
        (20251117, -725, "Corner Deli", True),
        (20251101, 250000, "Acme Payroll", False),
    ]
    assert [row.raw for row in found.rows_of("Checking")][2] == "Target towels"
    assert [(row.amount, row.pending) for row in found.rows_of("Savings")] == [(10000, False)]


def test_what_never_clears_does_not_wait(read_file: ReadFile) -> None:
    """In an account for cash nothing is ever cleared, so there uncleared says nothing."""
    assert [(r.amount, r.pending) for r in read_file(YNAB).rows_of("Wallet")] == [(-300, False)]


def test_ynab_in_another_country(read_file: ReadFile) -> None:
    """Dates and numbers follow the budget's settings, and splits are added in them."""
    found = read_file(
        '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category",'
        '"Memo","Outflow","Inflow","Cleared"\n'
        '"Giro","","20.11.2025","Rewe","","","","Split (1/3) a","1.010,00€","0,00€","Cleared"\n'
        '"Giro","","20.11.2025","Rewe","","","","Split (2/3) b","5,50€","0,00€","Cleared"\n'
        '"Giro","","20.11.2025","Rewe","","","","Split (3/3) c","0,00€","1,00€","Cleared"\n'
        '"Giro","","19.11.2025","Kiosk","","","","Split (1/2) lost","2,00€","0,00€","Cleared"\n'
        '"Giro","","18.11.2025","Bäcker","","","","","3,00€","0,00€","Cleared"\n'
    )
    assert [(row.day, row.amount) for row in found.rows] == [
        (20251120, -101450),
        (20251119, -200),
        (20251118, -300),
    ]
    assert {account.currency for account in found.accounts} == {"EUR"}


def test_actual(read_file: ReadFile) -> None:
    """Of a split transaction the whole counts, which stands in a column of its own."""
    found = read_file(
        "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n"
        "Checking,2025-11-20,Whole Foods,,Food,Groceries,-25.1,0,Cleared\n"
        "Checking,2025-11-18,Target,(SPLIT INTO 2) sale,,,0,-15.5,Cleared\n"
        "Checking,2025-11-18,Target,(SPLIT 1 OF 2) towels,Home,House,-10,0,Cleared\n"
        "Checking,2025-11-18,Target,(SPLIT 2 OF 2) snacks,Food,Groceries,-5.5,0,Cleared\n"
        "Checking,2025-11-17,Corner Deli,,Food,Dining,-7.25,0,Not cleared\n"
        "Savings,2025-11-16,Checking,,,,100,0,Reconciled\n"
    )
    assert [(row.amount, row.raw, row.pending) for row in found.rows] == [
        (-2510, "Whole Foods", False),
        (-1550, "Target sale", False),
        (-725, "Corner Deli", True),
        (10000, "Checking", False),
    ]


def test_monarch(read_file: ReadFile) -> None:
    """Expenses are negative; the bank's own text is the descriptor, the merchant its payee."""
    found = read_file(
        "Date,Merchant,Category,Account,Original Statement,Notes,Amount,Tags\n"
        "2026-07-10,Safeway,Groceries,Checking (...1234),SAFEWAY STORE 123,,-42.50,\n"
        "2026-07-11,Employer,Paycheck,Checking (...1234),EMPLOYER PAYROLL,,2000.00,\n"
        "2026-07-12,By hand,Fun,Visa (...9),,fun,-15.49,\n"
    )
    assert [(row.amount, row.raw, row.payee) for row in found.rows] == [
        (-4250, "SAFEWAY STORE 123", "Safeway"),
        (200000, "EMPLOYER PAYROLL", "Employer"),
        (-1549, "By hand", "By hand"),
    ]


COPILOT = (
    "date,name,amount,status,category,parent category,excluded,tags,type,account,account mask,note,"
    "recurring\n"
)


def test_copilot(read_file: ReadFile) -> None:
    """Expenses are positive, whatever most rows are; accounts of one name are told apart."""
    found = read_file(
        COPILOT + "2026-07-10,Dividend,-75.00,posted,Dividends,Investment,false,,income,Card,1,,\n"
        "2026-07-11,Employer,-2000.00,posted,Paycheck,Income,false,,income,Checking,1234,,\n"
        "2026-07-12,Netflix,15.49,pending,Streaming,Fun,false,,regular,Card,5678,,monthly\n"
        "2026-07-13,Transfer,500.00,posted,,,true,,internal transfer,Checking,1234,,\n"
    )
    assert sorted((row.day, row.amount, row.pending) for row in found.rows) == [
        (20260710, 7500, False),
        (20260711, 200000, False),
        (20260712, -1549, True),
        (20260713, -50000, False),
    ]
    assert [account.name for account in found.accounts] == [
        "Card (...1)", "Checking (...1234)", "Card (...5678)",
    ]  # fmt: skip


@pytest.mark.parametrize("sign", [1, -1])
def test_lunch_money(read_file: ReadFile, sign: int) -> None:
    """Which sign expenses have is a setting, told by what most rows are; unreviewed rows are booked."""
    found = read_file(
        "date,payee,original_name,amount,currency,category,tags,notes,account_name,status,"
        "transaction_id\n"
        f"2026-07-10,Safeway,SAFEWAY 123,{sign * 42.5},usd,Food,,,Checking,cleared,10001\n"
        f"2026-07-10,Safeway,SAFEWAY 123,{sign * 2.5},usd,Food,,,Checking,uncleared,10002\n"
        f"2026-07-11,Employer,PAYROLL,{sign * -2000.0},usd,Income,,,Checking,cleared,10003\n"
        f"2026-07-12,Bakery,BAECKEREI,{sign * 3.1},eur,Food,,,Revolut,pending,10004\n"
    )
    assert [(row.amount, row.external_id, row.pending) for row in found.rows] == [
        (-4250, "10001", False),
        (-250, "10002", False),
        (200000, "10003", False),
        (-310, "10004", True),
    ]
    assert [(a.name, a.currency) for a in found.accounts] == [
        ("Checking", "USD"), ("Revolut", "EUR"),
    ]  # fmt: skip


def test_sure(read_file: ReadFile) -> None:
    """Expenses are positive, and each row has its currency."""
    found = read_file(
        "date,account_name,amount,name,category,tags,notes,currency\n"
        "2026-07-11,Checking,-2000.0,Employer Payroll,Income,,,USD\n"
        "2026-07-10,Checking,42.5,Safeway,Groceries,,,USD\n"
        "2026-07-12,Wise,3.1,Bakery,Food,,,EUR\n"
    )
    assert [(row.amount, row.raw) for row in found.rows] == [
        (200000, "Employer Payroll"), (-4250, "Safeway"), (-310, "Bakery"),
    ]  # fmt: skip


FIREFLY = (
    "user_id,group_id,journal_id,created_at,updated_at,group_title,type,currency_code,amount,"
    "foreign_currency_code,foreign_amount,native_currency_code,native_amount,native_foreign_amount,"
    "description,date,source_name,source_iban,source_type,destination_name,destination_iban,"
    "destination_type,reconciled,category,budget,bill,tags,notes\n"
)
IBAN = "DE02120300000000202051"


def _firefly(journal: int, kind: str, money: str, text: str, source: str, target: str) -> str:
    stamp = "2025-11-20T00:00:00+01:00"
    first = f'1,1,{journal},{stamp},{stamp},,"{kind}",{money},EUR,1,,{text}'
    return f"{first},{stamp},{source},{target},,,,,,\n"


def test_firefly(read_file: ReadFile) -> None:
    """A transfer is a row on both sides, each in its own currency; an opening balance is none."""
    giro, shop = f'Girokonto,{IBAN},"Asset account"', 'REWE,,"Expense account"'
    found = read_file(
        FIREFLY
        + _firefly(21, "Withdrawal", "EUR,-25.10,,", "Groceries", giro, shop)
        + _firefly(22, "Deposit", "EUR,2500.00,,", "Gehalt", 'Firma,,"Revenue account"', giro)
        + _firefly(
            23, "Transfer", "EUR,100.00,USD,108.00", "Save", giro, 'Dollars,,"Asset account"'
        )
        + _firefly(
            24, "Opening balance", "EUR,9.00,,", "x", 'Start,,"Initial balance account"', giro
        )
    )
    assert [(row.amount, row.raw, row.payee) for row in found.rows_of("Girokonto")] == [
        (-2510, "REWE Groceries", "REWE"),
        (250000, "Firma Gehalt", "Firma"),
        (-10000, "Dollars Save", "Dollars"),
    ]
    assert [(row.amount, row.raw) for row in found.rows_of("Dollars")] == [
        (10800, "Girokonto Save")
    ]
    assert [(a.number, a.currency) for a in found.accounts] == [(IBAN, "EUR"), ("Dollars", "USD")]
    ids = [row.external_id for row in found.rows]
    assert len(set(ids)) == 4
    assert None not in ids


def test_many_accounts_stay_apart(read_file: ReadFile) -> None:
    """An app's column of accounts is believed however many there are."""
    rows = "".join(
        f"2026-07-10,Shop,1.00,posted,,,false,,regular,Account {n},,,\n" for n in range(40)
    )
    assert len(read_file(COPILOT + rows).accounts) == 40


def test_a_damaged_row_has_its_line(read_file: ReadFile) -> None:
    """What cannot be read in an app's table is named by the line of the app's own file."""
    content = COPILOT + "2026-07-10,Shop,1.00,posted,,,false,,regular,Card,1,,\n" * 3
    with pytest.raises(UnreadableStatement, match="Line 5:"):
        read_file(content + "2026-07-10,Shop,1x,posted,,,false,,regular,Card,1,,\n")


def test_an_account_above_an_apps_table_is_no_other_one(read_file: ReadFile) -> None:
    """What somebody wrote above an app's table names no other account than its rows do."""
    row = "2026-07-10,Shop,4.50,posted,,,false,,regular,Card,1,,\n"
    found = read_file(f"Account,12345678\n\n{COPILOT}{row}")

    assert [row.amount for row in found.rows] == [-450]


@given(
    parts=st.lists(st.integers(0, 10**9), min_size=1, max_size=9),
    currency=st.sampled_from(["JPY", "USD", "KWD"]),
    comma=st.booleans(),
    grouped=st.booleans(),
)
def test_a_split_adds_up(parts: list[int], currency: str, comma: bool, grouped: bool) -> None:
    """The sum is the parts' in whatever way they are printed, without knowing which sign is decimal."""

    def printed(amount: int) -> str:
        whole, _, cents = to_text(amount, currency).partition(".")
        text = f"{int(whole):,}" if grouped else whole
        text += f".{cents}" if cents else ""
        return f"${text.translate(str.maketrans('.,', ',.')) if comma else text}"

    rows = [
        ["d", "a", "a", "p", f"Split ({place}/{len(parts)}) m", printed(part), "", "", "", ""]
        for place, part in enumerate(parts, 1)
    ]
    found = list(without_splits(rows))
    sums = {int("".join(filter(str.isdigit, row[5]))) for row in found}
    assert len(found) == len(parts) or sums == {sum(parts)}
    if not grouped or currency != "JPY":
        assert len(found) == 1


CRYPTO = (
    "Timestamp (UTC),Transaction Description,Currency,Amount,To Currency,To Amount,Native Currency,"
    "Native Amount,Native Amount (in USD),Transaction Kind\n"
)


def test_crypto_com_counts_what_the_account_paid(read_file: ReadFile) -> None:
    """A purchase abroad is taken in the account's own currency, and a top-up comes in."""
    found = read_file(
        f"{CRYPTO}2026-03-13 10:00:00,Café,BRL,-20.00,USD,-3.90,USD,-3.90,-3.90,\n"
        "2026-03-14 10:00:00,Top up,USD,100.00,,,USD,100.00,100.00,\n"
    )
    assert [(row.day, row.amount, row.raw) for row in found.rows] == [
        (20260313, -390, "Café"),
        (20260314, 10000, "Top up"),
    ]
    assert [account.currency for account in found.accounts] == ["USD"]


def test_a_coin_is_no_money(read_file: ReadFile) -> None:
    """What it was worth on a day is nothing that an account has."""
    with pytest.raises(UnreadableStatement, match="Line 2: “BTC”"):
        read_file(f"{CRYPTO}2026-03-13 10:00:00,Earn,BTC,0.5,,,EUR,900.00,990.00,earn\n")
