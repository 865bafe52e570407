"""Encodings and code pages told from bytes, in files of any size and script.

A page of the Latin script is told by the words of banks and by the signs beside numbers, one of
another script by the letters that it makes of bytes.
"""

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import example, given, strategies as st

from finplan.statements.detect import read_as_likely
from finplan.statements.statement import Hints, SourceFile, UnreadableStatement
from finplan.statements.text.encoding import BLOCK, Charset, find_charset, is_guess, texts
from finplan.statements.text.scripts import SCRIPTS, likeliest_page
from tests.statements.reading_files import ReadFile

HEADER = "Date;Description;Amount\n"


def table(text: str) -> str:
    return HEADER + f"2026-03-04;{text};-4.50\n"


FRENCH = "Café à la crème, déjà vu"
SPANISH = "Año nuevo en España"
PORTUGUESE = "Pão de açúcar às três"
CZECH = "Částka převodu, příkaz k úhradě"
POLISH = "Żabka Łódź, opłata za księgę"
LITHUANIAN = "Mokestis už lėšų įskaitymą, ąžuolų gatvė"
RUSSIAN = "Оплата за услуги связи"


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (FRENCH, "utf-8", "utf-8"),
        (FRENCH, "utf-8-sig", "utf-8-sig"),
        (FRENCH, "utf-16", "utf-16"),
        (FRENCH, "utf-16-le", "utf-16-le"),
        (FRENCH, "utf-16-be", "utf-16-be"),
        (FRENCH, "utf-32", "utf-32"),
        (FRENCH, "cp1252", "cp1252"),
        (SPANISH, "cp1252", "cp1252"),
        (PORTUGUESE, "cp1252", "cp1252"),
        ("12,50 €", "cp1252", "cp1252"),
        (CZECH, "cp1250", "cp1250"),
        (POLISH, "cp1250", "cp1250"),
        (LITHUANIAN, "cp1257", "cp1257"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("COFFEE", "ascii", "utf-8"),
    ],
)
def test_bytes_tell_an_encoding(read_file: ReadFile, text: str, encoding: str, name: str) -> None:
    """Text comes out as it was written, and the file's encoding is shown."""
    found = read_file(table(text), encoding=encoding)
    assert (found.raws, found.encoding) == ([text], name)


@pytest.mark.parametrize(
    ("hint", "text"), [("cp1250", "č"), ("cp1252", "è"), ("latin-1", "è"), ("UTF8", None)]
)
def test_the_persons_word_overrules(
    read_file: ReadFile, hint: str, text: str | None, tmp_path: Path
) -> None:
    """A named encoding is used, and refused where the file is not in it."""
    path = tmp_path / "a.csv"
    path.write_bytes(table("è").encode("cp1252"))
    source = SourceFile.of(path)
    if text is None:
        with pytest.raises(UnreadableStatement, match="utf-8"):
            find_charset(source, hint)
    else:
        assert "".join(texts(path, find_charset(source, hint))) == table(text)


@pytest.mark.parametrize("hint", ["klingon", "base64", "idna", "utf-7", "\0"])
def test_an_unknown_encoding_is_refused(read_file: ReadFile, tmp_path: Path, hint: str) -> None:
    """A name that is no encoding of files is said to be none."""
    path = tmp_path / "a.csv"
    path.write_bytes(table("è").encode())
    with pytest.raises(UnreadableStatement, match="encoding"):
        find_charset(SourceFile.of(path), hint)


def test_padding_is_dropped(read_file: ReadFile) -> None:
    """Zero bytes that fill a file up, at its end or in it, are no text."""
    content = table("CAFÉ").encode() + b"\0" * 5000
    assert read_file(content).raws == ["CAFÉ"]
    assert read_file(content.replace(b"CAF", b"C\0A\0F")).raws == ["CAFÉ"]


def test_one_broken_character_does_not_change_the_rest(read_file: ReadFile) -> None:
    """A bank that cuts a text inside a character still writes UTF-8."""
    lines = "".join(f"2026-03-04;{FRENCH};-4.50\n" for _ in range(20))
    content = (HEADER + lines).encode() + b"2026-03-05;Caf\xc3;-1.00\n"
    assert read_file(content).raws == [FRENCH] * 20 + ["Caf\ufffd"]


@pytest.mark.parametrize("place", [70_000, 3 * BLOCK + 17, 40 * BLOCK])
def test_a_late_letter_of_a_code_page_is_read(tmp_path: Path, place: int) -> None:
    """A file may be ASCII for long before its first accent shows the code page."""
    path = tmp_path / "late.csv"
    path.write_bytes(b"x" * place + "\nCafé à la crème\n".encode("cp1252") + b"y" * BLOCK)
    text = "".join(texts(path, find_charset(SourceFile.of(path), None)))
    assert text[place : place + 17] == "\nCafé à la crème\n"


@pytest.mark.parametrize("place", [70_000, BLOCK - 1, 40 * BLOCK - 1])
def test_a_late_letter_of_utf8_is_read(tmp_path: Path, place: int) -> None:
    """A letter of two bytes may lie across any border at which the file is looked at."""
    path = tmp_path / "late.csv"
    path.write_bytes(b"x" * place + "é".encode() * 20 + b"y" * 100)
    text = "".join(texts(path, find_charset(SourceFile.of(path), None)))
    assert text == "x" * place + "é" * 20 + "y" * 100


def test_a_broken_end_of_utf8_is_replaced(tmp_path: Path) -> None:
    """A file that is cut inside its last character is read up to there."""
    path = tmp_path / "cut.csv"
    path.write_bytes(("é" * 200).encode() + b"\xc3")
    assert "".join(texts(path, Charset("utf-8"))) == "é" * 200 + "\ufffd"


def test_a_huge_file_is_not_read_to_find_its_encoding(tmp_path: Path) -> None:
    """Some windows of a file tell its encoding, however long it is."""
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"2026-03-04;COFFEE;-4.50\n" * 4000)
        file.truncate(1 << 36)
    assert find_charset(SourceFile.of(path), None) == Charset("utf-8")


WORDS = {
    "Japanese": """
        お取引日 お引出し お預入れ 残高 摘要 内容 家賃 給料振込 電気料金 コンビニ
        スーパー カード 東日本高速道路 セブンイレブン 水道料 利息 振込手数料""",
    "Simplified": """
        交易日期 摘要 金额 余额 收入 支出 工资 超市购物 房租 水电费 支付宝转账
        银行手续费 星巴克咖啡 滴滴出行 麦当劳 医院 中国移动""",
    "Traditional": """
        交易日期 摘要 支出 存入 餘額 薪資 全聯福利中心 便利商店 捷運 電話費 房租 轉帳
        提款 利息 誠品書店 台灣大哥大""",
    "Korean": """
        거래일 적요 출금 입금 잔액 스타벅스 급여 월세 쿠팡 배달의민족 편의점 교통카드
        이자 관리비 병원 통신요금 네이버페이""",
    "Russian": """
        Дата Описание Сумма Остаток Пятёрочка Зарплата АПТЕКА Перевод Метро Магнит
        Оплата услуг ОПЛАТА СВЯЗЬ Продукты Кафе""",
    "Ukrainian": """
        Дата Опис Сума Залишок Сільпо Зарплата Комунальні Київстар Переказ їжа Аптека
        Призначення""",
    "Bulgarian": """
        Дата Основание Сума Салдо Заплата Наем Супермаркет Ток Вода Лекарства Превод
        Такса""",
    "Greek": """
        Ημερομηνία Αιτιολογία Ποσό Υπόλοιπο ΣΚΛΑΒΕΝΙΤΗΣ Μισθοδοσία Ενοίκιο ΦΑΡΜΑΚΕΙΟ
        Λογαριασμός Ανάληψη Τόκοι Κατάθεση""",
    "Hebrew": """
        תאריך תיאור חובה זכות יתרה שופרסל משכורת שכירות חשמל העברה עמלה סופרמרקט בית
        קפה""",
    "Thai": """
        วันที่ รายการ ถอน ฝาก ยอดคงเหลือ เงินเดือน ค่าเช่า เซเว่น ค่าน้ำ ค่าไฟ โอนเงิน
        ดอกเบี้ย ร้านอาหาร""",
}
PAGES = {
    "Japanese": ("cp932", "euc_jp"),
    "Simplified": ("gb18030",),
    "Traditional": ("big5",),
    "Korean": ("cp949",),
    "Russian": ("cp1251", "koi8_r", "iso8859_5", "cp866"),
    "Ukrainian": ("cp1251", "koi8_u"),
    "Bulgarian": ("cp1251", "iso8859_5"),
    "Greek": ("cp1253", "iso8859_7"),
    "Hebrew": ("cp1255",),
    "Thai": ("cp874",),
}
BOTH = [(language, page) for language, pages in PAGES.items() for page in pages]


def written(texts: list[str], page: str) -> bytes:
    rows = "".join(f"2026-03-0{1 + place % 9},{text},-1.00\n" for place, text in enumerate(texts))
    return f"Date,Description,Amount\n{rows}".encode(page)


@pytest.mark.parametrize(("language", "page"), BOTH)
def test_a_code_page_is_told_by_its_letters(read_file: ReadFile, language: str, page: str) -> None:
    """A file of a language's words comes out as written; the page is named, or one that reads alike."""
    texts = WORDS[language].split()
    read = read_file(written(texts, page))
    assert read.raws == texts
    assert written(texts, page).decode(read.encoding) == written(texts, page).decode(page)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("language", "page"), BOTH)
@given(data=st.data())
def test_three_rows_are_enough(language: str, page: str, data: st.DataObject) -> None:
    """Three short rows of a language's words, two in each, tell its page."""
    words = st.sampled_from([word for word in WORDS[language].split() if len(word) > 2])
    drawn = data.draw(st.lists(words, min_size=6, max_size=6, unique=True))
    content = written([" ".join(drawn[place : place + 2]) for place in (0, 2, 4)], page)
    found = likeliest_page(b"\n".join(line for line in content.splitlines() if not line.isascii()))
    assert found is not None
    assert content.decode(found) == content.decode(page)


LATIN = {
    "cp1252": """
        Überweisung Müller Café crème brûlée Ärzte größe Año España Pão açúcar três
        Løn på Æble Överföring""",
    "cp1250": """
        Částka Zůstatek příkaz úhradě Żabka Łódź opłata księgę Összeg őszi Vásárlás
        číslo účtu""",
    "cp1254": """
        Açıklama İşlem Alışveriş ŞOK güneş maaş ağaç""",
    "cp1257": """
        Mokestis lėšų įskaitymą ąžuolų gatvė""",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", LATIN)
@given(data=st.data())
def test_no_latin_text_is_taken_for_another_script(page: str, data: st.DataObject) -> None:
    """Letters that lean on those of ASCII are of a Latin language, however few they are."""
    words = st.sampled_from(LATIN[page].split())
    texts = data.draw(st.lists(words, min_size=1, max_size=4))
    assert likeliest_page(" ".join(texts).encode(page)) is None


@pytest.mark.parametrize(("page", "minus"), [("euc_jp", "−"), ("cp932", "－")])
def test_a_minus_alone_tells_a_japanese_page(read_file: ReadFile, page: str, minus: str) -> None:
    """Where nothing but minus signs is beyond ASCII, they are no half words of another page."""
    text = "2026-03-01,SHOP,-99\n2026-03-02,CAFE,-5\n2026-03-03,PAY,7\n"
    found = read_file(text.replace(",-", f",{minus}").encode(page))
    assert (found.encoding, found.amounts) == (page, [-9900, -500, 700])
    assert likeliest_page("Ён кафе 99".encode("iso8859_5")) == "iso8859_5"


def test_half_width_kana_are_japanese(read_file: ReadFile) -> None:
    """Banks print payees in kana of one byte, which other pages pair to rare letters."""
    texts = ["ﾌﾘｺﾐ ﾔﾏﾀﾞ ﾀﾛｳ", "ﾃﾞﾝｷﾀﾞｲ", "ｶ)ｱﾏｿﾞﾝ", "ｾﾌﾞﾝｲﾚﾌﾞﾝ"]
    read = read_file(written(texts, "cp932"))
    assert (read.raws, read.encoding) == (texts, "cp932")


def test_turkish_and_icelandic_letters_are_told_apart(read_file: ReadFile) -> None:
    """Both have a page in which the other's letters stand at the same place."""
    turkish = ["Açıklama güneş", "İşlem ağaç"]
    assert (read_file(written(turkish, "cp1254")).raws) == turkish
    icelandic = ["Skýring greiðslu", "Upphæð þín"]
    assert (read_file(written(icelandic, "cp1252")).raws) == icelandic


@pytest.mark.parametrize("text", ["12,50 €", "№ 5", "50 °C", "½", "£5", "µ"])
def test_a_sign_or_two_tell_no_script(text: str) -> None:
    """Signs stand in every script's pages; they say nothing of the letters that are missing."""
    for page in ("cp1252", "cp1251", "cp1253", "cp874"):
        try:
            assert likeliest_page(text.encode(page)) is None
        except UnicodeEncodeError:
            continue


def test_every_page_that_is_found_is_a_guess() -> None:
    """What a person said of the encoding of earlier files goes before any page found by likeness."""
    for page in [page for script in SCRIPTS for page in script.encodings] + ["cp1254", "cp1252"]:
        assert is_guess(Charset(page))
    assert not is_guess(Charset("utf-8"))


@given(st.binary(max_size=200))
@example(b"\xff" * 50)
def test_any_bytes_have_an_answer(data: bytes) -> None:
    """No bytes stop the search, whatever they are."""
    assert likeliest_page(data) in {
        None,
        *(page for script in SCRIPTS for page in script.encodings),
    }


@pytest.mark.parametrize("page", ["cp1253", "iso8859_7"])
def test_an_apostrophe_in_numbers_tells_pages_of_one_script(read_file: ReadFile, page: str) -> None:
    """What parts groups of digits is a sign in the right page, where a letter stands in another one."""
    content = "Ημερομηνία;Περιγραφή;Ποσό\n2026-03-27;ΑΓΟΡΑ;-6’967.47\n".encode(page)
    assert read_file(content, currency="EUR").amounts == [-696_747]


def test_an_apostrophe_is_known_without_any_letter(read_file: ReadFile) -> None:
    """Where the page's only sign parts groups of digits, it is the one page that has it there."""
    content = "2026-03-27;SHOP;63.85;-6’967.47;9’000.00\n2026-03-28;SHOP;56.54;-100.00;9’100.00\n"
    content += "2026-03-29;SHOP;49.23;300.00;8’800.00\n2026-03-30;SHOP;42.23;-1’100.00;9’900.00\n"
    for page in ("iso8859_7", "cp1252", "utf-8"):
        found = read_file(content.encode(page), amount_column="4").amounts
        assert found == [-696_747, -10_000, 30_000, -110_000]


class BankLanguage(NamedTuple):
    """A language's usual code pages, its header of date, text and amount, and texts of rows."""

    pages: tuple[str, ...]
    header: str
    texts: tuple[str, ...]


def _of(pages: str, header: str, texts: str) -> BankLanguage:
    return BankLanguage(
        tuple(pages.split()), header, tuple(each.strip() for each in texts.split("|"))
    )


LANGUAGES = {
    "nl": _of("cp1252", "Datum;Omschrijving;Bedrag", """België Telecom|één euro actie|Café de Kroon
        |Coöperatie Zuid|Albert Heijn|Ziekenhuis Brugge Patiënten|Reünie school|Jumbo|Huur maart"""),
    "fr": _of("cp1252 iso8859_15", "Date;Libelle;Montant", """Boulangerie Lefèvre|Pharmacie du Marché
        |Café de la Gare|Électricité|Loyer août|Hôtel du Château|Garçon Coiffeur|Père et fils|Carrefour
        |École Saint-Étienne|Crêperie Bretonne"""),
    "de": _of("cp1252 iso8859_15", "Datum;Verwendungszweck;Betrag", """Bäckerei Müller|Miete März
        |Café Schön|Größe Straße|Überweisung|REWE|Jürgen Weiß|Stadtwerke Köln|Grüne Apotheke"""),
    "es": _of("cp1252", "Fecha;Concepto;Importe", """Panadería López|Farmacia Núñez|Recibo teléfono
        |Café Málaga|Nómina|Alquiler|Transferencia a José|Colegio Español|Cádiz|Mercadona"""),
    "pt": _of("cp1252", "Data;Historico;Valor", """Padaria São João|Farmácia Central|Café Açoriano
        |Condomínio|Transferência|Salário março|Pão Quente|Continente|Irmãos Conceição"""),
    "it": _of("cp1252", "Data;Causale;Importo", """Caffè Roma|Farmacia Città|Università di Forlì
        |Attività varie|Esselunga|Affitto|Perché No|Bar Già|Società Gas|Più Fresco"""),
    "da": _of("cp1252", "Dato;Tekst;Saldo", """Købmand Sørensen|Løn|Bageri Ærø|Husleje|Netto
        |Grønthandler|Apotek Århus|Kørsel|Smørrebrød"""),
    "sv": _of("cp1252", "Datum;Text;Belopp", """Överföring|Lön|Bageri Åberg|Hyra mars|Malmö kök
        |Apotek Gävle|Systembolaget|Västerås El|Ica Nära"""),
    "no": _of("cp1252", "Dato;Forklaring;Belop", """Lønn|Bakeri Ås|Husleie|Kjøp Tromsø|Rema
        |Apotek Bodø|Strøm Ålesund|Gjær og brød|Ærlig Kaffe"""),
    "fi": _of("cp1252", "Paiva;Selitys;Summa", """Ruokakauppa Jyväskylä|Sähkölasku|Palkka|Vuokra
        |Apteekki Hämeenlinna|Kahvila Töölö|Pääsylippu|K-Market|Hyvä Ravintola"""),
    "cs": _of("cp1250 iso8859_2", "Datum;Popis;Castka", """Pekařství Dvořák|Lékárna Brno|Výplata
        |Nájem březen|Řeznictví Kučera|Potraviny Žižkov|Kavárna Plzeň|Albert|Jiří Němec
        |Ústí nad Labem"""),
    "pl": _of("cp1250 iso8859_2", "Data;Opis;Kwota", """Piekarnia Gołąb|Żabka Łódź|Apteka Kraków
        |Czynsz wrzesień|Księgarnia|Lidl|Sklep Świeży|Gdańsk Główny|Zdrowie i Życie
        |Małgorzata Wójcik"""),
    "hu": _of("cp1250 iso8859_2", "Datum;Megnevezes;Osszeg", """Pékség Győr|Gyógyszertár|Fizetés
        |Lakbér március|Spar|Étterem Erdő|Tűzhely Kft|Könyvesbolt Szőke|Benzinkút Pécs"""),
    "sk": _of("cp1250 iso8859_2", "Datum;Popis;Suma", """Pekáreň Novák|Lekáreň Žilina|Výplata
        |Nájomné marec|Potraviny Ľubica|Tesco|Kaviareň Košice|Mäso a údeniny|Ján Kováč|Štefánikova"""),
    "hr": _of("cp1250 iso8859_2", "Datum;Opis;Iznos", """Pekara Đuro|Ljekarna Čakovec|Plaća
        |Najam ožujak|Konzum|Kavana Šibenik|Knjižara Žagar|Tržnica Split|Marić i sin|Kovačević"""),
    "ro": _of("cp1250", "Data;Descriere;Suma", """Brutărie Bucureşti|Farmacia Braşov|Salariu
        |Chirie martie|Piaţa Centrală|Mega Image|Cafenea Iaşi|Întreţinere|Băcănie"""),
    "tr": _of("cp1254", "Tarih;Aciklama;Tutar", """Fırın Beşiktaş|Eczane Güneş|Maaş|Kira mart
        |Alışveriş Merkezi|Migros|Kahve Dünyası|Çiçekçi Ayşe|Elektrik Dağıtım|İstanbul Kart"""),
    "et": _of("cp1257", "Kuupaev;Selgitus;Summa", """Pagariäri Võru|Apteek Jõhvi|Palk|Üür märts
        |Kohvik Põhjala|Rimi|Söökla Tähe|Kütus|Õpik ja vihik"""),
    "lv": _of("cp1257", "Datums;Merkis;Summa", """Maiznīca Rīga|Aptieka Ķekava|Alga|Īre marts
        |Kafejnīca Ādaži|Rimi|Grāmatnīca|Ēdnīca Jūrmala|Ziedi Ņina"""),
    "lt": _of("cp1257", "Data;Paskirtis;Suma", """Kepykla Šiauliai|Vaistinė Alytus|Atlyginimas
        |Nuoma kovas|Kavinė Žvėrynas|Maxima|Knygynas Gėlė|Mėsinė Panevėžys|Lietuvių g."""),
}  # fmt: skip


def draw_table(random: Random, language: BankLanguage, rows: int) -> str:
    """Write a table of some rows whose texts are drawn, one of them with a letter above ASCII."""
    texts = [random.choice(language.texts) for _ in range(rows)]
    if "".join(texts).isascii():
        texts[-1] = random.choice([text for text in language.texts if not text.isascii()])
    lines = [
        f"{place % 28 + 1:02}.03.2026;{text};-{place + 1},50" for place, text in enumerate(texts)
    ]
    return "\n".join([language.header, *lines, ""])


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
LATIN_BOTH = [(language, page) for language, (_, pages) in HEADERS.items() for page in pages]


@pytest.mark.parametrize(("language", "page"), LATIN_BOTH)
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
def test_letters_tell_the_page_if_no_word_does(read_file: ReadFile, text: str, page: str) -> None:
    """Names of shops are no words of banks; signs within them and letters of two languages tell."""
    content = f"Date;Description;Amount\n2026-03-27;{text};-1.50\n".encode(page)
    assert read_file(content).raws == [text]


def test_a_word_of_russian_beside_a_number_is_no_sign(read_file: ReadFile) -> None:
    """Single letters beside digits leave the words around them what they are."""
    content = "Дата;Описание;Сумма\n27.03.2026;Оплата 5 р за 3 дня;-1,50\n"
    for page in ("cp1251", "cp866", "koi8_r"):
        assert "Оплата 5 р за 3 дня" in read_file(content.encode(page)).raws[0]


LATIN_PAGES = [(name, page) for name, language in LANGUAGES.items() for page in language.pages]
DRAWN = 40


@pytest.mark.thorough
@pytest.mark.sampled(6)
@pytest.mark.parametrize(("language", "page"), LATIN_PAGES)
def test_small_files_are_read_with_their_letters(tmp_path: Path, language: str, page: str) -> None:
    """With a header in ASCII and two to thirty rows, every table has the letters that were written."""
    for number in range(DRAWN):
        random = Random(f"{language} {page} {number}")
        content = draw_table(random, LANGUAGES[language], 2 + number % 29)
        assert read_texts(tmp_path, content, page)[0] == content


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("language", "page"), LATIN_PAGES)
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
    """The note shows a word of the file as it was read and as it may be, with the option."""
    content = "01.03.2026;Könyvesbolt Szőke;-1,50\n02.03.2026;Spar;-2,50\n"
    read, (note,) = read_texts(tmp_path, content, "cp1250")
    assert "Szõke" in read
    said = ["cp1252", "“Szõke”", "“Szőke”", "--encoding cp1250"]
    assert sorted(said, key=note.index) == said
