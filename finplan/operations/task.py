"""The rows of questions that only you can answer."""

from finplan.model import task as tasks
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

QUESTIONS = Family("Questions", "Tasks that need your answer.")

LIST_TASKS = Operation(QUESTIONS, "list_tasks", "GET", "/tasks",
    tasks.TaskQuery, tuple[tasks.Task, ...], "read",
    "List your tasks; the most important ones come first.", Derived(),
    links=Links("/0/id", to=("answer_task",)))
ANSWER_TASK: Operation[tasks.TaskAnswer, tasks.TaskOutcome] = Operation(
    QUESTIONS, "answer_task", "POST", "/tasks/{id}/answer",
    tasks.TaskAnswer, tasks.TaskOutcome, "write",  # type: ignore[arg-type]  # No type of mypy fits a union.
    "Answer a task or part of it, dismiss it, or preview the effect of an answer.",
    faults=(NotFound, Conflict), links=Links("/id", to=("undo_answer",)))
UNDO_ANSWER: Operation[tasks.TaskId, tasks.Task] = Operation(
    QUESTIONS, "undo_answer", "DELETE", "/tasks/{id}/answer",
    tasks.TaskId, tasks.Task, "write",  # type: ignore[arg-type]
    "Undo the latest answer to a task.",
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    LIST_TASKS, ANSWER_TASK, UNDO_ANSWER,
)
# fmt: on
