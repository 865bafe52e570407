"""The other half that a question's rows may have on another own account, as a sentence."""

from collections.abc import Iterable, Sequence

from finplan.model import figures
from finplan.model.detection import Transfer, TransferLeg, TransferQuery
from finplan.model.task import CategorizePayee, Task

CANDIDATES = TransferQuery(status=("candidate",))
"""What is asked for the rows that may be halves of transfers."""


def offers_transfer(tasks: Iterable[Task]) -> bool:
    """Whether some question offers money between own accounts, so that its twin is worth showing."""
    return any(
        "transfer" in (task.suggested, *(other.category for other in task.alternatives))
        for task in tasks
        if isinstance(task, CategorizePayee)
    )


def twin_said(task: CategorizePayee, candidates: Sequence[Transfer]) -> str:
    """The newest row that may be the other half of one of a question's, empty where there is none.

    `candidates` are the transfers in doubt, newest first.
    """
    twins = [
        twin
        for transfer in candidates
        for own, twin in (
            (transfer.out, transfer.into),
            (transfer.into, transfer.out),
        )
        if own.payee_key == task.payee_key
    ]
    if not twins:
        return ""
    times = f" It happened {len(twins)} times." if len(twins) > 1 else ""
    return f"Maybe a transfer: {_leg_said(twins[0])}.{times}"


def _leg_said(leg: TransferLeg) -> str:
    way = "came into" if leg.amount > 0 else "left"
    amount = figures.money(abs(leg.amount), leg.currency)
    return f"{amount} {way} {leg.account} on {figures.short_date(leg.date)} (“{leg.raw}”)"
