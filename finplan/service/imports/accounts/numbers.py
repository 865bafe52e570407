"""Numbered accounts: which of the accounts that are held an account number of a file may be."""

from typing import Any

from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.service.ids import SUBTYPE
from finplan.statements.statement import StatementAccount, same_account

_CERTAIN_DIGITS = 8
"""How many digits of a number are hardly those of another account at another institution."""


def match_at_institution(
    account: StatementAccount, manual: list[Any]
) -> tuple[list[Any], list[Any]]:
    """The accounts that a number fits at its institution, and the one that it fits at another.

    A short number, as of a member of a credit union or of a card that shows four digits, may be at two
    institutions; a long one is one account's, however its institution is spelt.
    """
    number = str(account.number)
    _, alike = match_number(number, account.subtype, manual)
    if account.institution is None:
        return alike, []
    for institution in (account.institution, UNNAMED_INSTITUTION):
        there = [row for row in manual if row["institution_name"] == institution]
        _, fits = match_number(number, account.subtype, there)
        if fits:
            return fits, []
    return (alike, []) if is_long(number) else ([], alike[:1])


def is_long(number: str) -> bool:
    """Say whether a number has so many digits that it is hardly given twice."""
    return sum(map(str.isdigit, number)) >= _CERTAIN_DIGITS


def match_number(number: str, subtype: str | None, manual: list[Any]) -> tuple[str, list[Any]]:
    """The external id for a number, and the accounts that it fits.

    Some credit unions give a person's checking and savings one number, so the subtype belongs to it;
    a file that knows the number alone fits every account of that number.
    """
    if subtype is None:
        # A number may itself hold blanks, as where an app names the account; a subtype is lower-case.
        fits = [
            row
            for row in manual
            if row["external_id"] == number
            or (
                str(row["external_id"]).removeprefix(f"{number} ").islower()
                and str(row["external_id"]).startswith(f"{number} ")
            )
        ]
        return number, fits or _same_number(manual, number, subtype)
    exact = f"{number} {subtype}"
    fits = [row for row in manual if row["external_id"] in {exact, number}]
    return exact, (fits or _same_number(manual, number, subtype))[:1]


def _same_number(manual: list[Any], number: str, subtype: str | None) -> list[Any]:
    """The accounts whose number is another form of this one."""
    return [row for row in manual if has_number(row["external_id"], number, subtype)]


def has_number(external_id: str, number: str, subtype: str | None) -> bool:
    """Say whether an external id has the number in any form, and no other subtype."""
    own_subtype = SUBTYPE.search(external_id)
    own_number = external_id[: own_subtype.start()] if own_subtype else external_id
    return same_account(own_number, number) and (
        own_subtype is None or subtype is None or own_subtype[1] == subtype
    )
