"""The screens that there are, in the order of their keys."""

from typing import NamedTuple


class Place(NamedTuple):
    """A screen: what it is called in the program and on the screen, its key, and what it is for."""

    name: str
    title: str
    key: str
    purpose: str


PLACES = (
    Place("overview", "Overview", "O", "What is safe to spend, what is due, what to do next"),
    Place("questions", "Questions", "T", "What only you can answer, a key each"),
    Place("spending", "Spending", "S", "Where the money goes, down to the row, for any days"),
    Place("plan", "Plan", "P", "The plan by its sections, and why each is so"),
    Place("accounts", "Accounts", "A", "Accounts, banks and statement files"),
    Place("settings", "Settings", "G", "How you are planned, and how this looks"),
)
