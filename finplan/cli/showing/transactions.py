"""Transactions as lines: the day, the payee, what it is for, the amount, and the person's own word."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.layout import Cell, page, printable, row, wrapped
from finplan.model import figures
from finplan.model.transaction import FoundTotal, Transaction, remark_texts, remarks_of

_DAY, _AMOUNT, _PENDING = 10, 14, 7
"""How many columns a day, an amount and the word "pending" have."""

_TITLE = 24
"""How many columns the title of a category takes beside a reason, unless there is room for more."""

_BESIDE_NAMES = _DAY + _AMOUNT + _PENDING + 4
"""How many columns stand beside payee and category, with the spaces between them."""

_LEAST = 8
"""How many columns a text keeps, however narrow the page is."""

_INDENT = _DAY + 2
"""Where the payees stand, and below them what the person said of a row."""

NOTHING = Text("No transactions.", style="dim")


def draw_transactions(
    transactions: Sequence[Transaction], labels: Mapping[str, str], width: int
) -> RenderableType:
    """List the rows as they come; what is pending is dim. `labels` are those of the categories.

    Under a row stand its parts and what the person noted.
    """
    if not transactions:
        return NOTHING
    rows = [
        ("day", "payee", "category", "amount", "", "id"),
        *(_cells(each, labels) for each in transactions),
    ]
    widths = _widths(rows, width, _parts_width(transactions, labels))
    lines = [_line(_HEAD_STYLES, rows[0], widths)]
    for each, cells in zip(transactions, rows[1:], strict=True):
        lines.append(_line(_styles(each), cells, widths))
        lines += _said_below(each, labels, widths, width)
    return page(lines)


_HEAD_STYLES = ("dim",) * 6


def _cells(transaction: Transaction, labels: Mapping[str, str]) -> tuple[str, ...]:
    return (
        transaction.date.isoformat(),
        printable(transaction.payee),
        _filed(transaction, labels),
        _signed(transaction.amount, transaction.currency),
        "pending" if transaction.pending else "",
        transaction.id,
    )


def _styles(transaction: Transaction) -> tuple[str, ...]:
    style = "dim" if transaction.pending else ""
    amount = style or ("green" if transaction.amount > 0 else "")
    return (style, style, "dim", amount, "dim", "dim")


def _widths(rows: Sequence[Sequence[str]], width: int, parts: int = 0) -> list[int]:
    """How wide each column is: as its longest cell, but payees and categories give way to fit.

    Below payee and category there is room for names of `parts` columns, which begin two further right.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    widths[2] = max(widths[2], parts - widths[1])
    gaps = 2 * (sum(map(bool, widths)) - 1)
    excess = sum(widths) + gaps - width
    while excess > 0 and max(widths[1:3]) > _LEAST:
        wider = 1 if widths[1] >= widths[2] else 2
        widths[wider] -= 1
        excess -= 1
    return widths


def _line(styles: Sequence[str], cells: Sequence[str], widths: Sequence[int]) -> Text:
    drawn: list[Cell] = [
        (Text(cell, style=style), -width if place == _AMOUNTS else width)
        for place, (cell, style, width) in enumerate(zip(cells, styles, widths, strict=True))
        if width
    ]
    spaced = [each for cell in drawn for each in (("", 0), cell)]
    return row(*spaced[1:])


def _parts_width(transactions: Sequence[Transaction], labels: Mapping[str, str]) -> int:
    """How long what a part is for is at most, 0 without parts."""
    named = (part.category for each in transactions for part in each.splits or ())
    return max((cell_len(printable(labels.get(each, each))) for each in named), default=0)


_AMOUNTS = 3
"""The column of the amounts, which stand to the right."""


def _said_below(
    transaction: Transaction, labels: Mapping[str, str], widths: Sequence[int], width: int
) -> Iterator[Text]:
    """The parts of a row, each amount below the row's own, and the note on it; all of them whole."""
    end = _INDENT + widths[1] + widths[2] + widths[_AMOUNTS] + 4
    yield from _parts(transaction, labels, _INDENT + 2, (end, widths[_AMOUNTS]), width)
    yield from _remarked(transaction, _INDENT + 2, width)


def _parts(
    transaction: Transaction,
    labels: Mapping[str, str],
    indent: int,
    ends: tuple[int, int],
    width: int,
) -> Iterator[Text]:
    """The parts of a row and their notes; `ends` is where amounts end, and how wide they are.

    What a part is for takes further lines rather than be cut off, with the amount on the last of them.
    """
    end, figures_width = ends
    for part in transaction.splits or ():
        amount = _signed(part.amount, transaction.currency)
        # Of a single part the amount may be longer than that of its row.
        figures_width = max(figures_width, len(amount))
        start = end - figures_width - 1
        label = printable(labels.get(part.category, part.category))
        *above, last = wrapped(label, start, indent=indent, style="dim") or [Text(" " * indent)]
        yield from above
        yield row((last, start), (Text(amount, style="dim"), -figures_width))
        if part.note is not None:
            yield from _noted(part.note, indent + 2, width)


def _remarked(transaction: Transaction, indent: int, width: int) -> Iterator[Text]:
    for name, text in remark_texts(remarks_of(transaction)).items():
        if name == "note":
            yield from _noted(text, indent, width)
        else:
            yield from wrapped(text, width, indent=indent, style="italic")


def _noted(note: str, indent: int, width: int) -> Iterator[Text]:
    quoted = f"\N{LEFT DOUBLE QUOTATION MARK}{note}\N{RIGHT DOUBLE QUOTATION MARK}"
    yield from wrapped(quoted, width, indent=indent, style="italic")


def draw_reasons(
    transactions: Sequence[Transaction], labels: Mapping[str, str], width: int, room: int = 0
) -> RenderableType:
    """The rows as they come, and under each what the bank wrote and why it is in its category.

    Lines are `width` columns wide, and up to `room` where a name would be cut off otherwise.
    """
    if not transactions:
        return NOTHING
    return page(_reasons(transactions, labels, width, room))


def _reasons(
    transactions: Sequence[Transaction], labels: Mapping[str, str], width: int, room: int
) -> Iterator[Text]:
    cells = [_cells(each, labels) for each in transactions]
    payees, titles = (max(cell_len(each[place]) for each in cells) for place in (1, 2))
    width = max(width, min(room, _BESIDE_NAMES + payees + max(titles, _TITLE)))
    names = width - _BESIDE_NAMES
    titles = max(min(names // 2, _TITLE), min(titles, names - payees))
    for each in transactions:
        yield from _explained(each, labels, width, titles)


def draw_total(total: FoundTotal, shown: int) -> RenderableType:
    """How many rows were found, what the posted ones add up to, and how many of them are shown."""
    if total.sums:
        sums = " and ".join(_signed(each.amount, each.currency) for each in total.sums)
        said = f"{_counted(total.rows)}, {sums} in total"
        said += f" without {total.pending:,} pending" if total.pending else ""
    else:
        said = f"{_counted(total.rows)}, all pending"
    if shown < total.rows:
        said += f"; the newest {'is' if shown == 1 else f'{shown} are'} shown"
    return Text(f"{said}.", style="dim")


def _counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"


def draw_worded(
    before: Transaction,
    after: Transaction,
    labels: Mapping[str, str],
    width: int,
    room: int = 0,
    uncounted: str = "",
) -> RenderableType:
    """A row as it is now that the person has said something of it, and what that moved.

    `uncounted` says why no total holds the row, where none does.
    """
    told = _told(before, after, labels, uncounted)
    return page([*_reasons([after], labels, width, room), *wrapped(told, width)])


def _told(
    before: Transaction, after: Transaction, labels: Mapping[str, str], uncounted: str
) -> str:
    moved = _moved(before, after, labels)
    if moved and uncounted:
        return f"{moved} {uncounted}"
    if after.pending and moved:
        return f"{moved} It enters totals once it is posted."
    if moved:
        return moved
    if before.note != after.note:
        return "Noted." if after.note is not None else "The note is gone."
    return "No sum changes." if before != after else "Nothing changes."


def _moved(before: Transaction, after: Transaction, labels: Mapping[str, str]) -> str:
    """Which sums a word moved between categories, in a sentence; empty where it moved none."""
    change = Counter(_sums(after))
    change.subtract(_sums(before))
    sign = 1 if after.amount > 0 else -1
    less = {each: -sign * sum_ for each, sum_ in change.items() if sign * sum_ < 0}
    more = {each: sign * sum_ for each, sum_ in change.items() if sign * sum_ > 0}
    if not more:
        return ""
    total = figures.money(sum(more.values()), after.currency)
    sides = (_listed(side, labels, after.currency) for side in (less, more))
    return f"Moved {total} from {' to '.join(sides)}."


def _sums(transaction: Transaction) -> Counter[str]:
    """What of a row lies in each category."""
    sums: Counter[str] = Counter()
    for part in transaction.splits or ():
        sums[part.category] += part.amount
    return sums or Counter({transaction.category: transaction.amount})


def _listed(side: Mapping[str, int], labels: Mapping[str, str], currency: str) -> str:
    """Categories by name; of several each with its sum."""
    named = [(labels.get(each, each), figures.money(side[each], currency)) for each in side]
    if len(named) == 1:
        return named[0][0]
    *first, last = [f"{label} ({amount})" for label, amount in named]
    return f"{', '.join(first)} and {last}"


def _explained(
    transaction: Transaction, labels: Mapping[str, str], width: int, titles: int
) -> Iterator[Text]:
    day, payee, category, amount, pending, known_as = _cells(transaction, labels)
    styles = _styles(transaction)
    yield row(
        (Text(day, style=styles[0]), _DAY),
        (Text(payee, style=styles[1]), width - _BESIDE_NAMES - titles),
        (Text(category, style="dim"), titles),
        (Text(amount, style=styles[3]), -_AMOUNT),
        (pending, _PENDING),
    )
    reason = transaction.why
    # A guess that files nothing is not what the row is filed by.
    guessed = reason.confidence is not None and reason.rule_id is not None
    sure = f" ({figures.share(reason.confidence or 0)} sure)" if guessed else ""
    below = list(_parts(transaction, labels, _DAY + 2, (width - _PENDING - 1, _AMOUNT), width))
    for text in (transaction.raw, f"{reason.text}{sure}"):
        below += wrapped(printable(text), width, indent=_DAY + 1, style="dim")
    below += _remarked(transaction, _DAY + 1, width)
    if len(known_as) > _DAY or not below:
        below.insert(0, Text(" " * (_DAY + 1)))
    # The id stands in the margin, below the day.
    yield Text(known_as, style="dim") + below[0][len(known_as) :]
    yield from below[1:]


def _filed(transaction: Transaction, labels: Mapping[str, str]) -> str:
    """What a row is for: the title of its category, or how many parts it has."""
    if transaction.splits:
        return f"{len(transaction.splits)} parts"
    return printable(labels.get(transaction.category, transaction.category))


def _signed(amount: int, currency: str) -> str:
    written = figures.money(amount, currency)
    return f"+{written}" if amount > 0 else written
