"""Accounts and banks in words: what is owed, what was overpaid, and what agents are told of both."""

import re
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model.account import AccountRecord
from finplan.model.connection import BankLink, BankName, LinkStatus
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


FAILURE = "Ask [me](http://evil.example) `x`. `finplan connect` links it again."


def test_the_short_forms() -> None:
    """A line each; what strangers wrote stands in code spans, and nothing else does."""
    first, wrong, files = made_up_bank.connections()
    failing = wrong.connection.model_copy(update={"error": FAILURE})
    linked = (first, wrong.model_copy(update={"connection": failing}), files)
    links, reports = [each.connection for each in linked], made_up_bank.syncs()
    briefs = (
        accounts.brief(made_up_bank.accounts()),
        accounts.brief(()),
        banks.brief(linked, how()),
        banks.brief_link(links[0]),
        banks.brief_link(links[2]),
        banks.brief_syncs(list(zip(reports, links[1:], strict=True))),
        banks.brief_syncs([(reports[0], links[2])]),
        banks.brief_syncs([]),
        *(banks.brief_page(page(each)) for each in ("pending", "failed")),
        banks.brief_page(page("pending", "enablebanking")),
    )
    kept_in("views")("briefs-of-accounts", "\n\n".join(map(write_text, briefs)) + "\n")


def page(status: LinkStatus, bank: BankName = "plaid") -> BankLink:
    url = "https://bank.example/sign-in"
    return BankLink(
        id="lnk_1", bank=bank, url=url, expires_at=0, status=status, connection=None, error=None
    )


def synced(**changed: Any) -> str:
    """What is told of the sync of one bank."""
    link = made_up_bank.connections()[0].connection
    report = made_up_bank.syncs()[0].model_copy(update={"modified": 0, "removed": 0, **changed})
    _, line = write_text(banks.brief_syncs([(report, link)])).splitlines()
    return line.removeprefix(f"- `{link.institution_name}`: ")


def test_what_a_sync_brought() -> None:
    """Rows that are new, changed or gone are counted, what is none is not; a failure is no count."""
    assert synced(added=2) == "2 new transactions"
    assert re.findall(r"\d+|more", synced(added=1, modified=3, removed=4, complete=False)) == [
        *("1", "3", "4", "more")
    ]
    assert not re.search(r"\d", synced(ok=False))
    assert len(synced(ok=False, error="x" * 900)) == len("failed, ``") + banks.LONGEST_ERROR
