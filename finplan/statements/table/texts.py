"""What a table's rows are called: the columns that describe them, and the texts made of these.

The columns say who was paid, what for, where, how a row was booked and how the bank sorts it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from finplan.categorise.bank_categories import category_code
from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.row_words import mark_of
from finplan.statements.table.table import Cells, is_date, is_number
from finplan.statements.table.words import ColumnName, column_name, meanings_of
from finplan.statements.text import descriptors
from finplan.statements.text.descriptors import (
    fold,
    holds_text,
    is_bank_code,
    is_filler,
    names_party,
)

MOST = 24
"""How many columns at most make a row's text."""

_WORDS_THAT_DESCRIBE_NOTHING = """
    iban bic swift blz bank bankleitzahl banka kod code id ids nr no num number numer numero nummer cislo
    account konto kontonummer auftragskonto cuenta conto compte rekening tegenrekening ucet rachunek
    saskaita tili szamla protiucet gegenkonto mandate mandat mandatsreferenz mandaat glaubiger glaeubiger
    creditor kundenreferenz sammlerreferenz referenz viite viitenumero symbol ks vs ss email mail address
    adresse adres adress direccion indirizzo strasse straat street zip plz postcode shipping url link
    website phone telephone time zeit uhrzeit hora heure timezone zone date datum country land pays pais
    paese landcode card karte carte tarjeta carta kort kartya karta karty holder inhaber kontoinhaber
    titulaire titular intestatario owner purchased source destination category kategorie categorie
    categoria kategoria subcategory instrument member user username provedl currency rate kurs status
    state tag tags label labels flag hash balance saldo receipt invoice attachment carrier tracking
    method condition disclaimer exchange device mcc version checksum reconciled cleared afstemt excluded
    hidden funding envelope budget wallet branch agency filiale agence fund month monat mois mes mese
    maand 付款方式 支付方式 支払方法 支払い方法 お支払方法 결제수단
    利用者 ご利用者 会員 名義 名義人 持卡人
"""
_NO_DESCRIPTION = frozenset(_WORDS_THAT_DESCRIBE_NOTHING.split())
_ENDINGS = (
    "adresse", "nummer", "konto", "datum", "kategorie", "status", "nr", "kennung", "code",
    "单号", "單號", "订单号", "流水号", "账号", "帳號", "卡号", "口座番号", "계좌번호",
)  # fmt: skip
"""What German and East Asian languages put at the end of such a word."""

_TEXTS: frozenset[ColumnMeaning] = frozenset(["description", "note", "payee", "payer", "place"])
_CATEGORY_NAMES = """
category|categories|spending category|transaction category|merchant category|kategorie|hauptkategorie
|categorie|categoria|kategoria|kategori|rubriek|rubrique
"""
_CATEGORIES = frozenset(" ".join(_CATEGORY_NAMES.split()).replace(" |", "|").split("|"))

_FEW_ROWS = 6
"""In fewer rows than these nothing is told by a few cells that repeat."""

_REPEATS = 3
"""A column whose texts come so many times each sorts the rows and does not describe them."""

_OFTEN = 0.6
"""In what share of the rows that name two parties the person's own name stands at least."""

_PARTIES: frozenset[ColumnMeaning] = frozenset(["payee", "payer"])
_SHOP_LABEL = "Adres:"
"""Polish banks name a shop as the address at the end of its place."""

_LABEL = re.compile(r"([^:\d]{3,40}):\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class TextColumns:
    """The places of the columns that describe a row, in the order in which they are put together.

    `parties` name who was paid or who paid, of which `payers` the latter alone; `own` are the folded
    names that are the person's and no payee's. `type` says how a row was booked, which is text where
    `type_is_text` or where nothing but a party stands. Where `is_whole`, the descriptions tell of the
    parties themselves; where `has_labels`, cells say by a label what they are. `asides` print what is
    no part of the text.
    """

    parties: tuple[int, ...] = ()
    descriptions: tuple[int, ...] = ()
    details: tuple[int, ...] = ()
    payers: frozenset[int] = frozenset()
    own: frozenset[str] = frozenset()
    type: int | None = None
    type_is_text: bool = False
    is_whole: bool = False
    has_labels: bool = False
    asides: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """All of them but for the type."""
        return tuple(dict.fromkeys((*self.parties, *self.descriptions, *self.details)))


def category_column(names: Sequence[ColumnName]) -> int | None:
    """The place of the bank's own categories, of several columns the first; None without one."""
    return next((index for index, name in enumerate(names) if name.plain in _CATEGORIES), None)


def find_texts(
    columns: Sequence[ColumnContents],
    used: Collection[int | None],
    chosen: Mapping[ColumnMeaning, Sequence[int]],
    type_: int | None,
) -> TextColumns:
    """Find the columns that describe the rows among those that are not `used` for anything else.

    `chosen` has the columns that the header names, the best first.
    """
    contents = [column.by_row for column in columns]

    def find_columns(meaning: ColumnMeaning) -> list[int]:
        places = (index for index in chosen.get(meaning, ()) if index not in used)
        return [
            index
            for index in places
            if columns[index].name.is_exact(meaning)
            or not is_of_something_else(columns[index].name)
        ]

    payers = [index for index in find_columns("payer") if any(contents[index])]
    parties = [*find_columns("payee"), *payers]
    parties = [
        index
        for index in parties
        if not any(contents[index]) or any(map(names_party, set(contents[index])))
    ]
    originals = find_columns("original")
    if originals:
        # An app's own wording and its notes may change, the bank's never do.
        described, details = originals, []
        parties = [*find_columns("description"), *parties]
    else:
        described = [index for index in find_columns("description") if index not in parties]
        noted = [index for index in find_columns("note") if _has_text(contents[index])]
        if not any(any(contents[index]) for index in described):
            described, noted = [*described, *noted], []
        places = [index for index in find_columns("place") if _has_text(contents[index])]
        taken = {*parties, *described, *noted, *places, type_}
        unknown = [
            index
            for index, cells in enumerate(contents)
            if index not in taken and index not in used and _describes(columns[index].name, cells)
        ]
        details = [*unknown, *noted, *places]
        described = sorted(described, key=lambda index: _sorts_rows(contents[index]))
    blank = sum(not any(row) for row in zip(*(contents[index] for index in described), strict=True))
    texts = TextColumns(
        tuple(parties[:MOST]),
        tuple(dict.fromkeys(described[:MOST])),
        tuple(index for index in dict.fromkeys(details[:MOST]) if index not in described),
        frozenset(payers),
        _own_names(contents, parties, payers),
        type_,
        type_is_text=bool(described) and not parties and 2 * blank >= len(contents[0]) > 2,
        is_whole=bool(originals),
        has_labels=any(party_labelled(cell) for index in details for cell in contents[index]),
    )
    return replace(texts, asides=_asides(texts, contents, used))


def _asides(
    texts: TextColumns, contents: Sequence[Sequence[str]], used: Collection[int | None]
) -> tuple[int, ...]:
    """Find the columns with words that are not, or not always, part of the text."""
    # A column without a word is none that ever was a text by itself.
    others = (
        index
        for index, cells in enumerate(contents)
        if index not in used and index not in texts.places and any(map(_has_letter, cells))
    )
    if texts.has_labels:
        changing = texts.places
    else:
        changing = tuple(
            index
            for index in texts.parties
            if texts.payers or not all(map(names_party, filter(None, contents[index])))
        )
    kind = () if texts.type is None else (texts.type,)
    return tuple(dict.fromkeys((*kind, *islice(others, MOST), *changing)))


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def details_beside(
    columns: Sequence[ColumnContents], places: Collection[int | None]
) -> tuple[int, ...]:
    """Find further columns of text in a table without a header."""
    indices = (
        index
        for index, column in enumerate(columns)
        if index not in places and _describes(column_name(""), column.by_row)
    )
    return tuple(islice(indices, MOST))


def without_label(cell: str) -> str:
    """Give a cell that says by its label what it is, or nothing where that is no text."""
    match = _LABEL.fullmatch(cell)
    return "" if match is not None and not holds_text(match[2]) else cell


def party_labelled(cell: str) -> str:
    """Give the name of the party that a cell labels as one, as in "Nazwa nadawcy: ACME", or nothing."""
    match = _LABEL.fullmatch(cell)
    if match is None:
        return ""
    meanings = meanings_of(match[1])
    if "place" in meanings:
        return match[2].rpartition(_SHOP_LABEL)[2].strip() if _SHOP_LABEL in match[2] else ""
    return match[2] if _PARTIES & meanings.keys() else ""


def is_of_something_else(name: ColumnName) -> bool:
    """Say whether a name is of what describes no row: a number, a card, its holder, a way of payment."""
    is_listed = not _NO_DESCRIPTION.isdisjoint(name.words)
    return is_listed or any(token.endswith(_ENDINGS) for token in name.words)


def _has_text(cells: Sequence[str]) -> bool:
    """Say whether a column has a cell that tells a person something."""
    return any(map(holds_text, set(cells)))


def _describes(name: ColumnName, cells: Sequence[str]) -> bool:
    """Say whether a column under an unknown name describes its rows."""
    filled = [cell for cell in cells if not is_filler(cell)]
    if not filled or 2 * sum(map(holds_text, filled)) < len(filled):
        return False
    if fold(name.text) == fold(filled[0]) and set(filled) == {filled[0]}:
        # A header that repeats its cells has lost its name.
        return not is_bank_code(filled[0])
    if is_of_something_else(name) or name.meanings.keys() - _TEXTS:
        return False
    if all(is_number(cell) or is_date(cell) or is_bank_code(cell) for cell in filled):
        return False
    is_constant = len(set(filled)) == 1 and len(filled) == len(cells) > 1
    return not is_constant and not _sorts_rows(cells)


def _sorts_rows(cells: Sequence[str]) -> bool:
    """Say whether the same few texts stand in all rows, as kinds of booking do."""
    rows = len(cells)
    return all(cells) and rows >= _FEW_ROWS and _REPEATS * len(set(cells)) <= rows


def _own_names(
    contents: Sequence[Sequence[str]], parties: Sequence[int], payers: Sequence[int]
) -> frozenset[str]:
    """Find the person's own name: it pays and is paid, and stands in most rows of the other parties."""
    sides: list[Counter[str]] = []
    for places in (payers, [index for index in parties if index not in payers]):
        rows = zip(*(contents[index] for index in places), strict=True)
        sides.append(Counter(own_key(name) for row in rows for name in set(row) if name))
    paying, paid = sides
    name_count = sum(any(row) for row in zip(*(contents[index] for index in parties), strict=True))
    both = {name: paying[name] + paid[name] for name in paying.keys() & paid.keys()}
    name = max(both, key=lambda key: both[key], default="")
    return frozenset([name] if name and both[name] >= _OFTEN * name_count else [])


def own_key(name: str) -> str:
    """What two spellings of the person's name have in common."""
    return fold(name).casefold()


class RowTexts:
    """Makes the descriptors and the payees of rows, remembering texts that come back.

    A text tells of the other party first, then what for, then the rest. Where nothing but a party
    stands, how the row was booked is told too.
    """

    def __init__(self, columns: TextColumns) -> None:
        self._columns = columns
        self._folded = _Remembered(fold)
        self._texts = _Remembered(self._text)
        self._parties = _Remembered(_party_in_cell)
        self._types = _Remembered(_type_in_cell)
        self._labelled = _Remembered(party_labelled)
        self._joined: dict[tuple[str, ...], str] = {}

    def of(
        self, cells: Cells, amounts: Sequence[int]
    ) -> tuple[Sequence[str], Sequence[str | None]]:
        """Give the texts of some rows and who was paid, None where no column says it."""
        columns = self._columns
        self._forget_when_full()
        parties = self._other_parties(cells, amounts)
        party_texts = [] if columns.is_whole else parties
        described = [self._fold(cells[index]) for index in columns.descriptions]
        details = [self._look_up(self._texts, cells[index]) for index in columns.details]
        if len(described) > 1 or details or party_texts:
            described = [self._without_fillers(column) for column in described]
        texts = [*described, *details]
        if columns.type is not None:
            texts += [self._types_beside(cells, columns.type, texts)]
        raws = self._join([*party_texts, *texts], len(amounts))
        if "" in raws:
            places = [*columns.places, *([] if columns.type is None else [columns.type])]
            printed = self._join([self._fold(cells[index]) for index in places], len(amounts))
            raws = [raw or text for raw, text in zip(raws, printed, strict=True)]
        return raws, self._payees(parties, [*described, *details], len(amounts))

    def _without_fillers(self, column: list[str]) -> list[str]:
        """Blank the folded cells that say nothing beside others, which are few and short."""
        if self._columns.has_labels:
            return self._look_up(self._texts, column)
        fillers = {
            text
            for text in set(column)
            if (len(text) <= descriptors.LONGEST_FILLER or not text[0].isalnum())
            and is_filler(text)
        }
        fillers.discard("")
        return ["" if text in fillers else text for text in column] if fillers else column

    def asides(self, cells: Cells, raws: Sequence[str]) -> Sequence[str]:
        """Give what else the rows print, by which a row is known whatever its text was made of."""
        if not self._columns.asides:
            return ()
        columns = [self._fold(cells[index]) for index in self._columns.asides]
        printed = self._join(columns, len(raws))
        return printed if any(printed) else ()

    def _types_beside(
        self, cells: Cells, index: int, columns: Sequence[Sequence[str]]
    ) -> list[str]:
        """How each row was booked, where it is part of the text or nothing but a party stands."""
        types = self._look_up(self._types, cells[index])
        if self._columns.type_is_text or not columns:
            return types
        return ["" if any(texts) else kind for kind, *texts in zip(types, *columns, strict=True)]

    def _other_parties(self, cells: Cells, amounts: Sequence[int]) -> list[list[str]]:
        """The columns of parties, of which the person is none where another one stands beside.

        Of a payer and somebody paid it is the one that the money went to or came from.
        """
        columns = self._columns
        parties = [self._look_up(self._parties, cells[index]) for index in columns.parties]
        if not columns.payers:
            return parties
        paying = [index in columns.payers for index in columns.parties]
        for row, (amount, names) in enumerate(
            zip(amounts, list(zip(*parties, strict=True)), strict=True)
        ):
            others = [bool(name) and own_key(name) not in columns.own for name in names]
            if not any(others):
                continue
            sides = {pays for pays, is_other in zip(paying, others, strict=True) if is_other}
            side = {amount > 0} if len(sides) > 1 else sides
            for column, pays, is_other in zip(parties, paying, others, strict=True):
                if not is_other or pays not in side:
                    column[row] = ""
        return parties

    def _payees(
        self, parties: Sequence[Sequence[str]], texts: Sequence[Sequence[str]], rows: int
    ) -> Sequence[str | None]:
        columns = list(parties)
        if self._columns.has_labels:
            columns += [self._look_up(self._labelled, column) for column in texts]
        if not columns:
            return [None] * rows
        if len(columns) == 1:
            names: Sequence[str | None] = [name or None for name in columns[0]]
        else:
            names = [next(filter(None, row), None) for row in zip(*columns, strict=True)]
        own = self._columns.own
        return (
            [name if name and own_key(name) not in own else None for name in names]
            if own
            else names
        )

    def _text(self, cell: str) -> str:
        text = fold(cell)
        if is_filler(text):
            return ""
        return without_label(text) if self._columns.has_labels else text

    def _fold(self, cells: list[str]) -> list[str]:
        return (
            cells if descriptors.are_folded(cells) else list(map(self._folded.__getitem__, cells))
        )

    def _look_up(self, memory: "_Remembered", cells: Sequence[str]) -> list[str]:
        return list(map(memory.__getitem__, cells))

    def _join(self, columns: Sequence[Sequence[str]], rows: int) -> list[str]:
        if len(columns) == 1:
            return list(columns[0])
        return list(map(self._whole, zip(*columns, strict=True))) if columns else [""] * rows

    def _whole(self, texts: tuple[str, ...]) -> str:
        joined = self._joined.get(texts)
        if joined is None:
            joined = descriptors.join_texts(texts)
            if len(joined) <= descriptors.LONGEST_REMEMBERED:
                self._joined[texts] = joined
        return joined

    def _forget_when_full(self) -> None:
        for memory in (self._folded, self._texts, self._parties, self._types, self._labelled):
            memory.forget_when_full()
        if len(self._joined) > descriptors.MOST_REMEMBERED:
            self._joined.clear()


class _Remembered(dict[str, str]):
    """Remembers what was made of each short text."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> str:
        value = self._make(text)
        if len(text) <= descriptors.LONGEST_REMEMBERED:
            self[text] = value
        return value

    def forget_when_full(self) -> None:
        """Forget everything once there is too much of it."""
        if len(self) > descriptors.MOST_REMEMBERED:
            self.clear()


def _party_in_cell(cell: str) -> str:
    name = fold(cell)
    return name if names_party(name) else ""


def _type_in_cell(cell: str) -> str:
    """How a row was booked, nothing where that only says which way money went."""
    kind = fold(cell)
    return "" if mark_of(kind) else kind


def category_codes(cells: Sequence[str]) -> Sequence[str | None]:
    """The codes of rows by the bank's own categories; none where no row has one."""
    codes = {cell: category_code(fold(cell)) for cell in set(cells)}
    return [codes[cell] for cell in cells] if any(codes.values()) else ()
