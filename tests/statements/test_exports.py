"""What other apps export, and what a reader leaves out of a file.

Whose rows they are, which way money goes, and what is split or waits. What is left out is told with
its reason, and whether a balance follows from the rows.
"""

import pytest
from hypothesis import given, strategies as st

from finplan.model.money import to_text
from finplan.statements.statement import (
    CATEGORY_SIDE,
    DECLINED,
    NEITHER_WAY,
    NO_CASH,
    SPLIT_PART,
    STATES_BALANCE,
    STATES_SUM,
    AmbiguousStatement,
    UnreadableStatement,
)
from finplan.statements.table.apps import without_splits
from tests.statements.reading_files import ReadFile
from tests.statements.test_camt import balance, document, entry
from tests.statements.test_mt940 import statement
from tests.statements.test_ofx import COFFEE, SGML_HEADER, SIGNON, statement as ofx_statement

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


ACTUAL = "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n"
SPLIT = (
    "Checking,2025-11-18,Target,(SPLIT INTO 2) sale,,,0,-15.5,Cleared\n"
    "Checking,2025-11-18,Target,(SPLIT 1 OF 2) towels,Home,House,-10,0,Cleared\n"
    "Checking,2025-11-18,Target,(SPLIT 2 OF 2) snacks,Food,Groceries,-5.5,0,Cleared\n"
)


def test_actual(read_file: ReadFile) -> None:
    """Of a split transaction the whole counts, which stands in a column of its own."""
    found = read_file(
        f"{ACTUAL}Checking,2025-11-20,Whole Foods,,Food,Groceries,-25.1,0,Cleared\n"
        f"{SPLIT}Checking,2025-11-17,Corner Deli,,Food,Dining,-7.25,0,Not cleared\n"
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


HEADER = "Date,Description,Amount,Status\n"
CAMT_HEAD = "<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id><Ccy>EUR</Ccy></Acct>"


def test_declined_rows_are_counted(read_file: ReadFile) -> None:
    """A row that moved no money because it was declined is left out and told as such."""
    found = read_file(
        HEADER + "2026-03-02,A,-1.00,Completed\n2026-03-03,B,-2.00,Declined\n"
        "2026-03-04,C,,Declined\n2026-03-05,D,-3.00,Completed\n"
    )
    assert found.amounts == [-100, -300]
    assert found.left_out == {"Girokonto": {"declined": 2}}


APP_ROWS = [
    "2026-03-02 10:01:00,商户消费,海边书店,小说,支出,¥12.00,零钱,支付成功",
    "2026-03-03 11:02:00,转账,王小明,/,收入,¥30.00,/,已存入零钱",
    "2026-03-04 12:03:00,信用卡还款,银行,/,{mark},¥500.00,零钱,支付成功",
    "2026-03-05 13:04:00,商户消费,茶馆,绿茶,支出,¥8.00,零钱,交易关闭",
]


@pytest.mark.parametrize("mark", ["/", "不计收支", "中性交易", "其他", "", " -- "])
@pytest.mark.parametrize("name", ["收/支", "收支", "收/支              "])
def test_rows_that_go_neither_way_are_counted(read_file: ReadFile, mark: str, name: str) -> None:
    """What a payment app marks as neither income nor expense moves nothing, and is told as such."""
    head = f"交易时间,交易类型,交易对方,商品,{name},金额(元),支付方式,当前状态"
    rows = [row.format(mark=mark) for row in APP_ROWS]
    found = read_file("\n".join((head, *rows, "")))
    assert found.amounts == [-1200, 3000]
    assert found.left_out == {"Girokonto": {DECLINED: 1, NEITHER_WAY: 1}}
    # One side alone is enough beside neutral rows.
    found = read_file("\n".join((head, rows[0], rows[2], "")))
    assert found.amounts == [-1200]


def test_a_neutral_refund_of_what_was_spent_comes_in(read_file: ReadFile) -> None:
    """Alipay marks refunds as neutral; one counts where the file counts its purchase, by its number."""
    head = (
        "交易时间,交易分类,交易对方,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号"
    )
    rows = [
        "2026-03-09 10:00:00,退款,书店,退款-小说,不计收支,4.00,余额,退款成功,2026030111_a7,",
        "2026-03-08 10:00:00,退款,茶馆,退款-绿茶,不计收支,8.00,余额,退款成功,2026030222*77,T2",
        "2026-03-07 10:00:00,退款,面馆,退款-面,不计收支,5.00,余额,退款成功,9999,N3",
        "2026-03-06 10:00:00,退款,远方,退款-旧,不计收支,6.00,余额,退款成功,2025120111_c,/",
        "2026-03-05 10:00:00,理财,余额宝,转入,不计收支,7.00,余额,交易成功,2026030111,",
        "2026-03-03 10:00:00,餐饮,面馆,面,支出,15.00,余额,交易成功,2026030333,N3",
        "2026-03-02 10:00:00,餐饮,茶馆,绿茶,支出,8.00,余额,交易关闭,2026030222,T2",
        "2026-03-01 10:00:00,购物,书店,小说,支出,12.00,余额,交易成功,2026030111,/",
    ]
    found = read_file("\n".join((head, *rows, "")), direction=None)
    assert found.amounts == [400, 500, -1500, -1200]
    assert found.left_out == {"Girokonto": {DECLINED: 1, NEITHER_WAY: 3}}


def test_an_unknown_mark_is_no_neutral_one(read_file: ReadFile) -> None:
    """Only a column of income and expense has neutral marks, and not every word is one."""
    head = "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态"
    rows = [row.format(mark="冻结") for row in APP_ROWS]
    with pytest.raises(AmbiguousStatement, match="Does “冻结”"):
        read_file("\n".join((head, *rows, "")), direction=None)
    plain = ["Date,Text,D/C,Amount", "2026-03-02,A,Debit,1.00", "2026-03-03,B,Credit,2.00"]
    with pytest.raises(AmbiguousStatement, match="Does “/”"):
        read_file("\n".join((*plain, "2026-03-04,C,/,3.00", "")), direction=None)


def test_rows_without_an_amount_are_counted_when_they_have_a_day(read_file: ReadFile) -> None:
    """A dated row that moves no money is told; a heading or a note, which has no date, is not."""
    found = read_file(
        HEADER + "2026-03-02,A,-1.00,\n2026-03-03,Statement sent,,\n,A note,,\n"
        "2026-03-05,D,-3.00,\npending,Later,,\n"
    )
    assert found.left_out == {"Girokonto": {"no amount": 2}}


NO_AMOUNT = ["", "n/a", "N/A", "-", "--", "null", "NULL", " "]


def notes_of(read_file: ReadFile, content: str) -> list[str]:
    return [note for part in read_file(content).parts for note in part.notes]


@pytest.mark.parametrize("cell", NO_AMOUNT)
def test_a_row_without_an_amount_is_named_by_its_line(read_file: ReadFile, cell: str) -> None:
    """Whatever stands for no amount, the report names the line and the text of the row."""
    rows = f"2026-03-02,A,-1.00,\n2026-03-03,SHELL 22,{cell},\n2026-03-05,D,-3.00,\n"
    (note,) = notes_of(read_file, HEADER + rows)
    assert note.startswith("Skipped line 3 “SHELL 22”: ")


def test_three_rows_without_an_amount_are_named(read_file: ReadFile) -> None:
    """However many there are, three are named and all others counted; one without a text has a line."""
    rows = [
        "2026-03-02,A,-1.00,\n",
        *(f"2026-03-03,{text},,\n" for text in ("B", "", "D", "E", "F")),
    ]
    named = [
        "Skipped line 3 “B” and line 4",
        "Skipped line 3 “B”, line 4 and line 5 “D”",
        "Skipped line 3 “B”, line 4, line 5 “D” and 1 more",
        "Skipped line 3 “B”, line 4, line 5 “D” and 2 more",
    ]
    for count, start in enumerate(named, start=3):
        (note,) = notes_of(read_file, HEADER + "".join(rows[:count]))
        assert note.startswith(f"{start}: ")


@pytest.mark.parametrize("is_newest_first", [True, False])
def test_balance_and_blank_row_name_one_line(read_file: ReadFile, *, is_newest_first: bool) -> None:
    """A balance that moves where a row has no amount contradicts that row, and none beside it."""
    rows = ["02,A,-1.00,99.00", "03,SHELL 22,n/a,95.00", "04,D,-3.00,92.00", "05,E,-2.00,90.00",
            "06,F,-1.00,89.00", "07,G,-4.00,85.00"]  # fmt: skip
    rows = rows[::-1] if is_newest_first else rows
    header = "Date,Description,Amount,Balance\n"
    line = 6 if is_newest_first else 3
    balance, left_out = notes_of(read_file, header + "".join(f"2026-03-{row}\n" for row in rows))
    assert balance.endswith(f"is line {line}: that line has no amount.")
    assert left_out.startswith(f"Skipped line {line} “SHELL 22”: ")


def test_rows_that_state_a_balance_are_counted(read_file: ReadFile) -> None:
    """Lines of balances are told as such, whether they have an amount, none, or no date."""
    found = read_file(
        "Date,Description,Amount,Balance\n2026-03-01,Beginning balance as of 03/01/2026,,100.00\n"
        "2026-03-02,A,-1.00,99.00\n2026-03-03,Closing balance,99.00,99.00\n,Closing balance,99.00,\n"
    )
    assert found.amounts == [-100]
    assert found.left_out == {"Girokonto": {STATES_BALANCE: 3}}


def test_sums_below_the_rows_are_counted(read_file: ReadFile) -> None:
    """A total is known by its word, and a footer without one by being the sum of the rows."""
    rows = "Date,Description,Amount\n2026-03-02,A,-1.00\n2026-03-05,D,-3.00\n"
    assert read_file(rows + ",Total,-4.00\n").left_out == {"Girokonto": {STATES_SUM: 1}}
    assert read_file(rows + ",Everything,-4.00\n").left_out == {"Girokonto": {STATES_SUM: 1}}


def test_a_row_that_waits_for_a_date_is_counted(read_file: ReadFile) -> None:
    """A row that says “pending” where its day should be is told as not booked."""
    found = read_file(
        "Date,Description,Amount\npending,Hotel,-90.00\n2026-03-02,A,-1.00\n2026-03-05,D,-3.00\n"
    )
    assert found.amounts == [-100, -300]
    assert found.left_out == {"Girokonto": {"not booked yet": 1}}


def test_a_row_is_counted_for_the_account_that_it_names(read_file: ReadFile) -> None:
    """Each account is told of its own rows; the first one of those whose account has no transaction."""
    found = read_file(
        "Date,Account Name,Description,Amount,Status\n2026-03-01,Two,X,-9.00,Declined\n"
        "2026-03-02,One,A,-1.00,Completed\n2026-03-03,Two,B,-2.00,Completed\n"
        "2026-03-04,Three,C,-2.00,Declined\n2026-03-05,One,D,-3.00,Completed\n"
    )
    assert {account.name for account in found.accounts} == {"One", "Two"}
    assert found.left_out == {"One": {"declined": 1}, "Two": {"declined": 1}}


def test_however_many_accounts_are_named_the_counts_stay_few(read_file: ReadFile) -> None:
    """A thousand names are told apart, all further rows are counted for the first account."""
    rows = "".join(f"2026-03-01,Name {n},X,-9.00,Declined\n" for n in range(1500))
    found = read_file(
        "Date,Account Name,Description,Amount,Status\n"
        + "2026-03-02,One,A,-1.00,Completed\n" * 300
        + rows
    )
    assert found.left_out == {"One": {"declined": 1500}}


def test_the_apps_say_what_moves_no_money(read_file: ReadFile) -> None:
    """Parts of a split whose whole counts, and what opens an account, are told with their reasons."""
    assert read_file(ACTUAL + SPLIT).left_out == {"Checking": {SPLIT_PART: 2}}
    giro, shop = f'Girokonto,{IBAN},"Asset account"', 'REWE,,"Expense account"'
    firefly = (
        FIREFLY
        + _firefly(21, "Withdrawal", "EUR,-25.10,,", "Groceries", giro, shop)
        + _firefly(24, "Opening balance", "EUR,9.00,,", "x", 'S,,"Initial balance account"', giro)
    )
    assert read_file(firefly).left_out == {"Girokonto": {STATES_BALANCE: 1}}


def test_the_other_sides_of_a_journal_s_table_are_counted(read_file: ReadFile) -> None:
    """Rows of income and expense accounts are no account's money."""
    found = read_file(
        "date,account,description,amount\n2026-03-02,assets:bank,Food,-1.00\n"
        "2026-03-02,expenses:food,Food,1.00\n2026-03-03,assets:bank,Pay,9.00\n"
        "2026-03-03,income:pay,Pay,-9.00\n"
    )
    assert found.amounts == [-100, 900]
    assert found.left_out == {"assets:bank": {CATEGORY_SIDE: 2}}


def test_investments_beside_a_bank_statement_are_counted(read_file: ReadFile) -> None:
    """Rows of a brokerage account, which is not taken over, are told beside the bank account."""
    investments = (
        "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>9</INVACCTFROM>"
        f"<INVTRANLIST><INVBANKTRAN>{COFFEE}</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS>"
        "</INVSTMTMSGSRSV1>"
    )
    banks = f"<BANKMSGSRSV1>{ofx_statement()}</BANKMSGSRSV1>"
    found = read_file(f"{SGML_HEADER}<OFX>{SIGNON}{banks}{investments}</OFX>\n")
    assert found.amounts == [-450]
    assert found.left_out == {"Checking 2345": {NO_CASH: 1}}


QIF = (
    "!Account\nNGiro\nTBank\n{statement}^\n!Type:Bank\n"
    "D01/01/2026\nT100.00\nPOpening Balance\nL[Giro]\n^\n"
)


@pytest.mark.parametrize(("stated", "fits"), [("", None), ("$90.00\n", True), ("$91.00\n", False)])
def test_qif_tells_openings_and_stocks(read_file: ReadFile, stated: str, fits: bool | None) -> None:
    """The opening record and records of investments are told; the statement's balance is compared."""
    head = QIF.format(statement=f"/12/31/2026\n{stated}" if stated else "")
    investments = "!Type:Invst\nD02/13/2026\nNBuy\nYACME\nT5.00\n^\n"
    found = read_file(f"{head}D01/13/2026\nT-10.00\nPShop\n^\n{investments}")
    assert found.amounts == [-1000]
    assert found.left_out == {"Giro": {STATES_BALANCE: 1, NO_CASH: 1}}
    assert found.fits == [fits]


@pytest.mark.parametrize(("amount", "fits"), [("10,00", True), ("10,01", False)])
def test_an_mt940_balance_is_compared(read_file: ReadFile, amount: str, fits: bool) -> None:
    """Opening balance and lines make the closing balance, or they do not."""
    assert read_file(statement(f":61:260304D{amount}NMSC")).fits == [fits]


def test_an_mt940_balance_without_an_opening_is_not_compared(read_file: ReadFile) -> None:
    """Where the opening balance is missing nothing can be said, and an overdraft is below zero."""
    without = statement(":61:260304D10,00NMSC").replace(":60F:C260301EUR100,00\n", "")
    assert read_file(without).fits == [None]
    overdrawn = statement(":61:260304C190,00NMSC").replace("F:C260301EUR", "F:D260301EUR")
    assert read_file(overdrawn).fits == [True]


@pytest.mark.parametrize(("opening", "fits"), [("OPBD", True), ("PRCD", True), ("OPAV", None)])
def test_a_camt_balance_is_compared(read_file: ReadFile, opening: str, fits: bool | None) -> None:
    """The opening booked balance and booked entries make the closing one; others are not counted."""
    head = (
        CAMT_HEAD
        + balance(opening, "10.00", "2026-03-01", "DBIT")
        + balance("CLBD", "14.50", "2026-03-31", "DBIT")
    )
    entries = (entry(), entry("7.00", status="<Sts>PDNG</Sts>"), entry(status="<Sts>INFO</Sts>"))
    found = read_file(document(*entries, head=head))
    assert found.fits == [fits]
    assert found.left_out == {"Account 8603": {"for information only": 1}}
    assert read_file(document(entry("4.51"), head=head)).fits == [None if fits is None else False]


def test_a_table_s_balance_is_compared(read_file: ReadFile) -> None:
    """A running balance fits when every step of it does, and one row proves nothing."""
    head = "Date,Description,Amount,Balance\n"
    rows = (
        "2026-03-02,A,-10.00,90.00\n2026-03-03,B,-10.00,80.00\n2026-03-04,C,-5.00,75.00\n"
        "2026-03-05,D,-10.00,65.00\n2026-03-06,E,-10.00,55.00\n"
    )
    assert read_file(head + rows).fits == [True]
    assert read_file(head + rows.replace("-5.00", "-4.00")).fits == [False]


def test_one_row_proves_no_balance(read_file: ReadFile) -> None:
    """A balance beside a single booked row follows from nothing, whatever waits beside it."""
    found = read_file(
        "Date,Description,Amount,Balance,Status\n2026-03-02,A,-10.00,90.00,Booked\n"
        "2026-03-03,B,-10.00,80.00,Pending\n"
    )
    assert found.fits in ([], [None])


def test_each_account_of_a_table_is_compared_by_itself(read_file: ReadFile) -> None:
    """A break in one account's balances says nothing of the other's."""
    found = read_file(
        "Date,Account Name,Description,Amount,Balance\n"
        "2026-03-02,One,A,-10.00,90.00\n2026-03-02,Two,A,-10.00,190.00\n"
        "2026-03-03,One,B,-10.00,80.00\n2026-03-03,Two,B,-10.00,170.00\n"
        "2026-03-04,One,C,-10.00,70.00\n2026-03-04,Two,C,-10.00,160.00\n"
        "2026-03-05,One,D,-1.00,69.00\n2026-03-05,Two,D,-2.00,158.00\n"
        "2026-03-06,Three,D,-2.00,58.00\n"
    )
    told = {
        part.account.name: part.balance_fits for part in found.parts if part.balance is not None
    }
    assert told == {"One": True, "Two": False, "Three": None}


JOURNAL = """\
2026-03-01 opening
    assets:bank      $100
    assets:hut       $7
    equity:opening balances

2026-03-02 shop
    assets:bank      $-10
    expenses:food

2026-03-03 buy
    assets:bank      $-5
    assets:broker    1 ACME @ $5
"""


def test_a_journal_tells_what_moves_no_cash(read_file: ReadFile) -> None:
    """Entries that open accounts and postings of shares are told, for the account where it has rows."""
    found = read_file(JOURNAL, name="j.journal")
    assert found.amounts == [-1000, -500]
    assert found.left_out == {"assets:bank": {STATES_BALANCE: 2, NO_CASH: 1}}
