"""Accounts of linked banks that a file's account number ends as: asked about, since digits repeat."""

from collections.abc import Collection, Sequence
from typing import Any

from finplan.model.question import ANOTHER_ACCOUNT
from finplan.service.imports.accounts.candidates import (
    AccountCandidate,
    join_as_said,
    named,
    same_account_question,
)
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.questions import OpenQuestion


def settle_linked(
    found: ResolvedAccount,
    stored: Sequence[Any],
    earlier: Sequence[ResolvedAccount | None],
    said: Collection[str],
) -> ResolvedAccount | None:
    """The linked account that a new one is, as the person says; None where none has such a number.

    Raises OpenQuestion where nothing in `said` tells: an account's id or name in small letters, or
    ANOTHER_ACCOUNT.
    """
    number = "".join(filter(str.isdigit, found.staged.account.number or ""))
    candidates = [
        AccountCandidate.of_stored(row, f"its number ends in {row['mask']}")
        for row in stored
        if row["provider"] == "aggregator"
        and row["currency"] == found.currency
        and row["mask"]
        and number.endswith(row["mask"])
    ]
    for each in candidates:
        if not each.answers.isdisjoint(said):
            return join_as_said(found, each, earlier)
    if not candidates or ANOTHER_ACCOUNT in said:
        return None
    text = (
        f"{found.name} ends in the digits that your bank tells of {named(candidates)}. Is it the same"
        " account?"
    )
    raise OpenQuestion(same_account_question(text, found.name, candidates))
