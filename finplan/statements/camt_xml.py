"""CAMT as XML: a tree that is taken apart while it grows, so that it never holds a whole file."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from finplan.statements.statement import UnreadableStatement

STATEMENTS = frozenset(["Stmt", "Rpt", "Ntfctn"])
"""A statement of 053, a report of 052 and a notification of 054."""

_ENTRY = "Ntry"
_DETAILS = "NtryDtls"
_DETAIL = "TxDtls"
_FOLLOWED = STATEMENTS | {_ENTRY, _DETAILS, _DETAIL}
_DETAILS_KEPT = 3
_LONGEST_PIECE = 1 << 21
_BITE = 1 << 14
"""Characters parsed at once. Elements of so few are gone before Python's garbage collector has looked
at them twice; those that live on would make it look at all of a daemon's memory again and again."""

_DECLARATIONS = ("<!DOCTYPE", "<!ENTITY")


def elements(blocks: Iterator[str]) -> Iterator[list[Element]]:
    """Yield, bit by bit, the statements that have begun and the entries that have ended.

    Elements bear their names without the namespace. A statement comes before its entries, which are
    taken out of it, and is whole when the next one comes, or at the end. Of the transactions that an
    entry sums up, the first few are left in it. Raises UnreadableStatement for what is no XML, for a
    document type, since only with one can a file have entities of its own, and for a piece that
    never ends.
    """
    tree = _Tree()
    beginning = ""
    length = 0
    for block in blocks:
        if any(declaration in beginning + block for declaration in _DECLARATIONS):
            raise UnreadableStatement(
                "This XML declares its own entities, which bank files never do. Download the"
                " statement again."
            )
        beginning = block[-len(_DECLARATIONS[0]) :]
        for start in range(0, len(block), _BITE):
            bite = block[start : start + _BITE]
            length = 0 if tree.feed(bite) else length + len(bite)
            if length > _LONGEST_PIECE:
                raise UnreadableStatement(
                    "An entry in the file never ends. Download the file again."
                )
            yield tree.take()
    tree.close()
    yield tree.take()


class _LocalNames(dict[str, str]):
    """The name of each tag without its namespace."""

    def __missing__(self, tag: str) -> str:
        name = self[tag] = tag.rpartition("}")[2]
        return name


class _Tree:
    """A tree that is being built; an element in it is whole when the next of its sort begins."""

    def __init__(self) -> None:
        self._names = _LocalNames()
        self._begun: list[Element] = []
        self._whole: list[Element] = []
        self._statement: Element | None = None
        self._entry: Element | None = None
        self._details: Element | None = None
        self._detail: Element | None = None
        self._seen_details = 0
        self._entry_place = self._detail_place = 0
        # Making elements is the one place where all of them pass by without an event for each,
        # which would take twice as long. `elements` refuses the declarations that make XML dangerous.
        builder = TreeBuilder(element_factory=self._make)
        self._parser = XMLParser(target=builder)  # noqa: S314

    def feed(self, text: str) -> bool:
        """Take in more text; say whether anything that is followed has begun in it."""
        try:
            self._parser.feed(text)
        except ParseError as error:
            raise _no_xml(error) from error
        has_begun = bool(self._begun)
        for element in self._begun:
            self._follow(element)
        self._begun.clear()
        return has_begun

    def close(self) -> None:
        """End the text."""
        try:
            self._parser.close()
        except ParseError as error:
            raise UnreadableStatement(
                "The file is cut off in the middle. Download the file again."
            ) from error
        self._end_entry()

    def take(self) -> list[Element]:
        """Hand over the statements that have begun and the entries that have ended since."""
        complete, self._whole = self._whole, []
        return complete

    def _make(self, tag: str, attributes: dict[str, str]) -> Element:
        name = self._names[tag]
        element = Element(name, attributes)
        if name in _FOLLOWED:
            self._begun.append(element)
        return element

    def _follow(self, element: Element) -> None:
        if element.tag == _DETAIL:
            self._end_detail()
            self._detail = element
            return
        self._end_detail()
        if element.tag == _DETAILS:
            self._details, self._detail_place = element, 0
            return
        self._end_entry()
        if element.tag == _ENTRY:
            self._entry = element
        else:
            self._statement, self._entry_place = element, 0
            self._whole.append(element)

    def _end_detail(self) -> None:
        """Drop a transaction that ends, when its entry has shown some already."""
        if self._detail is None:
            return
        self._seen_details += 1
        if self._seen_details > _DETAILS_KEPT and self._details is not None:
            self._detail_place = _take_out(self._detail, self._details, self._detail_place)
        self._detail = None

    def _end_entry(self) -> None:
        if self._entry is None:
            return
        if self._statement is None:
            raise UnreadableStatement(
                "An entry in the file does not belong to an account. Download the file again."
            )
        self._entry_place = _take_out(self._entry, self._statement, self._entry_place)
        self._whole.append(self._entry)
        self._entry = self._details = None
        self._seen_details = 0


def _take_out(element: Element, parent: Element, start: int) -> int:
    """Take an element out of its parent, at or behind a place; answers at which one it stood.

    Whoever looks for the next one from there passes over what stays but once.
    """
    for at in range(start, len(parent)):
        if parent[at] is element:
            del parent[at]
            return at
    raise UnreadableStatement(
        f"The element {element.tag} is in the wrong place, so the file is damaged. Download it"
        " again."
    )


def _no_xml(error: ParseError) -> UnreadableStatement:
    line, column = error.position
    return UnreadableStatement(
        f"The file has invalid XML at line {line}, column {column + 1}. Download the file again."
    )
