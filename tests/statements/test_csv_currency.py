"""The currency of a table: the strongest evidence decides, and what nobody can know is asked.

The account's own IBAN, which stands in every row, is evidence too.
"""

from pathlib import Path
from typing import Any

import pytest

from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from finplan.statements.text.currencies import currencies_sharing, currency_question
from tests.statements.reading_files import ReadFile, Statement, read_content

ROWS = "2026-03-04,RENT,-1200.00\n2026-03-05,SHOP,-3.50\n"
BARE = "Date,Description,Amount\n" + ROWS
GERMAN = "Datum;Beschreibung;Betrag\n04.03.2026;MIETE;-1200,00\n05.03.2026;LADEN;-3,50\n"
BARCLAYS = """\
Number,Date,Account,Amount,Subcategory,Memo
,04/03/2026,20-00-00 1234,-3.50,PAYMENT,SHOP
,22/03/2026,20-00-00 1234,-4.50,PAYMENT,SHOP
"""
IBAN = "Date,Description,Amount,Account number\n2026-03-04,RENT,-1200.00,{}\n2026-03-05,SHOP,-3.50,{}\n"


@pytest.fixture
def take(tmp_path: Path) -> Any:
    """Read a content under a file name as whoever has no household, but for what is said."""

    def read(content: str, name: str = "export.csv", **said: Any) -> Statement:
        return read_content(tmp_path / name, content, Hints(**said))

    return read


def found(statement: Statement) -> tuple[str, bool]:
    """The currency of the only account, and whether it is assumed."""
    (account,) = statement.accounts
    return account.currency, account.currency_is_assumed


def choices(take: Any, content: str, name: str = "export.csv", **said: Any) -> list[str]:
    """The currencies that the person is asked to choose from."""
    with pytest.raises(AmbiguousStatement) as asked:
        take(content, name, **said)
    (question,) = asked.value.questions
    assert question.about == "currency"
    return [choice.value for choice in question.choices]


def test_nothing_said_is_asked(take: Any) -> None:
    """Without any evidence the likely currencies are the choices, and any code answers."""
    assert choices(take, BARE)[:3] == ["USD", "EUR", "GBP"]
    assert found(take(BARE, currency="UAH")) == ("UAH", True)


def test_the_households_currency_is_the_weakest_evidence(take: Any) -> None:
    """It is taken where nothing else speaks, which is said, and where all else does, it is not."""
    assert found(take(BARE, household="GBP")) == ("GBP", True)
    assert found(take(BARE.replace("Amount", "Amount (CHF)"), household="GBP")) == ("CHF", False)


@pytest.mark.parametrize(
    ("content", "name", "code", "is_assumed"),
    [
        (BARE.replace("Amount", "Amount (CHF)"), "export.csv", "CHF", False),
        (BARE.replace("-3.50", "-£3.50"), "export.csv", "GBP", False),
        (f"Currency,CAD,\n{BARE}", "export.csv", "CAD", False),
        (f"Currency: CAD,,\n{BARE}", "export.csv", "CAD", False),
        (f'"Closing balance","1,454.33 SEK",""\n{BARE}', "export.csv", "SEK", False),
        (BARE, "statement_PLN.csv", "PLN", True),
        (BARE, "statement-eur-2026.csv", "EUR", True),
        (IBAN.format(*["GB29NWBK60161331926819"] * 2), "export.csv", "GBP", False),
        (BARE, "CH9300762011623852957.csv", "CHF", False),
        (BARCLAYS, "export.csv", "GBP", True),
        (BARE, "uk_amex.csv", "GBP", True),
        (BARE, "amex us.csv", "USD", True),
        (BARE, "HDFC march.csv", "INR", True),
        (f"Kiwibank Limited,,\n{BARE}", "export.csv", "NZD", True),
        (BARE.replace("SHOP", "UPI-SWIGGY-123"), "export.csv", "INR", True),
        (BARE.replace("SHOP", "INTERAC E-TRANSFER"), "export.csv", "CAD", True),
        ("Dato;Tekst;Beløb\n04.03.2026;HUSLEJE;-1200,00\n", "export.csv", "DKK", True),
        ("Dato;Forklaring;Beløp\n04.03.2026;LEIE;-1200,00\n", "export.csv", "NOK", True),
        ("Datum;Belopp;Beskrivning\n2026-03-04;-3,50 kr;LUNCH\n", "export.csv", "SEK", True),
        ("Data operacji;Kwota;Opis\n2026-03-04;-3,50;SKLEP\n", "export.csv", "PLN", True),
        ("Datum;Částka;Popis\n04.03.2026;-3,50;OBCHOD\n", "export.csv", "CZK", True),
        ("Tarih;Açıklama;Tutar\n04.03.2026;MARKET;-3,50\n", "export.csv", "TRY", True),
        ("Dátum;Összeg;Közlemény\n2026.03.04.;-350;BOLT\n", "export.csv", "HUF", True),
        ("日付,摘要,金額\n2026-03-04,家賃,-120000\n", "export.csv", "JPY", True),
        ("交易日期,摘要,金额\n2026-03-04,房租,-1200.00\n", "export.csv", "CNY", True),
        ("거래일,적요,금액\n2026-03-04,월세,-1200000\n", "export.csv", "KRW", True),
        ("תאריך,תיאור,סכום\n24/03/2026,שכירות,-1200.00\n", "export.csv", "ILS", True),
        ("วันที่,รายการ,จำนวนเงิน\n24/03/2569,ค่าเช่า,-1200.00\n", "export.csv", "THB", True),
        ("Дата;Опис;Сума\n04.03.2026;ОРЕНДА;-1200,00\n", "export.csv", "UAH", True),
        ("Дата;Описание;Сумма\n04.03.2026;АРЕНДА;-1200,00\n", "export.csv", "RUB", True),
        ("Ημερομηνία;Περιγραφή;Ποσό\n24/03/2026;ΑΓΟΡΑ;-3,50\n", "export.csv", "EUR", True),
        (GERMAN, "export.csv", "EUR", True),
        ("Data;Lançamento;Histórico;Valor\n24/03/2026;X;Y;-1,00\n", "export.csv", "BRL", True),
        ("Data;Favorecido;Valor\n24/03/2026;X;-1,00\n", "export.csv", "BRL", True),
        ("Data mov.;Descrição;Montante\n24/03/2026;X;-1,00\n", "export.csv", "EUR", True),
        ("交易日期,摘要,支出金额\n2026-03-04,房租,1200.00\n", "export.csv", "CNY", True),
        ("Datum;Popis;Příchozí;Výdaj\n24.03.2026;X;;1,00\n", "export.csv", "CZK", True),
    ],
)  # fmt: skip
def test_each_piece_of_evidence_tells(
    take: Any, content: str, name: str, code: str, is_assumed: bool
) -> None:
    """Each tells the currency alone, beside a household of another one too; the weak ones say so."""
    assert found(take(content, name)) == (code, is_assumed)
    assert found(take(content, name, household="MXN")) == (code, is_assumed)


def test_stronger_evidence_wins(take: Any) -> None:
    """Header over preamble, preamble over word, word over name, name over IBAN, IBAN over the rest."""
    name, content = "HDFC_PLN.csv", IBAN.format(*["GB29NWBK60161331926819"] * 2)
    preamble, header = f"Currency: SEK,,,\n{content}", content.replace("Amount", "Amount (CHF)")

    assert found(take(f"Currency: SEK,,,\n{header}", name, currency="NOK"))[0] == "CHF"
    assert found(take(preamble, name, currency="NOK"))[0] == "SEK"
    assert found(take(content, name, currency="NOK"))[0] == "NOK"
    assert found(take(content, name))[0] == "PLN"
    assert found(take(content, "HDFC.csv"))[0] == "GBP"
    assert found(take(content.replace("GB29", "XX29"), "HDFC.csv"))[0] == "INR"


@pytest.mark.parametrize(
    "name", ["ALL_transactions", "TRY this", "TOP 10", "pen", "php", "my bank", "no"]
)
def test_words_that_are_codes_say_nothing(take: Any, name: str) -> None:
    """A file's name may hold a word that is a currency's code, or a country's, by chance."""
    assert "USD" in choices(take, BARE, f"{name}.csv")


def test_a_bank_of_many_countries_tells_none(take: Any) -> None:
    """Its name decides only with a country's code beside it."""
    assert choices(take, BARE, "anz.csv")
    assert found(take(BARE, "au_anz.csv"))[0] == "AUD"
    assert found(take(BARE, "nz_anz.csv"))[0] == "NZD"


def test_dates_with_the_day_first_are_no_american_banks(take: Any) -> None:
    """Columns as an American bank's prove nothing where the dates are written as nobody there does."""
    header = "Trans. Date,Post Date,Description,Amount,Category\n"
    american = "{0},{0},SHOP,-3.50,Food\n"
    assert found(take(header + american.format("03/24/2026")))[0] == "USD"
    assert choices(take, header + american.format("24/03/2026"))


@pytest.mark.parametrize(
    ("header", "likely"),
    [
        ("Data;Descrição;Valor", ["EUR", "BRL"]),
        ("Data lançamento;Descrição;Valor;Saldo", ["BRL", "EUR"]),
        ("Дата;Описание;Плащания;Постъпления;Статус", ["EUR", "BGN"]),
        ("日期;摘要;支出金額;存入金額;餘額", ["TWD", "HKD"]),
    ],
)
def test_words_of_two_countries_tell_neither(take: Any, header: str, likely: list[str]) -> None:
    """Banks of Portugal and Brazil share many words, and so do those of Bulgaria and Russia."""
    cells = ";X" + ";1.50" * (header.count(";") - 1)
    asked = choices(take, f"{header}\n2026-03-24{cells}\n", direction="in")
    assert sorted(asked) == sorted(likely)


@pytest.mark.parametrize("content", [BARE, GERMAN])
def test_a_sign_that_nobody_knows_is_not_the_languages_currency(take: Any, content: str) -> None:
    """A sign beside the amounts is of some currency; only a household of an unknown sign has it."""
    for amount in ("-3.50", "-3,50"):
        content = content.replace(amount, f"{amount} Ką")
    assert choices(take, content)
    assert choices(take, content, household="USD")
    assert found(take(content, household="KES")) == ("KES", True)
    assert found(take(content, currency="CZK")) == ("CZK", True)
    assert found(take(content, "statement_CZK.csv")) == ("CZK", True)


def test_a_language_of_several_countries_is_a_hint(take: Any) -> None:
    """It takes the household's currency if that is one of theirs, and asks for theirs otherwise."""
    swiss = GERMAN.replace(",00", ".00").replace(",50", ".50")
    assert choices(take, swiss) == ["EUR", "CHF"]
    assert choices(take, swiss, household="USD") == ["EUR", "CHF"]
    assert found(take(swiss, household="CHF")) == ("CHF", True)
    assert found(take(swiss, household="EUR")) == ("EUR", True)
    assert choices(take, "Fecha,Concepto,Importe\n2026-03-04,RENTA,-12.00\n")[:2] == ["EUR", "MXN"]


def test_a_sign_of_several_countries_leaves_its_own(take: Any) -> None:
    """Nothing weaker names another one; “$” beside dates with the month first is that of the US."""
    dollars = "Date,Description,Amount\n{},RENT,-$1200.00\n"
    day_first, month_first = dollars.format("24/03/2026"), dollars.format("03/24/2026")
    assert choices(take, day_first)[:3] == ["USD", "CAD", "AUD"]
    assert found(take(day_first, household="AUD")) == ("AUD", True)
    assert choices(take, day_first, household="EUR")[0] == "USD"
    assert found(take(month_first)) == ("USD", True)
    assert found(take(month_first, household="CAD")) == ("CAD", True)
    assert found(take(month_first, household="EUR")) == ("USD", True)
    assert choices(take, month_first, currency="EUR")[0] == "USD"


def test_cents_are_in_no_currency_without_them(take: Any) -> None:
    """A household of yen is no evidence for a file whose amounts have cents."""
    assert choices(take, BARE, household="JPY")
    whole = "Date,Description,Amount\n2026-03-04,RENT,-1200\n"
    assert found(take(whole, household="JPY")) == ("JPY", True)


def test_each_row_has_the_currency_of_its_cell(take: Any) -> None:
    """A column of currencies parts the rows into accounts, and its exponent rules every amount."""
    header = "Date,Description,Amount,Currency\n"
    read = take(f"{header}2026-03-04,A,-12.345,BHD\n2026-03-05,B,-12.340,USD\n")
    assert [(part.account.currency, *part.rows.amounts) for part in read.parts] == [
        ("BHD", -12345),
        ("USD", -1234),
    ]
    assert take(f"{header}2026-03-04,A,-12.345,BHD\n").amounts == [-12345]
    assert take(f"{header}2026-03-04,A,-12.345,KWD\n", household="USD").amounts == [-12345]
    assert take(f"{header}2026-03-04,A,-12345,JPY\n").amounts == [-12345]


def test_a_blank_cell_has_the_columns_only_currency(take: Any) -> None:
    """Where the column names one currency a blank cell is of it; where it names two it is asked."""
    header = "Date,Description,Amount,Currency\n"
    one = f"{header}2026-03-04,A,-1.00,EUR\n2026-03-05,B,-2.00,\n"
    assert found(take(one, household="USD")) == ("EUR", False)
    assert choices(take, f"{one}2026-03-06,C,-3.00,SEK\n")


@pytest.mark.parametrize("code", ["XBT", "BTC", "USDT", "ZZZ"])
def test_a_code_that_nobody_knows_is_refused(take: Any, code: str) -> None:
    """The refusal names the line and the cell; no amount of it becomes money of another currency."""
    header = "Date,Description,Amount,Currency\n2026-03-04,A,-1.00,EUR\n"
    for rows in (header + f"2026-03-05,B,-2.00,{code}\n", header.replace("EUR", code)):
        with pytest.raises(UnreadableStatement, match=rf"Line {rows.count(chr(10))}: “{code}”"):
            take(rows, household="EUR")


def test_two_columns_of_two_currencies_are_two_accounts(take: Any) -> None:
    """Each row is of the column that holds its amount, and none is dropped; 0 counts as blank."""
    header = "Account Type,Account Number,Transaction Date,Description,CAD$,USD$\n"
    read = take(
        f"{header}Visa,4510,11/21/2025,A,-27.59,\nVisa,4510,11/22/2025,B,,-20.00\n"
        "Visa,4510,11/23/2025,C,0.00,5.00\nVisa,4510,11/24/2025,D,1.00,0.00\n"
    )
    rows = {part.account.currency: list(part.rows.amounts) for part in read.parts if part.rows}
    assert rows == {"CAD": [-2759, 100], "USD": [-2000, 500]}
    assert {account.number for account in read.accounts} == {"4510"}


def test_an_amount_beside_its_worth_is_one_amount(take: Any) -> None:
    """Where rows fill both columns one has the other's money, so that no row counts twice."""
    header = "Date,Description,Amount (EUR),Amount (USD)\n"
    text = f"{header}2026-03-04,A,-1.00,-1.10\n2026-03-05,B,-2.00,-2.20\n"
    assert take(text).amounts == [-100, -200]


def test_a_currency_beside_two_amounts_is_asked_about(take: Any) -> None:
    """A column of currencies beside a second, foreign amount may be of either."""
    text = "Date,Label,Currency,Amount,Amount Currency\n2026-03-04,A,EUR,-15.25,-10.00\n"
    assert choices(take, text, household="USD") == ["EUR", "USD"]
    assert found(take(text, currency="USD")) == ("USD", True)


@pytest.mark.parametrize(
    "content",
    [
        "!Type:Bank\nD2026-03-04\nT-1.00\nPSHOP\n^\n",
        "2026-03-04 Shop\n    assets:bank  -1.00\n    expenses:food\n",
    ],
)
def test_other_formats_without_a_currency_ask_too(take: Any, content: str) -> None:
    """A file that names none is in the household's currency, or asked about where there is none."""
    assert choices(take, content, "export.txt")[:2] == ["USD", "EUR"]
    assert {
        account.currency for account in take(content, "export.txt", household="NOK").accounts
    } == {"NOK"}
    said = take(content, "export.txt", household="NOK", currency="SEK")
    assert {account.currency for account in said.accounts} == {"SEK"}


def test_a_table_that_cannot_be_read_is_refused_unasked(take: Any) -> None:
    """Nobody is asked for the currency of a file that is refused after all."""
    with pytest.raises(UnreadableStatement):
        take(
            "Date,Description,Debit,Credit\n"
            + "2026-03-04,RENT,1.00,\nx,SHOP,2.00,\n" * 1
            + "13,SHOP,1.00,\n"
        )


def test_the_accounts_own_amount_goes_before_the_foreign_one(take: Any) -> None:
    """Of two amounts with a currency each, those that the account was charged count."""
    text = (
        "Дата операции;Сумма операции;Валюта операции;Сумма платежа;Валюта платежа;Описание\n"
        "24.03.2026;-10,00;USD;-950,00;RUB;SHOP\n"
    )
    read = take(text)
    assert (read.amounts, found(read)) == ([-95000], ("RUB", False))


NAMED = "Date,Text,Amount (UAH),Paid abroad,Currency,Left\n"


def test_the_name_of_the_amounts_names_their_currency(take: Any) -> None:
    """A column of currencies beside it is of what was paid abroad, so that it parts no accounts."""
    text = f"{NAMED}2026-03-04,A,-410.50,-10.00,USD,89.50\n2026-03-05,B,-9.50,-9.50,UAH,80.00\n"
    read = take(text)
    assert (read.amounts, found(read)) == ([-41050, -950], ("UAH", False))


def test_a_currency_that_the_amounts_are_not_named_for_is_asked_about(take: Any) -> None:
    """Where no row has the named currency, the column may be right and the name a fixed one."""
    text = f"{NAMED}2026-03-04,A,-410.50,-10.00,USD,89.50\n"
    assert choices(take, text, household="EUR") == ["UAH", "USD", "EUR"]
    assert found(take(text, currency="UAH")) == ("UAH", True)
    assert found(take(text.replace("USD", "UAH"))) == ("UAH", False)


def test_a_column_of_currencies_beside_names_without_any_is_of_the_amounts(take: Any) -> None:
    """A name that names no currency leaves each row its own."""
    text = NAMED.replace(" (UAH)", "") + "2026-03-04,A,-4.10,-1.00,USD,1.00\n"
    assert found(take(text)) == ("USD", False)


@pytest.mark.parametrize("name", ["Billing Amount", "Billed Amount"])
def test_what_was_billed_is_not_in_the_currency_of_the_purchase(take: Any, name: str) -> None:
    """A card bills in its own currency, whatever the shop took."""
    text = f"Date,Shop,{name},Transaction Currency\n2026-03-04,A,9.99,USD\n2026-03-05,B,5.00,GBP\n"
    assert {each.currency for each in take(text, household="GBP", direction="out").accounts} == {
        "GBP"
    }
    assert len(take(text.replace(name, "Amount"), household="GBP", direction="out").accounts) == 2


def test_the_name_of_the_balance_names_the_currency(take: Any) -> None:
    """It is the account's, as that of the amounts is, which goes before it."""
    text = "Datum;Text;Betrag;Saldo CHF\n04.03.2026;A;-1,50;8,50\n05.03.2026;B;-2,00;6,50\n"
    assert found(take(text)) == ("CHF", False)
    assert found(take(text.replace("Betrag", "Betrag EUR"))) == ("EUR", False)


@pytest.mark.parametrize("sides", ["Débit euros;Crédit (euros)", "Addebiti (euro);Accrediti euro"])
def test_the_euro_is_written_out_in_names(take: Any, sides: str) -> None:
    """The rest of the name says which side it is, and the currency is known."""
    read = take(f"Date;Texte;{sides}\n04/03/2026;A;1,50;\n25/03/2026;B;;2,00\n")
    assert (read.amounts, found(read)) == ([-150, 200], ("EUR", False))


def test_the_first_row_with_an_unknown_code_is_named(take: Any) -> None:
    """Of several such rows it is always the first one."""
    header = "Date,Description,Amount,Currency\n"
    rows = "".join(
        f"2026-03-0{n},A,-1.00,{code}\n" for n, code in enumerate(("XBT", "ZZZ", "QQQ"), 1)
    )
    with pytest.raises(UnreadableStatement, match="Line 2: “XBT”"):
        take(header + rows)


@pytest.mark.parametrize(("unit", "code"), [("Tk", "BDT"), ("USh", "UGX"), ("GH₵", "GHS")])
def test_the_sign_of_one_country_names_its_currency(take: Any, unit: str, code: str) -> None:
    """Beside an amount as in its name, so that it is not in the household's."""
    named = BARE.replace("Amount", f"Amount ({unit})")
    assert found(take(named, household="USD")) == (code, False)
    beside = f"Date,Description,Amount\n2026-03-04,A,-{unit} 12.00\n2026-03-05,B,-{unit} 3.50\n"
    assert found(take(beside, household="USD")) == (code, False)


@pytest.mark.parametrize("sign", ["$", "¥", "kr", "Rs", "元", "DH"])
def test_currencies_that_share_a_sign_are_called_by_name(sign: str) -> None:
    """Who is asked which of them is meant need not know their codes."""
    asked = currency_question("Which", currencies_sharing(sign)).questions[0]
    assert len(asked.choices) > 1
    assert not any(choice.label == choice.value for choice in asked.choices)


OWN, OTHER = "CH8993000000000000001", "SE5193000000000000002"


def table(name: str, ibans: list[str]) -> str:
    """A German table with a column of IBANs."""
    rows = [f"{day}.03.2026,SHOP,-7.50,{iban}\n" for day, iban in enumerate(ibans, start=13)]
    return f"Buchungstag,Buchungstext,Betrag,{name}\n" + "".join(rows)


@pytest.mark.parametrize("name", ["Konto", "Vorbel"])
def test_an_iban_in_every_row_is_the_accounts_own(read_file: ReadFile, name: str) -> None:
    """Its country names the currency, below any name that says nothing else."""
    assert read_file(table(name, [OWN, OWN]), household=None).accounts[0].currency == "CHF"


@pytest.mark.parametrize("ibans", [[OWN], [OWN, OTHER]])
def test_unlike_or_lone_ibans_prove_nothing(read_file: ReadFile, ibans: list[str]) -> None:
    """Below a name that says nothing they may be other people's."""
    with pytest.raises(AmbiguousStatement, match="currency"):
        read_file(table("Vorbel", ibans), household=None)


def test_an_iban_below_a_payees_name_is_not_the_accounts(read_file: ReadFile) -> None:
    """A name that says something else leaves the currency open."""
    with pytest.raises(AmbiguousStatement, match="currency"):
        read_file(table("Empfänger", [OWN, OWN]), household=None)


@pytest.mark.parametrize(
    "name", ["对方账号", "對方帳號", "相手口座番号", "상대계좌번호", "收款账号"]
)
@pytest.mark.parametrize("other", ["/", "880012345678"])
def test_the_other_sides_account_is_nobodys_own(read_file: ReadFile, name: str, other: str) -> None:
    """A number of the other party's account is not the person's, though few of them come in a file."""
    rows = f"2026-03-04,A,-1.00,{other}\n2026-03-15,B,-2.00,{other}\n"
    found = read_file(f"Date,Text,Amount,{name}\n{rows}", currency="CNY")
    assert [account.name for account in found.accounts] == ["Girokonto"]
    assert found.accounts[0].number is None


@pytest.mark.parametrize(
    "name", ["Inhaberkonto", "Kliendi konto", "Klienta konts", "This Party Account"]
)
def test_a_column_of_the_own_account_parts_the_rows(read_file: ReadFile, name: str) -> None:
    """A file may have rows of several accounts of its holder, each of which keeps its own."""
    rows = "".join(
        f"{own};2026-03-1{n};X;-{n}.00\n" for n, own in enumerate(["A-100", "B-200"] * 2, 1)
    )
    found = read_file(f"{name};Date;Text;Amount\n{rows}")
    assert {account.name for account in found.accounts} == {"A-100", "B-200"}
