"""Asking the person through their client, in both eras of the protocol.

Older clients are sent a request in the middle of a call. Since 2026-07-28 a call is answered with what
is to be asked, and comes again with the answer.
"""

from collections.abc import Sequence
from typing import Any

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from finplan.daemon.surfaces.mcp.tools.tool import Offered

_ANSWER = "answer"
"""What the question is called in a request, and in the form."""


class InputNeeded(Exception):
    """The call is to come again, with the person's answer."""

    def __init__(self, request: types.ElicitRequest) -> None:
        super().__init__()
        self.result = types.InputRequiredResult(input_requests={_ANSWER: request})


async def elicit(
    request: ServerRequestContext[Any, Any],
    params: types.CallToolRequestParams,
    question: str,
    choices: Sequence[Offered],
) -> str | None:
    """What the person chooses; None where they would not, or where their client cannot ask them.

    Raises InputNeeded where the call has to come again first.
    """
    able = request.session.client_capabilities
    if able is None or able.elicitation is None or not _takes_forms(able.elicitation):
        return None
    form = types.ElicitRequestFormParams(message=question, requested_schema=_schema(choices))
    if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        said = (params.input_responses or {}).get(_ANSWER)
        if said is None:
            raise InputNeeded(types.ElicitRequest(params=form))
    else:
        said = await request.session.elicit_form(
            form.message, form.requested_schema, request.request_id
        )
    return _chosen(said, choices)


def _takes_forms(able: types.ElicitationCapability) -> bool:
    # Before there were other ways, who said nothing more meant forms.
    return able.form is not None or able.url is None


def _schema(choices: Sequence[Offered]) -> dict[str, Any]:
    words = [each.label for each in choices]
    field = {"type": "string", "title": "Answer", "enum": words}
    return {"type": "object", "properties": {_ANSWER: field}, "required": [_ANSWER]}


def _chosen(said: object, choices: Sequence[Offered]) -> str | None:
    if not isinstance(said, types.ElicitResult) or said.action != "accept":
        return None
    word = (said.content or {}).get(_ANSWER)
    return next((each.value for each in choices if each.label == word), None)
