"""The kinds of job there are: whose each is, when it is due, and what does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Literal

from finplan.service.automation.building import build_when_needed
from finplan.service.automation.copying import copy_when_changed
from finplan.service.automation.outcome import PerformJob
from finplan.service.automation.pruning import prune
from finplan.service.automation.syncing import sync_what_is_due
from finplan.service.automation.telling import tell_what_needs_the_person
from finplan.service.automation.times import Daily, Every, Timing

FIRST_RETRY, LONGEST_RETRY = 5 * 60_000, 6 * 3_600_000
"""How long a job that failed waits, in ms: after the first failure in a row, and at most."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job; everybody's, of the owner of the machine alone, or of the machine itself.

    Without a `timing` it is due when a bank is, and the banks say when. `said` are the words for when
    any other is due. A run that takes longer than its `limit`, in minutes, is given up.
    """

    whose: Literal["person", "owner", "machine"]
    timing: Timing | None
    said: str
    limit: int
    perform: PerformJob


KINDS: Mapping[str, JobKind] = {
    "sync": JobKind("person", None, "", 120, sync_what_is_due),
    "plan": JobKind(
        "person", Daily((time(6),)), "at 06:00, and five minutes after news", 60, build_when_needed
    ),
    "notify": JobKind(
        "owner",
        Daily((time(8), time(13), time(18))),
        "at 08:00, 13:00 and 18:00, once of each thing",
        60,
        tell_what_needs_the_person,
    ),
    "prune": JobKind("machine", Every(1), "every hour", 60, prune),
    "backup": JobKind(
        "machine",
        Daily((time(3, 30),)),
        "at 03:30, when something has changed",
        240,
        copy_when_changed,
    ),
}
"""Each kind by its name. Whatever else has to happen by itself is a line here."""


def retry_pause(failures: int) -> int:
    """How long a job waits that has failed so often in a row, in ms: each time twice as long."""
    return min(FIRST_RETRY << min(failures - 1, 20), LONGEST_RETRY)
