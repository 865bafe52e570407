"""Questions answered by keys alone: what is asked, what each key does, and the way back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import CategoryChoice
from finplan.model.task import CategorizePayee, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.operation import Operation
from finplan.operations.category import LIST_CATEGORIES, LIST_RULES
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.household import NotAnswered
from finplan.views.tasks import DIRECTIONS, NOTHING_TO_UNDO
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened


async def asked(household: RunningDaemon) -> list[CategorizePayee]:
    tasks = await household.client.call(LIST_TASKS, TaskQuery())
    return [each for each in tasks if isinstance(each, CategorizePayee)]


async def rules(household: RunningDaemon) -> dict[str, str]:
    kept = await household.client.call(LIST_RULES, Nothing())
    return {each.payee_key: each.category for each in kept if each.source == "user"}


@pytest.mark.thorough
async def test_one_key_answers_and_brings_the_next(screens: Opened) -> None:
    """Enter files a payee as suggested, is told, and the next question stands there; u takes it back."""
    first, second, *_ = await asked(screens.daemon)
    await screens.press("T")
    assert f"Which category is {first.payee}?" in screens.text
    await screens.press("enter")
    assert await rules(screens.daemon) == {first.payee_key: first.suggested}
    assert f"Which category is {second.payee}?" in screens.text
    assert "u to undo" in screens.said
    await screens.press("u")
    assert await rules(screens.daemon) == {}
    assert next(each.payee for each in await asked(screens.daemon)) == first.payee
    await screens.press("u")
    assert screens.said == NOTHING_TO_UNDO


@pytest.mark.thorough
async def test_a_key_pressed_twice_answers_once(
    screens: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who presses Enter again while the answer is on its way has answered one question, and no error."""
    first, second, *_ = await asked(screens.daemon)
    asks, may_go = screens.app.feed.ask, asyncio.Event()
    sent: list[str] = []

    async def held(operation: Operation[Any, Any], ask: Any, files: tuple[Path, ...] = ()) -> Any:
        if operation is ANSWER_TASK and not ask.preview:
            sent.append(ask.id)
            await may_go.wait()
        return await asks(operation, ask, files)

    await screens.press("T")
    monkeypatch.setattr(screens.app.feed, "ask", held)
    await screens.pilot.press("enter", "enter", "1", "d")
    may_go.set()
    await screens.settle()
    assert sent == [first.id]
    assert await rules(screens.daemon) == {first.payee_key: first.suggested}
    assert f"Which category is {second.payee}?" in screens.text
    assert "u to undo" in screens.said
    await screens.press("u", "enter")
    assert sent == [first.id, first.id]


@pytest.mark.thorough
async def test_an_answer_taken_back_at_once_can_be_given_again(
    screens: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who takes an answer back before the list is renewed finds the question open, and answers it."""
    first, *_ = await asked(screens.daemon)
    asks, may_go = screens.app.feed.ask, asyncio.Event()
    done: list[str] = []

    async def held(operation: Operation[Any, Any], ask: Any, files: tuple[Path, ...] = ()) -> Any:
        if operation is LIST_TASKS:
            await may_go.wait()
        answer = await asks(operation, ask, files)
        if operation is UNDO_ANSWER or (operation is ANSWER_TASK and not ask.preview):
            done.append(operation.name)
        return answer

    await screens.press("T")
    monkeypatch.setattr(screens.app.feed, "ask", held)
    await screens.pilot.press("enter")
    await screens.until(lambda: len(done) == 1)
    await screens.pilot.press("u")
    await screens.until(lambda: len(done) == 2)
    may_go.set()
    await screens.settle()
    await screens.press("enter")
    assert await rules(screens.daemon) == {first.payee_key: first.suggested}


@pytest.mark.thorough
async def test_an_answer_that_was_refused_can_be_given_again(
    screens: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question whose answer did not come through stands there, and takes the next one."""
    first, *_ = await asked(screens.daemon)
    asks = screens.app.feed.ask

    async def refused(operation: Operation[Any, Any], ask: Any, files: Any = ()) -> Any:
        if operation is ANSWER_TASK and not ask.preview:
            raise NotAnswered("Not now.", away=False)
        return await asks(operation, ask, files)

    await screens.press("T")
    with monkeypatch.context() as patched:
        patched.setattr(screens.app.feed, "ask", refused)
        await screens.press("enter")
    assert "Not now." in screens.said
    assert f"Which category is {first.payee}?" in screens.text
    await screens.press("enter")
    assert await rules(screens.daemon) == {first.payee_key: first.suggested}


@pytest.mark.thorough
async def test_a_number_files_as_the_screen_says(screens: Opened) -> None:
    """A number takes the category that stands behind it."""
    first, *_ = await asked(screens.daemon)
    await screens.press("T", "2")
    assert await rules(screens.daemon) == {first.payee_key: first.alternatives[1].category}


@pytest.mark.thorough
async def test_what_an_answer_moves_is_said_before(screens: Opened) -> None:
    """Beside each answer stands what it does to a day's share, and in the search a sentence of it."""
    await screens.press("T")
    assert screens.text.count(" a day") + screens.text.count("no change") >= 2
    await screens.press("slash")
    await screens.type("vaca")
    assert "Vacations" in screens.text or "Travel" in screens.text or "No category" in screens.text


@pytest.mark.thorough
async def test_any_category_is_found_by_a_part_of_its_name(screens: Opened) -> None:
    """The search narrows as it is typed, and Enter takes what it has marked; Escape takes nothing."""
    first, *_ = await asked(screens.daemon)
    await screens.press("T", "slash", "escape")
    assert await rules(screens.daemon) == {}
    await screens.press("slash")
    await screens.type("groc")
    await screens.press("enter")
    assert await rules(screens.daemon) == {first.payee_key: "groceries"}


@pytest.mark.thorough
async def test_marked_questions_are_answered_at_once(screens: Opened) -> None:
    """Questions that are marked get one answer together, and only these."""
    first, second, third, *_ = await asked(screens.daemon)
    await screens.press("T", "space", "space")
    assert screens.text.count("✓") == 2
    await screens.press("slash")
    await screens.type("shopping")
    await screens.press("enter")
    assert await rules(screens.daemon) == {
        first.payee_key: "shopping",
        second.payee_key: "shopping",
    }
    assert f"Which category is {third.payee}?" in screens.text


@pytest.mark.thorough
async def test_only_one_direction_is_filed(screens: Opened) -> None:
    """W narrows the answer to money that goes out, or comes in, and the screen says so."""
    first, *_ = await asked(screens.daemon)
    await screens.press("T", "w")
    assert DIRECTIONS["out"] in screens.text
    await screens.press("1")
    kept = await screens.daemon.client.call(LIST_RULES, Nothing())
    ids = [each.id for each in kept if each.payee_key == first.payee_key and each.source == "user"]
    assert [each.startswith("rule_out_") for each in ids] == [True]


@pytest.mark.thorough
async def test_only_one_amount_is_filed(screens: Opened) -> None:
    """= narrows the answer to rows of one exact amount; what is no amount is refused with a sentence."""
    first, *_ = await asked(screens.daemon)
    query = TransactionQuery(
        merchant=(first.payee_key,), category=("uncategorized",), pending=False
    )
    rows = await screens.daemon.client.call(LIST_TRANSACTIONS, query)
    amount = max(-each.amount for each in rows.transactions)
    await screens.press("T", "equals_sign")
    await screens.type("twelve")
    await screens.press("enter")
    assert "twelve" in screens.text
    await screens.press("escape", "equals_sign")
    await screens.type(f"{amount / 100:.2f}")
    await screens.press("enter")
    assert "Only transactions of exactly" in screens.text
    await screens.press("1")
    kept = await screens.daemon.client.call(LIST_RULES, Nothing())
    own = [each for each in kept if each.payee_key == first.payee_key and each.source == "user"]
    assert [each.amount for each in own] == [amount]
    left, *_ = await asked(screens.daemon)
    assert left.id == first.id
    assert left.count < first.count
    await screens.press("2")
    kept = await screens.daemon.client.call(LIST_RULES, Nothing())
    own = [each for each in kept if each.payee_key == first.payee_key and each.source == "user"]
    of_the_rest = first.alternatives[1].category
    assert [each.category for each in own if each.amount is None] == [of_the_rest]
    assert first.id not in [each.id for each in await asked(screens.daemon)]


@pytest.mark.thorough
async def test_each_row_can_be_asked_about(screens: Opened) -> None:
    """E asks about each row of the payee by itself, as is said then; u asks about all at once again."""
    first, *_ = before = await asked(screens.daemon)
    assert first.count > 1
    await screens.press("T", "e")
    own = [each for each in await asked(screens.daemon) if each.payee_key == first.payee_key]
    # The question counts what its answer moves; of itself only what the plan's months hold is asked.
    assert {each.count for each in own} == {1}
    assert len(first.charges) < len(own) <= first.count
    assert [each.total for each in own[: len(first.charges)]] == [
        charge.amount for charge in first.charges
    ]
    assert f"each {first.payee} transaction separately" in screens.said
    assert await rules(screens.daemon) == {}
    await screens.press("u")
    assert await asked(screens.daemon) == before


@pytest.mark.thorough
async def test_a_question_can_be_dismissed(screens: Opened) -> None:
    """D asks a question no more, and u asks it again."""
    before = await asked(screens.daemon)
    await screens.press("T", "d")
    assert [each.id for each in await asked(screens.daemon)] == [each.id for each in before][1:]
    await screens.press("u")
    assert {each.id for each in await asked(screens.daemon)} == {each.id for each in before}


@pytest.mark.thorough
async def test_the_number_of_questions_stands_above(screens: Opened) -> None:
    """The line of places counts the open questions, on every screen, and after every answer."""
    count = len(await asked(screens.daemon))
    assert f"Tasks {count}" in screens.text
    await screens.press("T", "enter")
    left = len(await asked(screens.daemon))
    assert f"Tasks {left}" in screens.text


async def own_categories(household: RunningDaemon) -> dict[str, CategoryChoice]:
    every = await household.client.call(LIST_CATEGORIES, Nothing())
    return {each.label: each for each in every if each.custom}


@pytest.mark.thorough
async def test_a_category_of_ones_own_is_made_where_it_is_chosen(screens: Opened) -> None:
    """What no category is called is offered as a new one, on each line, and takes the answer."""
    first, *_ = await asked(screens.daemon)
    await screens.press("T", "slash")
    await screens.type("Zoo visits")
    assert "Press Down" in screens.text
    await screens.press("enter")
    assert await own_categories(screens.daemon) == {}, "A slip of the finger makes nothing."
    await screens.press("down", "down")
    assert "category “Zoo visits”" in screens.text
    await screens.press("enter")
    await screens.until(lambda: "in Zoo visits" in screens.said)
    made = await own_categories(screens.daemon)
    assert made["Zoo visits"].line == "discretionary"
    assert await rules(screens.daemon) == {first.payee_key: made["Zoo visits"].category}


@pytest.mark.thorough
async def test_a_name_that_is_taken_is_not_offered_anew(screens: Opened) -> None:
    """A category that is there is chosen, however its letters are written, and not made again."""
    await screens.press("T", "slash")
    await screens.type("groceries")
    assert "Groceries" in screens.text
    assert "Make “" not in screens.text


@pytest.mark.thorough
async def test_a_refused_name_stays_in_the_dialog(screens: Opened) -> None:
    """What the daemon refuses to make is told where it was typed, and nothing is filed."""
    await screens.press("T", "slash")
    await screens.drop("z" * 90)
    await screens.press("down", "enter")
    await screens.until(lambda: "at most 80 characters" in screens.text)
    assert await rules(screens.daemon) == {}


@pytest.mark.thorough
async def test_a_remark_stays_on_its_screen(screens: Opened) -> None:
    """What names a key is not said on a screen where that key does something else."""
    await screens.press("T", "enter")
    assert "u to undo" in screens.text
    await screens.press("A")
    assert "u to undo" not in screens.text
    await screens.press("T")
    assert "u to undo" not in screens.text
