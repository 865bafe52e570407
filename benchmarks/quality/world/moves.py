"""Money that moves between a household's own accounts: plans, card payments, loans, investments."""

from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.passages import Way, passages, standing, texts
from benchmarks.quality.world.schedule import drawn
from benchmarks.quality.world.streams import Outline, Voice, write
from benchmarks.quality.world.truth import LabelledRow, OwnAccount
from benchmarks.quality.world.voices import Spelling

_UNDER_WAY = {0: 0.30, 1: 0.30, 2: 0.25, 3: 0.10, 4: 0.05}
"""Days between the legs of a transfer to another bank."""


@dataclass(frozen=True, slots=True)
class Route:
    """A way between two own accounts, with how its legs are written; None draws afresh each time."""

    out: OwnAccount
    into: OwnAccount
    way: Way
    passage: tuple[str, str] | None = None


def write_moves(diary: Diary) -> None:
    """Write all ordinary movements between own accounts; purchases on cards are written before."""
    checking, savings = diary.held("checking"), diary.held("savings")
    if diary.chance(rates.SAVING_PLAN):
        _monthly(diary, _settled(diary, checking, savings, "transfer"), 5_000, 80_000)
    investment = diary.account("investment")
    if investment is not None:
        _monthly(diary, _settled(diary, checking, investment, "invest"), 5_000, 60_000)
    for _ in range(diary.around(rates.SPONTANEOUS)):
        ways = [(checking, savings), (savings, checking)]
        second = diary.account("second checking")
        if second is not None:
            ways += [(checking, second), (second, checking)]
        out, into = diary.dice.choice(ways)
        amount = diary.dice.choice(
            (diary.dice.randint(20, 400) * 500, diary.dice.randint(2000, 90000))
        )
        move(diary, Route(out, into, "transfer"), some_day(diary), amount)
    _card_payments(diary)
    _loan(diary)


def some_day(diary: Diary) -> date:
    """Any day of the history but its last week, so that both legs are seen."""
    return diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days - 7))


def move(
    diary: Diary, route: Route, day: date, amount: int, late: int | None = None, fee: int = 0
) -> None:
    """Write both legs of a movement; `late` are the days until it arrives, a fee is lost on the way."""
    options = passages(diary.writer, route.way)
    passage = route.passage or diary.dice.choice(options)
    out, into = texts(passage, route.out, route.into, diary.holder, day, diary.dice)
    if late is None:
        same_bank = route.out.institution == route.into.institution
        days = diary.dice.choices(list(_UNDER_WAY), list(_UNDER_WAY.values()))[0]
        late = 0 if same_bank else days
    pair = diary.number()
    arrival = day + timedelta(late)
    diary.book(LabelledRow(route.out.number, day, -amount, out, "own account", pair=pair))
    diary.book(
        LabelledRow(route.into.number, arrival, amount - fee, into, "own account", pair=pair)
    )


def _settled(diary: Diary, out: OwnAccount, into: OwnAccount, way: Way) -> Route:
    """A route whose legs are always written the same way, as those of a standing order are."""
    return Route(out, into, way, diary.dice.choice(passages(diary.writer, way)))


def _monthly(diary: Diary, route: Route, least: int, most: int) -> None:
    amount = diary.dice.randint(least // 500, most // 500) * 500
    schedule = drawn("monthly", diary.today, weekend_rule(diary, {1: 0.8, -1: 0.2}), diary.dice)
    for day in schedule.due(diary.since, diary.today):
        move(diary, route, day, amount)


def _card_payments(diary: Diary) -> None:
    """Each card is paid once a month, most in full; two equal cards both by the same least payment."""
    checking = diary.held("checking")
    cards = diary.cards
    twins = len(cards) == 2 and cards[0].institution == cards[1].institution
    schedule = drawn("monthly", diary.today, weekend_rule(diary, {1: 0.8, 0: 0.2}), diary.dice)
    worded = passages(diary.writer, "card")
    passage = diary.dice.choice(worded)
    for card in cards:
        if not twins:
            schedule = drawn("monthly", diary.today, schedule.weekends, diary.dice)
            passage = diary.dice.choice(worded)
        way = diary.dice.choices([*rates.CARD_LAGS], [*rates.CARD_LAGS.values()])[0]
        lags = rates.CARD_LAG[way]
        share = diary.dice.uniform(0.2, 0.7) if diary.chance(rates.REVOLVES) else 1.0
        route = Route(checking, card, "card", passage)
        before = diary.since
        for day in schedule.due(diary.since + timedelta(20), diary.today):
            owed = 3_500 if twins else _charged(diary, card, before, day)
            before = day
            if diary.dead and card.number == diary.dead[0] and day > diary.dead[1] + timedelta(35):
                break
            if share < 1:
                owed = round(owed * share / 2_500) * 2_500
            if owed > 0:
                late = diary.dice.choices([*lags], [*lags.values()])[0]
                move(diary, route, day, owed, late=late)


def _charged(diary: Diary, card: OwnAccount, since: date, until: date) -> int:
    return -sum(
        row.amount
        for row in diary.rows
        if row.account == card.number and since <= row.day < until and row.pair is None
    )


def _loan(diary: Diary) -> None:
    """A linked loan: its payment is a recurring charge, and has a second leg on the loan."""
    loan = diary.account("loan")
    if loan is None:
        return
    checking = diary.held("checking")
    passage = diary.dice.choice(passages(diary.writer, "loan"))
    _, arrives = texts(passage, checking, loan, diary.holder, diary.today, diary.dice)
    outline = Outline(
        side="charge",
        what="linked loan",
        payee=loan.institution.lower(),
        voice=Voice(Spelling("", standing(passage[0], loan, diary.holder), {})),
        schedule=drawn("monthly", diary.today, weekend_rule(diary, {1: 1.0}), diary.dice),
        shares=((checking.number, 1.0),),
        amount=diary.dice.randint(18_000, 210_000),
        since=diary.since,
        steps=False,
    )
    for row in write(diary, outline):
        pair = diary.number()
        diary.rows[diary.rows.index(row)] = row._replace(pair=pair)
        arrival = row.day + timedelta(diary.dice.choice((0, 0, 1, 2)))
        diary.book(
            LabelledRow(loan.number, arrival, -row.amount, arrives, "own account", pair=pair)
        )
