"""What kind of account a file is of: what the person or the file says, else what names suggest."""

import re
from pathlib import Path

from finplan.model.account import AccountKind
from finplan.statements.statement import StatementAccount

_CHECKING_WORDS = re.compile(r"(?<![a-z])(?:checking|chequing)(?![a-z])")
_CREDIT_WORDS = re.compile(
    r"(?<![a-z])(?:credit(?! unions?(?![a-z])| suisse| agricole)|(?<!debit )cards?"
    r"|creditcards?|visa|mastercard|amex)(?![a-z])"
)
_SAVINGS_WORDS = re.compile(r"(?<![a-z])(?:savings?|money market)(?![a-z])")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def kind_of(
    account: StatementAccount, requested: AccountKind | None, file_name: str
) -> tuple[AccountKind, str | None]:
    """The kind and the subtype of an account; a checking account where nothing else is known.

    `requested` is what the person says of the whole import.
    """
    names = (account.name, Path(file_name).stem)
    words = " / ".join(_BETWEEN_WORDS.sub(" ", name.lower()) for name in names)
    saves = _SAVINGS_WORDS.search(words) and not _CHECKING_WORDS.search(words)
    if requested is not None:
        is_savings = saves and requested == "depository"
        return requested, account.subtype or ("savings" if is_savings else None)
    if account.kind is not None:
        return account.kind, account.subtype
    if _CHECKING_WORDS.search(words):
        return "depository", "checking"
    if _CREDIT_WORDS.search(words):
        return "credit", "credit card"
    if saves:
        return "depository", "savings"
    return "depository", "checking"
