"""What a browser calls itself, as a person knows it."""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The order matters: each but Firefox says of itself that it is one of those behind it, too."""

_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
UNKNOWN = "an unknown browser"


def browser_name(user_agent: str | None) -> str:
    """Name a browser by what it calls itself, as "Firefox on Linux"; an unknown one is not guessed."""
    said = user_agent or ""
    browser = next((name for mark, name in _BROWSERS if mark in said), UNKNOWN)
    system = next((name for mark, name in _SYSTEMS if mark in said), None)
    return browser if system is None else f"{browser} on {system}"
