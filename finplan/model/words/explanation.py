"""How the figures of an explanation are written, on the command line and on the screen alike."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from finplan.model import figures
from finplan.model.characters import visible
from finplan.model.explain import Figure, Quantity, Unit, Value

_NAME = re.compile(r"[A-Za-z_]\w*")
_IN_NAMES = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|_")
_ARITHMETIC = re.compile(r"[,()+*/×÷]|(?:^|\s)-")
_SIGNS = {"*": "×", "/": "÷"}


def formula_said(figure: Figure, beside: Iterable[Figure], currency: str) -> Iterator[str]:
    """The formula of a figure in words, then the same with the numbers in it; nothing where it has none.

    What it takes is called as it is where it stands among the figures `beside`, else by the words of its
    name. A formula that is one name alone would say its own result again.
    """
    if figure.formula is None:
        return
    labels = {each.name: _quoted(visible(each.label)) for each in beside}
    formula = "".join(_SIGNS.get(sign, sign) for sign in figure.formula)
    yield f"= {_with_words(formula, figure, labels)}"
    if _NAME.fullmatch(formula) is None:
        yield f"= {_with_numbers(formula, figure, currency)}"


def written(value: Value, unit: Unit, currency: str, *, bare: bool = False) -> str:
    """Write a value as its unit is read; `bare` leaves the unit's word out, as formulas do."""
    if value is None:
        return "not known"
    if isinstance(value, str):
        return value.replace("_", " ") if unit == "word" else _day(value)
    if unit == "money" and isinstance(value, int):
        return figures.money(value, currency)
    if unit == "share":
        return f"{value:.4f}".rstrip("0").rstrip(".") if bare else f"{100 * value:.4g} %"
    number = f"{value:,}"
    if bare or unit == "count":
        return number
    return f"{number} {unit if value != 1 else unit.removesuffix('s')}"


def _with_words(formula: str, figure: Figure, labels: Mapping[str, str]) -> str:
    """A formula with what a person calls its names in their place; functions stay."""
    known = {each.name for each in figure.values}

    def said(found: re.Match[str]) -> str:
        name = found[0]
        return labels.get(name, _IN_NAMES.sub(" ", name).lower()) if name in known else name

    return _NAME.sub(said, formula)


def _quoted(label: str) -> str:
    """A label that could be read as a part of the arithmetic around it, set apart."""
    return f"“{label}”" if _ARITHMETIC.search(label) else label


def _with_numbers(formula: str, figure: Figure, currency: str) -> str:
    """A formula with the numbers in place of the names."""
    known = {each.name: each for each in figure.values}
    return _NAME.sub(lambda found: _number(known, found[0], currency), formula)


def _number(known: Mapping[str, Quantity], name: str, currency: str) -> str:
    if name not in known:
        return name
    text = written(known[name].value, known[name].unit, currency, bare=True)
    return f"({text})" if text.startswith("-") else text


def _day(text: str) -> str:
    return figures.long_date(date.fromisoformat(text))
