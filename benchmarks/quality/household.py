"""A seed makes a household: its accounts, two years of rows, and every label."""

from collections import Counter
from datetime import date, timedelta
from random import Random

from benchmarks.quality import rates
from benchmarks.quality.bills import write_bills
from benchmarks.quality.diary import Diary
from benchmarks.quality.habits import write_habits
from benchmarks.quality.moves import write_moves
from benchmarks.quality.pay import write_income
from benchmarks.quality.payees import BANKS, CARD_ISSUERS, PEOPLE
from benchmarks.quality.traps import write_traps
from benchmarks.quality.truth import Household, LabelledRow, OwnAccount
from benchmarks.quality.voices import COUNTRIES, CURRENCY, Country
from finplan.model.account import AccountKind

_FIRST_TODAY = date(2026, 1, 10)
"""The last day of a household is in the year from here."""


def household(seed: int, level: rates.Level) -> Household:
    """The household of a seed; the same seed and level always make the same one."""
    dice = Random(seed)
    today = _FIRST_TODAY + timedelta(dice.randrange(365))
    country = dice.choices(list(COUNTRIES), list(COUNTRIES.values()))[0]
    diary = Diary(
        dice=dice,
        noise=rates.NOISE[level],
        country=country,
        since=_months_before(today, rates.MONTHS),
        today=today,
        holder=dice.choice(PEOPLE),
        accounts=_accounts(country, dice),
    )
    diary.names.add(diary.holder)
    write_bills(diary)
    write_income(diary)
    write_habits(diary)
    write_moves(diary)
    write_traps(diary)
    return Household(
        seed=seed,
        today=today,
        currency=CURRENCY[country],
        accounts=diary.accounts,
        rows=sorted(_whole_pairs(diary.rows), key=lambda row: row.day),
        streams=diary.streams,
    )


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


def _accounts(country: Country, dice: Random) -> list[OwnAccount]:
    banks, issuers = BANKS[country], CARD_ISSUERS[country]
    bank = dice.choice(banks)
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
    return [
        OwnAccount(number, institution, name, f"{dice.randrange(1000, 9999)}", kind, subtype)
        for number, (name, institution, kind, subtype) in enumerate(accounts, 1)
    ]
