"""The frame of every page: its head, its header, and what a browser is told of it."""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import quote

from aiohttp import hdrs, web

from finplan.daemon.surfaces.pages.markup import Markup, banner, button, element, joined
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import form
from finplan.pictures.sheet import style as pictures_style

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
        asked = " ".join(connects) or "'none'"
        script = f"script-src 'self'; connect-src {asked}; "
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
    *content: str | None,
    visit: Visit | None = None,
    here: SitePart | None = None,
    status: int = 200,
    narrow: bool = False,
    form_targets: Sequence[str] = (),
    connects: Sequence[str] | None = None,
) -> web.Response:
    """A page of the site.

    `here` is where in the header it belongs; `form_targets` are origins that a form of the page may lead
    to besides this site's own; `connects` is as in `policy`.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} – finplan"),
        element("link", rel="icon", href=f"data:image/svg+xml,{quote(_ICON)}"),
        element("link", rel="stylesheet", href=f"{STYLE_PATH}?{style_digest()}"),
    )
    body = element(
        "body",
        element("a", "Skip to the content", class_="skip", href="#main"),
        _header(visit, here),
        element(
            "main",
            banner(None if visit is None else visit.context.store.notice),
            *content,
            id="main",
            tabindex="-1",
            class_="narrow" if narrow else None,
        ),
    )
    drawn = joined(Markup("<!DOCTYPE html>"), element("html", head, body, lang="en"), "\n")
    response = web.Response(
        body=drawn.encode(), status=status, content_type="text/html", charset="utf-8"
    )
    return guarded(response, form_targets, connects)


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
        _link("Questions", TASKS, current=here == "tasks"),
        _link("Statements", STATEMENTS, current=here == "statements"),
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
    pages = files("finplan.daemon.surfaces.pages")
    plan, fields = (pages.joinpath(each).read_bytes() for each in ("plan.css", "fields.css"))
    own = files(__package__).joinpath("site.css").read_bytes()
    return plan + pictures_style().encode() + fields + own


@cache
def style_digest() -> str:
    """What the style is asked for by, so that a browser may keep it until it is another one."""
    return _digest(style())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
