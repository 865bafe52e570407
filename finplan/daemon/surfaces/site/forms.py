"""Forms: read as browsers send them, and drawn with a label for each field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs

from aiohttp import hdrs, web
from pydantic import ValidationError

from finplan.daemon.errors import MalformedBody, refusal_of
from finplan.daemon.surfaces.pages.markup import Markup, element, sentence
from finplan.daemon.surfaces.site.desk import FORM_PROOF, Visit
from finplan.model.base import Wire, read_query
from finplan.model.errors import Fault, UnsupportedMediaType

MEDIA_TYPE = "application/x-www-form-urlencoded"
MOST_FIELDS = 50

Shape = TypeVar("Shape", bound=Wire)


@dataclass(frozen=True, slots=True)
class TypedForm:
    """What was typed into a form: the values of each field."""

    values: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def one(self, name: str) -> str:
        """The value of a field; empty where there is none, the first where there are several."""
        return next(iter(self.values.get(name, ())), "")

    def maybe(self, name: str) -> str | None:
        """The value of a field without space around it; None where nothing else was typed."""
        return self.one(name).strip() or None


NOTHING_TYPED = TypedForm()


def asked(shape: type[Shape], **values: str | Sequence[str] | None) -> Shape:
    """A question from what was typed, by its outside names; None is left out. Raises BadRequest."""
    given = {
        name: [value] if isinstance(value, str) else list(value)
        for name, value in values.items()
        if value is not None
    }
    try:
        read = read_query(shape, given)
        # What may be given several times is read as it is, and only this looks at each of them.
        return shape.model_validate(read.model_dump(by_alias=False, exclude_unset=True))
    except ValidationError as error:
        raise refusal_of(error) from error


async def read_form(request: web.Request) -> TypedForm:
    """What a browser sends of a form. Raises UnsupportedMediaType, BadRequest."""
    if request.headers.get(hdrs.CONTENT_TYPE, "").partition(";")[0].strip().lower() != MEDIA_TYPE:
        raise UnsupportedMediaType(f"Send the form as a browser does, as {MEDIA_TYPE}.")
    try:
        body = (await request.read()).decode()
        return TypedForm(
            parse_qs(body, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
        )
    except ValueError as error:
        raise MalformedBody("These are not the fields of a form.") from error


def said_of(fault: Fault) -> str:
    """What went wrong, as the person who sent a form reads it."""
    issues = (fault.data or {}).get("issues")
    if not issues:
        return fault.message
    return " ".join(f"{_spelled(issue['message'])}" for issue in issues)


def with_retry(fault: Fault, response: web.Response) -> web.Response:
    """An answer that says when to come again, where what went wrong does."""
    seconds = getattr(fault, "retry_after", None)
    if seconds is not None:
        response.headers[hdrs.RETRY_AFTER] = str(seconds)
    return response


def _spelled(message: str) -> str:
    return message if message.endswith((".", "!", "?")) else f"{message}."


def alert(said: str | None) -> Markup | None:
    """What went wrong, which is read out at once; nothing where nothing did."""
    if said is None:
        return None
    return element("p", sentence(said), class_="alert", role="alert")


def form(visit: Visit | None, action: str, *children: str | None, class_: str = "stack") -> Markup:
    """A form that is sent to a path; one of a session carries its token."""
    token = None
    if visit is not None:
        token = element("input", type="hidden", name=FORM_PROOF, value=visit.form_token)
    return element("form", token, *children, method="post", action=action, class_=class_)


def text_field(
    name: str,
    label: str,
    value: str = "",
    *,
    hint: str | None = None,
    **attributes: str | int | bool | None,
) -> Markup:
    """A field to type into, under its label; a hint says what is expected."""
    described = None if hint is None else f"{name}-hint"
    return element(
        "div",
        element("label", label, for_=name),
        element("p", sentence(hint), class_="hint", id=described) if hint else None,
        element(
            "input",
            id=name,
            name=name,
            value=value or None,
            aria_describedby=described,
            **{"type": "text", **attributes},
        ),
        class_="field",
    )


def password_field(name: str, label: str, autocomplete: str, hint: str | None = None) -> Markup:
    """A field for a password, which a password manager knows by what is to be completed."""
    return text_field(
        name, label, hint=hint, type="password", autocomplete=autocomplete, required=True
    )
