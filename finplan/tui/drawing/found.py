"""What was detected as lines of a table, and one of it whole with what yes and no do."""

from collections.abc import Mapping, Sequence
from datetime import date

from rich.text import Text
from textual.content import Content

from finplan.model import detection, figures
from finplan.model.characters import visible
from finplan.model.recurring import SURE, RecurringSeries
from finplan.model.transaction import Transaction
from finplan.tui.drawing.lines import (
    CAUTION,
    FAINT,
    KEY,
    STRONG,
    ColumnHead,
    TableLine,
    ends,
    page,
    room_beside,
    row,
    sentences,
    styled,
    wrapped,
)
from finplan.views.plan_words import moved

DAY, AMOUNT, OFTEN, WORD = 9, 13, 12, 10
"""How wide the columns are."""
ROOMY = 70
"""From so many columns on, a series says how often it comes."""

_WORDS = {"candidate": "open", "detected": ""}


def series_lines(
    series: Sequence[RecurringSeries], currency: str, width: int
) -> tuple[list[ColumnHead], list[TableLine]]:
    """Charges, then income, then what is over."""
    often = [ColumnHead("how often", OFTEN)] if width >= ROOMY else []
    room = room_beside(width, AMOUNT, *(each.width for each in often), DAY, WORD)
    heads = [ColumnHead("name", max(12, room)), ColumnHead("amount", AMOUNT, figures=True)]
    heads += [*often, ColumnHead("next", DAY), ColumnHead("", WORD)]
    lines = []
    for each in sorted(series, key=_standing_of):
        sign = 1 if each.kind == "charge" else -1
        cells: list[str | Text] = [each.name, moved(sign * each.amount, currency)]
        cells += [detection.often_said(each)] if often else []
        cells += ["over" if each.next_date is None else _day(each.next_date), _sure(each)]
        lines.append(_line(each, cells))
    return heads, lines


def transfer_lines(
    transfers: Sequence[detection.Transfer], names: Mapping[str, str], width: int
) -> tuple[list[ColumnHead], list[TableLine]]:
    """The pairs in doubt, then the others, the newest first."""
    amount = (
        AMOUNT * 2 if any(each.into.currency != each.currency for each in transfers) else AMOUNT
    )
    heads = [
        ColumnHead("day", DAY),
        ColumnHead("amount", amount, figures=True),
        ColumnHead("from → to", max(16, room_beside(width, DAY, amount, WORD))),
        ColumnHead("", WORD),
    ]
    return heads, [
        _line(
            each,
            [
                _day(each.out.date),
                detection.sent_said(each),
                detection.way_said(each, names),
                _word(each),
            ],
        )
        for each in sorted(transfers, key=_open_first)
    ]


def duplicate_lines(
    duplicates: Sequence[detection.Duplicate], width: int
) -> tuple[list[ColumnHead], list[TableLine]]:
    """What is open, then what was decided; an account by its name, a row by its text."""
    heads = [
        ColumnHead("day", DAY),
        ColumnHead("amount", AMOUNT, figures=True),
        ColumnHead("what", max(16, room_beside(width, DAY, AMOUNT, WORD))),
        ColumnHead("", WORD),
    ]
    lines = []
    for each in sorted(duplicates, key=_open_first):
        side = each.other
        day = "account" if side.date is None else _day(side.date)
        amount = "" if side.amount is None else moved(-side.amount, each.currency)
        text = f"{side.institution_name} {side.account_name}" if side.raw is None else side.raw
        lines.append(_line(each, [day, amount, text, _word(each)]))
    return heads, lines


def draw_finding(
    finding: detection.Detected,
    evidence: Sequence[Sequence[Transaction]] | None,
    names: Mapping[str, str],
    currency: str,
    width: int,
) -> Content:
    """The question, the rows that it is about (None while they are fetched), and what each key does."""
    holds = styled(detection.holds_of(finding), CAUTION if detection.is_open(finding) else FAINT)
    lines = [ends(styled(detection.asked_of(finding), STRONG), holds, width)]
    match finding:
        case RecurringSeries():
            lines += _series(finding, currency, width)
            if evidence is None:
                lines.append(styled("Looking up its rows …", FAINT))
            for each in evidence[0] if evidence else ():
                lines.append(_row(each.date, each.amount, each.currency, each.raw, width))
        case detection.Transfer():
            for leg in (finding.out, finding.into):
                lines += _leg(leg, names, width)
        case detection.Duplicate():
            for place, side in enumerate((finding.kept, finding.other)):
                lines += _side(side, finding, evidence[place] if evidence else (), width)
    # What the keys do stands before the reason, which may be longer than the room that there is.
    for key, said in (
        ("y", f"Yes: {detection.does_yes(finding)}"),
        ("n", f"No: {detection.does_no(finding)}"),
    ):
        first, *rest = wrapped(said, max(8, width - 3))
        lines.append(Content.assemble(styled(key, KEY), "  ", first))
        lines += [Content("   ") + each for each in rest]
    return page([*lines, *sentences(finding.why, width, FAINT)])


def _series(series: RecurringSeries, currency: str, width: int) -> list[Content]:
    amount = figures.money(series.amount, currency)
    often = f"{amount} {detection.often_said(series)}"
    monthly = figures.money(series.monthly, currency)
    a_month = "" if series.monthly == series.amount else f", {monthly} a month"
    after = "over" if series.next_date is None else f"next on {figures.long_date(series.next_date)}"
    times = f"{figures.count(series.count, 'time')} since {figures.long_date(series.first_date)}"
    lines = wrapped(f"{often}{a_month}; {times}; {after}.", width)
    if series.price_step is not None:
        before = figures.money(series.price_step.before, currency)
        since = figures.long_date(series.price_step.changed_on)
        lines += wrapped(f"It was {before} until it changed on {since}.", width, CAUTION)
    return lines


def _leg(leg: detection.TransferLeg, names: Mapping[str, str], width: int) -> list[Content]:
    account = names.get(leg.account_id, leg.account_id)
    return [_row(leg.date, leg.amount, leg.currency, leg.raw, width), _beneath(account, width)]


def _side(
    side: detection.DuplicateSide,
    duplicate: detection.Duplicate,
    rows: Sequence[Transaction],
    width: int,
) -> list[Content]:
    counts = "" if side.counted else ", left out"
    account = f"{side.institution_name} {side.account_name}{counts}"
    if side.date is None or side.amount is None or side.raw is None:
        told = [_row(each.date, each.amount, each.currency, each.raw, width) for each in rows]
        return [styled(account), *told]
    first = _row(side.date, side.amount, duplicate.currency, side.raw, width)
    return [first, _beneath(account, width)]


def _row(day: date, amount: int, currency: str, raw: str, width: int) -> Content:
    return row(
        (styled(_day(day), FAINT), DAY),
        (moved(-amount, currency), -AMOUNT),
        (raw, max(8, width - DAY - AMOUNT - 2)),
    )


def _beneath(account: str, width: int) -> Content:
    beside = DAY + AMOUNT + 1
    return row(("", beside), (styled(account, FAINT), max(8, width - beside - 1)))


def _line(finding: detection.Detected, cells: Sequence[str | Text]) -> TableLine:
    style = "bold" if detection.is_open(finding) else ""
    drawn = (Text(visible(each), style=style) if isinstance(each, str) else each for each in cells)
    return TableLine(finding.id, [*drawn])


def _day(day: date) -> str:
    return f"{day:%d %b %y}"


def _word(finding: detection.Transfer | detection.Duplicate) -> Text:
    style = "bold yellow" if detection.is_open(finding) else "dim"
    return Text(_WORDS.get(finding.status, finding.status), style=style)


def _sure(series: RecurringSeries) -> Text:
    """The person's word; without one, how sure the next charge is."""
    if series.status != "detected":
        return Text(series.status, style="bold")
    if series.probability is None:
        return Text("income" if series.kind == "income" else "", style="dim")
    return Text("sure", style="dim") if series.probability >= SURE else Text("likely", "yellow")


def _standing_of(series: RecurringSeries) -> int:
    # What was dismissed stays where it is, so that the cursor does not go away with it.
    return 2 if not series.active else 1 if series.kind == "income" else 0


def _open_first(finding: detection.Transfer | detection.Duplicate) -> bool:
    return not detection.is_open(finding)
