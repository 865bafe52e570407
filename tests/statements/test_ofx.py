"""OFX and QFX as banks really write them."""

from pathlib import Path

import pytest

from finplan.statements.statement import UnreadableStatement
from tests.statements.reading_files import ReadFile, read_content

SGML_HEADER = (
    "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
    "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
)
SIGNON = (
    "<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>"
    "<FI><ORG>Acorn Bank<FID>1</FI></SONRS></SIGNONMSGSRSV1>"
)
COFFEE = "<STMTTRN><TRNTYPE>POS<DTPOSTED>20260304<TRNAMT>-4.50<FITID>A1<NAME>COFFEE</STMTTRN>"


def statement(
    body: str = COFFEE,
    *,
    currency: str = "<CURDEF>USD",
    account: str = "<BANKACCTFROM><BANKID>1<ACCTID>000012345<ACCTTYPE>CHECKING</BANKACCTFROM>",
    balance: str = "<LEDGERBAL><BALAMT>100.25<DTASOF>20260331</LEDGERBAL>",
) -> str:
    return (
        f"<STMTTRNRS><TRNUID>1<STMTRS>{currency}{account}<BANKTRANLIST>"
        f"<DTSTART>20260301<DTEND>20260331{body}</BANKTRANLIST>{balance}</STMTRS></STMTTRNRS>"
    )


def sgml(*statements: str, header: str = SGML_HEADER) -> str:
    bank = "".join(statements or [statement()])
    return f"{header}<OFX>{SIGNON}<BANKMSGSRSV1>{bank}</BANKMSGSRSV1></OFX>\n"


def transaction(**fields: str) -> str:
    known = {"DTPOSTED": "20260304", "TRNAMT": "-4.50", "FITID": "A1", "NAME": "COFFEE"} | fields
    return "<STMTTRN>" + "".join(f"<{tag}>{value}" for tag, value in known.items()) + "</STMTTRN>"


XML = """<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX>
  <CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>
    <CURDEF>EUR</CURDEF>
    <CCACCTFROM><ACCTID>4111 1111</ACCTID></CCACCTFROM>
    <BANKTRANLIST>
      <DTSTART>20260301</DTSTART><DTEND>20260331</DTEND>
      <STMTTRN>
        <TRNTYPE>DEBIT</TRNTYPE>
        <DTPOSTED>20260302120000.000[-5:EST]</DTPOSTED>
        <TRNAMT>-12.30</TRNAMT>
        <FITID>77</FITID>
        <NAME>Caf&#233; &amp; Bar</NAME>
      </STMTTRN>
    </BANKTRANLIST>
    <LEDGERBAL><BALAMT>-512.30</BALAMT><DTASOF>20260331</DTASOF></LEDGERBAL>
  </CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>
</OFX>
"""


def test_an_sgml_statement_is_read_whole(read_file: ReadFile) -> None:
    """A bank statement gives its account, its rows, the days it covers and its balance."""
    found = read_file(sgml())
    (account,) = found.accounts
    assert (account.number, account.name, account.currency) == ("000012345", "Checking 2345", "USD")
    assert (account.institution, account.kind, account.subtype) == (
        "Acorn Bank",
        "depository",
        "checking",
    )
    assert [tuple(row) for row in found.rows] == [
        (20260304, -450, "COFFEE", "A1", None, False, None)
    ]
    assert (found.parts[0].since, found.parts[0].until) == (20260301, 20260331)
    assert found.balances == {"Checking 2345": (10025, 20260331)}
    assert found.format == "OFX"


def test_an_xml_card_statement_keeps_the_banks_signs(read_file: ReadFile) -> None:
    """XML is read like SGML; a card's amounts and its balance keep the sign that is printed."""
    found = read_file(XML)
    (account,) = found.accounts
    assert (account.kind, account.subtype, account.currency) == ("credit", "credit card", "EUR")
    assert [tuple(row) for row in found.rows] == [
        (20260302, -1230, "Café & Bar", "77", None, False, None)
    ]
    assert found.balances == {account.name: (-51230, 20260331)}


@pytest.mark.parametrize(
    ("printed", "kind", "subtype"),
    [
        ("SAVINGS", "depository", "savings"),
        ("MONEYMRKT", "depository", "money market"),
        ("CD", "depository", "cd"),
        ("CREDITLINE", "credit", "line of credit"),
        ("SOMETHING", None, None),
    ],
)
def test_the_type_of_an_account_gives_kind_and_subtype(
    read_file: ReadFile, printed: str, kind: str | None, subtype: str | None
) -> None:
    """ACCTTYPE becomes kind and subtype; an unknown type says nothing."""
    account = f"<BANKACCTFROM><ACCTID>9<ACCTTYPE>{printed}</BANKACCTFROM>"
    (found,) = read_file(sgml(statement(account=account))).accounts
    assert (found.kind, found.subtype) == (kind, subtype)


def test_several_statements_of_a_file_stay_apart(read_file: ReadFile) -> None:
    """Each statement's rows and balance belong to its own account."""
    savings = "<BANKACCTFROM><ACCTID>777<ACCTTYPE>SAVINGS</BANKACCTFROM>"
    found = read_file(
        sgml(
            statement(transaction(FITID="1") + transaction(FITID="2")),
            statement(
                transaction(TRNAMT="9.00"),
                account=savings,
                balance="<LEDGERBAL><BALAMT>1<DTASOF>20260401</LEDGERBAL>",
            ),
        )
    )
    assert [row.amount for row in found.rows_of("Checking 2345")] == [-450, -450]
    assert [row.amount for row in found.rows_of("Savings 777")] == [900]
    assert found.balances == {"Checking 2345": (10025, 20260331), "Savings 777": (100, 20260401)}


@pytest.mark.parametrize(
    "header",
    [
        "",
        "\n\n\n" + SGML_HEADER,
        SGML_HEADER.replace("\n", ""),
        "<!-- made by a bank -->\n" + SGML_HEADER,
        '<?xml version="1.0" encoding="US-ASCII"?>\n',
        "<START><OFXHEADER>100</OFXHEADER></START>\nand remove the blank line\n",
    ],
    ids=["none", "blank lines", "one line", "comment", "xml without OFX", "wrapped"],
)
def test_a_strange_header_does_not_matter(read_file: ReadFile, header: str) -> None:
    """What stands before <OFX> is skipped, whatever it is."""
    assert read_file(sgml(header=header)).amounts == [-450]


@pytest.mark.parametrize(
    ("printed", "amount"),
    [
        ("-4.50", -450),
        ("+00000000000115.8300", 11583),
        ("   -11,76", -1176),
        ("1,234.50", 123450),
        ("1.234,50", 123450),
        ("-0", 0),
        ("7", 700),
        ("-.5", -50),
        (".", 0),
        ("0.125", 12),
        ("0.135", 14),
    ],
)
def test_an_amount_is_read_as_printed(read_file: ReadFile, printed: str, amount: int) -> None:
    """Points and commas are decimal signs, a point alone is zero, halves of a cent round to even."""
    assert read_file(sgml(statement(transaction(TRNAMT=printed)))).amounts == [amount]


@pytest.mark.parametrize(("currency", "amount"), [("JPY", 1500), ("KWD", 1500000), ("USD", 150000)])
def test_minor_units_are_the_currencys_own(read_file: ReadFile, currency: str, amount: int) -> None:
    """1500.00 is 1500 yen, 1500000 fils, 150000 cents."""
    body = statement(transaction(TRNAMT="1500.00"), currency=f"<CURDEF>{currency}")
    assert read_file(sgml(body)).amounts == [amount]


@pytest.mark.parametrize(
    "printed",
    [
        "20260304",
        "20260304235959",
        "20260304120000.000[-5:EST]",
        " 20260304000000[-3:GMT]",
        "2026-03-04",
    ],
)
def test_a_booking_date_is_the_day_as_printed(read_file: ReadFile, printed: str) -> None:
    """Neither a time nor a time zone moves the day."""
    assert read_file(sgml(statement(transaction(DTPOSTED=printed)))).days == [20260304]


@pytest.mark.parametrize(
    ("printed", "kept"), [("", None), ("0", None), ("0000", None), (" 0042 ", "0042")]
)
def test_an_id_is_kept_as_printed(read_file: ReadFile, printed: str, kept: str | None) -> None:
    """An empty FITID or one of zeros is no id; leading zeros of another stay."""
    (row,) = read_file(sgml(statement(transaction(FITID=printed)))).rows
    assert row.external_id == kept


def test_rows_with_one_id_all_stay(read_file: ReadFile) -> None:
    """A bank that gives several rows one FITID loses none of them."""
    found = read_file(sgml(statement(transaction(TRNAMT="1.00") + transaction(TRNAMT="2.00"))))
    assert [(row.external_id, row.amount) for row in found.rows] == [("A1", 100), ("A1", 200)]


@pytest.mark.parametrize(
    ("fields", "raw"),
    [
        ({"NAME": "DIVIDEND FOR 03", "MEMO": "DIVIDEND FOR 03/01/2026"}, "DIVIDEND FOR 03/01/2026"),
        ({"NAME": "JOE  DINER", "MEMO": "POS 12"}, "JOE DINER POS 12"),
        ({"NAME": "JOE DINER", "MEMO": "JOE"}, "JOE DINER"),
        ({"NAME": "A&amp;B &lt;3&gt; R&D"}, "A&B <3> R&D"),
        ({"NAME": "S&REGIONAL &copycat"}, "S&REGIONAL &copycat"),
        ({"NAME": "", "MEMO": "", "TRNTYPE": "CHECK", "CHECKNUM": "319"}, "CHECK 319"),
        ({"NAME": "<![CDATA[Tom & <Jerry>]]>"}, "Tom & <Jerry>"),
    ],
)
def test_descriptors_do_not_repeat(read_file: ReadFile, fields: dict[str, str], raw: str) -> None:
    """Name and memo are folded, joined, never repeated, and their character references resolved."""
    assert read_file(sgml(statement(transaction(**fields)))).raws == [raw]


def test_a_payee_is_given_apart(read_file: ReadFile) -> None:
    """PAYEE's name is the payee and part of the descriptor."""
    payee = "<PAYEE><NAME>Big Shop</NAME><CITY>Oslo</CITY></PAYEE>"
    (row,) = read_file(sgml(statement(COFFEE.replace("</STMTTRN>", payee + "</STMTTRN>")))).rows
    assert (row.raw, row.payee) == ("COFFEE Big Shop", "Big Shop")


def test_comments_hide_what_they_hold(read_file: ReadFile) -> None:
    """A transaction in a comment is none."""
    body = f"<!-- {transaction(TRNAMT='-99.00')} -->{COFFEE}<!-- <BALAMT>7 -->"
    assert read_file(sgml(statement(body))).amounts == [-450]


def test_tags_in_small_letters_are_read(read_file: ReadFile) -> None:
    """The case of tags does not matter."""
    content = (
        sgml().replace("OFX>", "ofx>").replace("STMTTRN>", "stmttrn>").replace("TRNAMT", "TrnAmt")
    )
    assert read_file(content).amounts == [-450]


def test_closing_tags_of_elements_may_come_late(read_file: ReadFile) -> None:
    """A file whose elements close in a heap at the end of each aggregate is read."""
    body = transaction().replace("</STMTTRN>", "\n</NAME>\n</FITID>\n</TRNAMT>\n</STMTTRN>\n")
    assert read_file(sgml(statement(body))).raws == ["COFFEE"]


@pytest.mark.parametrize(
    ("currency", "body", "expected"),
    [
        ("", COFFEE, "CHF"),
        ("<CURDEF>", transaction(MEMO="x", CURRENCY="", CURSYM="AUD"), "AUD"),
        ("<CURDEF>gbp", COFFEE, "GBP"),
    ],
)
def test_a_missing_currency_is_the_assumed_one(
    read_file: ReadFile, currency: str, body: str, expected: str
) -> None:
    """Without CURDEF the rows' own currency counts, then the assumed one."""
    (account,) = read_file(sgml(statement(body, currency=currency)), currency="CHF").accounts
    assert account.currency == expected


@pytest.mark.parametrize(
    "balance", ["<LEDGERBAL><BALAMT><DTASOF></LEDGERBAL>", "<LEDGERBAL><BALAMT/></LEDGERBAL>", ""]
)
def test_an_empty_balance_loses_no_rows(read_file: ReadFile, balance: str) -> None:
    """A bank that leaves the balance out or empty still gives its rows."""
    found = read_file(sgml(statement(balance=balance)))
    assert (found.amounts, found.balances) == ([-450], {})


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (sgml(statement(transaction(NAME="Café"))).encode(), "utf-8"),
        (sgml(statement(transaction(NAME="Café"))).encode("cp1252"), "cp1252"),
        (sgml(statement(transaction(NAME="Café"))).encode("utf-16"), "utf-16"),
        (b"\xef\xbb\xbf" + sgml(statement(transaction(NAME="Café"))).encode(), "utf-8-sig"),
    ],
)
def test_bytes_tell_the_encoding(read_file: ReadFile, content: bytes, encoding: str) -> None:
    """UTF-8 declared as USASCII and 1252 is UTF-8; what is no UTF-8 is what the header says."""
    found = read_file(content)
    assert (found.raws, found.encoding) == (["Café"], encoding)


def test_a_byte_without_meaning_in_the_code_page_is_replaced(read_file: ReadFile) -> None:
    """Byte 0x90 under CHARSET:1252 costs one character, not the file."""
    content = sgml(statement(transaction(NAME="Caf\xe9 \xe0 \xe8 \xf4 Z"))).encode("cp1252")
    assert read_file(content.replace(b" Z", b" \x90")).raws == ["Café à è ô \ufffd"]


def test_a_big_file_comes_in_parts(tmp_path: Path) -> None:
    """No part holds more than some thousands of rows, and none is lost between blocks of text."""
    body = "".join(transaction(FITID=str(number)) for number in range(1, 20_001))
    found = read_content(tmp_path / "big.ofx", sgml(statement(body)))
    assert [row.external_id for row in found.rows] == [str(number) for number in range(1, 20_001)]
    assert max(len(part.rows) for part in found.parts) < 10_000


INVESTMENT = (
    f"{SGML_HEADER}<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>1"
    f"</INVACCTFROM><INVTRANLIST><INVBANKTRAN>{COFFEE}</INVBANKTRAN></INVTRANLIST></INVSTMTRS>"
    "</INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>"
)
BANK_ERROR = (
    f"{SGML_HEADER}<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR"
    "<MESSAGE>General Server Error</STATUS></STMTTRNRS></BANKMSGSRSV1></OFX>"
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (INVESTMENT, "only investments and no bank transactions"),
        (BANK_ERROR, "General Server Error"),
        (f"{SGML_HEADER}<OFX><ACCTINFO><DESC>x</ACCTINFO></OFX>", "lists accounts"),
        (f"{SGML_HEADER}<OFX></OFX>", "no bank or card statement"),
        (f"{SGML_HEADER}<OFX>{COFFEE}</OFX>", "does not belong to an account"),
        (sgml()[:-80], "cut off"),
        (sgml(statement(transaction() + "<STMTTRN><TRNTYPE>POS<DTPOS"))[:-150], "cut off"),
        (sgml(statement(transaction(DTPOSTED=""))), "Transaction 1 (“COFFEE”): missing date"),
        (sgml(statement(COFFEE + transaction(DTPOSTED="20260230"))), "Transaction 2 (“COFFEE”)"),
        (sgml(statement(transaction(DTPOSTED="20260230"))), "impossible date: “20260230”"),
        (sgml(statement(transaction(TRNAMT=""))), "Transaction 1 (“COFFEE”): missing amount"),
        (sgml(statement(transaction(TRNAMT="$120"))), "impossible amount: “$120”"),
        (
            sgml(statement(transaction(TRNAMT="100000000000.01"))),
            "“100000000000.01” is too large (at most 100000000000.00",
        ),
        (sgml(statement("<!-- never closed")), "cut off"),
    ],
    ids=[
        "investments", "bank's error", "accounts", "nothing", "no account", "cut off", "cut in a row",
        "no date", "which row", "no such day", "no amount", "no number", "too large", "comment",
    ],
)  # fmt: skip
def test_damage_is_refused_with_a_sentence(read_file: ReadFile, content: str, words: str) -> None:
    """Nothing is left out in silence: the whole file is refused, and the sentence names the reason."""
    with pytest.raises(UnreadableStatement) as refused:
        read_file(content)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("printed", "code"),
    [("5812", "5812"), (" 5812 ", "5812"), ("0000", None), ("58", None), ("none", None)],
)
def test_the_merchants_trade_is_kept(read_file: ReadFile, printed: str, code: str | None) -> None:
    """A row keeps the four digits that tell the merchant's trade; zeros and words are no code."""
    found = read_file(sgml(statement(transaction(SIC=printed))))

    assert [row.code for row in found.rows] == [code]
