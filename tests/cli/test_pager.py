"""Which program long answers are read by."""

import shutil

import pytest

from finplan.cli.console.output import USUAL_PAGER, pager_of


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({}, USUAL_PAGER.split()),
        ({"PAGER": "more -d"}, ["more", "-d"]),
        ({"PAGER": "more", "FINPLAN_PAGER": "less -S"}, ["less", "-S"]),
        ({"PAGER": "more", "FINPLAN_PAGER": ""}, None),
        ({"PAGER": ""}, None),
        ({"PAGER": "cat"}, None),
        ({"PAGER": "cat -n"}, None),
        ({"PAGER": "nowhere"}, None),
        ({"PAGER": "less '"}, None),
    ],
)
def test_the_nearest_word_says_by_which(
    environ: dict[str, str], command: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FINPLAN_PAGER, else PAGER, else less; an empty one, `cat` and one that is not there mean none."""
    there = {"less", "more", "cat"}
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name in there else None)
    assert pager_of(environ) == command
