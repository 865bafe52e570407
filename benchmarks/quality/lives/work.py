"""Lives whose pay changes: jobs, leave, raises, bonuses, clients and the taxes of the self-employed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.quality.lives.story import LATE, Level, Story, Stream
from benchmarks.quality.lives.truth import Change
from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.payees import CLIENTS, EMPLOYERS
from benchmarks.quality.world.schedule import Schedule, drawn, period_days
from benchmarks.quality.world.streams import Voice
from benchmarks.quality.world.truth import LabelledRow
from benchmarks.quality.world.voices import Country
from finplan.model.plan import Cadence

_TWICE = ((15, 31), (1, 15), (10, 25))
_MONTHLY = (31, 30, 28, 25, 15, 1)
_PER_YEAR = {"weekly": 52, "biweekly": 26, "semimonthly": 24, "monthly": 12}
_YEARLY = (3_600_000, 8_400_000)
_NEVER = Level(date.min, 0)

UNEMPLOYMENT: Mapping[Country, str] = {
    "US": "STATE OF ~ UI BENEFITS",
    "UK": "DWP JSA",
    "DE": "BUNDESAGENTUR FUER ARBEIT",
    "FR": "FRANCE TRAVAIL",
}
PARENTAL: Mapping[Country, str] = {
    "US": "STATE OF ~ PAID FAMILY LEAVE",
    "UK": "DWP MATERNITY ALLOWANCE",
    "DE": "ELTERNGELDSTELLE ~",
    "FR": "CPAM ~ INDEMNITES JOURNALIERES",
}
TAX_OFFICE: Mapping[Country, str] = {
    "US": "IRS USATAXPYMT",
    "UK": "HMRC SELF ASSESSMENT",
    "DE": "FINANZAMT ~ EINKOMMENSTEUER VORAUSZAHLUNG",
}
TAX_DAYS: Mapping[Country, Sequence[tuple[int, int]]] = {
    "US": ((1, 15), (4, 15), (6, 15), (9, 15)),
    "UK": ((1, 31), (7, 31)),
    "DE": ((3, 10), (6, 10), (9, 10), (12, 10)),
}
"""Month and day on which those who work for themselves pay in advance."""


@dataclass(frozen=True, slots=True)
class Job:
    """An employer with its paydays and a payment's amount."""

    name: str
    voice: Voice
    schedule: Schedule
    amount: int

    @property
    def period(self) -> int:
        """Days between two paydays, rather more than fewer."""
        return period_days(self.schedule.cadence)

    def scaled(self, share: float) -> int:
        """A share of the usual payment."""
        return round(self.amount * share)


def new_job(story: Story, cadence: Cadence | None = None, yearly: int = 0) -> Job:
    """A job with paydays drawn at random."""
    dice = story.dice
    cadence = cadence or dice.choices([*rates.PAY], [*rates.PAY.values()])[0]
    rule = weekend_rule(story.diary, dict(rates.PAY_WEEKEND_RULES))
    schedule = drawn(cadence, story.diary.today, rule, dice)
    if cadence in {"semimonthly", "monthly"}:
        days = dice.choice(_TWICE) if cadence == "semimonthly" else (dice.choice(_MONTHLY),)
        schedule = Schedule(cadence, schedule.origin, days, rule)
    name = story.diary.named(EMPLOYERS)
    assert name is not None
    amount = (yearly or dice.randint(*_YEARLY)) // _PER_YEAR[cadence]
    return Job(name, story.draw_voice(name, "pay"), schedule, amount)


def yearly_pay(job: Job) -> int:
    """What a job pays in a year."""
    return job.amount * _PER_YEAR[job.schedule.cadence]


def write_pay(story: Story, job: Job, levels: Sequence[Level] = (), what: str = "pay") -> None:
    """Write a job's pay, always the same unless levels say more."""
    levels = levels or [Level(date.min, job.amount)]
    payee = job.name.lower()
    story.write_stream(Stream("income", what, "wages", payee, job.voice, job.schedule, levels))


def write_steady_pay(story: Story) -> None:
    """Nothing changes: what every figure is to say anyway."""
    write_pay(story, new_job(story))
    add_partner(story)


def add_partner(story: Story, share: float = 0.5) -> None:
    """In some households somebody else earns too, always the same."""
    if story.diary.chance(share):
        write_pay(story, new_job(story))


def write_job_after_gap(story: Story) -> None:
    """One job ends, and two weeks to two months later another one begins."""
    old = new_job(story)
    paid = story.dice.randint(1, 6)
    yearly = round(yearly_pay(old) * story.dice.uniform(0.75, 1.6))
    new = new_job(story, old.schedule.cadence if paid == 1 else None, yearly)
    dues = story.known_dues(new.schedule)
    silent = timedelta(old.period + LATE)
    last = _last_before(story, old, min(dues[-paid] - timedelta(14), story.today - silent))
    while (dues[-paid] - last).days > 55:
        paid += 1
    write_pay(
        story, old, [Level(date.min, old.amount), Level(last + timedelta(1), 0)], "former pay"
    )
    write_pay(story, new, _begun(story, new, dues[-paid:]))
    add_partner(story, 0.3)


def write_overlapping_jobs(story: Story) -> None:
    """A new job pays already while the old one still does."""
    old = new_job(story)
    new = new_job(story, None, round(yearly_pay(old) * story.dice.uniform(0.75, 1.6)))
    silent = timedelta(old.period + LATE + story.dice.randrange(60))
    last = _last_before(story, old, story.today - silent)
    dues = story.known_dues(new.schedule)
    first = max(due for due in dues if due <= last)
    write_pay(
        story, old, [Level(date.min, old.amount), Level(last + timedelta(1), 0)], "former pay"
    )
    write_pay(story, new, _begun(story, new, [due for due in dues if due >= first]))
    add_partner(story, 0.3)


def write_job_lost(story: Story) -> None:
    """A job ends, and unemployment benefit takes its place."""
    _write_benefit_after_pay(story, UNEMPLOYMENT, "unemployment", "lost pay", (0.35, 0.6))
    add_partner(story, 0.3)


def write_parental_leave(story: Story) -> None:
    """Somebody stays at home with a child on parental benefit; the partner earns on."""
    _write_benefit_after_pay(story, PARENTAL, "parental benefit", "pay before a child", (0.5, 0.67))
    add_partner(story, 0.7)


def write_year_of_leave(story: Story) -> None:
    """Pay rests for about a year and comes again since some paydays."""
    job = new_job(story)
    dues = story.known_dues(job.schedule)
    back = dues[-story.dice.randint(3, 20 if job.period < 20 else 10)]
    ends = back - timedelta(story.dice.randint(300, 430))
    raised = job.scaled(story.dice.choice((1.0, 1.03, 1.08)))
    levels = [Level(date.min, job.amount), Level(ends, 0), Level(back, raised)]
    write_pay(story, job, levels)
    add_partner(story, 0.6)


def write_raise_or_cut(story: Story) -> None:
    """Pay rises or falls, and has come one to four times since."""
    job = new_job(story)
    since = story.known_dues(job.schedule)[-story.dice.randint(1, 4)]
    factor = story.dice.choice((story.dice.uniform(1.04, 1.2), story.dice.uniform(0.75, 0.95)))
    write_pay(story, job, [Level(date.min, job.amount), Level(since, job.scaled(factor))])
    add_partner(story)


def write_bonus(story: Story) -> None:
    """A bonus lately, and in some lives a year ago too: in the pay, beside it, or within days of it."""
    job = new_job(story)
    dues = story.known_dues(job.schedule)
    days = [story.dice.choice(dues[-3:])]
    if story.diary.chance(0.3) and (days[0] - story.diary.since).days > 400:
        days.append(max(day for day in dues if day <= days[0] - timedelta(350)))
    more = {day: job.scaled(story.dice.uniform(0.5, 2.5)) for day in sorted(days)}
    levels = [Level(date.min, job.amount)]
    if story.diary.chance(0.35):
        for day, amount in more.items():
            levels += [Level(day, job.amount + amount), Level(day + timedelta(1), job.amount)]
        more = {}
    write_pay(story, job, levels)
    off = story.dice.choice((0, 0, 0, -2, 3))
    paydays = [row.day for row in story.diary.rows if row.payee == job.name.lower()]
    for due, amount in more.items():
        payday = min(paydays, key=lambda day: abs(day - due))
        when = min(payday + timedelta(off), story.today)
        row = LabelledRow(
            _checking(story), when, amount, job.voice.on(when, story.diary), job.name.lower()
        )
        story.write_one_off("income", "bonus", "wages", row)
    add_partner(story)


def write_clients(story: Story) -> None:
    """Clients who pay every 40 to 70 days, and in some lives one who has stopped."""
    for _ in range(story.dice.randint(1, 3)):
        _write_client(story, (40, 70), (250_000, 650_000))
    if story.diary.chance(0.4):
        ends = story.today - timedelta(story.dice.randint(200, 280))
        _write_client(story, (40, 70), (100_000, 400_000), ends)
    add_partner(story, 0.4)


def write_taxes_in_advance(story: Story) -> None:
    """Somebody self-employed pays taxes in advance, twice or four times a year."""
    for _ in range(2):
        _write_client(story, (18, 35), (180_000, 380_000))
    country = story.diary.country
    name = story.diary.named([TAX_OFFICE[country]])
    assert name is not None
    voice, amount = story.draw_voice(name, "debit"), story.dice.randint(60_000, 480_000)
    quarterly = len(TAX_DAYS[country]) == 4
    # In the UK what a year lacked is paid in January too, so that July is less.
    flows = [TAX_DAYS[country]] if quarterly else [[day] for day in TAX_DAYS[country]]
    for days in flows:
        dues = _dues_on(story, days)
        schedule = Schedule("quarterly" if quarterly else "annual", dues[0], (), 0)
        levels = [Level(date.min, amount)]
        stream = Stream("charge", "tax", "taxes", name.lower(), voice, schedule, levels, dues)
        story.write_stream(stream)
        amount = round(amount * story.dice.uniform(0.4, 0.8))


def _dues_on(story: Story, days: Sequence[tuple[int, int]]) -> list[date]:
    """The days of each year that the story holds, on which taxes are due."""
    years = range(story.diary.since.year, story.diary.today.year + 1)
    return [date(year, *day) for year in years for day in days]


def day_before_taxes(country: Country, year: int, ahead: int) -> date:
    """A day so many days before one on which taxes are due in advance."""
    days = TAX_DAYS[country]
    return date(year, *days[ahead % len(days)]) - timedelta(ahead)


def _write_benefit_after_pay(
    story: Story,
    payers: Mapping[Country, str],
    what: str,
    before: str,
    shares: tuple[float, float],
) -> None:
    job = new_job(story)
    cadence: Cadence = "biweekly" if story.diary.country == "US" else "monthly"
    name = story.diary.named([payers[story.diary.country]])
    assert name is not None
    schedule = new_job(story, cadence).schedule
    dues = story.known_dues(schedule)
    silent = story.today - timedelta(round(1.5 * job.period) + LATE)
    # Two credits at least, and the last pay within four months.
    first = dues[-story.dice.randint(2, 5 if cadence == "biweekly" else 2)]
    last = _last_before(story, job, min(first - timedelta(10), silent))
    write_pay(story, job, [Level(date.min, job.amount), Level(last + timedelta(1), 0)], before)
    amount = round(yearly_pay(job) * story.dice.uniform(*shares) / _PER_YEAR[cadence])
    voice, levels = story.draw_voice(name, "benefit"), [_NEVER, Level(first, amount)]
    stream = Stream(
        "income", what, "pension_benefits", name.lower(), voice, schedule, levels, temporary=True
    )
    story.write_stream(stream)


def _begun(story: Story, job: Job, dues: Sequence[date]) -> list[Level]:
    """Pay from the first of some paydays on; the first is often for a part of the period."""
    levels = [_NEVER, Level(dues[0], job.amount)]
    if len(dues) > 1 and story.diary.chance(0.4):
        levels[1:] = [
            Level(dues[0], job.scaled(story.dice.uniform(0.3, 0.9))),
            Level(dues[1], job.amount),
        ]
    return levels


def _write_client(
    story: Story, gaps: tuple[int, int], amounts: tuple[int, int], ends: date | None = None
) -> None:
    diary = story.diary
    name = diary.named(CLIENTS)
    assert name is not None
    voice, rows = story.draw_voice(name, "client"), []
    day = diary.since + timedelta(story.dice.randrange(30))
    while day <= (ends or diary.today):
        raw, amount = voice.on(day, diary), story.dice.randint(*amounts)
        rows.append(LabelledRow(_checking(story), day, amount, raw, name.lower()))
        day += timedelta(story.dice.randint(*gaps))
    change: Change = "irregular" if ends is None else "stopped"
    story.write_irregular("client", "self_employment", rows, change)


def _last_before(story: Story, job: Job, day: date) -> date:
    return max(due for due in story.known_dues(job.schedule) if due <= day)


def _checking(story: Story) -> int:
    return story.diary.held("checking").number
