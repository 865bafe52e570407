"""What was detected: what comes again, transfers, what is seen twice, and what a word on it does."""

from collections.abc import Iterator

import pytest

from finplan.model.detection import Detected, Duplicate
from finplan.terminal.lines import Look
from finplan.terminal.tables import fit_table
from finplan.views import detection as view
from finplan.views.page import Page, of as page_of, sentences
from tests.cli import made_up_bank
from tests.golden_files import kept_in
from tests.views.drawing import how
from tests.views.test_tasks import text

golden = kept_in("cli")


def findings() -> Iterator[Detected]:
    """One of each kind and status, and two accounts that a bank lists under new ids."""
    yield from made_up_bank.recurring()
    yield from made_up_bank.transfers()
    yield from made_up_bank.duplicates()
    yield made_up_bank.duplicates()[0].model_copy(update={"relinked": True, "kind": "accounts"})


def test_transfers() -> None:
    """What is in doubt comes first, with both texts and the reason."""
    golden("transfers", text(view.transfers(made_up_bank.transfers(), how(), everything=False)))


def test_many_transfers_are_cut_short() -> None:
    """The newest are listed, and it is said how to see the others."""
    many = [made_up_bank.transfer(f"{n:03d}", "paired", n, n) for n in range(1, 101)]
    some = text(view.transfers(many, how(), everything=False))
    every = text(view.transfers(many, how(), everything=True))
    assert "70 older" in some
    assert some.count("Checking → Savings") == 30
    assert every.count("Checking → Savings") == 100


@pytest.mark.parametrize("width", [60, 80, 110])
def test_recurring(width: int) -> None:
    """Charges, income and what is over stand apart; a wide page says how each is known."""
    golden(f"recurring-{width}", text(view.recurring(made_up_bank.recurring(), how()), width))


def test_duplicates() -> None:
    """The two of each stand below one another, what is left out is dim."""
    golden("duplicates", text(view.duplicates(made_up_bank.duplicates(), how())))


def test_decisions() -> None:
    """Every verdict ends in one sentence that says what holds now."""
    decided = [view.describe_verdict(each, how()) for each in findings()]
    golden("decisions", "".join(text(page_of(sentences([each]))) for each in decided))


def test_one_finding_has_what_each_word_does() -> None:
    """The question, its rows, and what yes and no do."""
    rows = made_up_bank.transactions()[:2]
    shown = [page_of(view.finding(each, how(), (rows, rows))) for each in findings()]
    golden("findings", "\n".join(text(each, 60) for each in shown))


def test_a_transfer_between_currencies_shows_both_sums() -> None:
    """What left and what it became stand side by side, each in its own currency."""
    crossing = made_up_bank.transfer("f6", "confirmed", 500_00, 446_00, became="EUR")
    assert "$500.00 → €446.00" in view.describe_verdict(crossing, how())
    assert "$500.00 → €446.00" in text(view.transfers([crossing], how(), everything=True), 100)
    for width in (56, 76, 136):
        (row,) = fit_table(view.transfer_table([crossing]), Look(width, ids=False)).rows
        assert row[1][1][0].plain == "$500.00 → €446.00"


@pytest.mark.parametrize("width", [56, 76, 136])
def test_a_list_of_findings_fits(width: int) -> None:
    """Each list has room on the whole screen, whose rows have no ids, and no amount of it is cut."""
    tables = (
        view.series_table(made_up_bank.recurring(), how()),
        view.transfer_table(made_up_bank.transfers()),
        view.duplicate_table(made_up_bank.duplicates()),
    )
    for each in tables:
        fitted = fit_table(each, Look(width, ids=False))
        assert sum(fitted.widths) + 2 * (len(fitted.widths) - 1) <= width
        assert all("…" not in cells[1][0].plain for _, cells in fitted.rows)


def test_nothing_is_said_kindly() -> None:
    """An empty page says that there is nothing."""
    empty: tuple[Page, ...] = (
        view.transfers((), how(), everything=False),
        view.recurring((), how()),
        view.duplicates((), how()),
    )
    assert all(text(each).strip().endswith(".") for each in empty)


def test_a_word_is_what_is_told_to_the_daemon() -> None:
    """What is said of a finding holds on it once the daemon has kept it so."""
    statuses = {"confirm": "confirmed", "dismiss": "dismissed", "reject": "rejected"}
    words: tuple[view.Word, ...] = ("yes", "no")
    for each in findings():
        assert view.verdict(each, "auto").verdict == "auto"
        for word in words:
            told = view.verdict(each, word)
            assert told.id == each.id
            status = statuses.get(told.verdict, told.verdict)
            assert view.word_on(each.model_copy(update={"status": status})) == word
        if isinstance(each, Duplicate) and each.relinked:
            assert all("permanently" in view.does(each, word) for word in words)
