"""The shipped themes: phrases that can be found, no two themes for one payee, names that are free."""

import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.suggest import themes
from finplan.categorise.tokens import tokens_of
from finplan.model.category import Theme

SHIPPED = tomllib.loads(files("finplan.categorise").joinpath("themes.toml").read_text("utf-8"))
LISTS = {
    "forbidden": SHIPPED["forbidden"],
    **{each["name"]: each["phrases"] for each in SHIPPED["themes"]},
    **{part: SHIPPED["trips"][part] for part in ("anchors", "local", "work")},
}


def _phrases(block: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in block.split(",")]


@pytest.mark.parametrize("name", [*LISTS, "repaid"])
def test_every_phrase_is_written_as_descriptors_are_read(name: str) -> None:
    """A phrase of other tokens would never be found."""
    block = LISTS.get(name) or SHIPPED["trips"]["repaid"]
    assert [each for each in _phrases(block) if " ".join(tokens_of(each)) != each] == []
    assert "" not in _phrases(block)


def test_no_phrase_is_in_two_lists() -> None:
    """A payee is of one theme at most, and what is forbidden is of none."""
    owner: dict[str, str] = {}
    for name, block in LISTS.items():
        for phrase in _phrases(block):
            assert owner.setdefault(phrase, name) == name, (phrase, name, owner[phrase])


def test_no_category_is_about_two_themes() -> None:
    """The categories that a theme names exist, and no other theme names them."""
    named = [name for each in SHIPPED["themes"] for name in each.get("categories", "").split()]
    assert len(named) == len(set(named))
    assert set(named) <= set(BUILT_IN)
    assert set(named).isdisjoint(SHIPPED["settled"].split())


def test_settled_and_broad_categories_exist() -> None:
    """They are categories of spending, and no category is both."""
    settled, broad = set(SHIPPED["settled"].split()), set(SHIPPED["broad"].split())
    assert settled.isdisjoint(broad)
    assert {BUILT_IN[name].flow for name in settled | broad} == {"spending"}


def test_every_theme_of_the_interface_is_shipped() -> None:
    """Each has at least one suggestion, with a name that a new category can have."""
    shipped = {each["theme"] for each in SHIPPED["themes"]} | {SHIPPED["trips"]["theme"]}
    taken = {each.label.casefold() for each in BUILT_IN.values()} | set(BUILT_IN)

    assert shipped == set(get_args(Theme))
    assert {name.casefold() for name in themes().names}.isdisjoint(taken)
    assert len(themes().names) == len(SHIPPED["themes"]) + 1
