"""Lives at home: a move, daycare, one-offs, pensions, help from the family; and what every home has."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from benchmarks.quality.lives.story import Level, Story, Stream
from benchmarks.quality.lives.work import add_partner, new_job, write_pay
from benchmarks.quality.world import rates
from benchmarks.quality.world.billers import ANYWHERE, KNOWN
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.habits import write_habits
from benchmarks.quality.world.schedule import Schedule, drawn, every_four_weeks
from benchmarks.quality.world.streams import Voice
from benchmarks.quality.world.truth import LabelledRow, Side
from benchmarks.quality.world.voices import Country
from finplan.model.plan import Cadence

_RENT = (70_000, 220_000)
_BILLS: Mapping[Cadence, int] = {"monthly": 5, "quarterly": 1}
_LANDLORDS: Mapping[Country, tuple[str, ...]] = {
    "US": ("~ PROPERTY MGMT RENT", "~ APARTMENTS RENT"),
    "UK": ("~ LETTINGS RENT", "~ HOUSING RENT"),
    "DE": ("HAUSVERWALTUNG ~ MIETE", "~ WOHNBAU MIETE"),
    "FR": ("AGENCE ~ LOYER", "~ IMMOBILIER LOYER"),
}
_DAYCARE: Mapping[Country, tuple[str, ...]] = {
    "US": ("~ DAYCARE", "~ CHILD CARE"),
    "UK": ("~ NURSERY", "~ CHILDCARE"),
    "DE": ("KITA ~", "KINDERGARTEN ~"),
    "FR": ("CRECHE ~", "~ CRECHE"),
}
_STATE_PENSION: Mapping[Country, str] = {
    "US": "SSA TREAS 310 XXSOC SEC",
    "UK": "DWP STATE PENSION",
    "DE": "DEUTSCHE RENTENVERSICHERUNG",
    "FR": "CNAV RETRAITE",
}
_OWN_PENSION: Mapping[Country, str] = {
    "US": "~ TEACHERS RETIREMENT",
    "UK": "TEACHERS PENSIONS",
    "DE": "~ PENSIONSKASSE",
    "FR": "AGIRC ARRCO",
}
_LARGE: Mapping[str, Mapping[Country, str]] = {
    "car": {
        "US": "~ MOTORS AUTO SALES",
        "UK": "~ CAR SALES",
        "DE": "AUTOHAUS ~",
        "FR": "GARAGE ~ AUTOMOBILES",
    },
    "health": {"US": "~ HOSPITAL", "UK": "~ HOSPITAL", "DE": "~ KLINIKUM", "FR": "CLINIQUE ~"},
    "home_upkeep": {
        "US": "~ ROOFING",
        "UK": "~ ROOFING",
        "DE": "~ DACHDECKER",
        "FR": "~ TOITURE",
    },
}
_WINDFALLS: Mapping[str, tuple[str, tuple[int, int]]] = {
    "inheritance": ("ESTATE OF ~", (1_500_000, 9_000_000)),
    "severance": ("~ SEVERANCE PAY", (800_000, 3_000_000)),
    "tax refund": ("", (40_000, 350_000)),
}
_REFUNDS: Mapping[Country, str] = {
    "US": "IRS TREAS 310 TAX REF",
    "UK": "HMRC TAX REPAYMENT",
    "DE": "FINANZAMT ~ ERSTATTUNG EINKOMMENSTEUER",
    "FR": "DGFIP REMBOURSEMENT IMPOT",
}


def add_bills_and_habits(story: Story) -> None:
    """What every household has, always the same: bills, and what is bought."""
    diary = story.diary
    for cadence, count in _BILLS.items():
        offered = [*KNOWN[diary.country].get(cadence, ()), *ANYWHERE[cadence]]
        bills = [bill for bill in offered if bill.what != "rent" and not bill.sways]
        for bill in story.dice.sample(bills, min(count, len(bills))):
            name = diary.named(bill.names[:1] if bill.spellings else bill.names)
            if name is not None:
                levels = [Level(date.min, story.dice.randint(bill.least, bill.most))]
                voice = story.draw_voice(name, bill.channel)
                schedule = _schedule(story, cadence)
                stream = Stream("charge", bill.what, "", name.lower(), voice, schedule, levels)
                story.write_stream(stream)
    billed = len(diary.rows)
    write_habits(diary)
    # What friends and shops give back is no income and belongs to no payee for certain.
    diary.rows[billed:] = [row for row in diary.rows[billed:] if row.amount < 0]


def write_rent(
    story: Story, schedule: Schedule, levels: Sequence[Level], what: str = "rent"
) -> None:
    """Write the rent of one home."""
    name = story.diary.named(_LANDLORDS[story.diary.country])
    assert name is not None
    voice = story.draw_voice(name, "order")
    story.write_stream(Stream("charge", what, "rent", name.lower(), voice, schedule, levels))


def add_rent(story: Story) -> None:
    """A rent that stays the same, unless the story has written one."""
    if not any(flow.category == "rent" for flow in story.flows):
        levels = [Level(date.min, story.dice.randint(*_RENT))]
        write_rent(story, _schedule(story, "monthly"), levels)


def write_move(story: Story) -> None:
    """A rent that nearly doubles, at the old landlord's or a new one's, one to four months ago."""
    write_pay(story, new_job(story))
    add_partner(story)
    old, new = _schedule(story, "monthly"), _schedule(story, "monthly")
    amount = story.dice.randint(*_RENT)
    dearer = round(amount * story.dice.uniform(1.6, 2.1))
    if story.diary.chance(0.4):
        since = story.known_dues(old)[-story.dice.randint(1, 4)]
        write_rent(story, old, [Level(date.min, amount), Level(since, dearer)])
        return
    since = story.known_dues(new)[-story.dice.randint(1, 4)]
    ends = since - timedelta(story.dice.randint(1, 20))
    # What is not late yet counts still: the old landlord's next day has passed.
    missed = [
        due for due in story.known_dues(old) if due > ends and due < story.today - timedelta(7)
    ]
    if not missed:
        ends = story.known_dues(old)[-1] - timedelta(8)
        ends = min(ends, story.today - timedelta(46))
    write_rent(story, old, [Level(date.min, amount), Level(ends, 0)], "former rent")
    write_rent(story, new, [Level(date.min, 0), Level(since, dearer)])


def write_daycare(story: Story) -> None:
    """Daycare has begun two to five months ago."""
    write_pay(story, new_job(story))
    add_partner(story)
    name = story.diary.named(_DAYCARE[story.diary.country])
    assert name is not None
    schedule = _schedule(story, "monthly")
    since = story.known_dues(schedule)[-story.dice.randint(2, 5)]
    levels = [Level(date.min, 0), Level(since, story.dice.randint(30_000, 150_000))]
    voice = story.draw_voice(name, "debit")
    story.write_stream(
        Stream("charge", "daycare", "childcare", name.lower(), voice, schedule, levels)
    )


def write_one_offs(story: Story) -> None:
    """A car, a hospital or a roof is paid once; an inheritance, severance or a tax refund comes."""
    write_pay(story, new_job(story))
    add_partner(story)
    add_rent(story)
    diary = story.diary
    month = story.monthly_spending()
    category = story.dice.choice([*_LARGE])
    name = diary.named([_LARGE[category][diary.country]])
    assert name is not None
    amount = round(month * story.dice.uniform(2.2, 5.0))
    _write_one_off(story, "charge", category, category, name, -amount)
    if diary.chance(0.6):
        what = story.dice.choice([*_WINDFALLS])
        pattern, amounts = _WINDFALLS[what]
        name = diary.named([pattern or _REFUNDS[diary.country]])
        assert name is not None
        income = "tax_refund" if what == "tax refund" else "other_income"
        _write_one_off(story, "income", what, income, name, story.dice.randint(*amounts))


def write_two_pensions(story: Story) -> None:
    """A couple with two pensions of one payer, each every 28 days or monthly, and one of another's."""
    country, diary = story.diary.country, story.diary
    name = _STATE_PENSION[country]
    diary.names.add(name)
    voice = story.draw_voice(name, "benefit")
    first, second = _pension_days(story)
    amount = story.dice.randint(70_000, 140_000)
    second_amount = round(amount * story.dice.choice((0.5, 0.6, 0.75, 1.35)))
    for schedule, level in ((first, amount), (second, second_amount)):
        levels = [Level(date.min, level)]
        stream = Stream(
            "income", "pension", "pension_benefits", name.lower(), voice, schedule, levels
        )
        story.write_stream(stream)
    own = diary.named([_OWN_PENSION[country]])
    assert own is not None
    levels = [Level(date.min, story.dice.randint(90_000, 220_000))]
    voice, schedule = story.draw_voice(own, "benefit"), _schedule(story, "monthly")
    story.write_stream(
        Stream("income", "pension", "pension_benefits", own.lower(), voice, schedule, levels)
    )


def write_family_help(story: Story) -> None:
    """Family sends what the rent costs, on its day, into the other account: no transfer."""
    write_pay(story, new_job(story))
    story.open_account("other bank", "Monzo" if story.diary.country == "UK" else "Revolut")
    schedule = _schedule(story, "monthly")
    levels = [Level(date.min, story.dice.randint(8, 24) * 5_000)]
    write_rent(story, schedule, levels)
    name = story.diary.person()
    story.diary.names.add(name)
    spelled = story.diary.spelled(name, "from_person")
    voice = Voice(replace(spelled, template=spelled.template.replace("{word}", "FAMILY")))
    stream = Stream(
        side="income",
        what="support",
        category="other_income",
        payee=name.lower(),
        voice=voice,
        schedule=schedule,
        levels=levels,
        account="other bank",
        is_open=True,
    )
    story.write_stream(stream)


def _write_one_off(
    story: Story, side: Side, what: str, category: str, name: str, amount: int
) -> None:
    """A one-off on any day of the last year."""
    day = story.today - timedelta(story.dice.randrange(1, 300))
    voice = story.draw_voice(name, "card" if side == "charge" else "benefit")
    raw, checking = voice.on(day, story.diary), story.diary.held("checking").number
    row = LabelledRow(checking, day, amount, raw, name.lower())
    story.write_one_off(side, what, category, row)


def _pension_days(story: Story) -> tuple[Schedule, Schedule]:
    """When one payer pays two people: on Wednesdays, every 28 days, or on days of the month."""
    dice, today = story.dice, story.diary.today
    if story.diary.country == "UK":
        first = every_four_weeks(today, dice)
        return first, replace(first, origin=first.origin + timedelta(dice.choice((7, 14, 21))))
    if story.diary.country == "US":
        first, second = (
            Schedule("monthly", today, (), 0, nth=(2, n)) for n in dice.sample((2, 3, 4), 2)
        )
        return first, second
    first, second = (
        Schedule("monthly", today, (day,), 0) for day in dice.sample((1, 9, 20, 28), 2)
    )
    return first, second


def _schedule(story: Story, cadence: Cadence) -> Schedule:
    rule = weekend_rule(story.diary, dict(rates.WEEKEND_RULES))
    return drawn(cadence, story.diary.today, rule, story.dice)
