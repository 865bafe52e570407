"""Working a formula of an explanation out, exactly: whole numbers and fractions, never a float."""

import math
import re
from fractions import Fraction

from finplan.model.explain import Figure, Value

_ALLOWED = re.compile(r"[\w\s.,()+*/-]+")
_DECIMAL = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)")


def _rounded(value: Fraction, digits: int = 0) -> Fraction:
    return Fraction(round(value * 10**digits), 10**digits)


def _floored(value: Fraction, digits: int = 0) -> Fraction:
    return Fraction(math.floor(value * 10**digits), 10**digits)


def worked_out(figure: Figure) -> Fraction:
    """What a figure's formula comes to with its values."""
    formula = figure.formula
    assert formula is not None
    assert _ALLOWED.fullmatch(formula)
    known = {each.name: exactly(each.value) for each in figure.values}
    functions = {
        "min": min,
        "max": max,
        "round": lambda value, digits=0: _rounded(value, int(digits)),
        "floor": lambda value, digits=0: _floored(value, int(digits)),
        "ceil": lambda value: Fraction(math.ceil(value)),
        "F": Fraction,
    }
    whole = _DECIMAL.sub(r"F('\1')", formula)
    # The formula holds nothing but names, numbers and arithmetic, as checked above.
    return Fraction(eval(whole, {"__builtins__": {}}, {**functions, **known}))


def exactly(value: Value) -> Fraction:
    """A value as it is written, without what a float adds to it."""
    assert isinstance(value, int | float)
    return Fraction(str(value))
