"""The styles that screens are drawn with."""

import ast
from collections.abc import Iterator
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES

import finplan.tui

ATTRIBUTES = {"bold", "dim", "italic", "underline", "strike", "reverse", "on", "not", "auto"}
NAMES = {
    f"${name}" for theme in BUILTIN_THEMES.values() for name in theme.to_color_system().generate()
}


def styles_of(module: Path) -> Iterator[str]:
    """What `styled` is told as a style, written as it stands, in each call of a module."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "styled":
            for told in node.args[1:]:
                if isinstance(told, ast.Constant) and isinstance(told.value, str):
                    yield told.value


def is_known(word: str) -> bool:
    """Whether a word of a style is an attribute, a colour of the themes, or one by its name."""
    if word in ATTRIBUTES or word in NAMES or word.endswith("%"):
        return True
    try:
        Color.parse(word)
    except ColorParseError:
        return False
    return True


def test_every_style_is_one_that_is_drawn() -> None:
    """A style that is misspelled would be passed over in silence; each word of one is known."""
    [folder] = finplan.tui.__path__
    styles = {style for module in Path(folder).rglob("*.py") for style in styles_of(module)}
    assert "bold" in styles
    assert not is_known("bol")
    assert {word for style in styles for word in style.split() if not is_known(word)} == set()
