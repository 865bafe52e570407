"""Accounts and banks in words: what is owed, what was overpaid, and what agents are told of both."""

from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.wording import told
from finplan.model.account import AccountRecord
from finplan.views import accounts, banks
from tests.cli import made_up_bank
from tests.golden_files import kept_in
from tests.views.drawing import how


def record(kind: str, balance: int | None) -> AccountRecord:
    known = made_up_bank.accounts()[0]
    account = known.account.model_copy(update={"kind": kind, "balance": balance})
    return known.model_copy(update={"account": account})


@pytest.mark.parametrize(
    ("kind", "balance", "holds"),
    [
        ("depository", 150_978, "$1,509.78"),
        ("depository", -150_978, "-$1,509.78"),
        ("credit", 150_978, "$1,509.78 owed"),
        ("credit", -150_978, "$1,509.78 overpaid"),
        ("loan", 0, "$0.00 owed"),
        ("loan", None, "unknown"),
    ],
)
def test_a_debt_has_a_word_for_a_sign(kind: str, balance: int | None, holds: str) -> None:
    """A card that was overpaid is told as such: a debt below nothing is read as one."""
    known = record(kind, balance)
    assert accounts.holds(known) == holds
    [account] = accounts.balances([known]).rows
    assert account.cells[2] == accounts.balance(known)
    assert holds.startswith(accounts.balance(known).text)
    assert (kind in accounts.OWED) == bool(accounts.owed_word(known.account))


def test_the_short_forms() -> None:
    """A line each; what strangers wrote stands in code spans, and nothing else does."""
    first, wrong, files = made_up_bank.connections()
    error = "Ask [me](http://evil.example) `x`. `finplan connect` links it again."
    links = (first, failing(wrong.connection, error), files.connection)
    reports = made_up_bank.syncs()
    briefs = (
        accounts.brief(made_up_bank.accounts()),
        accounts.brief(()),
        banks.brief([first, wrong.model_copy(update={"connection": links[1]}), files], how()),
        banks.brief_linked(first.connection),
        banks.brief_linked(files.connection),
        *(
            banks.brief_syncs(list(zip(reports, each, strict=False)))
            for each in (links[1:], links[2:])
        ),
        banks.brief_syncs([]),
    )
    kept_in("views")("briefs-of-accounts", "\n\n".join(map(told, briefs)) + "\n")


def failing(link: Any, error: str) -> Any:
    return link.model_copy(update={"error": error})


def synced(**changed: Any) -> str:
    """What is told of the sync of one bank."""
    link = made_up_bank.connections()[0].connection
    report = made_up_bank.syncs()[0].model_copy(update={"modified": 0, "removed": 0, **changed})
    _, line = told(banks.brief_syncs([(report, link)])).splitlines()
    return line.removeprefix(f"- `{link.institution_name}`: ")


def test_what_a_sync_brought() -> None:
    """Rows that are new, changed or gone are counted; what there is more of, and a failure, is said."""
    assert synced(added=2) == "2 new rows"
    assert synced(added=1, modified=3, removed=1, complete=False) == (
        "1 new row, 3 changed, 1 gone; it has more, sync again"
    )
    assert synced(ok=False) == "failed, `for no reason told`"
    assert len(synced(ok=False, error="x" * 900)) == len("failed, ``") + banks.LONGEST_ERROR
