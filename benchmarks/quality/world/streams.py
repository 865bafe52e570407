"""Writing a stream: its rows with all noise, and the label of what is true about it.

A stream goes on beyond the last day, or stops there unseen: what truly comes next is in its label.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import cos, pi
from typing import NamedTuple

from benchmarks.quality.world import rates
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.schedule import Schedule, occurrences, period_days
from benchmarks.quality.world.truth import Coming, LabelledRow, Side, TrueStream, knowable
from benchmarks.quality.world.voices import Channel, Spelling, renamed

_LATEST_JITTER = 2
_OVERDUE = 45
"""Days after which an annual charge that did not come is seen to have ended."""

_LATE = 3
"""Days that a charge may be late before its due day counts as missed."""

_SEASONS = 330
"""Days of history without which nobody knows what heating costs in another season."""

_YEAR_APART = (345, 385)
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

    `shares` are the accounts with the part of the amount that each gets. `until` is a day after which it
    never comes; `stops` the chance at each due day that it does not come from then on. `sway` is how far
    single amounts stray. A careful reader knows it from `least` rows, or from two of an annual charge
    whose name `says_yearly`.
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
    stops: float = 0.0
    sway: float = 0.0
    seasonal: bool = False
    steps: bool = True
    least: int = 3
    says_yearly: bool = False
    quirks: tuple[str, ...] = ()


def voiced(
    diary: Diary, name: str, channel: Channel, other_names: Sequence[str] = (), account: int = 0
) -> Voice:
    """A payee's voice, which changes midway for some."""
    first = diary.spelled(name, channel, account)
    if not diary.chance(diary.noise.renamed):
        return Voice(first)
    days = (diary.today - diary.since).days
    changed = diary.since + timedelta(round(days * diary.dice.uniform(0.3, 0.8)))
    called = diary.dice.choice((*other_names, name))
    return Voice(
        first, renamed(first, channel, diary.written_by(account), called, diary.dice), changed
    )


def write(diary: Diary, outline: Outline) -> list[LabelledRow]:
    """Write a stream's rows and its label; answers the rows."""
    number = diary.number()
    dues = _dues(diary, outline)
    booked = occurrences(outline.schedule, dues.kept, diary.noise, diary.dice)
    amounts, stepped = _amounts(diary, outline, dues.kept)
    rows: list[LabelledRow] = []
    seen: list[tuple[date, int]] = []
    for one in booked:
        if one.booked <= diary.today:
            written = _written(diary, outline, number, one.booked, amounts[one.due])
            rows += written
            seen += [(one.booked, amounts[one.due])] if written else []
    later = [one for one in booked if one.booked > diary.today]
    ahead = {one.due for one in later} | {due for due in dues.kept if due > diary.today}
    due = min(ahead - {one.due for one in booked if one.booked <= diary.today}, default=None)
    # What is overdue by weeks comes at a day that nobody can tell.
    told = due if due and (diary.today - due).days <= _LATEST_JITTER else None
    diary.streams.append(
        TrueStream(
            number=number,
            payee=outline.payee,
            side=outline.side,
            what=outline.what,
            cadence=outline.schedule.cadence,
            knowable=_is_knowable(outline, seen),
            active=True if due else False if _shows_its_end(diary, outline, dues.missed) else None,
            next_date=told,
            next_amount=_foreseen(outline, amounts[told], seen) if told else None,
            next=Coming(later[0].booked, amounts[later[0].due]) if later else None,
            quirks=(
                *outline.quirks,
                *([] if due else ["ended"]),
                *(["price step"] if stepped else []),
                *(["renamed"] if _is_renamed(outline.voice, rows) else []),
                *(["varies"] if outline.sway else []),
            ),
        )
    )
    return rows


class _Dues(NamedTuple):
    """The due days of a stream up to two periods after the last day: those kept, those after its end."""

    kept: Sequence[date]
    missed: Sequence[date]


def _dues(diary: Diary, outline: Outline) -> _Dues:
    reach = diary.today + timedelta(2 * period_days(outline.schedule.cadence) + 5)
    dues = list(outline.schedule.due(outline.since, reach))
    kept = [due for due in dues if outline.until is None or due <= outline.until]
    never = outline.least if outline.schedule.cadence != "annual" else 2
    if outline.stops:
        stop = next(
            (at for at in range(never, len(kept)) if diary.chance(outline.stops)), len(kept)
        )
        kept = kept[:stop]
    return _Dues(kept, dues[len(kept) :])


def _amounts(diary: Diary, outline: Outline, dues: Sequence[date]) -> tuple[dict[date, int], bool]:
    """What each due day comes to, and whether the price changed once on the way."""
    noise, dice = diary.noise, diary.dice
    renewed = outline.schedule.cadence == "annual" and outline.steps and noise.stepped > 0
    stepped = not renewed and outline.steps and len(dues) > 2 and diary.chance(noise.stepped)
    at = dice.randrange(1, len(dues) - 1) if stepped else len(dues)
    factor = 1 + dice.uniform(*noise.step)
    price = float(outline.amount)
    amounts = {}
    for place, due in enumerate(dues):
        if renewed and place:
            price *= _renewal(diary)
        amount = price * (factor if place >= at else 1.0)
        if outline.seasonal:
            amount *= 1 + noise.season * cos(4 * pi * (due.timetuple().tm_yday - 20) / 365)
        if outline.sway:
            amount *= 1 + dice.uniform(-outline.sway, outline.sway)
        amounts[due] = round(amount)
    return amounts, stepped


def _renewal(diary: Diary) -> float:
    """What an annual price is multiplied by when it is renewed."""
    if diary.chance(rates.RENEWAL_PRICE_KEPT):
        return 1.0
    if diary.chance(rates.RENEWAL_FALLS):
        return 1 - diary.dice.uniform(*rates.RENEWAL_FALL)
    return 1 + diary.dice.uniform(*rates.RENEWAL_RISE)


def _foreseen(outline: Outline, amount: int, seen: Sequence[tuple[date, int]]) -> int | None:
    """The amount that is due, None where nobody could tell it within a tenth."""
    if outline.sway > _FORESEEABLE:
        return None
    if outline.seasonal and (not seen or (seen[-1][0] - seen[0][0]).days < _SEASONS):
        return None
    jumps = seen and abs(amount - seen[-1][1]) > _FORESEEABLE * seen[-1][1]
    return None if jumps and not outline.sway else amount


def _is_knowable(outline: Outline, seen: Sequence[tuple[date, int]]) -> bool:
    cadence = outline.schedule.cadence
    if cadence == "annual" and len(seen) == 2:
        least, most = _YEAR_APART
        if not least <= (seen[1][0] - seen[0][0]).days <= most:
            return False
    amounts = [amount for _, amount in seen]
    if cadence != "annual" and len(seen) < outline.least:
        return False
    return knowable(cadence, amounts, says_yearly=outline.says_yearly)


def _shows_its_end(diary: Diary, outline: Outline, missed: Sequence[date]) -> bool:
    """Whether statements hold two due days without a row, or one long ago of an annual charge."""
    account = outline.shares[-1][0]
    days = [due for due in missed if diary.holds(account, due + timedelta(_LATE))]
    if outline.schedule.cadence == "annual":
        return bool(days) and (diary.today - days[0]).days > _OVERDUE
    return len(days) >= 2


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
