"""Accounts as lines of the whole screen: what is owed, and what was overpaid."""

import pytest

from finplan.model.account import AccountRecord
from finplan.tui.drawing.accounts import balance_said, owed_said
from tests.cli import made_up_bank


def _record(kind: str, balance: int | None) -> AccountRecord:
    (record, *_) = made_up_bank.accounts()
    account = record.account.model_copy(update={"kind": kind, "balance": balance})
    return record.model_copy(update={"account": account})


@pytest.mark.parametrize(
    ("kind", "balance", "said", "owed"),
    [
        ("depository", 150_978, "$1,509.78", ""),
        ("depository", -150_978, "-$1,509.78", ""),
        ("credit", 150_978, "$1,509.78", "owed"),
        ("credit", -150_978, "$1,509.78", "overpaid"),
        ("loan", 0, "$0.00", "owed"),
        ("loan", None, "unknown", ""),
    ],
)
def test_what_is_owed_has_a_word_in_place_of_a_sign(
    kind: str, balance: int | None, said: str, owed: str
) -> None:
    """A card that was overpaid is told as such: a debt below nothing is read as one."""
    record = _record(kind, balance)
    assert (balance_said(record), owed_said(record.account)) == (said, owed)
