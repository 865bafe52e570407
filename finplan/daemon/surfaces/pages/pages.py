"""Answers that are drawn as pages for people, for the rows that say so."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from typing import Any

from finplan.model.base import Nothing
from finplan.model.user import HouseholdSettings
from finplan.operation import AnyOperation, Derived
from finplan.operations.person import SHOW_SETTINGS
from finplan.operations.plan import VIEW_PLAN
from finplan.service.context import Context

CONTENT_TYPE = "text/html; charset=utf-8"

DrawPage = Callable[[Any, HouseholdSettings, date, str | None], bytes]


def is_drawn(operation: AnyOperation) -> bool:
    """Whether a row is answered as a page to who would rather have one."""
    return isinstance(operation.body, Derived) and operation.body.page


async def draw(
    perform: Callable[..., Awaitable[Any]],
    context: Context,
    operation: AnyOperation,
    answer: Any,
    today: date,
    notice: str | None,
) -> bytes:
    """Draw an answer for the person who asks, on a day, under a notice if there is one."""
    settings = await perform(context, SHOW_SETTINGS, Nothing())
    return DRAWN[operation](answer, settings, today, notice)


def headers() -> Mapping[str, str]:
    """What a browser is told of a page: it loads nothing, runs nothing and is framed by nobody."""
    # Most daemons are never asked for a page, so what draws one is loaded when one is.
    from finplan.daemon.surfaces.pages.plan import policy

    return {
        "Content-Security-Policy": policy(),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def _draw_plan(answer: Any, settings: HouseholdSettings, today: date, notice: str | None) -> bytes:
    from finplan.daemon.surfaces.pages import plan as plan_page

    return plan_page.draw(answer, settings, today, notice)


DRAWN: Mapping[AnyOperation, DrawPage] = {VIEW_PLAN: _draw_plan}
"""What draws the answers of a row."""
