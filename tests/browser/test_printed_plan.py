"""The plan as a page by itself, of a poor and of a rich household: seen, heard and printed."""

import base64
import re
from pathlib import Path

import pytest

from finplan.daemon.surfaces.pages import plan as plan_page
from finplan.service.planning.views import PicturedPlan
from tests.browser.chromium import LOOKS, Chromium, must_have_axe
from tests.daemon.pictured import pictured, poor, rich
from tests.daemon.test_plan_page import TODAY, settings

pytestmark = [pytest.mark.slow, pytest.mark.judged]

HOUSEHOLDS = {"usual": pictured, "poor": poor, "rich": rich}
PAPER = {"A4": (8.27, 11.69), "Letter": (8.5, 11.0)}
"""Inches."""


@pytest.fixture(params=HOUSEHOLDS)
def browser(started: Chromium, tmp_path: Path, request: pytest.FixtureRequest) -> Chromium:
    """A browser that has opened a household's page as a file."""
    drawn: PicturedPlan = HOUSEHOLDS[request.param]()
    page = tmp_path / "plan.html"
    page.write_bytes(plan_page.draw(drawn, settings(), TODAY))
    started.complaints()
    started.go(page.as_uri())
    return started


def test_everybody_can_read_it(browser: Chromium) -> None:
    """No look keeps anybody out or is wider than its window, with the figures of pictures open, too."""
    must_have_axe()
    found = []
    for width, scheme in LOOKS:
        browser.look(width, scheme)
        for opens in (False, True):
            browser.unfold(opens)
            found += [f"{width} {scheme}: {each}" for each in browser.barriers()]
    assert found == []
    assert browser.complaints() == []


SHOWN = """return [...document.querySelectorAll('section')].filter(
  section => section.querySelector('.fold > summary + *').checkVisibility(
    {contentVisibilityAuto: true})).length"""
"""How many sections show what they hold."""


def test_sections_fold_on_a_phone_alone(browser: Chromium) -> None:
    """A wide screen shows all of them; a narrow one the important ones, and each that is opened."""
    count = "return document.querySelectorAll('section').length"
    everything = browser.driver.execute_script(count)
    browser.look(1280, "light")
    assert browser.driver.execute_script(SHOWN) == everything
    browser.look(390, "light")
    assert 0 < browser.driver.execute_script(SHOWN) < everything
    browser.one("#budget summary").click()
    assert browser.driver.execute_script("return document.querySelector('#budget .fold').open")


OUTSIDE = """return [...document.querySelectorAll('svg.picture')].flatMap(picture => {
  const edge = picture.getBoundingClientRect();
  return [...picture.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < edge.left - 1 || box.right > edge.right + 1
      || box.top < edge.top - 1 || box.bottom > edge.bottom + 2;
  }).map(text => picture.id + ': ' + text.textContent);
})"""
"""The texts that a picture does not hold."""


def test_no_text_of_a_picture_is_cut_off(browser: Chromium) -> None:
    """Each text of each picture lies within it, as wide as this browser draws it."""
    outside = browser.driver.execute_script(OUTSIDE)
    assert outside == []


@pytest.mark.parametrize("paper", PAPER)
def test_it_takes_two_sheets(browser: Chromium, paper: str) -> None:
    """On either paper the plan is two pages at most, however much there is to tell."""
    width, height = PAPER[paper]
    printed = browser.driver.execute_cdp_cmd(
        "Page.printToPDF", {"paperWidth": width, "paperHeight": height}
    )
    pages = re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))
    assert 1 <= len(pages) <= 2
