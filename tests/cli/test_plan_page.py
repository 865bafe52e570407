"""The plan's page and the live view's keep their promises for any household; plans as files.

The page of the days ahead; the daemon's page as it is, the pictures on it, nothing by halves.
"""

import re
import stat
from datetime import date
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from finplan.cli.commands.plan import PictureName
from finplan.cli.console.errors import USAGE
from finplan.model.plan import Action
from finplan.model.snapshot import MoneyGroup, PlanView, Snapshot, Upcoming
from finplan.terminal.lines import NARROWEST
from finplan.terminal.plan import DUE_SHOWN, TWO_SCREENS, draw_plan, draw_snapshot
from finplan.views import ahead, plan_text
from tests.cli import made_up, made_up_plan
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden
from tests.pictures import drawn as pictures_drawn
from tests.views.drawing import drawn, how, look

words = st.text("abcdefgh ij", min_size=1, max_size=300).filter(str.strip)
amounts = st.integers(-(10**11), 10**11)


@st.composite
def views(draw: Any) -> PlanView:
    """A plan with any number of anything in it, amounts of any size, and long texts."""
    view = made_up.view()
    plan = view.plan
    actions = tuple(
        Action(
            priority=place, kind="k", title=draw(words), detail=draw(words), amount=draw(amounts)
        )
        for place in range(1, draw(st.integers(0, 7)) + 1)
    )
    some = {
        "categories": plan.categories[: draw(st.integers(0, len(plan.categories)))],
        "income_sources": plan.income_sources[: draw(st.integers(0, 3))],
        "recurring": plan.recurring * draw(st.integers(0, 5)),
        "budget": tuple(
            item.model_copy(update={"current": draw(amounts), "target": abs(draw(amounts))})
            for item in plan.budget
        ),
        "actions": actions,
        "notes": tuple(draw(st.lists(words, max_size=12))),
    }
    view = made_up.provisional(view) if draw(st.booleans()) else view
    return view.model_copy(update={"plan": view.plan.model_copy(update=some)})


@given(views(), st.integers(20, 200))
def test_a_plan_takes_two_screens_at_most(view: PlanView, width: int) -> None:
    """A plan has at most 48 lines, none of them longer than the terminal is wide."""
    lines = draw_plan(view, how("USD"), look(width)).plain.split("\n")
    assert len(lines) <= TWO_SCREENS
    assert [line for line in lines if len(line) > max(width, NARROWEST)] == []


@given(views())
def test_the_whole_plan_leaves_nothing_out(view: PlanView) -> None:
    """With nothing folded, every category, action and note is there in full."""
    plain = " ".join(draw_plan(view, how("USD"), look(110), in_full=True).plain.split())
    for category in view.plan.categories:
        assert category.label in plain
    for text in (*(action.detail for action in view.plan.actions), *view.plan.notes):
        assert "".join(text.split()) in plain.replace(" ", "")


def test_every_action_is_named_however_little_room_there_is() -> None:
    """When details are folded, each action keeps its line, its place and its amount."""
    view = made_up.view()
    long = tuple(
        action.model_copy(update={"detail": "Much to say. " * 40}) for action in view.plan.actions
    )
    page = draw_plan(_with_plan(view, actions=long), how(), look()).plain
    for action in view.plan.actions:
        assert f" {action.priority} {action.title}" in page


def test_figures_are_in_the_currency_of_the_household() -> None:
    """No dollar sign stands in a plan of another currency, and yen have no decimals."""
    for currency in ("EUR", "JPY", "CHF"):
        page = draw_plan(made_up.view(), how(currency), look()).plain
        figures = [line for line in page.split("\n") if "Mortgage  " in line or "Today" in line]
        assert figures
        assert not any("$" in line for line in figures)


def _units(page: str, label: str) -> int:
    line = next(line for line in page.split("\n") if line.startswith(f" {label}"))
    found = re.search(r"-?\$[0-9,]+", line)
    assert found is not None
    return int(found[0].replace("$", "").replace(",", ""))


@given(st.integers(0, 10**8), st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_month_adds_up_as_printed(income: int, essentials: int, discretionary: int) -> None:
    """Income is essentials, discretionary and what is left over, to the printed unit."""
    view = made_up.view()
    current = (essentials, discretionary, income - essentials - discretionary)
    budget = tuple(
        item.model_copy(update={"current": amount})
        for item, amount in zip(view.plan.budget, current, strict=True)
    )
    monthly = view.plan.monthly.model_copy(update={"income": income, "surplus": current[2]})
    plan = view.plan.model_copy(update={"budget": budget, "monthly": monthly})
    page = draw_plan(view.model_copy(update={"plan": plan}), how("USD"), look(80)).plain
    parts = [_units(page, label) for label in ("Essentials", "Discretionary", "Surplus")]
    assert _units(page, "Income") == sum(parts)


@given(views(), st.integers(20, 200))
def test_no_amount_is_cut(view: PlanView, width: int) -> None:
    """No figure of the flow or of the facts ends in an ellipsis."""
    view = view.model_copy(update={"plan": view.plan.model_copy(update={"actions": ()})})
    assert not re.search(r"[$][0-9,.]*…", draw_plan(view, how("USD"), look(width)).plain)


def test_an_action_is_not_rounded_beside_its_title() -> None:
    """An amount that the title holds is not told again; any other is exact."""
    view = made_up.view()
    first = view.plan.actions[0]
    actions = (
        first.model_copy(update={"title": "Avoid about $45.50 a month", "amount": 4_550}),
        first.model_copy(update={"title": "Keep $45.50 in mind", "amount": 4_500, "priority": 2}),
    )
    plan = view.plan.model_copy(update={"actions": actions})
    page = draw_plan(view.model_copy(update={"plan": plan}), how("USD"), look(80)).plain
    assert page.count("$45.50") == 2
    assert page.count("$45.00") == 1
    assert "$46" not in page


def test_an_unknown_balance_is_no_fact() -> None:
    """Where no balance of cash or of a card is known, the page says so and how to tell one."""
    view = made_up.view()
    snapshot = view.plan.snapshot
    unknown = tuple(each.model_copy(update={"balance": None}) for each in snapshot.accounts)
    plan = view.plan.model_copy(
        update={"snapshot": snapshot.model_copy(update={"accounts": unknown})}
    )
    page = draw_plan(view.model_copy(update={"plan": plan}), how("USD"), look(80)).plain
    assert re.search(r"Emergency fund +unknown", page)
    assert "$18,425" not in page
    assert re.search(r"finplan accounts set \S+ --balance AMOUNT", page)


@pytest.mark.parametrize(("days", "kind"), [(27, "totals"), (28, "averages")])
def test_less_than_a_month_is_a_sum(days: int, kind: str) -> None:
    """From 28 days on, which a month may have, figures are averages; fewer are sums so far."""
    plan = made_up.view().plan
    window = plan.window.model_copy(update={"days": days})
    assert plan_text.describe_window(plan.model_copy(update={"window": window})).startswith(kind)


def _with_plan(view: PlanView, **update: Any) -> PlanView:
    return view.model_copy(update={"plan": view.plan.model_copy(update=update)})


def test_all_that_follows_from_unknown_cash_is_unknown() -> None:
    """Today, each day, what the period leaves and the fund: none is a figure without a balance."""
    view = made_up.view()
    (cash,) = view.plan.snapshot.accounts
    untold = cash.model_copy(update={"balance": None})
    page = draw_plan(made_up.with_accounts(view, untold), how("USD"), look(80), in_full=True).plain
    for label in ("Today", "Safe per day", "Left until payday", "Emergency fund"):
        assert re.search(rf"\n  {label} +unknown ", page), label


def test_what_is_drawn_is_called_so_everywhere() -> None:
    """The headline, the line of the budget and its target speak of a draw, and of no floor below 0."""
    view = made_up.view()
    saved = view.plan.budget[2].model_copy(
        update={"label": "Drawn from savings", "current": -1_300_00, "target": -1_250_00}
    )
    drawn = _with_plan(view, budget=(*view.plan.budget[:2], saved))
    for width, target in ((80, r"≤ \$1,250"), (60, r"≤ \$1,250")):
        page = draw_plan(drawn, how("USD"), look(width)).plain
        assert re.search("Drawn a month", page)
        assert re.search(rf"Drawn from savings .*{target}\n", page)
        assert "Surplus" not in page
        assert "≥" not in page


@pytest.mark.parametrize("width", [60, 75, 76, 80, 110])
def test_the_columns_of_the_flow_are_told_apart(width: int) -> None:
    """The heads of a month's amount and of its share of income never read as one phrase."""
    page = draw_plan(made_up.view(), how("USD"), look(width)).plain
    (head,) = [line for line in page.split("\n") if line.startswith("WHERE THE MONEY GOES")]
    assert re.search(r"a month {2,}(of income|share) +target$", head)


def test_income_without_a_rhythm_is_told_by_the_month() -> None:
    """What an irregular payer brings a month stands beside its name, and that it is irregular."""
    view = made_up.view()
    source = view.plan.income_sources[0].model_copy(
        update={"name": "DoorDash payouts", "cadence": "irregular", "amount": 80_00}
    )
    source = source.model_copy(update={"monthly": 267_00})
    twice = source.model_copy(
        update={"name": "Orion", "cadence": "semimonthly", "amount": 5_850_00}
    )
    page = draw_plan(_with_plan(view, income_sources=(source, twice)), how("USD"), look(80)).plain
    assert re.search(r"\n DoorDash payouts +\$267 /mo irregular ", page)
    assert re.search(r"\n Orion +\$5,850 2×/mo ", page)
    assert "$80" not in page


def test_interest_is_no_regular_charge() -> None:
    """Interest on cards is a line of its own under the bills, which are counted without it."""
    view = made_up.view()
    bill = view.plan.recurring[0].model_copy(update={"monthly": 900_00, "amount": 900_00})
    interest = bill.model_copy(
        update={"name": "INTEREST", "category": "interest_fees", "monthly": 50_00}
    )
    other = interest.model_copy(update={"name": "INTEREST 2"})
    page = draw_plan(
        _with_plan(view, recurring=(interest, other, bill)), how("USD"), look(80)
    ).plain
    assert re.search("RECURRING +1 charge, \\$900 a month", page)
    assert re.search(r" \+ Interest and bank fees +\$100 /mo", page)
    assert "INTEREST" not in page


def test_the_days_ahead(draw: Draw, golden: Golden) -> None:
    """The lowest day first, what is next in and out, a column a day, a line for each day that moves."""
    golden("forecast", draw(ahead.forecast(made_up_plan.forecast(), how("USD")), 80))
    golden("forecast-wide", draw(ahead.forecast(made_up_plan.forecast(), how("USD")), 110))


def test_the_days_ahead_without_history(draw: Draw, golden: Golden) -> None:
    """Where nothing is usual there is neither a range nor a column for it."""
    golden(
        "forecast-known", draw(ahead.forecast(made_up_plan.forecast(ranged=False), how("USD")), 80)
    )


def test_days_that_are_not_known(draw: Draw) -> None:
    """No figure and no table, and the sentence that says why."""
    drawn = draw(ahead.forecast(made_up_plan.unknown(), how("USD")), 80).splitlines()
    assert drawn[0].startswith("Forecast unknown")
    assert drawn[-1] == f"· {made_up_plan.unknown().notes[0]}"
    assert len(drawn) == 3


@pytest.mark.parametrize(
    ("low", "style"), [(-1, "strong bad"), (0, "strong good"), (1, "strong good")]
)
def test_only_a_low_below_nothing_is_red(low: int, style: str) -> None:
    """An evening without a cent left is no overdraft."""
    found = made_up_plan.forecast()
    assert found.low is not None
    found = found.model_copy(update={"low": found.low.model_copy(update={"expected": low})})
    page = drawn(ahead.forecast(found, how()))
    assert {span.style for span in page.spans if span.start == len("Lowest expected cash  ")} >= {
        style
    }


def test_every_width_has_whole_lines(draw: Draw) -> None:
    """No line is longer than the terminal, however far it looks and however large the sums."""
    for width in (60, 79, 94, 95, 110):
        for start in (2_400_00, 98_765_432_10, -98_765_432_10):
            found = made_up_plan.forecast(days=120, start=start)
            drawn = draw(ahead.forecast(found, how("CHF")), width).splitlines()
            assert all(len(line) <= width for line in drawn)
            (columns,) = [line for line in drawn if "▁" in line or "█" in line]
            assert len(columns.split()) == 7


def test_columns_tell_the_low_from_the_high(draw: Draw) -> None:
    """The highest evening has the tallest column, and one below nothing stands on the floor."""
    drawn = draw(ahead.forecast(made_up_plan.forecast(), how("USD")), 80)
    columns = next(line for line in drawn.splitlines() if "█" in line).split()[3]
    evenings = [day.expected for day in made_up_plan.forecast().days]
    assert len(columns) == len(evenings) == 15
    assert columns[evenings.index(max(evenings))] == "█"
    assert columns[evenings.index(min(evenings))] == "▁"


def test_days_beyond_four_months_are_refused(finplan: Run) -> None:
    """The option knows its bounds before anything is asked."""
    for days in ("0", "121"):
        assert finplan("forecast", "--days", days).code == USAGE


def test_names_are_whole_where_there_is_room(draw: Draw) -> None:
    """What moves a day is named in full in a line that may be longer, which takes no more than that."""
    found = made_up_plan.forecast()
    narrow, wide = (draw(ahead.forecast(found, how()), 80, room) for room in (0, 400))
    names = {item.name for day in found.days for item in day.items if item.kind != "spending"}
    assert not all(name in narrow for name in names)
    assert all(name in wide for name in names)
    assert "…" not in wide
    assert " +1 " not in wide
    assert max(map(len, wide.splitlines())) < 250
    assert narrow.splitlines()[:3] == wide.splitlines()[:3]


def test_a_sum_of_several_says_how_many_it_is_of(draw: Draw) -> None:
    """Where a name is cut off, the others that its figure is of are counted all the same."""
    found = made_up_plan.forecast()
    for width in range(66, 111):
        lines = draw(ahead.forecast(found, how("USD")), width).splitlines()
        several = next(each for each in lines if each.startswith("Fri 28 Nov"))
        assert "To Brokerage" in several or re.search(r" (\+[12]|and [12] more) ", several), several


@pytest.mark.parametrize("paid", [True, False])
def test_what_comes_next_has_a_line_each(draw: Draw, *, paid: bool) -> None:
    """The next pay and three bills stand below each other, no name broken, amounts in one column."""
    found = made_up_plan.forecast()
    long = "A Payee whose Name is Longer than what a Line of Eighty Columns has Room for"
    days = tuple(
        day.model_copy(
            update={
                "items": tuple(
                    item.model_copy(update={"name": long}) if item.kind == "card" else item
                    for item in day.items
                    if paid or item.kind != "income"
                )
            }
        )
        for day in found.days
    )
    drawn = draw(
        ahead.forecast(found.model_copy(update={"days": days}), how("USD")), 80
    ).splitlines()
    lines = drawn[2 : drawn.index("")]
    first = ["Next income Fri 28 Nov Acme Payroll"] if paid else []
    assert [each[: each.index("  ", 12)] for each in lines[: len(first)]] == first
    out = lines[len(first) :]
    assert [each[:23] for each in out] == [
        "Next bills  Fri 21 Nov ",
        "            Mon 24 Nov ",
        "            Thu 27 Nov ",
    ]
    assert f"{long[:30]}" in out[1]
    assert "… " in out[1]
    assert {len(each) for each in lines} == {80}


def test_days_that_nothing_named_moves_have_no_next(draw: Draw) -> None:
    """Without pay or a bill in sight, nothing is told to come next."""
    found = made_up_plan.forecast()
    days = tuple(day.model_copy(update={"items": ()}) for day in found.days)
    drawn = draw(ahead.forecast(found.model_copy(update={"days": days}), how("USD")), 80)
    assert drawn.splitlines()[2] == ""
    assert "Next" not in drawn


small_amounts = st.integers(-(10**9), 10**9)


def drawn_snapshot(snapshot: Snapshot, width: int = 80) -> list[str]:
    return draw_snapshot(snapshot, how(), look(width), made_up.view()).plain.split("\n")


def with_groups(*figures: tuple[int, int, int]) -> Snapshot:
    """The made-up live view with groups that took, will take and usually take this."""
    calm = made_up.snapshot()
    groups = tuple(
        calm.groups[0].model_copy(
            update={"spent": spent, "upcoming": due, "monthly": usual, "left": usual - spent - due}
        )
        for spent, due, usual in figures
    )
    return calm.model_copy(update={"groups": groups})


def line_of(snapshot: Snapshot, label: str) -> str:
    return next(line for line in reversed(drawn_snapshot(snapshot)) if line.startswith(f" {label}"))


@given(
    st.lists(st.tuples(small_amounts, st.integers(0, 10**9), small_amounts), max_size=4),
    st.integers(20, 200),
)
def test_no_line_is_too_long_and_no_figure_is_cut(groups: Any, width: int) -> None:
    """Whatever a month took, its table fits the terminal, of 60 columns at least."""
    lines = drawn_snapshot(with_groups(*groups), width)
    assert [line for line in lines if len(line) > max(width, 60)] == []
    assert not re.search(r"[$][0-9,.]*…", "\n".join(lines))


def test_a_month_adds_up_as_shown() -> None:
    """What is still due stands between what was spent and what is usual, and in the bar in dashes."""
    line = line_of(with_groups((0, 160_00, 160_00), (80_00, 40_00, 200_00)), "Groceries")
    assert re.fullmatch(r" Groceries +━+╸?╍+─+ +\$80.00 +\$40.00 +\$200.00 +\$80.00", line)
    insurance = drawn_snapshot(with_groups((0, 160_00, 160_00)))
    assert any(
        re.fullmatch(r" Groceries +╍+ +\$0.00 +\$160.00 +\$160.00 +\$0.00", x) for x in insurance
    )
    assert any(re.match("THIS MONTH +spent +due +usual +below usual$", each) for each in insurance)


def test_where_nothing_is_due_nothing_is_said_of_it() -> None:
    """Without a charge that is still due there is no column of that name; a zero in it is blank."""
    assert any(
        re.match("THIS MONTH +spent +usual +below usual$", each)
        for each in drawn_snapshot(with_groups((1, 0, 1)))
    )
    snapshot = with_groups((10_00, 5_00, 20_00), (10_00, 0, 20_00))
    assert re.search(r"─ +\$10.00 +\$20.00 +\$10.00$", line_of(snapshot, "Groceries"))


@pytest.mark.parametrize(("due", "hidden"), [(DUE_SHOWN + 1, 0), (DUE_SHOWN + 2, 2), (1, 0)])
def test_a_line_of_what_is_hidden_hides_more_than_one(due: int, hidden: int) -> None:
    """One row more is printed itself; more are added up in a line that counts them."""
    charges = tuple(
        Upcoming(date=date(2025, 11, 22), name=f"Charge {place}", amount=100)
        for place in range(due)
    )
    page = drawn_snapshot(made_up.snapshot().model_copy(update={"upcoming": charges}))
    assert sum("Charge " in line for line in page) == due - hidden
    more = [line for line in page if " more " in line]
    assert len(more) == (hidden > 0)
    assert all(f"{hidden} more" in line and f"${hidden}.00" in line for line in more)


def test_groups_of_a_narrow_page_have_no_bar() -> None:
    """Where figures leave no room for a bar, the name has it, so that none is cut to a stub."""
    big = with_groups((900_000_00, 123_456_78, 99_999_99))
    labels = [group.model_copy(update={"label": "Transportation"}) for group in big.groups]
    snapshot = big.model_copy(update={"groups": tuple[MoneyGroup, ...](labels)})
    lines = drawn_snapshot(snapshot, 60)
    assert any(line.startswith(" Transportation ") for line in lines)
    assert all(not re.search("[━╸╍]", line) for line in lines)
    assert any(re.search("[━╸╍]", line) for line in drawn_snapshot(snapshot))


PICTURES = {each.name: each for each in pictures_drawn.a_household()}
PAGE = (
    "<!DOCTYPE html><title>Your plan of today – finplan</title><svg class='bar'></svg><p>"
    + "</p><p>".join(each.svg() for each in PICTURES.values())
).encode()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawing(stub: Stub) -> Stub:
    """A daemon that has a page."""
    stub.answer("GET", "/plan/view", PAGE)
    return stub


def names(file: bytes) -> list[str]:
    """The pictures in a file."""
    return [
        each.attrib["id"].removeprefix("picture-")
        for each in ET.fromstring(file).iter(f"{SVG}svg")
        if "id" in each.attrib
    ]


def test_every_picture_has_its_name() -> None:
    """What may be asked for is what there is."""
    assert set(get_args(PictureName)) == set(PICTURES)


def test_the_page_is_written_as_it_came(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """Byte for byte, whole, for its owner alone; stdout stays empty, and a page is asked for."""
    file = tmp_path / "plan.html"
    ended = finplan("plan", "show", "--html", str(file))

    assert (ended.code, ended.out, ended.err) == (0, b"", f"Wrote {file} ({len(PAGE):,} bytes).\n")
    assert file.read_bytes() == PAGE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.accept for each in drawing.asked if each.path.endswith("/plan/view")] == [
        "text/html"
    ]


def test_all_pictures_are_written(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """In the order of the page, each as it is there; of page and pictures one question is asked."""
    page, file = tmp_path / "plan.html", tmp_path / "plan.svg"
    ended = finplan("plan", "show", "--html", str(page), "--svg", str(file), "--quiet")

    assert (ended.code, ended.out, ended.err) == (0, b"", "")
    assert names(file.read_bytes()) == list(PICTURES)
    assert ET.fromstring(file.read_bytes())[0].text == "Your plan of today – finplan"
    assert len([each for each in drawing.asked if each.path.endswith("/plan/view")]) == 1
    for picture in PICTURES.values():
        assert picture.drawing in file.read_text("utf-8")


def test_one_picture_is_written(drawing: Stub, finplan: Run) -> None:
    """By its name, to standard output too, where nothing else stands."""
    ended = finplan("plan", "show", "--svg", "-", "--picture", "net-worth")

    assert (ended.code, ended.err) == (0, "")
    assert names(ended.out) == ["net-worth"]


def test_no_file_is_overwritten_unasked(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """Where one of two files is there already none is written, and the daemon is not asked."""
    page, file = tmp_path / "plan.html", tmp_path / "plan.svg"
    file.write_text("mine")
    ended = finplan("plan", "show", "--html", str(page), "--svg", str(file))

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err == f"finplan: {file} already exists. Add --force to overwrite it.\n"
    assert (page.exists(), file.read_text()) == (False, "mine")
    assert not [each for each in drawing.asked if each.path.endswith("/plan/view")]
    assert finplan("plan", "show", "--svg", str(file), "--force").code == 0
    assert names(file.read_bytes()) == list(PICTURES)


def test_what_is_not_drawn_is_said(stub: Stub, finplan: Run, tmp_path: Path) -> None:
    """A picture that the page lacks is no empty file; the sentence says where the reason stands."""
    stub.answer("GET", "/plan/view", b"<title>Plan</title>" + PICTURES["bills"].svg().encode())
    file = tmp_path / "plan.svg"
    missing = finplan("plan", "show", "--svg", str(file), "--picture", "net-worth")
    stub.answer("GET", "/plan/view", b"<title>Plan</title>")
    none = finplan("plan", "show", "--svg", str(file))

    assert (missing.code, none.code, file.exists()) == (4, 4, False)
    assert missing.err.startswith("finplan: No net-worth picture yet.")
    assert none.err.startswith("finplan: No pictures yet.")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--picture", "bills"], 2, "for example --svg plan.svg"),
        (["--force"], 2, "for example --svg plan.svg"),
        (["--json", "--svg", "a.svg"], 2, "--json"),
        (["--html", "-", "--svg", "-"], 3, "cannot write to the same file"),
        (["--svg", "a.svg", "--picture", "pie"], 2, "net-worth"),
        (["--svg", "no/such/folder.svg"], 1, "no/such/folder.svg"),
    ],
)
def test_what_cannot_be_is_refused(
    drawing: Stub,
    finplan: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    """Each with a sentence, and no file."""
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    ended = finplan("plan", "show", *arguments)

    assert (ended.code, ended.out) == (code, b"")
    assert said in " ".join(ended.err.split())
    assert set(tmp_path.iterdir()) == before
