"""Which way money goes where the file does not tell it: the person's word, or the question for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from finplan.statements.statement import AmbiguousStatement, Choice, Question
from finplan.statements.table.columns import Columns
from finplan.statements.table.signs import Orientation, SignConvention, mark_of
from finplan.statements.text.descriptors import quoted
from finplan.statements.unneeded_answers import unneeded

Rows = Sequence[Sequence[str]]

_MARKS = "marks:"
_LONGEST_MARK = 20
_MOST_MARK_COLUMNS = 2
_DIGITS = frozenset("123456789")


def with_marks(columns: Columns, rows: Rows, said: str | None) -> Columns:
    """Take the column in which the person's mark stands as the one that says which way money goes."""
    mark = _mark_of(said)
    if mark is None or columns.amount is None or columns.mark is not None:
        return columns
    for place, values in possible_marks(columns, rows):
        if mark.casefold() in map(str.casefold, values):
            return replace(columns, mark=place, outward_mark=mark.casefold())
    return columns


def is_told(orientation: Orientation, columns: Columns) -> bool:
    """Say whether the file itself says which way money goes; a single column of debits does."""
    return orientation.is_told or (
        columns.amount is None and None in (columns.debit, columns.credit)
    )


def direction_unneeded(orientation: Orientation, columns: Columns, said: str) -> str:
    """The sentence that what the person `said` decided nothing, and what did."""
    convention = orientation.convention
    if orientation.is_proven:
        why = "a running balance proves which way money goes"
    elif convention.marked:
        why = "the file marks each row as money in or money out"
    elif columns.amount is None and None in (columns.debit, columns.credit):
        only = "money in" if columns.debit is None else "money out"
        why = f"the file has a column for {only} alone"
    elif columns.amount is None:
        why = "the file has columns of their own for money in and money out"
    else:
        why = "the signs and the words of the file tell which way money goes"
    mark = _mark_of(said)
    if mark is not None:
        is_followed = convention.marked and mark_of(mark) < 0
    elif columns.debit is not None and columns.credit is not None:
        is_followed = _as_said(orientation, columns, said).convention.debit == convention.debit
    elif columns.amount is None:
        is_followed = _sign_said(said) == (1 if columns.debit is None else -1)
    else:
        is_followed = not convention.marked and convention.credit == _sign_said(said)
    return unneeded("direction", said, why, is_followed=is_followed)


def decide(
    orientation: Orientation, columns: Columns, header: Sequence[str], rows: Rows, said: str | None
) -> Orientation:
    """What the file tells, else what the person said. Raises AmbiguousStatement where neither does."""
    if is_told(orientation, columns):
        return orientation
    if said in ("in", "out", "negate"):
        return _as_said(orientation, columns, said)
    raise AmbiguousStatement(_question(columns, header, rows))


def possible_marks(columns: Columns, rows: Rows) -> list[tuple[int, list[str]]]:
    """The columns that two short words divide the rows by, and that mean nothing else."""
    taken = {*columns.money, columns.date, columns.other_date, columns.balance, columns.currency}
    taken |= {columns.account, columns.account_name, columns.status, columns.fee, columns.id}
    found = []
    for place, cells in enumerate(zip(*rows, strict=True)):
        values = list(dict.fromkeys(cell.strip() for cell in cells))
        is_short = all(0 < len(value) <= _LONGEST_MARK for value in values)
        if place not in taken and len(values) == 2 and is_short and len(rows) > 2:
            found.append((place, values))
    return found


def _mark_of(said: str | None) -> str | None:
    return said.removeprefix(_MARKS) if said is not None and said.startswith(_MARKS) else None


def _sign_said(said: str) -> int:
    return 1 if said == "in" else -1


def _as_said(orientation: Orientation, columns: Columns, said: str) -> Orientation:
    sign = _sign_said(said)
    if columns.debit is not None and columns.credit is not None:
        debit = -1 if (sign < 0) == (columns.debit < columns.credit) else 1
        convention = orientation.convention
        if convention.debit != debit:
            convention = SignConvention(-debit, debit)
        return replace(orientation, convention=convention, is_told=True)
    convention = replace(orientation.convention, credit=sign)
    return replace(orientation, convention=convention, balance_sign=sign, is_told=True)


def _question(columns: Columns, header: Sequence[str], rows: Rows) -> Question:
    if columns.amount is None:
        assert columns.debit is not None
        assert columns.credit is not None
        places = sorted((columns.debit, columns.credit))
        first, second = (_example(columns, rows, each) for each in places)
        return Question(
            "direction",
            "Nothing says which of the two columns of amounts is money going out.",
            (
                Choice("out", "the first one is money out", f"{first} out; {second} in"),
                Choice("in", "the second one is money out", f"{first} in; {second} out"),
            ),
        )
    plain = _example(columns, rows, columns.amount, minus=False)
    signed = _example(columns, rows, columns.amount, minus=True)
    if not plain:
        plain, signed = signed, ""
    without = "an amount without a minus" if signed else "amounts"
    verbs = ("was spent", "came in") if signed else ("were spent", "came in")
    samples = [
        "; ".join([f"{plain} {way}", *([f"{signed} {other}"] if signed else [])])
        for way, other in (("out", "in"), ("in", "out"))
    ]
    return Question(
        "direction",
        "Nothing says whether the amounts are money going out or money coming in.",
        (
            Choice("out", f"{without} {verbs[0]}", samples[0]),
            Choice("in", f"{without} {verbs[1]}", samples[1]),
            *([] if signed else _by_marks(columns, header, rows)),
        ),
    )


def _by_marks(columns: Columns, header: Sequence[str], rows: Rows) -> Iterator[Choice]:
    """Ask whether a column that two words divide the rows by says it, and which of them means out."""
    assert columns.amount is not None
    for place, values in possible_marks(columns, rows)[:_MOST_MARK_COLUMNS]:
        named = header[place].strip() if place < len(header) else ""
        where = f"in {quoted(named)}" if named else f"in column {place + 1}"
        for out, in_ in (values, values[::-1]):
            examples = [
                _example(
                    columns, [row for row in rows if row[place].strip() == value], columns.amount
                )
                for value in (out, in_)
            ]
            yield Choice(
                _MARKS + out,
                f"{quoted(out)} {where} means money out, {quoted(in_)} money in",
                f"{examples[0]} out; {examples[1]} in",
            )


def _example(columns: Columns, rows: Rows, place: int, *, minus: bool | None = None) -> str:
    """A row as a person knows it: its amount as it is printed, and what it was for."""
    for row in rows:
        printed = row[place].strip()
        is_signed = any(sign in printed for sign in "-−–(")
        if _DIGITS.isdisjoint(printed) or minus not in (None, is_signed):
            continue
        text = " ".join(row[each].strip() for each in columns.descriptions if row[each].strip())
        return f"{printed} {quoted(text, 30)}" if text else printed
    return ""
