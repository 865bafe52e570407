"""Questions as people type them: each is answered rightly, or asked back; wrong money is never told."""

from pathlib import Path
from typing import Any

import pytest

from tests.daemon.a2a.asked_in_words.recounting import Meaning, questions_in
from tests.daemon.a2a.talking import asked, words_of
from tests.daemon.running import RunningDaemon

FOLDER = Path(__file__).parent / "asked_in_words"
QUESTIONS = questions_in((FOLDER / "questions.txt").read_text("utf-8"))
HELD_OUT = questions_in((FOLDER / "held_out.txt").read_text("utf-8"))
"""Forty that were written before any word was taught."""


async def counted_rows(household: RunningDaemon) -> list[dict[str, Any]]:
    """The posted rows of cash and cards, as the interface lists them one by one."""
    accounts = (await household.http.get("/api/v1/accounts")).json()
    counted = {each["id"] for each in accounts if each["kind"] in {"depository", "credit"}}
    rows: list[dict[str, Any]] = []
    asks: dict[str, str] = {"limit": "500", "pending": "false"}
    while True:
        page = (await household.http.get("/api/v1/transactions", params=asks)).json()
        rows += [each for each in page["transactions"] if each["accountId"] in counted]
        if page["nextCursor"] is None:
            return rows
        asks["cursor"] = page["nextCursor"]


async def verdict(household: RunningDaemon, question: str, meant: str, rows: Any) -> str:
    """`right`, `asked` where it is asked back, or what is wrong."""
    task = await asked(household, question)
    told, meaning = words_of(task), Meaning.read(meant)
    is_asked = task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    if meaning.kind == "?":
        named = all(each.strip() in told for each in meaning.fields["words"].split(";"))
        return "right" if is_asked and named else f"wrong: {told}"
    if is_asked:
        return f"asked: {told}"
    missing = [each for each in meaning.figures(rows) if each not in told]
    return f"wrong, lacks {missing}: {told}" if missing else "right"


@pytest.mark.thorough
async def test_each_question_has_its_answer(known_household: RunningDaemon) -> None:
    """A hundred and twenty of twelve kinds: figures counted from the rows, or what a refusal says."""
    rows = await counted_rows(known_household)
    wrong = {
        question: told
        for question, meant in QUESTIONS
        if (told := await verdict(known_household, question, meant, rows)) != "right"
    }
    assert not wrong
    assert len(dict(QUESTIONS)) == len(QUESTIONS) >= 120


@pytest.mark.thorough
async def test_what_was_never_taught_is_not_answered_wrongly(
    known_household: RunningDaemon,
) -> None:
    """Of forty questions none has a wrong figure, and at least three of four are answered.

    Where the table leaves open what is meant, an answer has to say what it took the words for.
    """
    rows = await counted_rows(known_household)
    answered = 0
    for question, meant in HELD_OUT:
        told = await verdict(known_household, question, meant, rows)
        assert not told.startswith("wrong, lacks"), (question, told)
        answered += told == "right" or "Understood: " in told
    assert answered >= len(HELD_OUT) * 3 // 4
