"""Every method of A2A × every kind of caller: another's task is as one that never was."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from finplan.daemon.surfaces.a2a.methods import METHODS, refuse_push
from tests.daemon.a2a.talking import VERSION, call, message
from tests.daemon.authorization.callers import CALLERS, ELSEWHERE, CallerKind
from tests.daemon.authorization.matrix import Two, differences, leaks, never_was
from tests.daemon.authorization.requests import Request, kinds_named, with_ids

_GREENGROCER = "How much did I spend at greengrocer in march?"
"""A part of a payee of hers, by which no other part of it is to be learned."""

ASKED: Mapping[str, tuple[Any, ...]] = {
    "ListTasks": ({"includeArtifacts": True}, {"contextId": "<context>"}),
    "SendMessage": (
        {"message": message("bobs barber in march", contextId="<context>")},
        {"message": message(_GREENGROCER)},
        {"message": message("bobs barber in march", taskId="<agent task>")},
        {"message": message("bobs barber in march", taskId="<agent task that asks back>")},
        {"message": message("bobs barber in march", referenceTaskIds=["<agent task>"])},
    ),
    "GetTask": ({"id": "<agent task>"}, {"id": "<agent task that asks back>"}),
    "CancelTask": ({"id": "<agent task>"}, {"id": "<agent task that asks back>"}),
    "SendStreamingMessage": ({"message": message(_GREENGROCER)},),
    "SubscribeToTask": ({"id": "<agent task>"},),
    "GetExtendedAgentCard": ({},),
    **{
        name: ({"taskId": "<agent task>", "id": "<agent task>"},)
        for name, method in METHODS.items()
        if method is refuse_push
    },
}
"""What each method is asked, with things of Ada's in `<>`."""

MADE_NOW = ("SendMessage",)
"""What answers a task of the caller's own, whose ids are new each time."""


def test_every_method_is_asked() -> None:
    """A new method has to be asked here."""
    assert ASKED.keys() == METHODS.keys()


@pytest.mark.thorough
@pytest.mark.sampled(7)
@pytest.mark.parametrize("caller", [*CALLERS, ELSEWHERE], ids=lambda caller: caller.name)
async def test_a_task_of_anothers_is_none(two: Two, caller: CallerKind) -> None:
    """Each method is refused or finds no task, alike for another's and for one that never was."""
    hers, wrong = await two.rows(), []
    others = never_was(two.settled.ids)
    for name, several in ASKED.items():
        for params in several:
            real = await two.ask(caller, _calling(name, with_ids(params, two.settled.ids)))
            found = [*_unexpected(caller, real)]
            if caller.whose != "owner":
                found += leaks(real, two.settled.ids, kinds_named(params))
                fake = await two.ask(caller, _calling(name, with_ids(params, others)))
                if name not in MADE_NOW or "error" in real.json():
                    found += differences(real, fake, two.settled.ids, others)
            if caller.whose != "owner" or "read" not in caller.scopes:
                found += ["her rows changed"] if await two.rows() != hers else []
            wrong += [f"{name} {params}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


def _calling(name: str, params: Any) -> Request:
    return Request("POST", "/a2a", {"json": call(name, params), "headers": VERSION})


def _unexpected(caller: CallerKind, answer: httpx.Response) -> Iterator[str]:
    expected = 401 if caller.whose == "nobody" else 200 if "read" in caller.scopes else 403
    if answer.status_code != expected:
        yield f"{answer.status_code} and not {expected}: {answer.text[:300]}"
