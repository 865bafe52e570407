"""Payees that are for more than one thing: a bill beside purchases, a payment service, a platform."""

from collections.abc import Mapping
from datetime import date, timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.schedule import drawn
from benchmarks.quality.world.streams import Outline, voiced, write
from benchmarks.quality.world.truth import LabelledRow
from benchmarks.quality.world.voices import Channel, Country

_MIXED: Mapping[Country, tuple[str, ...]] = {
    "US": ("~ WIRELESS", "~ ENERGY", "~ MEDICAL GROUP", "~ PROPANE", "~ VETERINARY", "~ ACADEMY"),
    "UK": ("~ MOBILE", "~ ENERGY", "~ DENTAL CARE", "~ SCHOOL", "~ VETS"),
    "DE": ("~ MOBILFUNK", "STADTWERKE ~", "~ SPORTVEREIN", "KITA ~"),
    "FR": ("~ MOBILE", "~ ENERGIE", "~ CRECHE", "MUTUELLE ~"),
}
_RAILS: Mapping[Country, str] = {
    "US": "VENMO",
    "UK": "PAYPAL",
    "DE": "PAYPAL EUROPE",
    "FR": "LYDIA",
}
_PLATFORMS: Mapping[Country, tuple[str, ...]] = {
    "US": ("DOORDASH", "UBER", "INSTACART", "LYFT"),
    "UK": ("DELIVEROO", "UBER", "JUST EAT"),
    "DE": ("LIEFERANDO", "UBER", "WOLT"),
    "FR": ("DELIVEROO", "UBER", "STUART"),
}
DAYS_OF_OTHERS = 395
"""Other rows at a payee are counted over so many days: thirteen months."""


def write_mixed(diary: Diary) -> None:
    """Write every payee that is for more than one thing."""
    for _ in range(diary.around(rates.MIXED_BILLS)):
        write_mixed_bill(diary, diary.dice.randint(0, rates.MIXED_OTHERS))
    if diary.chance(rates.RAIL_RENT):
        _rail(diary)
    if diary.chance(rates.GIG_PLATFORM):
        _platform(diary)


def write_mixed_bill(diary: Diary, others: int) -> None:
    """A monthly bill that varies, and so many other rows at its payee in thirteen months."""
    name = (
        diary.opaque() if diary.chance(rates.OPAQUE_BILLS) else diary.named(_MIXED[diary.country])
    )
    if name is None:
        return
    channel: Channel = diary.dice.choice(("card", "debit"))
    account = diary.held("checking").number
    if channel == "card" and diary.cards and diary.chance(rates.PURCHASES_ON_CARD):
        account = diary.dice.choice(diary.cards).number
    voice = voiced(diary, name, channel, account=account)
    amount = diary.dice.randint(3_000, 18_000)
    write(
        diary,
        Outline(
            side="charge",
            what="mixed bill",
            payee=name.lower(),
            voice=voice,
            schedule=drawn(
                "monthly", diary.today, weekend_rule(diary, dict(rates.WEEKEND_RULES)), diary.dice
            ),
            shares=((account, 1.0),),
            amount=amount,
            since=diary.since,
            sway=diary.dice.uniform(*rates.MIXED_SWAY) if diary.noise.sway else 0.0,
            # Among other rows a few bills are not told from them.
            least=5,
            quirks=(f"{others} others",),
        ),
    )
    _others(diary, others, (account, name, channel), (amount // 8, amount * 3))


def write_purchases(diary: Diary, rows: int) -> None:
    """A payee without a bill: so many rows in thirteen months, on any days, of any amounts."""
    name = (
        diary.opaque() if diary.chance(rates.OPAQUE_BILLS) else diary.named(_MIXED[diary.country])
    )
    if name is None:
        return
    usual = diary.dice.randint(3_000, 18_000)
    spread = diary.dice.choice(((usual * 3 // 4, usual * 5 // 4), (usual // 8, usual * 3)))
    _others(diary, rows, (diary.held("checking").number, name, "card"), spread)


def _others(
    diary: Diary, rows: int, payee: tuple[int, str, Channel], amounts: tuple[int, int]
) -> None:
    account, name, channel = payee
    voice = voiced(diary, name, channel, account=account)
    days = (diary.today - diary.since).days
    for _ in range(round(rows * days / DAYS_OF_OTHERS)):
        day = diary.since + timedelta(diary.dice.randrange(days))
        amount = -diary.dice.randint(*amounts)
        diary.book(LabelledRow(account, day, amount, voice.on(day, diary), name.lower()))


def _rail(diary: Diary) -> None:
    """A share of the rent sent by a payment service, with other payments there and dinners back."""
    name = _RAILS[diary.country]
    diary.names.add(name)
    voice = voiced(diary, name, "rail")
    checking = diary.held("checking").number
    write(
        diary,
        Outline(
            side="charge",
            what="rent share",
            payee=name.lower(),
            voice=voice,
            schedule=drawn("monthly", diary.today, 0, diary.dice),
            shares=((checking, 1.0),),
            amount=diary.dice.randint(40, 140) * 1_000,
            since=diary.since,
            stops=rates.STOPS["monthly"],
            quirks=("rail",),
        ),
    )
    for sign, least, most in ((-1, 6, 24), (1, 4, 16)):
        for _ in range(diary.dice.randint(least, most)):
            day = _some_day(diary)
            amount = sign * diary.dice.randint(600, 9_000)
            diary.book(LabelledRow(checking, day, amount, voice.on(day, diary), name.lower()))


def _platform(diary: Diary) -> None:
    """A platform that pays out each week, is bought from, and gives refunds."""
    name = diary.named(_PLATFORMS[diary.country])
    if name is None:
        return
    checking = diary.held("checking").number
    write(
        diary,
        Outline(
            side="income",
            what="payout",
            payee=name.lower(),
            voice=voiced(diary, name, "payout"),
            schedule=drawn("weekly", diary.today, 0, diary.dice),
            shares=((checking, 1.0),),
            amount=diary.dice.randint(8_000, 70_000),
            since=diary.since,
            stops=rates.PAY_STOPS["weekly"],
            sway=0.45 if diary.noise.sway else 0.0,
            quirks=("platform",),
        ),
    )
    account = diary.dice.choice([diary.held("checking"), *diary.cards]).number
    shop = voiced(diary, name, "card", account=account)
    for _ in range(diary.dice.randint(2, 18)):
        day, amount = _some_day(diary), diary.dice.randint(900, 4_500)
        diary.book(LabelledRow(account, day, -amount, shop.on(day, diary), name.lower()))
        if diary.chance(0.15):
            back = day + timedelta(diary.dice.randint(1, 6))
            diary.book(LabelledRow(account, back, amount, shop.on(back, diary), name.lower()))


def _some_day(diary: Diary) -> date:
    return diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days))
