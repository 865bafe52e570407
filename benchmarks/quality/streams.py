"""Writing a stream: its rows with all noise, and the label of what is true about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import cos, pi

from benchmarks.quality.diary import Diary
from benchmarks.quality.schedule import Occurrence, Schedule, occurrences, period_days
from benchmarks.quality.truth import LabelledRow, Side, TrueStream, knowable
from benchmarks.quality.voices import Channel, Spelling, renamed

_LATEST_JITTER = 2
_FORESEEABLE = 0.08
"""An amount that strays further than this cannot be foreseen within a tenth."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a payee's rows are written before and from the day that its descriptor changed."""

    first: Spelling
    later: Spelling | None = None
    changed: date = date.max

    def on(self, day: date, diary: Diary) -> str:
        """The text of a row of some day."""
        spelling = self.later if self.later is not None and day >= self.changed else self.first
        return spelling.on(day, diary.dice)


@dataclass(frozen=True, slots=True)
class Outline:
    """A stream before its rows are written.

    `shares` are the accounts with the part of the amount that each gets. `until` is the last due day of
    a stream that has ended. `sway` is how far single amounts stray.
    """

    side: Side
    what: str
    payee: str
    voice: Voice
    schedule: Schedule
    shares: Sequence[tuple[int, float]]
    amount: int
    since: date
    until: date | None = None
    sway: float = 0.0
    seasonal: bool = False
    steps: bool = True
    quirks: tuple[str, ...] = ()


def voiced(diary: Diary, name: str, channel: Channel, other_names: Sequence[str] = ()) -> Voice:
    """A payee's voice, which changes midway for some."""
    first = diary.spelled(name, channel)
    if not diary.chance(diary.noise.renamed):
        return Voice(first)
    days = (diary.today - diary.since).days
    changed = diary.since + timedelta(round(days * diary.dice.uniform(0.3, 0.8)))
    called = diary.dice.choice((*other_names, name))
    return Voice(first, renamed(first, channel, diary.country, called, diary.dice), changed)


def write(diary: Diary, outline: Outline) -> list[LabelledRow]:
    """Write a stream's rows and its label; answers the rows."""
    number = diary.number()
    planned = _planned(diary, outline)
    amounts, stepped = _amounts(diary, outline, planned)
    rows: list[LabelledRow] = []
    sums: list[int] = []
    coming: tuple[date, int] | None = None
    for one, amount in zip(planned, amounts, strict=True):
        if one.booked <= diary.today:
            written = _written(diary, outline, number, one.booked, amount)
            rows += written
            sums += [amount] if written else []
        elif coming is None and outline.until is None:
            coming = (one.due, amount)
    diary.streams.append(
        TrueStream(
            number=number,
            payee=outline.payee,
            side=outline.side,
            what=outline.what,
            cadence=outline.schedule.cadence,
            knowable=knowable(outline.schedule.cadence, sums),
            active=outline.until is None,
            next_date=coming[0] if coming else None,
            next_amount=coming[1] if coming and outline.sway <= _FORESEEABLE else None,
            quirks=(
                *outline.quirks,
                *(["price step"] if stepped else []),
                *(["renamed"] if _is_renamed(outline.voice, rows) else []),
                *(["varies"] if outline.sway else []),
            ),
        )
    )
    return rows


def _planned(diary: Diary, outline: Outline) -> list[Occurrence]:
    """Every occurrence up to the first that is due after the noise of the last day."""
    horizon = diary.today + timedelta(_LATEST_JITTER)
    last = min(horizon, outline.until or horizon)
    seen = occurrences(outline.schedule, outline.since, last, diary.noise, diary.today, diary.dice)
    if outline.until is not None:
        return seen
    after = horizon + timedelta(1)
    reach = after + timedelta(2 * period_days(outline.schedule.cadence) + 5)
    due = next(iter(outline.schedule.due(after, reach)))
    return [*seen, Occurrence(due, due)]


def _amounts(
    diary: Diary, outline: Outline, planned: Sequence[Occurrence]
) -> tuple[list[int], bool]:
    """What each occurrence comes to, and whether the price changed on the way."""
    noise, dice = diary.noise, diary.dice
    stepped = outline.steps and len(planned) > 2 and diary.chance(noise.stepped)
    at = dice.randrange(1, len(planned) - 1) if stepped else len(planned)
    factor = 1 + dice.uniform(*noise.step)
    amounts = []
    for place, one in enumerate(planned):
        amount = outline.amount * (factor if place >= at else 1.0)
        if outline.seasonal:
            amount *= 1 + noise.season * cos(4 * pi * (one.due.timetuple().tm_yday - 20) / 365)
        if outline.sway:
            amount *= 1 + dice.uniform(-outline.sway, outline.sway)
        amounts.append(round(amount))
    return amounts, stepped


def _written(
    diary: Diary, outline: Outline, number: int, day: date, amount: int
) -> list[LabelledRow]:
    sign = -1 if outline.side == "charge" else 1
    rest = amount
    rows = []
    for place, (account, share) in enumerate(outline.shares):
        last = place == len(outline.shares) - 1
        part = rest if last else round(amount * share)
        rest -= part
        row = LabelledRow(
            account, day, sign * part, outline.voice.on(day, diary), outline.payee, number
        )
        if diary.book(row):
            rows.append(row)
    return rows


def _is_renamed(voice: Voice, rows: Sequence[LabelledRow]) -> bool:
    days = [row.day for row in rows]
    return bool(days) and min(days) < voice.changed <= max(days)
