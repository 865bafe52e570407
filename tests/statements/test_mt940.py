"""MT940 and MT942: each trap that real files have, written by hand."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.statements.mt940_row import booked_on
from finplan.statements.statement import UnreadableStatement
from tests.statements import reading_files

HEAD = ":20:STARTUMS\n:25:10020030/1234567\n:28C:1/1\n:60F:C260301EUR100,00\n"
TAIL = ":62F:C260331EUR90,00\n-\n"


def statement(*lines: str) -> str:
    return HEAD + "".join(f"{line}\n" for line in lines) + TAIL


def test_a_statement_gives_rows_and_a_closing_balance(read_file: reading_files.ReadFile) -> None:
    """Day, signed amount, descriptor, the other side and the bank's reference come from a line."""
    found = read_file(
        statement(
            ":61:2603040304DR4,50NTRFNONREF//B4E07XM00J",
            ":86:166?00LASTSCHRIFT?20SVWZ+Coffee?30BANKDEFF?31DE02?32COFFEE HOUSE",
        )
    )
    assert (found.format, found.encoding) == ("MT940", "utf-8")
    assert found.rows == [
        (20260304, -450, "COFFEE HOUSE Coffee", "B4E07XM00J", "COFFEE HOUSE", False, None)
    ]
    (account,) = found.accounts
    assert (account.number, account.name, account.currency) == (
        "10020030/1234567",
        "Account 4567",
        "EUR",
    )
    assert found.balances == {"Account 4567": (9000, 20260331)}


@pytest.mark.parametrize(
    ("mark", "amount"),
    [("C", 100), ("D", -100), ("CR", 100), ("DR", -100), ("RC", -100), ("RD", 100), ("RCR", -100),
     ("EC", 100), ("ED", -100)],
)  # fmt: skip
def test_a_reversal_goes_the_other_way(
    read_file: reading_files.ReadFile, mark: str, amount: int
) -> None:
    """RC takes a credit back and RD a debit; the letter of the currency changes nothing."""
    assert read_file(statement(f":61:2603040304{mark}1,00NMSC")).amounts == [amount]


@pytest.mark.parametrize(
    ("printed", "amount"),
    [("12,", 1200), ("0,5", 50), ("12", 1200), ("000001,62", 162), ("7,", 700)],
)
def test_an_amount_may_lack_its_cents(
    read_file: reading_files.ReadFile, printed: str, amount: int
) -> None:
    """The comma is decimal, and the digits behind it may be missing."""
    assert read_file(statement(f":61:260304C{printed}NMSC")).amounts == [amount]


@pytest.mark.parametrize(
    ("value", "entry", "day"),
    [
        ("260102", "1230", 20251230),
        ("251231", "0102", 20260102),
        ("260304", "0303", 20260303),
        ("260304", None, 20260304),
        ("160230", "0301", 20160301),
        ("160230", None, None),
        ("362268", "7806", None),
        ("260304", "0230", 20260304),
        ("991231", "0103", 20000103),
    ],
)
def test_booking_days_are_near_value_dates(value: str, entry: str | None, day: int | None) -> None:
    """The entry date has no year: at New Year it is in the other one than the value date."""
    assert booked_on(value, entry) == day


def test_rows_of_an_interim_report_are_pending(read_file: reading_files.ReadFile) -> None:
    """MT942 tells what the next statement will bring; its currency stands in the floor limit."""
    report = (
        ":20:X\n:25:PL29114010810000267002001002\n:28C:1/1\n:34F:PLN0,\n:13D:2603041815+0100\n"
        ":61:2603040304DN0,42NTRFNONREF//MB170119012058\n:86:911 TRANSFER\n"
        ":90D:1PLN0,42\n:90C:0PLN0,\n-\n"
    )
    found = read_file(report)
    assert found.format == "MT942"
    assert found.rows == [(20260304, -42, "911 TRANSFER", "MB170119012058", None, True, None)]
    assert found.accounts[0].currency == "PLN"
    assert found.balances == {}


def test_pages_and_statements_follow_each_other(read_file: reading_files.ReadFile) -> None:
    """Equal rows on two pages are two rows, and the last page's balance is the account's."""
    line = ":61:2603040304D5,00NTRFNONREF\n:86:COFFEE\n"
    page = ":20:A\n:25:1/2\n:28C:7/{}\n:60{}:C260301EUR20,00\n{}:62{}:C26030{}EUR{},00\n-\n"
    other = ":20:B\n:25:1/3\n:28C:1\n:60F:D260301EUR1,00\n:62F:D260302EUR1,00\n-\n"
    found = read_file(
        page.format(1, "F", line, "M", 4, 15) + page.format(2, "M", line, "F", 5, 10) + other
    )
    assert found.money == [(20260304, -500)] * 2
    assert [part.balance for part in found.parts if part.balance is not None] == [1500, 1000, -100]
    assert [account.number for account in found.accounts] == ["1/2", "1/3"]


def test_envelopes_and_line_ends_change_nothing(read_file: reading_files.ReadFile) -> None:
    """SWIFT's blocks, control characters and any line end surround the same statement."""
    bare = statement(":61:2603040304D5,00NTRFNONREF", ":86:COFFEE").replace("\n-\n", "\n")
    enclosed = "{1:F01BANKNL2AXXX}{2:I940BANKNL2AXXXXN}{4:\n" + bare + "-}{5:{MAC:ABCDEFGH}}\n"
    wanted = read_file(bare).parts
    for content in (
        enclosed,
        enclosed.replace("\n", "\r\n"),
        bare.replace("\n", "\r"),
        f"\x01\n{bare}-\x03",
        f"BANKNL2A\n940\nBANKNL2A\n{bare}",
    ):
        assert read_file(content).parts == wanted
    assert list(wanted[0].rows.raws) == ["COFFEE"]


@pytest.mark.parametrize(
    ("information", "raw", "payee"),
    [
        (
            "166?00CREDIT?20EREF+123?21SVWZ+Rent March?22 2026?32MUELLER?33 ANNA",
            "MUELLER ANNA Rent March 2026",
            "MUELLER ANNA",
        ),
        ("805?00ENTGELTABSCHLUSS?20Pauschalen", "ENTGELTABSCHLUSS Pauschalen", None),
        ("020>20Rent >32LANDLORD", "LANDLORD Rent", "LANDLORD"),
        ("105?20VAT 12?", "VAT 12?", None),
        ("177?20ERSTATTUNG AUSLANDSEINSATZE?21NTGELT", "ERSTATTUNG AUSLANDSEINSATZENTGELT", None),
        (
            "/TRTP/SEPA/IBAN/NL1/BIC/X/NAME/J JANSEN/REMI/Rent\n March/EREF/NOTPROVIDED",
            "J JANSEN Rent March",
            "J JANSEN",
        ),
        (
            "/EREF/1//CNTP/NL32INGB0000012345/INGBNL2A/WEB SHOP///REMI/USTD//Order 7/",
            "WEB SHOP Order 7",
            "WEB SHOP",
        ),
        ("GIRO 42 KPN\nBETREFT FACTUUR", "GIRO 42 KPN BETREFT FACTUUR", None),
        ("A" * 65 + "\nBC", "A" * 65 + "BC", None),
    ],
)
def test_what_86_says(
    read_file: reading_files.ReadFile, information: str, raw: str, payee: str | None
) -> None:
    """Numbered, slashed and free texts give a descriptor, and a name where there is one."""
    (row,) = read_file(statement(":61:2603040304D5,00NTRFNONREF", f":86:{information}")).rows
    assert (row.raw, row.payee) == (raw, payee)


def test_other_sources_of_a_descriptor(read_file: reading_files.ReadFile) -> None:
    """:NS:, supplementary details and the type describe a row that :86: does not."""
    found = read_file(
        statement(
            ":61:2603040304D1,00NTRFNONREF",
            ":NS:01Rent",
            "02March",
            "15LANDLORD",
            ":61:2603040304D2,00NTRFNONREF//A",
            "Card fee",
            ":86:",
            ":61:2603040304D3,00NCHK16703074",
            "/OCMT/CAD47,11",
        )
    )
    assert found.raws == ["LANDLORD Rent March", "Card fee", "NCHK16703074"]
    assert found.rows[0].payee == "LANDLORD"


def test_a_time_at_the_start_of_a_line_is_no_field(read_file: reading_files.ReadFile) -> None:
    """“T16” and “:20:37” on the next line are one time, though :20: begins a statement."""
    found = read_file(
        statement(
            ":61:2603040304D6,00NTRFNONREF",
            ":86:106?20CARD 12-09-2026T16",
            ":20:37 No?21 7",
            ":61:2603050305D7,00NTRFNONREF",
            ":86:106?20CARD T16",
            ":25:37",
        )
    )
    assert found.money == [(20260304, -600), (20260305, -700)]
    assert found.raws[0] == "CARD 12-09-2026T16 :20:37 No 7"


@pytest.mark.parametrize("end", [":62F:C260331EUR90,00\n", "-\n", "-}\n"])
def test_a_statement_may_lack_its_reference(read_file: reading_files.ReadFile, end: str) -> None:
    """After a closing balance or the end of a message, :25: begins the next account's statement."""
    one = ":25:1/{}\n:28C:1\n:60F:C260301EUR1,00\n:61:2603040304D{},00NTRF\n:86:COFFEE\n"
    found = read_file(one.format(2, 5) + end + one.format(3, 7) + end)
    assert [(part.account.number, row.amount) for part in found.parts for row in part.rows] == [
        ("1/2", -500),
        ("1/3", -700),
    ]
    assert found.raws == ["COFFEE", "COFFEE"]
    balances = [(part.account.number, part.balance) for part in found.parts if part.balance]
    assert balances == ([("1/2", 9000), ("1/3", 9000)] if "62F" in end else [])


def test_what_follows_the_closing_balance_is_not_of_the_last_row(
    read_file: reading_files.ReadFile,
) -> None:
    """An :86: behind :62F: speaks of the statement."""
    found = read_file(statement(":61:2603040304D6,00NTRF", ":86:COFFEE") + ":86:Dear customer\n")
    assert found.raws == ["COFFEE"]


@pytest.mark.parametrize(
    ("reference", "kept"),
    [("//MB170119012058", "MB170119012058"), ("//NONREF", None), ("", None), ("//000123", None),
     ("//7", None), ("//1234567", "1234567")],
)  # fmt: skip
def test_a_bank_reference_is_an_id(
    read_file: reading_files.ReadFile, reference: str, kept: str | None
) -> None:
    """Fillers and running numbers identify nothing, and the payer's reference is not the bank's."""
    (row,) = read_file(statement(f":61:2603040304D6,00NTRFPAYERSREF{reference}")).rows
    assert row.external_id == kept


@pytest.mark.parametrize(
    ("printed", "number", "currency"),
    [
        ("51210600/9223382012CHF", "51210600/9223382012", "CHF"),
        ("UBRTHUHB/1234567/HUF", "UBRTHUHB/1234567", "HUF"),
        ("NL02ABNA0123456789", "NL02ABNA0123456789", "EUR"),
        ("GJB0291077ABC", "GJB0291077ABC", "EUR"),
    ],
)
def test_an_account_may_bear_its_currency(
    read_file: reading_files.ReadFile, printed: str, number: str, currency: str
) -> None:
    """A currency behind the number is not part of it; without an opening balance the closing tells."""
    content = f":20:A\n:25:{printed}\n:28C:1\n:61:2603040304D6,00NTRF\n:62F:C260331EUR1,\n"
    found = read_file(content)
    assert [(account.number, account.currency) for account in found.accounts] == [
        (number, currency)
    ]


def test_a_balance_with_an_impossible_day_is_left_out(read_file: reading_files.ReadFile) -> None:
    """31 November is no day, so that balance is not known; the rows are."""
    found = read_file(statement(":61:2603040304D6,00NTRF").replace("C260331", "C261131"))
    assert found.balances == {}
    assert found.amounts == [-600]


def test_latin_letters_are_found(read_file: reading_files.ReadFile) -> None:
    """Files without UTF-8 are in a code page, which is found."""
    content = statement(":61:2603040304D6,00NTRF", ":86:051?20Gehalt für März?32MÜLLER & SÖHNE")
    found = read_file(content, encoding="cp1252")
    assert (found.encoding, found.rows[0].payee) == ("cp1252", "MÜLLER & SÖHNE")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (":61:3622687806CR1368378,92NMSC", "has an impossible date"),
        (":61:hello", "needs a date, a direction and an amount"),
        (":61:2603040304D1234567890123,00N", "too large"),
    ],
)
def test_a_damaged_line_refuses_the_file(
    read_file: reading_files.ReadFile, line: str, words: str
) -> None:
    """No row is lost in silence: the sentence names the line."""
    with pytest.raises(UnreadableStatement, match=words):
        read_file(statement(":61:2603040304D6,00NTRF", line))


def test_a_field_without_end_is_refused_soon(
    read_file: reading_files.ReadFile, bytes_read: reading_files.BytesRead
) -> None:
    """Ten megabytes of one field are neither read to their end nor kept in memory."""
    with pytest.raises(UnreadableStatement, match="never ends"):
        read_file(HEAD + ":61:2603040304D6,00NTRF\n:86:" + "A\n" * (5 << 20))
    assert bytes_read() < reading_files.SOON


@given(written=reading_files.rows, ending=st.sampled_from(["\n", "\r\n", "\r"]))
def test_a_written_statement_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, written: list[reading_files.Row], ending: str
) -> None:
    """Each row comes back exactly, in order."""
    path = tmp_path_factory.getbasetemp() / "written.sta"
    found = reading_files.read_content(path, reading_files.mt940(written, ending))
    assert [(row.day, row.amount, row.raw) for row in found.rows] == [
        (int(day.strftime("%Y%m%d")), amount, text) for day, amount, text in written
    ]


PIECES = [
    ":61:", ":86:", ":62F:", ":20:", ":25:", ":60F:C260101EUR1,", "\n:61:260304D1,N\n", "\n-\n", "-}",
    "{1:F01", "?20", "//", "/NAME/", ":NS:01", "\n:34F:EUR0,\n", "RC", "\n:62M:D260101EUR1,\n",
]  # fmt: skip


@given(written=reading_files.rows, edits=reading_files.damages(PIECES))
def test_a_damaged_statement_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[reading_files.Row],
    edits: list[reading_files.Damage],
) -> None:
    """Whatever was done to a file, it gives possible rows or one sentence."""
    content = reading_files.mt940(written)
    for edit in edits:
        content = edit.done_to(content)
    reading_files.read_or_refuse(Path(tmp_path_factory.getbasetemp()) / "damaged.sta", content)
