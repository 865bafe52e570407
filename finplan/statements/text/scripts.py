"""Scripts other than the Latin one, and how likely bytes are a text of a language that is written in it.

A wrong code page makes letters of bytes, too, but rare ones, capitals within words, and letters that
lean on Latin ones. What a text says is weighed by its letters: 1 for a frequent one, below 0 for what
no text of the language has.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

_FEWEST_LETTERS = 3
"""How many letters of a script are evidence; a sign or two stand in any text."""
_BROKEN_SHARE = 0.02
"""What share of characters may be broken, as where a program cut a text within one."""
_CLASH = 1.5
"""How much one capital within a word, or a letter beside a Latin one, counts against a reading."""

_RUSSIAN = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
_OTHER_CYRILLIC = "іїєґјљњћђџѓќѕў"
_GREEK = "ατοιενσρκπηςμυλίόάγέδήωχθύφβξζώψϊϋΐΰ"
_HEBREW = "יוהלרבתמאשנעםדקחפסכגטצןזךףץ"
_THAI = "านรอกเงมยลวดทสตะปบคหแจพชขใไโผภธฝณฉญซฐศถษฟฎฏฒฆฮฬฤฑฌำ"
_THAI_MARKS = "่้๊๋็์ิีึืุูัฺํๆฯฤ๐๑๒๓๔๕๖๗๘๙฿"
_JAPANESE = """
    日一人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千
    水半男西電校語土取引店払込残振替利用料預手数支明細保険費会社株式家賃給与税口座通帳番号備考内容摘要付額座差
    普通証券郵便局信託銀行田市町村区都県府道駅新海野木井藤佐木林村松
"""
_SIMPLIFIED = """
    的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道
    行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日交易
    金额余账户摘要收入支出款项转存取银卡号类型备注对手名称币种记时间公司商店超市餐饮工资支付宝微信水电费房租信用
    消费网购快捷退利息手续有限科技北京海广州深圳东南西城路市区月份明细查询单位编流水
"""
_TRADITIONAL = """
    的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道
    行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日交易
    金額餘帳戶摘要收入支出款項轉存取銀卡號類型備註對手名稱幣別記時間公司商店超市餐飲薪資支付水電費房租信用消
    費網購快捷退利息續有限科技台灣北中高雄香港東南西城路市區月份明細查詢單位編流水日期提結餘說明
"""
_KOREAN = """
    이다에의는로하을가고지서한은기으년대사시를리도인스일거래입출금액잔적요내용날짜통장은행카드결제급여이체송자동
    납부점수료보험전화요금구매마트커피식당택시교통현월세주회계좌번호비고원신국민우농협업부산울강남경북제환불취소
    용처당성정영상해조유선아무어나그보여수학원생과공미화장
"""
_HIRAGANA, _KATAKANA, _HALF_WIDTH = ("\u3041", "\u309f"), ("\u30a0", "\u30ff"), ("\uff66", "\uff9f")


@dataclass(frozen=True, slots=True)
class Script:
    """A script: the code pages in which it is written, how likely a letter is, and what clashes."""

    encodings: tuple[str, ...]
    weight: Callable[[str], float]
    clash: re.Pattern[str]


def _ranked(
    letters: str, others: str = "", steep: float = 1.4, rare: float = 0.1
) -> Callable[[str], float]:
    """Weigh letters by their place in an order of frequency; `others` weigh `rare`.

    The last letter has the weight 1 - `steep`, which is less where a language uses all of its letters.
    """
    weights = {letter: 1 - steep * index / len(letters) for index, letter in enumerate(letters)}
    weights |= dict.fromkeys(others, rare)

    def weight(letter: str) -> float:
        small = letter.lower()
        return weights.get(small, weights.get(_without_accent(small), _other(letter)))

    return weight


def _without_accent(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


def _other(letter: str) -> float:
    """The weight of what is no letter of the language: signs that any text has, and all else."""
    return 0.0 if letter in "\u00a0№«»–—“”„’‘…€£°·•−－　、。・（）：；，！？／＊＋" else -1.0


def _east_asian(
    frequent: str, page: str, first: int, last: int, common: float
) -> Callable[[str], float]:
    """Weigh characters by whether they are frequent, or stand where a code page has the common ones."""
    letters = frozenset("".join(frequent.split()))

    def weight(letter: str) -> float:
        if letter in letters:
            return 1.0
        if "\uff01" <= letter <= "\uff5e" or "\u3000" <= letter <= "\u3020":
            return 0.3
        try:
            code = letter.encode(page)
        except UnicodeEncodeError:
            return -0.5
        return common if len(code) == 2 and first <= code[0] <= last else 0.1

    return weight


_kanji = _east_asian(_JAPANESE, "euc_jp", 0xB0, 0xCF, 0.45)


def _japanese(letter: str) -> float:
    if _HIRAGANA[0] <= letter <= _HIRAGANA[1]:
        return 1.0
    if _KATAKANA[0] <= letter <= _KATAKANA[1]:
        return 0.9
    return 0.5 if _HALF_WIDTH[0] <= letter <= _HALF_WIDTH[1] else _kanji(letter)


def _clashes(small: str, capitals: str = "", extra: str = "(?!)") -> re.Pattern[str]:
    """What no word has: a capital within it, a letter beside a small Latin one, or `extra`."""
    within = rf"[{small}](?=[{capitals}])|" if capitals else ""
    return re.compile(rf"{extra}|{within}[a-z](?=[{small}{capitals}])|[{small}{capitals}](?=[a-z])")


_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uff61-\uff9f\uac00-\ud7a3\ue000-\uf8ff"
_HAN = _clashes(_EAST_ASIAN)
_KANA = _clashes(
    _EAST_ASIAN, extra="(?<![ｱ-ﾝ])[ｧ-ｰﾞﾟ]|(?<![ﾌｳﾃﾄﾂｼﾁﾞ])[ｧ-ｫ]|(?<![ｷｼﾁﾆﾋﾐﾘﾃﾌﾞﾟ])[ｬ-ｮ]|(?<![ｦ-ﾟ])ﾝ"
)
SCRIPTS = (
    Script(
        ("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866"),
        _ranked(_RUSSIAN, _OTHER_CYRILLIC),
        _clashes("а-яё-џґ", "А-ЯЀ-ЏҐ"),
    ),
    Script(("cp1253", "iso8859_7"), _ranked(_GREEK), _clashes("ά-ώΐ", "Α-ΫΆΈ-Ώ", "ς(?=[ά-ώ])")),
    Script(("cp1255",), _ranked(_HEBREW, steep=0.8), _clashes("א-ת", extra="[ךםןףץ](?=[א-ת])")),
    Script(
        ("cp874",),
        _ranked(_THAI, _THAI_MARKS, rare=0.6),
        _clashes("ก-๛", extra="(?<![ก-๎])[ะ-ฺ็-๎]|[เ-ไ](?![ก-ฮ])"),
    ),
    Script(("cp932", "euc_jp"), _japanese, _KANA),
    Script(("gb18030",), _east_asian(_SIMPLIFIED, "gb2312", 0xB0, 0xD7, 0.45), _HAN),
    Script(("big5",), _east_asian(_TRADITIONAL, "big5", 0xA4, 0xC6, 0.45), _HAN),
    Script(("cp949",), _east_asian(_KOREAN, "euc_kr", 0xB0, 0xC8, 0.4), _HAN),
)
"""All scripts that are told apart; where two code pages read a text alike, the first one is meant."""

_FOUR_BYTES = re.compile(rb"[\x81-\xfe][0-9][\x81-\xfe][0-9]")
"""How gb18030 writes what is not Chinese, as a fixed blank or a minus: no text of another page."""
_JAPANESE_MINUS = {
    "euc_jp": re.compile(rb"(?<![\x80-\xff])\xa1\xdd(?=[\d ])"),
    "cp932": re.compile(rb"(?<![\x80-\xff])\x81\x7c(?=[\d ])"),
}
"""The minus before a number: two capitals, half a word, or no letters in other pages."""
_LATIN_PAGES = ("cp1252", "cp1250", "cp1257")
_LETTER_IN_NUMBER = re.compile(r"(?<=\d)[^\W\d_a-zA-Z](?=\d)")
_A_LITTLE = 1e-6
_GREEK_APOSTROPHE = re.compile(rb"(?<=\d)\xa2(?=\d{3}(?!\d))")
"""What parts groups of digits in ISO 8859-7, and is a cent sign elsewhere, which parts nothing."""
_LATIN_PAIR = re.compile("[A-Za-z](?=[^\x00-\x7f])|[^\x00-\x7f](?=[A-Za-z])")
_NEUTRAL = "\x80\x85\x91\x92\x93\x94\x95\x96\x97\x99\xa0\xa3\xa7\xab\xb0\xb7\xbb"
"""Bytes of signs that stand in Latin texts, and say nothing of them."""
_SIGNS = r"\x80\x92\x96\xa0\xa2-\xa5"
_LONE_SIGN = re.compile(
    rf"(?<![A-Za-z\x80-\xff])[{_SIGNS}]+(?=[ (+\-]*\d)"
    rf"|(?<=[\d)+\-])[ \xa0]?[{_SIGNS}]+(?![A-Za-z\x80-\xff])".encode("latin-1")
)
"""The euro, the pound, a fixed blank and the like beside digits, which are letters in other pages."""
_LATIN_LETTERS = frozenset(
    byte
    for byte in range(0x80, 0x100)
    if any(bytes([byte]).decode(page, "replace").isalpha() for page in _LATIN_PAGES)
)


def without_signs(lines: bytes) -> bytes:
    """Blank out signs beside numbers, which are no letters whatever the page of the bytes is."""
    return _LONE_SIGN.sub(b" ", lines)


def likeliest_page(data: bytes) -> str | None:
    """The code page in which bytes are a text of a script other than the Latin one, if they are one.

    The bytes are whole lines, of which the last may be cut.
    """
    if _FOUR_BYTES.search(data) and "\ufffd" not in data.decode("gb18030", "replace")[:-1]:
        return "gb18030"
    for page, minus in _JAPANESE_MINUS.items():
        if minus.search(data) and minus.sub(b"-", data).isascii():
            return page
    plain = without_signs(data)
    if plain.isascii():
        return "iso8859_7" if _GREEK_APOSTROPHE.search(data) else None
    best, most = None, max(0.0, _latin_likeness(plain))
    for script in SCRIPTS:
        for encoding in script.encodings:
            likeness = _likeness(plain, encoding, script)
            # Where two pages read all words alike, the sign between groups of digits is no letter.
            likeness -= _A_LITTLE * len(_LETTER_IN_NUMBER.findall(data.decode(encoding, "replace")))
            if likeness > most:
                best, most = encoding, likeness
    return best


def _latin_likeness(data: bytes) -> float:
    """How much letters above ASCII lean on those of ASCII, as they do in every Latin language."""
    text = data.decode("latin-1").translate(dict.fromkeys(map(ord, _NEUTRAL), " "))
    above = [ord(letter) for letter in text if letter > "\x7f"]
    signs = sum(byte not in _LATIN_LETTERS for byte in above)
    return min(1.0, (len(_LATIN_PAIR.findall(text)) - 2 * signs) / len(above)) if above else 0.0


def _likeness(data: bytes, encoding: str, script: Script) -> float:
    text = data.decode(encoding, "replace")
    counts = Counter(letter for letter in text if letter > "\x7f")
    total = counts.total()
    broken = counts.pop("\ufffd", 0)
    if broken > 1 + _BROKEN_SHARE * total:
        return -1.0
    weights = {letter: script.weight(letter) for letter in counts}
    if sum(counts[letter] for letter, weight in weights.items() if weight) < _FEWEST_LETTERS:
        return -1.0
    weighed = sum(counts[letter] * weight for letter, weight in weights.items())
    return (weighed - _CLASH * len(script.clash.findall(text)) - broken) / total
