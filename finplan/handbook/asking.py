"""The words of a question that tell what it is about."""

import re

LONGEST_QUESTION = 1000
"""Letters of a question that are looked at; the rest of a longer one is not."""

MOST_WORDS = 40

_WORD = re.compile(r"\w+")
_FILLERS = """
a able about actually after again all already also although am an and any anything are aren as at
be been before both but by came can come comes coming could couldn d did didn do does doesn doing
don each else even ever far for from get gets getting give go goes going got had has hasn have
haven having he her here him his how i if in into is isn it its just keep keeps know known knows
let like ll m made make makes many may me mean means might more most much must my need not now of
off on one only or other our out over per please possible put puts re really s same say see set
shall she should show so some something sometimes still such t take taken takes tell than that the
their them then there these they thing things this those though to too under up us use used using
ve very want was wasn way we were what where whether which while will with
within without won would wouldn yes yet you your yours finplan
"""
_SAY_NOTHING = frozenset(_FILLERS.split())

_NOT_ALONE = """
above against because behind being below besides between down during few further hello hers hey hi itself
myself no nor ok okay once ours ourselves own thank thanks theirs themselves through until upon when who
whom whose why yourself yourselves
"""
SAY_NOTHING_ALONE = frozenset(_NOT_ALONE.split())
"""Words that tell something beside others, and by themselves no page."""

_WRITTEN = {
    "routes": re.compile(r"^(GET|POST|PUT|PATCH|DELETE)\b|(?<!\S)/\w"),
    "errors": re.compile(r"\b(?!FINPLAN)[A-Z]+(_[A-Z]+)+\b"),
    "settings": re.compile(r"\bFINPLAN_[A-Z]"),
    "commands": re.compile(r"(?<!\S)--\w"),
}
"""How things are written that a page lists: methods and paths, codes, variables, options."""


def looked_up(question: str) -> set[str]:
    """The pages that list what a question names just as it is written, such as `GET /plan`."""
    return {
        page for page, written in _WRITTEN.items() if written.search(question[:LONGEST_QUESTION])
    }


def words_of(question: str) -> tuple[str, ...]:
    """The words that tell what a question is about, each once, in the order of the question."""
    words = _WORD.findall(question[:LONGEST_QUESTION].lower())
    return tuple(dict.fromkeys(each for each in words if each not in _SAY_NOTHING))[:MOST_WORDS]
