"""Two accounts that files made of one: what is said of them, and the ways out."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from finplan.model.figures import count
from finplan.plan.ledger.days import date_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.repetition import Repetition
from finplan.store.queries import imports


def imports_of_account(connection: Connection, owner: int, account: str) -> list[str]:
    """The ids of the standing imports that had rows of an account, given by its id, newest first."""
    return [
        batch["id"]
        for batch in imports.list_imports(connection, owner)
        if batch["status"] == "committed" and account in json.loads(batch["before"])["accounts"]
    ]


def imported_twice(
    kept: LedgerAccount,
    other: LedgerAccount,
    repeated: Repetition,
    duplicate: str,
    batches: Sequence[str],
) -> str:
    """What two accounts have in common, and what to do where they are one.

    `batches` are the imports of the other account. Leaving it out suffices where the kept one covers all
    its days; else those imports are undone and done again as the same account.
    """
    since, until = date_of(repeated.since), date_of(repeated.until)
    days = f"from {since:%-d %b %Y} to {until:%-d %b %Y}"
    asked = (
        f"{kept.name} and {other.name} have {count(repeated.shared, 'equal row')} {days}: one account"
        " that came twice?"
    )
    if _covers(kept, other) or not batches:
        return f"{asked} If so, `finplan duplicates same {duplicate}` leaves {other.name} out."
    undo = " and ".join(f"`finplan imports undo {each}`" for each in batches)
    return (
        f"{asked} If so, {other.name} has other days too: {undo}, import again, and answer that it is"
        f" the same account. `finplan duplicates same {duplicate}` would leave those days out."
    )


def _covers(kept: LedgerAccount, other: LedgerAccount) -> bool:
    """Whether one account covers every day of another; False where a file has not said which."""
    days = (kept.covered_since, other.covered_since, other.covered_until, kept.covered_until)
    told = [day for day in days if day is not None]
    return len(told) == len(days) and told == sorted(told)
