"""The values of a household that a reader puts where the handbook writes ID and the like."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.daemon.let_in import claim_an_agent
from tests.daemon.recorded import sign_in_a_browser
from tests.handbook.shown.finding import PROJECT
from tests.handbook.shown.machine import Machine

Value = Callable[[Machine, str], object]

_CHARGES = "/transactions?category=groceries&minAmount=4000&pending=false"
_IN_BRACES = re.compile(r"(?<!\$)\{([a-z]+)\}")


def filled(machine: Machine, profile: str, line: str) -> str:
    """A line with the values of the household of a profile."""
    return _IN_BRACES.sub(lambda found: str(VALUES[found[1]](machine, profile)), line)


def _first(path: str, *way: str | int) -> Value:
    def look(machine: Machine, profile: str) -> object:
        answer = machine.ask(profile, "GET", path)
        for each in way:
            answer = answer[each]
        return answer

    return look


def _rest_of_the_charge(machine: Machine, profile: str) -> str:
    amount: Any = _first(_CHARGES, "transactions", 0, "amount")(machine, profile)
    return f"{-amount / 100 - 30:.2f}"


def _key(machine: Machine, profile: str) -> object:
    asked = {"name": "for a page", "scopes": ["service:read"]}
    return machine.ask(profile, "POST", "/keys", asked)["key"]


def _webhook(machine: Machine, profile: str) -> object:
    found = machine.ask(profile, "GET", "/webhooks")
    if not found:
        asked = {"url": "https://127.0.0.1:1/", "events": ["plan.built"]}
        return machine.ask(profile, "POST", "/webhooks", asked)["webhook"]["id"]
    return found[0]["id"]


def _delivery(machine: Machine, profile: str) -> object:
    hook = _webhook(machine, profile)
    sent = machine.ask(profile, "POST", f"/webhooks/{hook}/test", {})["id"]
    # One that is under way is not sent once more; what nobody takes is tried at once.
    machine.type(f"finplan webhooks test {hook}", profile)
    return sent


def _browser(machine: Machine, profile: str) -> object:
    machine.in_daemon(profile, sign_in_a_browser)
    return _first("/sessions", -1, "id")(machine, profile)


def _rule(machine: Machine, profile: str) -> object:
    asked = {"payeeKey": "amazon", "category": "shopping"}
    return machine.ask(profile, "PUT", "/categories/rules", asked)["id"]


VALUES: Mapping[str, Value] = {
    "agent": lambda machine, profile: machine.in_daemon(profile, claim_an_agent)[0],
    "browser": _browser,
    "charge": _first(_CHARGES, "transactions", 0, "id"),
    "delivery": _delivery,
    "duplicate": _first("/duplicates", 0, "id"),
    "import": _first("/imports", -1, "id"),
    "key": _key,
    "port": lambda machine, profile: machine.daemon(profile).port,
    "profile": _first("/imports/profiles", 0, "id"),
    "project": lambda _machine, _profile: PROJECT,
    "rest": _rest_of_the_charge,
    "rule": _rule,
    "series": _first("/recurring", 0, "id"),
    "task": _first("/tasks", 0, "id"),
    "theme": _first("/categories/suggestions", 0, "name"),
    "transfer": _first("/transfers", 0, "id"),
    "webhook": _webhook,
}
"""What each name in braces stands for."""
