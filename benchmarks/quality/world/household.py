"""A seed makes a household: its accounts, two years of rows, and every label."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import write_bills
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.foreign import write_foreign
from benchmarks.quality.world.habits import write_habits
from benchmarks.quality.world.mixed import write_mixed
from benchmarks.quality.world.moves import write_moves
from benchmarks.quality.world.pay import write_income
from benchmarks.quality.world.payees import BANKS, CARD_ISSUERS, CREDIT_UNIONS, PEOPLE
from benchmarks.quality.world.traps import write_traps
from benchmarks.quality.world.truth import Household, LabelledRow, OwnAccount, Span
from benchmarks.quality.world.unnamed import write_unnamed
from benchmarks.quality.world.voices import COUNTRIES, CURRENCY, Country, Manner, Writer
from finplan.model.account import AccountKind

_FIRST_TODAY = date(2026, 1, 10)
"""The last day of a household is in the year from here."""


def household(seed: int, level: rates.Level) -> Household:
    """The household of a seed; the same seed and level always make the same one."""
    diary = opened(Random(seed), level)
    write_bills(diary)
    write_mixed(diary)
    write_unnamed(diary)
    write_income(diary)
    write_habits(diary)
    write_moves(diary)
    write_foreign(diary)
    write_traps(diary)
    return closed(diary, seed)


def opened(dice: Random, level: rates.Level) -> Diary:
    """A household without rows."""
    today = _FIRST_TODAY + timedelta(dice.randrange(365))
    country = dice.choices(list(COUNTRIES), list(COUNTRIES.values()))[0]
    months = dice.choices(list(rates.MONTHS), list(rates.MONTHS.values()))[0]
    writer = Writer(country, _manner(country, dice))
    diary = Diary(
        dice=dice,
        noise=rates.NOISE[level],
        country=country,
        since=_months_before(today, months),
        today=today,
        holder=dice.choice(PEOPLE),
        writer=writer,
        accounts=_accounts(writer, dice),
    )
    diary.names.add(diary.holder)
    diary.dead = _dead_card(diary)
    diary.holes = _holes(diary)
    return diary


def closed(diary: Diary, seed: int) -> Household:
    """The household of a diary that is written to the end."""
    rows = sorted(_whole_pairs(diary.rows), key=lambda row: row.day)
    return Household(
        seed=seed,
        today=diary.today,
        currency=CURRENCY[diary.country],
        accounts=diary.accounts,
        rows=rows,
        streams=diary.streams,
        coverage=_coverage(diary, rows),
    )


def _manner(country: Country, dice: Random) -> Manner:
    if country == "US" and dice.random() < rates.CREDIT_UNION:
        return "labelled"
    return "lines" if dice.random() < rates.MANY_LINES else "usual"


def _dead_card(diary: Diary) -> tuple[int, date] | None:
    if len(diary.cards) < 2 or not diary.chance(rates.DEAD_CARD):
        return None
    days = (diary.today - diary.since).days
    back = timedelta(diary.dice.randint(60, min(400, days - 90)))
    return diary.cards[1].number, diary.today - back


def _holes(diary: Diary) -> dict[int, tuple[date, date]]:
    """The days of an account without statements, well before the last ones."""
    days = (diary.today - diary.since).days
    if not diary.chance(rates.HOLES) or days < 300:
        return {}
    held = [one for one in diary.accounts if one.kind in {"depository", "credit"}]
    account = diary.dice.choice(held)
    length = diary.dice.randint(*rates.HOLE_DAYS)
    first = diary.since + timedelta(diary.dice.randint(60, days - length - 70))
    return {account.number: (first, first + timedelta(length - 1))}


def _coverage(diary: Diary, rows: Sequence[LabelledRow]) -> dict[int, list[Span]]:
    """What each account's statements tell of the days that they hold."""
    covered: dict[int, list[Span]] = {}
    for account in diary.accounts:
        number = account.number
        until = diary.today
        if diary.dead and diary.dead[0] == number and diary.chance(0.5):
            # Nobody fetches the statements of a card that is gone.
            until = max((row.day for row in rows if row.account == number), default=until)
        ends = [(diary.since, until)]
        if number in diary.holes:
            first, last = diary.holes[number]
            ends = [(diary.since, first - timedelta(1)), (last + timedelta(1), until)]
        stated = diary.chance(rates.STATED_COVERAGE)
        covered[number] = [
            Span(*((since, until) if stated else (min(days), max(days))), stated=stated)
            for since, until in ends
            if (
                days := [
                    row.day for row in rows if row.account == number and since <= row.day <= until
                ]
            )
        ]
    return covered


def _months_before(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, 28)) + timedelta(1)


def _whole_pairs(rows: list[LabelledRow]) -> list[LabelledRow]:
    """The rows; one whose other leg has not arrived yet is no pair."""
    legs = Counter(row.pair for row in rows if row.pair is not None)
    return [
        row._replace(pair=None) if row.pair is not None and legs[row.pair] < 2 else row
        for row in rows
    ]


def _accounts(writer: Writer, dice: Random) -> list[OwnAccount]:
    country = writer.country
    banks, issuers = BANKS[country], CARD_ISSUERS[country]
    bank = dice.choice(CREDIT_UNIONS if writer.manner == "labelled" else banks)
    accounts: list[tuple[str, str, AccountKind, str]] = [
        ("checking", bank, "depository", "checking"),
        ("savings", dice.choice((bank, dice.choice(banks))), "depository", "savings"),
    ]
    issuer = dice.choice(issuers)
    accounts.append(("card", issuer, "credit", "credit card"))
    if dice.random() < rates.SECOND_CARD:
        second = dice.choice((issuer, *issuers))
        accounts.append(("second card", second, "credit", "credit card"))
    if dice.random() < rates.SECOND_CHECKING:
        accounts.append(("second checking", dice.choice(banks), "depository", "checking"))
    if dice.random() < rates.LOAN:
        subtype = dice.choice(("auto", "mortgage", "student"))
        accounts.append(("loan", dice.choice(banks), "loan", subtype))
    if dice.random() < rates.INVESTMENT:
        broker = dice.choice(("Fidelity", "Vanguard", "Charles Schwab"))
        accounts.append(("investment", broker, "investment", "brokerage"))
    if dice.random() < rates.FOREIGN_ACCOUNT:
        accounts.append(("foreign", dice.choice(banks), "depository", "checking"))
    abroad = dice.choice([one for one in sorted({*CURRENCY.values()}) if one != CURRENCY[country]])
    return [
        OwnAccount(
            number,
            institution,
            name,
            f"{dice.randrange(1000, 9999)}",
            kind,
            subtype,
            abroad if name == "foreign" else CURRENCY[country],
        )
        for number, (name, institution, kind, subtype) in enumerate(accounts, 1)
    ]
