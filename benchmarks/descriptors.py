"""The payees of a generated ledger, and how a bank spells them.

There are chains with branches, corner shops and card processors; days and reference numbers make
many a descriptor a text that no other row has.
"""

from dataclasses import dataclass
from random import Random

KNOWN = (
    "KROGER", "WALMART", "SHELL OIL", "STARBUCKS", "MCDONALD'S", "COSTCO WHSE", "TARGET",
    "CVS/PHARMACY", "CHEVRON", "TRADER JOE S", "WHOLEFDS", "THE HOME DEPOT", "CHIPOTLE",
    "WALGREENS", "SAFEWAY", "EXXONMOBIL", "DUNKIN", "PANERA BREAD", "LOWE'S", "BEST BUY",
    "SUBWAY", "TACO BELL", "PETCO", "ALDI", "PUBLIX", "IKEA", "DOLLAR TREE", "WENDY'S",
    "7-ELEVEN", "ROSS STORES", "OLD NAVY", "BARNES & NOBLE", "AUTOZONE", "GREAT CLIPS",
    "DOMINO'S", "SPROUTS FARMERS MAR", "WINCO FOODS", "TJ MAXX", "MARSHALLS", "REI",
)  # fmt: skip
"""Chains that everybody knows; the most frequent payees of a ledger."""

FIRST_WORDS = (
    "CEDAR", "BLUE HERON", "OLD MILL", "GOLDEN", "RIVERSIDE", "SUNSET", "MAPLE", "COPPER",
    "LUCKY", "NORTHSIDE", "SILVER", "HARVEST", "LITTLE", "TWIN OAKS", "RED BARN", "GRANITE",
    "ORCHARD", "PRAIRIE", "SUMMIT", "WILLOW", "LANTERN", "FOX", "IRON", "MEADOW", "BAYVIEW",
    "JUNIPER", "STONE", "HIGHLAND", "CLOVER", "FALCON", "AMBER", "COTTAGE", "DELTA", "EMERALD",
    "FERN", "GARNET", "HAZEL", "INDIGO", "JASMINE", "KESTREL", "LAUREL", "MARIGOLD", "NUTMEG",
    "OTTER", "PEBBLE", "QUARRY", "RAVEN", "SAFFRON", "THISTLE", "UPTOWN", "VELVET", "WALNUT",
    "YARROW", "ZEPHYR", "ANCHOR", "BIRCH", "CANYON", "DOGWOOD", "ELM STREET", "FOUNTAIN",
)  # fmt: skip

SECOND_WORDS = (
    "BAKERY", "CAFE", "GRILL", "MARKET", "PIZZERIA", "DINER", "COFFEE", "TAQUERIA", "NOODLE BAR",
    "DELI", "BREWING", "KITCHEN", "BISTRO", "SUSHI", "ICE CREAM", "HARDWARE", "BOOKS",
    "PHARMACY", "DENTAL", "VETERINARY", "CLEANERS", "AUTO REPAIR", "CAR WASH", "PARKING",
    "FLORIST", "TOYS", "SHOES", "BARBERS", "SALON", "SPA", "YOGA", "CLIMBING", "CINEMA",
    "BOWLING", "GARDEN CENTER", "PET SUPPLY", "LIQUORS", "WINES", "CYCLES", "OPTICAL",
    "FRAMES", "PRINTING", "STATIONERS", "TAILORS", "JEWELERS", "ANTIQUES", "FABRICS",
    "OUTFITTERS", "MUSIC", "GAMES",
)  # fmt: skip

CITIES = (
    "CINCINNATI OH", "PORTLAND OR", "AUSTIN TX", "DENVER CO", "SEATTLE WA", "CHICAGO IL",
    "COLUMBUS OH", "BOISE ID", "TUCSON AZ", "MADISON WI", "RALEIGH NC", "TAMPA FL",
    "OAKLAND CA", "SAN JOSE CA", "ATLANTA GA", "NASHVILLE TN",
)  # fmt: skip

PAYEES = 3_000


@dataclass(frozen=True, slots=True)
class Shop:
    """A payee of everyday spending: the texts of its branches, and its typical amount in cents."""

    name: str
    branches: tuple[str, ...]
    typical: int


def shops(dice: Random) -> list[Shop]:
    """The payees of a household, the most frequent first."""
    local = [f"{first} {second}" for first in FIRST_WORDS for second in SECOND_WORDS]
    dice.shuffle(local)
    chains = [_shop(name, _chain_branches(name, dice), dice) for name in KNOWN]
    corner = [
        _shop(name, (_corner_text(name, dice),), dice) for name in local[: PAYEES - len(chains)]
    ]
    return chains + corner


def frequencies() -> list[float]:
    """How often each of the shops is visited, added up: a few often, most of them rarely (Zipf)."""
    total = 0.0
    added_up = []
    for place in range(PAYEES):
        total += 1 / (place + 3) ** 1.1
        added_up.append(total)
    return added_up


def dated(branch: str, day: int, dice: Random) -> str:
    """A descriptor that no other row has: the day of purchase and the network's reference."""
    if dice.random() < 0.5:
        return f"CHECKCARD {day % 10000:04d} {branch} {dice.randrange(10**22, 10**23)}"
    return f"POS PURCHASE {day // 100 % 100:02d}/{day % 100:02d} {branch} {_reference(dice)}"


def _shop(name: str, branches: tuple[str, ...], dice: Random) -> Shop:
    return Shop(name, branches, dice.choice((350, 650, 1200, 2200, 4100, 8800)))


def _chain_branches(name: str, dice: Random) -> tuple[str, ...]:
    return tuple(
        f"{name} #{dice.randrange(10_000):04d} {dice.choice(CITIES)}"
        for _ in range(dice.randrange(2, 9))
    )


def _corner_text(name: str, dice: Random) -> str:
    processor = dice.choice(("", "", "", "SQ *", "TST* "))
    return f"{processor}{name} {dice.choice(CITIES)}"


def _reference(dice: Random) -> str:
    return f"{dice.randrange(36**5):06d}{dice.choice('ABCDEFGH')}"
