"""Which columns of a table are read: its own names first, in the languages of banks.

Of two columns it is the one that is the account's; the bank's own categories are kept beside the
rows, and are no part of their texts.
"""

from itertools import accumulate

import pytest

from finplan.statements.statement import AmbiguousStatement
from finplan.statements.table.words import LANGUAGES, currencies_spoken, meanings_of, words_of
from tests.statements.reading_files import ReadFile


def test_sides_are_as_named_below_a_date_of_unknown_name(read_file: ReadFile) -> None:
    """Named debits and credits say the way, although nothing but its cells shows the column of days."""
    found = read_file(
        "Kiedy;Za co;Uznania;Obciążenia\n2026-03-13;SKLEP;;12,50\n2026-03-14;PENSJA;900,00;\n",
        direction=None,
        currency="PLN",
    )
    assert found.money == [(20260313, -1250), (20260314, 90000)]


def test_the_named_amounts_count_below_a_date_of_unknown_name(read_file: ReadFile) -> None:
    """A column called the amounts has them, beside another one of numbers."""
    found = read_file(
        "Kiedy;Za co;Kwota;Punkty\n2026-03-13;SKLEP;-12,50;3\n2026-03-14;PENSJA;900,00;7\n",
        currency="PLN",
    )
    assert found.amounts == [-1250, 90000]


def test_a_hint_alone_names_no_amounts(read_file: ReadFile) -> None:
    """A name that only has a word of amounts in it elects none where no column of days is named."""
    with pytest.raises(AmbiguousStatement, match="columns contains the amounts"):
        read_file(
            "Quando;Testo;Importo A;Voto\n13/03/2026;NEGOZIO;12,50;41,30\n14/03/2026;BAR;9,00;7,10\n"
        )


PURCHASES = (
    "Date;Texte;Montant;Monnaie originale;Monnaie;Débit;Crédit\n"
    "13.03.2026;HOTEL;110.00;USD;CHF;99.40;{zero}\n"
    "14.03.2026;EPICERIE;12.50;CHF;CHF;12.50;{zero}\n"
    "15.03.2026;VERSEMENT;300.00;CHF;CHF;{zero};300.00\n"
)


@pytest.mark.parametrize("zero", ["", "0.00"])
def test_sides_tell_more_than_an_amount_without_signs(read_file: ReadFile, zero: str) -> None:
    """Where each row fills a debit or a credit, a bare amount beside them is the purchase's own."""
    found = read_file(PURCHASES.format(zero=zero), direction=None)
    assert found.amounts == [-9940, -1250, 30000]
    assert {account.currency for account in found.accounts} == {"CHF"}


def test_an_amount_with_signs_needs_no_sides(read_file: ReadFile) -> None:
    """A full column of amounts that prints a minus says it all."""
    found = read_file(
        "Date;Text;Amount;Debit;Credit\n2026-03-13;A;-5.00;5.00;\n2026-03-14;B;-6.00;;6.00\n"
    )
    assert found.amounts == [-500, -600]


@pytest.mark.parametrize("row", ["2026-03-14;B;6.00;;", "2026-03-14;B;6.00;6.00;6.00"])
def test_sides_that_rows_lack_or_fill_both_tell_nothing(read_file: ReadFile, row: str) -> None:
    """Debits and credits are the money only where every row with an amount fills just one of them."""
    with pytest.raises(AmbiguousStatement, match="money out or"):
        read_file(
            f"Date;Text;Amount;Debit;Credit\n2026-03-13;A;5.00;5.00;\n{row}\n", direction=None
        )


def test_a_row_without_any_money_leaves_the_sides_as_they_are(read_file: ReadFile) -> None:
    """An amount of zero fills neither side."""
    found = read_file(
        "Date;Text;Amount;Debit;Credit\n2026-03-13;A;5.00;5.00;\n2026-03-14;B;0.00;;\n"
        "2026-03-15;C;7.00;;7.00\n"
    )
    assert (20260313, -500) in found.money
    assert (20260315, 700) in found.money


def test_of_two_amounts_of_one_name_the_full_one_counts(read_file: ReadFile) -> None:
    """The amount abroad stands under the same name in the few rows that have one."""
    found = read_file(
        "Datum;Text;Fremdwährung;Betrag;Kurs;Betrag;Währung\n"
        "13.03.2026;HOTEL;USD;- 110,00;1,10670;- 99,40;EUR\n"
        "14.03.2026;LADEN;;;;- 12,50;EUR\n"
        "15.03.2026;ERSTATTUNG;;;;4,00;EUR\n"
    )
    assert found.amounts == [-9940, -1250, 400]


def test_the_first_of_two_full_amounts_of_one_name_counts(read_file: ReadFile) -> None:
    """Nothing shows that a later one is another amount of the same rows."""
    found = read_file(
        "Date,Text,Amount,Amount\n2026-03-13,A,-5.00,-1.00\n2026-03-14,B,-6.00,-2.00\n"
    )
    assert found.amounts == [-500, -600]


def test_a_name_above_currencies_is_of_the_numbers_beside_them(read_file: ReadFile) -> None:
    """Brokers write a currency below the name and its amount below none."""
    found = read_file(
        "Datum,Omschrijving,Mutatie,,Saldo,\n"
        '16-03-2026,KOSTEN,EUR,"-2,00",EUR,"98,00"\n'
        '15-03-2026,STORTING,EUR,"70,00",EUR,"100,00"\n'
        '14-03-2026,DIVIDEND,EUR,"10,00",EUR,"30,00"\n'
        '13-03-2026,STORTING,EUR,"20,00",EUR,"20,00"\n'
    )
    assert found.amounts == [-200, 7000, 1000, 2000]
    assert found.balances["Girokonto"] == (9800, 20260316)


@pytest.mark.parametrize("name", ["Currency", "Währung"])
@pytest.mark.parametrize("begun", [20, -300])
def test_a_name_of_currencies_stays_above_them(read_file: ReadFile, name: str, begun: int) -> None:
    """Beside nameless amounts and their nameless balance it names neither, whatever the balance is."""
    moved = [45, -11, -12, -13] * 3
    held = accumulate([begun + moved[0], *moved[1:]])
    rows = [
        f"2026-03-{day:02},SHOP,EUR,{amount}.00,{balance}.00\n"
        for day, (amount, balance) in enumerate(zip(moved, held, strict=True), start=1)
    ]
    found = read_file(f"Date,Text,{name},,\n{''.join(rows)}", direction=None)
    assert found.amounts == [amount * 100 for amount in moved]


def test_a_name_of_amounts_in_a_currency_is_of_the_numbers(read_file: ReadFile) -> None:
    """“Currency amount” above currencies names the amounts beside them, of which no other is named."""
    found = read_file(
        "Date,Text,Currency amount,,Stand\n2026-03-13,A,EUR,-5.00,17\n2026-03-14,B,EUR,-6.00,12\n"
    )
    assert found.amounts == [-500, -600]


def test_numbers_of_orders_are_no_amounts(read_file: ReadFile) -> None:
    """What is called a number counts nothing, however alone it stands beside a price."""
    with pytest.raises(AmbiguousStatement, match="money out or") as asked:
        read_file(
            "Ticket,Price,Order date,Order number\n"
            "SINGLE,25.50,2026-03-13,12345678\nDAY PASS,14.00,2026-03-14,12345679\n"
            "SINGLE,27.00,2026-03-15,12345680\n",
            direction=None,
        )
    assert "25.50" in asked.value.questions[0].choices[0].sample


def test_the_account_is_the_one_that_is_called_ones_own(read_file: ReadFile) -> None:
    """In a file of one row nothing but the name tells the person's account from the other's."""
    found = read_file(
        "Auftragskonto;Buchungstag;Verwendungszweck;Kontonummer;Betrag;Waehrung\n"
        "DE02120300000000202051;13.03.26;RECHNUNG;DE02500105170137075030;-24,14;EUR\n"
    )
    assert [account.number for account in found.accounts] == ["DE02120300000000202051"]


@pytest.mark.parametrize(("currency", "found"), [("USD", ["ILS", "USD"]), ("ILS", ["ILS"])])
def test_blank_is_the_countrys_own(read_file: ReadFile, currency: str, found: list[str]) -> None:
    """Some cards name the currency of what is paid abroad alone, some leave a cell of theirs blank."""
    read = read_file(
        "תאריך עסקה,שם בית העסק,סכום חיוב,מטבע חיוב\n13/03/2026,A,-5.00,\n"
        f"14/03/2026,B,-6.00,{currency}\n"
    )
    assert sorted(account.currency for account in read.accounts) == found


def test_amounts_and_currency_are_both_the_accounts(read_file: ReadFile) -> None:
    """Beside the amount of the purchase, the one in the account's currency counts, and its currency."""
    found = read_file(
        "Дата операции;Сумма операции;Валюта операции;Сумма пересчитанная в валюту счета;"
        "Валюта счета;Основание\n"
        "2026-03-13;-4,50;EUR;-436,15;RUR;КАФЕ\n2026-03-14;-300,00;RUR;-300,00;RUR;МАГАЗИН\n"
    )
    assert found.amounts == [-43615, -30000]
    assert [account.currency for account in found.accounts] == ["RUB"]


def test_what_goes_out_and_comes_in_is_named_in_german(read_file: ReadFile) -> None:
    """The sides of the payment count, not those of the card's bill in another currency."""
    found = read_file(
        "Datum der Transaktion,Referenz,Rechnungsbetrag ausgehend,Rechnungsbetrag eingehend,"
        "Zahlungsbetrag ausgehend,Zahlungsbetrag eingehend,Zahlungswährung\n"
        '"14.03.26, 13:56",Anna Beispiel,90.00,0.00,84.12,0.00,EUR\n'
        '"13.03.26, 16:30",Bernd Muster,0.00,40.00,0.00,37.50,EUR\n',
        direction=None,
    )
    assert found.amounts == [-8412, 3750]
    assert found.raws == ["Anna Beispiel", "Bernd Muster"]


def test_an_amount_that_looks_like_a_day_is_an_amount_below_its_name(read_file: ReadFile) -> None:
    """Eight digits may be a day; in the one filled cell of the deposits they are money."""
    found = read_file(
        "Date;Currency;Withdrawals;Details;Deposits\n"
        "2023.01.04;KRW;45421;SHOP;\n2023.01.03;KRW;;PAY;27112636\n2023.01.03;KRW;82;BAR;\n"
    )
    assert found.amounts == [-45421, 27112636, -82]


def test_a_negative_balance_and_a_fee_in_turns_are_no_sides(read_file: ReadFile) -> None:
    """Where a full column explains the steps of the one with minus signs, that one is the balance."""
    with pytest.raises(AmbiguousStatement, match="columns contains the amounts"):
        read_file(
            "-386.17,HOTEL,2021-01-04,40.20,0.00,Lund\n,PAY,2021-01-04,+9.08,1.50,Brook\n"
            "-355.05,MARKET,2021-01-03,312.51,0.00,Dune\n-42.54,BAR,2021-01-02,69.00,0.00,Reed\n"
        )


TWO_COLUMNS = [
    "お取引日;お取り扱い内容;お引出し;お預入れ;残高",
    "日付;摘要;出金額;入金額;差引残高",
    "交易日期;摘要;支出;收入;余额",
    "交易日期;摘要;支出金額;存入;餘額",
    "거래일시;적요;출금액;입금액;거래 후 잔액",
    "Дата операции;Описание;Расход;Приход;Остаток",
    "Дата;Призначення платежу;Витрати;Надходження;Залишок",
    "Датум;Опис;Исплата;Уплата;Стање",
    "Ημερομηνία;Αιτιολογία;Χρέωση;Πίστωση;Υπόλοιπο",
    "תאריך;תיאור;חובה;זכות;יתרה",
    "วันที่;รายการ;ถอน;ฝาก;ยอดคงเหลือ",
    "İşlem Tarihi;Açıklama;Borç;Alacak;Bakiye",
    "Könyvelés dátuma;Közlemény;Terhelés;Jóváírás;Egyenleg",
    "Data tranzacției;Descriere;Debit;Credit;Sold",
    "Datum knjiženja;Opis;Isplata;Uplata;Stanje",
    "Datum;Namen;Breme;Dobro;Stanje",
    "Dátum;Popis;Výdavky;Príjmy;Zostatok",
    "Kuupäev;Selgitus;Deebet;Kreedit;Jääk",
    "Datums;Maksājuma mērķis;Debets;Kredīts;Atlikums",
    "Data;Paskirtis;Debetas;Kreditas;Likutis",
    "Dagsetning;Skýring;Úttekt;Innborgun;Staða",
    "Ngày giao dịch;Diễn giải;Ghi nợ;Ghi có;Số dư",
    "Tanggal;Keterangan;Debet;Kredit;Saldo",
]


@pytest.mark.parametrize("header", TWO_COLUMNS)
def test_debits_and_credits_of_any_language(read_file: ReadFile, header: str) -> None:
    """A date, a text, what goes out, what comes in and the balance are known by their names alone."""
    rows = "2026-03-24;AAA;1200;;800\n2026-03-25;BBB;;500;1300\n2026-03-26;CCC;100;;9999\n"
    read = read_file(f"{header}\n{rows}", currency="EUR")
    assert read.amounts == [-120000, 50000, -10000]
    assert read.raws == ["AAA", "BBB", "CCC"]


ONE_COLUMN = [
    "日付;摘要;金額", "交易日期;交易说明;交易金额（元）", "거래일;내용;거래금액",
    "Дата;Описание;Сумма операции",
    "Дата;Основание;Сума", "Ημερομηνία;Περιγραφή;Ποσό συναλλαγής", "תאריך;פרטים;סכום עסקה",
    "วันที่;รายละเอียด;จำนวนเงิน", "Tarih;Açıklama;İşlem Tutarı", "Dátum;Megnevezés;Összeg",
    "Data;Detalii;Sumă", "Datum;Opis;Iznos", "Datum;Opis;Znesek", "Dagsetning;Lýsing;Upphæð",
    "Ngày;Nội dung;Số tiền", "Tanggal;Uraian;Jumlah", "Tarikh;Butiran;Amaun",
]  # fmt: skip


@pytest.mark.parametrize("header", ONE_COLUMN)
def test_an_amount_of_any_language(read_file: ReadFile, header: str) -> None:
    """The amounts are taken as printed from the column that is named so, before another number."""
    read = read_file(f"{header};X\n2026-03-24;A;-1200;55\n2026-03-25;B;500;66\n", currency="EUR")
    assert read.amounts == [-120000, 50000]


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("ご利用金額（円）", "amount"), ("お取引後残高", "balance"), ("거래일시", "date"),
        ("对方户名", "payee"),
        ("หมายเหตุ", "note"), ("Валюта", "currency"), ("שם בית העסק", "payee"), ("אסמכתא", "id"),
        ("카드 결제 금액", "amount"), ("取引後の残高", "balance"),
    ],
)  # fmt: skip
def test_what_a_name_means(name: str, meaning: str) -> None:
    """A known name is found within a longer one where a script parts no words."""
    assert list(meanings_of(name)) == [meaning]


@pytest.mark.parametrize("name", ["No", "Co", "N°", "ที่", "X", "残", "金"])
def test_what_a_name_does_not_mean(name: str) -> None:
    """Accents and signs that are dropped make no word of another language."""
    assert meanings_of(name) == {}


def test_names_count_alike_with_and_without_accents() -> None:
    """Banks leave accents out, so no name differs by them."""
    assert words_of("Könyvelés dátuma") == words_of("KONYVELES DATUMA")
    assert meanings_of("Libellé") == meanings_of("LIBELLE")


@pytest.mark.parametrize(
    ("header", "comma", "currencies"),
    [
        ("Date;Description;Amount", False, ()),
        ("Datum;Buchungstext;Betrag", False, ("EUR", "CHF")),
        ("Datum;Buchungstext;Betrag", True, ("EUR",)),
        ("Date;Libellé;Montant", False, ("EUR", "CHF", "CAD")),
        ("Date;Libellé;Retrait;Dépôt;Solde", False, ("CAD",)),
        ("Dato;Tekst;Beløb", True, ("DKK",)),
        ("Dato;Tekst;Beløp", True, ("NOK",)),
        ("Data;Descrizione;Importo", True, ("EUR",)),
        ("Datum;Iznos;Opis", True, ("EUR", "RSD", "BAM", "HRK")),
        ("Datum;X;Y", True, ()),
        ("交易日期;摘要;金額;餘額", False, ("TWD", "HKD")),
        ("取引日;金額", False, ("JPY",)),
        ("Αξία µ", False, ("EUR",)),
        ("µ;Amount", False, ()),
    ],
)
def test_the_currencies_of_a_language(header: str, comma: bool, currencies: tuple[str]) -> None:
    """A language says the currencies of its countries, and nothing where it is that of too many."""
    assert currencies_spoken(header.split(";"), decimal_comma=comma) == currencies


def test_each_language_is_told_by_its_own_words() -> None:
    """No language's words are all another's, or it could never be told; a dialect adds its own."""
    for language in LANGUAGES:
        others = [other.words for other in LANGUAGES if other is not language]
        assert not any(language.words <= words for words in others) or any(
            language.words < words for words in others
        )


def test_a_language_that_knows_nearly_as_much_is_a_rival() -> None:
    """One word less counts where another one is known; words that are all another language's do not."""
    both = ["Datum", "Poznámka", "Měna", "Zůstatek", "Částka", "Suma"]
    assert set(currencies_spoken(both, decimal_comma=True)) == {"CZK", "EUR"}
    assert currencies_spoken([*both, "Protiúčet"], decimal_comma=True) == ("CZK",)
    assert currencies_spoken(["Dato", "Tekst", "Beløb"], decimal_comma=True) == ("DKK",)


@pytest.mark.parametrize(
    ("header", "amounts"),
    [
        ("Dato;Tekst;Beløp inn;Beløp ut", [500, -600]),
        ("Dato;Tekst;Beløb ud;Beløb ind", [-500, 600]),
        ("Date;Details;Funds Out;Funds In", [-500, 600]),
        ("Date;Details;Dugovni iznos;Potražni iznos", [-500, 600]),
        ("Date;Details;Settlement Debit (NGN);Settlement Credit (NGN)", [-500, 600]),
        ("التاريخ;الوصف;مدين;دائن", [-500, 600]),
        ("التاريخ;البيان;دائن;مدين", [500, -600]),
    ],
)
def test_sides_of_money_have_names(read_file: ReadFile, header: str, amounts: list[int]) -> None:
    """Such names say which way money goes, so nothing is asked."""
    found = read_file(f"{header}\n2026-03-13;A;5,00;\n2026-03-14;B;;6,00\n", direction="")
    assert found.amounts == amounts


def test_names_may_be_parted_by_lines(read_file: ReadFile) -> None:
    """A report of a payment service names its columns as a program does."""
    found = read_file(
        "RELEASE_DATE;TRANSACTION_TYPE;REFERENCE_ID;TRANSACTION_NET_AMOUNT;PARTIAL_BALANCE\n"
        "13-03-2026;Pago;1;-25,10;974,90\n14-03-2026;Cobro;2;100,00;1.074,90\n",
        direction="",
    )
    assert found.money == [(20260313, -2510), (20260314, 10000)]


ROWS = (
    ("2026-10-03", "BLUE HERON", "Food & Drink", "-20.50"),
    ("2026-10-04", "ZEPHYR 12", "  Travel  ", "-7.25"),
    ("2026-10-05", "QXZ", "", "-3.10"),
)


def _table(name: str, rows: tuple[tuple[str, ...], ...] = ROWS) -> str:
    lines = [f"Date,Description,{name},Amount", *(",".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "name", ["Category", "category", "Kategorie", "Catégorie", "Categoría", "Spending Category"]
)
def test_a_column_of_categories_is_kept_with_its_rows(read_file: ReadFile, name: str) -> None:
    """Each row has the category that its bank gives it; a blank cell gives none."""
    rows = read_file(_table(name)).rows
    assert [row.code for row in rows] == ["category:Food & Drink", "category:Travel", None]
    assert [row.raw for row in rows] == ["BLUE HERON", "ZEPHYR 12", "QXZ"]


@pytest.mark.parametrize("name", ["Subcategory", "Category Group", "Branch", "Reference"])
def test_a_column_of_another_name_gives_no_category(read_file: ReadFile, name: str) -> None:
    """Only what a bank calls its category is one."""
    assert [row.code for row in read_file(_table(name)).rows] == [None, None, None]


def test_a_table_without_any_category_has_none(read_file: ReadFile) -> None:
    """A column whose cells are all blank says nothing."""
    blank = tuple((day, text, " ", amount) for day, text, _, amount in ROWS)
    assert [row.code for row in read_file(_table("Category", blank)).rows] == [None, None, None]


def test_of_several_columns_the_first_is_the_category(read_file: ReadFile) -> None:
    """Where a bank has a main and a finer category, the first column counts."""
    found = read_file(
        "Date,Description,Hauptkategorie,Kategorie,Amount\n"
        "10/13/2026,BLUE HERON,Freizeit,Restaurants,-20.50\n"
        "10/14/2026,ZEPHYR 12,Mobilität,Tanken,-7.25\n"
    )
    assert [row.code for row in found.rows] == ["category:Freizeit", "category:Mobilität"]


def test_an_app_keeps_its_own_reading(read_file: ReadFile) -> None:
    """The columns of an app's table are made up by its reader, so that none is taken for a category."""
    found = read_file(
        "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n"
        "Checking,2025-11-20,Whole Foods,,Food,Groceries,-25.1,0,Cleared\n"
        "Checking,2025-11-17,Corner Deli,,Food,Dining,-7.25,0,Cleared\n"
    )
    assert [row.code for row in found.rows] == [None, None]
