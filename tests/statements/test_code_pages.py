"""Code pages of scripts other than the Latin one, told by the letters that they make of bytes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from finplan.statements.text.encoding import Charset, is_guess
from finplan.statements.text.scripts import SCRIPTS, likeliest_page
from tests.statements.reading_files import ReadFile

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
def test_a_code_page_is_told_from_its_letters(
    read_file: ReadFile, language: str, page: str
) -> None:
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
def test_an_apostrophe_between_digits_tells_pages_of_one_script_apart(
    read_file: ReadFile, page: str
) -> None:
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
