"""The other half of a question's rows: one sentence on every face, and none where nothing fits."""

from datetime import date

from finplan.model.detection import Transfer, TransferLeg
from finplan.model.task import Alternative, CategorizePayee
from finplan.model.twins import offers_transfer, twin_said


def _task(suggested: str = "transfer", other: str = "rent") -> CategorizePayee:
    return CategorizePayee(
        id="tsk_1",
        payee_key="t ashworth",
        payee="T Ashworth",
        count=3,
        total=2_700_00,
        charges=(),
        suggested=suggested,
        suggested_label=suggested,
        confidence=0.7,
        alternatives=(Alternative(category=other, label=other),),
        options=(),
        last_date=date(2026, 9, 2),
        answer=None,
    )


def _leg(account: str, payee: str, amount: int) -> TransferLeg:
    return TransferLeg(
        transaction_id="tx_1",
        account_id="acc_1",
        account=account,
        payee_key=payee,
        date=date(2026, 9, 2),
        amount=amount,
        currency="GBP",
        raw=payee.upper(),
    )


def _transfer(out: str, into: str) -> Transfer:
    return Transfer(
        id="trf_1",
        status="candidate",
        source=None,
        currency="GBP",
        out=_leg("Current", out, -900_00),
        into=_leg("Monzo", into, 900_00),
        why="Same amount, same day.",
    )


def test_the_row_on_the_other_account_is_named() -> None:
    """For money out where it came in, for money in where it left; how often, if more than once."""
    out, into = _transfer("t ashworth", "77 lm"), _transfer("order", "t ashworth")
    came = "Maybe a transfer: £900.00 came into Monzo on Wed 2 Sep (“77 LM”)."
    assert twin_said(_task(), [out]) == came
    assert twin_said(_task(), [out, out, into]) == f"{came} It happened 3 times."
    left = "Maybe a transfer: £900.00 left Current on Wed 2 Sep (“ORDER”)."
    assert twin_said(_task(), [into]) == left
    assert twin_said(_task(), [_transfer("other", "77 lm")]) == ""


def test_candidates_are_asked_for_only_where_a_transfer_is_offered() -> None:
    """As the suggestion or as another choice."""
    assert offers_transfer([_task()])
    assert offers_transfer([_task("dining", "transfer")])
    assert not offers_transfer([_task("dining")])
    assert not offers_transfer([])
