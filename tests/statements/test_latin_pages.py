"""Code pages of the Latin script, told by the words of banks and by the signs beside numbers."""

from pathlib import Path
from random import Random

import pytest

from finplan.statements.detect import read_as_likely
from finplan.statements.statement import Hints, SourceFile
from tests.statements.bank_texts import LANGUAGES, draw_table
from tests.statements.reading_files import ReadFile

HEADERS = {
    "French": ("Date;Libellé;Montant;État", ["cp1252", "iso8859_15", "cp1254"]),
    "Portuguese": ("Data;Descrição;Valor;Situação", ["cp1252", "cp1254"]),
    "Spanish": ("Fecha;Descripción;Importe;Código", ["cp1252"]),
    "German": ("Buchungstag;Empfänger;Währung;Betrag", ["cp1252", "cp1250", "cp1257"]),
    "Danish": ("Dato;Tekst;Beløb;Bogført", ["cp1252", "cp1254"]),
    "Czech": ("Datum zaúčtování;Částka;Měna;Směr", ["cp1250", "iso8859_2"]),
    "Slovak": ("Dátum zaúčtovania;Čiastka;Výdavok;Množstvo", ["cp1250", "iso8859_2"]),
    "Polish": ("Data księgowania;Kwota;Tytuł;Wpływy", ["cp1250", "iso8859_2"]),
    "Slovene": ("Datum knjiženja;Namen plačila;Znesek", ["cp1250", "iso8859_2"]),
    "Croatian": ("Datum izvršenja;Opis plaćanja;Iznos;Potražuje", ["cp1250", "iso8859_2"]),
    "Hungarian": ("Könyvelés dátuma;Közlemény;Összeg;Jóváírás", ["cp1250", "iso8859_2"]),
    "Latvian": ("Datums;Saņēmējs;Maksājuma mērķis;Summa", ["cp1257"]),
    "Lithuanian": ("Data;Gavėjas;Mokėjimo paskirtis;Suma", ["cp1257"]),
    "Turkish": ("Tarih;Açıklama;İşlem Tutarı;Bakiye", ["cp1254"]),
}
BOTH = [(language, page) for language, (_, pages) in HEADERS.items() for page in pages]


@pytest.mark.parametrize(("language", "page"), BOTH)
def test_the_words_of_a_bank_tell_the_page(read_file: ReadFile, language: str, page: str) -> None:
    """A header is read with its letters from every page in which its language is written."""
    header = HEADERS[language][0]
    content = f"DATE;TEXT;AMOUNT\n2026-03-27;{header.replace(';', ' ')};-1,50\n".encode(page)
    assert header.replace(";", " ") in read_file(content).raws[0]


def test_romanian_letters_are_read_with_cedilla_or_comma(read_file: ReadFile) -> None:
    """The page of Windows has the letters of Romanian with a cedilla; both mean the same column."""
    content = "Data tranzacției;Explicații;Sumă;Valută\n2026-03-27;MEGA;-1,50;RON\n"
    assert read_file(content.encode("iso8859_16")).money == [(20260327, -150)]
    assert read_file(content.translate({0x21B: 0x163}).encode("cp1250")).amounts == [-150]


@pytest.mark.parametrize("page", ["cp1250", "iso8859_2"])
@pytest.mark.parametrize(
    ("declined", "booked"),
    [("Zrušené", "Zaúčtované"), ("Zrušeno", "Provedeno"), ("Na čakanju", "Knjiženo")],
)
def test_the_state_of_a_row_is_read_from_both_pages_of_central_europe(
    read_file: ReadFile, page: str, declined: str, booked: str
) -> None:
    """A declined or waiting row is none that is booked, whichever page the file is in."""
    rows = f"2026-03-27;A;-1.50;{booked}\n2026-03-28;B;-2.50;{declined}\n"
    statement = read_file(f"Date;Text;Amount;Status\n{rows}".encode(page))
    assert [row.amount for row in statement.rows if not row.pending] == [-150]


@pytest.mark.parametrize(
    ("printed", "page", "currency"),
    [
        ("£1.50", "cp1252", "GBP"), ("-1.50 £", "cp1252", "GBP"), ("(£1.50)", "cp1252", "GBP"),
        ("€1,50", "cp1252", "EUR"), ("1,50\u00a0€", "cp1252", "EUR"), ("€\u00a01,50", "cp1252", "EUR"),
        ("1,50 €", "iso8859_15", "EUR"), ("€1,50", "iso8859_15", "EUR"),
        ("1,50 zł", "cp1250", "PLN"), ("1,50 zł", "iso8859_2", "PLN"), ("Kč1,50", "cp1250", "CZK"),
        ("-1\u00a0234,50", "cp1252", "USD"), ("1.50 - £", "cp1252", "GBP"),
        ("₪1.50", "gb18030", "ILS"), ("−1.50", "gb18030", "USD"),
    ],
)  # fmt: skip
def test_a_sign_beside_a_number_is_no_letter(
    read_file: ReadFile, printed: str, page: str, currency: str
) -> None:
    """What stands beside digits in an otherwise plain file is the sign that its page has there."""
    rows = "".join(f"{day}.03.2026;SHOP;{printed}\n" for day in (27, 28, 29, 30))
    statement = read_file(f"Date;Description;Amount\n{rows}-".encode(page))
    (account,) = statement.accounts
    assert account.currency == currency
    assert set(map(abs, statement.amounts)) <= {150, 123_450}


def test_the_euro_is_known_where_a_page_of_its_time_has_another_sign(read_file: ReadFile) -> None:
    """A Romanian page has the euro where others have the sign of no currency."""
    content = "Data tranzacției;Explicații;Sumă\n27.03.2026;MEGA;-1,50 €\n".encode("iso8859_16")
    statement = read_file(content)
    assert [account.currency for account in statement.accounts] == ["EUR"]
    assert statement.encoding == "cp1250"


def test_a_sign_of_no_currency_stays_beside_letters_of_windows(read_file: ReadFile) -> None:
    """A file with quotation marks of Windows is in no page that has the euro in the other place."""
    content = "Date;Description;Amount\n27.03.2026;“SHOP”;-1,50 ¤\n".encode("cp1252")
    assert read_file(content).raws == ["“SHOP”"]


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("Pekařství Žižkov šťastné", "iso8859_2"), ("Pekařství Žižkov šťastné", "cp1250"),
        ("Žabka Wąchock Málaga", "cp1250"), ("Żabka Wąchock Málaga", "cp1250"),
        ("Lékárna Košice nížina", "iso8859_2"),
        ("Padaria São João", "cp1252"), ("Brasserie de l'Île à Sète", "cp1252"),
    ],
)  # fmt: skip
def test_letters_tell_the_page_where_no_word_does(
    read_file: ReadFile, text: str, page: str
) -> None:
    """Names of shops are no words of banks; signs within them and letters of two languages tell."""
    content = f"Date;Description;Amount\n2026-03-27;{text};-1.50\n".encode(page)
    assert read_file(content).raws == [text]


def test_a_word_of_russian_beside_a_number_is_no_sign(read_file: ReadFile) -> None:
    """Single letters beside digits leave the words around them what they are."""
    content = "Дата;Описание;Сумма\n27.03.2026;Оплата 5 р за 3 дня;-1,50\n"
    for page in ("cp1251", "cp866", "koi8_r"):
        assert "Оплата 5 р за 3 дня" in read_file(content.encode(page)).raws[0]


PAGES = [(name, page) for name, language in LANGUAGES.items() for page in language.pages]
DRAWN = 40


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("language", "page"), PAGES)
def test_small_files_are_read_with_their_letters(tmp_path: Path, language: str, page: str) -> None:
    """With a header in ASCII and two to thirty rows, every table has the letters that were written."""
    for number in range(DRAWN):
        random = Random(f"{language} {page} {number}")
        content = draw_table(random, LANGUAGES[language], 2 + number % 29)
        assert read_texts(tmp_path, content, page)[0] == content


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("language", "page"), PAGES)
def test_letters_that_are_open_are_said_to_be(tmp_path: Path, language: str, page: str) -> None:
    """Without a header, letters are right, or the report names the encoding that makes them so."""
    for number in range(DRAWN):
        random = Random(f"{language} {page} {number}")
        rows = draw_table(random, LANGUAGES[language], 2 + number % 29).partition("\n")[2]
        read, notes = read_texts(tmp_path, rows, page)
        assert read == rows or any("add --encoding" in note for note in notes)


def read_texts(folder: Path, content: str, page: str) -> tuple[str, tuple[str, ...]]:
    """A file's text in the encoding that is found for it, and what is said of the file."""
    path = folder / "Konto.txt"
    path.write_bytes(content.encode(page))
    hints = Hints(household="EUR", date_order="dmy", decimal_sign=",")
    parsed, _ = read_as_likely(SourceFile.of(path), hints)
    assert parsed is not None
    return content.encode(page).decode(parsed.encoding), parsed.notes


def test_doubtful_letters_are_shown_in_both_encodings(tmp_path: Path) -> None:
    """The sentence shows a word of the file as it was read and as it may be, with the option."""
    content = "01.03.2026;Könyvesbolt Szőke;-1,50\n02.03.2026;Spar;-2,50\n"
    read, notes = read_texts(tmp_path, content, "cp1250")
    assert "Szõke" in read
    assert notes == (
        "Letters are taken to be in cp1252, as in “Szõke”; if “Szőke” is right, add --encoding cp1250.",
    )
