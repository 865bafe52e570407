"""Answering questions by a browser: a look at what an answer moves, the answer, and taking it back.

The pages and the tools show the row on the other account beside a question.
"""

from typing import Any, cast

import pytest

from finplan.daemon.surfaces.mcp.tools.questions import TasksQuestion, list_tasks
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.pages.markup import element
from finplan.daemon.surfaces.pages.tasks import TaskForms, questions
from finplan.daemon.surfaces.site import plan as site_plan
from finplan.model.detection import Transfer
from finplan.model.figures import money
from finplan.model.task import CategorizePayee
from finplan.operations.detection import LIST_TRANSFERS
from finplan.store.queries.duplicates import RelinkedPair, ask_about_relinked
from finplan.views.locale import Locale
from finplan.views.tasks import DIRECTIONS, NO_OPEN_TASKS
from tests.cli import made_up
from tests.cli.made_up_bank import transfer
from tests.daemon.site.browsing import Page, Visitor, page_in
from tests.views.drawing import how

Form = dict[str, list[str]]


async def rest(visitor: Visitor, path: str, **query: str) -> Any:
    answer = await visitor.daemon.http.get(f"/api/v1{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def asked(visitor: Visitor) -> list[dict[str, Any]]:
    return [each for each in await rest(visitor, "/tasks") if each["kind"] == "categorize_payee"]


async def form_of(visitor: Visitor, task: dict[str, Any], does: str, **typed: str) -> Form:
    """The form of a question as a browser sends it once a button is clicked."""
    page = await visitor.page("/tasks")
    form = next(each for each in page.forms if each.get("id") == [task["id"]])
    assert does in form["do"]
    return {**form, "do": [does], **{name: [value] for name, value in typed.items()}}


@pytest.mark.thorough
async def test_an_answer_is_looked_at_then_kept_then_taken_back(at_home: Visitor) -> None:
    """What it moves is said before anything is stored, and what it moved afterwards."""
    task = (await asked(at_home))[0]
    looked = await at_home.post(
        "/tasks", await form_of(at_home, task, "look", category="groceries")
    )

    before = Page(looked.text)
    assert f"Put {task['payee']} in Groceries ?" in before.said
    assert f"Puts {task['count']:,} transaction" in before.said
    assert "in Groceries. Safe to spend" in before.said
    assert task["id"] in [each["id"] for each in await asked(at_home)]
    kept = await at_home.post("/tasks", before.form("keep", id=task["id"]))
    assert (kept.status_code, kept.headers["location"]) == (303, "/tasks?done=keep")
    after = await at_home.page("/tasks?done=keep")
    assert f"{task['payee']} is now in Groceries: {task['count']:,} transaction" in after.said
    assert task["id"] not in [each["id"] for each in await asked(at_home)]
    undone = await at_home.post("/tasks", after.form("undo", id=task["id"]))
    assert undone.headers["location"] == "/tasks?done=undo"
    assert "The task is open again" in (await at_home.page("/tasks?done=undo")).said
    assert (await asked(at_home))[0]["id"] == task["id"]


async def test_the_page_and_rest_tell_the_same_effect(at_home: Visitor) -> None:
    """The preview of the page is that of the interface, category by category."""
    task = (await asked(at_home))[0]
    told = await at_home.daemon.http.post(
        f"/api/v1/tasks/{task['id']}/answer", json={"answer": "travel", "preview": True}
    )
    looked = await at_home.post("/tasks", await form_of(at_home, task, "look", category="travel"))

    assert told.status_code == 200, told.text
    assert f"Puts {told.json()['charges']:,} transaction" in Page(looked.text).said


@pytest.mark.thorough
async def test_a_part_of_a_payee_is_answered(at_home: Visitor) -> None:
    """A direction and an exact amount go along from the look to the answer, and are said."""
    task = next(each for each in await asked(at_home) if each["count"] > 1)
    amount = task["charges"][0]["amount"]
    typed = f"{amount / 100:.2f}"
    looked = await at_home.post(
        "/tasks", await form_of(at_home, task, "look", category="travel", amount=typed)
    )
    before = Page(looked.text)
    assert f"Only transactions of exactly {money(amount, 'USD')}." in before.said
    keep = before.form("keep", id=task["id"])
    assert keep["amount"] == [f"{amount / 100:,.2f}"]
    assert (await at_home.post("/tasks", keep)).status_code == 303
    rules = await rest(at_home, "/categories/rules")
    assert amount in [each.get("amount") for each in rules]

    other = (await asked(at_home))[0]
    looked = await at_home.post(
        "/tasks", await form_of(at_home, other, "look", category="travel", direction="out")
    )
    assert f"{DIRECTIONS['out']}." in Page(looked.text).said
    assert Page(looked.text).form("keep", id=other["id"])["direction"] == ["out"]


@pytest.mark.thorough
async def test_a_question_is_dismissed_or_given_up_for_its_rows(at_home: Visitor) -> None:
    """Dismissed it is not asked again; asked row by row it says so."""
    first, second = [each for each in await asked(at_home) if each["count"] > 1][:2]
    await at_home.post("/tasks", await form_of(at_home, first, "dismiss"))
    said = (await at_home.page("/tasks?done=keep")).said
    assert f"will not ask about {first['payee']} again." in said
    assert first["id"] not in [each["id"] for each in await asked(at_home)]

    await at_home.post("/tasks", await form_of(at_home, second, "each"))
    said = (await at_home.page("/tasks?done=keep")).said
    assert f"each {second['payee']} transaction separately" in said


async def test_what_is_no_answer_is_said(at_home: Visitor) -> None:
    """Without a category, or with an amount that is none, nothing is kept; the page says what to do."""
    look = await form_of(at_home, (await asked(at_home))[0], "look", category="")
    nothing = await at_home.post("/tasks", look)
    assert "Choose a category first" in page_in(nothing, 400).said
    typed = await at_home.post("/tasks", {**look, "category": "travel", "amount": "12.345"})
    assert "has more than the 2 decimals of USD" in page_in(typed, 400).said
    none = await at_home.post("/tasks", {**look, "do": "nonsense"})
    assert "form is out of date" in Page(none.text).said
    keep = {**look, "do": "keep", "category": "travel"}
    assert (await at_home.post("/tasks", keep)).status_code == 303
    again = await at_home.post("/tasks", keep)
    assert "already answered" in page_in(again, 409).said


async def test_only_what_is_likely_is_chosen_beforehand(at_home: Visitor) -> None:
    """A guess waits for the person's choice, so that no payee is filed by a click alone."""
    page = await at_home.get("/tasks")
    for task in (await asked(at_home))[: site_plan.TASKS_AT_ONCE]:
        form = page.text.partition(task["id"])[2].partition("</form>")[0]
        chosen = form.partition(" selected")[0].rpartition('value="')[2].partition('"')[0]
        likely = task["confidence"] is not None and task["confidence"] >= 0.5
        assert chosen == (task["suggested"] if likely else ""), task["payee"]


async def test_questions_are_skipped(at_home: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is on one page, and a link skips those of this one."""
    monkeypatch.setattr(site_plan, "TASKS_AT_ONCE", 2)
    want, seen, path = [each["id"] for each in await rest(at_home, "/tasks")], [], "/tasks"
    while path:
        page = await at_home.page(path)
        seen += [form["id"][0] for form in page.forms if "look" in form.get("do", [])]
        path = next((way for way in page.values("href", "a") if "after=" in way), "")
    assert seen == [each["id"] for each in await asked(at_home)]
    assert len(want) > 2
    gone = await at_home.page("/tasks?after=task_gone")
    assert [form["id"][0] for form in gone.forms if "look" in form.get("do", [])] == seen[:2]


async def test_the_plan_leads_to_the_questions_and_back(at_home: Visitor, owner: Visitor) -> None:
    """The plan has a way to them, and where none is open the page leads on."""
    plan = await at_home.page("/")
    ways = plan.values("href", "a")
    assert ways.count("/tasks") == 3
    assert "finplan tasks answer" not in plan.said
    empty = await owner.page("/tasks")
    assert NO_OPEN_TASKS in empty.said
    ways = empty.values("href", "a")
    assert {"/", "/statements"} <= set(ways)


async def test_nobody_answers_for_another(at_home: Visitor, guest: Visitor) -> None:
    """Who joined has no question of the owner's."""
    assert NO_OPEN_TASKS in (await guest.page("/tasks")).said


async def test_accounts_under_new_ids_are_asked_about_first(at_home: Visitor) -> None:
    """Said to be one they are one, said to be two they both count, and neither is asked again."""
    store, owner = at_home.daemon.store, at_home.daemon.session.owner
    told = (await rest(at_home, "/accounts"))[:3]
    former, listed, other = (each["id"] for each in told)
    pairs = [RelinkedPair("dup_1", former, listed), RelinkedPair("dup_2", former, other)]
    await store.write(lambda c: ask_about_relinked(c, owner, pairs))
    page = await at_home.page("/tasks")
    assert "Which account is which?" in page.said
    assert page.said.index("Which account is which?") < page.said.index("Which category is")
    for each in told:
        assert f"{each['name']} ({money(each['balance'], 'USD')})" in page.said

    form = {**_form(page, "dup_2"), "do": ["different_account"]}
    two = await at_home.post("/tasks", form)
    assert two.headers["location"] == "/tasks?done=different_account"
    page = await at_home.page(two.headers["location"])
    assert "Totals now include both accounts." in page.said
    form = {**_form(page, "dup_1"), "do": ["same_account"]}
    one = await at_home.post("/tasks", form)
    assert one.headers["location"] == "/tasks?done=same_account"
    after = await at_home.page(one.headers["location"])
    assert "The two accounts are now merged." in after.said
    assert "Which account is which?" not in after.said
    assert listed not in [each["id"] for each in await rest(at_home, "/accounts")]
    assert (await rest(at_home, "/duplicates", relinked="true")) == []


def _form(page: Page, key: str) -> Form:
    return next(each for each in page.forms if each.get("id") == [key])


SAID = "$500.00 arrived in Savings on Tue 4 Nov"


def asked_with_a_twin() -> tuple[CategorizePayee, Transfer]:
    """A question that offers a transfer, and the transfer in doubt that it may be about."""
    task = made_up.tasks()[0].model_copy(update={"suggested": "transfer", "confidence": 0.7})
    candidate = transfer("1", "candidate", 500_00, 500_00)
    out = candidate.out.model_copy(update={"payee_key": task.payee_key})
    return task, candidate.model_copy(update={"out": out})


class Asked:
    """Answers a tool's questions with one task and one transfer in doubt."""

    def __init__(self, task: CategorizePayee, candidate: Transfer) -> None:
        self._task, self._candidate = task, candidate
        self.transfers = 0

    async def ask(self, row: Any, _question: Any) -> Any:
        if row is LIST_TRANSFERS:
            self.transfers += 1
            return (self._candidate,)
        return (self._task,)

    async def how(self) -> Locale:
        return how()


async def test_an_agent_is_shown_the_twin() -> None:
    """In a field of its own; no transfer is asked for where no question offers one."""
    task, candidate = asked_with_a_twin()
    (told,) = (await list_tasks(cast("Call", Asked(task, candidate)), TasksQuestion())).told.tasks
    assert told.twin is not None
    assert SAID in told.twin

    other = Asked(task.model_copy(update={"suggested": "dining"}), candidate)
    (plain,) = (await list_tasks(cast("Call", other), TasksQuestion())).told.tasks
    assert (plain.twin, other.transfers) == (None, 0)


def test_a_page_shows_the_twin() -> None:
    """Below the charges of the question."""
    task, candidate = asked_with_a_twin()
    forms = TaskForms(how(), (), _drawn_form, (candidate,))
    assert SAID in str(questions([task], forms))
    assert SAID not in str(questions([task], TaskForms(how(), (), _drawn_form)))


def _drawn_form(*children: Any) -> Any:
    return element("form", *children)
