"""The page of what happened: who came in, and what was given and taken back."""

from collections.abc import Sequence

from finplan.daemon.surfaces.pages.markup import Markup, element, sentence
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, asked
from finplan.daemon.surfaces.site.settings.settings_page import (
    ACTIVITY,
    SettingsPage,
    part,
    thing,
    things,
)
from finplan.model.access.audit import AuditEvent, AuditQuery
from finplan.operations.credential import LIST_AUDIT

AT_ONCE = 50
BEFORE = "before"


async def _draw(visit: Visit, _typed: TypedForm) -> Markup:
    before = visit.request.query.get(BEFORE)
    ask = asked(AuditQuery, limit=str(AT_ONCE + 1), before=before)
    events: tuple[AuditEvent, ...] = await visit.perform(LIST_AUDIT, ask)
    shown = first_page(events)
    older = None
    if len(shown) < len(events):
        way = f"{ACTIVITY}?{BEFORE}={shown[-1].at}"
        older = element("p", element("a", "Older", href=way, class_="button", rel="next"))
    return part(
        "activity",
        "Activity",
        things([_event(visit, each) for each in shown], "Nothing happened here."),
        older,
        lead="Who came in with what, and what was given and taken back; kept for a year.",
    )


def first_page(events: Sequence[AuditEvent]) -> Sequence[AuditEvent]:
    """The newest events that end where an instant does, since the next page begins before one."""
    if len(events) <= AT_ONCE:
        return events
    whole = [event for event in events[:AT_ONCE] if event.at > events[AT_ONCE].at]
    return whole or events[:AT_ONCE]


def _event(visit: Visit, event: AuditEvent) -> Markup:
    return thing(
        element("bdi", sentence(event.text)),
        [
            visit.moment(event.at),
            _with(event.credential),
            None if event.address is None else f"from {event.address}",
        ],
    )


def _with(credential: str | None) -> str | None:
    """What was used, in words; None where nothing was needed."""
    kind, _, no = (credential or "").partition(":")
    if kind == "session":
        return "in a browser" if no else "with the command line"
    return "with an API key" if kind == "key" else None


PAGE = SettingsPage(ACTIVITY, _draw)
