"""Lives with money on its way between own accounts: fees, orders without words, PayPal beside a bank."""

from datetime import date, timedelta

from benchmarks.quality.lives.story import Level, Story, Stream
from benchmarks.quality.lives.work import add_partner, new_job, write_pay
from benchmarks.quality.world.moves import Route, move
from benchmarks.quality.world.payees import BANKS
from benchmarks.quality.world.schedule import drawn
from benchmarks.quality.world.streams import Voice
from benchmarks.quality.world.truth import LabelledRow, OwnAccount
from benchmarks.quality.world.voices import Spelling

# Each entry is the text of the leg that leaves, then of the leg that arrives; the first ones name the
# holder, whom both accounts have, the others nobody.
_NAMED = (
    ("{person}", "{person}"),
    ("{person} {order}", "{person} {order}"),
    ("{person}", "{order}"),
)
_WORDLESS = (
    ("{order}", "{order} {ref}"),
    ("REF {order}", "CREDIT {order}"),
    ("SO {order}", "{ref}"),
)

_SHOPS = (
    "ZALANDO SE", "EBAY S.A R.L.", "FLIXBUS", "THALIA BUECHER", "MEDIAMARKT ONLINE", "ETSY IRELAND",
    "LIEFERANDO", "STEAM GAMES", "DECATHLON", "AUDIBLE GMBH",
)  # fmt: skip
_BANK_PAYS = (
    "PAYPAL EUROPE S.A.R.L. ET CIE S.C.A {ref} PP.{code}.PP . {shop}, IHR EINKAUF BEI {shop}"
)
_BANK_GETS = "PAYPAL EUROPE S.A.R.L. ET CIE S.C.A {ref} PP.{code}.PP ABBUCHUNG VOM PAYPAL-KONTO"
_FUNDED = ("BANKGUTSCHRIFT AUF PAYPAL-KONTO {ref}", "BANKGUTSCHRIFT AUF PAYPAL-KONTO")
_WITHDRAWN = ("VON NUTZER EINGELEITETE ABBUCHUNG {ref}", "VON NUTZER EINGELEITETE ABBUCHUNG")


def write_fee_on_the_way(story: Story) -> None:
    """Money goes to another own bank each month, and a fee is kept: 100 leaves, 99.50 comes."""
    _write_pay(story)
    there = _open_other_bank(story)
    amount = story.dice.randint(20, 240) * 500
    is_wire = story.diary.chance(0.5)
    fee = story.dice.choice((500, 1_000, 1_500, 2_500)) if is_wire else amount // 200
    amount = max(amount, fee * 10)
    route = Route(story.diary.held("checking"), there, "wire" if is_wire else "transfer")
    late = story.dice.choice((0, 1, 1, 2))
    for day in _monthly_days(story):
        move(story.diary, route, day, amount, late=late, fee=fee)


def write_order_without_words(story: Story) -> None:
    """A standing order between two own accounts, whose texts do not say what it is."""
    _write_pay(story)
    there = _open_other_bank(story)
    texts = story.dice.choice(story.dice.choice((_NAMED, _WORDLESS)))
    amount, late = story.dice.randint(12, 180) * 1_000, story.dice.choice((0, 0, 1, 2))
    order = f"{story.dice.randrange(1_000, 9_999)}"
    filled = [
        text.replace("{person}", story.diary.holder).replace("{order}", order) for text in texts
    ]
    out, into = (text.replace("{ref}", _digits(story, 8)) for text in filled)
    for day in _monthly_days(story):
        _write_pair(story, story.diary.held("checking"), there, (out, into), (day, late), amount)


def write_paypal_beside_bank(story: Story) -> None:
    """Purchases by PayPal are funded from the bank; what is sold there is drawn to the bank."""
    _write_pay(story)
    diary = story.diary
    paypal = story.open_account("paypal", "PayPal", "paypal")
    bank = diary.held("checking")
    shops = story.dice.sample(_SHOPS, 6)
    diary.names.update(shops)
    has_reference = diary.chance(0.5)

    def texts(pair: tuple[str, str], bank_text: str, shop: str) -> tuple[str, str]:
        ref, code = _digits(story, 13), _digits(story, 4)
        there = pair[0 if has_reference else 1].format(ref=ref)
        return bank_text.format(ref=ref, code=code, shop=shop), there

    months = (diary.today - diary.since).days // 30
    for _ in range(months * story.dice.randint(2, 5)):
        day, shop = _any_day(story), story.dice.choice(shops)
        amount = story.dice.randint(600, 14_000)
        diary.book(LabelledRow(paypal.number, day, -amount, shop, shop.lower()))
        out, into = texts(_FUNDED, _BANK_PAYS, shop)
        # PayPal credits at once; the bank's debit follows.
        late = story.dice.choice((1, 2, 2, 3))
        _write_pair(story, bank, paypal, (out, into), (day + timedelta(late), -late), amount)
    for _ in range(months // 2):
        day, amount = _any_day(story), story.dice.randint(1_500, 22_000)
        buyer, sold = diary.person(), day - timedelta(story.dice.randint(0, 3))
        diary.book(LabelledRow(paypal.number, sold, amount, buyer, buyer.lower()))
        into, out = texts(_WITHDRAWN, _BANK_GETS, "")
        _write_pair(story, paypal, bank, (out, into), (day, story.dice.choice((1, 2, 3))), amount)


def write_paypal_subscription(story: Story) -> None:
    """A subscription that PayPal takes each month, funded from the bank like all else."""
    paypal = story.diary.held("paypal")
    name = "SPOTIFY AB"
    levels = [Level(date.min, story.dice.choice((1_099, 1_499, 1_799)))]
    schedule = drawn("monthly", story.diary.today, 0, story.dice)
    voice = Voice(Spelling(name, "{name}", {}))
    stream = Stream(
        "charge", "music", "subscriptions", name.lower(), voice, schedule, levels, None, paypal.name
    )
    story.write_stream(stream)
    bought = [row for row in story.diary.rows if row.payee == name.lower()]
    for row in bought:
        late = story.dice.choice((1, 2, 3))
        ref = {"ref": _digits(story, 13), "code": _digits(story, 4), "shop": name}
        texts = (_BANK_PAYS.format(**ref), _FUNDED[1])
        when = (row.day + timedelta(late), -late)
        _write_pair(story, story.diary.held("checking"), paypal, texts, when, -row.amount)


def _write_pay(story: Story) -> None:
    write_pay(story, new_job(story))
    add_partner(story)


def _open_other_bank(story: Story) -> OwnAccount:
    diary = story.diary
    here = diary.held("checking").institution
    banks = [bank for bank in BANKS[diary.country] if bank != here]
    return story.open_account("other bank", story.dice.choice(banks))


def _monthly_days(story: Story) -> list[date]:
    schedule = drawn("monthly", story.diary.today, 1, story.dice)
    return list(schedule.due(story.diary.since, story.diary.today))


def _any_day(story: Story) -> date:
    days = (story.diary.today - story.diary.since).days
    return story.diary.since + timedelta(story.dice.randrange(days))


def _write_pair(
    story: Story,
    out: OwnAccount,
    into: OwnAccount,
    texts: tuple[str, str],
    when: tuple[date, int],
    amount: int,
) -> None:
    """Both legs of a transfer: the day on which it leaves, and how much later it comes."""
    (day, late), pair = when, story.diary.number()
    arrival = day + timedelta(late)
    leaves = LabelledRow(out.number, day, -amount, texts[0], "own account", pair=pair)
    story.diary.book(leaves)
    story.diary.book(leaves._replace(account=into.number, day=arrival, amount=amount, raw=texts[1]))


def _digits(story: Story, count: int) -> str:
    return f"{story.dice.randrange(10 ** (count - 1), 10**count)}"
