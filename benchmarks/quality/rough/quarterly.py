"""Quarterly bills that keep neither their day nor their amount, and visits about as far apart.

A bill of these comes up to ten days before or after its due day, and its amount strays by a tenth to
nearly a third. Beside each there is a payee of the same kind that is paid now and then, as a garage,
a dentist or a repair is: nobody should take that for a bill. Base rates are guesses, and none was
changed by what a detector found.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.schedule import drawn
from benchmarks.quality.world.truth import Coming, LabelledRow, TrueStream
from benchmarks.quality.world.voices import Channel

BILLERS: Mapping[str, Sequence[str]] = {
    "insurance": ("~ INSURANCE GROUP", "~ ASSURANCE", "~ VERSICHERUNG"),
    "utilities": ("~ WATER AUTHORITY", "~ ENERGY", "STADTWERKE ~"),
    "taxes": ("~ COUNTY TREASURER", "~ TAX OFFICE", "FINANZAMT ~"),
    "council": ("~ COUNCIL", "CITY OF ~ MUNICIPAL", "GEMEINDE ~"),
    "school": ("~ SCHOOL FEES", "~ ACADEMY TUITION", "ECOLE ~"),
}
VISITED = ("~ DENTAL", "~ AUTO REPAIR", "~ VETERINARY", "~ HAIR STUDIO", "~ OPTICAL")
"""Who is visited about as often and bills nobody."""

NOISY_BILLS = 1.0
OCCASIONAL = 1.0
UNKNOWN = 0.35
"""Mean numbers in a household of such bills and of such visits; the share at payees nobody knows."""

STRAYS = 10
SWAY = (0.10, 0.30)
SKIPPED = 0.03
STOPPED = 0.10
"""Days, shares of the amount, due days without a bill, and bills that ended within the last year."""

GAPS = ((30, 150), (60, 125), (20, 240))
"""Days between two visits: each payee keeps one of these."""

NOW_AND_THEN = " (now and then)"
"""What the label of a payee that bills nobody ends with."""

_LEAST_SEEN = 6
"""A careful reader who sees so many knows such a bill."""

_LONG_HISTORY = 700
"""Days of history without which it has not come often enough."""


def write_quarterly(diary: Diary) -> None:
    """Write the bills and the visits, where the history is long enough to tell them apart."""
    if (diary.today - diary.since).days < _LONG_HISTORY:
        return
    for _ in range(diary.around(NOISY_BILLS)):
        _write_bill(diary)
    for _ in range(diary.around(OCCASIONAL)):
        _write_visits(diary)


def _write_bill(diary: Diary) -> None:
    dice = diary.dice
    name = diary.opaque() if diary.chance(UNKNOWN) else diary.named(_of_any(diary, BILLERS))
    if name is None:
        return
    schedule = drawn("quarterly", diary.today, 0, dice)
    usual, sway = dice.randint(6_000, 90_000), dice.uniform(*SWAY)
    ends = diary.today + timedelta(400)
    if diary.chance(STOPPED):
        ends = diary.today - timedelta(dice.randrange(1, 330))
    comes = [
        Coming(
            due + timedelta(dice.randint(-STRAYS, STRAYS)),
            round(usual * dice.uniform(1 - sway, 1 + sway)),
        )
        for due in schedule.due(diary.since, min(ends, diary.today + timedelta(200)))
        if not diary.chance(SKIPPED)
    ]
    number = diary.number()
    seen = _book(diary, name, "debit", comes, number)
    later = [one for one in comes if one.day > diary.today]
    over = not later
    diary.streams.append(
        TrueStream(
            number=number,
            payee=name.lower(),
            side="charge",
            what="noisy quarterly",
            cadence="quarterly",
            knowable=seen >= _LEAST_SEEN,
            # Within half a year of its last day nobody can tell that it is over.
            active=(False if (diary.today - comes[-1].day).days > 200 else None) if over else True,
            next_date=later[0].day if later else None,
            next_amount=None,
            next=later[0] if later else None,
            quirks=("noisy quarterly",),
        )
    )


def _write_visits(diary: Diary) -> None:
    dice = diary.dice
    kinds = {**BILLERS, "visited": VISITED, "visited often": VISITED}
    name = diary.opaque() if diary.chance(UNKNOWN) else diary.named(_of_any(diary, kinds))
    if name is None:
        return
    usual, sway = dice.randint(6_000, 60_000), dice.uniform(0.15, 0.5)
    gap, day = dice.choice(GAPS), diary.since + timedelta(dice.randrange(120))
    visits = []
    while day <= diary.today:
        visits.append(Coming(day, round(usual * dice.uniform(1 - sway, 1 + sway))))
        day += timedelta(dice.randint(*gap))
    _book(diary, name, dice.choice(("card", "debit")), visits, None, NOW_AND_THEN)


def _book(
    diary: Diary,
    name: str,
    channel: Channel,
    comes: Sequence[Coming],
    number: int | None,
    label: str = "",
) -> int:
    """Write rows of a payee on checking; answers how many statements hold."""
    account = diary.held("checking").number
    spelled = diary.spelled(name, channel, account)
    held = 0
    for day, amount in comes:
        raw = spelled.on(day, diary.dice)
        held += diary.book(LabelledRow(account, day, -amount, raw, name.lower() + label, number))
    return held


def _of_any(diary: Diary, kinds: Mapping[str, Sequence[str]]) -> Sequence[str]:
    return kinds[diary.dice.choice(list(kinds))]
