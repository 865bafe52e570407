"""What a bank needs, told at any width."""

import re

import pytest

from finplan.cli.console.errors import BANK
from finplan.cli.dialogs.bank_guides import SIMPLEFIN, plaid_guide, reflowed
from finplan.cli.dialogs.linking_in_europe import NEEDS
from finplan.settings import (
    ENABLEBANKING_KEY_VARIABLE,
    PLAID_SECRET_VARIABLE,
    load_settings,
)
from tests.banks.fakes.enable_errors import application_key, pem
from tests.cli.conftest import Run
from tests.cli.stub import Stub

REFUSAL = (500, "UNSUPPORTED_PROVIDER", "It lacks your own keys.")
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
    stub.answer("GET", "/connections", [])
    stub.refuse("POST", "/connections/link", *REFUSAL)
    for_reading = finplan("connect", *line.split())
    assert "is not set up on this machine yet. Missing are your " in for_reading.err
    assert "lacks your own keys" not in for_reading.err
    for how in ("--quiet", "--json"):
        told = finplan("connect", *line.split(), how)
        assert (told.code, "1. " in told.err) == (for_reading.code, False)
        assert "lacks your own keys" in told.err


@pytest.mark.parametrize(
    ("line", "identity", "secret", "named"),
    [
        (
            "plaid",
            ("FINPLAN_PLAID_CLIENT_ID", "5f8d0d55e3a1b2c3d4e5f607"),
            (PLAID_SECRET_VARIABLE, "0123456789abcdef0123456789abcd"),
            ("client id", "secret"),
        ),
        (
            "enablebanking --country DE",
            ("FINPLAN_ENABLEBANKING_APPLICATION_ID", "7d0c4a52-0000-4000-8000-656e61626c65"),
            (ENABLEBANKING_KEY_VARIABLE, pem(application_key())),
            ("application's id", "application's key"),
        ),
    ],
)
def test_what_is_missing_is_named(
    finplan: Run,
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    identity: tuple[str, str],
    secret: tuple[str, str],
    named: tuple[str, str],
) -> None:
    """Of two keys the one that is not here; with both, that the daemon has not read them yet."""
    stub.answer("GET", "/connections", [])
    stub.refuse("POST", "/connections/link", *REFUSAL)
    monkeypatch.setenv(*identity)
    told = finplan("connect", *line.split())
    assert f"Missing is your {named[1]};" in told.err
    monkeypatch.delenv(identity[0])
    monkeypatch.setenv(*secret)
    told = finplan("connect", *line.split())
    assert f"Missing is your {named[0]};" in told.err
    monkeypatch.setenv(*identity)
    told = finplan("connect", *line.split())
    assert (told.code, "1. " in told.err) == (BANK, False)
    assert "`finplan daemon stop`, then this command once more" in told.err
