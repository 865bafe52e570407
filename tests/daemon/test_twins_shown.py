"""The pages and the tools show the row on the other account beside a question."""

from typing import Any, cast
from zoneinfo import ZoneInfo

from finplan.daemon.surfaces.mcp.tools.questions import TasksQuestion, list_tasks
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.pages.markup import Locale, element
from finplan.daemon.surfaces.pages.tasks import TaskForms, questions
from finplan.model.detection import Transfer
from finplan.model.task import CategorizePayee
from finplan.operations.detection import LIST_TRANSFERS
from tests.cli import made_up
from tests.cli.made_up_verdicts import transfer

SAID = "Maybe a transfer: $500.00 came into Savings on Tue 4 Nov"


def asked() -> tuple[CategorizePayee, Transfer]:
    """A question that offers a transfer, and the transfer in doubt that it may be about."""
    task = next(each for each in made_up.tasks() if isinstance(each, CategorizePayee))
    task = task.model_copy(update={"suggested": "transfer", "confidence": 0.7})
    candidate = transfer("1", "candidate", 500_00, 500_00)
    out = candidate.out.model_copy(update={"payee_key": task.payee_key})
    return task, candidate.model_copy(update={"out": out})


class Asked:
    """Answers a tool's questions with one task and one transfer in doubt."""

    def __init__(self, task: CategorizePayee, candidate: Transfer) -> None:
        self._task, self._candidate = task, candidate
        self.transfers = 0

    async def ask(self, row: Any, _question: Any) -> Any:
        if row is LIST_TRANSFERS:
            self.transfers += 1
            return (self._candidate,)
        return (self._task,)


async def test_an_agent_is_shown_the_twin() -> None:
    """In a field of its own; no transfer is asked for where no question offers one."""
    task, candidate = asked()
    call = Asked(task, candidate)
    (told,) = (await list_tasks(cast("Call", call), TasksQuestion())).tasks
    assert told.twin is not None
    assert told.twin.startswith(SAID)

    other = Asked(task.model_copy(update={"suggested": "dining"}), candidate)
    (plain,) = (await list_tasks(cast("Call", other), TasksQuestion())).tasks
    assert (plain.twin, other.transfers) == (None, 0)


def test_a_page_shows_the_twin() -> None:
    """Below the charges of the question."""
    task, candidate = asked()
    locale = Locale("USD", ZoneInfo("UTC"), task.last_date)
    forms = TaskForms(locale, (), _form, (candidate,))
    assert SAID in str(questions([task], forms))
    assert "Maybe" not in str(questions([task], TaskForms(locale, (), _form)))


def _form(*children: Any) -> Any:
    return element("form", *children)
