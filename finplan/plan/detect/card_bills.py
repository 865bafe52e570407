"""Payments to a card that is not linked: a bill on its day, whatever it comes to.

What is bought with such a card is never seen, so its payments are the spending, and cash must hold the
next one. Source: plan-semantics, C20.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from finplan.plan.detect.cadence import per_month, rhythm_of
from finplan.plan.detect.series import Occurrence
from finplan.plan.detect.streams import Stream, days_of, may_be_chance
from finplan.plan.ledger.amounts import median
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import AMOUNT, DAY, PEER

UNLINKED_CARD = "unlinked_card"

_LATEST = 6
"""How many of the last payments tell what the next may come to."""


def card_bill(paid: Sequence[Occurrence]) -> Stream | None:
    """All payments to a card as one bill if their days keep a rhythm: amounts of a card say nothing."""
    rhythm = rhythm_of(days_of(paid))
    if rhythm is None or rhythm.seen < 3 or may_be_chance(rhythm, 1):
        return None
    return Stream([payment for payment in paid if payment[0] <= rhythm.last], rhythm)


def as_card_bills(charges: Iterable[Series], sheets: Sequence[Sheet]) -> list[Series]:
    """Charges of which a card's next bill is the median of its last six, and none is a linked card's."""
    paired = _last_paired(sheets)
    return [
        _as_card_bill(charge) if charge.category == UNLINKED_CARD else charge
        for charge in charges
        if charge.category != UNLINKED_CARD or not _is_linked(charge, paired)
    ]


def _as_card_bill(charge: Series) -> Series:
    """The series without a price: a larger bill is no rise of one, and any payment may be the next."""
    assert charge.cadence != "irregular"
    amount = median([amount for _, amount in charge.recent[-_LATEST:]])
    return replace(
        charge,
        amount=amount,
        monthly=per_month(amount, charge.cadence, charge.interval_days),
        steady=False,
        price_before=None,
        price_changed=None,
    )


def _last_paired(sheets: Iterable[Sheet]) -> dict[int, int]:
    """The day of each payee's last payment that arrived on an account of the household."""
    last: dict[int, int] = {}
    for sheet in sheets:
        if sheet.category == "card_payment":
            days = [row[DAY] for row in sheet.rows if row[PEER] and row[AMOUNT] < 0]
            if days:
                last[sheet.payee] = max(last.get(sheet.payee, 0), days[-1])
    return last


def _is_linked(charge: Series, paired: dict[int, int]) -> bool:
    """Whether the payment that was due next has arrived on a linked card.

    One that came much sooner was to another card under the same name.
    """
    assert charge.interval_days is not None
    last, pause = charge.last_date.toordinal(), 2 * charge.interval_days
    return any(
        payee in paired and 3 * (ORDINAL[paired[payee]] - last) >= pause for payee in charge.payees
    )
