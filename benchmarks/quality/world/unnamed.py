"""Charges whose row does not say what for: cards that are not linked, payees known by a number.

And the opposite: names that say that two purchases a year apart are no annual charge.
"""

from dataclasses import replace
from datetime import timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import weekend_rule
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.passages import passages, standing
from benchmarks.quality.world.payees import CARD_ISSUERS, CHANCE_KINDS
from benchmarks.quality.world.schedule import drawn
from benchmarks.quality.world.streams import Outline, Voice, write
from benchmarks.quality.world.truth import LabelledRow, OwnAccount
from benchmarks.quality.world.voices import Spelling

_CARD_SWAY = 0.35


def write_unnamed(diary: Diary) -> None:
    """Write all charges of this kind, and the purchases that look alike."""
    if diary.chance(rates.UNLINKED_CARD):
        _unlinked_card(diary)
    for _ in range(diary.around(rates.ACCOUNT_NUMBERS)):
        _account_number(diary)
    for _ in range(diary.around(rates.CHANCE_PAIRS)):
        _chance_pair(diary)


def _unlinked_card(diary: Diary) -> None:
    """What is paid each month to a card of an issuer that the household has no account with."""
    own = {one.institution for one in diary.accounts}
    issuers = [one for one in CARD_ISSUERS[diary.country] if one not in own]
    if not issuers:
        return
    issuer = diary.dice.choice(issuers)
    checking = diary.held("checking")
    card = OwnAccount(
        0, issuer, "card", f"{diary.dice.randrange(1000, 9999)}", "credit", "credit card", ""
    )
    passage = diary.dice.choice(passages(diary.writer, "card"))
    write(
        diary,
        Outline(
            side="charge",
            what="unlinked card",
            payee=f"{issuer.lower()} card",
            voice=Voice(Spelling("", standing(passage[0], card, diary.holder), {})),
            schedule=drawn(
                "monthly", diary.today, weekend_rule(diary, {1: 0.8, 0: 0.2}), diary.dice
            ),
            shares=((checking.number, 1.0),),
            amount=diary.dice.randint(20_000, 220_000),
            since=diary.since,
            stops=rates.STOPS["monthly"],
            # A card's bill is what was bought, without noise too.
            sway=_CARD_SWAY,
            steps=False,
            quirks=("unlinked",),
        ),
    )


def _account_number(diary: Diary) -> None:
    """A payee whom the bank calls by an account number, and for some households a second one."""
    checking = diary.held("checking").number
    spelled = diary.spelled("", "numbered")
    for _ in range(diary.dice.randint(1, 2)):
        number = f"{diary.dice.randrange(10**7, 10**8)}"
        write(
            diary,
            Outline(
                side="charge",
                what="account number",
                payee=f"account {number}",
                voice=Voice(replace(spelled, fixed={**spelled.fixed, "number": number})),
                schedule=drawn("monthly", diary.today, 0, diary.dice),
                shares=((checking, 1.0),),
                amount=diary.dice.randint(30, 900) * 100,
                since=diary.since,
                stops=rates.STOPS["monthly"],
                steps=False,
                quirks=("account number",),
            ),
        )


def _chance_pair(diary: Diary) -> None:
    """Two like purchases at one payee a year apart, and never a third."""
    room = (diary.today - diary.since).days - 380
    telling = [f"~ {kind}" for kind in CHANCE_KINDS]
    name = diary.opaque() if diary.chance(rates.CHANCE_OPAQUE) else diary.named(telling)
    if room <= 0 or name is None:
        return
    account = diary.dice.choice([diary.held("checking"), *diary.cards]).number
    spelled = diary.spelled(name, "card", account)
    first = diary.since + timedelta(diary.dice.randrange(room))
    amount = diary.dice.randint(1_500, 45_000)
    again = amount
    if not diary.chance(rates.CHANCE_EQUAL):
        again = round(amount * (1 + diary.dice.uniform(-rates.CHANCE_ALIKE, rates.CHANCE_ALIKE)))
    for day, paid in (
        (first, amount),
        (first + timedelta(diary.dice.randint(350, 380)), again),
    ):
        diary.book(LabelledRow(account, day, -paid, spelled.on(day, diary.dice), name.lower()))
