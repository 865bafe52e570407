"""What a careful person can know from a file, subject by subject, before anybody reads it.

A reading by someone who knows the layout is proof that what is printed is the truth.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Literal

from tests.statements.layouts.layout import Layout, Truth, exponent
from tests.statements.layouts.printing import SYMBOLS, YEAR_FIRST, own_words, shared_months
from tests.statements.layouts.writing import Written

_OF_ONE_COUNTRY = frozenset(["PLN", "CZK"])

Label = Literal["provable", "either", "open"]
Subject = Literal["day order", "direction", "amount column", "decimal sign", "currency"]

LEAST_STEPS = 3
"""How many steps a running balance must explain to prove anything."""
_GROUP = 3
_CENTS = 2
_NEVER_CENTS = {"HUF"}
_OTHER_NUMBERS = {"fee", "foreign", "rate"}
_ANY_DAY = date(2024, 1, 1)
_ORDERED_DAYS = 4
"""So many different days run in order by chance in few wrong readings; two or three often do."""


@dataclass(frozen=True)
class Labels:
    """What each subject of one file is."""

    of: dict[Subject, Label]

    @property
    def is_provable(self) -> bool:
        """Say whether the file leaves nothing to ask for."""
        return set(self.of.values()) == {"provable"}


def label(truth: Truth, layout: Layout, written: Written) -> Labels:
    """Label all subjects of a file."""
    currency = label_currency(truth, layout, written)
    return Labels(
        {
            "day order": label_day_order(truth.currency, layout, written),
            "direction": label_direction(truth, layout, written),
            "amount column": label_amount_column(layout, written),
            "decimal sign": label_decimal_sign(truth, layout, written, currency),
            "currency": currency,
        }
    )


def label_day_order(currency: str, layout: Layout, written: Written) -> Label:
    """A year of four digits in front, a month's name or a day above 12 shows the order.

    So do days that run in order in one reading only, if there are four; three or two may run so by
    chance. A file that prints points, a decimal comma or words of another language than English does
    not put the month first; a reader may know that or ask. A year of two digits in front is for most
    people no year: whoever takes it for one must be right, who asks is right. A name that two languages
    give to different months shows neither where the file holds no other word; a column of zloty or
    koruna tells the country, and so the month, to who knows that.
    """
    if not layout.dates.is_plain:
        return _label_month(currency, layout, written)
    if layout.dates.order == "ymd":
        return "either"
    days = [*written.days, *filter(None, written.value_days)]
    if any(day.day > 12 for day in days) or all(day.day == day.month for day in written.days):
        return "provable"
    turned = [(day.year, day.day, day.month) for day in written.days]
    if not any(_runs(each) for each in (turned, turned[::-1])):
        return "provable" if len(set(written.days)) >= _ORDERED_DAYS else "either"
    is_foreign = layout.language.code != "en" and _speaks(layout)
    shows_comma = layout.numbers.decimal == "," or layout.numbers.group == "."
    if "." in layout.dates.pattern or shows_comma or is_foreign or "period" in layout.preamble:
        return "either"
    # Two digits of a year can be read as a day as well.
    return "either" if "{yy}" in layout.dates.pattern and _is_year_day(written) else "open"


def _label_month(currency: str, layout: Layout, written: Written) -> Label:
    if not _is_of_two_months(layout, written):
        return "provable"
    return "either" if layout.unit == "column" and currency in _OF_ONE_COUNTRY else "open"


def label_direction(truth: Truth, layout: Layout, written: Written) -> Label:
    """Both signs where they should be, named columns, known marks or a running balance show it.

    Signs are where they should be when more rows have a minus than not, since more is spent than
    received on most accounts; with more plus than minus, a card that prints payments with a minus looks
    alike, and nothing shows it. CR and DR, a column of the words for in and out, and the names of two
    columns say what they mean. A card that marks its payments alone shows with these what the others
    are; so does a payment's thank-you, where its sign differs too. A running balance shows it unless all
    rows are of one day, so that nobody knows which came first.

    Either: all rows have a minus; as many have one as have none; words alone, without any sign; single
    letters or one mark alone below no name; a balance that contradicts what the signs say, that its
    name calls a debt, or that stands before its row or beside a few rows only; one that alone must show
    the way of each row, which leaves the first row without any; one that moves as printed signs do, in
    fewer steps than prove it.
    """
    printed = _printed_direction(truth, layout)
    if _is_contradicted(truth, layout, written):
        return "either" if printed == "provable" else printed
    if layout.balance == "owed":
        return "either" if printed == "provable" or balance_proves(written) else printed
    if printed == "provable":
        return printed
    if not balance_proves(written):
        is_signed = layout.signs == "signed" or layout.marked_and_signed
        return "either" if is_signed and _has_steps(layout, written) else printed
    is_odd = layout.balance == "before" or layout.gaps or len(set(written.days)) == 1
    prints_payments = layout.signs in {"inverse", "payment_plus", "payment_cr"} and any(
        row.amount > 0 for row in truth.rows
    )
    prints_spending = layout.signs == "signed" and any(row.amount < 0 for row in truth.rows)
    prints_plus = layout.signs == "suffix" or (layout.signs == "signed" and layout.plus)
    is_by_itself = not (prints_payments or prints_spending or prints_plus)
    if layout.signs == "two_columns":
        is_by_itself = layout.header != "named" and len({r.amount > 0 for r in truth.rows}) == 1
    return "either" if is_odd or is_by_itself else "provable"


def label_amount_column(layout: Layout, written: Written) -> Label:
    """A header's name, a single column of money, or the steps of a running balance show it.

    Without names, two columns filled in turns are amounts too. Either: such columns beside a balance
    that proves nothing or other money, as long as no third column takes turns with one of them, or when
    one of them is never filled; steps that show it only in part; whole numbers, rates and ids, which a
    person takes for what they are by their look; other money that is missing in some row, as no amount
    is, that is zero throughout, or that never has a minus where amounts of three rows do.
    """
    if layout.header == "named":
        return "provable"
    found = _amount_column_without_names(layout, written)
    return "either" if found == "open" and _amounts_stand_out(layout, written) else found


def _amount_column_without_names(layout: Layout, written: Written) -> Label:
    has_other_money = bool({"foreign", "price", "fee"} & set(layout.columns))
    has_other_numbers = bool({"quantity", "rate", "reference"} & set(layout.columns))
    is_in_turns = layout.signs == "two_columns"
    if layout.has("balance"):
        if not balance_proves(written) or layout.contradicted is not None:
            return "either" if is_in_turns and not has_other_money else "open"
        is_plain = not (layout.gaps or has_other_money or has_other_numbers)
        return "provable" if is_plain and len(set(written.days)) > 1 else "either"
    if has_other_money:
        return "open"
    is_half_blank = is_in_turns and len({row.amount > 0 for row in written.rows}) == 1
    return "either" if has_other_numbers or is_half_blank else "provable"


def _amounts_stand_out(layout: Layout, written: Written) -> bool:
    """Say whether no other column of money looks like one of amounts."""
    columns = dict(zip(layout.columns, zip(*written.lines, strict=True), strict=True))
    amounts = [name for name in ("amount", "debit", "credit") if name in columns]
    others = [name for name in ("balance", "foreign", "price", "fee") if name in columns]
    filled = {name: list(map(_has_money, columns[name])) for name in (*amounts, *others)}
    if all(any(filled[name]) for name in amounts) and len(amounts) > 1:
        turned = [[not each for each in filled[name]] for name in amounts]
        rivals = [name for name in others if filled[name] in turned]
    else:
        rivals = [name for name in others if all(columns[name]) and any(filled[name])]
    signed = {
        name
        for name in (*amounts, *rivals)
        if any(set(cell) & set("-−(") for cell in columns[name])
    }
    is_signed = (
        bool(signed & set(amounts))
        and not signed - set(amounts)
        and len(written.lines) >= LEAST_STEPS
    )
    return not rivals or is_signed


def _has_money(cell: str) -> bool:
    return any(digit in cell for digit in "123456789")


def label_decimal_sign(truth: Truth, layout: Layout, written: Written, currency: Label) -> Label:
    """Two different signs in a number, or other than three digits behind its one, show the decimal sign.

    So does a currency of three decimals, or of none in use. Either: the currency is itself not sure,
    since whoever asks for it knows the sign by the answer; a balance may follow in one reading
    alone, or a number beside the amounts show its sign. Else it is open, since programs print three
    decimals of dollars, too.
    """
    signs = {layout.numbers.decimal, layout.numbers.group} - {""}
    if any(_shows_decimal_sign(number, signs) for number in written.money):
        return "provable"
    if not any(sign in number for number in written.money for sign in signs & {".", ","}):
        return "provable"
    if currency != "provable":
        return "either"
    if exponent(truth.currency) != _CENTS or truth.currency in _NEVER_CENTS:
        return "provable"
    return "either" if balance_proves(written) or _OTHER_NUMBERS & set(layout.columns) else "open"


def label_currency(truth: Truth, layout: Layout, written: Written) -> Label:
    """A code or an own symbol in a column, a header, the cells or above, or an own IBAN names it.

    So does a language of one country, by two words that no other language has. Either: fewer words,
    or a language of nearly one country, which one country's way to speak a language is by a word that is
    its own, or beside a sign that no other country of the language has; German and Italian beside a
    decimal comma, which no Swiss prints; dollars beside dates with the month first; the file's name.
    """
    if layout.unit in {"column", "cell code", "preamble", "iban", "account"}:
        return "provable"
    if layout.unit == "header" and layout.header == "named":
        return "provable"
    symbol = SYMBOLS.get(truth.currency) if layout.unit == "cell symbol" else None
    if symbol is not None and list(SYMBOLS.values()).count(symbol) == 1:
        return "provable"
    if layout.unit == "file name":
        return "either"
    is_american = layout.unit == "cell symbol" and layout.dates.order == "mdy"
    if is_american and truth.currency == "USD":
        return "either"
    return _label_spoken_currency(truth, layout, written)


def _label_spoken_currency(truth: Truth, layout: Layout, written: Written) -> Label:
    """What the language says."""
    if layout.unit == "nowhere" and layout.language.code in {"de", "it"} and _speaks(layout):
        return "either" if layout.numbers.decimal == "," else "open"
    own = layout.language.currency == truth.currency
    if not own or not _speaks(layout):
        return "open"
    words = own_words(layout.language, written.header) if layout.header == "named" else 0
    if "-" in layout.language.code and not words and layout.unit != "cell symbol":
        return "open"
    return "provable" if words > 1 and layout.language.is_certain else "either"


def balance_proves(written: Written) -> bool:
    """Say whether a running balance explains nearly all of three steps or more.

    Between two balances stands every booked row that has none of its own.
    """
    stated = [balance for balance in written.balances if balance is not None]
    return len(stated) > LEAST_STEPS


def _has_steps(layout: Layout, written: Written) -> bool:
    stated = [balance for balance in written.balances if balance is not None]
    return layout.balance == "after" and len(stated) > 1


def _is_contradicted(truth: Truth, layout: Layout, written: Written) -> bool:
    """Say whether a balance that is off stands below one that is not."""
    if layout.contradicted is None:
        return False
    booked = [place for place, row in enumerate(truth.rows) if row.state == "booked"]
    stated = [
        place
        for place, balance in zip(booked, written.balances, strict=True)
        if balance is not None
    ]
    return bool(stated) and stated[0] < layout.contradicted <= stated[-1]


def _printed_direction(truth: Truth, layout: Layout) -> Label:
    """What names, signs and marks show without a balance, on all rows that were not declined."""
    counted = [row for row in truth.rows if row.state != "declined"]
    inward = sum(row.amount > 0 for row in counted)
    outward = len(counted) - inward
    match layout.signs:
        case "two_columns":
            return _two_columns(layout, is_mixed=bool(inward and outward))
        case "mark":
            return _mark_direction(layout, inward, outward)
        case "payment_plus" | "payment_cr":
            # A declined row shows as well as any other that payments are marked.
            is_marked = any(row.amount > 0 for row in truth.rows)
            return "provable" if is_marked and outward else "open"
        case "signed":
            return _signed_direction(inward, outward, plus=layout.plus)
        case "inverse" | "unsigned":
            thanked: Label = "provable" if layout.signs == "inverse" else "either"
            return thanked if inward and layout.thanks else "open"
        case "suffix":
            return "provable"


def _two_columns(layout: Layout, *, is_mixed: bool) -> Label:
    if layout.header == "named":
        return "provable"
    if not layout.debit_minus:
        return "open"
    return "provable" if is_mixed and layout.fill != "dash" else "either"


def _signed_direction(inward: int, outward: int, *, plus: bool) -> Label:
    if not inward:
        return "either"
    if outward > inward:
        return "provable"
    return "either" if plus or outward == inward else "open"


def _mark_direction(layout: Layout, inward: int, outward: int) -> Label:
    if layout.marked_and_signed and outward:
        return "provable" if outward > inward > 0 else "either"
    if not layout.marks_are_known:
        return "either" if layout.marks == ("O", "I") or layout.mark_is_named else "open"
    are_words = min(map(len, layout.marks)) > 1
    if layout.mark_is_named:
        return "provable" if inward and outward else "either"
    return "provable" if are_words and inward and outward else "either"


def _shows_decimal_sign(number: str, signs: set[str]) -> bool:
    found = [character for character in number if character in signs]
    if len(set(found)) > 1:
        return True
    if not found:
        return False
    # Spaces and apostrophes part groups and never decimals.
    return found[0] in ".," and len(number) - 1 - number.rindex(found[0]) != _GROUP


def _runs(days: list[tuple[int, int, int]]) -> bool:
    return all(earlier <= later for earlier, later in pairwise(days))


def _speaks(layout: Layout) -> bool:
    """Say whether anything is printed in the layout's language."""
    has_words = any(letter.isalpha() for letter in layout.dates.printed(_ANY_DAY, layout.language))
    in_cells = (
        layout.signs == "mark" or layout.thanks or (has_words and "T" not in layout.dates.pattern)
    )
    above = {"title", "opening"} & set(layout.preamble) or layout.unit in {"preamble", "file name"}
    return layout.header == "named" or in_cells or bool(above) or "total" in layout.footer


def _is_of_two_months(layout: Layout, written: Written) -> bool:
    """Say whether every month has a name that is another month's elsewhere, and no word tells where."""
    if "{mon" not in layout.dates.pattern:
        return False
    names = {layout.language.months[day.month - 1] for day in written.days}
    plain = replace(layout, dates=YEAR_FIRST[0])
    return names <= shared_months() and not _speaks(plain)


def _is_year_day(written: Written) -> bool:
    return all(day.year % 100 <= 31 for day in written.days)


_NOT_DIGITS = re.compile(r"\D")


def known_amount(cells: tuple[str, ...], layout: Layout, currency: str) -> int | None:
    """The amount that a row prints, None where the layout prints no direction."""
    columns = dict(zip(layout.columns, cells, strict=True))
    if layout.signs == "two_columns":
        spent, received = (_size(columns[name], layout, currency) for name in ("debit", "credit"))
        return received - spent
    cell = columns["amount"]
    size = _size(cell, layout, currency)
    has_minus = any(sign in cell for sign in "-−(")
    is_inward = {
        "signed": not has_minus,
        "inverse": has_minus,
        "suffix": cell.endswith(layout.marks[1]),
        "payment_plus": "+" in cell,
        "payment_cr": cell.endswith("CR"),
        "mark": columns.get("mark") == layout.marks[1],
    }
    if layout.signs not in is_inward:
        return None
    return size if is_inward[layout.signs] else -size


def known_balance(cells: tuple[str, ...], layout: Layout, currency: str) -> int | None:
    """The balance that a row prints, None where the cell is blank."""
    cell = cells[layout.columns.index("balance")]
    if not cell:
        return None
    size = _size(cell, layout, currency)
    return -size if any(sign in cell for sign in "-−(") else size


def known_day(cell: str, layout: Layout) -> int:
    """The day of a cell whose date is made of digits, as YYYYMMDD."""
    names = {"{dd}": "%d", "{d}": "%d", "{mm}": "%m", "{m}": "%m", "{yyyy}": "%Y", "{yy}": "%y"}
    pattern = layout.dates.pattern
    for name, code in names.items():
        pattern = pattern.replace(name, code)
    return int(datetime.strptime(cell, pattern).strftime("%Y%m%d"))  # noqa: DTZ007


def table_of(written: Written, layout: Layout) -> list[list[str]]:
    """The cells of a file's text, apart from quotes."""
    text = written.content.decode(written.charset)
    lines = text.split(layout.newline)
    return [[cell.strip('"') for cell in line.split(layout.delimiter)] for line in lines]


def _size(cell: str, layout: Layout, currency: str) -> int:
    """A printed number without its sign, in minor units."""
    decimals = exponent(currency)
    whole, _, fraction = cell.partition(layout.numbers.decimal) if decimals else (cell, "", "")
    digits = _NOT_DIGITS.sub("", fraction).ljust(decimals, "0")
    return int(_NOT_DIGITS.sub("", whole) + digits or "0")
