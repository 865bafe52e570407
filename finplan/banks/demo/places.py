"""Where demo households live: real towns and chains, made-up utilities."""

from typing import NamedTuple


class Metro(NamedTuple):
    """A metropolitan area as its descriptors name it; the first town is where the household lives.

    `groceries` are the chains for the weekly shop; `summer` and `winter` say, in permille, how much
    cooling and heating cost there beside the country's mean.
    """

    state: str
    towns: tuple[str, ...]
    groceries: tuple[str, ...]
    fuel: tuple[str, ...]
    electric: str
    gas: str
    water: str
    airport: str
    summer: int
    winter: int


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
        1250,
        650,
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
        950,
        1100,
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
        1100,
        800,
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
        850,
        1150,
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
        800,
        950,
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
        850,
        1300,
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
        1050,
        1050,
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
        850,
        1150,
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
        850,
        1250,
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
        1050,
        900,
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
