"""Who bills a household: well-known and invented payees of recurring charges, by country and cadence.

`~` in a name stands for an invented word, so that no two households share their landlord.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchmarks.quality.world.payees import PEOPLE
from benchmarks.quality.world.voices import Channel, Country
from finplan.model.plan import Cadence


class Bill(NamedTuple):
    """A kind of recurring charge.

    `names` are spellings of one payee when `spellings` is set, else payees to choose from. Amounts are
    in minor units; `sways` is 1 for a bill that varies, 2 for one that varies with the seasons too.
    """

    what: str
    names: tuple[str, ...]
    channel: Channel
    least: int
    most: int
    sways: int = 0
    spellings: bool = False


ANYWHERE: Mapping[Cadence, tuple[Bill, ...]] = {
    "weekly": (
        Bill("cleaner", PEOPLE, "person", 6000, 14000),
        Bill("music lessons", ("~ MUSIC SCHOOL", "~ PIANO STUDIO"), "card", 3000, 7000),
        Bill("childcare", ("~ CHILD CARE", "~ MONTESSORI"), "debit", 15000, 38000),
        Bill("swimming", ("~ SWIM SCHOOL", "~ DANCE ACADEMY"), "card", 2000, 5500),
        Bill("dog walker", ("~ DOG WALKING", "~ PET CARE"), "card", 4000, 9000),
        Bill("tutor", ("~ TUTORING", "~ LANGUAGE CENTER"), "card", 4000, 9000),
        Bill("garden", ("~ LAWN CARE", "~ GARDENING"), "card", 3500, 8000),
    ),
    "biweekly": (
        Bill("cleaner", ("~ CLEANING SERVICES", "~ MAIDS"), "card", 9000, 19000),
        Bill("cleaner", PEOPLE, "person", 8000, 16000),
        Bill("vegetable box", ("~ FARM BOX", "~ ORGANICS CSA"), "card", 2500, 6000),
        Bill("loan", ("~ AUTO FINANCE", "~ CREDIT UNION LOAN"), "debit", 9000, 32000),
        Bill("therapy", ("~ COUNSELING", "~ PHYSIO"), "card", 8000, 16000),
        Bill("karate", ("~ MARTIAL ARTS", "~ GYMNASTICS"), "debit", 4000, 9000),
    ),
    "semimonthly": (
        Bill("childcare", ("~ DAYCARE", "~ LEARNING CENTER"), "debit", 30000, 75000),
        Bill("rent in halves", ("~ RESIDENTIAL", "~ APARTMENTS"), "order", 50000, 110000),
        Bill("loan", ("~ LENDING", "~ FINANCIAL LOAN"), "debit", 8000, 30000),
        Bill("insurance", ("~ MUTUAL INSURANCE", "~ LIFE ASSURANCE"), "debit", 3000, 12000),
        Bill("school", ("~ ACADEMY TUITION", "~ PREP SCHOOL"), "debit", 20000, 60000),
        Bill("care", ("~ SENIOR CARE", "~ HOME HEALTH"), "card", 12000, 40000),
    ),
    "monthly": (
        Bill("rent", ("~ PROPERTY MGMT", "~ REAL ESTATE", "~ HOUSING"), "order", 70000, 240000),
        Bill("gym", ("~ FITNESS CLUB", "~ CLIMBING GYM", "~ YOGA"), "debit", 2500, 9000),
        Bill("insurance", ("~ INSURANCE", "~ ASSURANCE"), "debit", 2000, 18000),
        Bill("storage", ("~ SELF STORAGE",), "card", 5000, 16000),
        Bill("donation", ("~ FOUNDATION", "~ FOOD BANK", "~ CHURCH"), "debit", 1000, 15000),
        Bill("power", ("~ ENERGY", "~ POWER & LIGHT"), "debit", 6000, 18000, 2),
        Bill("water", ("~ WATER DISTRICT", "CITY OF ~ UTILITIES"), "debit", 3000, 9000, 1),
        Bill("internet", ("~ BROADBAND", "~ FIBER"), "debit", 3500, 9000),
        Bill("phone", ("~ WIRELESS", "~ MOBILE"), "debit", 1500, 12000, 1),
        Bill("software", ("~ CLOUD SOFTWARE", "~ APP"), "card", 300, 3000),
        Bill("streaming", ("~ TV PLUS", "~ STREAM"), "card", 500, 2000),
        Bill("parking space", ("~ GARAGE PARKING",), "debit", 6000, 18000),
    ),
    "quarterly": (
        Bill("water", ("~ WATER AUTHORITY", "~ SEWER DISTRICT"), "debit", 6000, 15000, 1),
        Bill("waste", ("~ DISPOSAL", "~ WASTE SERVICES"), "debit", 6000, 14000),
        Bill("pest control", ("~ PEST CONTROL",), "card", 9000, 16000),
        Bill("owners association", ("~ HOA", "~ OWNERS ASSOC"), "order", 15000, 60000),
        Bill("insurance", ("~ INSURANCE GROUP",), "debit", 9000, 42000),
        Bill("wine club", ("~ WINERY CLUB", "~ COFFEE CLUB"), "card", 6000, 18000),
    ),
    "twice_yearly": (
        Bill("car insurance", ("~ AUTO INSURANCE", "~ MUTUAL"), "debit", 30000, 95000),
        Bill("property tax", ("~ COUNTY TREASURER", "~ TAX COLLECTOR"), "debit", 60000, 320000),
        Bill("dental plan", ("~ DENTAL PLAN",), "card", 9000, 26000),
        Bill("chimney", ("~ HVAC SERVICE", "~ BOILER CARE"), "card", 9000, 22000),
        Bill("alumni club", ("~ TENNIS CLUB", "~ SAILING CLUB"), "debit", 20000, 70000),
    ),
    "annual": (
        Bill("home insurance", ("~ HOME INSURANCE",), "debit", 40000, 180000),
        Bill("web address", ("~ DOMAINS", "~ WEB HOSTING"), "card", 1200, 12000),
        Bill("professional body", ("~ SOCIETY DUES", "~ BAR ASSOC"), "card", 9000, 50000),
        Bill("software", ("~ ANTIVIRUS", "~ TAX SOFTWARE"), "card", 2500, 12000),
        Bill("museum", ("~ MUSEUM MEMBERSHIP", "~ ZOO MEMBERSHIP"), "card", 6000, 18000),
        Bill("magazine", ("~ MAGAZINE", "~ REVIEW OF BOOKS"), "card", 4000, 12000),
        Bill("property tax", ("~ COUNTY TAX", "~ TAX COLLECTOR"), "debit", 50000, 300000),
        Bill("boiler care", ("~ BOILER SERVICE", "~ CHIMNEY SWEEP"), "card", 8000, 26000),
        Bill(
            "car registration", ("~ VEHICLE REGISTRATION", "~ CAR INSPECTION"), "card", 4000, 22000
        ),
        Bill("tuition", ("~ UNIVERSITY TUITION", "~ SCHOOL FEES"), "debit", 30000, 400000),
        Bill("club", ("~ GOLF CLUB", "~ TENNIS CLUB", "~ SAILING CLUB"), "debit", 15000, 90000),
    ),
}

KNOWN: Mapping[Country, Mapping[Cadence, tuple[Bill, ...]]] = {
    "US": {
        "weekly": (Bill("meal kit", ("HELLOFRESH", "HOME CHEF"), "card", 5000, 8000),),
        "biweekly": (Bill("food box", ("IMPERFECT FOODS", "MISFITS MARKET"), "card", 3000, 6000),),
        "semimonthly": (
            Bill("childcare", ("KINDERCARE", "BRIGHT HORIZONS"), "debit", 40000, 80000),
        ),
        "monthly": (
            Bill(
                "streaming",
                ("NETFLIX.COM", "Netflix.com", "NETFLIX COM"),
                "card",
                799,
                2299,
                spellings=True,
            ),
            Bill(
                "music",
                ("SPOTIFY USA", "Spotify USA", "SPOTIFY"),
                "card",
                1099,
                1699,
                spellings=True,
            ),
            Bill(
                "streaming", ("HULU", "DISNEY PLUS", "PEACOCK TV", "PARAMOUNT+"), "card", 599, 1999
            ),
            Bill("phone", ("VERIZON WIRELESS", "T-MOBILE", "ATT*BILL"), "debit", 4000, 14000, 1),
            Bill("internet", ("COMCAST XFINITY", "SPECTRUM", "COX COMM"), "debit", 5000, 11000),
            Bill(
                "power",
                ("DUKE ENERGY", "CON EDISON", "PG&E", "XCEL ENERGY"),
                "debit",
                7000,
                19000,
                2,
            ),
            Bill("insurance", ("STATE FARM", "GEICO", "PROGRESSIVE INS"), "debit", 6000, 19000),
            Bill("gym", ("PLANET FITNESS", "LA FITNESS", "ANYTIME FITNESS"), "debit", 1000, 5500),
            Bill("storage", ("APPLE.COM/BILL", "GOOGLE *ONE", "DROPBOX*"), "card", 99, 1299),
            Bill(
                "software",
                ("ADOBE *CREATIVE CLOUD", "MICROSOFT*", "OPENAI *CHATGPT SUBSCR"),
                "card",
                699,
                5999,
            ),
            Bill("student loan", ("NELNET", "MOHELA", "NAVIENT"), "debit", 12000, 45000),
            Bill("news", ("NYTIMES*", "WSJ DIGITAL", "WASHINGTON POST"), "card", 400, 2500),
        ),
        "quarterly": (Bill("pest control", ("TERMINIX", "ORKIN"), "card", 9000, 16000),),
        "twice_yearly": (
            Bill(
                "car insurance", ("ALLSTATE", "LIBERTY MUTUAL", "USAA P&C"), "debit", 30000, 95000
            ),
        ),
        "annual": (
            Bill(
                "membership",
                ("AMAZON PRIME*", "Amazon Prime*"),
                "card",
                13900,
                13900,
                spellings=True,
            ),
            Bill("motoring club", ("AAA MEMBERSHIP",), "card", 7000, 16000),
            Bill("web address", ("NAMECHEAP", "GODADDY.COM", "SQUARESPACE"), "card", 1500, 24000),
        ),
    },
    "UK": {
        "monthly": (
            Bill("streaming", ("NETFLIX.COM", "NETFLIX"), "card", 499, 1799, spellings=True),
            Bill(
                "energy", ("OCTOPUS ENERGY", "BRITISH GAS", "EDF ENERGY"), "debit", 6000, 18000, 2
            ),
            Bill("phone", ("EE LIMITED", "VODAFONE LTD", "O2", "GIFFGAFF"), "debit", 800, 5500),
            Bill("council tax", ("LEEDS CITY COUNCIL", "CAMDEN COUNCIL"), "debit", 11000, 24000),
            Bill("gym", ("PUREGYM LTD", "DAVID LLOYD"), "debit", 1999, 9900),
            Bill(
                "television", ("SKY DIGITAL", "VIRGIN MEDIA", "BT GROUP PLC"), "debit", 3000, 9000
            ),
        ),
        "quarterly": (Bill("television licence", ("TV LICENCE QBP",), "debit", 4363, 4363),),
        "twice_yearly": (
            Bill("water", ("THAMES WATER", "YORKSHIRE WATER"), "debit", 16000, 26000),
        ),
        "annual": (Bill("motoring club", ("AA MEMBERSHIP", "RAC MOTORING"), "card", 6000, 19000),),
    },
    "DE": {
        "monthly": (
            Bill(
                "streaming",
                ("NETFLIX INTERNATIONAL B.V.", "NETFLIX.COM"),
                "debit",
                799,
                1999,
                spellings=True,
            ),
            Bill(
                "power",
                ("VATTENFALL EUROPE SALES", "E.ON ENERGIE", "STADTWERKE ~"),
                "debit",
                6000,
                15000,
            ),
            Bill(
                "phone",
                ("TELEKOM DEUTSCHLAND GMBH", "VODAFONE GMBH", "CONGSTAR"),
                "debit",
                1000,
                5500,
            ),
            Bill(
                "insurance",
                ("ALLIANZ VERSICHERUNGS AG", "HUK-COBURG", "AXA KONZERN"),
                "debit",
                1500,
                9000,
            ),
            Bill("gym", ("MCFIT", "URBAN SPORTS GMBH"), "debit", 1990, 7900),
            Bill("rail", ("DB VERTRIEB DEUTSCHLANDTICKET", "BVG ABO"), "debit", 4900, 6300),
        ),
        "quarterly": (
            Bill("broadcasting", ("RUNDFUNK ARD, ZDF, DRADIO",), "debit", 5508, 5508),
            Bill("property tax", ("STADT ~ GRUNDSTEUER",), "debit", 9000, 26000),
        ),
        "twice_yearly": (
            Bill("insurance", ("DEVK VERSICHERUNG", "ERGO VERSICHERUNG"), "debit", 9000, 42000),
        ),
        "annual": (Bill("motoring club", ("ADAC E.V. MITGLIEDSBEITRAG",), "debit", 5400, 13900),),
    },
    "FR": {
        "monthly": (
            Bill("streaming", ("NETFLIX.COM", "NETFLIX"), "card", 599, 1999, spellings=True),
            Bill(
                "power",
                ("EDF CLIENTS PARTICULIERS", "ENGIE", "TOTALENERGIES"),
                "debit",
                5000,
                16000,
            ),
            Bill(
                "phone", ("FREE MOBILE", "ORANGE SA", "SFR", "BOUYGUES TELECOM"), "debit", 999, 5500
            ),
            Bill("insurance", ("MAIF", "MACIF", "GROUPAMA"), "debit", 1500, 9000),
            Bill("gym", ("BASIC FIT", "FITNESS PARK"), "debit", 1999, 4500),
            Bill("transport", ("NAVIGO ANNUEL", "TCL ABONNEMENT"), "debit", 6500, 9000),
        ),
        "twice_yearly": (Bill("insurance", ("MATMUT", "GMF ASSURANCES"), "debit", 9000, 42000),),
        "annual": (Bill("tax", ("DGFIP TAXE FONCIERE",), "debit", 60000, 190000),),
    },
}
