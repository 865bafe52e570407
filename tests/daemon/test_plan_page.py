"""The plan as a page: what a browser is sent, what it says, and what no payee's name can make of it."""

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, strategies as st

from finplan.daemon.surfaces.pages import plan as plan_page
from finplan.daemon.surfaces.pages.markup import sentence, text
from finplan.daemon.surfaces.rest import answers
from finplan.model.plan import SnapshotAccount
from finplan.model.snapshot import PlanView, Upcoming
from finplan.model.task import Task
from finplan.model.user import HouseholdSettings
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.table import OPERATIONS
from finplan.views import live_text, plan_text
from tests.cli import made_up, made_up_plan
from tests.daemon.pictured import pictured, poor, rich
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page

GOLDEN = Path(__file__).parent.parent / "golden" / "plan.html"
PLACE = "/api/v1/plan/view"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
PAGE, JSON = "text/html", "application/json"
TODAY = date(2025, 11, 21)

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</td></table></main><h1>",
    "&lt;b&gt; & Söhne &amp; Co",
    "\u202eEKAF\u202c \u05e7\u05e4\u05d4",
    "👩\u200d👩\u200d👧 Café ☕",
    "line\nbreak\x00\x1b[2J",
    "W" * 400,
    "{{7*7}} ${jndi} --> <!--",
)


def settings(currency: str = "USD") -> HouseholdSettings:
    return HouseholdSettings(
        currency=currency, time_zone="Europe/Berlin", budget_shares=None, target_months=None
    )


def drawn(view: PlanView, currency: str = "USD") -> str:
    return plan_page.draw(pictured(view), settings(currency), TODAY).decode()


async def page_of(daemon: RunningDaemon, **headers: str) -> httpx.Response:
    return await daemon.http.get(PLACE, headers={"accept": BROWSER, **headers})


# --- what is sent --------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        (None, JSON),
        ("*/*", JSON),
        ("", JSON),
        (BROWSER, PAGE),
        ("text/html", PAGE),
        ("TEXT/HTML; charset=utf-8", PAGE),
        ("text/*", PAGE),
        ("text/html, */*", PAGE),
        ("text/html;q=0.4, */*;q=0.8", JSON),
        ("text/html;q=0.9, application/json", JSON),
        ("text/html, application/json;q=0.9", PAGE),
        ("text/html, application/json", JSON),
        ("application/*, text/html", PAGE),
        ("text/html;q=0, */*", JSON),
        ("text/html;q=nonsense", JSON),
        ("text/html;q=2", JSON),
        ("image/png", JSON),
        ("text/html;q=0.001, image/png", PAGE),
    ],
)
async def test_who_is_sent_a_page(household: RunningDaemon, accept: str | None, sent: str) -> None:
    """A page is for who would rather have one; JSON is the default."""
    headers = {} if accept is None else {"accept": accept}
    if accept is None:
        del household.http.headers["accept"]
    answer = await household.http.get(PLACE, headers=headers)

    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == sent
    assert answer.headers["vary"] == "Accept, Accept-Encoding"


async def test_a_page_may_do_nothing(household: RunningDaemon) -> None:
    """The browser is told to load nothing, run nothing, and to let nobody frame the page."""
    answer = await page_of(household)
    policy = answer.headers["content-security-policy"]

    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "private, no-cache"


async def test_the_page_stays_within_its_policy(household: RunningDaemon) -> None:
    """No script, no style of an element's own, and nothing from elsewhere."""
    page = Page((await page_of(household)).text)

    assert {"script", "link", "img", "iframe", "object", "form"}.isdisjoint(page.tags)
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert attributes.get("href", "#")[0] == "#"
        assert "src" not in attributes
    assert not re.search(r"url\(|@import|http", plan_page._style())


async def test_the_page_and_the_json_are_two_answers(household: RunningDaemon) -> None:
    """Each has a tag of its own, and 304 is said only to who holds the very same."""
    page, data = await page_of(household), await household.http.get(PLACE)
    tags = page.headers["etag"], data.headers["etag"]

    assert tags[0] != tags[1]
    held = await page_of(household, **{"if-none-match": tags[0]})
    assert (held.status_code, held.content) == (304, b"")
    assert held.headers["vary"] == "Accept, Accept-Encoding"
    assert held.headers["etag"] == tags[0]
    assert (await page_of(household, **{"if-none-match": tags[1]})).status_code == 200
    same = await household.http.get(PLACE, headers={"if-none-match": tags[0]})
    assert same.status_code == 200


async def test_the_page_is_packed_when_asked(household: RunningDaemon) -> None:
    """Packed or plain it is the same page."""
    packed = await page_of(household, **{"accept-encoding": "gzip"})
    plain = await page_of(household, **{"accept-encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text


async def test_a_change_is_on_the_page(household: RunningDaemon) -> None:
    """What the person changes is there at once; the currency too, which only settings tell."""
    before = (await page_of(household)).text
    changed = await household.http.patch("/api/v1/settings", json={"currency": "EUR"})
    assert changed.status_code == 200

    assert "€" not in before
    assert "€" in (await page_of(household)).text


async def test_errors_are_envelopes_all_the_same(daemon: RunningDaemon) -> None:
    """Whatever is accepted, an error is the one envelope."""
    nothing = await page_of(daemon)
    daemon.http.cookies.clear()
    stranger = await page_of(daemon)

    assert (nothing.status_code, nothing.json()["code"]) == (500, "NO_CONNECTIONS")
    assert (stranger.status_code, stranger.json()["code"]) == (401, "UNAUTHORIZED")


def looking(**more: str) -> dict[str, str]:
    """What a browser says when a person opens an address."""
    return {"accept": BROWSER, "sec-fetch-mode": "navigate", "sec-fetch-site": "none", **more}


@pytest.mark.parametrize("root", ["/api/v1", "/api"])
async def test_a_signed_out_browser_is_asked_to_sign_in(daemon: RunningDaemon, root: str) -> None:
    """Who opens the plan in a browser is led to sign in, and back; a program's credential is refused."""
    local = dict(daemon.http.cookies)
    daemon.http.cookies.clear()
    place = f"{root}/plan/view"
    led = await daemon.http.get(place, headers=looking())
    ended = await daemon.http.get(place, headers=looking(Cookie=f"finplan_browser_{daemon.port}=x"))
    wrong = [
        await daemon.http.get(place, headers=looking(**{name: value}))
        for name, value in (
            ("authorization", "Bearer fpa_x"),
            ("x-api-key", "fpk_x"),
            ("cookie", f"{next(iter(local))}=x"),
        )
    ]

    for answer in (led, ended):
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/sign-in?return_to={quote(place, safe='')}"
        assert "www-authenticate" not in answer.headers
    for answer in wrong:
        assert (answer.status_code, answer.headers["content-type"]) == (
            401,
            answers.PAGE_CONTENT_TYPE,
        )
        assert "resource_metadata=" in answer.headers["www-authenticate"]
    other = await daemon.http.get(f"{root}/me", headers=looking())
    assert (other.status_code, other.json()["code"]) == (401, "UNAUTHORIZED")


async def test_only_what_is_read_is_looked_at(daemon: RunningDaemon) -> None:
    """Another method at the place of a page gets the envelope, whoever sends it; HEAD is a reading."""
    refused = await daemon.http.post(PLACE, headers=looking(origin=daemon.base_url))
    daemon.http.cookies.clear()
    stranger = await daemon.http.delete(PLACE, headers=looking())
    led = await daemon.http.head(PLACE, headers=looking())

    assert (refused.status_code, refused.json()["code"]) == (405, "METHOD_NOT_SUPPORTED")
    assert refused.headers["allow"] == "GET, HEAD"
    assert (stranger.status_code, stranger.json()["code"]) == (401, "UNAUTHORIZED")
    assert led.status_code == 303


async def test_without_a_bank_a_browser_is_told_in_words(daemon: RunningDaemon) -> None:
    """The status is that of the interface, and the page says where to begin."""
    answer = await daemon.http.get(PLACE, headers=looking())

    assert (answer.status_code, answer.headers["content-type"]) == (500, answers.PAGE_CONTENT_TYPE)
    said = " ".join(Page(answer.text).texts)
    assert "No transactions yet" in said
    assert "Your plan needs transactions." in said
    assert 'href="/"' in answer.text


async def test_head_tells_of_the_page(household: RunningDaemon) -> None:
    """HEAD answers as GET, without the page."""
    page = await page_of(household)
    head = await household.http.head(PLACE, headers={"accept": BROWSER})

    assert head.headers["etag"] == page.headers["etag"]
    assert head.headers["content-type"] == "text/html; charset=utf-8"
    assert head.content == b""


def test_the_plan_alone_is_drawn() -> None:
    """Only the row of which there is a page says that it has one."""
    assert {row for row in OPERATIONS if answers.is_drawn(row)} == {VIEW_PLAN}


# --- what it says --------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_page_of_the_demo_household(daemon: RunningDaemon) -> None:
    """The page is the golden one; `GOLDEN=write pytest …` writes it anew, to be looked at."""
    # Each person's demo household is another one, by their id.
    name = "UPDATE person SET id = 'usr_golden'"
    await daemon.store.write(lambda c: c.exec_driver_sql(name))
    await daemon.http.patch("/api/v1/settings", json={"timeZone": "Europe/Berlin"})
    linked = await daemon.http.post("/api/v1/connections", json={"provider": "demo"})
    assert linked.status_code == 201
    # A line for each element makes a change readable.
    page = (await page_of(daemon)).text.replace("><", ">\n<")
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(page, encoding="utf-8")

    assert page == GOLDEN.read_text(encoding="utf-8")


async def test_everything_of_the_view_is_there(household: RunningDaemon) -> None:
    """Every category, action, note, question, charge, account and connection is on the page."""
    view = PlanView.model_validate_json((await household.http.get(PLACE)).content)
    said = Page((await page_of(household)).text).said
    plan = view.plan

    for each in (
        *(action.title for action in plan.actions),
        *(action.detail for action in plan.actions),
        *plan.notes,
        *(category.label for category in plan.categories),
        *(charge.name for charge in plan.recurring),
        *(source.name for source in plan.income_sources if source.active),
        *(charge.name for charge in view.snapshot.upcoming),
        *(group.label for group in view.snapshot.groups),
        *(account.name for account in plan.snapshot.accounts),
        *(card.name for card in plan.debt.cards),
        *(age.institution_name for age in view.data_age),
        *(task.payee for task in view.open_tasks if task.kind == "categorize_payee"),
    ):
        # A command is a piece of text of its own, and stands apart here as such.
        assert " ".join(each.replace("`", " ").split()) in said, each


def test_commands_are_set_as_such() -> None:
    """A command that a sentence asks to type stands in code; other backticks are text."""
    told = sentence("Answer with `finplan tasks answer`, or ask `who`: `finplan tasks`.")
    assert told == (
        "Answer with <code>finplan tasks answer</code>, or ask `who`: <code>finplan tasks</code>."
    )


def test_the_most_useful_comes_first() -> None:
    """The sections stand in the order in which a person needs them."""
    page = Page(drawn(made_up.view()))

    assert [each["id"] for each in page.all("section")] == [
        "actions",
        "months",
        "worth",
        "ahead",
        "bills",
        "flow",
        "safe",
        "breakdown",
        "questions",
        "fund",
        "debts",
        "budget",
        "recurring",
        "upcoming",
        "income",
        "month",
        "accounts",
        "age",
        "notes",
    ]


def test_sections_fold_and_the_important_ones_are_open() -> None:
    """A narrow screen shows at once what a person looks for each day, and the headings of all else."""
    found = re.findall(
        r'<section id="(\w+)".*?<details class="fold"( open)?>', drawn(made_up.view()), re.DOTALL
    )
    assert len(found) == len(Page(drawn(made_up.view())).all("section"))
    opened = {key for key, is_open in found if is_open}
    assert opened == {"actions", "ahead", "bills", "safe", "questions"}


@pytest.mark.parametrize(
    ("last", "by_statements", "told"),
    [
        (date(2025, 11, 17), True, "17 Nov."),
        (date(2025, 11, 21), True, "21 Nov."),
        (date(2024, 11, 17), False, "17 Nov 2024."),
        (date(2025, 11, 21), False, "21 Nov."),
    ],
)
def test_the_last_day_of_the_data_is_on_top(last: date, by_statements: bool, told: str) -> None:
    """Before all figures stands the day up to which transactions are known."""
    plan = replace(pictured(), data_end=last, by_statements=by_statements)
    said = Page(plan_page.draw(plan, settings(), TODAY).decode()).said
    assert told in said[: said.index("Built on")]


def test_the_page_can_be_heard() -> None:
    """Sections are named by their headings, tables by captions, pictures by titles; bars are silent."""
    page = Page(drawn(made_up.view()))
    ids, tags = page.values("id"), page.tags
    headings = [tag for tag in tags if re.fullmatch("h[1-6]", tag)]

    assert len(ids) == len(set(ids))
    assert {each["aria-labelledby"] for each in page.all("section")} <= set(ids)
    assert headings[0] == "h1"
    assert headings.count("h1") == tags.count("main") == tags.count("header") == 1
    assert tags.count("table") == tags.count("caption") > 0
    assert all(each["scope"] in {"row", "col"} for each in page.all("th"))
    bars = [each for each in page.all("svg") if each["class"] == "bar"]
    pictures = [each for each in page.all("svg") if each["class"] == "picture"]
    assert len(bars) + len(pictures) == tags.count("svg")
    assert len(pictures) == 5
    assert all(each["aria-hidden"] == "true" for each in bars)
    for each in pictures:
        assert each["role"] == "img"
        assert set(each["aria-labelledby"].split()) <= set(ids)
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("a")[0]["href"] == "#plan"


def test_a_plan_of_little_is_a_page() -> None:
    """Nine days, or nothing at all, make a page that says so."""
    nine_days, nothing = (Page(drawn(each)) for each in made_up.little(made_up.view()))

    assert "Totals of" in nine_days.said
    assert "No transactions yet" in nothing.said
    assert "finplan import FILE" in nothing.said
    assert "finplan import FILE" not in nine_days.said
    for said in ("None found yet.", "Nothing due."):
        assert said in nothing.said


def test_a_poor_household_has_its_pictures() -> None:
    """Without income, with one account and one month, each picture is drawn or says why it is not."""
    page = Page(plan_page.draw(poor(), settings(), TODAY).decode())

    assert "pale: partial month" in page.said
    assert "November 2025: $0.00 in" in page.said
    assert "Bills by day Nothing due." in page.said
    assert "80% range" not in page.said


def test_a_long_list_is_printed_in_part_and_says_so() -> None:
    """What is left out of print is told on paper alone, by how much it is."""
    page = Page(plan_page.draw(rich(), settings(), TODAY).decode())
    printed = [each for each in page.all("p") if each.get("class") == "printed soft"]

    for count in (8 - 6, 40 - 6, 9 - 6, 10 - 6):
        assert f"and {count} more, not printed" in page.said
    assert "Shown only on screen, not in print: " in page.said
    assert len(printed) == 6
    few = Page(drawn(made_up.view()))
    assert "more, not printed" not in few.said
    assert ".printed { display: none; }" in plan_page._style()


def test_the_largest_categories_have_bars() -> None:
    """Ten have one of their own, what all others take has one together, and nothing is lost."""
    full = rich()
    page = plan_page.draw(full, settings(), TODAY).decode()
    picture = page[page.index('id="picture-where-it-goes"') :]
    bars = re.findall(r"<title>([^:<]+): [^$]*\$([\d,]+\.\d\d) a month</title>", picture)
    total = sum(category.monthly for category in full.view.plan.categories)

    assert [name for name, _ in bars] == [
        *(f"Category {place}" for place in range(10)),
        "20 other categories",
    ]
    assert len(bars) == 11
    assert sum(int(amount.replace(",", "").replace(".", "")) for _, amount in bars) == total


def test_bars_are_written_as_the_table_writes_them() -> None:
    """The whole units beside the bars are those of the table, and add up to what a month takes."""
    plan = made_up_plan.plan()
    page = drawn(made_up.view())
    picture = page[page.index('id="picture-where-it-goes"') : page.index('id="safe"')]
    picture = picture[: picture.index("</svg>")].replace(",", "").replace("\N{MINUS SIGN}", "-")
    written = [int(sign + each) for sign, each in re.findall(r">(-?)\$(\d+)</text>", picture)]
    units = plan_text.month_units(plan, "USD")

    assert len(written) == 11
    assert sum(written) == units["essentials"] + units["discretionary"]


def test_net_worth_that_nobody_knows_is_not_drawn() -> None:
    """Where the balance that it rests on was not told there is no line, and the page says so."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    untold = cash.model_copy(update={"balance": None})
    page = drawn(made_up.with_accounts(made_up.view(), untold))
    worth = page[page.index('id="worth"') : page.index('id="ahead"')]

    assert "unknown" in worth
    assert "<svg" not in worth


def test_what_nobody_told_is_unknown() -> None:
    """A balance that nobody told is unknown, not nothing, and the page says how to tell it."""
    (cash,) = made_up_plan.plan().snapshot.accounts
    untold: SnapshotAccount = cash.model_copy(update={"balance": None})
    page = Page(drawn(made_up.with_accounts(made_up.view(), untold)))

    assert "Safe to spend today unknown" in page.said
    assert f"finplan accounts set {cash.id} --balance AMOUNT" in page.said
    assert "missing" in page.said
    for label in (
        "Today",
        live_text.DAYS_SHARE,
        "Left until payday",
        "Left",
        "Set aside",
        "Free to spend",
    ):
        assert f"{label} unknown" in page.said, label


def test_regular_interest_stands_beside_the_bills() -> None:
    """Each regular charge is there; those of interest say that they are no bill, and are not counted."""
    view = made_up.view()
    bill = view.plan.recurring[0].model_copy(update={"monthly": 900_00})
    interest = bill.model_copy(update={"name": "Card interest", "category": "interest_fees"})
    plan = view.plan.model_copy(update={"recurring": (interest, bill)})
    page = Page(drawn(view.model_copy(update={"plan": plan})))

    assert "Recurring 1 charge, $900 a month" in page.said
    assert "+ Interest and bank fees" in page.said
    assert "Card interest" not in page.said


@pytest.mark.parametrize("upcoming", [True, False])
def test_what_comes_back_stands_beside_what_is_due(upcoming: bool) -> None:
    """A flatmate's share is named beneath the bills, and where none is expected; its name is text."""
    view = made_up.view()
    back = Upcoming(date=date(2025, 12, 2), name="Ada <b>Lee</b>", amount=390_00)
    due = view.snapshot.due.model_copy(update={"repayments": (back,)})
    bills = view.snapshot.upcoming if upcoming else ()
    snapshot = view.snapshot.model_copy(update={"due": due, "upcoming": bills})
    page = Page(drawn(view.model_copy(update={"snapshot": snapshot})))

    assert "Expected back, not counted: Ada <b>Lee</b> $390.00, Tue 2 Dec." in page.said
    assert "Card bill, not in this total" in page.said
    assert "Expected back" not in Page(drawn(view)).said


def test_what_does_not_come_monthly_is_not_left_to_spend() -> None:
    """A theme that is charged less often than monthly says that its mean is for later."""
    view = made_up.view()
    group = view.snapshot.groups[0]
    rare = view.plan.categories[0].model_copy(update={"category": "groceries", "count": 3})
    plan = view.plan.model_copy(update={"categories": (rare,)})
    snapshot = view.snapshot.model_copy(update={"groups": (group,)})
    page = Page(drawn(view.model_copy(update={"plan": plan, "snapshot": snapshot})))

    assert "$268.40 for later" in page.said


def test_a_provisional_plan_says_so_above_its_figures() -> None:
    """What is unknown, how much money that is and what answers it stand before the headline."""
    page = Page(drawn(made_up.provisional(made_up.view())))
    sentence = "Estimate: 52% of spending ($2,140 a month)"
    assert page.said.index(sentence) < page.said.index("Safe to spend today")
    assert "finplan tasks answer" in page.said
    assert "that card is not linked" in page.said
    assert "Provisional" not in Page(drawn(made_up.view())).said


def test_what_rests_on_an_unknown_debt_is_at_most() -> None:
    """The words of the terminal stand on the page as well: at most, at least, unknown."""
    view = made_up.provisional(made_up.view())
    said = Page(drawn(view)).said
    worth = "at most \N{MINUS SIGN}$231,925"
    assert f"Net worth {worth}" in said
    assert "Covers at most 3.5 months of 6; " in said
    assert "Credit cards unknown balance missing" in said
    card = view.plan.snapshot.accounts[0].model_copy(
        update={"id": "acc_2", "kind": "credit", "role": "debt", "balance": 231_044}
    )
    partly = made_up.with_accounts(view, *view.plan.snapshot.accounts, card)
    assert "Credit cards $2,310.44 at least; a balance is missing" in Page(drawn(partly)).said


def test_nothing_is_full_that_is_not_known_to_be() -> None:
    """A fund without a gap whose needs are not known has no full bar and is not called reached."""
    view = made_up.view()

    def fund(**changes: int | None) -> str:
        full = view.plan.emergency_fund.model_copy(update={"gap": 0, **changes})
        plan = view.plan.model_copy(update={"emergency_fund": full})
        page = drawn(view.model_copy(update={"plan": plan}))
        return page[page.index('id="fund"') : page.index('id="debts"')]

    known, unknown = fund(months_to_target=0), fund(months_to_target=None)
    assert "reached" in known
    assert "<svg" in known
    assert "reached" not in unknown
    assert "no gap found yet" in unknown
    assert "<svg" not in unknown


@pytest.mark.parametrize(
    ("currency", "written"),
    [("USD", "$18,425.12"), ("JPY", "¥1,842,512"), ("KWD", "KWD 1,842.512")],
)
def test_money_is_of_the_persons_currency(currency: str, written: str) -> None:
    """Amounts have the digits after the point that the currency has."""
    assert written in Page(drawn(made_up.view(), currency)).said


# --- what names cannot do ------------------------------------------------------------------------


def renamed(view: PlanView, name: str) -> PlanView:
    """The view with one name for every payee, account, bank, category and sentence."""

    def each(items: tuple, *fields: str) -> tuple:  # type: ignore[type-arg]
        return tuple(item.model_copy(update=dict.fromkeys(fields, name)) for item in items)

    plan, snapshot = view.plan, view.snapshot
    balances = plan.snapshot
    return view.model_copy(
        update={
            "plan": plan.model_copy(
                update={
                    "categories": each(plan.categories, "label"),
                    "income_sources": each(plan.income_sources, "name"),
                    "recurring": each(plan.recurring, "name"),
                    "actions": each(plan.actions, "title", "detail"),
                    "notes": tuple(name for _ in plan.notes),
                    "budget": each(plan.budget, "label"),
                    "debt": plan.debt.model_copy(update={"cards": each(plan.debt.cards, "name")}),
                    "snapshot": balances.model_copy(
                        update={
                            "accounts": each(
                                balances.accounts, "name", "institution_name", "mask", "id"
                            )
                        }
                    ),
                }
            ),
            "snapshot": snapshot.model_copy(
                update={
                    "upcoming": each(snapshot.upcoming, "name"),
                    "groups": each(snapshot.groups, "label"),
                }
            ),
            "open_tasks": tuple(_renamed(task, name) for task in made_up.tasks()),
            "data_age": each(view.data_age, "institution_name"),
        }
    )


def _renamed(task: Task, name: str) -> Task:
    named = ("id", "payee", "suggested_label", "institution_name", "error", "reason")
    given = {field: name for field in named if field in type(task).model_fields}
    return task.model_copy(update=given)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_text(name: str) -> None:
    """Whatever a name holds, the page has the same elements, and says the name as it is seen."""
    assert_text(name)


@pytest.mark.thorough
@given(st.text(st.sampled_from("<>&\"'=/!- a") | st.characters(), min_size=1, max_size=60))
def test_any_name_is_text(name: str) -> None:
    """No name at all changes the page but in its text."""
    assert_text(name)


PLACED = {"x", "y", "text-anchor", "class", "unicode-bidi"}
"""What a text in a picture may tell of itself: where it stands, which hangs on how long it is."""


def besides_texts(page: Page) -> Iterator[tuple[str, dict[str, str]]]:
    """The elements of a page, but for the texts in pictures, which stand where they have room."""
    return (each for each in page.elements if each[0] != "text")


def assert_text(name: str) -> None:
    page = Page(drawn(renamed(made_up.view(), name)))
    plain = Page(drawn(renamed(made_up.view(), "Bakery")))

    assert list(besides_texts(page)) == list(besides_texts(plain))
    assert {name for text in page.all("text") for name in text} <= PLACED
    assert page.comments == []
    shown = re.sub(r"[\u202a-\u202e\u2066-\u2069]", "", name)
    shown = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", " ", shown)
    assert page.texts.count(shown) + (shown == "") >= 1


@pytest.mark.parametrize(
    ("content", "shown"),
    [("A & <B>", "A &amp; &lt;B&gt;"), ("a\x1b\u202eb\u2066c", "a bc"), ("a\x9bb", "a b"),
     ("می‌خواهم é 東京", "می‌خواهم é 東京")],
)  # fmt: skip
def test_a_name_from_a_stranger_is_only_text(content: str, shown: str) -> None:
    """Nothing in it is markup, turns round what stands after it, or commands anything."""
    assert text(content) == shown
