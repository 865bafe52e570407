"""The methods of A2A: what each takes, does and answers.

A message goes from its parts to how its task stands afterwards. A page token of ListTasks is the place
where the next page begins, and for which filters.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError

from finplan.daemon.surfaces.a2a import calls, shapes
from finplan.daemon.surfaces.a2a.card import JSON, SKILL, TEXT
from finplan.daemon.surfaces.a2a.skill import SpendingAnswer, answer_question
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import lines, sentence, unit_of
from finplan.questions.names import LONGEST_SENTENCE
from finplan.questions.question import UnclearQuestion
from finplan.service import agent_tasks
from finplan.service.ids import new_id
from finplan.store.queries.agent_tasks import AgentTaskFilter, AgentTaskPosition

Params = Mapping[str, JsonValue]
Result = dict[str, Any]
ShapeOfParams = TypeVar("ShapeOfParams", bound=shapes.A2aShape)

_PAGE = 50


async def send_message(call: Call, params: Params) -> Result:
    """SendMessage: a question, answered at once or asked back; `returnImmediately` changes nothing."""
    asked = _read_params(shapes.SendParams, params)
    wanted = asked.configuration
    if wanted is not None and wanted.task_push_notification_config is not None:
        raise calls.PushNotificationNotSupported
    modes = _modes_accepted(wanted.accepted_output_modes if wanted is not None else None)
    task = await ask_in_task(call, asked.message, modes)
    return {"task": written(task, wanted.history_length if wanted is not None else None)}


async def get_task(call: Call, params: Params) -> Result:
    """GetTask: a task of the caller's person."""
    asked = _read_params(shapes.TaskParams, params)
    return written(await _find_task_or_fail(call, asked.id), asked.history_length)


async def list_tasks(call: Call, params: Params) -> Result:
    """ListTasks: the tasks of the caller's person, what changed last first."""
    asked = _read_params(shapes.ListParams, params)
    state = asked.status if asked.status not in ("", "TASK_STATE_UNSPECIFIED") else None
    after = asked.status_timestamp_after
    which = AgentTaskFilter(
        asked.context_id or None, state, shapes.read_instant(after) if after else None
    )
    size = asked.page_size or _PAGE
    page = await agent_tasks.list_tasks(
        call.context, which, read_token(asked.page_token, which), size
    )
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
    task_id = _read_params(shapes.TaskParams, params).id
    # A message may take it on meanwhile; it is given up all the same, unless that has ended it.
    while (task := await _find_task_or_fail(call, task_id)).now.state == shapes.OPEN:
        now = task.now._replace(state="TASK_STATE_CANCELED", asked=None)
        canceled = await agent_tasks.keep_next(call.context, task, now)
        if canceled is not None:
            return written(canceled, None)
    raise calls.TaskNotCancelable("This task has already ended.")


async def refuse(why: str, _call: Call, _params: Params) -> Result:
    """What A2A has and finplan has not. Raises UnsupportedOperation."""
    raise calls.UnsupportedOperation(why)


_refuse_streaming = partial(
    refuse,
    "Streaming is not supported: each message is answered at once. Use SendMessage and GetTask.",
)


async def refuse_push(_call: Call, _params: Params) -> Result:
    """What is about push notifications. Raises PushNotificationNotSupported."""
    raise calls.PushNotificationNotSupported


METHODS: Mapping[str, Callable[[Call, Params], Awaitable[Result]]] = {
    "SendMessage": send_message,
    "GetTask": get_task,
    "ListTasks": list_tasks,
    "CancelTask": cancel_task,
    "SendStreamingMessage": _refuse_streaming,
    "SubscribeToTask": _refuse_streaming,
    "GetExtendedAgentCard": partial(refuse, "No extended card. Use /.well-known/agent-card.json."),
    "CreateTaskPushNotificationConfig": refuse_push,
    "GetTaskPushNotificationConfig": refuse_push,
    "ListTaskPushNotificationConfigs": refuse_push,
    "DeleteTaskPushNotificationConfig": refuse_push,
}
"""All methods of A2A 1.0."""


def written(
    task: agent_tasks.KeptAgentTask, history_length: int | None, *, with_artifacts: bool = True
) -> Result:
    """A task as it is sent, with its last messages; all of them where it is not said how many."""
    said = shapes.SaidInTask.model_validate_json(task.now.said)
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


async def _find_task_or_fail(call: Call, task_id: str) -> agent_tasks.KeptAgentTask:
    task = await agent_tasks.find_task(call.context, task_id)
    if task is None:
        raise calls.TaskNotFound
    return task


def _modes_accepted(accepted: tuple[str, ...] | None) -> frozenset[str]:
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
        raise calls.ContentTypeNotSupported(
            f"Accept {TEXT} or {JSON}. Other formats are not supported."
        )
    return taken


def _read_params(shape: type[ShapeOfParams], params: Params) -> ShapeOfParams:
    try:
        return shape.model_validate_json(json.dumps(params))
    except ValidationError as error:
        raise calls.invalid_params(error) from None


MOST_TURNS = 10
"""How many messages a task takes before it is given up."""

_GIVEN_UP = "I did not understand ten messages in a row. Start a new task."
_BY_ITSELF = "Referenced tasks were ignored. Each question must be complete."


async def ask_in_task(
    call: Call, message: shapes.SentMessage, modes: frozenset[str]
) -> agent_tasks.KeptAgentTask:
    """Answer a message in a task of its own, or in the one that it goes on with; keeps the task."""
    text = _text_of_message(message)
    before = await _task_before(call, message)
    task_id = before.id if before else new_id("agenttask")
    context_id = before.now.context_id if before else message.context_id or new_id("context")
    notice = call.context.store.notice
    turn = _Turn(message, text, task_id, context_id, before, notice and sentence(notice))
    try:
        answer = await answer_question(call, text, is_reply=before is not None)
    except UnclearQuestion as unclear:
        now = turn.asked_back(str(unclear))
    else:
        now = turn.answered(answer, modes)
    if before is None:
        return await agent_tasks.keep_new(call.context, now, task_id)
    kept = await agent_tasks.keep_next(call.context, before, now)
    if kept is None:
        raise calls.UnsupportedOperation(
            "Another message arrived in this task. Read it with GetTask, then try again."
        )
    return kept


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message in its task, and how the task stands once it has its answer."""

    message: shapes.SentMessage
    text: str
    task_id: str
    context_id: str
    before: agent_tasks.KeptAgentTask | None
    notice: str | None

    def _history(self) -> tuple[shapes.A2aMessage, ...]:
        said = shapes.SaidInTask()
        if self.before is not None:
            said = shapes.SaidInTask.model_validate_json(self.before.now.said)
        spoken = () if said.message is None else (said.message,)
        sent = shapes.A2aMessage(
            message_id=self.message.message_id,
            context_id=self.context_id,
            task_id=self.task_id,
            role="ROLE_USER",
            parts=tuple(
                shapes.A2aPart(text=part.text, media_type=TEXT) for part in self.message.parts
            ),
            reference_task_ids=self.message.reference_task_ids,
        )
        return (*said.history, *spoken, sent)

    def answered(self, answer: SpendingAnswer, modes: frozenset[str]) -> agent_tasks.AgentTaskNow:
        """The task with its answer, in the media types that are taken."""
        refers = _BY_ITSELF if self.message.reference_task_ids else None
        text = lines(answer.text, refers, self.notice)
        parts = (
            shapes.A2aPart(text=text, media_type=TEXT),
            shapes.A2aPart(
                data=answer.told,
                media_type=JSON,
                metadata=dict(unit_of(answer.currency)),
            ),
        )
        artifact = shapes.A2aArtifact(
            artifact_id=SKILL,
            name="spending",
            description="Exact figures for spending or income, as text and as data.",
            parts=tuple(part for part in parts if part.media_type in modes),
        )
        said = shapes.SaidInTask(history=self._history(), artifacts=(artifact,))
        return self._now("TASK_STATE_COMPLETED", None, said)

    def asked_back(self, why: str) -> agent_tasks.AgentTaskNow:
        """The task as it waits for a reply, or is given up after too many."""
        last = self.before is not None and self.before.turns + 1 >= MOST_TURNS
        told = shapes.A2aMessage(
            message_id=new_id("message"),
            context_id=self.context_id,
            task_id=self.task_id,
            role="ROLE_AGENT",
            parts=(
                shapes.A2aPart(
                    text=lines(_GIVEN_UP if last else why, self.notice), media_type=TEXT
                ),
            ),
        )
        said = shapes.SaidInTask(history=self._history(), message=told)
        if last:
            return self._now("TASK_STATE_FAILED", None, said)
        return self._now(shapes.OPEN, self.text, said)

    def _now(
        self, state: shapes.A2aState, asked: str | None, said: shapes.SaidInTask
    ) -> agent_tasks.AgentTaskNow:
        written = said.model_dump_json(by_alias=True, exclude_none=True)
        return agent_tasks.AgentTaskNow(self.context_id, state, asked, written)


async def _task_before(call: Call, message: shapes.SentMessage) -> agent_tasks.KeptAgentTask | None:
    """The task that a message goes on with, None for a new one."""
    if not message.task_id:
        return None
    task = await agent_tasks.find_task(call.context, message.task_id)
    if task is None:
        raise calls.TaskNotFound
    if message.context_id and message.context_id != task.now.context_id:
        raise calls.InvalidParams(
            "This task belongs to another context.",
            [("message.contextId", "Remove contextId, or send the task's own contextId")],
        )
    if task.now.state != shapes.OPEN:
        raise calls.UnsupportedOperation(
            "This task has ended. To start a new task, send a message without taskId."
        )
    return task


def _text_of_message(message: shapes.SentMessage) -> str:
    """The words of a message, which are no more than a question has.

    Raises ContentTypeNotSupported for a part that holds something else.
    """
    for part in message.parts:
        kind = (part.media_type or TEXT).partition(";")[0].strip().lower()
        if part.text is None or kind not in ("", TEXT):
            raise calls.ContentTypeNotSupported(f"Ask in words. Only {TEXT} parts are supported.")
    text = "\n".join(part.text or "" for part in message.parts)
    if not text.strip():
        raise calls.InvalidParams(
            "The message is empty.", [("message.parts", "Send the question as text")]
        )
    if len(text) > LONGEST_SENTENCE:
        # What is kept for a month holds no more than could be a question.
        raise calls.InvalidParams(
            "The message is too long.",
            [("message.parts", f"Ask one question of at most {LONGEST_SENTENCE} characters")],
        )
    return text


_TOKEN = re.compile(r"([0-9]{1,16})\.([0-9]{1,16})\.[0-9a-f]{6}")
_BYTES_OF_CHECK = 3


def write_token(place: AgentTaskPosition, which: AgentTaskFilter) -> str:
    """A place as a caller hands it back, with a check of it and of the filters that it is a place in.

    The check is no secret: it finds what was cut off or belongs to another question.
    """
    where = f"{place.status_at}.{place.no}"
    asked = repr((where, tuple(which))).encode()
    check = hashlib.blake2s(asked, digest_size=_BYTES_OF_CHECK).hexdigest()
    return base64.urlsafe_b64encode(f"{where}.{check}".encode()).decode().rstrip("=")


def read_token(token: str | None, which: AgentTaskFilter) -> AgentTaskPosition | None:
    """The place that a page begins after. Raises InvalidParams unless such a page gave it."""
    if not token:
        return None
    place = _place_in_token(token)
    if place is None or write_token(place, which) != token:
        raise calls.InvalidParams(
            "This page token is for other filters.",
            [("pageToken", "Start without a token, then send each page's nextPageToken")],
        )
    return place


def _place_in_token(token: str) -> AgentTaskPosition | None:
    try:
        padded = token + "=" * (-len(token) % 4)
        written = _TOKEN.fullmatch(base64.b64decode(padded, altchars=b"-_").decode())
    except (ValueError, binascii.Error):
        return None
    return None if written is None else AgentTaskPosition(*map(int, written.groups()))
