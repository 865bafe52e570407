"""The rows of questions that only you can answer."""

from finplan.model import task as tasks
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

QUESTIONS = Family("Questions", "Questions that only you can answer.")

LIST_TASKS = Operation(QUESTIONS, "list_tasks", "GET", "/tasks",
    tasks.TaskQuery, tuple[tasks.Task, ...], "read",
    "Questions that only you can answer; the most money first.", Derived(),
    links=Links("/0/id", to=("answer_task",)))
ANSWER_TASK: Operation[tasks.TaskAnswer, tasks.TaskOutcome] = Operation(
    QUESTIONS, "answer_task", "POST", "/tasks/{id}/answer",
    tasks.TaskAnswer, tasks.TaskOutcome, "write",  # type: ignore[arg-type]  # No type of mypy fits a union.
    "Answer a question or a part of it, dismiss it, or see what an answer would move.",
    faults=(NotFound, Conflict), links=Links("/id", to=("undo_answer",)))
UNDO_ANSWER: Operation[tasks.TaskId, tasks.Task] = Operation(
    QUESTIONS, "undo_answer", "DELETE", "/tasks/{id}/answer",
    tasks.TaskId, tasks.Task, "write",  # type: ignore[arg-type]
    "Take the newest answer to a question back.",
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    LIST_TASKS, ANSWER_TASK, UNDO_ANSWER,
)
# fmt: on
