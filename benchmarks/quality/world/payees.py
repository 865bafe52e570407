"""Who else is paid or pays: people, employers, shops and banks of several countries.

`~` in a name stands for an invented word.
"""

from collections.abc import Mapping

from benchmarks.quality.world.voices import Country

_STARTS = (
    "ASH", "BRACK", "CALDER", "DUN", "ELDER", "FARN", "GLEN", "HAWK", "INGLE", "KIRK", "LANG", "MERRI",
    "NETHER", "OAK", "PEM", "QUILL", "RAD", "SEL", "THORN", "ULVER", "VALE", "WIN", "YEL", "ZEN",
    "BIRCH", "COVER", "DRAY", "FEN", "GORS", "HOL",
)  # fmt: skip
_ENDS = (
    "BURN", "COMBE", "DALE", "FIELD", "GATE", "HURST", "LOW", "MERE", "MONT", "RIDGE", "SHAW", "STEAD",
    "THORPE", "WELL", "WICK", "BROOK", "CREST", "HAVEN",
)  # fmt: skip
WORDS = tuple(start + end for start in _STARTS for end in _ENDS)
"""Invented surnames and places, enough that few payees of a household share one."""

OPAQUE: Mapping[Country, tuple[str, ...]] = {
    "US": ("~ LLC", "~ & ~", "~", "~ INC", "THE ~", "~ CO", "~ GROUP", "~ HOLDINGS", "~ BROS"),
    "UK": ("~ LTD", "~ & ~", "~", "~ AND SONS", "~ LIMITED", "THE ~", "~ PLC"),
    "DE": ("~ GMBH", "~ & ~", "~", "~ KG", "~ UND ~ GBR", "~ EK"),
    "FR": ("~ SARL", "~ ET FILS", "~", "~ SAS", "MAISON ~", "CHEZ ~"),
}
"""Names that say nothing of a trade."""

PLACES = (
    "FIVEWAYS", "ERDINGTON", "HARBORNE", "NORTHGATE", "WESTCLIFF", "MILLBANK", "KINGSWAY", "RIVERSIDE",
    "EASTFIELD", "COPTHORNE", "STN RD", "RETAIL PK", "HIGH RD", "SOUTHSIDE", "CROSSWAYS",
)  # fmt: skip
"""Branches and quarters, as shops and fuel stations put them after their name."""

PEOPLE = (
    "MARIA LOPEZ", "JOHN OKAFOR", "PRIYA SHAH", "DANIEL WEBER", "CLAIRE MARTIN", "SOFIA ROSSI",
    "LIAM MURPHY", "AISHA KHAN", "PETER NOVAK", "GRACE CHEN", "TOMAS SILVA", "HANNAH BAUER",
    "LUCAS BERNARD", "NINA PETROVA", "OMAR HADDAD", "ELLA JOHANSSON", "SAM TAYLOR", "RUTH ADLER",
)  # fmt: skip

EMPLOYERS = (
    "~ SYSTEMS INC", "~ MANUFACTURING", "~ HOSPITAL", "~ SCHOOL DISTRICT", "~ LOGISTICS LLC",
    "~ CONSULTING", "~ FOODS", "~ RETAIL GROUP", "CITY OF ~", "~ ENGINEERING", "UNIVERSITY OF ~",
)  # fmt: skip
CLIENTS = ("~ DESIGN STUDIO", "~ MEDIA", "~ PUBLISHING", "~ EVENTS", "~ PARTNERS LLP")
SUPPORTERS: Mapping[Country, tuple[str, ...]] = {
    "US": ("STATE OF ~", "~ COUNTY FAMILY COURT"),
    "UK": ("CHILD MAINTENANCE ~", "~ FAMILY COURT"),
    "DE": ("JUGENDAMT ~", "LANDRATSAMT ~"),
    "FR": ("CAF ~", "ARIPA ~"),
}
PENSIONS: Mapping[Country, tuple[str, ...]] = {
    "US": ("SSA TREAS 310 XXSOC SEC", "~ RETIREMENT SYSTEM", "PENSION ~"),
    "UK": ("DWP STATE PENSION", "~ PENSION SCHEME"),
    "DE": ("DEUTSCHE RENTENVERSICHERUNG", "~ PENSIONSKASSE"),
    "FR": ("CNAV RETRAITE", "AGIRC ARRCO"),
}
BENEFITS: Mapping[Country, tuple[str, ...]] = {
    "US": ("STATE OF ~ UI BENEFITS", "VA BENEF VACP TREAS 310"),
    "UK": ("HMRC CHILD BENEFIT", "DWP UC"),
    "DE": ("FAMILIENKASSE KINDERGELD",),
    "FR": ("CAF PRESTATIONS", "FRANCE TRAVAIL"),
}
TAX_REFUNDS: Mapping[Country, str] = {
    "US": "IRS TREAS 310 TAX REF",
    "UK": "HMRC TAX REPAYMENT BGC",
    "DE": "FINANZAMT ERSTATTUNG EINKOMMENSTEUER",
    "FR": "VIR DGFIP REMBOURSEMENT IMPOT",
}
DEPOSITS: Mapping[Country, tuple[str, ...]] = {
    "US": ("MOBILE CHECK DEPOSIT", "COUNTER DEPOSIT", "DEPOSIT ID NUMBER 4471"),
    "UK": ("CHEQUE PAID IN", "CASH PAID IN AT BRANCH"),
    "DE": ("BARGELDEINZAHLUNG", "SCHECKEINREICHUNG"),
    "FR": ("REMISE CHEQUE 4471", "VERSEMENT ESPECES"),
}
DIVIDENDS = ("VANGUARD DIVIDEND", "~ CORP DIVIDEND", "COMPUTERSHARE ~ DIV")
INTEREST: Mapping[Country, tuple[str, ...]] = {
    "US": ("INTEREST PAYMENT", "INTEREST PAID", "INTEREST EARNED"),
    "UK": ("GROSS INTEREST", "INTEREST PAID"),
    "DE": ("HABENZINSEN", "ZINSEN"),
    "FR": ("INTERETS CREDITEURS", "INTERETS LIVRET"),
}

SELLERS: Mapping[Country, tuple[str, ...]] = {
    "US": (
        "Kindle Svcs*",
        "PLAYSTATION NETWORK",
        "APPLE.COM/BILL",
        "MICROSOFT*",
        "~ OUTFITTERS",
        "~ FITNESS CLUB",
    ),
    "UK": ("PLAYSTATION NETWORK", "APPLE.COM/BILL", "~ BOOKS", "~ LEISURE CENTRE"),
    "DE": ("PLAYSTATION NETWORK", "APPLE.COM/BILL", "~ BUCHHANDLUNG", "~ SPORTPARK"),
    "FR": ("PLAYSTATION NETWORK", "APPLE.COM/BILL", "~ LIBRAIRIE", "~ CLUB"),
}
"""Payees of a subscription that sell other things too."""

SHOPS: Mapping[str, Mapping[Country, tuple[str, ...]]] = {
    "coffee": {
        "US": ("STARBUCKS", "DUNKIN", "SQ *~ COFFEE", "TST* ~ CAFE"),
        "UK": ("COSTA COFFEE", "PRET A MANGER"),
        "DE": ("BAECKEREI ~", "TCHIBO"),
        "FR": ("BOULANGERIE ~", "CAFE ~"),
    },
    "grocery run": {
        "US": ("COSTCO WHSE", "SAMS CLUB", "WHOLEFDS"),
        "UK": ("TESCO STORES", "SAINSBURYS S/MKTS"),
        "DE": ("KAUFLAND", "METRO"),
        "FR": ("CARREFOUR", "E.LECLERC"),
    },
    "groceries": {
        "US": ("KROGER", "SAFEWAY", "TRADER JOE S", "ALDI", "PUBLIX"),
        "UK": ("TESCO STORES", "LIDL GB", "ASDA"),
        "DE": ("REWE", "EDEKA", "ALDI SUED", "LIDL"),
        "FR": ("MONOPRIX", "INTERMARCHE", "CARREFOUR CITY"),
    },
    "fuel": {
        "US": ("SHELL OIL", "CHEVRON", "EXXONMOBIL"),
        "UK": ("BP", "SHELL", "ESSO"),
        "DE": ("ARAL", "SHELL", "JET-TANKSTELLE"),
        "FR": ("TOTAL ACCESS", "ESSO EXPRESS"),
    },
    "lottery": {
        "US": ("STATE LOTTERY", "LOTTERY.COM"),
        "UK": ("NATIONAL LOTTERY",),
        "DE": ("LOTTO ANNAHMESTELLE",),
        "FR": ("FDJ LOTO",),
    },
    "friday restaurant": {
        "US": ("TST* ~ GRILL", "~ PIZZERIA", "CHIPOTLE"),
        "UK": ("~ CURRY HOUSE", "NANDOS"),
        "DE": ("RESTAURANT ~", "PIZZERIA ~"),
        "FR": ("BRASSERIE ~", "RESTAURANT ~"),
    },
    "lunch": {
        "US": ("SWEETGREEN", "SUBWAY", "~ DELI"),
        "UK": ("GREGGS", "~ SANDWICHES"),
        "DE": ("~ IMBISS", "NORDSEE"),
        "FR": ("~ TRAITEUR", "PAUL"),
    },
    "marketplace": {
        "US": ("AMZN Mktp US*", "AMAZON MKTPL*", "EBAY O*", "ETSY.COM"),
        "UK": ("AMZNMKTPLACE", "EBAY"),
        "DE": ("AMZN MKTP DE*", "EBAY"),
        "FR": ("AMAZON MARKETPLACE", "VINTED"),
    },
    "barber": {
        "US": ("GREAT CLIPS", "~ BARBERS"),
        "UK": ("~ BARBERS",),
        "DE": ("FRISEUR ~",),
        "FR": ("COIFFURE ~",),
    },
    "transit": {
        "US": ("VENTRA", "CLIPPER TRANSIT", "MTA*NYCT PAYGO"),
        "UK": ("TFL TRAVEL CH",),
        "DE": ("BVG AUTOMAT",),
        "FR": ("RATP", "SNCF"),
    },
    "pharmacy": {
        "US": ("CVS/PHARMACY", "WALGREENS"),
        "UK": ("BOOTS",),
        "DE": ("DM-DROGERIE MARKT", "~ APOTHEKE"),
        "FR": ("PHARMACIE ~",),
    },
    "parking": {
        "US": ("PARKMOBILE", "SPOTHERO"),
        "UK": ("RINGGO", "NCP"),
        "DE": ("APCOA PARKING", "EASYPARK"),
        "FR": ("INDIGO PARKING",),
    },
}
ONE_OFF_KINDS = (
    "HARDWARE", "BISTRO", "SHOES", "OPTICAL", "AUTO REPAIR", "DENTAL", "FLORIST", "HOTEL", "CINEMA",
    "TOYS", "JEWELERS", "AIRLINES", "VETERINARY", "FURNITURE", "BREWING", "BOOKSHOP", "CAMPING",
)  # fmt: skip
CHANCE_KINDS = (
    "BISTRO", "STEAKHOUSE", "OPTICAL", "DENTAL", "DERMATOLOGY", "HOTEL", "BEACH RESORT", "AIRLINES",
    "SHOES", "TOYS", "JEWELERS", "FLORIST", "SKI LODGE", "PEDIATRICS",
)  # fmt: skip
"""Trades that are visited about once a year, and owed nothing the next."""

CREDIT_UNIONS = (
    "Redwood Credit Union",
    "Lakeshore Federal Credit Union",
    "Prairie Community Credit Union",
)
BANKS: Mapping[Country, tuple[str, ...]] = {
    "US": (
        "Chase",
        "Bank of America",
        "Wells Fargo",
        "Ally Bank",
        "Capital One",
        "Citibank",
        "Discover",
    ),
    "UK": ("Barclays", "HSBC", "Monzo", "Lloyds Bank", "NatWest"),
    "DE": ("Deutsche Bank", "Sparkasse", "ING", "DKB", "Commerzbank"),
    "FR": ("BNP Paribas", "Credit Agricole", "Boursorama", "Societe Generale"),
}
CARD_ISSUERS: Mapping[Country, tuple[str, ...]] = {
    "US": ("Chase", "American Express", "Capital One", "Discover", "Citibank"),
    "UK": ("Barclaycard", "American Express"),
    "DE": ("Barclays", "Hanseatic Bank"),
    "FR": ("Cofidis", "American Express"),
}
