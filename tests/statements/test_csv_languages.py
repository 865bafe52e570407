"""Headers in the languages of banks: each column is what a person who reads it takes it for."""

import pytest

from finplan.statements.table.languages import LANGUAGES, currencies_spoken
from finplan.statements.table.words import meanings_of, words_of
from tests.statements.reading_files import ReadFile

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
def test_the_sides_of_the_money_have_their_names(
    read_file: ReadFile, header: str, amounts: list[int]
) -> None:
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
