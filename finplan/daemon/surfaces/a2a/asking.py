"""A message of an agent, from its parts to how its task stands afterwards."""

from finplan.daemon.surfaces.a2a.card import JSON, SKILL, TEXT
from finplan.daemon.surfaces.a2a.errors import (
    ContentTypeNotSupported,
    InvalidParams,
    TaskNotFound,
    UnsupportedOperation,
)
from finplan.daemon.surfaces.a2a.shapes import (
    OPEN,
    A2aArtifact,
    A2aMessage,
    A2aPart,
    A2aState,
    SaidInTask,
    SentMessage,
)
from finplan.daemon.surfaces.a2a.skill import SpendingAnswer, answer_question
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import lines, sentence, unit_of
from finplan.questions.question import UnclearQuestion
from finplan.questions.words import LONGEST_SENTENCE
from finplan.service.agent_tasks import (
    AgentTaskNow,
    KeptAgentTask,
    find_task,
    keep_new,
    keep_next,
    new_context_id,
    new_message_id,
    new_task_id,
)

MOST_TURNS = 10
"""How many messages a task takes before it is given up."""

_GIVEN_UP = "I did not understand ten messages in a row. Begin a new task."
_BY_ITSELF = "The tasks that the message refers to were not read: each question stands by itself."


async def ask_in_task(call: Call, message: SentMessage, modes: frozenset[str]) -> KeptAgentTask:
    """Answer a message in a task of its own, or in the one that it goes on with; keeps the task."""
    text = _text_of(message)
    before = await _before(call, message)
    task_id = before.id if before else new_task_id()
    context_id = before.now.context_id if before else message.context_id or new_context_id()
    turn = _Turn(message, text, task_id, context_id, before, call.context.store.notice)
    try:
        answer = await answer_question(call, text, before.now.asked if before else None)
    except UnclearQuestion as unclear:
        now = turn.asked_back(str(unclear))
    else:
        now = turn.answered(answer, modes)
    if before is None:
        return await keep_new(call.context, now, task_id)
    kept = await keep_next(call.context, before, now)
    if kept is None:
        raise UnsupportedOperation(
            "Another message came in this task meanwhile. Look at it with GetTask, then go on."
        )
    return kept


class _Turn:
    """A message in its task, and how the task stands once it has its answer."""

    def __init__(
        self,
        message: SentMessage,
        text: str,
        task_id: str,
        context_id: str,
        before: KeptAgentTask | None,
        notice: str | None,
    ) -> None:
        self._notice = notice and sentence(notice)
        self._text, self._task_id, self._context_id = text, task_id, context_id
        self._turns = 1 if before is None else before.turns + 1
        self._refers = bool(message.reference_task_ids)
        said = SaidInTask() if before is None else SaidInTask.model_validate_json(before.now.said)
        spoken = () if said.message is None else (said.message,)
        sent = A2aMessage(
            message_id=message.message_id,
            context_id=context_id,
            task_id=task_id,
            role="ROLE_USER",
            parts=tuple(A2aPart(text=part.text, media_type=TEXT) for part in message.parts),
            reference_task_ids=message.reference_task_ids,
        )
        self._history = (*said.history, *spoken, sent)

    def answered(self, answer: SpendingAnswer, modes: frozenset[str]) -> AgentTaskNow:
        """The task with its answer, in the media types that are taken."""
        text = lines(answer.text, _BY_ITSELF if self._refers else None, self._notice)
        parts = (
            A2aPart(text=text, media_type=TEXT),
            A2aPart(
                data=answer.told.model_dump(mode="json", by_alias=True),
                media_type=JSON,
                metadata=dict(unit_of(answer.currency)),
            ),
        )
        artifact = A2aArtifact(
            artifact_id=SKILL,
            name="spending",
            description="Exact figures of what was spent or came in, in words and as data.",
            parts=tuple(part for part in parts if part.media_type in modes),
        )
        said = SaidInTask(history=self._history, artifacts=(artifact,))
        return self._now("TASK_STATE_COMPLETED", None, said)

    def asked_back(self, why: str) -> AgentTaskNow:
        """The task as it waits for a reply, or is given up after too many."""
        last = self._turns >= MOST_TURNS
        told = A2aMessage(
            message_id=new_message_id(),
            context_id=self._context_id,
            task_id=self._task_id,
            role="ROLE_AGENT",
            parts=(A2aPart(text=lines(_GIVEN_UP if last else why, self._notice), media_type=TEXT),),
        )
        said = SaidInTask(history=self._history, message=told)
        if last:
            return self._now("TASK_STATE_FAILED", None, said)
        return self._now(OPEN, self._text, said)

    def _now(self, state: A2aState, asked: str | None, said: SaidInTask) -> AgentTaskNow:
        written = said.model_dump_json(by_alias=True, exclude_none=True)
        return AgentTaskNow(self._context_id, state, asked, written)


async def _before(call: Call, message: SentMessage) -> KeptAgentTask | None:
    """The task that a message goes on with, None for a new one."""
    if not message.task_id:
        return None
    task = await find_task(call.context, message.task_id)
    if task is None:
        raise TaskNotFound
    if message.context_id and message.context_id != task.now.context_id:
        raise InvalidParams(
            "The task belongs to another context.",
            [("message.contextId", "Leave it out, or send that of the task")],
        )
    if task.now.state != OPEN:
        raise UnsupportedOperation(
            "This task has ended and takes no more messages. Send one without taskId for a new task."
        )
    return task


def _text_of(message: SentMessage) -> str:
    """The words of a message, which are no more than a question has.

    Raises ContentTypeNotSupported for a part that holds something else.
    """
    for part in message.parts:
        kind = (part.media_type or TEXT).partition(";")[0].strip().lower()
        if part.text is None or kind not in ("", TEXT):
            raise ContentTypeNotSupported(f"Ask in words: parts of a message are {TEXT} here.")
    text = "\n".join(part.text or "" for part in message.parts)
    if not text.strip():
        raise InvalidParams(
            "The message is empty.", [("message.parts", "Write the question as a text")]
        )
    if len(text) > LONGEST_SENTENCE:
        # What is kept for a month holds no more than could be a question.
        raise InvalidParams(
            "The message is longer than a question.",
            [("message.parts", f"Ask one thing, in {LONGEST_SENTENCE} characters at most")],
        )
    return text
