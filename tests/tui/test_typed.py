"""What is typed: splits, paths, periods, settings, and sentences that name keys.

It is read exactly, or refused in a sentence before anything is asked.
"""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.model.category import CategoryChoice
from finplan.model.snapshot import IncomeRequest
from finplan.model.transaction import Reason, Transaction
from finplan.model.typed_parts import NoSplit
from finplan.model.user import BudgetShares, SettingsChange
from finplan.tui.dialogs import describe_error
from finplan.tui.drawing import by_keys, fit, row, wrapped
from finplan.tui.flows.importing import paths
from finplan.tui.flows.rewording import read_split
from finplan.tui.screens.settings import read_change
from finplan.tui.screens.spending import ShownPeriod, month_of, spoken, whole_months

TODAY = date(2026, 3, 18)
CHOICES = [
    CategoryChoice(category=name, label=label, line="discretionary", custom=False, reimbursable=False)
    for name, label in (
        ("groceries", "Groceries"), ("gifts", "Gifts"), ("gym", "Sport and hobbies"),
    )
]  # fmt: skip


def bought(amount: int) -> Transaction:
    return Transaction(
        id="tx_1",
        account_id="acc_1",
        date=TODAY,
        amount=amount,
        currency="USD",
        payee_key="target",
        payee="Target",
        raw="TARGET 0001",
        category="shopping",
        line="discretionary",
        pending=False,
        transfer_id=None,
        why=Reason(source="default", rule_id=None, confidence=None, text="Not known."),
        note=None,
        splits=None,
    )


@given(st.integers(3, 10**9), st.data())
def test_a_split_adds_up(amount: int, data: st.DataObject) -> None:
    """The parts of a split are signed as their row is and add up to it, the rest being what is left."""
    part = data.draw(st.integers(1, amount - 1))
    sign = data.draw(st.sampled_from((1, -1)))
    whole, cents = divmod(part, 100)
    parts = read_split(f"groceries={whole}.{cents:02} gifts=rest", bought(sign * amount), CHOICES)
    assert [each.category for each in parts] == ["groceries", "gifts"]
    assert parts[0].amount == sign * part
    assert sum(each.amount for each in parts) == sign * amount


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "at least two parts"),
        ("groceries=40", "at least two parts"),
        ("groceries gifts", "'groceries' needs a category and an amount"),
        ("groceries= gifts=2", "'groceries=' needs a category and an amount"),
        ("groceries=rest gifts=rest", "Only one category"),
        ("groceries=30 gifts=30", "$20.00 more than"),
        ("groceries=10 gifts=10", "The parts are $20.00 less than"),
        ("groceries=40 gifts=rest", "Nothing remains"),
        ("groceries=+10 gifts=40", "The parts are $10.00 less than"),
        ("groceries=ten gifts=rest", "ten"),
        ("g=10 gifts=rest", "could be groceries, gifts, gym"),
        ("zoo=10 gifts=rest", "No category is called 'zoo'"),
    ],
)
def test_what_is_no_split_is_told(typed: str, said: str) -> None:
    """A line that is no split of its row is refused with what is wrong."""
    with pytest.raises(NoSplit) as refused:
        read_split(typed, bought(-4000), CHOICES)
    assert said in str(refused.value)


def test_a_category_is_known_by_its_beginning_and_its_label() -> None:
    """Part of a category's id or label names it where only one begins so."""
    parts = read_split("sport=10 GRO=rest", bought(-4000), CHOICES)
    assert [each.category for each in parts] == ["gym", "groceries"]


def test_paths_as_terminals_drop_them(tmp_path: Path) -> None:
    """A path is read plain with its spaces, quoted, escaped, as an address, and several of them."""
    spaced, plain = tmp_path / "my bank (1).csv", tmp_path / "bank.ofx"
    for each in (spaced, plain):
        each.touch()
    for typed in (
        str(spaced),
        f"  {spaced} ",
        f"'{spaced}'",
        str(spaced).replace(" ", "\\ ").replace("(", "\\(").replace(")", "\\)"),
    ):
        assert paths(typed) == (spaced,)
    assert paths(spaced.as_uri()) == (spaced,)
    assert paths(f"'{spaced}' {plain}") == (spaced, plain)
    assert paths("   ") == ()
    with pytest.raises(ValueError, match="quotation"):
        paths("'open")


def test_paths_know_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` is the home folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths("~/a.csv ~/b.csv") == (tmp_path / "a.csv", tmp_path / "b.csv")


DAYS = st.dates(date(1990, 1, 1), date(2090, 1, 1))


@given(DAYS, st.integers(1, 24), st.integers(-30, 30))
def test_months_step_by_months(day: date, months: int, step: int) -> None:
    """Whole months step by their number and back to what they were; they begin and end with months."""
    period = whole_months(day.replace(day=1), months)
    moved = period.stepped(step, TODAY)
    assert moved.since is not None
    assert moved.until is not None
    assert moved.since.day == 1
    assert (moved.until + timedelta(1)).day == 1
    assert moved.stepped(-step, TODAY) == period


@given(DAYS, st.integers(1, 400), st.integers(-20, 20))
def test_days_step_by_days(day: date, length: int, step: int) -> None:
    """Other days step by as many days, so that none is left out and none comes twice."""
    since = day.replace(day=2)
    moved = ShownPeriod(since, since + timedelta(length - 1), "").stepped(step, TODAY)
    assert moved.since == since + timedelta(length * step)
    assert moved.until is not None
    assert (moved.until - moved.since).days == length - 1


def test_this_month_so_far_steps_to_the_month_before() -> None:
    """What runs until today from the first of a month is that month; all days stay all days."""
    so_far = ShownPeriod(date(2026, 3, 1), TODAY, "March so far")
    assert so_far.stepped(-1, TODAY) == month_of(date(2026, 2, 1))
    assert spoken("", TODAY).stepped(-1, TODAY) == spoken(" ", TODAY)


@pytest.mark.parametrize(
    ("sentence", "here"),
    [
        ("`finplan tasks answer` settles it.", "Tasks (T) settles it."),
        ("Import it with `finplan import FILE`.", "Import it with i (Import)."),
        ("`finplan plan explain allowance`", "x in Plan (P)"),
        ("`finplan accounts set acc_1 --balance AMOUNT`", "b in Accounts (A)"),
        ("`finplan accounts set 'My Card' --kind credit`", "k in Accounts (A)"),
        ("`finplan connect simplefin --reconnect con_1`", "c in Accounts (A)"),
        ("`finplan daemon logs` shows it.", "`finplan daemon logs` shows it."),
        ("No command.", "No command."),
    ],
)  # fmt: skip
def test_sentences_name_keys(sentence: str, here: str) -> None:
    """Where something is done by a key here, a sentence that all faces share says the key."""
    assert by_keys(sentence) == here


TEXTS = st.text(max_size=60)


@given(TEXTS, st.integers(-40, 40).filter(bool))
def test_a_cell_is_as_wide_as_it_is_to_be(text: str, width: int) -> None:
    """Whatever stands in a cell, it takes exactly its columns, also letters that take two."""
    assert fit(text, width).cell_length == abs(width)
    assert row((text, 5), (text, width)).cell_length == 6 + abs(width)


@given(TEXTS, st.integers(2, 60))
def test_no_line_is_wider_than_the_page(text: str, width: int) -> None:
    """A wrapped sentence stays within its width and loses no word."""
    assert all(each.cell_length <= width for each in wrapped(text, width))


@pytest.mark.parametrize(
    ("key", "typed", "meant"),
    [
        ("currency", " eur ", SettingsChange(currency="EUR")),
        ("time_zone", "Europe/Berlin", SettingsChange(time_zone="Europe/Berlin")),
        ("target_months", "6", SettingsChange(target_months=6)),
        ("target_months", " ", SettingsChange(target_months=None)),
        ("shares", "", SettingsChange(budget_shares=None)),
        *(
            (
                "shares",
                typed,
                SettingsChange(
                    budget_shares=BudgetShares(essentials=0.5, discretionary=0.3, savings=0.2)
                ),
            )
            for typed in ("50 30 20", "50/30/20", "50 %, 30 %, 20 %")
        ),
    ],
)
def test_a_setting_is_what_was_typed(key: str, typed: str, meant: SettingsChange) -> None:
    """Each setting with its unit; an empty line takes it back, and only that one is changed."""
    change = read_change(key, typed, "USD")
    assert (change, change.model_fields_set) == (meant, meant.model_fields_set)


@pytest.mark.parametrize(
    ("typed", "monthly"), [("", None), (" ", None), ("4,200", 4_200_00), ("4200.50", 4_200_50)]
)
def test_an_income_is_in_the_households_currency(typed: str, monthly: int | None) -> None:
    """An amount a month, or nothing, which takes the person's word back."""
    assert read_change("income", typed, "USD") == IncomeRequest(monthly=monthly)


@pytest.mark.parametrize(
    ("key", "typed", "wrong"),
    [
        ("shares", "50 30", "three percentages that add up to 100"),
        ("shares", "50 30 10 10", "three percentages that add up to 100"),
        ("shares", "50 30 10", "three percentages that add up to 100"),
        ("shares", "50 30 21", "three percentages that add up to 100"),
        ("shares", "50 30 20 x", "three percentages that add up to 100"),
        ("shares", "50 30 x", "three percentages that add up to 100"),
        ("target_months", "six", "a number of months"),
        ("target_months", "-1", "a number of months"),
    ],
)
def test_what_is_no_setting_is_refused(key: str, typed: str, wrong: str) -> None:
    """What cannot be meant is said before it is asked of the daemon."""
    with pytest.raises(ValueError, match=wrong):
        read_change(key, typed, "USD")


@pytest.mark.parametrize(
    ("key", "typed"),
    [("currency", "euros"), ("income", "much"), ("income", "1.234"), ("target_months", "9999")],
)
def test_what_the_shapes_refuse_is_refused_at_once(key: str, typed: str) -> None:
    """What the daemon would refuse is a sentence in the dialog, too."""
    with pytest.raises(ValueError, match=r"\S") as wrong:
        read_change(key, typed, "USD")
    assert not describe_error(wrong.value).startswith("Value error")
