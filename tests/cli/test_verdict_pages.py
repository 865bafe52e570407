"""What people see of transfers, series and duplicates; and what their words ask the daemon."""

import shlex
from typing import Any

import pytest
from rich.text import Text

from finplan.cli.showing import detection
from finplan.model.user import HouseholdSettings
from tests.cli import made_up_verdicts
from tests.cli.conftest import Draw, Run
from tests.cli.made_up_verdicts import NAMES
from tests.cli.stub import Stub
from tests.golden_files import Golden


def test_transfers(draw: Draw, golden: Golden) -> None:
    """What is in doubt comes first, with both texts and the reason."""
    page = detection.draw_transfers(made_up_verdicts.transfers(), NAMES, 80, whole=False)
    golden("transfers", draw(page))


def test_many_transfers_are_cut_short(draw: Draw) -> None:
    """The newest are listed, and it is said how to see the others."""
    many = [made_up_verdicts.transfer(f"{n:03d}", "paired", n, n) for n in range(1, 101)]
    some = draw(detection.draw_transfers(many, NAMES, 80, whole=False))
    every = draw(detection.draw_transfers(many, NAMES, 80, whole=True))

    assert "70 older ones" in some
    assert some.count("Checking → Savings") == 30
    assert every.count("Checking → Savings") == 100


@pytest.mark.parametrize("width", [80, 110])
def test_recurring(draw: Draw, golden: Golden, width: int) -> None:
    """Charges, income and what is over stand apart; a wide page says how each is known."""
    page = detection.draw_recurring(made_up_verdicts.recurring(), "USD", width)
    golden(f"recurring-{width}", draw(page, width))


def test_duplicates(draw: Draw, golden: Golden) -> None:
    """The two of each stand below one another, what is left out is dim."""
    golden("duplicates", draw(detection.draw_duplicates(made_up_verdicts.duplicates(), 80)))


def test_decisions(draw: Draw, golden: Golden) -> None:
    """Every verdict ends in one sentence that says what holds now."""
    sentences = [
        draw(detection.draw_decided_transfer(each, NAMES, 80))
        for each in made_up_verdicts.transfers()
    ] + [
        draw(detection.draw_decided_series(each, "USD", 80))
        for each in made_up_verdicts.recurring()
    ]
    golden("decisions", "".join(sentences))


def test_a_transfer_between_currencies_shows_both_sums(draw: Draw) -> None:
    """What left and what it became stand side by side, each in its own currency."""
    crossing = made_up_verdicts.transfer("f6", "confirmed", 500_00, 446_00, became="EUR")
    said = draw(detection.draw_decided_transfer(crossing, NAMES, 80))
    assert "$500.00 → €446.00" in said
    listed = draw(detection.draw_transfers((crossing,), NAMES, 100, whole=True))
    assert "$500.00 → €446.00" in listed


def test_nothing_is_said_kindly(draw: Draw) -> None:
    """An empty page says that there is nothing."""
    empty = (
        detection.draw_transfers((), {}, 80, whole=False),
        detection.draw_recurring((), "USD", 80),
        detection.draw_duplicates((), 80),
    )
    assert all(isinstance(page, Text) and page.plain.endswith(".") for page in empty)


@pytest.mark.parametrize(
    ("words", "path", "name"),
    [
        ("transfers reject 'incoming qx'", "/transfers", "trf_a1k3f9x2m7q4w8r1t5v6y0z3b"),
        ("transfers undo trf_b2k3", "/transfers", "trf_b2k3f9x2m7q4w8r1t5v6y0z3b"),
        ("recurring dismiss netflix", "/recurring", "ser_c3k3f9x2m7q4w8r1t5v6y0z3b"),
        ("recurring confirm gym", "/recurring", "ser_d4k3f9x2m7q4w8r1t5v6y0z3b"),
        ("duplicates same 'joint checking (2)'", "/duplicates", "dup_a1k3f9x2m7q4w8r1t5v6y0z3b"),
        ("duplicates different dup_b2k3", "/duplicates", "dup_b2k3f9x2m7q4w8r1t5v6y0z3b"),
    ],
)
def test_things_go_by_short_ids_and_names(
    stub: Stub, finplan: Run, words: str, path: str, name: str
) -> None:
    """The beginning of an id, a payee or a part of a row's text is enough, if it means one thing."""
    listed: tuple[Any, ...] = {
        "/transfers": made_up_verdicts.transfers(),
        "/recurring": made_up_verdicts.recurring(),
        "/duplicates": made_up_verdicts.duplicates(),
    }[path]
    meant = next(each for each in listed if each.id == name)
    settings = HouseholdSettings(
        currency="USD", time_zone="UTC", budget_shares=None, target_months=None
    )
    stub.answer("GET", path, [each.model_dump(mode="json") for each in listed])
    stub.answer("GET", "/accounts", [])
    stub.answer("GET", "/settings", settings.model_dump(mode="json"))
    stub.answer("PUT", f"{path}/{name}", meant.model_dump(mode="json"))
    ended = finplan(*shlex.split(words))

    assert ended.code == 0, ended.err
    assert [asked.path for asked in stub.asked if asked.method == "PUT"] == [f"{path}/{name}"]


@pytest.mark.parametrize("typed", ["net", "flix", "n", "ser_", "c3"])
def test_a_series_is_never_dismissed_by_a_part_of_its_name(
    stub: Stub, finplan: Run, typed: str
) -> None:
    """What would leave the plan is meant in full, and the series that it could be are named."""
    listed = [each.model_dump(mode="json") for each in made_up_verdicts.recurring()]
    stub.answer("GET", "/recurring", listed)
    ended = finplan("recurring", "dismiss", typed)

    assert ended.code == 4
    assert not [asked for asked in stub.asked if asked.method == "PUT"]
    if typed in "netflix":
        assert "'Netflix' (ser_c3k3" in ended.err
