"""What does not fit its shape, told in the words of who typed it: the option, and what it takes."""

import re
from collections.abc import Sequence
from typing import NamedTuple


class TypedOption(NamedTuple):
    """How a person types a property of a question: where, and what may stand there."""

    place: str
    takes: str


_MONEY = "an amount of 0 or more, like 1840.25"
_NAME = "a name of 1 to 200 characters"

TYPED = {
    "account": TypedOption("--account", _NAME),
    "account_kind": TypedOption(
        "--kind", "checking, savings, credit, loan, investment, depository or other"
    ),
    "answer": TypedOption("CATEGORY", "a title of `finplan categories`, or a part of it"),
    "apr": TypedOption("--apr", "a yearly rate in percent, from 0 to 1000, like 21.99"),
    "budget_shares": TypedOption("--budget", "three percentages that add up to 100, like 50/30/20"),
    "category": TypedOption("CATEGORY", "a title of `finplan categories`, or a part of it"),
    "credit_limit": TypedOption("--limit", f"{_MONEY}, or `none`"),
    "currency": TypedOption("--currency", "a code of three letters, like EUR"),
    "direction": TypedOption(
        "--direction",
        "in or out for amounts without a minus, marks:WORD,WORD for the words of money out, or"
        " first:in, first:out or first:owed for rows that a balance does not show",
    ),
    "email": TypedOption("--email", "an e-mail address, like ada@example.org"),
    "encoding": TypedOption("--encoding", "the name of an encoding, like cp1252"),
    "group_by": TypedOption("--by", "category, merchant or month"),
    "limit": TypedOption("--limit", "a whole number from 1 to 500"),
    "max_amount": TypedOption("--amount", "a size like 42.50, 40..60, 40.. or ..60"),
    "min_amount": TypedOption("--amount", "a size like 42.50, 40..60, 40.. or ..60"),
    "minimum_payment": TypedOption("--minimum-payment", f"{_MONEY}, or `none`"),
    "monthly": TypedOption("--income", f"{_MONEY}, or `detected`"),
    # Some commands take it as an argument, and all of them call it NAME.
    "name": TypedOption("NAME", _NAME),
    "payee_key": TypedOption(
        "PAYEE", "a payee as `finplan transactions` shows it, 1 to 200 characters"
    ),
    "redirect_uris": TypedOption(
        "--redirect", "an address of 1 to 2000 characters, given 20 times at most"
    ),
    "subtype": TypedOption("--subtype", "a word of at most 40 characters, like savings"),
    "target_months": TypedOption("--fund-months", "a number of months from 0 to 60, or `none`"),
    "text": TypedOption("TEXT", "words of 1 to 200 characters together"),
    "time_zone": TypedOption("--time-zone", "the name of a time zone, like Europe/Berlin"),
}
"""By the property's inside name. What no person types is not here."""

_OWN_WORDS = "Value error, "
_OF_THE_VALIDATOR = re.compile(
    r"^(Input|String|Value|Data|Tuple|List) should |^Field required|^This must |^A day is written "
)
_PLAINER = (
    (r"^Input should be greater than or equal to (.+)$", r"it must be \1 or more"),
    (r"^Input should be less than or equal to (.+)$", r"it must be \1 or less"),
    (r"^Input should be greater than (.+)$", r"it must be more than \1"),
    (r"^Input should be less than (.+)$", r"it must be less than \1"),
    (r"^Input should be a valid integer.*$", "it must be a whole number"),
    (r"^Input should be a valid number.*$", "it must be a number"),
    (r"^String should have at least 1 character$", "it must not be empty"),
    (r"^String should have at most (\d+) characters?$", r"it has at most \1 characters"),
    (r"^Field required$", "it is missing"),
    (r"^This must (.+)$", r"it must \1"),
    (r"^(?:Input|String) should (.+)$", r"it should \1"),
)


def describe_fault(path: Sequence[object], message: str) -> str:
    """Tell what is wrong with one property; `message` is the validator's or a sentence of its own."""
    name = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(path[0])).lower() if path else ""
    known = TYPED.get(name)
    if known is None:
        return ": ".join(filter(None, (".".join(map(str, path)), plainer(message))))
    if _OF_THE_VALIDATOR.match(message):
        return f"{known.place} must be {known.takes}"
    return f"{known.place}: {plainer(message)}"


def plainer(message: str) -> str:
    """Put what a validator says about a value into plain words; any other sentence stays."""
    text = message.removeprefix(_OWN_WORDS)
    for pattern, plain in _PLAINER:
        text = re.sub(pattern, plain, text)
    return text
