"""The frame of every page, what a browser is told of it, and the forms that stand in it.

A page has its head and its header. Forms are read as browsers send them, and drawn with a label for each
field.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qs, quote

from aiohttp import hdrs, web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import MalformedBody, refusal_of
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    banner,
    button,
    document,
    element,
    hidden,
    read_style,
    sentence,
)
from finplan.daemon.surfaces.site.visit import FORM_PROOF, Visit
from finplan.model.base import Wire, read_json, read_query
from finplan.model.errors import Fault, UnsupportedMediaType
from finplan.pictures.sheet import style as pictures_style

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


def parse_ask(shape: type[Shape], **values: str | Sequence[str] | None) -> Shape:
    """A question from what was typed, by its outside names; None is left out. Raises BadRequest."""
    texts = {
        name: [value] if isinstance(value, str) else list(value)
        for name, value in values.items()
        if value is not None
    }
    try:
        read = read_query(shape, texts)
        # What may be given several times is read as it is, and only this looks at each of them.
        return shape.model_validate(read.model_dump(by_alias=False, exclude_unset=True))
    except ValidationError as error:
        raise refusal_of(error) from error


def build_ask(shape: type[Shape], **values: object) -> Shape:
    """A question of values that need not be text, by its outside names. Raises BadRequest."""
    try:
        return read_json(shape, to_json(values))
    except ValidationError as error:
        raise refusal_of(error) from error


async def read_form(request: web.Request) -> TypedForm:
    """What a browser sends of a form. Raises UnsupportedMediaType, BadRequest."""
    if request.headers.get(hdrs.CONTENT_TYPE, "").partition(";")[0].strip().lower() != MEDIA_TYPE:
        raise UnsupportedMediaType(f"Send the form as {MEDIA_TYPE}.")
    try:
        body = (await request.read()).decode()
        return TypedForm(
            parse_qs(body, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
        )
    except ValueError as error:
        raise MalformedBody(
            "The form is malformed. Open the page again and send it from there."
        ) from error


def describe_fault(fault: Fault) -> str:
    """What went wrong, as the person who sent a form reads it."""
    issues = (fault.data or {}).get("issues")
    if not issues:
        return fault.message
    return " ".join(_spelled(issue["message"]) for issue in issues)


def _spelled(message: str) -> str:
    return message if message.endswith((".", "!", "?")) else f"{message}."


def alert(text: str | None) -> Markup | None:
    """What went wrong, which is read out at once; nothing where nothing did."""
    if text is None:
        return None
    return element("p", sentence(text), class_="alert", role="alert")


def form(
    visit: Visit | None,
    action: str,
    *children: str | None,
    class_: str = "stack",
    enctype: str | None = None,
) -> Markup:
    """A form that is sent to a path; one of a session carries its token."""
    token = None if visit is None else hidden(FORM_PROOF, visit.form_token)
    sent = {"method": "post", "action": action, "enctype": enctype}
    return element("form", token, *children, **sent, class_=class_)


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


def email_field(
    value: str, name: str = "email", label: str = "E-mail address", **attributes: Any
) -> Markup:
    """A field for an address, which a password manager knows unless it is told otherwise.

    It is not of the type `email`: browsers refuse addresses there that are taken here.
    """
    usual = {"inputmode": "email", "autocomplete": "username", "autocapitalize": "none"}
    return text_field(
        name, label, value, **{**usual, "spellcheck": "false", "required": True, **attributes}
    )


def name_field(value: str) -> Markup:
    """A field for what a person is called."""
    hint = "Optional. Shown on your pages."
    return text_field("name", "Name", value, hint=hint, autocomplete="name", maxlength=200)


def password_field(name: str, label: str, autocomplete: str, hint: str | None = None) -> Markup:
    """A field for a password, which a password manager knows by what is to be completed."""
    return text_field(
        name, label, hint=hint, type="password", autocomplete=autocomplete, required=True
    )


STYLE_PATH, SCRIPT_PATH = "/assets/site.css", "/assets/private_host.js"
HOME, SIGN_IN, SIGN_OUT, SETTINGS = "/", "/sign-in", "/sign-out", "/settings"
STATEMENTS, TASKS, ARRIVE = "/statements", "/tasks", "/arrive"

SitePart = Literal["plan", "tasks", "statements", "settings"]

_ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<rect width='16' height='16' rx='3.5' fill='#2a6f97'/>"
    "<path d='M3.5 12.5v-3h2v3zM7 12.5v-6h2v6zM10.5 12.5v-9h2v9z' fill='#fff'/></svg>"
)


def policy(form_targets: Sequence[str] = (), connects: Sequence[str] | None = None) -> str:
    """The content security policy of a page, whose forms go to this site and to the origins named.

    A page runs the site's script only where `connects` is given, the origins that the script may ask.
    """
    targets = " ".join(("'self'", *form_targets))
    script = ""
    if connects is not None:
        sources = " ".join(connects) or "'none'"
        script = f"script-src 'self'; connect-src {sources}; "
    return (
        f"default-src 'none'; style-src 'self'; img-src 'self' data:; {script}"
        f"form-action {targets}; base-uri 'none'; frame-ancestors 'none'"
    )


def guarded(
    response: web.Response, form_targets: Sequence[str] = (), connects: Sequence[str] | None = None
) -> web.Response:
    """Tell a browser that a page runs nothing foreign, is framed by nobody, and is kept nowhere."""
    response.headers.update(
        {
            "Content-Security-Policy": policy(form_targets, connects),
            "X-Frame-Options": "DENY",
            # Without any referrer a form's POST would carry `Origin: null`, which tells nothing.
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            hdrs.CACHE_CONTROL: "no-store",
        }
    )
    return response


def see_other(path: str) -> web.Response:
    """Send a browser on to a path of this site."""
    return guarded(web.Response(status=303, headers={hdrs.LOCATION: path}))


def page(
    title: str,
    head: Markup | None,
    *content: str | None,
    visit: Visit | None = None,
    here: SitePart | None = None,
    fault: Fault | None = None,
    status: int = 200,
    narrow: bool = False,
    form_targets: Sequence[str] = (),
    connects: Sequence[str] | None = None,
) -> web.Response:
    """A page of the site, with what went wrong between its `head` and all else.

    `here` is where in the header it belongs; `form_targets` are origins that a form of the page may lead
    to besides this site's own; `connects` is as in `policy`. A `fault` also says the status, and when to
    come again if it knows.
    """
    body = element(
        "body",
        element("a", "Skip to the content", class_="skip", href="#main"),
        _header(visit, here),
        element(
            "main",
            banner(None if visit is None else visit.context.store.notice),
            head,
            alert(None if fault is None else describe_fault(fault)),
            *content,
            id="main",
            tabindex="-1",
            class_="narrow" if narrow else None,
        ),
    )
    drawn = document(
        f"{title} – finplan",
        body,
        element("link", rel="icon", href=f"data:image/svg+xml,{quote(_ICON)}"),
        element("link", rel="stylesheet", href=f"{STYLE_PATH}?{style_digest()}"),
    )
    response = web.Response(
        body=drawn.encode(),
        status=status if fault is None else fault.status,
        content_type="text/html",
        charset="utf-8",
    )
    if (seconds := getattr(fault, "retry_after", None)) is not None:
        response.headers[hdrs.RETRY_AFTER] = str(seconds)
    return guarded(response, form_targets, connects)


def narrow_page(
    title: str, *content: str | None, lead: Sequence[str] = (), **options: Any
) -> web.Response:
    """A page about one thing, under its title and a paragraph; `options` are as in `page`."""
    return page(title, heading(title, *lead), *content, narrow=True, **options)


def heading(title: str, *lead: str) -> Markup:
    """What a page begins with: its title, and a paragraph under it."""
    return element(
        "header", element("h1", title), element("p", *lead, class_="soft") if lead else None
    )


def _header(visit: Visit | None, here: SitePart | None) -> Markup:
    brand = element("a", _mark(), "finplan", class_="brand", href=HOME)
    if visit is None:
        return element("header", brand, class_="site")
    links = element(
        "nav",
        _link("Plan", HOME, current=here == "plan"),
        _link("Tasks", TASKS, current=here == "tasks"),
        _link("Imports", STATEMENTS, current=here == "statements"),
        _link("Settings", SETTINGS, current=here == "settings"),
        aria_label="Site",
    )
    who = element(
        "p",
        element("span", "Signed in as ", class_="as"),
        element("bdi", visit.shown_name),
        class_="who",
    )
    out = form(visit, SIGN_OUT, button("Sign out", tone="quiet"), class_="out")
    return element("header", brand, links, who, out, class_="site")


def _link(label: str, path: str, *, current: bool) -> Markup:
    return element("a", label, href=path, aria_current="page" if current else None)


def _mark() -> Markup:
    return element(
        "svg",
        element("path", d="M3 13V9h2.5v4zM6.75 13V6h2.5v7zM10.5 13V3H13v10z"),
        viewBox="0 0 16 16",
        aria_hidden="true",
        focusable="false",
    )


@cache
def script() -> bytes:
    """What a browser runs to find its private host."""
    return files(__package__).joinpath("private_host.js").read_bytes()


@cache
def script_digest() -> str:
    """As `style_digest`, of the script."""
    return _digest(script())


@cache
def style() -> bytes:
    """The style of the whole site: those of the plan, its pictures and forms, and what is its own."""
    return (
        f"{read_style('plan.css')}{pictures_style()}{read_style('fields.css', 'site.css')}".encode()
    )


@cache
def style_digest() -> str:
    """What the style is asked for by, so that a browser may keep it until it is another one."""
    return _digest(style())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
