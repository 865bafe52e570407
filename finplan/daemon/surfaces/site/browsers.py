"""What a browser calls itself, in words that its owner knows it by."""

_PROGRAMS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The first that is named counts: many browsers name others as well."""

_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str | None) -> str:
    """A browser's name, as "Firefox on Linux"; as much of it as can be told."""
    told = user_agent or ""
    program = next((name for sign, name in _PROGRAMS if sign in told), "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in told), None)
    return program if system is None else f"{program} on {system}"
