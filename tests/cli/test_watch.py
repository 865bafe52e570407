"""`finplan watch`: a line for each change, and what was known while the daemon is away."""

import json
import time

import pytest

from finplan.cli.console.errors import USAGE
from tests.cli import made_up_view
from tests.cli.conftest import Run
from tests.cli.stub import Stub


def view(today: int) -> bytes:
    """A plan's view in which so much is safe to spend."""
    made = made_up_view.view()
    allowance = made.snapshot.allowance.model_copy(update={"today": today})
    snapshot = made.snapshot.model_copy(update={"allowance": allowance})
    return made.model_copy(update={"snapshot": snapshot}).model_dump_json().encode()


def test_each_change_is_a_line(finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json figures that stay are printed once; Ctrl-C ends it without a complaint."""
    answers = iter([view(100), view(100), view(200)])
    stub.answers["GET", "/plan/view"] = lambda: (200, next(answers))
    looks = iter([None, None])

    def sleep(_seconds: float) -> None:
        if next(looks, KeyboardInterrupt) is KeyboardInterrupt:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    ended = finplan("watch", "--json", "--every", "1")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, ended.err) == (0, "")
    assert [each["allowance"]["today"] for each in lines] == [100, 200]


def test_nobody_watches_off_a_terminal(finplan: Run, stub: Stub) -> None:
    """Where nobody looks it is said what to do instead, and the daemon is asked nothing."""
    ended = finplan("watch")
    assert (ended.code, ended.out, stub.asked) == (USAGE, b"", [])
    assert "finplan watch --json" in ended.err
