"""What a validator finds wrong with a value, in sentences for whoever sent it, a person or an agent."""

from pydantic_core import ErrorDetails

from finplan.model.base import CURRENCY, MONTH
from finplan.model.question import DIRECTION, DIRECTIONS
from finplan.model.user import EMAIL

_A_DAY = "A day is written YYYY-MM-DD"
_A_LIST, _AN_OBJECT = "This must be a list", "This must be an object"
_A_NUMBER, _WHOLE = "This must be a number", "This must be a whole number"
_YES_OR_NO = "This must be true or false"

_BY_TYPE = {
    "extra_forbidden": "This property is not known here",
    "missing": "This property is required",
    "too_short": "This must have at least {min_length}, and has {actual_length}",
    "too_long": "At most {max_length} of them may be sent at once; these are {actual_length}",
    "string_too_long": "This must have at most {max_length} characters",
    "string_pattern_mismatch": "This must follow the pattern {pattern}",
    "string_type": "This must be a text",
    "string_sub_type": "This must be a text",
    "string_unicode": "This must be a text of valid characters",
    "greater_than_equal": "This must be {ge} or more",
    "greater_than": "This must be more than {gt}",
    "less_than_equal": "This must be {le} or less",
    "less_than": "This must be less than {lt}",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": f"{_WHOLE} that is not so large",
    "int_from_float": _WHOLE,
    "float_type": _A_NUMBER,
    "float_parsing": _A_NUMBER,
    "finite_number": _A_NUMBER,
    "bool_type": _YES_OR_NO,
    "bool_parsing": _YES_OR_NO,
    "literal_error": "This must be {expected}",
    "enum": "This must be {expected}",
    "none_required": "This must be null",
    "tuple_type": _A_LIST,
    "list_type": _A_LIST,
    "dict_type": _AN_OBJECT,
    "model_type": _AN_OBJECT,
    "model_attributes_type": _AN_OBJECT,
    "union_tag_not_found": "This must say its {discriminator}",
    "union_tag_invalid": "Its {discriminator} must be one of {expected_tags}",
    "date_type": _A_DAY,
    "date_parsing": _A_DAY,
    "date_from_datetime_parsing": _A_DAY,
    "date_from_datetime_inexact": _A_DAY,
}
"""By the validator's name of what is wrong."""

_BY_PATTERN = {
    EMAIL: "An e-mail address has two visible parts around one @, as ada@example.org",
    DIRECTION: f"A direction is {DIRECTIONS}",
    CURRENCY: "A currency is three capital letters, as EUR",
    MONTH: "A month is written YYYY-MM",
}
"""By the pattern that a text does not follow."""

NOT_KNOWN = _BY_TYPE["extra_forbidden"]
"""What is said of a property that stands where it has no meaning."""


def in_words(issue: ErrorDetails) -> str:
    """One thing that is wrong, as a sentence without its end; never repeats a value."""
    kind, context = issue["type"], issue.get("ctx", {})
    if kind == "string_too_short":
        return _too_short(context["min_length"])
    plainer = _BY_PATTERN.get(context.get("pattern", "")) or _BY_TYPE.get(kind)
    return plainer.format_map(context) if plainer else issue["msg"].removeprefix("Value error, ")


def _too_short(least: int) -> str:
    return "This must not be empty" if least == 1 else f"This must have at least {least} characters"
