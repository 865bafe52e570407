"""The watch on a loop sees what would hold it up, and nothing where nothing does."""

import asyncio
import json

import pytest

from tests.loop_steps import MOST_BYTES, MOST_LINES, watching_the_loop


async def test_work_in_small_turns_is_free() -> None:
    """Many handles of a little each hold up nothing."""
    with watching_the_loop() as watch:
        for _ in range(200):
            await asyncio.sleep(0)
            sum(each for each in range(500))
    watch.must_be_free()
    assert watch.lines > 0


async def test_a_long_turn_is_seen() -> None:
    """A turn of the loop that runs a line for each of many rows."""
    await asyncio.sleep(0)
    with watching_the_loop() as watch:
        await asyncio.sleep(0)
        for _ in range(MOST_LINES):
            pass
        await asyncio.sleep(0)
    with pytest.raises(AssertionError, match=r"lines at once.*test_loop_steps"):
        watch.must_be_free()


@pytest.mark.parametrize("where", ["loop", "thread"])
async def test_a_large_text_parsed_here_is_seen(where: str) -> None:
    """60 MB of empty lists, scaled down, as a bank's answer was read once; in a thread as well."""
    text = "[" + "[]," * (MOST_BYTES // 3) + "[]]"
    with watching_the_loop() as watch:
        if where == "loop":
            json.loads(text)
        else:
            await asyncio.to_thread(json.loads, text)
    with pytest.raises(AssertionError, match="once by loads"):
        watch.must_be_free()
