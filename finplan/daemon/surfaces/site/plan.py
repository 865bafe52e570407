"""The pages of the plan: the first page, which shows it, and its questions as forms.

Where there is no plan yet, the first page says what to do. An answer is looked at before it is kept, and
can be taken back.
"""

from functools import partial
from urllib.parse import urlencode

from aiohttp import web

from finplan import STATEMENT_FORMATS
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages import tasks as drawing
from finplan.daemon.surfaces.pages.markup import Markup, command, done, element
from finplan.daemon.surfaces.site import frame
from finplan.daemon.surfaces.site.settings_page import BANKS, DEVELOPER
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model.account import Account
from finplan.model.category import CategoryChoice
from finplan.model.credential import JoinedPerson
from finplan.model.detection import Duplicate, DuplicateQuery, DuplicateVerdict, Transfer
from finplan.model.errors import BadRequest, Fault, NoConnections
from finplan.model.money import typed_amount
from finplan.model.task import Effect, Task, TaskAnswer, TaskId, TaskQuery
from finplan.operations.account import LIST_ACCOUNTS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.credential import LIST_PEOPLE
from finplan.operations.detection import DECIDE_DUPLICATE, LIST_DUPLICATES, LIST_TRANSFERS
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.service.planning.views import PicturedPlan
from finplan.views import tasks as view
from finplan.views.answering import CANDIDATES, offers_transfer
from finplan.views.locale import Locale

_PAGES = {
    "finplan tasks answer": ("Tasks", frame.TASKS),
    "finplan connections": ("Connections", BANKS),
    "finplan import FILE": ("Imports", frame.STATEMENTS),
}
"""The pages that do what a command does, by the command."""


async def show_home(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """The person's plan as it is now."""
    try:
        drawn: PicturedPlan = await visit.for_page(VIEW_PLAN)
    except NoConnections:
        title = "No transactions yet"
        head = frame.heading(title, "finplan builds your plan from your bank statements.")
        return frame.page("Your plan", head, *await _beginning(visit), visit=visit, here="plan")
    # Most daemons are never asked for a page, so what draws the plan is loaded when one is.
    from finplan.daemon.surfaces.pages import plan

    today = visit.context.today(visit.settings.time_zone)
    return frame.page(
        plan.title_of_plan(drawn),
        None,
        *map(
            _link_pages,
            plan.content(
                drawn, visit.settings, today, questions_at=frame.TASKS, imports_at=frame.STATEMENTS
            ),
        ),
        visit=visit,
        here="plan",
    )


def _link_pages(drawn: Markup) -> Markup:
    """A part of the plan in which links stand for the commands that a page takes the place of."""
    for line, (label, address) in _PAGES.items():
        drawn = Markup(drawn.replace(command(line), element("a", label, href=address)))
    return drawn


async def _beginning(visit: Visit) -> tuple[Markup, ...]:
    """What to do so that there is a plan; the commands of the machine are its owner's alone."""
    people: tuple[JoinedPerson, ...] = await visit.perform(LIST_PEOPLE)
    statements = element("a", "Imports", href=frame.STATEMENTS)
    steps = _steps(
        _step(
            "Download statements from your bank.",
            f"Get them as {STATEMENT_FORMATS}, for as many months as you can.",
        ),
        _step(
            "Import them.",
            "Open ",
            statements,
            ". You see what the files contain before anything is saved.",
        ),
        _step("Read your plan.", "This page then shows it."),
    )
    if any(person.you and person.owner for person in people):
        return (
            steps,
            _soft("Or in the terminal: ", command("finplan import FILE"), "."),
            _soft(
                "To look around first, try the demo household: ",
                command("finplan --demo plan build"),
                ".",
            ),
        )
    send = f"curl -H 'x-api-key: KEY' -F file=@statement.csv {visit.desk.site_url}/api/v1/imports"
    return (
        steps,
        _soft(
            "A program can import statements with an API key (",
            element("a", "Settings, Developer", href=DEVELOPER),
            "): ",
            command(send),
        ),
    )


def _steps(*steps: Markup) -> Markup:
    return element("ol", *steps, class_="steps")


def _step(title: str, *texts: str) -> Markup:
    return element("li", element("h2", title), _soft(*texts))


def _soft(*texts: str) -> Markup:
    return element("p", *texts, class_="soft")


TASKS_AT_ONCE = 10
"""How many questions a page has; each has every category to choose from."""

ANSWERED_SHOWN = 10
AFTER, DONE = "after", "done"


async def show_tasks(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """The open questions, the most money first, and what was answered lately."""
    return await _tasks_page(visit)


async def take_answer(visit: Visit, typed: frame.TypedForm) -> web.Response:
    """Look at what an answer would move, keep it, dismiss a question, or take an answer back."""
    try:
        return await _apply_answer(visit, typed)
    except Fault as fault:
        if not wants_page(visit.request):
            raise
        return await _tasks_page(visit, fault)


async def _apply_answer(visit: Visit, typed: frame.TypedForm) -> web.Response:
    does, key = typed.one("do"), typed.one(drawing.ID)
    if does in {drawing.SAME, drawing.DIFFERENT}:
        verdict = "same" if does == drawing.SAME else "different"
        await visit.perform(
            DECIDE_DUPLICATE, frame.parse_ask(DuplicateVerdict, id=key, verdict=verdict)
        )
        return frame.see_other(f"{frame.TASKS}?{DONE}={does}")
    if does == drawing.UNDO:
        await visit.perform(UNDO_ANSWER, frame.parse_ask(TaskId, id=key))
        return frame.see_other(f"{frame.TASKS}?{DONE}={does}")
    if does == drawing.DISMISS:
        await visit.perform(ANSWER_TASK, frame.parse_ask(TaskAnswer, id=key, dismiss="true"))
    elif does == drawing.EACH:
        await visit.perform(ANSWER_TASK, frame.parse_ask(TaskAnswer, id=key, each="true"))
    elif does == drawing.KEEP:
        await visit.perform(ANSWER_TASK, _answer(visit, typed))
    elif does == drawing.LOOK:
        return await _look_before_keeping(visit, _answer(visit, typed))
    else:
        raise BadRequest("This form is out of date. Open the page again.")
    return frame.see_other(f"{frame.TASKS}?{DONE}={drawing.KEEP}")


def _answer(visit: Visit, typed: frame.TypedForm) -> TaskAnswer:
    category = typed.maybe(drawing.CATEGORY)
    if category is None:
        raise BadRequest("Choose a category first.")
    answer = frame.parse_ask(
        TaskAnswer,
        id=typed.one(drawing.ID),
        answer=category,
        direction=typed.maybe(drawing.DIRECTION) or "both",
    )
    amount = typed.maybe(drawing.AMOUNT)
    if amount is None:
        return answer
    try:
        exact = typed_amount(amount, visit.settings.currency, "The amount")
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return answer.model_copy(update={"amount": exact})


async def _look_before_keeping(visit: Visit, ask: TaskAnswer) -> web.Response:
    effect: Effect = await visit.perform(ANSWER_TASK, ask.model_copy(update={"preview": True}))
    tasks: tuple[Task, ...] = await visit.perform(LIST_TASKS, TaskQuery())
    task = next((task for task in tasks if task.id == ask.id), None)
    if task is None:
        raise BadRequest("This task is no longer open. The open tasks are below.")
    back = element("a", "Back", href=frame.TASKS, class_="button")
    return frame.page(
        "Preview",
        frame.heading("Tasks", "Preview: nothing is saved yet."),
        drawing.before_keeping(task, ask, effect, await _asking(visit), back),
        visit=visit,
        here="tasks",
    )


async def _asking(visit: Visit, tasks: tuple[Task, ...] = ()) -> drawing.TaskForms:
    choices: tuple[CategoryChoice, ...] = await visit.perform(LIST_CATEGORIES)
    candidates: tuple[Transfer, ...] = ()
    if offers_transfer(tasks):
        candidates = await visit.perform(LIST_TRANSFERS, CANDIDATES)
    today = visit.context.today(visit.settings.time_zone)
    how = Locale.on(visit.settings, today)
    return drawing.TaskForms(how, choices, partial(frame.form, visit, frame.TASKS), candidates)


async def _tasks_page(visit: Visit, fault: Fault | None = None) -> web.Response:
    tasks: tuple[Task, ...] = await visit.perform(LIST_TASKS, TaskQuery())
    answered: tuple[Task, ...] = await visit.perform(LIST_TASKS, TaskQuery(status="answered"))
    asking = await _asking(visit, tasks)
    return frame.page(
        "Tasks",
        frame.heading("Tasks", view.lead(len(tasks))),
        _describe_done(visit, answered, asking) if fault is None else None,
        await _which_accounts(visit),
        *_open_tasks(visit, tasks, asking),
        drawing.lately(answered[:ANSWERED_SHOWN], asking),
        visit=visit,
        here="tasks",
        fault=fault,
    )


async def _which_accounts(visit: Visit) -> Markup | None:
    """Accounts under new ids that nothing tells apart, asked about before all else."""
    query = DuplicateQuery(relinked=True)
    duplicates: tuple[Duplicate, ...] = await visit.perform(LIST_DUPLICATES, query)
    if not duplicates:
        return None
    listed: tuple[Account, ...] = await visit.perform(LIST_ACCOUNTS)
    accounts = {account.id: account for account in listed}
    return drawing.which_accounts(duplicates, accounts, partial(frame.form, visit, frame.TASKS))


def _describe_done(
    visit: Visit, answered: tuple[Task, ...], asking: drawing.TaskForms
) -> Markup | None:
    """What was done just now, by what the store has of it."""
    did = visit.request.query.get(DONE)
    if did == drawing.SAME:
        return done("The two accounts are now merged.")
    if did == drawing.DIFFERENT:
        return done("Totals now include both accounts.")
    if did == drawing.UNDO:
        return done("Undone. The task is open again.")
    if did != drawing.KEEP or not answered:
        return None
    sentence = view.describe_decision(answered[0], asking.labels, asking.how)
    return done(sentence, " ", element("a", "See your plan", href=frame.HOME), ".")


def _open_tasks(visit: Visit, tasks: tuple[Task, ...], asking: drawing.TaskForms) -> list[Markup]:
    if not tasks:
        way = element("a", "See your plan", href=frame.HOME)
        bring = element("a", "import statements", href=frame.STATEMENTS)
        return [element("p", way, ", or ", bring, ".")]
    ids = [task.id for task in tasks]
    after = visit.request.query.get(AFTER)
    # A question that was answered meanwhile is no place to go on from.
    begin = ids.index(after) + 1 if after in ids else 0
    page = tasks[begin : begin + TASKS_AT_ONCE]
    drawn = [drawing.questions(page, asking)]
    remaining = len(tasks) - begin - len(page)
    ways = []
    if begin:
        ways.append(element("a", "First tasks", href=frame.TASKS, class_="button"))
    if remaining:
        further = f"{frame.TASKS}?{urlencode({AFTER: page[-1].id})}"
        ways.append(element("a", f"Next ({remaining} more)", href=further, class_="button"))
    return [*drawn, element("p", *ways, class_="acts")] if ways else drawn
