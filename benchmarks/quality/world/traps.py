"""Situations that mislead a search for transfers (detection, section 3)."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.moves import Route, move, some_day
from benchmarks.quality.world.payees import DEPOSITS, PEOPLE
from benchmarks.quality.world.truth import LabelledRow


def write_traps(diary: Diary) -> None:
    """Write each situation as often as its rate says."""
    for name, mean in rates.TRAPS.items():
        for _ in range(diary.around(mean)):
            _TRAPS[name](diary)


def _friend_repays(diary: Diary) -> None:
    """A friend pays back exactly what a purchase on a card came to: two rows that are no transfer."""
    card = diary.dice.choice(diary.cards)
    bought = [row for row in diary.rows if row.account == card.number and _is_purchase(row)]
    if not bought:
        return
    row = diary.dice.choice(bought)
    day = row.day + timedelta(diary.dice.randint(0, 3))
    _from_friend(diary, diary.held("checking").number, day, -row.amount)


def _strangers(diary: Diary) -> None:
    """Somebody is paid, and within days somebody else pays the same sum into another account."""
    day, amount = some_day(diary), diary.dice.randint(10, 200) * 500
    friend = diary.person()
    spelled = diary.spelled(friend, "person")
    raw = spelled.on(day, diary.dice)
    diary.book(LabelledRow(diary.held("checking").number, day, -amount, raw, friend.lower()))
    later = day + timedelta(diary.dice.randint(0, 4))
    paid_in = diary.dice.choice(DEPOSITS[diary.country])
    diary.book(LabelledRow(diary.held("savings").number, later, amount, paid_in, "deposit"))


def _two_equal(diary: Diary) -> None:
    """Two transfers of one sum leave on one day, to one account or to two."""
    checking, savings = diary.held("checking"), diary.held("savings")
    day, amount = some_day(diary), diary.dice.randint(10, 100) * 1000
    other = diary.account("investment") or savings
    move(diary, Route(checking, savings, "transfer"), day, amount)
    other_route = Route(checking, other, "invest" if other.kind == "investment" else "transfer")
    move(diary, other_route, day, amount)


def _early_arrival(diary: Diary) -> None:
    route = Route(diary.held("savings"), diary.held("checking"), "transfer")
    amount = diary.dice.randint(2_000, 90_000)
    move(diary, route, some_day(diary) + timedelta(2), amount, late=-1)


def _fee(diary: Diary) -> None:
    """A bank keeps a fee of a wired sum, flat or a small share of it."""
    amount = diary.dice.randint(600, 4_000) * 100
    fee = diary.dice.choice((500, 1_000, 1_500, 2_500, amount // 200, amount // 100))
    route = Route(diary.held("checking"), diary.held("savings"), "wire")
    move(diary, route, some_day(diary), amount, late=diary.dice.randint(1, 3), fee=fee)


def _pay_equal(diary: Diary) -> None:
    """A payday's sum is moved on to another account: pay and transfer are of one amount."""
    checking, savings = diary.held("checking"), diary.held("savings")
    pay = [row for row in diary.rows if row.stream and row.amount > 50_000]
    if not pay:
        return
    row = diary.dice.choice(pay)
    if row.day > diary.today - timedelta(7):
        return
    out, into = (checking, savings) if row.account == checking.number else (savings, checking)
    move(
        diary,
        Route(out, into, "transfer"),
        row.day + timedelta(diary.dice.randint(0, 2)),
        row.amount,
    )


def _refund_elsewhere(diary: Diary) -> None:
    """A purchase paid from checking is refunded to a card."""
    checking = diary.held("checking").number
    bought = [row for row in diary.rows if row.account == checking and _is_purchase(row)]
    row = diary.dice.choice(bought)
    card = diary.dice.choice(diary.cards).number
    day = row.day + timedelta(diary.dice.randint(1, 4))
    diary.book(row._replace(account=card, day=day, amount=-row.amount))


def _one_leg(diary: Diary) -> None:
    """A transfer to an account that is not linked, while a friend pays the same into savings."""
    day, amount = some_day(diary), diary.dice.randint(4, 60) * 2_500
    raw = f"TRANSFER TO BROKERAGE {diary.dice.randrange(10**7, 10**8)}"
    diary.book(LabelledRow(diary.held("checking").number, day, -amount, raw, "brokerage"))
    later = day + timedelta(diary.dice.randint(0, 3))
    _from_friend(diary, diary.held("savings").number, later, amount)


def _credit_like_a_bill(diary: Diary) -> None:
    """A card gets a credit of exactly what a bill took from checking some days before or after."""
    checking = diary.held("checking").number
    bills = [row for row in diary.rows if row.account == checking and row.stream and row.amount < 0]
    if not bills:
        return
    bill = diary.dice.choice(bills)
    day = bill.day + timedelta(diary.dice.randint(-5, 5))
    _from_shop(diary, diary.dice.choice(diary.cards).number, day, -bill.amount)


def _paid_in_before(diary: Diary) -> None:
    """Money is paid in at a counter, and days later as much is sent to somebody from checking."""
    day, amount = some_day(diary), diary.dice.randint(10, 200) * 500
    paid_in = diary.dice.choice(DEPOSITS[diary.country])
    diary.book(LabelledRow(diary.held("savings").number, day, amount, paid_in, "deposit"))
    friend, later = diary.person(), day + timedelta(diary.dice.randint(1, 5))
    raw = diary.spelled(friend, "person").on(later, diary.dice)
    diary.book(LabelledRow(diary.held("checking").number, later, -amount, raw, friend.lower()))


def _refund_beside_payment(diary: Diary) -> None:
    """A shop's refund on a card equals what was paid to a card days before or after."""
    cards = {card.number for card in diary.cards}
    payments = [row for row in diary.rows if row.pair and row.account in cards]
    if not payments:
        return
    payment = diary.dice.choice(payments)
    day = payment.day + timedelta(diary.dice.choice((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)))
    _from_shop(diary, diary.dice.choice(diary.cards).number, day, payment.amount)


def _from_shop(diary: Diary, card: int, day: date, amount: int) -> None:
    name = diary.named(["~ FURNITURE", "~ OUTFITTERS", "~ ELECTRONICS"])
    if name is not None:
        raw = diary.spelled(name, "card", card).on(day, diary.dice)
        diary.book(LabelledRow(card, day, amount, raw, name.lower()))


def _from_friend(diary: Diary, account: int, day: date, amount: int) -> None:
    friend = diary.person()
    raw = diary.spelled(friend, "from_person").on(day, diary.dice)
    diary.book(LabelledRow(account, day, amount, raw, friend.lower()))


_NO_SHOPS = frozenset({"own account", "brokerage", *(person.lower() for person in PEOPLE)})


def _is_purchase(row: LabelledRow) -> bool:
    return (
        row.amount < 0
        and row.stream is None
        and row.pair is None
        and not row.cash
        and row.payee not in _NO_SHOPS
    )


_TRAPS: Mapping[str, Callable[[Diary], None]] = {
    "friend repays a purchase exactly": _friend_repays,
    "equal amounts with strangers": _strangers,
    "two equal transfers on one day": _two_equal,
    "arrival a day before departure": _early_arrival,
    "fee on the way": _fee,
    "pay equal to a transfer": _pay_equal,
    "refund on another account": _refund_elsewhere,
    "one leg on an account not linked": _one_leg,
    "a card's credit equal to a bill": _credit_like_a_bill,
    "paid in before an equal payment": _paid_in_before,
    "refund beside a card payment": _refund_beside_payment,
}
