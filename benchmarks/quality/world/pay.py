"""A household's income: pay of every cadence, pensions, benefits, dividends, interest, clients."""

from datetime import date, timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.payees import (
    BENEFITS,
    CLIENTS,
    DIVIDENDS,
    EMPLOYERS,
    INTEREST,
    PENSIONS,
    SUPPORTERS,
    TAX_REFUNDS,
)
from benchmarks.quality.world.schedule import Schedule, drawn, every_four_weeks
from benchmarks.quality.world.streams import Outline, Voice, voiced, write
from benchmarks.quality.world.truth import LabelledRow, TrueStream, knowable
from benchmarks.quality.world.voices import Channel
from finplan.model.plan import Cadence

_PAYDAYS = ((15, 31), (1, 15), (15, 31), (10, 25))
_MONTHLY_PAYDAYS = (31, 31, 30, 28, 25, 25, 1, 15)


def write_income(diary: Diary) -> None:
    """Write all income of a household."""
    _earner(diary, diary.since)
    if diary.chance(rates.SECOND_EARNER):
        _earner(diary, diary.since)
    if diary.chance(rates.CHILD_SUPPORT):
        _support(diary)
    checking = diary.held("checking").number
    if diary.chance(rates.PENSION):
        _regular(diary, PENSIONS[diary.country], "pension", "monthly", (60_000, 260_000), checking)
    if diary.chance(rates.BENEFITS):
        cadence: Cadence = diary.dice.choice(("weekly", "monthly"))
        _regular(diary, BENEFITS[diary.country], "benefit", cadence, (10_000, 60_000), checking)
    if diary.chance(rates.DIVIDENDS):
        span = (2_000, 60_000)
        _regular(diary, DIVIDENDS, "dividend", "quarterly", span, checking, sway=0.10)
    if diary.chance(rates.INTEREST):
        savings = diary.held("savings").number
        texts = INTEREST[diary.country]
        _regular(diary, texts, "interest", "monthly", (300, 9_000), savings, sway=0.25)
    if diary.chance(rates.TAX_REFUND):
        _tax_refund(diary)
    if diary.chance(rates.CLIENTS):
        for _ in range(diary.dice.randint(1, 3)):
            _client(diary)


def _tax_refund(diary: Diary) -> None:
    """Income that comes once: no source to be found, and no mistake to call it income."""
    number = diary.number()
    day = diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days))
    amount = diary.dice.randint(20_000, 300_000)
    raw, checking = TAX_REFUNDS[diary.country], diary.held("checking").number
    diary.book(LabelledRow(checking, day, amount, raw, "tax office", number))
    diary.streams.append(
        TrueStream(
            number=number,
            payee="tax office",
            side="income",
            what="tax refund",
            cadence="irregular",
            knowable=False,
            active=None,
            next_date=None,
            next_amount=None,
        )
    )


def _earner(diary: Diary, since: date) -> None:
    name = diary.named(EMPLOYERS)
    assert name is not None
    cadences = list(rates.PAY)
    cadence = diary.dice.choices(cadences, list(rates.PAY.values()))[0]
    yearly = diary.dice.randint(2_600_000, 9_800_000)
    per_year = {"weekly": 52, "biweekly": 26, "semimonthly": 24, "monthly": 12}[cadence]
    hourly = diary.chance(rates.HOURLY)
    shares = _shares(diary)
    voice = voiced(diary, name, "pay")
    quirks = ("hourly",) if hourly else ()
    outline = Outline(
        side="income",
        what="pay",
        payee=name.lower(),
        voice=voice,
        schedule=_paydays(diary, cadence),
        shares=shares,
        amount=yearly // per_year,
        since=since,
        stops=rates.PAY_STOPS[cadence],
        sway=0.25 if hourly and diary.noise.sway else 0.0,
        quirks=quirks + (("split",) if len(shares) > 1 else ()),
    )
    rows = write(diary, outline)
    if diary.chance(rates.BONUS) and rows:
        day = diary.dice.choice(rows).day + timedelta(diary.dice.randrange(-3, 4))
        amount = round(outline.amount * diary.dice.uniform(0.5, 2.5))
        diary.book(LabelledRow(shares[0][0], day, amount, voice.on(day, diary), outline.payee))
    if diary.chance(rates.EMPLOYER_EXPENSES):
        _expenses(diary, name, since)
    if rows and diary.streams[-1].active is False and diary.chance(rates.NEW_JOB):
        begins = rows[-1].day + timedelta(diary.dice.randint(14, 63))
        if begins < diary.today:
            _earner(diary, begins)


def _expenses(diary: Diary, employer: str, since: date) -> None:
    """An employer repays what was spent on work: in the employer's name, and no pay."""
    spelled = diary.spelled(employer, "expenses")
    checking = diary.held("checking").number
    payee = f"{employer.lower()} expenses"
    for _ in range(diary.dice.randint(3, 16)):
        day = since + timedelta(diary.dice.randrange((diary.today - since).days))
        amount = diary.dice.randint(3_000, 140_000)
        diary.book(LabelledRow(checking, day, amount, spelled.on(day, diary.dice), payee))


def _support(diary: Diary) -> None:
    """Support for a child, from an office or the other parent."""
    name = diary.named(SUPPORTERS[diary.country])
    if name is None:
        return
    cadence: Cadence = diary.dice.choice(("monthly", "biweekly"))
    outline = Outline(
        side="income",
        what="child support",
        payee=name.lower(),
        voice=voiced(diary, name, "support"),
        schedule=drawn(cadence, diary.today, 0, diary.dice),
        shares=((diary.held("checking").number, 1.0),),
        amount=diary.dice.randint(120, 900) * 100,
        since=diary.since,
        stops=rates.PAY_STOPS[cadence],
        steps=False,
    )
    write(diary, outline)


def _shares(diary: Diary) -> tuple[tuple[int, float], ...]:
    checking = diary.held("checking").number
    if diary.chance(rates.PAY_SPLIT):
        saved = diary.dice.uniform(0.1, 0.3)
        return ((diary.held("savings").number, saved), (checking, 1 - saved))
    return ((checking, 1.0),)


def _paydays(diary: Diary, cadence: Cadence) -> Schedule:
    rule = weekend_rule(diary, dict(rates.PAY_WEEKEND_RULES))
    schedule = drawn(cadence, diary.today, rule, diary.dice)
    if cadence == "semimonthly":
        return Schedule(cadence, schedule.origin, diary.dice.choice(_PAYDAYS), rule)
    if cadence == "monthly":
        return Schedule(cadence, schedule.origin, (diary.dice.choice(_MONTHLY_PAYDAYS),), rule)
    return schedule


def _regular(
    diary: Diary,
    names: tuple[str, ...],
    what: str,
    cadence: Cadence,
    span: tuple[int, int],
    account: int,
    sway: float = 0.0,
) -> None:
    name = diary.named(names)
    if name is None:
        return
    channel: Channel = "benefit"
    voice = voiced(diary, name, channel)
    if what == "interest":
        # A bank writes its own interest without any reference.
        plain = diary.spelled(name, channel)
        voice = Voice(type(plain)(name, "{name}", plain.fixed))
    outline = Outline(
        side="income",
        what=what,
        payee=name.lower(),
        voice=voice,
        schedule=_payday_of(diary, what, cadence),
        shares=((account, 1.0),),
        amount=diary.dice.randint(*span),
        since=diary.since,
        stops=rates.PAY_STOPS[cadence],
        sway=sway if diary.noise.sway else 0.0,
    )
    write(diary, outline)


def _payday_of(diary: Diary, what: str, cadence: Cadence) -> Schedule:
    """Pensions and benefits have paydays of their own in the US and the UK."""
    if cadence == "monthly" and what in {"pension", "benefit"}:
        if diary.country == "US" and diary.chance(rates.BENEFIT_NTH_WEEKDAY):
            wednesday = diary.dice.randint(2, 4)
            return Schedule("monthly", diary.today, (), 0, nth=(2, wednesday))
        if diary.country == "UK" and diary.chance(rates.BENEFIT_FOUR_WEEKS):
            return every_four_weeks(diary.today, diary.dice)
    rule = weekend_rule(diary, dict(rates.PAY_WEEKEND_RULES))
    return drawn(cadence, diary.today, rule, diary.dice)


def _client(diary: Diary) -> None:
    """Somebody who pays at no fixed times, all through the history."""
    name = diary.named(CLIENTS)
    if name is None:
        return
    number = diary.number()
    voice = voiced(diary, name, "client")
    checking = diary.held("checking").number
    day = diary.since + timedelta(diary.dice.randrange(30))
    amounts = []
    while day <= diary.today:
        amount = diary.dice.randint(20_000, 300_000)
        diary.book(LabelledRow(checking, day, amount, voice.on(day, diary), name.lower(), number))
        amounts.append(amount)
        day += timedelta(diary.dice.randint(9, 80))
    diary.streams.append(
        TrueStream(
            number=number,
            payee=name.lower(),
            side="income",
            what="client",
            cadence="irregular",
            knowable=knowable("irregular", amounts),
            active=None,
            next_date=None,
            next_amount=None,
        )
    )
