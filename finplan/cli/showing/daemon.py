"""How it stands with the daemon, as lines."""

from datetime import UTC, datetime
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.accounts import facts_table
from finplan.client.connect import Status
from finplan.model import figures
from finplan.model.words.notices import for_profile, sentence_of


def draw_status(
    status: Status, now: datetime | None = None, login: Path | None = None
) -> RenderableType:
    """Whether the daemon answers, and where; `now` is the present unless given.

    `login` is the file that has the system start it at login.
    """
    state = Text("running", style="bold green")
    if not status.answering:
        state = Text("does not answer" if status.running else "not running", style="bold yellow")
    facts: list[tuple[str, str | Text]] = [("profile", status.profile), ("daemon", state)]
    if status.reason is not None:
        facts.append(("", status.reason))
    if status.notice is not None:
        facts.append(
            (
                "notice",
                Text(for_profile(sentence_of(status.notice), status.profile), style="bold yellow"),
            )
        )
    if status.site_url is not None:
        facts.append(("address", status.site_url))
    if status.answering:
        facts.append(("process", f"{status.pid}, version {status.version}"))
        facts.append(("since", figures.age(status.started_at, now or datetime.now(UTC))))
    if login is None:
        not_yet = "not started; `finplan daemon install` changes that"
        facts.append(("at login", Text(not_yet, style="dim")))
    else:
        facts.append(("at login", f"started by {login}"))
    return facts_table([*facts, ("log", str(status.log))])
