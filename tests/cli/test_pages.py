"""What people see, kept as golden files: read them like code when they change.

Of transfers, series and duplicates also what their words ask the daemon.
"""

import json
import shlex
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.characters import visible
from finplan.model.explain import SECTIONS
from finplan.model.installation import Status
from finplan.model.snapshot import Wealth, WealthBalances, WealthPoint
from finplan.model.transaction import TransactionPage
from finplan.model.user import HouseholdSettings
from finplan.settings import load_settings
from finplan.terminal.plan import draw_plan, draw_snapshot
from finplan.terminal.tables import draw_table
from finplan.views import (
    ahead,
    categories,
    explain,
    imports,
    installation,
    settings,
    spending,
    transactions,
)
from finplan.views.page import of as page_of, table
from tests.cli import made_up, made_up_bank, made_up_plan
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden
from tests.views.drawing import drawn, how, look

LABELS = {category.id: category.label for category in BUILT_IN.values()}
NOW = datetime.fromtimestamp(made_up_plan.NOON / 1000, UTC)


@pytest.mark.parametrize("width", [60, 80, 110])
def test_the_plan(draw: Draw, golden: Golden, width: int) -> None:
    """A plan says where the money goes, what is safe to spend and what to do, at any width."""
    page = draw_plan(made_up.view(), how(), look(width))
    golden(f"plan-{width}", draw(page, width))


def test_the_whole_plan(draw: Draw, golden: Golden) -> None:
    """With --all nothing is folded."""
    golden("plan-all", draw(draw_plan(made_up.view(), how(), look(80), in_full=True)))


def test_a_plan_in_colour() -> None:
    """Where a person looks, the plan has colours; the words are the same."""
    page = draw_plan(made_up.view(), how(), look(80))
    console = Console(width=80, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        console.print(page)
    assert "\x1b[" in capture.get()


def test_the_snapshot(draw: Draw, golden: Golden) -> None:
    """The snapshot says what is safe to spend and how that comes about."""
    golden("snapshot", draw(draw_snapshot(made_up.snapshot(), how(), look())))


def test_a_troubled_snapshot(draw: Draw, golden: Golden) -> None:
    """What is wrong is said: short cash, a draw on savings, old data, accounts that are not linked."""
    troubled = made_up.troubled_snapshot()
    golden("snapshot-troubled", draw(draw_snapshot(troubled, how(), look())))


def test_investments_are_named_where_there_are_any(draw: Draw) -> None:
    """Net worth says that it holds investments, which the page does not list, and only then."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    broker = cash.model_copy(update={"id": "acc_2", "kind": "investment", "role": "investment"})
    snapshot, view = made_up.snapshot(), made_up.view()
    for accounts, said in (((cash,), False), ((cash, broker), True)):
        held = made_up.with_accounts(view, *accounts)
        page = draw(draw_snapshot(snapshot, how(), look(), held))
        assert ("with investments" in page) == said


def test_a_snapshot_without_balances(draw: Draw, golden: Golden) -> None:
    """A balance that nobody told is unknown, not nothing, and the page says how to tell it."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    card = cash.model_copy(
        update={"id": "acc_2", "name": "Rewards Card", "kind": "credit", "role": "debt"}
    )
    untold = cash.model_copy(update={"balance": None})
    snapshot = made_up.snapshot()
    view = made_up.view()
    none_known = draw_snapshot(snapshot, how(), look(), made_up.with_accounts(view, untold, card))
    golden("snapshot-unknown", draw(none_known))
    savings = untold.model_copy(update={"id": "acc_3", "name": "Savings"})
    partly = made_up.with_accounts(view, cash, savings)
    one_known = draw(draw_snapshot(snapshot, how(), look(), partly))
    assert "Cash at least $18,425.12" in one_known
    assert "net worth at least -$231,925" in one_known
    assert "accounts without a balance: Savings" in one_known


def test_a_plan_of_little(draw: Draw, golden: Golden) -> None:
    """A plan of nine days says that it adds up, and one of nothing that there is nothing."""
    view = made_up.view()
    golden(
        "plan-little",
        "\n".join(draw(draw_plan(each, how(), look(80))) for each in made_up.little(view)),
    )


def test_an_explanation(draw: Draw, golden: Golden) -> None:
    """A figure stands beside its formula with the numbers in it; a command stays on one line."""
    labels = {"groceries": "Groceries"}
    page = draw(explain.explanation(made_up_plan.explanation(), how(), labels))
    golden("explain", f"{page}\n{draw(explain.sections())}")


def test_wealth(draw: Draw, golden: Golden) -> None:
    """Wealth is shown with how it has moved."""
    golden("wealth", draw(ahead.wealth(made_up.wealth(), how())))


def test_wealth_without_balances(draw: Draw, golden: Golden) -> None:
    """Cash that nobody told is unknown on this page too, and so is all that rests on it."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    untold = cash.model_copy(update={"balance": None})
    view = made_up.with_accounts(made_up.view(), untold)
    golden("wealth-unknown", draw(ahead.wealth(made_up.wealth(), how(), view)))


def _worth(
    *points: tuple[int, int], cash: int = 0, card: int = 0, loans: int = 0, investments: int = 0
) -> Wealth:
    """Assets and debts of as many months as points, and balances of today."""
    return Wealth(
        today=date(2025, 11, 21),
        balances=WealthBalances(
            cash=cash,
            investments=investments,
            card_debt=card,
            loans=loans,
            net_worth=cash + investments - card - loans,
            available=cash - card,
        ),
        history=tuple(
            WealthPoint(date=date(2025, 8 + n, 28), assets=own, debts=owe, net_worth=own - owe)
            for n, (own, owe) in enumerate(points)
        ),
    )


def test_a_narrow_page_of_wealth_has_whole_lines(draw: Draw) -> None:
    """Where there is no room for bars each month is a line of figures, and none is broken."""
    for width in (60, 69, 70):
        drawn = draw(ahead.wealth(made_up.wealth(), how()), width).splitlines()
        assert all(len(line) <= width for line in drawn)
        assert [line[:10] for line in drawn[-4:]] == [
            "2025-08-31",
            "2025-09-30",
            "2025-10-31",
            "2025-11-21",
        ]
        assert "-$231,925" in drawn[-1]
        assert "-$916" in drawn[-1]


def test_words_of_wealth_fit_the_sign(draw: Draw) -> None:
    """What is overdrawn is owed and what is overpaid is owned; no figure below nothing is owned."""
    other = _worth((-249_500, -600), (100_000, 0), cash=-249_500, card=-600, loans=-100)
    drawn = draw(ahead.wealth(other, how())).splitlines()
    said = [" ".join(line.split()) for line in drawn]
    assert "Cash -$2,495.00 overdrawn" in said
    assert "Cards $6.00 overpaid, in your favor" in said
    assert "Loans $1.00 overpaid, in your favor" in said
    assert "Cash after cards -$2,489.00 short after paying every card" in said
    assert said[-2].split()[-3:] == ["$6", "$2,495", "-$2,489"]
    usual = draw(ahead.wealth(_worth((1, 0)), how()))
    assert [line.split()[-1] for line in usual.splitlines()[2:7]] == [
        *("now", "assets", "owed", "owed", "card")
    ]


def test_what_does_not_move_has_no_trend(draw: Draw) -> None:
    """Months of one net worth, such as nothing, have no bar; the lowest of others has the shortest."""
    still = draw(ahead.wealth(_worth((0, 0), (0, 0)), how()))
    assert "━" not in still
    moving = draw(ahead.wealth(_worth((0, 0), (100, 0)), how())).splitlines()
    assert [line.count("━") for line in moving[-2:]] == [1, 18]


def test_wealth_with_an_unknown_card(draw: Draw) -> None:
    """A card that nobody told is unknown, not 0, and what it lowers is at most what is shown."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    card = cash.model_copy(
        update={"id": "acc_2", "kind": "credit", "role": "debt", "balance": None}
    )
    view = made_up.with_accounts(made_up.view(), cash, card)
    told = draw(ahead.wealth(made_up.wealth(), how(), view)).splitlines()
    unknown = [line.strip().split("  ")[0] for line in told if "unknown" in line]
    assert unknown == ["Cards"]
    at_most = [line.strip().split("  ")[0] for line in told if "at most" in line]
    assert at_most == ["Net worth", "Cash after cards"]


def test_a_provisional_plan(draw: Draw, golden: Golden) -> None:
    """What is unknown, how much money that is and what answers it stand above the figures."""
    page = draw(draw_plan(made_up.provisional(made_up.view()), how(), look()))
    golden("plan-provisional", page)
    assert page.index("Estimate: 52% of spending ($2,140 a month)") < page.index("Net worth")


def test_a_provisional_snapshot(draw: Draw, golden: Golden) -> None:
    """The live view rests on the same plan, so it says the same above its figures."""
    view = made_up.provisional(made_up.view())
    page = draw(draw_snapshot(made_up.snapshot(), how(), look(), view))
    golden("snapshot-provisional", page)
    assert page.index("Estimate: 52% of spending") < page.index("Safe to spend today")


def test_spending(draw: Draw, golden: Golden) -> None:
    """Every group of a report has its line, also an empty month and a name in wide signs."""
    by_month = draw(spending.totals(made_up.spending_by_month(), how()))
    only = ("Groceries", "Northside Provisions")
    by_merchant = draw(spending.totals(made_up.spending_by_merchant(), how(), only))
    golden("spending", f"{by_month}\n{by_merchant}")


EXCLUDED = "Totals exclude "


@pytest.mark.parametrize("count", [0, 84])
def test_spending_says_which_accounts_no_total_holds(draw: Draw, count: int) -> None:
    """An account in another currency is named, whatever was spent; a hidden one is wanted in no page."""
    report = made_up.spending_by_merchant().model_copy(update={"count": count})
    records = made_up_bank.accounts()
    page = draw(spending.totals(report, how(), accounts=records))
    foreign = {each.account.name for each in records if each.currency != "USD" and not each.hidden}
    said = [line for line in page.splitlines() if EXCLUDED in line]
    assert foreign
    assert [line.removeprefix(EXCLUDED).split(":")[0] for line in said] == sorted(foreign)
    assert all(line.endswith(", not USD.") for line in said)
    none = draw(spending.totals(report, how(), accounts=[records[0]]))
    assert EXCLUDED not in none
    hidden = [each.model_copy(update={"hidden": True}) for each in records]
    assert EXCLUDED not in draw(spending.totals(report, how(), accounts=hidden))


def test_an_overpaid_card_owes_nothing(draw: Draw) -> None:
    """Wherever a debt is below nothing, the word beside it says so, and the figure has no minus."""
    (file,) = made_up_bank.import_report().files[:1]
    told = file.accounts[0].model_copy(
        update={"kind": "credit", "closing_balance": -600, "currency": "USD"}
    )
    report = made_up_bank.import_report().model_copy(
        update={"files": (file.model_copy(update={"accounts": (told,)}),)}
    )
    assert "closing balance $6.00 overpaid" in draw(imports.report(report))
    live = made_up.snapshot()
    less = live.model_copy(
        update={"balances": live.balances.model_copy(update={"card_debt": -600})}
    )
    assert "cards $6.00 overpaid, net worth" in draw(draw_snapshot(less, how(), look()))


def test_what_unknown_cards_owe_is_no_sum_of_overpaid_ones(draw: Draw) -> None:
    """Beside a card that nobody told, what others owe is the least, and an overpaid one is nothing."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    cards = [
        cash.model_copy(
            update={"id": f"acc_{n}", "kind": "credit", "role": "debt", "balance": told}
        )
        for n, told in enumerate((None, -600))
    ]
    view = made_up.with_accounts(made_up.view(), cash, *cards)
    live = made_up.snapshot()
    for debt, said in ((-600, "cards unknown, net"), (600, "cards at least $6.00 owed, net")):
        balances = live.balances.model_copy(update={"card_debt": debt})
        less = live.model_copy(update={"balances": balances})
        drawn = " ".join(draw(draw_snapshot(less, how(), look(), view)).split())
        assert said in drawn


def test_transactions(draw: Draw, golden: Golden) -> None:
    """Money in has a plus sign, a category its title; a payee's name cannot command the terminal."""
    rows = made_up_bank.transactions()
    golden("transactions", draw(page_of(transactions.rows(rows, LABELS))))


@pytest.mark.parametrize(
    ("amount", "pending", "styles"),
    [
        (1, False, {"good"}),
        (0, False, {""}),
        (-1, False, {""}),
        (1, True, {"soft"}),
        (-1, True, {"soft"}),
    ],
)
def test_money_in_is_green(amount: int, pending: bool, styles: set[str]) -> None:
    """And what is pending is dim, whichever way it goes."""
    row = made_up_bank.transactions()[0].model_copy(update={"amount": amount, "pending": pending})
    page = drawn(page_of(transactions.rows([row], LABELS)))
    place = page.plain.rindex("$")
    tones = {str(span.style) for span in page.spans if span.start <= place < span.end}
    assert (tones or {""}) == styles


@pytest.mark.parametrize("width", [60, 80])
def test_why_transactions_are_where_they_are(draw: Draw, width: int) -> None:
    """Under each row stands what the bank wrote, the reason, and how sure a guess is."""
    page = draw(page_of(transactions.rows(made_up_bank.transactions(), LABELS, why=True)), width)
    assert all(visible(row.raw) in " ".join(page.split()) for row in made_up_bank.transactions())
    assert all(len(line) <= width for line in page.splitlines())


def test_rules_and_categories(draw: Draw, golden: Golden) -> None:
    """A rule says who made it and whether it is for one amount only."""
    rules = [
        draw(categories.rules(made_up.rules(), how(), LABELS, source))
        for source in (None, "curated")
    ]
    choices = draw(categories.categories(made_up.category_choices(), how()))
    golden("rules", "".join([*rules, choices]))


def test_own_categories(draw: Draw, golden: Golden) -> None:
    """A suggestion asks and never asserts; what came and what went is told with its charges."""
    pages = [
        categories.suggestions(made_up.suggestions(), how()),
        *(categories.describe_creation(each, how()) for each in made_up.created()),
        *(categories.describe_removal(each, how()) for each in made_up.removed()),
    ]
    golden("categories", "\n".join(map(draw, pages)))


def test_imports(draw: Draw, golden: Golden) -> None:
    """A report says of each file how it was read and what its rows are."""
    dry = draw(imports.report(made_up_bank.import_report(dry_run=True)))
    done = draw(imports.report(made_up_bank.import_report()))
    golden("imports", f"{dry}\n{done}\n{draw(imports.imports(made_up_bank.imports(), how()))}")


def test_a_restored_household(draw: Draw, golden: Golden) -> None:
    """What of a household comes along is told beside its accounts, and what stays in the file."""
    pages = [draw(imports.report(report)) for report in made_up_bank.restoring_reports()]
    golden("restored", "\n".join(pages))


def test_header_profiles(draw: Draw, golden: Golden) -> None:
    """What was said of files is told in words, by the columns that a person knows them by."""
    golden("profiles", draw(imports.profiles(made_up_bank.profiles(), how())))


def test_the_history(draw: Draw, golden: Golden) -> None:
    """Plans are listed with what changed since the one before."""
    golden("history", draw(explain.history(made_up_plan.plans(), how()), 80))


def test_no_head_of_the_history_is_cut(draw: Draw) -> None:
    """Where a screen is narrow, columns are left out instead: income and spending, then the time."""
    plans = made_up_plan.plans()
    wide = draw(explain.history(plans, how()), 77)
    assert all(head in wide for head in ("income", "spending", "12:00", "+$2,400"))
    for width, currency, kept, left in (
        (76, "USD", "12:00", "income"),
        (60, "USD", "12:00", "spending"),
        (60, "AUD", "2025-11-21", "12:00"),
    ):
        drawn = draw(explain.history(plans, how(currency)), width)
        assert all(len(line) <= width for line in drawn.splitlines())
        assert "…" not in drawn
        assert kept in drawn
        assert left not in drawn
        words = ("built", "surplus", "net worth", "to do", "2,400")
        assert all(word in drawn for word in words)


def test_a_head_is_not_cut_for_a_name() -> None:
    """A column of short figures keeps its head, and the column of names gives way to it."""
    charges = table(("payee<", "charges>"), [("A payee of a long name", "7")])
    heads, line = draw_table(charges, look(24))
    assert heads.plain.split() == ["payee", "charges"]
    assert line.plain.endswith("7")


def test_settings(draw: Draw, golden: Golden) -> None:
    """The household's settings say what holds where nothing was set."""
    own = made_up.household_settings()
    plain = own.model_copy(update={"budget_shares": None, "target_months": 4})
    golden("settings", "\n".join(draw(settings.household(each, how())) for each in (own, plain)))


def test_the_daemon(draw: Draw, golden: Golden) -> None:
    """A daemon that runs says where; one that does not says why."""
    log = load_settings(environ={"FINPLAN_HOME": "/home/ada/finplan"}).places.log
    running = Status(
        profile="default",
        running=True,
        answering=True,
        reason=None,
        notice=None,
        pid=4711,
        port=8460,
        version="0.1.0",
        site_url="http://127.0.0.1:8460",
        started_at=made_up_plan.NOON - 90_000,
        log=log,
    )
    stopped = replace(
        running,
        running=False,
        answering=False,
        reason="The background service is not running for the profile 'default'.",
        pid=None,
        port=None,
        version=None,
        site_url=None,
        started_at=None,
    )
    golden(
        "daemon",
        "\n".join(
            draw(installation.daemon(each, how(), login))
            for each, login in ((running, Path("/home/ada/finplan.service")), (stopped, None))
        ),
    )


def test_nothing_is_said_so(draw: Draw) -> None:
    """Where there is nothing, a sentence says so instead of an empty table."""
    empty = (
        transactions.listing(TransactionPage(transactions=(), next_cursor=None), {}),
        categories.rules((), how(), {}),
        categories.suggestions((), how()),
        imports.imports((), how()),
        imports.profiles((), how()),
        explain.history((), how()),
    )
    for each in empty:
        assert draw(each).strip().endswith(".")


def test_what_can_be_explained_is_listed_without_a_daemon(finplan: Run) -> None:
    """`plan explain` names its sections by itself, and as JSON what each is about."""
    listed, told = finplan("plan", "explain"), finplan("plan", "explain", "--json")
    assert (listed.code, listed.err) == (told.code, told.err) == (0, "")
    assert json.loads(told.out) == SECTIONS
    assert all(f" {section} " in listed.out.decode() for section in SECTIONS)


@pytest.mark.parametrize(
    ("words", "path", "name"),
    [
        ("transfers reject 'incoming qx'", "/transfers", "trf_a1k3f9x2m7q4w8r1t5v6y0z3b"),
        ("transfers undo trf_b2k3", "/transfers", "trf_b2k3f9x2m7q4w8r1t5v6y0z3b"),
        ("recurring dismiss netflix", "/recurring", "ser_c3k3f9x2m7q4w8r1t5v6y0z3b"),
        ("recurring confirm gym", "/recurring", "ser_d4k3f9x2m7q4w8r1t5v6y0z3b"),
        ("duplicates same 'joint checking (2)'", "/duplicates", "dup_a1k3f9x2m7q4w8r1t5v6y0z3b"),
        ("duplicates different dup_b2k3", "/duplicates", "dup_b2k3f9x2m7q4w8r1t5v6y0z3b"),
    ],
)
def test_short_ids_and_names_do(stub: Stub, finplan: Run, words: str, path: str, name: str) -> None:
    """The beginning of an id, a payee or a part of a row's text is enough, if it means one thing."""
    listed: tuple[Any, ...] = {
        "/transfers": made_up_bank.transfers(),
        "/recurring": made_up_bank.recurring(),
        "/duplicates": made_up_bank.duplicates(),
    }[path]
    meant = next(each for each in listed if each.id == name)
    settings = HouseholdSettings(
        currency="USD", time_zone="UTC", budget_shares=None, target_months=None
    )
    stub.answer("GET", path, listed)
    stub.answer("GET", "/accounts", [])
    stub.answer("GET", "/settings", settings)
    stub.answer("PUT", f"{path}/{name}", meant)
    ended = finplan(*shlex.split(words))

    assert ended.code == 0, ended.err
    assert [asked.path for asked in stub.asked if asked.method == "PUT"] == [f"{path}/{name}"]


@pytest.mark.parametrize("typed", ["net", "flix", "n", "ser_", "c3"])
def test_a_part_of_its_name_dismisses_no_series(stub: Stub, finplan: Run, typed: str) -> None:
    """What would leave the plan is meant in full, and the series that it could be are named."""
    stub.answer("GET", "/recurring", made_up_bank.recurring())
    ended = finplan("recurring", "dismiss", typed)

    assert ended.code == 4
    assert not [asked for asked in stub.asked if asked.method == "PUT"]
    if typed in "netflix":
        assert "'Netflix' (ser_c3k3" in ended.err
