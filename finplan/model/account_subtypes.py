"""Which subtypes the accounts of each kind have, and what a kind that a person says stands for."""

from collections.abc import Mapping

from finplan.model.account import AccountKind, KindWord

SUBTYPES: Mapping[AccountKind, tuple[str, ...]] = {
    "depository": (
        "checking", "savings", "money market", "cd", "cash management", "high yield savings",
        "hsa", "fsa", "529", "prepaid", "paypal", "ebt", "cash",
    ),
    "credit": ("credit card", "charge card", "store card", "paypal", "line of credit"),
    "loan": (
        "mortgage", "auto", "student", "home equity", "line of credit", "personal", "consumer",
        "business", "commercial", "construction", "overdraft", "vehicle", "loan", "liability",
    ),
    "investment": (
        "brokerage", "401k", "401a", "403b", "457b", "ira", "roth", "roth 401k", "retirement",
        "pension", "thrift savings plan", "hsa", "health reimbursement arrangement", "529",
        "mutual fund", "stock plan", "crypto", "isa", "sipp", "rrsp", "tfsa", "cd",
    ),
    "other": ("property", "real estate", "home", "vehicle", "cash", "asset"),
}  # fmt: skip
"""The subtypes that a person may set; a bank or a file may name others."""

_STANDS_FOR: Mapping[KindWord, tuple[AccountKind, str | None]] = {
    "checking": ("depository", "checking"),
    "savings": ("depository", "savings"),
    "credit": ("credit", "credit card"),
    "loan": ("loan", None),
    "investment": ("investment", None),
    "depository": ("depository", None),
    "other": ("other", None),
}


def kind_and_subtype(word: KindWord) -> tuple[AccountKind, str | None]:
    """The kind and the subtype that a word stands for; None where it leaves the subtype open."""
    return _STANDS_FOR[word]


def is_subtype_of(kind: AccountKind, subtype: str) -> bool:
    """Say whether accounts of a kind may have a subtype, however its letters and gaps are written."""
    return _folded(subtype) in set(map(_folded, SUBTYPES[kind]))


def _folded(subtype: str) -> str:
    return "".join(letter for letter in subtype.casefold() if letter.isalnum())
