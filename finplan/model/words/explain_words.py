"""How the figures of an explanation are written, on the command line and on the screen alike."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from finplan.model import figures
from finplan.model.explain import Figure, Quantity, Unit, Value

_NAME = re.compile(r"[A-Za-z_]\w*")
_SIGNS = {"*": "×", "/": "÷"}


def formula_said(figure: Figure, currency: str) -> Iterator[str]:
    """The formula of a figure, then the same with the numbers in it; nothing where it has none.

    A formula that is one name alone would say its own result again.
    """
    if figure.formula is None:
        return
    yield f"{figure.name} = {_signs(figure.formula)}"
    if _NAME.fullmatch(figure.formula) is None:
        yield f"{' ' * len(figure.name)} = {_signs(_with_numbers(figure.formula, figure, currency))}"


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


def _with_numbers(formula: str, figure: Figure, currency: str) -> str:
    """A formula with the numbers in place of the names."""
    known = {each.name: each for each in figure.values}
    return _NAME.sub(lambda found: _number(known, found[0], currency), formula)


def _number(known: Mapping[str, Quantity], name: str, currency: str) -> str:
    if name not in known:
        return name
    text = written(known[name].value, known[name].unit, currency, bare=True)
    return f"({text})" if text.startswith("-") else text


def _signs(formula: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in formula)


def _day(text: str) -> str:
    return figures.long_date(date.fromisoformat(text))
