"""Writing a life: flows with levels that change, one-offs, and the figures that follow from them.

The diary of a story goes on beyond its last known day, so that what truly comes is written as well.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from random import Random

from benchmarks.quality.lives.truth import (
    Change,
    Flow,
    Life,
    Window,
    level_of,
    monthly_amount,
    window_before,
)
from benchmarks.quality.world import rates
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.payees import BANKS, CARD_ISSUERS, PEOPLE
from benchmarks.quality.world.schedule import Schedule, period_days
from benchmarks.quality.world.streams import Voice
from benchmarks.quality.world.truth import (
    Coming,
    Household,
    LabelledRow,
    OwnAccount,
    Side,
    Span,
)
from benchmarks.quality.world.voices import CURRENCY, Channel, Country, Writer

AHEAD = 60
"""Days after the last known day that are written too."""

LATE = 8
"""A payment that is so many days late has not come: five by the rules, and a weekend."""

_FIRST_TODAY = date(2026, 1, 10)
_CASH = (300_000, 1_500_000)
_STILL = replace(rates.NOISE["noisy"], skipped=0.0, slipped=0.0)
"""No payment is skipped, so that each flow keeps the share of its periods at one."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a payment comes to from a day on; 0 is a pause, or the end."""

    since: date
    amount: int


@dataclass(frozen=True, slots=True)
class Stream:
    """A flow before its transactions are written: when it is due, and its levels in their order.

    `dues` are its due days where no schedule tells them. `is_open` says that the rules leave open
    whether it counts before the person has answered.
    """

    side: Side
    what: str
    category: str
    payee: str
    voice: Voice
    schedule: Schedule
    levels: Sequence[Level]
    dues: Sequence[date] | None = None
    account: str = "checking"
    temporary: bool = False
    is_open: bool = False

    def amount_on(self, day: date) -> int:
        """The level of a due day."""
        return next((level.amount for level in reversed(self.levels) if level.since <= day), 0)


@dataclass(slots=True)
class Story:
    """A life while it is written; `diary` ends days after `today`, the last that is known."""

    kind: str
    diary: Diary
    today: date
    window: Window
    flows: list[Flow] = field(default_factory=list)

    @property
    def dice(self) -> Random:
        """What is drawn by chance."""
        return self.diary.dice

    def draw_voice(self, name: str, channel: Channel) -> Voice:
        """How a payee is written, always the same way."""
        return Voice(self.diary.spelled(name, channel))

    def open_account(self, name: str, institution: str, subtype: str = "checking") -> OwnAccount:
        """Another account of the household's own."""
        mask = f"{self.dice.randrange(1000, 9999)}"
        number = len(self.diary.accounts) + 1
        currency = CURRENCY[self.diary.country]
        account = OwnAccount(number, institution, name, mask, "depository", subtype, currency)
        self.diary.accounts = [*self.diary.accounts, account]
        return account

    def known_dues(self, schedule: Schedule) -> list[date]:
        """All due days that are known."""
        return list(schedule.due(self.diary.since, self.today))

    def write_stream(self, stream: Stream) -> None:
        """Write a flow that comes again, to the end of the diary."""
        diary, number = self.diary, self.diary.number()
        account = diary.held(stream.account).number
        sign = 1 if stream.side == "income" else -1
        dues = stream.dues or stream.schedule.due(diary.since, diary.today)
        rows = []
        for due in dues:
            amount = stream.amount_on(due)
            late = _STILL.jitter_days if self.dice.random() < _STILL.jitter else (0,)
            day = due + timedelta(self.dice.choice(late))
            raw = stream.voice.on(day, diary)
            row = LabelledRow(account, day, sign * amount, raw, stream.payee, number)
            if amount and diary.book(row):
                rows.append(row)
        past = [row for row in rows if row.day <= self.today]
        if past:
            later = min((row for row in rows if row.day > self.today), default=None, key=_day)
            self.flows.append(self._flow_of(stream, number, past, later))

    def _flow_of(
        self, stream: Stream, number: int, past: Sequence[LabelledRow], later: LabelledRow | None
    ) -> Flow:
        cadence, every = stream.schedule.cadence, stream.schedule.every_days
        level = level_of(stream.side, [abs(row.amount) for row in past])
        change = self._change_of(stream, past, level)
        level = 0 if change == "ended" else level
        observed = self.window.mean_of(past)
        monthly, unsure = monthly_amount(level, cadence, every), Fraction(0)
        if change in {"same", "one credit"}:
            # A bonus in the pay, or a new amount that came once, may be in the mean or not.
            flat = self.window.mean_of([row._replace(amount=level) for row in past])
            monthly, unsure = min(flat, observed), abs(flat - observed)
        if stream.is_open:
            monthly, unsure = Fraction(0), monthly
        return Flow(
            number=number,
            payee=stream.payee,
            side=stream.side,
            what=stream.what,
            category=stream.category,
            cadence=cadence,
            change=change,
            level=level,
            monthly=monthly,
            observed=observed,
            unsure=unsure,
            coming=None if later is None else Coming(later.day, abs(later.amount)),
            temporary=stream.temporary,
        )

    def _change_of(self, stream: Stream, past: Sequence[LabelledRow], level: int) -> Change:
        """What became of a flow in the window or since, by its transactions."""
        grace = timedelta(period_days(stream.schedule.cadence) + LATE)
        since = self.window.since
        if stream.amount_on(self.today) == 0:
            return "ended"
        pairs = pairwise(past)
        if any(later.day >= since for row, later in pairs if _is_pause(row, later, grace)):
            return "resumed"
        if past[0].day > max(self.diary.since + grace, since):
            return "began"
        before = [abs(row.amount) for row in past if row.day <= since + grace]
        if level_of(stream.side, before) != level:
            return "stepped"
        return "same" if abs(past[-1].amount) == level else "one credit"

    def write_one_off(self, side: Side, what: str, category: str, row: LabelledRow) -> None:
        """Write a one-off: it is in what was, never in what is planned with."""
        number = self.diary.number()
        self.diary.book(row._replace(stream=number))
        observed = self.window.mean_of([row])
        nothing = (0, Fraction(0), observed)
        self.flows.append(
            Flow(number, row.payee, side, what, category, "irregular", "once", *nothing)
        )

    def write_irregular(
        self, what: str, category: str, rows: Sequence[LabelledRow], change: Change
    ) -> None:
        """Write a payer without a cadence: its mean over the window, unless it has stopped."""
        number = self.diary.number()
        past = [row for row in rows if row.day <= self.today]
        for row in rows:
            self.diary.book(row._replace(stream=number))
        observed = self.window.mean_of(past)
        monthly = observed if change == "irregular" else Fraction(0)
        payee = rows[0].payee
        self.flows.append(
            Flow(number, payee, "income", what, category, "irregular", change, 0, monthly, observed)
        )

    def monthly_spending(self) -> int:
        """What a month of the window has cost so far, every flow included."""
        paid = [row for row in self.diary.rows if row.amount < 0 and row.pair is None]
        return round(self.window.mean_of(paid))

    def close(self, seed: int) -> Life:
        """The life with its truth, once everything is written."""
        diary = self.diary
        rows = sorted(_whole_pairs(diary.rows, self.today), key=_day)
        past = [row for row in rows if row.day <= self.today]
        balances = {account.number: 0 for account in diary.accounts}
        balances[diary.held("checking").number] = self.dice.randint(*_CASH)
        for card in diary.cards:
            balances[card.number] = -sum(row.amount for row in past if row.account == card.number)
        household = Household(
            seed=seed,
            today=self.today,
            currency=CURRENCY[diary.country],
            accounts=diary.accounts,
            rows=past,
            streams=(),
            coverage={
                account.number: [Span(diary.since, self.today, stated=True)]
                for account in diary.accounts
            },
        )
        everyday = self.window.mean_of([*filter(_is_everyday, past), *_fees(past)])
        income = [flow for flow in self.flows if flow.side == "income"]
        charges = [flow for flow in self.flows if flow.side == "charge"]
        return Life(
            kind=self.kind,
            household=household,
            flows=self.flows,
            window=self.window,
            balances=balances,
            coming=[row for row in rows if row.day > self.today],
            observed_income=round(sum(flow.observed for flow in income)),
            observed_spend=round(everyday + sum(flow.observed for flow in charges)),
            running_income=round(sum(flow.monthly for flow in income)),
            running_spend=round(everyday + sum(flow.monthly for flow in charges)),
        )


def open_story(kind: str, dice: Random, country: Country, months: int, today: date | None) -> Story:
    """A story without transactions, of so many full months before its last known day."""
    today = today or _FIRST_TODAY + timedelta(dice.randrange(365))
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    since = date(year, month + 1, 1)
    diary = Diary(
        dice=dice,
        noise=_STILL,
        country=country,
        since=since,
        today=today + timedelta(AHEAD),
        holder=dice.choice(PEOPLE),
        writer=Writer(country, "usual"),
        accounts=_accounts(country, dice),
    )
    diary.names.add(diary.holder)
    return Story(kind, diary, today, window_before(since, today))


def _accounts(country: Country, dice: Random) -> list[OwnAccount]:
    bank, currency = dice.choice(BANKS[country]), CURRENCY[country]
    issuer = dice.choice([issuer for issuer in CARD_ISSUERS[country] if issuer != bank])
    masks = [f"{dice.randrange(1000, 9999)}" for _ in range(3)]
    return [
        OwnAccount(1, bank, "checking", masks[0], "depository", "checking", currency),
        OwnAccount(2, bank, "savings", masks[1], "depository", "savings", currency),
        OwnAccount(3, issuer, "card", masks[2], "credit", "credit card", currency),
    ]


def _is_pause(row: LabelledRow, later: LabelledRow, grace: timedelta) -> bool:
    """Whether two payments in a row are a pause apart, 2.5 intervals and 45 days at least (C29)."""
    return later.day - row.day >= max(2.5 * grace, timedelta(45))


def _is_everyday(row: LabelledRow) -> bool:
    """Whether a payment is of no flow and no transfer, not even of one that is on its way."""
    return row.amount < 0 and row.stream is None and row.pair is None and row.payee != "own account"


def _fees(rows: Sequence[LabelledRow]) -> list[LabelledRow]:
    """What was lost on the way of transfers, as a payment on the day that each left."""
    pairs = (sorted(legs, key=lambda row: row.amount) for legs in _legs(rows).values())
    return [out._replace(amount=out.amount + into.amount) for out, into in pairs]


def _whole_pairs(rows: Sequence[LabelledRow], today: date) -> list[LabelledRow]:
    """The rows; a transfer of which one leg alone is known is no pair yet."""
    halves = {
        pair
        for pair, legs in _legs(rows).items()
        if len(legs) < 2 or len({row.day <= today for row in legs}) > 1
    }
    return [row._replace(pair=None) if row.pair in halves else row for row in rows]


def _legs(rows: Sequence[LabelledRow]) -> Mapping[int, Sequence[LabelledRow]]:
    """The legs of each transfer by its number."""
    legs: dict[int, list[LabelledRow]] = defaultdict(list)
    for row in rows:
        if row.pair is not None:
            legs[row.pair].append(row)
    return legs


def _day(row: LabelledRow) -> date:
    return row.day
