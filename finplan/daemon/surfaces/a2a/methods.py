"""The methods of A2A: what each takes, does and answers."""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError

from finplan.daemon.surfaces.a2a.asking import ask_in_task
from finplan.daemon.surfaces.a2a.card import JSON, TEXT
from finplan.daemon.surfaces.a2a.errors import (
    ContentTypeNotSupported,
    PushNotificationNotSupported,
    TaskNotCancelable,
    TaskNotFound,
    UnsupportedOperation,
    invalid_params,
)
from finplan.daemon.surfaces.a2a.paging import read_token, write_token
from finplan.daemon.surfaces.a2a.shapes import (
    OPEN,
    A2aShape,
    ListParams,
    SaidInTask,
    SendParams,
    TaskParams,
    read_instant,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.service.agent_tasks import (
    KeptAgentTask,
    find_task,
    keep_next,
    list_kept,
)
from finplan.store.queries.agents.agent_tasks import AgentTaskFilter

Params = Mapping[str, JsonValue]
Result = dict[str, Any]
ShapeOfParams = TypeVar("ShapeOfParams", bound=A2aShape)

_PAGE = 50


async def send_message(call: Call, params: Params) -> Result:
    """SendMessage: a question, answered at once or asked back; `returnImmediately` changes nothing."""
    asked = _read(SendParams, params)
    wanted = asked.configuration
    if wanted is not None and wanted.task_push_notification_config is not None:
        raise PushNotificationNotSupported
    modes = _modes(wanted.accepted_output_modes if wanted is not None else None)
    task = await ask_in_task(call, asked.message, modes)
    return {"task": written(task, wanted.history_length if wanted is not None else None)}


async def get_task(call: Call, params: Params) -> Result:
    """GetTask: a task of the caller's person."""
    asked = _read(TaskParams, params)
    return written(await _found(call, asked.id), asked.history_length)


async def list_tasks(call: Call, params: Params) -> Result:
    """ListTasks: the tasks of the caller's person, what changed last first."""
    asked = _read(ListParams, params)
    state = asked.status if asked.status not in ("", "TASK_STATE_UNSPECIFIED") else None
    after = asked.status_timestamp_after
    which = AgentTaskFilter(asked.context_id or None, state, read_instant(after) if after else None)
    size = asked.page_size or _PAGE
    page = await list_kept(call.context, which, read_token(asked.page_token, which), size)
    return {
        "tasks": [
            written(each, asked.history_length, with_artifacts=bool(asked.include_artifacts))
            for each in page.tasks
        ],
        "nextPageToken": write_token(page.tasks[-1].position, which) if page.more else "",
        "pageSize": size,
        "totalSize": page.total,
    }


async def cancel_task(call: Call, params: Params) -> Result:
    """CancelTask: a task that waits for a reply is given up; one that has ended stays as it is."""
    task_id = _read(TaskParams, params).id
    # A message may take it on meanwhile; it is given up all the same, unless that has ended it.
    while (task := await _found(call, task_id)).now.state == OPEN:
        now = task.now._replace(state="TASK_STATE_CANCELED", asked=None)
        canceled = await keep_next(call.context, task, now)
        if canceled is not None:
            return written(canceled, None)
    raise TaskNotCancelable("This task has ended, so there is nothing to cancel.")


async def refuse_streaming(_call: Call, _params: Params) -> Result:
    """SendStreamingMessage and SubscribeToTask. Raises UnsupportedOperation."""
    raise UnsupportedOperation(
        "Nothing is streamed here, since each message is answered at once: use SendMessage and GetTask."
    )


async def refuse_extended_card(_call: Call, _params: Params) -> Result:
    """GetExtendedAgentCard. Raises UnsupportedOperation."""
    raise UnsupportedOperation("The card at /.well-known/agent-card.json is all there is.")


async def refuse_push(_call: Call, _params: Params) -> Result:
    """What is about push notifications. Raises PushNotificationNotSupported."""
    raise PushNotificationNotSupported


METHODS: Mapping[str, Callable[[Call, Params], Awaitable[Result]]] = {
    "SendMessage": send_message,
    "GetTask": get_task,
    "ListTasks": list_tasks,
    "CancelTask": cancel_task,
    "SendStreamingMessage": refuse_streaming,
    "SubscribeToTask": refuse_streaming,
    "GetExtendedAgentCard": refuse_extended_card,
    "CreateTaskPushNotificationConfig": refuse_push,
    "GetTaskPushNotificationConfig": refuse_push,
    "ListTaskPushNotificationConfigs": refuse_push,
    "DeleteTaskPushNotificationConfig": refuse_push,
}
"""All methods of A2A 1.0."""


def written(
    task: KeptAgentTask, history_length: int | None, *, with_artifacts: bool = True
) -> Result:
    """A task as it is sent, with its last messages; all of them where it is not said how many."""
    said = SaidInTask.model_validate_json(task.now.said)
    told = said.model_dump(mode="json", by_alias=True, exclude_none=True)
    changed = datetime.fromtimestamp(task.position.status_at / 1000, UTC)
    status = {
        "state": task.now.state,
        "timestamp": f"{changed:%Y-%m-%dT%H:%M:%S}.{task.position.status_at % 1000:03d}Z",
    }
    if said.message is not None:
        status["message"] = told["message"]
    answer: Result = {"id": task.id, "contextId": task.now.context_id, "status": status}
    if with_artifacts and said.artifacts:
        answer["artifacts"] = told["artifacts"]
    history = told["history"] if history_length is None else told["history"][-history_length:]
    if history and history_length != 0:
        answer["history"] = history
    return answer


async def _found(call: Call, task_id: str) -> KeptAgentTask:
    task = await find_task(call.context, task_id)
    if task is None:
        raise TaskNotFound
    return task


def _modes(accepted: tuple[str, ...] | None) -> frozenset[str]:
    """Which of the media types that are sent here are taken. Raises ContentTypeNotSupported for none."""
    if not accepted:
        return frozenset({TEXT, JSON})
    ranges = {each.partition(";")[0].strip().lower() for each in accepted}
    taken = frozenset(
        each
        for each in (TEXT, JSON)
        if not ranges.isdisjoint({each, f"{each.split('/')[0]}/*", "*/*"})
    )
    if not taken:
        raise ContentTypeNotSupported(f"Answers are {TEXT} and {JSON}; accept one of them.")
    return taken


def _read(shape: type[ShapeOfParams], params: Params) -> ShapeOfParams:
    try:
        return shape.model_validate_json(json.dumps(params))
    except ValidationError as error:
        raise invalid_params(error) from None
