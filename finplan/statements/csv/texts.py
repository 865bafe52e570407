"""The texts of a table's rows, their payees and the bank's categories, made column by column."""

from collections.abc import Callable, Sequence

from finplan.categorise.bank_categories import category_code
from finplan.statements.table.row_words import mark_of
from finplan.statements.table.table import Cells
from finplan.statements.table.texts import TextColumns, own_key, party_labelled, without_label
from finplan.statements.text.descriptors import (
    LONGEST_FILLER,
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    are_folded,
    fold,
    is_filler,
    joined,
    names_party,
)


class RowTexts:
    """Makes the descriptors and the payees of rows, remembering texts that come back.

    A text tells of the other party first, then what for, then the rest. Where nothing but a party
    stands, how the row was booked is told too.
    """

    def __init__(self, columns: TextColumns) -> None:
        self._columns = columns
        self._folded = _Remembered(fold)
        self._texts = _Remembered(self._text)
        self._parties = _Remembered(_party)
        self._types = _Remembered(_type)
        self._labelled = _Remembered(party_labelled)
        self._joined: dict[tuple[str, ...], str] = {}

    def of(
        self, cells: Cells, amounts: Sequence[int]
    ) -> tuple[Sequence[str], Sequence[str | None]]:
        """Give the texts of some rows and who was paid, None where no column says it."""
        columns = self._columns
        self._forget_when_full()
        parties = self._other_parties(cells, amounts)
        named = [] if columns.is_whole else parties
        described = [self._fold(cells[place]) for place in columns.descriptions]
        details = [self._look_up(self._texts, cells[place]) for place in columns.details]
        if len(described) > 1 or details or named:
            described = [self._without_fillers(column) for column in described]
        said = [*described, *details]
        if columns.type is not None:
            said += [self._types_beside(cells, columns.type, said)]
        raws = self._join([*named, *said], len(amounts))
        if "" in raws:
            places = [*columns.places, *([] if columns.type is None else [columns.type])]
            printed = self._join([self._fold(cells[place]) for place in places], len(amounts))
            raws = [raw or text for raw, text in zip(raws, printed, strict=True)]
        return raws, self._payees(parties, [*described, *details], len(amounts))

    def _without_fillers(self, column: list[str]) -> list[str]:
        """Blank the folded cells that say nothing beside others, which are few and short."""
        if self._columns.has_labels:
            return self._look_up(self._texts, column)
        fillers = {
            text
            for text in set(column)
            if (len(text) <= LONGEST_FILLER or not text[0].isalnum()) and is_filler(text)
        }
        fillers.discard("")
        return ["" if text in fillers else text for text in column] if fillers else column

    def asides(self, cells: Cells, raws: Sequence[str]) -> Sequence[str]:
        """Give what else the rows print, by which a row is known whatever its text was made of."""
        if not self._columns.asides:
            return ()
        columns = [self._fold(cells[place]) for place in self._columns.asides]
        printed = self._join(columns, len(raws))
        return printed if any(printed) else ()

    def _types_beside(self, cells: Cells, place: int, said: Sequence[Sequence[str]]) -> list[str]:
        """How each row was booked, where it is part of the text or nothing but a party stands."""
        types = self._look_up(self._types, cells[place])
        if self._columns.type_is_text or not said:
            return types
        return ["" if any(texts) else kind for kind, *texts in zip(types, *said, strict=True)]

    def _other_parties(self, cells: Cells, amounts: Sequence[int]) -> list[list[str]]:
        """The columns of parties, of which the person is none where another one stands beside.

        Of a payer and somebody paid it is the one that the money went to or came from.
        """
        columns = self._columns
        found = [self._look_up(self._parties, cells[place]) for place in columns.parties]
        if not columns.payers:
            return found
        paying = [place in columns.payers for place in columns.parties]
        for row, (amount, names) in enumerate(
            zip(amounts, list(zip(*found, strict=True)), strict=True)
        ):
            others = [bool(name) and own_key(name) not in columns.own for name in names]
            if not any(others):
                continue
            sides = {pays for pays, is_other in zip(paying, others, strict=True) if is_other}
            side = {amount > 0} if len(sides) > 1 else sides
            for column, pays, is_other in zip(found, paying, others, strict=True):
                if not is_other or pays not in side:
                    column[row] = ""
        return found

    def _payees(
        self, parties: Sequence[Sequence[str]], said: Sequence[Sequence[str]], rows: int
    ) -> Sequence[str | None]:
        columns = list(parties)
        if self._columns.has_labels:
            columns += [self._look_up(self._labelled, column) for column in said]
        if not columns:
            return [None] * rows
        if len(columns) == 1:
            names: Sequence[str | None] = [name or None for name in columns[0]]
        else:
            names = [next(filter(None, each), None) for each in zip(*columns, strict=True)]
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
        return cells if are_folded(cells) else list(map(self._folded.__getitem__, cells))

    def _look_up(self, memory: "_Remembered", cells: Sequence[str]) -> list[str]:
        return list(map(memory.__getitem__, cells))

    def _join(self, columns: Sequence[Sequence[str]], rows: int) -> list[str]:
        if len(columns) == 1:
            return list(columns[0])
        return list(map(self._whole, zip(*columns, strict=True))) if columns else [""] * rows

    def _whole(self, texts: tuple[str, ...]) -> str:
        whole = self._joined.get(texts)
        if whole is None:
            whole = joined(texts)
            if len(whole) <= LONGEST_REMEMBERED:
                self._joined[texts] = whole
        return whole

    def _forget_when_full(self) -> None:
        for memory in (self._folded, self._texts, self._parties, self._types, self._labelled):
            memory.forget_when_full()
        if len(self._joined) > MOST_REMEMBERED:
            self._joined.clear()


class _Remembered(dict[str, str]):
    """Remembers what was made of each short text."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> str:
        made = self._make(text)
        if len(text) <= LONGEST_REMEMBERED:
            self[text] = made
        return made

    def forget_when_full(self) -> None:
        """Forget everything once there is too much of it."""
        if len(self) > MOST_REMEMBERED:
            self.clear()


def _party(cell: str) -> str:
    name = fold(cell)
    return name if names_party(name) else ""


def _type(cell: str) -> str:
    """How a row was booked, nothing where that only says which way money went."""
    kind = fold(cell)
    return "" if mark_of(kind) else kind


def category_codes(cells: Sequence[str]) -> Sequence[str | None]:
    """The codes of rows by the bank's own categories; none where no row has one."""
    known = {cell: category_code(fold(cell)) for cell in set(cells)}
    return [known[cell] for cell in cells] if any(known.values()) else ()
