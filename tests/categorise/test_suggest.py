"""Suggestions: each theme where it fits, never on a near miss, never on what is private.

With a question is suggested by a note, never by a weak guess, and no income for a refund.
"""

import tomllib
from collections.abc import Collection, Sequence
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.catalogue import BUILT_IN, Catalogue, Category
from finplan.categorise.decide import SUGGESTS_FROM, Decision, Knowledge, PayeeFacts, decide
from finplan.categorise.infer import train
from finplan.categorise.payee import payee_of
from finplan.categorise.suggest import Inflow, PayeeSpending, suggest, themes
from finplan.model.category import CategorySuggestion
from tests.categorise.descriptors import DESCRIPTORS

Charges = Sequence[tuple[int, int]]
Payee = tuple[str, str]
"""A payee's name and the category that it is in."""

FITTING: dict[str, tuple[Payee, ...]] = {
    "Children": (("Bright Horizons", "childcare"), ("Carter's", "shopping")),
    "Pet care": (("Petco", "shopping"), ("Prairie Animal Hospital", "uncategorized")),
    "Commute": (("NJ Transit", "transport"), ("SpotHero", "uncategorized")),
    "Car costs": (("Jiffy Lube", "car"), ("Shell", "transport")),
    "Cycling": (("Trek Bicycle", "shopping"), ("Zwift", "subscriptions")),
    "Climbing and outdoors": (("Crux Climbing Gym", "hobbies"), ("REI", "shopping")),
    "Golf": (("Topgolf", "entertainment"), ("Pine Valley Golf Club", "hobbies")),
    "Fitness": (("Planet Fitness", "subscriptions"), ("Lotus Yoga", "personal_care")),
    "Crafts": (("JOANN Fabrics", "shopping"), ("Loose Ends Yarn", "hobbies")),
    "Music making": (("Guitar Center", "shopping"), ("Elm St School of Music", "education")),
    "Photography": (("Adorama", "shopping"), ("KEH Camera", "uncategorized")),
    "Gaming": (("Steam Games", "entertainment"), ("GameStop", "shopping")),
    "Home projects": (("The Home Depot", "home_upkeep"), ("Tile Shop", "home_goods")),
    "Garden": (("Elm Garden Center", "home_goods"), ("TruGreen Lawn Care", "home_upkeep")),
    "Wedding": (("David's Bridal", "shopping"), ("The Knot", "uncategorized")),
    "Moving house": (("U-Haul", "transport"), ("CubeSmart", "home_upkeep")),
    "Side business": (("Squarespace", "subscriptions"), ("UPS Store", "shopping")),
    "Studies": (("Coursera", "education"), ("College Bookstore", "shopping")),
    "Care for relatives": (("Sunrise Senior Living", "family_support"), ("Moms Meals", "shopping")),
}
"""For each name that is told by words, two payees that a person would recognise it in."""

ALIKE: dict[str, tuple[Payee, ...]] = {
    "Children": (("Kidney Bean Cafe", "shopping"), ("Tiny Tim Travel", "travel")),
    "Pet care": (("Petrossian", "shopping"), ("Petersen Carpets", "home_goods")),
    "Commute": (("Metro PCS", "phone_internet"), ("Tolliver Books", "shopping")),
    "Car costs": (("Michelle Shells", "shopping"), ("Midas Touch Jewelry", "gifts_donations")),
    "Golf": (("Golfe de Naples", "travel"), ("Gulf Shores Rentals", "shopping")),
    "Garden": (("Olive Garden", "dining"), ("Madison Square Garden", "entertainment")),
    "Fitness": (("Gymkhana Kitchen", "shopping"), ("Barrel House", "entertainment")),
    "Home projects": (("Depot Street Diner", "shopping"), ("Lowell Books", "education")),
    "Studies": (("Universal Studios", "travel"), ("Chess Club", "hobbies")),
    "Gaming": (("Steamboat Springs Lodge", "travel"), ("Epic Burger", "shopping")),
}
"""Names that look like a theme's and are not."""


def spread(amount: int = 5_000, count: int = 3, since: int = 738_000, apart: int = 10) -> Charges:
    """So many equal charges, so many days apart."""
    return [(since + place * apart, amount) for place in range(count)]


def household(payees: Sequence[Payee], charges: Charges) -> list[PayeeSpending]:
    return [PayeeSpending(name.lower(), name, category, charges) for name, category in payees]


def propose(
    spent: Sequence[PayeeSpending],
    arrivals: Sequence[Inflow] = (),
    *,
    other: int = 500_000,
    months: Fraction = Fraction(12),
    catalogue: Catalogue | None = None,
    unwanted: Collection[str] = (),
) -> dict[str, CategorySuggestion]:
    """The suggestions by name for some charges beside other spending."""
    spending = other + sum(amount for part in spent for _, amount in part.charges)
    found = suggest(
        spent,
        arrivals,
        spending=spending,
        months=months,
        catalogue=catalogue or Catalogue(),
        unwanted=unwanted,
    )
    return {each.name: each for each in found}


def test_every_name_has_a_fitting_household() -> None:
    """No theme is left untested."""
    assert set(FITTING) | {"Work trips"} == themes().names


@pytest.mark.parametrize("name", FITTING)
def test_a_theme_is_seen_where_it_fits(name: str) -> None:
    """It gathers both merchants with all their charges, and says where these are now."""
    payees = FITTING[name]

    found = propose(household(payees, spread()))

    assert set(found) == {name}
    suggestion = found[name]
    assert {each.payee for each in suggestion.merchants} == {payee for payee, _ in payees}
    assert (suggestion.charges, suggestion.total, suggestion.monthly) == (6, 30_000, 2_500)
    assert {(home.label, home.charges) for home in suggestion.now_in} == {
        (BUILT_IN[category].label, 3) for _, category in payees
    }
    assert not suggestion.reimbursable


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_that_only_looks_alike_is_no_theme(name: str) -> None:
    """Words are compared whole."""
    assert propose(household(ALIKE[name], spread())) == {}


@pytest.mark.parametrize("name", FITTING)
def test_little_is_no_theme(name: str) -> None:
    """Two charges, or less than a fiftieth of all spending, are not worth a category."""
    payees = FITTING[name]

    assert propose(household(payees, spread(count=1))) == {}
    enough = household(payees, spread())
    assert set(propose(enough, other=49 * 30_000)) == {name}
    assert propose(enough, other=49 * 30_000 + 1) == {}


@pytest.mark.parametrize("name", FITTING)
def test_what_is_together_already_is_no_theme(name: str) -> None:
    """A theme that fills one category is kept apart already; a small part of a broad one is not."""
    alone = household([(payee, "shopping") for payee, _ in FITTING[name]], spread())
    half = PayeeSpending("acme", "Acme", "shopping", [(738_000, 30_000)])
    more = PayeeSpending("acme", "Acme", "shopping", [(738_000, 30_001)])

    assert propose(alone) == {}
    assert propose([*alone, half]) == {}
    assert set(propose([*alone, more])) == {name}


def test_one_narrow_category_is_no_theme() -> None:
    """A small part of a category that holds one thing only was filed there on purpose."""
    for category, fires in (("car", False), ("transport", True)):
        spent = household([("Petco", category), ("Chewy", category)], spread())
        rest = PayeeSpending("acme", "Acme", category, [(738_000, 90_000)])
        assert bool(propose([*spent, rest])) == fires


@pytest.mark.parametrize(("count", "fires"), [(5, False), (6, True)])
def test_one_merchant_must_be_met_often(count: int, fires: bool) -> None:
    """Six charges at a single merchant are a theme, five are not."""
    spent = [
        PayeeSpending("petco", "Petco", "shopping", spread(count=count)),
        PayeeSpending("acme", "Acme", "shopping", [(738_000, 400_000)]),
    ]
    assert bool(propose(spent)) == fires


def test_what_the_person_has_or_dismissed_is_not_suggested() -> None:
    """A name is unwanted in any case of its letters."""
    spent = household(FITTING["Car costs"], spread())

    assert propose(spent, unwanted=("CAR COSTS",)) == {}
    assert set(propose(spent, unwanted=("Cars",))) == {"Car costs"}


def test_nothing_is_taken_out_of_an_own_category() -> None:
    """What the person keeps apart already is nobody's theme any more."""
    own = Category.own("cat_1", "Rover and me", "essential", reimbursable=False)
    payees = [("Petco", "cat_1"), ("Chewy", "cat_1"), ("Prairie Vet Clinic", "shopping")]
    spent = household(payees, spread())

    assert propose(spent, catalogue=Catalogue.including([own])) == {}


def test_a_merchant_is_gathered_whole() -> None:
    """Charges of one payee in two categories are one merchant, since a rule files them together."""
    spent = [
        PayeeSpending("petco", "Petco", "shopping", spread(count=4)),
        PayeeSpending("petco", "Petco", "pets", spread(count=2)),
    ]
    (merchant,) = propose(spent)["Pet care"].merchants

    assert (merchant.charges, merchant.total) == (6, 30_000)


def test_a_merchant_that_gave_everything_back_is_left_out() -> None:
    """Refunds are deducted, and who was paid nothing in the end is named nowhere."""
    spent = [
        *household(FITTING["Pet care"], [(738_000, 8_000), (738_001, -1_000), (738_010, 8_000)]),
        PayeeSpending("chewy", "Chewy", "shopping", [(738_000, 8_000), (738_003, -8_000)]),
    ]
    suggestion = propose(spent)["Pet care"]

    assert (suggestion.total, suggestion.charges) == (30_000, 6)
    assert "Chewy" not in {each.payee for each in suggestion.merchants}


@pytest.mark.parametrize(("name", "within"), [("Wedding", 120), ("Moving house", 60)])
def test_an_event_lies_close_together(name: str, within: int) -> None:
    """What is spread over a longer time is no event."""
    for days, fires in ((within - 1, True), (within, False)):
        charges = [(738_000, 5_000), (738_001, 5_000), (738_000 + days, 5_000)]
        assert bool(propose(household(FITTING[name], charges))) == fires


TRIP = (
    PayeeSpending("hyatt", "Hyatt", "travel", [(738_010, 60_000)]),
    PayeeSpending("curb taxi", "Curb Taxi", "transport", [(738_007, 1_500), (738_008, 1_700)]),
)


def test_a_journey_near_a_conference_is_a_work_trip() -> None:
    """Lodging, the way there and the event itself; whoever is also paid at home is left out."""
    spent = [
        *TRIP,
        PayeeSpending("pycon", "PyCon Conference", "education", [(738_006, 40_000)]),
        PayeeSpending("uber", "Uber", "transport", [(738_008, 2_000), (738_100, 2_000)]),
        PayeeSpending("corner taco", "Corner Taco", "dining", [(738_008, 2_000)]),
    ]
    suggestion = propose(spent)["Work trips"]

    assert suggestion.reimbursable
    assert suggestion.theme == "work_trip"
    named = [each.payee for each in suggestion.merchants]
    assert named == ["Hyatt", "PyCon Conference", "Curb Taxi"]


REPAID = "expensify northglen exp reimb"


@pytest.mark.parametrize(("days", "fires"), [(0, True), (60, True), (61, False), (-1, False)])
def test_a_journey_that_is_paid_back_is_a_work_trip(days: int, fires: bool) -> None:
    """The employer's repayment follows within two months."""
    assert bool(propose(TRIP, [Inflow(REPAID, 738_010 + days)])) == fires


def test_a_repayment_is_for_the_last_journey_before_it() -> None:
    """An earlier journey that nobody paid back stays a holiday."""
    earlier = [
        PayeeSpending("ibis", "Ibis", "travel", [(738_010 - 40, 50_000)]),
        PayeeSpending("yellow cab", "Yellow Cab", "transport", [(738_010 - 39, 2_000)]),
    ]
    suggestion = propose([*earlier, *TRIP], [Inflow("exp reimb", 738_015)])["Work trips"]

    assert [each.payee for each in suggestion.merchants] == ["Hyatt", "Curb Taxi"]


def test_a_merchant_of_a_theme_is_on_no_work_trip() -> None:
    """A payee is in one suggestion at most, and its own theme comes first."""
    golf = PayeeSpending("golf hotel", "Golf Hotel", "travel", [(738_009, 30_000)])
    suggestion = propose([*TRIP, golf], [Inflow("exp reimb", 738_015)])["Work trips"]

    assert "Golf Hotel" not in {each.payee for each in suggestion.merchants}


def test_a_holiday_is_no_work_trip() -> None:
    """Without a word of work or a repayment nobody knows what a journey was for."""
    assert propose(TRIP, [Inflow("northglen payroll", 738_020)]) == {}
    far = PayeeSpending("pycon", "PyCon Conference", "education", [(738_025, 40_000)])
    assert propose([*TRIP, far]) == {}


FORBIDDEN = [
    " ".join(phrase.split())
    for phrase in tomllib.loads(
        files("finplan.categorise").joinpath("themes.toml").read_text("utf-8")
    )["forbidden"].split(",")
]


@pytest.mark.parametrize("phrase", FORBIDDEN)
def test_what_is_private_is_in_no_suggestion(phrase: str) -> None:
    """No merchant with such a word in its name is gathered, whatever else stands there."""
    private = household(
        [(f"{phrase.title()} Petco", "shopping"), (f"Gym of {phrase}", "hobbies")],
        spread(amount=90_000, count=8),
    )
    hotel = PayeeSpending(f"{phrase} hotel", f"{phrase} Hotel", "travel", [(738_009, 60_000)])
    conference = PayeeSpending("a", "PyCon Conference", "education", [(738_006, 40_000)])
    spent = [*private, hotel, *TRIP, conference, *household(FITTING["Pet care"], spread())]

    found = propose(spent, other=0)

    named = {each.payee for one in found.values() for each in one.merchants}
    assert named <= {"Hyatt", "Curb Taxi", "PyCon Conference", "Petco", "Prairie Animal Hospital"}


@pytest.mark.parametrize("category", ["health", "rent", "taxes", "loan_payment", "cash", "dining"])
def test_what_is_settled_stays_settled(category: str) -> None:
    """A pet shop's loan or a gym's doctor is not taken from where it is."""
    assert propose(household([("Petco", category), ("Chewy", "shopping")], spread())) == {}
    assert propose(household([("Petco", "uncategorized"), ("Chewy", "shopping")], spread())) != {}


NAMES = [payee for payees in FITTING.values() for payee, _ in payees] + ["Acme", "Hyatt", "Liquor"]
SPENDING = sorted(each.id for each in BUILT_IN.values() if each.flow == "spending")


@pytest.mark.thorough
@given(
    spent=st.lists(
        st.builds(
            PayeeSpending,
            key=st.sampled_from(NAMES),
            name=st.just(""),
            category=st.sampled_from(SPENDING),
            charges=st.lists(
                st.tuples(st.integers(738_000, 738_100), st.integers(-5_000, 20_000)), min_size=1
            ),
        ),
        max_size=25,
    ),
    months=st.fractions(Fraction(1, 2), 12, max_denominator=12),
)
def test_the_parts_add_up(spent: list[PayeeSpending], months: Fraction) -> None:
    """Merchants and present homes add up, no payee is in two suggestions, and five is the most."""
    parts = [part._replace(name=part.key) for part in spent]
    found = list(propose(parts, other=0, months=months).values())

    assert len(found) <= 5
    assert [each.total for each in found] == sorted((each.total for each in found), reverse=True)
    payees = [merchant.payee for each in found for merchant in each.merchants]
    assert len(payees) == len(set(payees))
    for each in found:
        assert each.total == sum(merchant.total for merchant in each.merchants)
        assert each.charges == sum(merchant.charges for merchant in each.merchants)
        assert each.charges == sum(home.charges for home in each.now_in)
        assert abs(each.monthly - each.total / months) <= Fraction(1, 2)


def test_no_spending_gives_no_suggestion() -> None:
    """A household of refunds, or of nothing, is asked nothing."""
    refunds = household(FITTING["Car costs"], spread(amount=-5_000))
    assert propose([], other=0) == {}
    assert propose(refunds, other=0) == {}
    assert propose([], other=0, months=Fraction(0)) == {}


SHIPPED = Knowledge(out=train("out", ()), into=train("in", ()))


def _decided(raw: str, *, paid: bool, knowledge: Knowledge = SHIPPED) -> Decision:
    payee = payee_of(raw)
    debits, credits_in = (2, 0) if paid else (0, 2)
    return decide(PayeeFacts(payee.key, payee.name, raw, debits, credits_in), knowledge)


@pytest.mark.parametrize(
    ("raw", "category"),
    [
        ("ZELLE TO JOHN LANDLORD RENT", "rent"),
        ('Zelle payment to John Smith for "rent"; Conf# a1b2c3', "rent"),
        ("VENMO *JOHN DOE groceries", "groceries"),
        ("BIZUM A FAVOR DE LUCIA NAVARRO CONCEPTO: ALQUILER", "rent"),
    ],
)
def test_a_note_suggests_what_a_person_was_paid_for(raw: str, category: str) -> None:
    """The words of a note are evidence; yet it speaks of one payment, so that the payee stays open."""
    decision = _decided(raw, paid=True)
    assert (decision.out, decision.source, decision.suggested) == ("uncategorized", None, category)
    assert decision.confidence is not None


@pytest.mark.parametrize("raw", ["ZELLE TO PETER BAKER", "VENMO *MARIA CHURCH", "ZELLE RITA YOGA"])
def test_the_name_of_a_person_is_no_note(raw: str) -> None:
    """A surname says nothing of what was paid for."""
    assert _decided(raw, paid=True).suggested is None


@given(DESCRIPTORS, st.booleans())
def test_no_weak_guess_is_shown(raw: str, paid: bool) -> None:
    """No suggestion is better than one that is most often wrong."""
    decision = _decided(raw, paid=paid)
    if decision.source is None and decision.suggested is not None:
        assert decision.confidence is not None
        assert decision.confidence >= SUGGESTS_FROM


@pytest.mark.parametrize("raw", ["SIRIUS RADIO", "WANG FANG", "KERN LINDQUIST", "BLUE HERON QZX"])
def test_a_name_that_tells_nothing_suggests_nothing(raw: str) -> None:
    """Pieces of words alone are no reason to suggest a category."""
    assert _decided(raw, paid=True).suggested is None


@pytest.mark.parametrize("raw", ["JANE DOE", "ZELLE FROM JANE DOE", "HOFFMAN LINDQUIST"])
def test_an_unknown_sender_is_no_employer(raw: str) -> None:
    """Pay is the last thing that a sender of whom nothing is known is taken for."""
    decision = _decided(raw, paid=False)
    assert (decision.into, decision.suggested) == ("unknown_inflow", None)
    assert decision.alternatives[-1] == "wages"


@pytest.mark.parametrize(
    ("raw", "shop", "category"),
    [
        ("TARGET REFUND", "TARGET", "shopping"),
        ("SMITH HARDWARE REFUND", "SMITH HARDWARE", "home_upkeep"),
        ("REFUND BOBS BOOKS", "BOBS BOOKS", "shopping"),
        ("PURCHASE REFUND BLUE HERON QZX", "BLUE HERON QZX", "uncategorized"),
        ("LIBRERIA MOLINA DEVOLUCION", "LIBRERIA MOLINA", "shopping"),
    ],
)
def test_a_shops_refund_is_money_back(raw: str, shop: str, category: str) -> None:
    """A refund is the shop's, and lowers what is spent there; it is neither pay nor a tax refund."""
    assert payee_of(raw).key == payee_of(shop).key
    assert _decided(raw, paid=False).into == category


@pytest.mark.parametrize(
    "raw", ["IRS TREAS 310 TAX REF", "STATE OF OHIO TAX REFUND", "TAX REFUND", "HMRC PAYE REFUND"]
)
def test_a_tax_refund_is_one(raw: str) -> None:
    """What a tax office gives back is no shop's refund."""
    assert _decided(raw, paid=False).into == "tax_refund"


def test_a_tax_refund_keeps_its_name() -> None:
    """A refund goes from a shop's name, and stays where the tax is all that is left."""
    assert payee_of("TAX REFUND").key == "tax refund"
