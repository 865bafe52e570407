"""Accounts and banks as the command line shows them, kept as golden files."""

import pytest

from finplan.views import accounts, banks
from tests.cli import made_up_bank
from tests.cli.conftest import Draw
from tests.golden_files import Golden
from tests.views.drawing import how


def test_accounts(draw: Draw, golden: Golden) -> None:
    """What is owed is called so, each account is in its own currency, a hidden one says it is."""
    _, card, euros, *_ = records = made_up_bank.accounts()
    pages = [accounts.accounts(records), accounts.account(card), accounts.account(euros)]
    pages.append(accounts.accounts([card, made_up_bank.account_at("Another Bank")]))
    golden("accounts", "\n".join(map(draw, pages)))


@pytest.mark.parametrize("width", [60, 64, 72])
def test_no_figure_of_a_narrow_list_is_cut(draw: Draw, width: int) -> None:
    """Where there is little room, columns are left out, and names give way."""
    records = made_up_bank.accounts()
    lines = draw(accounts.accounts(records), width).splitlines()
    assert all(len(line) <= width for line in lines)
    for line, amount in zip(lines[1:], ("$18,425.12", "€10,500.00", "unknown"), strict=False):
        assert f" {amount} " in line


def test_connections(draw: Draw, golden: Golden) -> None:
    """A bank that needs the person says what is wrong in full."""
    names = {report.connection_id: "Bank" for report in made_up_bank.syncs()}
    linked = draw(banks.banks(made_up_bank.connections(), how()))
    golden("connections", linked + draw(banks.syncs(made_up_bank.syncs(), names)))


def test_nothing_is_said_so(draw: Draw) -> None:
    """Where there is nothing, a sentence says so instead of an empty table."""
    for page in (accounts.accounts(()), banks.banks((), how()), banks.states((), how())):
        assert draw(page).strip().endswith(".")
