"""HTML that is safe by construction, and the parts that pages are made of.

Whatever is not markup already is text, and is escaped. Names of payees and banks are written by
strangers. They get into a page only as a child or an attribute of an element made here, so that nobody
has to remember to escape them. Pages have bars and commands; forms have their fields, on every face
that draws one.
"""

import base64
import hashlib
import re
import unicodedata
from functools import cache
from html import escape
from importlib.resources import files


class Markup(str):
    """A text that is HTML, made by the functions of this module."""

    __slots__ = ()


_VOID = frozenset({"br", "input", "link", "meta"})
_UNWANTED = frozenset({"Cc", "Cs"})
"""Control characters and halves of characters, which have no place in a page."""

_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional characters that turn round what stands after them."""


def text(content: str) -> Markup:
    """Escape a text; what is already markup stays as it is."""
    if isinstance(content, Markup):
        return content
    return Markup(escape(content if content.isprintable() else _drop_unprintable(content)))


def _drop_unprintable(content: str) -> str:
    signs = (
        " " if unicodedata.category(sign) in _UNWANTED else sign
        for sign in content
        if unicodedata.bidirectional(sign) not in _DIRECTIONS
    )
    return "".join(signs)


def element(name: str, /, *children: str | None, **attributes: str | int | bool | None) -> Markup:
    """One element with its children, of which None are left out.

    An attribute's underscore at the end is dropped and any other becomes a hyphen: `class_`,
    `aria_label`. True stands for an attribute without a value; False and None leave it out.
    """
    opened = "".join([name, *(_attribute(*pair) for pair in attributes.items())])
    if name in _VOID:
        return Markup(f"<{opened}>")
    inside = "".join(text(child) for child in children if child is not None)
    return Markup(f"<{opened}>{inside}</{name}>")


def join_markup(*parts: str | None) -> Markup:
    """Several pieces one after the other."""
    return Markup("".join(text(part) for part in parts if part is not None))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    outside = name.rstrip("_").replace("_", "-")
    return f" {outside}" if value is True else f' {outside}="{text(str(value))}"'


def section(
    key: str,
    title: str,
    *content: str | None,
    remark: Markup | None = None,
    is_open: bool | None = None,
) -> Markup:
    """A section under its heading, with a `remark` next to that.

    One that `is_open` or not folds where the style lets it: on a narrow screen.
    """
    if is_open is not None:
        # The heading is above, so that it is there once for who hears the page.
        control = element("summary", aria_label=title)
        content = (element("details", control, *content, class_="fold", open=is_open),)
    return element(
        "section",
        element("div", element("h2", title, id=f"{key}-title"), remark, class_="heading"),
        *content,
        id=key,
        aria_labelledby=f"{key}-title",
    )


def document(title: str, body: Markup, *head: Markup) -> Markup:
    """A whole page of a title; `head` is what its head has besides."""
    page = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", title),
            *head,
        ),
        body,
        lang="en",
    )
    return join_markup(Markup("<!DOCTYPE html>"), page, "\n")


@cache
def read_style(*names: str) -> str:
    """Files of styles, one after the other."""
    folder = files(__package__)
    return "".join(folder.joinpath(file).read_text(encoding="utf-8") for file in names)


def source_digest(content: str) -> str:
    """What a policy knows a style or a script within a page by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def policy_of_style(style: str, form_action: str = "'none'") -> str:
    """The content security policy of a page that has a style within it, and loads and runs nothing."""
    return (
        f"default-src 'none'; style-src {source_digest(style)}; "
        f"base-uri 'none'; form-action {form_action}; frame-ancestors 'none'"
    )


def hidden(name: str, value: str) -> Markup:
    """A field that the person does not see."""
    return element("input", type="hidden", name=name, value=value)


def tick(name: str, value: str, label: str, hint: str, *, ticked: bool) -> Markup:
    """A box to tick, with what it stands for."""
    key = f"{name}-{value}".replace(":", "-")
    return element(
        "div",
        element("input", type="checkbox", id=key, name=name, value=value, checked=ticked),
        element("label", label, element("span", hint, class_="hint"), for_=key),
        class_="tick",
    )


def button(label: str, does: str | None = None, tone: str = "", **attributes: str) -> Markup:
    """What sends a form; `does` tells which of a page's actions it is."""
    return element(
        "button",
        label,
        type="submit",
        name=None if does is None else "do",
        value=does,
        class_=f"button {tone}".strip(),
        **attributes,
    )


_COMMAND = re.compile("`(finplan [^`]+)`")
PRINTED = 6
"""How many of a long list are printed, as `plan.css` has it, too."""


def name(content: str) -> Markup:
    """A name that a stranger wrote, set apart so that its direction of writing moves nothing else."""
    return element("bdi", content)


def command(line: str) -> Markup:
    """A command line to type."""
    return element("code", line)


def sentence(content: str) -> Markup:
    """A sentence of the plan; each command of finplan between backticks stands as one to type."""
    parts = _COMMAND.split(content)
    return join_markup(*(command(part) if index % 2 else part for index, part in enumerate(parts)))


def banner(notice: str | None) -> Markup | None:
    """What a page begins with while there is a notice, on paper too; nothing without one."""
    if notice is None:
        return None
    return element("p", sentence(notice), class_="notice", role="status")


def done(*content: str) -> Markup:
    """What was done just now, which is read out."""
    return element("p", *content, class_="done", role="status")


def not_printed(count: int) -> Markup | None:
    """How many of a list are left out of print, told on paper alone; None where all are printed."""
    if count <= PRINTED:
        return None
    return element("p", f"and {count - PRINTED} more, not printed", class_="printed soft")


def bar(part: int, total: int, tone: str, *, due: int = 0) -> Markup:
    """A bar for the eye alone: what it shows stands beside it in figures; what is `due` is paler."""
    share = _share_of_bar(part, total)
    ahead = _share_of_bar(part + due, total)
    paler = element("rect", width=f"{ahead:.1f}", height="4", class_=f"{tone} due")
    return element(
        "svg",
        element("rect", width="100", height="4", class_="rest"),
        paler if due > 0 else None,
        element("rect", width=f"{share:.1f}", height="4", class_=tone),
        class_="bar",
        viewBox="0 0 100 4",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def _share_of_bar(part: int, total: int) -> float:
    """How much of a bar of a hundred is drawn; whatever is more than nothing shows."""
    return 0.0 if total <= 0 or part <= 0 else min(100.0, max(0.6, 100 * part / total))


def lines(*parts: str | None) -> Markup:
    """Pieces with a line break between them."""
    present = [part for part in parts if part is not None]
    broken = [piece for part in present for piece in (element("br"), part)]
    return join_markup(*broken[1:])
