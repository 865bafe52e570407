"""The screens that there are, in the order of their keys."""

from typing import NamedTuple


class ScreenPlace(NamedTuple):
    """A screen: what it is called in the program and on the screen, its key, and what it is for."""

    name: str
    title: str
    key: str
    purpose: str


PLACES = (
    ScreenPlace("overview", "Overview", "O", "What is safe to spend, what is due, what to do next"),
    ScreenPlace("questions", "Questions", "T", "What only you can answer, a key each"),
    ScreenPlace("spending", "Spending", "S", "Where the money goes, down to the row, for any days"),
    ScreenPlace("plan", "Plan", "P", "The plan by its sections, and why each is so"),
    ScreenPlace("found", "Found", "F", "What comes again, transfers, and what is there twice"),
    ScreenPlace("accounts", "Accounts", "A", "Accounts, banks and statement files"),
    ScreenPlace("settings", "Settings", "G", "How you are planned, and how this looks"),
)
