"""CAMT.052, 053 and 054: each trap that real files have, written by hand."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.statements.camt_xml import elements
from finplan.statements.statement import UnreadableStatement
from finplan.statements.text import encoding
from tests.statements import reading_files

IBAN = "<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id><Ccy>EUR</Ccy></Acct>"
OTHER_SIDE = (
    "<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties>"
    "<Dbtr><Nm>ME</Nm></Dbtr><Cdtr><Nm>COFFEE HOUSE</Nm></Cdtr></RltdPties>"
    "<RmtInf><Ustrd>Cups</Ustrd></RmtInf></TxDtls></NtryDtls>"
)


def entry(
    amount: str = "4.50",
    direction: str = "DBIT",
    status: str = "<Sts>BOOK</Sts>",
    day: str = "<BookgDt><Dt>2026-03-04</Dt></BookgDt>",
    rest: str = "",
    currency: str = "EUR",
) -> str:
    return (
        f'<Ntry><Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>'
        f"{status}{day}{rest}</Ntry>"
    )


def document(*entries: str, head: str = IBAN, message: str = "053") -> str:
    root, sort = {
        "052": ("BkToCstmrAcctRpt", "Rpt"),
        "053": ("BkToCstmrStmt", "Stmt"),
        "054": ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
    }[message]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.{message}.001.02"><{root}>'
        "<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-03-05T01:00:00</CreDtTm></GrpHdr>"
        f"<{sort}><Id>1</Id><CreDtTm>2026-03-05T01:00:00</CreDtTm>{head}{''.join(entries)}</{sort}>"
        f"</{root}></Document>\n"
    )


def balance(code: str, amount: str, day: str, direction: str = "CRDT") -> str:
    return (
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount}</Amt>"
        f"<CdtDbtInd>{direction}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
    )


@pytest.mark.parametrize("message", ["052", "053", "054"])
def test_an_entry_is_a_row(read_file: reading_files.ReadFile, message: str) -> None:
    """Day, signed amount, descriptor, the bank's id and the other side come from an entry."""
    rest = f"<AcctSvcrRef>B4E07XM00J</AcctSvcrRef>{OTHER_SIDE}"
    found = read_file(document(entry(rest=rest), message=message))
    assert (found.format, found.encoding) == (f"CAMT.{message}", "utf-8")
    assert found.rows == [
        (20260304, -450, "COFFEE HOUSE Cups", "B4E07XM00J", "COFFEE HOUSE", False, None)
    ]
    (account,) = found.accounts
    assert account.number == "DE02100100109307118603"
    assert (account.name, account.currency) == ("Account 8603", "EUR")


def test_an_account_says_what_it_is(read_file: reading_files.ReadFile) -> None:
    """Its name, its kind and the bank are taken where the file gives them."""
    head = (
        "<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm><ToDtTm>2026-03-31T23:59:59</ToDtTm></FrToDt>"
        "<Acct><Id><Othr><Id>12 345</Id></Othr></Id><Tp><Cd>SVGS</Cd></Tp><Ccy>CHF</Ccy>"
        "<Nm>Holidays</Nm><Svcr><FinInstnId><BIC>BANKCHZZ</BIC><Nm>Bank of Ada</Nm></FinInstnId></Svcr>"
        "</Acct>"
    )
    found = read_file(document(head=head))
    (account,) = found.accounts
    assert (account.number, account.name, account.currency) == ("12345", "Holidays", "CHF")
    assert (account.kind, account.subtype, account.institution) == (
        "depository",
        "savings",
        "Bank of Ada",
    )
    assert (found.parts[-1].since, found.parts[-1].until) == (20260301, 20260331)


@pytest.mark.parametrize(
    ("direction", "reversal", "amount"),
    [("CRDT", "", 450), ("DBIT", "", -450), ("CRDT", "true", 450), ("DBIT", "true", -450),
     ("DBIT", "false", -450)],
)  # fmt: skip
def test_the_direction_is_what_it_says(
    read_file: reading_files.ReadFile, direction: str, reversal: str, amount: int
) -> None:
    """A reversal already bears its own direction: a returned debit is a credit."""
    rest = f"<RvslInd>{reversal}</RvslInd>" if reversal else ""
    assert read_file(document(entry(direction=direction, rest=rest))).amounts == [amount]


def test_a_returned_debit_names_who_debited(read_file: reading_files.ReadFile) -> None:
    """A reversal keeps the roles of what it reverses."""
    found = read_file(
        document(entry(direction="CRDT", rest=f"<RvslInd>true</RvslInd>{OTHER_SIDE}"))
    )
    assert found.rows[0].payee == "COFFEE HOUSE"


@pytest.mark.parametrize(
    ("status", "pending"),
    [
        ("<Sts>BOOK</Sts>", [False]),
        ("<Sts>PDNG</Sts>", [True]),
        ("<Sts>INFO</Sts>", []),
        ("<Sts><Cd>BOOK</Cd></Sts>", [False]),
        ("<Sts><Cd>PDNG</Cd></Sts>", [True]),
        ("<Sts><Cd>FUTR</Cd></Sts>", [True]),
        ("<Sts>\n<Cd>INFO</Cd>\n</Sts>", []),
        ("", [False]),
    ],
)
def test_entries_booked_are_booked(
    read_file: reading_files.ReadFile, status: str, pending: list[bool]
) -> None:
    """What waits is pending, and what is for information only is no row, in old and new versions."""
    assert [row.pending for row in read_file(document(entry(status=status))).rows] == pending


@pytest.mark.parametrize(
    ("day", "booked"),
    [
        ("<BookgDt><Dt>2026-03-04</Dt></BookgDt><ValDt><Dt>2026-03-06</Dt></ValDt>", 20260304),
        ("<BookgDt><DtTm>2026-03-04T23:30:00-05:00</DtTm></BookgDt>", 20260304),
        ("<BookgDt><Dt>2026-03-04+01:00</Dt></BookgDt>", 20260304),
        ("<ValDt><Dt>2026-03-06</Dt></ValDt>", 20260306),
        ("", 20260305),
    ],
)
def test_the_day_is_the_booking_day_as_printed(
    read_file: reading_files.ReadFile, day: str, booked: int
) -> None:
    """No zone moves it; the value date stands in, and the day of a notification that gives none."""
    assert read_file(document(entry(day=day))).days == [booked]


@pytest.mark.parametrize(
    ("printed", "currency", "amount"),
    [("8.85000", "EUR", -885), ("0", "EUR", 0), ("1500", "JPY", -1500), ("1.2345", "KWD", -1234),
     (" 3.1 ", "EUR", -310)],
)  # fmt: skip
def test_decimals_may_be_any(
    read_file: reading_files.ReadFile, printed: str, currency: str, amount: int
) -> None:
    """Five decimals or none, and zero, become minor units of the entry's currency, half-even."""
    found = read_file(document(entry(printed, currency=currency)))
    assert found.amounts == [amount]
    assert found.accounts[0].currency == currency


def test_a_batch_is_one_row(read_file: reading_files.ReadFile) -> None:
    """An entry that sums up many transactions is booked as one, described by what the bank adds."""
    detail = (
        "<TxDtls><Amt Ccy='EUR'>1.00</Amt><RltdPties><Dbtr><Nm>{}</Nm></Dbtr></RltdPties></TxDtls>"
    )
    details = "".join(detail.format(f"Person {number}") for number in range(5000))
    rest = f"<NtryDtls><Btch><NbOfTxs>5000</NbOfTxs></Btch>{details}</NtryDtls>"
    added = f"{rest}<AddtlNtryInf>COLLECTION OF 5000</AddtlNtryInf>"
    found = read_file(document(entry("5000", "CRDT", rest=added), entry()))
    assert found.amounts == [500000, -450]
    assert (found.raws[0], found.rows[0].payee) == ("COLLECTION OF 5000", None)


@pytest.mark.parametrize(
    ("rest", "raw", "payee"),
    [
        ("<AddtlNtryInf>CARD  7 COOP</AddtlNtryInf>", "CARD 7 COOP", None),
        ("<BkTxCd><Prtry><Cd>FEES</Cd></Prtry></BkTxCd>", "FEES", None),
        ("<NtryDtls><TxDtls><AddtlTxInf>Fee</AddtlTxInf></TxDtls></NtryDtls>", "Fee", None),
        (
            (
                "<NtryDtls><TxDtls><RltdPties><Cdtr><Pty><Nm>Shop</Nm></Pty></Cdtr></RltdPties>"
                "<RmtInf><Ustrd>a</Ustrd><Ustrd>b</Ustrd></RmtInf></TxDtls></NtryDtls>"
            ),
            "Shop a b",
            "Shop",
        ),
        (
            (
                "<NtryDtls><TxDtls><RltdPties><Cdtr><Agt><FinInstnId><Nm>Bank</Nm></FinInstnId></Agt>"
                "</Cdtr></RltdPties><RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>"
                "</TxDtls></NtryDtls>"
            ),
            "Bank RF18",
            "Bank",
        ),
        (
            (
                "<NtryDtls><TxDtls><RltdPties><UltmtCdtr><Nm>Shop</Nm></UltmtCdtr></RltdPties>"
                "<RmtInf><Strd><AddtlRmtInf>Order</AddtlRmtInf></Strd></RmtInf></TxDtls></NtryDtls>"
            ),
            "Shop Order",
            "Shop",
        ),
        (
            "<NtryDtls><TxDtls><Refs><UETR>255ae394</UETR></Refs></TxDtls></NtryDtls>",
            "255ae394",
            None,
        ),
    ],
)
def test_an_entrys_description(
    read_file: reading_files.ReadFile, rest: str, raw: str, payee: str | None
) -> None:
    """Name and purpose come first, then what the bank adds, references and codes; names of v8 too."""
    (row,) = read_file(document(entry(rest=rest))).rows
    assert (row.raw, row.payee) == (raw, payee)


@pytest.mark.parametrize(
    ("rest", "kept"),
    [
        ("<AcctSvcrRef>A1</AcctSvcrRef><NtryRef>N1</NtryRef>", "A1"),
        ("<NtryRef>2026-03-04-77</NtryRef>", "2026-03-04-77"),
        ("<NtryRef>12</NtryRef>", None),
        ("<AcctSvcrRef>NOTPROVIDED</AcctSvcrRef>", None),
        ("<NtryDtls><TxDtls><Refs><EndToEndId>E2E</EndToEndId></Refs></TxDtls></NtryDtls>", None),
    ],
)
def test_the_bank_s_reference_is_the_id(
    read_file: reading_files.ReadFile, rest: str, kept: str | None
) -> None:
    """Running numbers, fillers and the payer's references identify nothing."""
    assert read_file(document(entry(rest=rest))).rows[0].external_id == kept


def test_the_latest_closing_balance_counts(read_file: reading_files.ReadFile) -> None:
    """Booked balances with their sign and day; available and opening ones are left out."""
    head = IBAN + balance("OPBD", "1.00", "2026-03-01") + balance("CLAV", "999", "2026-03-31")
    closing = balance("CLBD", "2.00", "2026-03-30") + balance("CLBD", "3.00", "2026-03-31", "DBIT")
    assert read_file(document(head=head)).balances == {}
    assert read_file(document(head=head + closing)).balances == {"Account 8603": (-300, 20260331)}
    interim = balance("ITBD", "4.00", "2026-03-05")
    assert read_file(document(head=head + interim)).balances == {"Account 8603": (400, 20260305)}


def test_a_balance_in_another_currency_is_left_out(read_file: reading_files.ReadFile) -> None:
    """An account in euros has no balance in dollars."""
    foreign = balance("CLBD", "3.00", "2026-03-31").replace("EUR", "USD")
    assert read_file(document(entry(), head=IBAN + foreign)).balances == {}


def test_few_transactions_of_a_batch_are_kept() -> None:
    """The tree of an entry that sums up thousands stays small."""
    details = "<TxDtls><Refs/></TxDtls>" * 5000
    content = document(entry(rest=f"<NtryDtls>{details}</NtryDtls>"))
    _, batch = (element for whole in elements(iter([content])) for element in whole)
    assert len(batch.findall("NtryDtls/TxDtls")) <= 4


def test_several_statements_and_currencies(read_file: reading_files.ReadFile) -> None:
    """Each statement is of its account, and entries of another currency are an account of their own."""
    first = document(entry(), entry(currency="USD"))
    second = document(entry("7"), head=IBAN.replace("8603", "8604"))
    end = first.index("</BkToCstmrStmt>")
    own = second[second.index("<Stmt>") : second.index("</BkToCstmrStmt>")]
    found = read_file(first[:end] + own + first[end:])
    assert [(part.account.name, part.account.currency, len(part.rows)) for part in found.parts] == [
        ("Account 8603", "EUR", 1),
        ("Account 8603", "USD", 1),
        ("Account 8603", "EUR", 0),
        ("Account 8604", "EUR", 1),
        ("Account 8604", "EUR", 0),
    ]


def test_namespaces_prefixes_comments_and_encodings(read_file: reading_files.ReadFile) -> None:
    """Any version, prefix and encoding, comments and CDATA give the same rows."""
    plain = document(entry(rest=OTHER_SIDE.replace("Cups", "Größe")))
    wanted = read_file(plain).rows
    for content in (
        plain.replace("camt.053.001.02", "camt.053.001.13"),
        plain.replace(' xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"', ""),
        plain.replace("<Ntry>", "<!-- <Ntry> --><Ntry>").replace("Größe", "<![CDATA[Größe]]>"),
        plain.replace("Größe", "Gr&#246;&#xDF;e"),
        plain.replace("><", ">\n  <"),
    ):
        assert read_file(content).rows == wanted
    assert read_file(plain.replace("UTF-8", "ISO-8859-1"), encoding="latin-1").rows == wanted
    assert read_file(plain.replace("UTF-8", "UTF-16"), encoding="utf-16").rows == wanted


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (document(entry(day="<BookgDt><Dt>2026-02-30</Dt></BookgDt>")), "impossible date"),
        (document(entry("4,5.0")), "impossible amount"),
        (document(entry("")), "missing amount"),
        (document(entry("123456789012345")), "too large"),
        (document(entry(direction="")), "missing direction"),
        (document(entry(direction="BOTH")), "impossible direction: “BOTH”"),
        (document(entry()).partition("</Stmt>")[0], "cut off"),
        (document(entry()).replace("</Amt>", "</Amount>"), "invalid XML at line 2"),
        (document(entry("&lol;")), "invalid XML"),
        (
            document(entry()).replace("<Stmt>", "<X>").replace("</Stmt>", "</X>"),
            "does not belong to an account",
        ),
    ],
)
def test_a_damaged_file_is_refused(
    read_file: reading_files.ReadFile, content: str, words: str
) -> None:
    """No row is lost in silence: the sentence says what is wrong."""
    with pytest.raises(UnreadableStatement, match=words):
        read_file(content)


@pytest.mark.parametrize("padding", ["", " " * 20_000, f"<!-- {'x' * 30_000} -->"])
def test_entities_are_never_expanded(read_file: reading_files.ReadFile, padding: str) -> None:
    """A document type refuses the file, however late it comes."""
    bomb = '<!DOCTYPE a [<!ENTITY b "lol">]>'
    content = document(entry()).replace("<Document", f"{padding}{bomb}<Document", 1)
    with pytest.raises(UnreadableStatement, match="its own entities"):
        read_file(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "BLOCK", 7)
        with pytest.raises(UnreadableStatement, match="its own entities"):
            read_file(content)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("filler", ["x", "<a>", "<a/>"])
def test_endless_input_is_refused(
    read_file: reading_files.ReadFile, bytes_read: reading_files.BytesRead, filler: str
) -> None:
    """Neither endless text nor endless nesting is read to its end or kept in memory."""
    start = document(entry()).partition("<CdtDbtInd>")[0]
    with pytest.raises(UnreadableStatement, match="never ends"):
        read_file(start + filler * (2 * reading_files.SOON // len(filler)))
    assert bytes_read() < reading_files.SOON


@given(
    written=reading_files.rows,
    version=st.sampled_from([2, 4, 8, 13]),
    prefix=st.sampled_from(["", "ns2"]),
)
def test_a_written_statement_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[reading_files.Row],
    version: int,
    prefix: str,
) -> None:
    """Each row comes back exactly, in order, in every version."""
    path = tmp_path_factory.getbasetemp() / "written.xml"
    found = reading_files.read_content(path, reading_files.camt(written, version, prefix))
    assert [(row.day, row.amount, row.raw, row.external_id) for row in found.rows] == [
        (int(day.strftime("%Y%m%d")), amount, text, f"REF{place:09d}")
        for place, (day, amount, text) in enumerate(written)
    ]


PIECES = [
    "<Ntry>", "</Ntry>", "<Stmt>", "</Stmt>", "<TxDtls>", "</TxDtls>", "<NtryDtls/>", "<Bal>",
    "<Amt Ccy='JPY'>1</Amt>", "<!--", "-->", "<![CDATA[", "]]>", "&#0;", "&b;", "<!DOCTYPE a>",
    "<CdtDbtInd>CRDT</CdtDbtInd>", "<Sts>PDNG</Sts>", "<Acct/>",
]  # fmt: skip


@given(
    written=reading_files.rows, edits=reading_files.damages(PIECES), version=st.sampled_from([2, 8])
)
def test_a_damaged_statement_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[reading_files.Row],
    edits: list[reading_files.Damage],
    version: int,
) -> None:
    """Whatever was done to a file, it gives possible rows or one sentence."""
    content = reading_files.camt(written, version)
    for edit in edits:
        content = edit.done_to(content)
    reading_files.read_or_refuse(Path(tmp_path_factory.getbasetemp()) / "damaged.xml", content)
