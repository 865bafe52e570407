"""Single rows as agents are told them, and how rows fit below each other."""

from datetime import date

import pytest

from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model.transaction import SplitPart, Transaction, TransactionPage, TransactionWord
from finplan.views import transactions
from tests.cli import made_up_bank

FIRST, LAST = date(2026, 1, 1), date(2026, 1, 31)
ROW = made_up_bank.transactions()[1].model_copy(
    update={"payee": "Shop", "amount": -5_00, "currency": "EUR", "category": "pets"}
)
LABELS = {"pets": "Pets", "toys": "My [toys]"}


def brief(*rows: Transaction, outside: bool = False, more: str | None = None) -> list[str]:
    found = TransactionPage(transactions=rows, next_cursor=more)
    names = {ROW.account_id: "Giro"} if outside else {}
    lines = transactions.brief(found, ", up to 2026-01-31", LABELS, names, {"unknown"})
    return write_text(lines).splitlines()


@pytest.mark.parametrize(
    ("since", "until", "days"),
    [
        (None, None, ""),
        (None, LAST, ", up to 2026-01-31"),
        (FIRST, None, ", from 2026-01-01"),
        (FIRST, LAST, ", from 2026-01-01 to 2026-01-31"),
    ],
)
def test_days_as_they_follow_a_number(since: date | None, until: date | None, days: str) -> None:
    """Days are told by their first, their last, or both; all days by nothing."""
    assert transactions.days_of(since, until) == days


def test_rows_are_told_as_they_stand() -> None:
    """A row that waits is said to, no other is; a page says of which days it is, and what follows."""
    day, waits = ROW.date, ROW.model_copy(update={"pending": True})
    head, *rows = brief(waits, ROW, more="abc")
    assert head.startswith("2 transactions, newest first, up to 2026-01-31; more with cursor.")
    assert rows == [
        f"- {day} `Shop` -€5.00, Pets, pending [{ROW.id}]",
        f"- {day} `Shop` -€5.00, Pets [{ROW.id}]",
    ]
    assert "cursor" not in brief(ROW)[0]


def test_a_row_outside_totals_names_its_account() -> None:
    """One that is in no category either is told without what it is for."""
    unknown = ROW.model_copy(update={"category": "unknown"})
    assert brief(unknown, ROW, outside=True)[1:] == [
        f"- {ROW.date} `Shop` -€5.00, on `Giro`, not in totals [{ROW.id}]",
        f"- {ROW.date} `Shop` -€5.00, Pets, on `Giro`, not in totals [{ROW.id}]",
    ]
    assert ", unknown [" in brief(unknown)[1]


def test_what_was_said_of_a_row_is_told_as_data() -> None:
    """Notes are set apart, and a title has no markup."""
    parts = tuple(SplitPart(amount=-250, category=key, note=None) for key in LABELS)
    row = ROW.model_copy(update={"splits": parts, "note": "for `Ada`", "tags": ("june",)})
    assert brief(row)[1] == (
        f"- {ROW.date} `Shop` -€5.00, split into -€2.50 Pets, -€2.50 My (toys),"
        f" note `for 'Ada'`, tags `#june` [{ROW.id}]"
    )


@pytest.mark.parametrize(("kept", "when"), [(True, "now"), (False, "then")])
def test_a_word_is_told_before_and_after(kept: bool, when: str) -> None:
    """What the rules are to say again is called so; one half of a transfer is said to be one."""
    before = TransactionWord(id=ROW.id, category="toys")
    after = TransactionWord(id=ROW.id)
    row = ROW.model_copy(update={"transfer_id": "trf_1"})
    lines = write_text(
        transactions.brief_word(row, before, after, LABELS, is_saved=kept)
    ).splitlines()
    assert lines[0].endswith(f": `Shop` -€5.00 of {ROW.date}")
    assert lines[0].startswith("Saved") == kept
    assert lines[1:3] == ["- before: My (toys) (toys)", f"- {when}: by the rules"]
    assert len(lines) == 4
