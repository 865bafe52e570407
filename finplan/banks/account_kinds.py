"""What kind of account a name speaks of, for aggregators that do not say."""

import re
from typing import NamedTuple

from finplan.model.account import AccountKind


class KindOfName(NamedTuple):
    """A kind of account and, where the name tells it too, the subtype."""

    kind: AccountKind
    subtype: str | None = None


_NAMES: tuple[tuple[str, AccountKind, str | None], ...] = (
    ("mortgage|home loan|hypothek|hypotheek", "loan", "mortgage"),
    ("auto loan|car loan|vehicle loan", "loan", "auto"),
    ("student loans?", "loan", "student"),
    ("heloc|home equity|line of credit", "loan", "line of credit"),
    ("loans?|kredit|darlehen|prêt", "loan", None),
    ("401 ?\\(?k\\)?|403 ?\\(?b\\)?|457 ?\\(?b\\)?", "investment", "401k"),
    ("roth ira|roth", "investment", "roth"),
    ("ira|sep ira", "investment", "ira"),
    ("brokerage|invest\\w*|securities|portfolio|depot|rsu|espp|529", "investment", "brokerage"),
    ("debit cards?", "depository", "checking"),
    ("credit ?cards?|kreditkarte|carte de crédit|creditcard", "credit", "credit card"),
    (
        "visa|master ?card|amex|american express|discover it|platinum card",
        "credit",
        "credit card",
    ),
    ("money market", "depository", "money market"),
    ("cds?|certificates?( of deposit)?|festgeld", "depository", "cd"),
    ("sav(ings?)?|sparkonto|tagesgeld|livret", "depository", "savings"),
    ("che(ck|que|quing|cking)\\w*|chk|current|girokonto|giro", "depository", "checking"),
)
"""The first that fits counts: an auto loan is no bare loan, a debit card no card."""

_WORDS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), KindOfName(kind, subtype))
    for words, kind, subtype in _NAMES
)


def kind_of_name(name: str) -> KindOfName | None:
    """The kind that a name speaks of, None where it speaks of none."""
    return next((found for words, found in _WORDS if words.search(name)), None)


_LAST_DIGITS = re.compile(r"(?:^|[^0-9])([0-9]{4})\W*$")


def mask_of_name(name: str) -> str | None:
    """The last four digits of an account's number where its name ends in them: "Checking (…1234)"."""
    found = _LAST_DIGITS.search(name)
    return found[1] if found else None
