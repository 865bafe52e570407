"""Where demo households live and shop: real towns and chains, made-up utilities and places.

Marks in a descriptor are those of `household`: `~` and `@` are the household's, `^` and `?` are
thrown for each charge.
"""

from typing import NamedTuple


class Metro(NamedTuple):
    """A metropolitan area as its descriptors name it; the first town is where the household lives.

    `groceries` are the chains for the weekly shop; `climate` says, in permille, how much cooling and
    heating cost there beside the country's mean.
    """

    state: str
    towns: tuple[str, ...]
    groceries: tuple[str, ...]
    fuel: tuple[str, ...]
    electric: str
    gas: str
    water: str
    airport: str
    climate: tuple[int, int]


METROS = (
    Metro(
        "TX",
        ("AUSTIN", "ROUND ROCK", "CEDAR PARK"),
        ("H-E-B #~~~", "WHOLEFDS LMR #10~~~"),
        ("SHELL OIL 574~~~~~~~~", "BUC-EE'S #~~"),
        "HILL PRAIRIE ELECTRIC COOP ELEC BILL",
        "LONE OAK NATURAL GAS PYMT",
        "BRUSHY FORK WATER UTILITY",
        "AUS",
        (1250, 650),
    ),
    Metro(
        "OH",
        ("COLUMBUS", "DUBLIN", "WESTERVILLE"),
        ("KROGER #~~~", "GIANT EAGLE #~~~~"),
        ("SPEEDWAY ~~~~~", "SHELL OIL 574~~~~~~~~"),
        "OLENTANGY ELECTRIC CO WEB PAY",
        "MID OHIO NATURAL GAS PYMT",
        "SCIOTO CITY WATER DEPT",
        "CMH",
        (950, 1100),
    ),
    Metro(
        "NC",
        ("RALEIGH", "CARY", "DURHAM"),
        ("HARRIS TEETER #~~~~", "FOOD LION #~~~~"),
        ("SHEETZ 00~~~~", "EXXON CAROLINA MART"),
        "PIEDMONT LIGHT ELECTRIC BILLPAY",
        "TAR RIVER NATURAL GAS PYMT",
        "TOWN OF CARY WATER SEWER",
        "RDU",
        (1100, 800),
    ),
    Metro(
        "CO",
        ("DENVER", "LAKEWOOD", "ARVADA"),
        ("KING SOOPERS #~~~~", "SAFEWAY #~~~~"),
        ("CONOCO - FRONT RANGE ~~", "MAVERIK #~~~"),
        "FRONT RANGE ELECTRIC ELEC PYMT",
        "HIGH PLAINS NATURAL GAS PYMT",
        "GREEN MTN WATER DISTRICT",
        "DEN",
        (850, 1150),
    ),
    Metro(
        "OR",
        ("PORTLAND", "BEAVERTON", "TIGARD"),
        ("SAFEWAY #~~~~", "NEW SEASONS MARKET"),
        ("CHEVRON 009~~~~", "ARCO #~~~~~"),
        "TUALATIN ELECTRIC E-BILL",
        "CASCADE NW NATURAL GAS PYMT",
        "TUALATIN VALLEY WATER DISTRICT",
        "PDX",
        (800, 950),
    ),
    Metro(
        "MN",
        ("SAINT PAUL", "MINNEAPOLIS", "ROSEVILLE"),
        ("CUB FOODS #~~~~", "LUNDS & BYERLYS"),
        ("KWIK TRIP #~~~", "BP#~~~~~~~"),
        "NORTH STAR ELECTRIC E-PAY",
        "TWO RIVERS NATURAL GAS PYMT",
        "TWIN LAKES WATER DEPT",
        "MSP",
        (850, 1300),
    ),
    Metro(
        "MO",
        ("KANSAS CITY", "LIBERTY", "INDEPENDENCE"),
        ("HY-VEE KANSAS CITY ~~~~", "PRICE CHOPPER #~~~"),
        ("QUIKTRIP ~~~~", "CASEYS #~~~~"),
        "PRAIRIE STATE ELECTRIC BILL PMT",
        "HEARTLAND NATURAL GAS PYMT",
        "BLUE RIVER WATER DEPT",
        "MCI",
        (1050, 1050),
    ),
    Metro(
        "PA",
        ("PITTSBURGH", "CRANBERRY TWP", "WEXFORD"),
        ("GIANT EAGLE #~~~~", "ALDI ~~~~~"),
        ("SHEETZ 00~~~~", "SUNOCO 0~~~~~~~~~"),
        "THREE RIVERS ELECTRIC ELEC PYMT",
        "ALLEGHENY NATURAL GAS PYMT",
        "PINE CREEK WATER SEWER AUTH",
        "PIT",
        (850, 1150),
    ),
    Metro(
        "WI",
        ("MADISON", "SUN PRAIRIE", "MIDDLETON"),
        ("WOODMANS FOOD MARKET #~~", "FESTIVAL FOODS"),
        ("KWIK TRIP #~~~", "MOBIL OIL ~~~~~~~~"),
        "FOUR LAKES ELECTRIC E-BILL",
        "BADGERLAND NATURAL GAS PYMT",
        "YAHARA WATER UTILITIES",
        "MSN",
        (850, 1250),
    ),
    Metro(
        "VA",
        ("RICHMOND", "GLEN ALLEN", "HENRICO"),
        ("PUBLIX #~~~~", "KROGER #~~~"),
        ("WAWA ~~~~", "EXXON SHORT PUMP"),
        "JAMES RIVER ELECTRIC BILLPAY",
        "OLD DOMINION NATURAL GAS PYMT",
        "FALL LINE WATER UTILITY",
        "RIC",
        (1050, 900),
    ),
)

SEASIDES = (
    ("DESTIN", "FL"),
    ("MYRTLE BEACH", "SC"),
    ("SAN DIEGO", "CA"),
    ("SAINT SIMONS", "GA"),
    ("CAPE MAY", "NJ"),
    ("REHOBOTH BEAC", "DE"),
    ("GULF SHORES", "AL"),
)
"""Where the family goes in summer."""

CONFERENCE_TOWNS = (
    ("CHICAGO", "IL"),
    ("ATLANTA", "GA"),
    ("DALLAS", "TX"),
    ("SEATTLE", "WA"),
    ("BOSTON", "MA"),
    ("NASHVILLE", "TN"),
)
"""Where the employer sends one of them."""


SECOND_GROCERS = (
    "TRADER JOE S #~~~ @",
    "ALDI ~~~~~ @",
    "SPROUTS FARMERS MKT #~~~ @",
    "SQ *SATURDAY FARM STAND @",
)
WAREHOUSES = ("COSTCO WHSE #0~~~ @", "SAMS CLUB #~~~~ @")
PHARMACIES = ("CVS/PHARMACY #0~~~~ @", "WALGREENS #~~~~~ @")
COPAYS = ("LAKESIDE MEDICAL GROUP @", "WESTBROOK PEDIATRICS PA @")
DENTISTS = ("BRIGHT SMILE FAMILY DENTAL @", "GROVE STREET DENTAL CARE @")
COFFEE = (
    "SQ *COPPER KETTLE COFFEE @",
    "STARBUCKS STORE ~~~~~ @",
    "SQ *THIRD PORCH COFFEE CO @",
    "DUNKIN #~~~~~~ Q35 @",
    "TST* MORNINGSIDE BAKERY @",
    "SQ *PAPER CRANE COFFEE @",
)
RESTAURANTS = (
    "TST* LUPINE KITCHEN & BAR @",
    "TST* EL FARO TAQUERIA @",
    "SAKURA HOUSE SUSHI @",
    "TST* THE COPPER HEN @",
    "SQ *NONNA LUCIA TRATTORIA @",
    "PHO GOLDEN BOWL @",
    "TST* RIVERWALK TAPROOM @",
    "OLIVE GARDEN 0~~~~~ @",
    "TST* BLACK WALNUT BBQ @",
    "TEXAS ROADHOUSE #~~~~ @",
    "SQ *SAFFRON KITCHEN @",
    "TST* HARVEST & HEARTH @",
)
FAST_FOOD = (
    "CHIPOTLE ~~~~ @",
    "CHICK-FIL-A #0~~~~ @",
    "MCDONALD'S F~~~~~ @",
    "PANERA BREAD #60~~~~ O @",
    "FIVE GUYS ~~~~ QSR @",
    "DOMINO'S ~~~~ @",
    "TACO BELL #~~~~~~ @",
    "CULVERS OF @",
    "SUBWAY ~~~~~ @",
)
DELIVERIES = (
    "DD *DOORDASH ???????? 855-973-1040 CA",
    "UBER *EATS HELP.UBER.COM CA",
    "GRUBHUB*PHOGOLDENBOWL GRUBHUB.COM NY",
)
MARKETPLACES = (
    "AMZN Mktp US*????????? Amzn.com/bill WA",
    "AMAZON.COM*????????? AMZN.COM/BILL WA",
    "Amazon.com*????????? Amzn.com/bill WA",
)
SHOPS = (
    "TARGET 0000~~~~ @",
    "TARGET.COM * 800-591-3869 MN",
    "OLD NAVY US ~~~~ @",
    "TJMAXX #~~~~ @",
    "KOHL'S #~~~~ @",
    "DSW ~~~~~ @",
    "MARSHALLS #~~~~ @",
    "REI #~~~ @",
)
ELECTRONICS = ("BESTBUYCOM80^^^^^^^^^^ 888-BESTBUY MN", "BEST BUY 0000~~~~ @")
HARDWARE = ("THE HOME DEPOT #~~~~ @", "LOWES #0~~~~* @", "ACE HARDWARE @")
FURNISHINGS = (
    "WAYFAIR*Wayfair 866-263-8325 MA",
    "IKEA ~~~~~~~~ @",
    "HOMEGOODS #0~~~ @",
    "TARGET 0000~~~~ @",
)
HAIRCUTS = ("SQ *SALON VERBENA @", "FIVE POINTS HAIR STUDIO @", "SQ *BARBER ON MAIN @")
BEAUTY = ("ULTA #~~~ @", "SEPHORA.COM 877-737-4672 CA", "SALLY BEAUTY #~~~~ @")
PETS = ("CHEWY.COM 800-672-4399 FL", "PETSMART # ~~~~ @")
VETS = ("OAKHAVEN VETERINARY CLINI @", "PRAIRIE ANIMAL HOSPITAL @")
GARAGES = ("JIFFY LUBE #~~~~ @", "DISCOUNT TIRE ~~~ ~~ @", "SQ *HENSLEY AUTO REPAIR @")
OUTINGS = (
    "AMC ~~~~ ONLINE 888-440-4262 KS",
    "CINEMARK THEATRES ~~~~ @",
    "TICKETMASTER 800-653-8000 CA",
    "SQ *PINECONE MINI GOLF @",
    "STEAMGAMES.COM 4259522985 425-9522985 WA",
)
HOBBIES = (
    "MICHAELS STORES ~~~~ @",
    "HALF PRICE BOOKS #~~~ @",
    "SQ *CRUX CLIMBING GYM @",
    "DICKS SPORTING GOODS #~~~ @",
)
LUNCHES = ("SCHOOLCAFE SCHOOL LUNCH 855-729-5328 TX",)
GIFTS = (
    "1-800-FLOWERS.COM,INC. 800-468-1141 NY",
    "SQ *IVY LANE FLORIST @",
    "BARNES & NOBLE #~~~~ @",
    "UNCOMMONGOODS 888-365-0056 NY",
)
PARKING = ("PARKMOBILE-NMR 770-818-9036 GA", "LAZ PARKING ~~~~~~ @", "METERS - CITY PARKING @")
RIDES = ("UBER *TRIP HELP.UBER.COM CA", "LYFT *RIDE ?????? LYFT.COM CA")
UPKEEP = (
    "SQ *HALVORSEN PLUMBING @",
    "SERVICEMASTER HVAC @",
    "SQ *SUMMIT ROOFING & GUTT @",
    "ORKIN PEST CONTROL 800-800-6754 GA",
)

NOBODY_KNOWS = (
    "SQ *BLUE HERON COLLECTIVE @",
    "PAYPAL *KMJVENTURES 402-935-7733 CA",
    "SP NORTHLOOM NORTHLOOM.CO NY",
    "PAYPAL *RSTANDISH 402-935-7733 CA",
    "SQ *KESTREL & VINE @",
    "IN *J ALDERSON SERVICES L 512-5550188 @",
    "SP OAKHOLLOW GOODS OAKHOLLOW.COM UT",
    "BT*HALCYON LANE 650-555-0117 CA",
    "WPY*RIDGELINE 855-999-3729 CA",
    "SQ *GOSQ.COM M TREVINO @",
    "TLF*MARIGOLD & FERN @",
    "PAYPAL *DELTAWORKS 402-935-7733 CA",
)
"""Names that do not say what was bought: only the family can."""

PEOPLE = ("Marisol Reyes", "Dana Whitcomb", "Priya N", "Tom Okafor", "Grace Lindqvist")
