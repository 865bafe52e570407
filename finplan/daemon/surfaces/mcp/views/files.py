"""The views as files: one for each tool that has one, with its style and its script within."""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mcp import types
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.tool import AnyTool
from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.pictures.style import style as pictures_style

UI = EXTENSION_ID
"""The extension that client and server say they speak."""

VIEWED: Mapping[str, AnyTool] = {
    f"ui://finplan/{name.replace('_', '-')}": tool for name, tool in TOOLS.items() if tool.view
}
"""The tools that have a view, by its address."""

_BY_NIGHT = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*:root (\{[^{}]*\})\s*\}")


def view_of(tool: AnyTool) -> str | None:
    """The address of a tool's view."""
    return next((uri for uri, each in VIEWED.items() if each is tool), None)


def resources() -> list[types.Resource]:
    """The views as a client lists them."""
    return [
        types.Resource(
            uri=uri,
            name=tool.name,
            title=tool.title,
            description="A page for a host to show beside the answer.",
            mime_type=APP_MIME_TYPE,
            _meta=_told(),
        )
        for uri, tool in VIEWED.items()
    ]


def contents(uri: str) -> types.TextResourceContents:
    """The file of a view."""
    tool = VIEWED[uri]
    return types.TextResourceContents(
        uri=uri, mime_type=APP_MIME_TYPE, text=_file(tool.title), _meta=_told()
    )


def _told() -> dict[str, object]:
    # Without any origin named, a host lets a view reach nothing.
    return {"ui": {"prefersBorder": True}}


@cache
def _file(title: str) -> str:
    script, style = _read("view.js"), _style()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script, style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{title} – finplan"),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element(
            "main",
            element("p", "Waiting for the answer …", id="status", role="status", class_="soft"),
            element("div", id="drawn"),
        ),
        element("script", Markup(script)),
    )
    return joined(Markup("<!DOCTYPE html>"), element("html", head, body, lang="en"), "\n")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}';"
        f" style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'"
    )


def _digest(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


@cache
def _style() -> str:
    """The style of the site's pages; it is the host that says whether it is night."""
    pages = files("finplan.daemon.surfaces.pages")
    shared = "".join(
        pages.joinpath(each).read_text(encoding="utf-8") for each in ("plan.css", "fields.css")
    )
    by_night = _BY_NIGHT.sub(r':root[data-theme="dark"] \1', shared)
    return by_night + pictures_style() + _read("view.css")


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
