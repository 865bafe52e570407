"""What a bank needs, told at any width."""

import re

import pytest

from finplan.cli.dialogs.bank_guides import SIMPLEFIN, plaid_guide, reflowed
from finplan.cli.dialogs.linking_in_europe import NEEDS
from finplan.settings import load_settings
from tests.cli.conftest import Run
from tests.cli.stub import Stub

GUIDES = {"plaid": plaid_guide(load_settings().places), "simplefin": SIMPLEFIN, "europe": NEEDS}
WHOLE = re.compile(r"https://\S+|`[^`]+`|\S*finplan\.toml")


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_told_at_any_width(name: str, width: int) -> None:
    """No word is lost, no line is longer than it must be, and what is to be copied stands on one."""
    guide = GUIDES[name]
    lines = list(reflowed(guide, width))
    assert " ".join(lines).split() == guide.split()
    for line in lines:
        is_one_word = len(WHOLE.sub("x", line).split()) == 1
        assert len(line) <= width or is_one_word or line.startswith(" " * 9), line
    for whole in WHOLE.findall(" ".join(guide.split())):
        assert any(whole in line for line in lines), whole


def test_steps_hang_and_typed_lines_stay() -> None:
    """A step goes on below its first word; what is to be typed, and what comes after it, begins anew."""
    guide = """\
First of all
a word.
  1. Write it into
     the file:
         id = "…"
     and go on
     with it.
That is all."""
    assert list(reflowed(guide, 20)) == [
        "First of all a word.",
        "  1. Write it into",
        "     the file:",
        '         id = "…"',
        "     and go on with",
        "     it.",
        "That is all.",
    ]


@pytest.mark.parametrize("line", ["plaid", "enablebanking --country DE"])
def test_after_the_steps_nothing_else_is_to_be_asked(finplan: Run, stub: Stub, line: str) -> None:
    """Who reads the steps is led to them; with --quiet or --json the daemon's own sentence is told."""
    refusal = (500, "UNSUPPORTED_PROVIDER", "It lacks your own keys.")
    stub.refuse("POST", "/connections/link", *refusal)
    for_reading = finplan("connect", *line.split())
    assert "is not set up on this machine yet: the steps above do it." in for_reading.err
    assert "lacks your own keys" not in for_reading.err
    for how in ("--quiet", "--json"):
        told = finplan("connect", *line.split(), how)
        assert (told.code, "1. " in told.err) == (for_reading.code, False)
        assert "lacks your own keys" in told.err
