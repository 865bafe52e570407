"""Questions answered by keys alone: what is asked, what each key does, and the way back."""

from finplan.model.base import Nothing
from finplan.model.task import CategorizePayee, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.operations.category import LIST_RULES
from finplan.operations.task import LIST_TASKS
from finplan.operations.transaction import LIST_TRANSACTIONS
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened


async def asked(household: RunningDaemon) -> list[CategorizePayee]:
    tasks = await household.client.call(LIST_TASKS, TaskQuery())
    return [each for each in tasks if isinstance(each, CategorizePayee)]


async def rules(household: RunningDaemon) -> dict[str, str]:
    kept = await household.client.call(LIST_RULES, Nothing())
    return {each.payee_key: each.category for each in kept if each.source == "user"}


async def test_one_key_answers_and_brings_the_next(
    screens: Opened, household: RunningDaemon
) -> None:
    """Enter files a payee as suggested, is told, and the next question stands there; u takes it back."""
    first, second, *_ = await asked(household)
    await screens.press("T")
    assert f"What is {first.payee}?" in screens.text
    await screens.press("enter")
    assert await rules(household) == {first.payee_key: first.suggested}
    assert f"What is {second.payee}?" in screens.text
    assert "u takes it back" in screens.said
    await screens.press("u")
    assert await rules(household) == {}
    assert next(each.payee for each in await asked(household)) == first.payee
    await screens.press("u")
    assert screens.said == "There is no answer to take back yet."


async def test_a_number_files_as_the_screen_says(screens: Opened, household: RunningDaemon) -> None:
    """A number takes the category that stands behind it."""
    first, *_ = await asked(household)
    await screens.press("T", "2")
    assert await rules(household) == {first.payee_key: first.alternatives[1].category}


async def test_what_an_answer_moves_is_said_before(screens: Opened) -> None:
    """Beside each answer stands what it does to a day's share, and in the search a sentence of it."""
    await screens.press("T")
    assert screens.text.count(" a day") >= 2
    await screens.press("slash")
    await screens.type("vaca")
    assert "Vacations" in screens.text or "Travel" in screens.text or "No category" in screens.text


async def test_any_category_is_found_by_a_part_of_its_name(
    screens: Opened, household: RunningDaemon
) -> None:
    """The search narrows as it is typed, and Enter takes what it has marked; Escape takes nothing."""
    first, *_ = await asked(household)
    await screens.press("T", "slash", "escape")
    assert await rules(household) == {}
    await screens.press("slash")
    await screens.type("groc")
    await screens.press("enter")
    assert await rules(household) == {first.payee_key: "groceries"}


async def test_marked_questions_are_answered_at_once(
    screens: Opened, household: RunningDaemon
) -> None:
    """Questions that are marked get one answer together, and only these."""
    first, second, third, *_ = await asked(household)
    await screens.press("T", "space", "space")
    assert screens.text.count("✓") == 2
    await screens.press("slash")
    await screens.type("shopping")
    await screens.press("enter")
    assert await rules(household) == {first.payee_key: "shopping", second.payee_key: "shopping"}
    assert f"What is {third.payee}?" in screens.text


async def test_only_one_direction_is_filed(screens: Opened, household: RunningDaemon) -> None:
    """W narrows the answer to money that goes out, or comes in, and the screen says so."""
    first, *_ = await asked(household)
    await screens.press("T", "w")
    assert "Only money out alone" in screens.text
    await screens.press("1")
    kept = await household.client.call(LIST_RULES, Nothing())
    ids = [each.id for each in kept if each.payee_key == first.payee_key and each.source == "user"]
    assert [each.startswith("rule_out_") for each in ids] == [True]


async def test_only_one_amount_is_filed(screens: Opened, household: RunningDaemon) -> None:
    """= narrows the answer to rows of one exact amount; what is no amount is refused with a sentence."""
    first, *_ = await asked(household)
    query = TransactionQuery(
        merchant=(first.payee_key,), category=("uncategorized",), pending=False
    )
    rows = await household.client.call(LIST_TRANSACTIONS, query)
    amount = max(-each.amount for each in rows.transactions)
    await screens.press("T", "equals_sign")
    await screens.type("twelve")
    await screens.press("enter")
    assert "twelve" in screens.text
    await screens.press("escape", "equals_sign")
    await screens.type(f"{amount / 100:.2f}")
    await screens.press("enter")
    assert "Only one amount" in screens.text
    await screens.press("1")
    kept = await household.client.call(LIST_RULES, Nothing())
    own = [each for each in kept if each.payee_key == first.payee_key and each.source == "user"]
    assert [each.amount for each in own] == [amount]


async def test_a_question_can_be_dismissed(screens: Opened, household: RunningDaemon) -> None:
    """D asks a question no more, and u asks it again."""
    before = await asked(household)
    await screens.press("T", "d")
    assert [each.id for each in await asked(household)] == [each.id for each in before][1:]
    await screens.press("u")
    assert {each.id for each in await asked(household)} == {each.id for each in before}


async def test_the_number_of_questions_stands_above(
    screens: Opened, household: RunningDaemon
) -> None:
    """The line of places counts the open questions, on every screen, and after every answer."""
    count = len(await asked(household))
    assert f"Questions {count}" in screens.text
    await screens.press("T", "enter")
    left = len(await asked(household))
    assert f"Questions {left}" in screens.text
