"""The questions of an import as fields of a form, and what was chosen in them."""

import json
from collections.abc import Sequence

from finplan.daemon.surfaces.pages.markup import Markup, element, hidden, name, sentence
from finplan.daemon.surfaces.site.forms import TypedForm, text_field
from finplan.model.errors import BadRequest
from finplan.model.figures import count
from finplan.model.question import (
    MARKS,
    ImportAnswer,
    ImportQuestion,
    QuestionAbout,
    takes_another,
    to_be_asked,
)

ASKED_AT_ONCE = 12
"""How many questions a page puts: a form has a bound on its fields, and a person on their patience."""

_CHOSEN, _TYPED, _ALIKE, ASKED, ANSWERS = "chosen", "typed", "alike", "asked", "answers"


def put(questions: Sequence[ImportQuestion]) -> list[Markup]:
    """The questions to be asked now, each with its choices; the others come on the next page."""
    asked = to_be_asked(questions)
    shown = list(enumerate(asked[:ASKED_AT_ONCE]))
    told = [
        {
            "file": each.file,
            "about": each.about,
            "alike": [other.file for other in _alike(each, asked[place + 1 :])],
        }
        for place, each in shown
    ]
    drawn = [_fieldset(place, each, _alike(each, asked[place + 1 :])) for place, each in shown]
    return [hidden(ASKED, json.dumps(told)), *drawn]


def answered(typed: TypedForm) -> list[ImportAnswer]:
    """All that a form answers, on its page and on those before. Raises BadRequest.

    What was left open is asked again. An answer that is for the other files as well gives way to what
    was chosen for one of them.
    """
    try:
        carried = [_answer(**each) for each in json.loads(typed.one(ANSWERS) or "[]")]
        asked = json.loads(typed.one(ASKED) or "[]")
        own, for_others = [], []
        for place, each in enumerate(asked):
            value = _value(typed, place, each["about"])
            if value is not None:
                own.append(_answer(each["file"], each["about"], value))
                others = each["alike"] if typed.one(f"{_ALIKE}-{place}") else []
                for_others += [_answer(file, each["about"], value) for file in others]
    except (ValueError, TypeError, KeyError) as error:
        raise BadRequest("These are not the fields of this form. Open the page again.") from error
    taken = {(each.file, each.about) for each in own}
    return [*carried, *own, *(each for each in for_others if (each.file, each.about) not in taken)]


def written(answers: Sequence[ImportAnswer]) -> Markup:
    """Answers as a form carries them to its next page."""
    listed = [each.model_dump(mode="json", by_alias=True) for each in answers]
    return hidden(ANSWERS, json.dumps(listed))


def _answer(file: int, about: QuestionAbout, value: str) -> ImportAnswer:
    return ImportAnswer(file=file, about=about, value=value)


def _alike(question: ImportQuestion, others: Sequence[ImportQuestion]) -> list[ImportQuestion]:
    """The other files that are asked the same."""
    return [each for each in others if each.is_asked_alike(question)]


def _value(typed: TypedForm, place: int, about: str) -> str | None:
    written = typed.maybe(f"{_TYPED}-{place}")
    if written is None:
        return typed.maybe(f"{_CHOSEN}-{place}")
    if about == "currency":
        return written.upper()
    return f"{MARKS}{written.removeprefix(MARKS)}" if about == "direction" else written


def _fieldset(place: int, question: ImportQuestion, alike: Sequence[ImportQuestion]) -> Markup:
    other = takes_another(question)
    return element(
        "fieldset",
        element("legend", name(question.name), ": ", sentence(question.text)),
        *(_choice(place, number, question) for number in range(len(question.choices))),
        None if other is None else text_field(f"{_TYPED}-{place}", f"Or {other}"),
        _same_for(place, alike) if alike else None,
        class_="question",
    )


def _choice(place: int, number: int, question: ImportQuestion) -> Markup:
    choice, key = question.choices[number], f"{_CHOSEN}-{place}-{number}"
    sample = None if choice.sample is None else element("span", name(choice.sample), class_="hint")
    return element(
        "div",
        element("input", type="radio", id=key, name=f"{_CHOSEN}-{place}", value=choice.value),
        element("label", name(choice.label), sample, for_=key),
        class_="tick",
    )


def _same_for(place: int, alike: Sequence[ImportQuestion]) -> Markup:
    key = f"{_ALIKE}-{place}"
    names = ", ".join(each.name for each in alike[:3])
    more = f" and {count(len(alike) - 3, 'more file')}" if len(alike) > 3 else ""
    said = element("span", name(f"{names}{more}"), class_="hint")
    return element(
        "div",
        element("input", type="checkbox", id=key, name=key, value="yes"),
        element("label", "The same for the other files that leave this open", said, for_=key),
        class_="tick",
    )
