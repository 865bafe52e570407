"""The forms in which banks write who was paid: labels, segments, notes and stars around a name.

They are read from the text itself, before it is cut into tokens, since their punctuation is what tells
them apart.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from finplan.categorise.descriptor import is_word
from finplan.categorise.grammar import grammar
from finplan.categorise.payments import skip_payment_words
from finplan.categorise.places import is_place
from finplan.categorise.tokens import tokens_of

_LABELS = re.compile(
    r"(?:,|(?<!\s)\s)\s*+(?:INDN|ID|REF|TRN|EREF|MREF|KREF|CRED|SVWZ|ABWA|IBAN|BIC|TRACE ?#?|CO ID|TERM"
    r"|(?:PPD|WEB|CCD) ID|VALUE DATE|REFERENCE|CONCEPTO|CAUSALE|OMSCHRIJVING|MACHTIGING|PASVOLGNR"
    r"|MOTIF|KENMERK):.*",
    re.DOTALL | re.IGNORECASE,
)
_NOTE = re.compile(r"\s(?:EREF|MREF|KREF|CRED|SVWZ|ABWA|IBAN|BIC)\+.*", re.DOTALL)
_MASK = re.compile(r"\*{2,}\w{0,4}(?!\w)")
_MASKED_NUMBER = re.compile(r"\s-\s*[*•]{2,}\.?.*", re.DOTALL)
_FIRMS_NUMBER = re.compile(r"\s-\s*\d[\d./]*-\d\d\s-\s.*", re.DOTALL)
_PASS_OR_PRICE = re.compile(r",\s*(?:PAS ?\d|\d+\.\d\d [A-Z]{3}\b).*", re.DOTALL | re.IGNORECASE)
_PASS_AND_TOWN = re.compile(r"(?>(.*\w),\s*PAS ?\d(?=.*\d)).*\d\s+([^\W\d][^\d]*)", re.DOTALL)
_PAYPAL = re.compile(r"PAYPAL DES:INST XFER ID:([A-Z][A-Z0-9]{3,})", re.IGNORECASE)
_CUT_BEFORE_DES = re.compile(r" [A-Z] (?=DES:)")
_PAYPAL_CODE = re.compile(r"\bPP\.\d{4}\.PP[\s./]*+(?=[^,]*[^\W\d_])([^,]*)", re.IGNORECASE)
_TIKKIE = re.compile(r"(TIKKIE) ID \w+,(?:.*,)?([^,\d]{3,}),(?=[^,]*\d)[^,]*+", re.IGNORECASE)
_CARD_AND_TOWN = re.compile(r"(COMPRA TARJ\S* .*\w)-[^-\d]{3,}", re.IGNORECASE)
_BILL_PAID = re.compile(r"(BILL PAY .*\w) ON-LINE .*", re.IGNORECASE | re.DOTALL)
_TOWN_AND_CARD = re.compile(r"(\w[^,]*),[^,]+,\s*TARJ", re.IGNORECASE)
_SHOP_AND_TOWN = re.compile(r"(.*\w[^\w>]*)>(.*)", re.DOTALL)
_NAMED_AFTER = (
    r"(?:CITY|TOWN|TOWNSHIP|COUNTY|DISTRICT|REGION|MUNICIPALITY|VILLAGE|UNIVERSITY) OF|VILLE DE"
)
_TOWN_FIRST = re.compile(
    r"\b((?:(?:ST|SAN|SANTA|NEW|NORTH|SOUTH|EAST|WEST|FORT|PORT|MOUNT|LAKE) )?\w+)"
    # Without a hyphen it closes the row: a payment may stand before it ("PAYMENT - CITY OF DAWSON").
    rf"(?:[-,]| ?[-,]? ?(?=(?:{_NAMED_AFTER})(?:\s*$|\s*\d|\s+DES:)))({_NAMED_AFTER})\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"\[[A-Z]{2}\]\s*(?=\w)")
_CODE_AND_DASH = re.compile(r"(?=[^\W\d_AEIOU]{2,4}-)(\w+)-(?=[^\W\d_])")
_TIME_AND_DATE = re.compile(r"\bTIME \d\d?:\d\d(?: ?[AP]M)?(?: DATE \d\d?/\d\d)?\s", re.IGNORECASE)

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
# A day may have been blanked, as a long number is.
_PLACES = {
    "{date}": r"\d[\d/.\-]*",
    "{time}": r"\d\d?[:.]\d\d(?:[:.]\d\d)?(?:\s?[AP]M\b)?",
    "{code}": r"[^\W\d_]*\d\w*",
    "{amount}": r"\d[\d.,]*",
    "{weekday}": f"(?:{'|'.join(_WEEKDAYS)})",
}
_PLACE = re.compile(r"(\{\w+\})")

_SEGMENTED = re.compile(
    r"(?:(?:TO|BY) TRANSFER[- ]+|(?:WDL|DEP) TFR\s+|[MI]B/)?"
    r"(?:UPI(?: ?(?:OUT|IN)|A[BR])?|(?:ECOM )?PUR(?=/)"
    r"|IMPS|NEFT|RTGS|NACH|ECS|ACH|BIL|MMT|INF|VPS|TPT|PCD|IIN|VIN|IPS)"
    r"(?: ?(?:DR|CR|[DC]))?\s*(?=[-/*])",
    re.IGNORECASE,
)
_SALARY = re.compile(r"(?:NEFT|RTGS|ACH|NACH|ECS)\b.*[-/* ]SAL(?:ARY)?(?:[-/* \d]|$)")
_NOTE_FIRST = re.compile(r"(?:MMT|INF|TPT)[-/]", re.IGNORECASE)
_BANK_CODE = re.compile(
    r"[A-Z]{4}0[A-Z0-9]{6}|[^@]*@.*|[A-Z]{3,5}\d{4,}", re.IGNORECASE | re.DOTALL
)
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN_PARTS = re.compile(r"(?:(?<!\s)\s++)?,\s*+|(?<!\s)\s++-\s++")
_BEFORE_A_PLACE = ("//", "\\")
_NOTE_IN_SMALL = re.compile(
    r"(.*\b[^\W\d_a-z][\w'’-]+ [^\W\d_a-z][\w'’-]+) (?!(?:d[aeio]s?|del|l[ae]|v[ao]n|von|y|e)\b)"
    r"[a-z][a-z0-9'’-]*(?: [a-z][a-z0-9'’-]*)*"
)
_NAMED_IN_PARTS = re.compile(r"/NAME/|/BEN ", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_MOST_PARTS_OF_TOWN = 10
"""Into how many parts commas and dashes may cut a town with its state and country."""

_LONGEST_LABELLED = 140
"""How long a name behind a label may be, in characters: as long as one of SEPA."""

_VOWELS = frozenset("aeiouy")
_RUNS_TOGETHER = frozenset(("pag", "pg", "mp", "pagseguro", "mercadopago", "mercpago"))
"""Processors that write a name without its spaces ("PAG*PadariaDoZe")."""
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_PAID_FOR_WORDS = """
pay payment pmt bill order purchase installment subscription subscript subscr membership member
invoice trip
"""
_PAID_FOR = frozenset(_PAID_FOR_WORDS.split())
_RAIL_WORDS = """
p2a p2m p2p onl bpay upi imps neft rtgs bil mmt inft billpay
"""
_RAILS = frozenset(_RAIL_WORDS.split())
_LEAST_WORDS_OF_HOW = 2


@dataclass(frozen=True, slots=True)
class _Forms:
    """What banks write around whom they name.

    `labelled` finds whom a label names, the surest label first. `opening` and `closing` are what stands
    before and after the name of a card's shop; `opens` are the first letters of every opening.
    """

    labelled: tuple[re.Pattern[str], re.Pattern[str]]
    opens: tuple[str, ...]
    opening: re.Pattern[str]
    closing: re.Pattern[str]


@cache
def shipped_forms() -> _Forms:
    """The forms of the shipped words."""
    vocab = grammar()
    return _Forms(
        (labels(vocab.company_labels), labels(vocab.payee_labels)),
        opens_of(vocab.card_openings),
        forms(vocab.card_openings, at_end=False),
        forms(vocab.card_closings, at_end=True),
    )


def labels(wordlist: Iterable[str]) -> re.Pattern[str]:
    """Finds what stands behind one of some labels, up to the next label or slash."""
    spelled = "|".join(map(re.escape, wordlist))
    return re.compile(
        rf"(?:(?<!\w)|(?=\W))(?:{spelled})\s*+([^:/]{{2,{_LONGEST_LABELLED}}}?)(?=/|$"
        r"|(?<!\s)\s++(?:(?:\d\d \d\d )?BQ\s\d|(?:(?:orig|co|ppd|web|bnf|co entry) )?\w{2,20}\.?:))",
        re.IGNORECASE,
    )


def forms(written: Iterable[str], *, at_end: bool) -> re.Pattern[str]:
    """Finds what a bank writes before or after a shop, by forms with places for day, time and code."""
    spelled = sorted(map(_form, written), key=len, reverse=True)
    either = "|".join(spelled)
    pattern = rf"(?<!\s)\s*+(?:{either})\s*$" if at_end else rf"^\s*(?:{either})\s+(?=\S)"
    return re.compile(pattern, re.IGNORECASE)


def opens_of(written: Iterable[str]) -> tuple[str, ...]:
    """The first letters, three at most, of rows that open with one of some forms."""
    return tuple(
        start
        for form in written
        for start in (_WEEKDAYS if form.startswith("{weekday}") else (form.partition("{")[0][:3],))
    )


def _form(written: str) -> str:
    """A form as a regular expression: `{date}` and its like stand for what they say."""
    return "".join(
        _PLACES[part] if part in _PLACES else re.escape(part).replace(r"\ ", r"\s+")
        for part in _PLACE.split(written)
    )


def _opens_with_merchant(text: str) -> bool:
    """Whether a text opens with a well-known payee."""
    tokens = tokens_of(text)
    return bool(tokens) and skip_payment_words(tokens, grammar())[1] is not None


def _opens_with_payment(text: str) -> bool:
    """Whether two words or more say how it was paid, and no name follows."""
    vocab, tokens = grammar(), tokens_of(text)
    prefix = vocab.prefixes.longest(tokens, 0) if tokens else None
    if prefix is None or prefix[0] < _LEAST_WORDS_OF_HOW:
        return False
    after = tokens[prefix[0] : prefix[0] + 1]
    return not after or after[0] in vocab.references or not is_word(after[0])


def _stands_in(name: str, town: str) -> bool:
    """Whether a name and a town stand behind each other."""
    vocab = grammar()
    if not is_place(tokens_of(town), vocab):
        return False
    return any(token.isalpha() and token not in vocab.rails for token in tokens_of(name))


def goes_to_people(text: str) -> bool:
    """Whether a text opens as a transfer to a person does."""
    tokens = tokens_of(text)
    return bool(tokens) and skip_payment_words(tokens, grammar())[2] == "person"


def is_shaped(text: str) -> bool:
    """Whether a text has any of the punctuation that the forms are made of."""
    return (
        "*" in text
        or ":" in text
        or "/" in text
        or "-" in text
        or "," in text
        or "+" in text
        or ">" in text
        or "[" in text
        or "\\" in text
        or text[-1:].islower()
        or ".PP" in text
        or text.endswith((" OF", " DE"))
    )


def names_place_apart(text: str) -> bool:
    """Whether a card's row has its town in a column of its own, so that a name closes with none."""
    return ",PAS" in text


def says_salary(text: str) -> bool:
    """Whether one part of an Indian bank transfer is "SALARY" or "SAL0325"."""
    return _SALARY.search(text) is not None


def recipient_text(text: str) -> tuple[str, bool]:
    """The part of a descriptor that names the payee, and whether a card processor wrote it.

    Any other text stays as it is.
    """
    text = _without_notes(text)
    if text[0] == "[":
        text = _TAG.sub("", text, count=1)
    booked = text
    text = _without_forms(text)
    by_card = text is not booked
    text = _before_place(_segment_or_label(text))
    if "**" in text:
        text = _MASK.sub(" ", text).strip(" *-") or text
    if "-" in text:
        text = _without_dashes(text)
    if text[-1:].islower() and (noted := _NOTE_IN_SMALL.fullmatch(text)) and goes_to_people(text):
        text = noted[1]
    shop, by_star = _after_star(text) if "*" in text else (text, False)
    return shop, by_card or by_star


def _segment_or_label(text: str) -> str:
    """The part of a text that a label or the parts of a transfer name the payee in."""
    if ".PP" in text and (coded := _PAYPAL_CODE.search(text)):
        return _labelled(text) or coded[1]
    if ":" in text:
        return _after_label(text)
    if "inkauf bei " in text or "urchase at " in text or _NAMED_IN_PARTS.search(text):
        return _labelled(text) or text
    if "/" in text or "-" in text or "NEFT*" in text:
        return _segment(text) or _before_how(text)
    return text


def _before_place(text: str) -> str:
    """A text without the place that its punctuation sets apart from the name."""
    for mark in _BEFORE_A_PLACE:
        if mark in text:
            text = text.partition(mark)[0].strip() or text
    if ">" in text:
        text = _before_town_and_time(text)
    if "," in text:
        if sent := _TIKKIE.fullmatch(text):
            return f"{sent[1]} {sent[2].strip()}"
        if passed := _PASS_AND_TOWN.fullmatch(text):
            return _before_column(passed[1], passed[2])
        town = _TOWN_AND_CARD.match(text)
        text = town[1] if town else _PASS_OR_PRICE.sub("", text) or text
    return _before_town(text) if "," in text or " - " in text else text


def _without_dashes(text: str) -> str:
    """A text without what dashes set apart from the name: a town, a bill's way, a processor's code."""
    if match := _CARD_AND_TOWN.fullmatch(text) or _BILL_PAID.fullmatch(text):
        return match[1]
    coded = _CODE_AND_DASH.match(text)
    if coded is None or coded[1].lower() not in grammar().processors:
        return text
    return f"{coded[1]}*{text[coded.end() :]}"


def _before_how(text: str) -> str:
    """A name without how it was paid, where that stands behind it: "SHOP - Visa Purchase - 4"."""
    name, _, how = text.partition(" - ")
    return name if how and _opens_with_payment(how) and not _opens_with_payment(name) else text


def _before_town(text: str) -> str:
    """A name without the town and state that follow a comma or dash: "OTICA CLARA - GOIANIA - GO"."""
    parts = _BETWEEN_PARTS.split(text)
    for end in range(max(1, len(parts) - _MOST_PARTS_OF_TOWN), len(parts)):
        name = " - ".join(parts[:end])
        if _stands_in(name, " ".join(parts[end:])):
            return name
    return text


def _before_town_and_time(text: str) -> str:
    """A shop that ">" parts from its town and a time: the last sign before the last digit counts."""
    numbered = text[: max(map(text.rfind, set(filter(str.isdecimal, text))), default=0)]
    before, sign, _ = numbered.rpartition(">")
    placed = _SHOP_AND_TOWN.fullmatch(before + sign) if sign else None
    if placed is None:
        return text
    town = _DIGIT.split(text[placed.end(1) + 1 :], maxsplit=1)[0]
    return _before_its_town(placed[1].rstrip(), town.strip())


def _before_its_town(name: str, town: str) -> str:
    """A shop without the town that stands behind it once more: "JUMBO VOLENDAM >VOLENDAM"."""
    shop = name.removesuffix(town).rstrip() if town and name.endswith(f" {town}") else ""
    return shop or name


def _before_column(name: str, town: str) -> str:
    """A well-known shop without the town of the row's own column; of another it may be a part."""
    shop = _before_its_town(name, town)
    return shop if _opens_with_merchant(shop) else name


def _without_forms(text: str) -> str:
    """A card's row without what stands before and after the shop; the same text if nothing does."""
    bare = (
        shipped_forms().opening.sub("", text, count=1)
        if text[:3].lower().startswith(shipped_forms().opens)
        else text
    )
    if ":" in text:
        bare = shipped_forms().closing.sub("", bare)
    return bare if bare and len(bare) < len(text) else text


def _without_notes(text: str) -> str:
    """A text without SEPA fields and what follows a masked number.

    "Guelph-City of" is set right, and an Australian "P/L" is written out.
    """
    if text.startswith("R/"):
        text = f"RECIBO {text[2:]}"
    if " C/O " in text:
        text = text.replace(" C/O ", " PRESSO ")
    if " C/" in text:
        text = text.replace(" C/", " CALLE ")
    if " P/L" in text:
        text = text.replace(" P/L", " PTY LTD")
    if " OF" in text or " of" in text or "VILLE DE" in text:
        text = _TOWN_FIRST.sub(r"\2 \1", text)
    if "+" in text:
        text = _NOTE.sub("", text) or text
    if "**." in text or "••" in text:
        text = _MASKED_NUMBER.sub("", text) or text
    return _FIRMS_NUMBER.sub("", text) if "ncia: " in text else text


def _after_label(text: str) -> str:
    labelled = _labelled(text)
    if labelled is not None:
        return labelled
    by_paypal = _PAYPAL.search(text)
    if by_paypal is not None:
        return f"PAYPAL *{by_paypal[1]}"
    bare = _LABELS.sub("", _TIME_AND_DATE.sub("", text)) or text
    return _CUT_BEFORE_DES.sub(" ", bare).replace("DES:", "") if "DES:" in bare else bare


def _labelled(text: str) -> str | None:
    for pattern in shipped_forms().labelled:
        if match := pattern.search(text):
            return match[1]
    return None


def _segment(text: str) -> str | None:
    """The first part of a transfer written in parts that is a name: no code, no bank, no address.

    Some banks write the payer's note before the name, which is then the second such part.
    """
    head = _SEGMENTED.match(text)
    if head is None:
        return None
    end = head.end()
    note = _NOTE_FIRST.match(text) is not None
    kept_part: str | None = None
    for segment in text[end + 1 :].split(text[end]):
        part = segment.strip()
        if " " in part:
            part = part.partition("@")[0]
        known_form = part.lower() in _RAILS or _BANK_CODE.fullmatch(part) is not None
        if not known_form and _LETTERS.search(part):
            if kept_part is not None or not note:
                return part
            kept_part = part
    return kept_part


def _names_somebody(text: str) -> bool:
    """Whether a text after a star may be a name, and is neither a number nor what is paid."""
    first = text.split()[:1]
    return bool(first) and not first[0].isdigit() and first[0].lower() not in _PAID_FOR


def _is_code(head: str, name: str) -> bool:
    """Whether what stands before a star is a processor's code, as in "ZLR*TIDE FISH BAR"."""
    unspoken = len(head) < 5 and head.isalpha() and _VOWELS.isdisjoint(head)
    return unspoken and len(_LETTERS.findall(name)) > 1


def _says_what_for(text: str) -> bool:
    """Whether a text after a star opens with what was paid for, as in "PATREON* MEMBERSHIP"."""
    first = text.split(maxsplit=1)[:1]
    return bool(first) and first[0].lower() in _PAID_FOR


def _after_star(text: str) -> tuple[str, bool]:
    by_card = False
    while "*" in text:
        before, _, after = text.partition("*")
        tokens = before.lower().replace("_", " ").split()
        if not tokens or not after.strip():
            break
        head = tokens[-1].strip(".-")
        if head in grammar().houses:
            return grammar().houses[head], by_card
        name = after.partition("*")[0]
        if head not in grammar().processors:
            if _says_what_for(name):
                return before, by_card
            merchant = _opens_with_merchant(before)
            if merchant or not (
                _opens_with_merchant(after) or (len(tokens) == 1 and _is_code(head, name))
            ):
                return f"{before} {name}", by_card
        elif not _names_somebody(name) and _opens_with_merchant(before):
            return before, by_card
        by_card = by_card or not head.startswith(("pp", "paypal"))
        text = _NEXT_WORD.sub(" ", after) if head in _RUNS_TOGETHER else after
    return text, by_card
