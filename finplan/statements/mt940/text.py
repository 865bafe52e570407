"""What :86: and its like say of a transaction: the other side's name, and the purpose.

The German banks' form (?20…?32…, with other signs abroad), the form with codes between slashes
(/NAME/…/REMI/…), older files' :NS: lines, and free text.
"""

import re
from typing import NamedTuple

from finplan.statements.text.descriptors import LONGEST_REMEMBERED, MOST_REMEMBERED, fold, joined

_FULL_LINE, _FULL_FIRST_LINE = 64, 60
"""A line of so many characters was broken where it was full, perhaps within a word; some banks count
the tag of the first one too."""

_FULL_FIELD = 27
"""The length at which a subfield of the German form is full."""

_NUMBERED = re.compile(r"\s*(?:\d{3})?([?>~^<|])\d\d")
_MARK = re.compile(
    r"(?:^|(?<=[\s?]))(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|BREF|RREF|PURP)\+"
)
_SLASHED = re.compile(
    r"/(TRTP|TRCD|NAME|REMI|EREF|KREF|PREF|MARF|CSID|CNTP|IBAN|BIC|ORDP|BENM|RTRN|ISDT|NRTX|SVCL"
    r"|ADDR|ULTC|ULTD|PURP|CREF|ID|ACC|OCMT|CHGS|BTRN|IREF|GUID|PTYP|PY)/"
)
_NON_SWIFT = re.compile(r"^(\d\d)", re.MULTILINE)
_PURPOSE_FIELDS = (*range(20, 30), *range(60, 64))
_NAME_FIELDS = (32, 33)
_POSTING_FIELD = 0
_REMITTANCE_KINDS = re.compile(r"(?:USTD|STRD)/+(?:CUR/)?")


class Narrative(NamedTuple):
    """What a file says of one transaction: its descriptor, and the other side's name or None."""

    raw: str
    payee: str | None


class Narratives(dict[tuple[str, str, str], Narrative]):
    """Remembers what supplementary details, :86: and :NS: of a transaction say."""

    def __missing__(self, texts: tuple[str, str, str]) -> Narrative:
        narrative = _say(*texts)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        if sum(map(len, texts)) <= LONGEST_REMEMBERED:
            self[texts] = narrative
        return narrative


def _say(supplement: str, information: str, non_swift: str) -> Narrative:
    numbered = _NUMBERED.match(information)
    if numbered is not None:
        narrative = _numbered(information, numbered[1])
    elif len(_SLASHED.findall(information)) > 1:
        narrative = _slashed(_unwrapped(information))
    elif not information.strip() and non_swift:
        narrative = _lines_of_numbers(non_swift)
    else:
        narrative = Narrative(fold(_unwrapped(information)), None)
    added = "" if supplement.startswith("/") else fold(supplement)
    return narrative if narrative.payee else Narrative(joined([added, narrative.raw]), None)


def _numbered(information: str, sign: str) -> Narrative:
    """Read the German form; its subfields go on where one is full."""
    pieces = _unwrapped(information).split(sign)
    gathered: dict[int, list[str]] = {}
    last = -1
    for piece in pieces[1:]:
        if piece[:2].isdecimal() and piece[:2].isascii():
            last = int(piece[:2])
            gathered.setdefault(last, []).append(piece[2:])
        elif last >= 0:
            # The sign is part of the text where no number follows it.
            gathered[last].append(sign + piece)
    fields = {number: "".join(texts) for number, texts in gathered.items()}
    name = fold(_chained(fields, _NAME_FIELDS))
    purpose = _purpose(_chained(fields, _PURPOSE_FIELDS))
    raw = joined([name or fold(fields.get(_POSTING_FIELD, "")), purpose])
    return Narrative(raw, name or None)


def _chained(fields: dict[int, str], numbers: tuple[int, ...]) -> str:
    text = ""
    for number in numbers:
        field = fields.get(number, "")
        text += field if len(field) >= _FULL_FIELD else f"{field} "
    return text


def _purpose(text: str) -> str:
    """Give what the payer wrote; references of SEPA's, which are marked, only when nothing else is."""
    pieces = _MARK.split(text)
    marked = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return fold(marked.get("SVWZ", "")) or fold(text)


def _slashed(text: str) -> Narrative:
    """Read the form with codes between slashes."""
    pieces = _SLASHED.split(text)
    coded: dict[str, str] = {}
    for code, value in zip(pieces[1::2], pieces[2::2], strict=True):
        coded.setdefault(code, fold(value.strip("/ ")))
    # ING writes the account, the bank and the name of the other side after one code.
    counterparty = pieces[pieces.index("CNTP") + 1].split("/") if "CNTP" in coded else []
    name = coded.get("NAME") or (fold(counterparty[2]) if len(counterparty) > 2 else "")
    name = name or coded.get("ORDP") or coded.get("BENM") or ""
    remittance = _REMITTANCE_KINDS.sub("", coded.get("REMI", ""))
    raw = joined([name, remittance]) or coded.get("TRTP", "") or fold(text)
    return Narrative(raw, name or None)


def _lines_of_numbers(non_swift: str) -> Narrative:
    """Read :NS: lines: 01 to 14 are the purpose, 15 and 16 the name, 17 the sort of posting."""
    pieces = _NON_SWIFT.split(non_swift)
    fields = dict(
        zip(map(int, pieces[1::2]), (piece.strip("\n") for piece in pieces[2::2]), strict=True)
    )
    name = fold(_chained(fields, (15, 16)))
    purpose = _purpose(_chained(fields, tuple(range(1, 15))))
    return Narrative(joined([name or fold(fields.get(17, "")), purpose]), name or None)


def _unwrapped(text: str) -> str:
    """Join lines, with a blank unless the line was full."""
    lines = text.strip("\n").split("\n")
    whole, full = list[str](), _FULL_FIRST_LINE
    for line in lines[:-1]:
        whole.append(line if len(line) >= full else f"{line} ")
        full = _FULL_LINE
    return "".join([*whole, lines[-1]])
