"""Which accounts the plan takes for what, which look like one, and how old their data are."""

from datetime import UTC, date, datetime, timedelta

import pytest

from finplan.model.account import AccountKind
from finplan.model.plan import Role
from finplan.plan.live.allowance import connections_behind, days_behind, oldest_sync
from finplan.plan.pairing.duplicates import likely_duplicate_accounts
from finplan.plan.sections.wealth import take_snapshot
from tests.plan.households import Household, every, household

TODAY = date(2026, 1, 10)


@pytest.mark.parametrize(
    ("kind", "subtype", "role"),
    [
        ("depository", "checking", "cash"),
        ("depository", "savings", "cash"),
        ("depository", None, "cash"),
        ("depository", "hsa", "investment"),
        ("depository", "cd", "investment"),
        ("credit", "credit card", "debt"),
        ("loan", "mortgage", "debt"),
        ("investment", "brokerage", "investment"),
        ("other", "property", "investment"),
        ("other", "vehicle", "investment"),
        ("other", None, "none"),
    ],
)
def test_an_account_has_the_role_of_its_kind(
    kind: AccountKind, subtype: str | None, role: Role
) -> None:
    """Cash, debt, investment or none; in a foreign currency always none."""
    snapshot = take_snapshot(household().account("it", kind, subtype).ledger())
    foreign = take_snapshot(household().account("it", kind, subtype, currency="EUR").ledger())
    assert snapshot.accounts[0].role == role
    assert foreign.accounts[0].role == "none"


def test_balances_add_up_by_role() -> None:
    """Overdraft lowers cash, an overpaid card lowers debt, an unknown balance adds 0."""
    home = household().checking(balance=-50_00).savings(balance=900_00).savings("new", balance=None)
    home.card(balance=-20_00).loan(balance=700_00).brokerage(balance=5_000_00)
    home.checking("gone", balance=9_999_00, hidden=True)
    snapshot = take_snapshot(home.ledger())
    assert snapshot.liquid_cash == 850_00
    assert snapshot.credit_card_debt == -20_00
    assert snapshot.other_debt == 700_00
    assert snapshot.investments == 5_000_00
    assert snapshot.net_worth == 850_00 + 5_000_00 + 20_00 - 700_00
    assert [each.name for each in snapshot.accounts] == [
        "checking", "savings", "new", "card", "loan", "brokerage"
    ]  # fmt: skip


def pair(*, mask: str = "4421", connection: str = "hers", shift: int = 0) -> Household:
    home = household().checking("his", mask="4421", connection="his")
    home.charges(every("2025-01-03", 5, 20), "SAFEWAY", [31_00, 42_00, 53_00], "groceries")
    home.checking("hers", mask=mask, connection=connection)
    first = date(2025, 1, 3) + timedelta(shift)
    return home.charges(every(first, 5, 20), "SAFEWAY", [31_00, 42_00, 53_00])


def names(home: Household) -> list[tuple[str, str]]:
    return [(each.one.name, each.other.name) for each in likely_duplicate_accounts(home.ledger())]


def test_the_same_account_through_two_connections_is_recognised() -> None:
    """Institution, mask, kind, currency and the rows are the same."""
    assert names(pair()) == [("his", "hers")]


def test_accounts_that_differ_are_two() -> None:
    """Another mask, the same connection, or other rows: two accounts."""
    assert names(pair(mask="9999")) == []
    assert names(pair(connection="his")) == []
    assert names(pair(shift=2)) == []
    assert names(household().checking("a", mask="1").checking("b", mask="1", connection="b")) == []


def milliseconds(days_ago: float) -> int:
    noon = datetime(2026, 1, 10, 12, tzinfo=UTC) - timedelta(days_ago)
    return int(noon.timestamp() * 1000)


def test_old_data_are_behind() -> None:
    """48 hours for a bank, five weeks for files, and whatever is not ok."""
    home = household()
    for name, provider, ago in (
        ("fresh", "aggregator", 2),
        ("old", "aggregator", 3),
        ("file", "manual", 35),
        ("old file", "manual", 36),
    ):
        home.connection(name, provider=provider, last_synced_at=milliseconds(ago))  # type: ignore[arg-type]
    home.connection("new", provider="aggregator")
    home.connection("shut", "login_required", last_synced_at=milliseconds(0))
    found = [each.connection_id for each in connections_behind(home.ledger(), TODAY)]
    assert found == ["con_old", "con_old file", "con_new", "con_shut"]


def test_data_are_as_old_as_the_oldest_connection() -> None:
    """The oldest instant of the visible connections; null if one of them never synced."""
    home = household().connection("a", last_synced_at=5).connection("b", last_synced_at=3)
    assert oldest_sync(home.ledger()) == 3
    home.connection("c", last_synced_at=1).checking("gone", connection="c", hidden=True)
    assert oldest_sync(home.ledger()) == 3
    home.connection("d")
    assert oldest_sync(home.ledger()) is None
    assert oldest_sync(household().ledger()) is None


def test_days_behind_are_calendar_days() -> None:
    """Age counts days, not hours; None before the first sync."""
    home = household().connection("a", last_synced_at=milliseconds(1.5)).connection("b")
    ages = [days_behind(each, TODAY) for each in home.ledger().connections]
    assert ages == [1, None]
