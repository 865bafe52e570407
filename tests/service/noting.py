"""What is noted beside an answer, and waited for where a test looks again."""

import asyncio

from finplan.service.context import Context


async def is_noted(context: Context) -> None:
    """Wait until what goes on beside the answers has ended, such as the note of what was shown."""
    while context.background._tasks:  # noqa: ASYNC110 - each turn of the loop is a step of the work.
        await asyncio.sleep(0)
