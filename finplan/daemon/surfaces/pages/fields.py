"""What stands in forms, on every face that draws one."""

from finplan.daemon.surfaces.pages.markup import Markup, element


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
