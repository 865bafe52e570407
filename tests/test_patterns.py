"""Every regular expression of the product takes a number of steps that grows with the text alone."""

import re

import pytest

from tests.found_patterns import found_patterns, kind_of_method
from tests.pattern_steps import superlinear

ROOMS = (
    "banks", "categorise", "cli", "client", "daemon", "handbook", "intake", "model", "operations",
    "periods", "pictures", "plan", "questions", "service", "statements", "store", "terminal", "tui",
    "views", "webhooks",
)  # fmt: skip
QUADRATIC_OR_WORSE = [
    (r"(a+)+b", "match"),
    (r"(a|a)*b", "match"),
    (r"(\w+\s?)*$", "match"),
    (r"(?:a|ab|b)*c", "match"),
    (r"(?:a{1,30}){1,30}b", "match"),
    (r"\d+\d+x", "match"),
    (r"\d+x", "search"),
    (r"\s+$", "search"),
    (r"foo.*bar", "search"),
    (r'"(?:[^"\\]|\\.)*"', "search"),
    (r"(?>a+)b", "search"),
    (r"(.*?) ?\.\.(.+)$", "match"),
    (r"(a*)\1b", "match"),
    (r"\A\s*(?:(?:<!--(?s:.*?)-->)\s*)*<html", "search"),
    (r"(?s)(.*\w.*?)>([^\d]*).*\d", "match"),
    (r"([^\d]*?)([xX*•.]{2,})?\s?(\d{3,17})(\s[^\d]*)?", "fullmatch"),
]
LINEAR = [
    (r"\d+x", "match"),
    (r"(?<!\d)\d++x", "search"),
    (r"(?>a+)b", "match"),
    (r"(?:ab)*+c", "match"),
    (r"[ab]*a[ab]{3}", "match"),
    (r"x{0,40}y", "search"),
    (r"(a)\1*b", "match"),
    (r"(?=.*b)a*", "match"),
    (r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', "search"),
    (r"([^\d]*)(\d{3,17})(\s[^\d]*)?", "fullmatch"),
]


@pytest.mark.parametrize(("pattern", "method"), QUADRATIC_OR_WORSE)
def test_a_pattern_that_tries_again_and_again_is_found(pattern: str, method: str) -> None:
    """What is known to take the square of a text's length, or worse, is not let through."""
    assert superlinear(re.compile(pattern), method) is not None


@pytest.mark.parametrize(("pattern", "method"), LINEAR)
def test_a_pattern_that_looks_at_each_character_but_once_passes(pattern: str, method: str) -> None:
    """What is known to be linear is blamed for nothing."""
    assert superlinear(re.compile(pattern), method) is None


@pytest.mark.thorough
def test_every_pattern_stands_in_a_room() -> None:
    """None is left out, such as those of a room that is new."""
    found = {each.where.split(".")[1].partition(":")[0] for each in found_patterns()}
    assert found - {"settings", "setting_values"} == set(ROOMS)
    assert len(found_patterns()) > 400


@pytest.mark.thorough
@pytest.mark.parametrize("room", [*ROOMS, "setting"])
def test_every_pattern_is_linear(room: str) -> None:
    """No text makes a pattern of the product try again what it has tried."""
    stumbled = {
        f"{each.where} ({method}): {each.pattern.pattern!r}": text
        for each in found_patterns()
        if each.where.startswith(f"finplan.{room}")
        for method in sorted(set(map(kind_of_method, each.methods)))
        if (text := superlinear(each.pattern, method)) is not None
    }
    assert stumbled == {}
