"""Pages of what lets people in, of webhooks and of the machine fit the narrowest terminal."""

from collections.abc import Iterable

import pytest

from finplan.model.installation import Backup, Finding
from finplan.views import access, installation, webhooks
from finplan.views.locale import Money
from finplan.views.page import (
    Names,
    Page,
    PageTable,
    ShareBar,
    TableRow,
    TextSpan,
    Trend,
    spans,
)
from tests.cli import test_access as entries, test_programs as programs
from tests.cli.test_upkeep import made_up_jobs
from tests.cli.test_webhooks import DELIVERIES, made_up as made_up_webhooks
from tests.views.drawing import drawn, how

HOW = how(now=entries.NOON)
KEYS = [
    key.model_copy(update={"expires_at": end})
    for key, end in zip(
        programs.made_up_keys(), (entries.NOW + entries.DAY, entries.NOW, None), strict=True
    )
]
BACKUP = Backup("manual-2026-11-18-091500", "manual", entries.NOW, 1_400_000, "good", entries.NOW)
PAGES = {
    "people": access.people(entries.made_up_people(), HOW),
    "invites": access.invites(entries.made_up_invites(), HOW),
    "sessions": access.sessions(entries.made_up_sessions(), HOW),
    "events": access.events(entries.made_up_events(), HOW),
    "keys": access.keys(KEYS, HOW),
    "clients": access.clients(programs.made_up_clients(), HOW),
    "agents": access.agents(programs.made_up_agents(), HOW),
    "webhooks": webhooks.webhooks(made_up_webhooks(), HOW),
    "webhook": webhooks.one(made_up_webhooks()[1], HOW),
    "deliveries": webhooks.deliveries(DELIVERIES, HOW),
    "jobs": installation.jobs(made_up_jobs(), how()),
    "backups": installation.backups([BACKUP], HOW),
    "finding": installation.finding(Finding("data", "bad", "a/" * 60, "chmod 700 " + "b/" * 60)),
}


def rows(page: Page) -> Iterable[TableRow]:
    return (row for part in page.parts if isinstance(part, PageTable) for row in part.rows)


@pytest.mark.parametrize("shown", PAGES)
@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_line_is_too_long(shown: str, width: int) -> None:
    """However narrow the terminal is, every row has its line, and its id or name is whole."""
    lines = drawn(PAGES[shown], width, width).plain.splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) >= len(list(rows(PAGES[shown])))


@pytest.mark.parametrize("shown", ["invites", "keys"])
def test_what_lets_nobody_in_is_crossed_out(shown: str) -> None:
    """On every face: its name has the tone of what is gone, and its state says why."""
    for row in rows(PAGES[shown]):
        first = row.cells[0]
        assert isinstance(first, TextSpan)
        *_, state, _ = row.cells
        assert not isinstance(state, Money | ShareBar | Names | Trend)
        over = [each.text.split()[0] for each in spans(state)] in (
            ["expired"],
            ["used"],
            ["revoked"],
        )
        assert (first.tone == "gone") == over


def test_rows_are_chosen_by_their_ids() -> None:
    """What a face does with a thing is asked by the id in its row."""
    assert [row.key for row in rows(PAGES["keys"])] == [each.id for each in KEYS]
    assert [row.key for row in rows(PAGES["deliveries"])] == [each.id for each in DELIVERIES]
