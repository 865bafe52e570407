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
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.settings_page import DEVELOPER
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


async def show_home(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """The person's plan as it is now."""
    try:
        drawn: PicturedPlan = await visit.for_page(VIEW_PLAN)
    except NoConnections:
        title = "There is nothing to plan with yet"
        head = frame.heading(title, "finplan makes your plan of your own bank data.")
        return frame.page("Your plan", head, *await _beginning(visit), visit=visit, here="plan")
    # Most daemons are never asked for a page, so what draws the plan is loaded when one is.
    from finplan.daemon.surfaces.pages import plan

    today = visit.context.today(visit.settings.time_zone)
    return frame.page(
        plan.title_of_plan(drawn),
        None,
        *plan.content(drawn, visit.settings, today, frame.TASKS),
        visit=visit,
        here="plan",
    )


async def _beginning(visit: Visit) -> tuple[Markup, ...]:
    """What to do so that there is a plan; the commands of the machine are its owner's alone."""
    people: tuple[JoinedPerson, ...] = await visit.perform(LIST_PEOPLE)
    statements = element("a", "Statements", href=frame.STATEMENTS)
    if any(each.you and each.owner for each in people):
        return (
            _steps(
                _step(
                    "Bring in what your bank lets you download.",
                    f"Statements as {STATEMENT_FORMATS}, as many as you have.",
                    line="finplan import FILE",
                ),
                _step(
                    "Have the plan built.",
                    "It stands on this page from then on, and goes with your data.",
                    line="finplan plan build",
                ),
            ),
            _soft("Or bring them in here, under ", statements, "."),
            _soft(
                "To look around first, see the plan of a household that is made up: ",
                command("finplan --demo plan build"),
                ".",
            ),
        )
    send = f"curl -H 'x-api-key: KEY' -F file=@statement.csv {visit.desk.site_url}/api/v1/imports"
    return (
        _steps(
            _step(
                "Download statements at your bank.",
                f"As {STATEMENT_FORMATS}, as many months as it gives you.",
            ),
            _step(
                "Bring them in here.",
                "Under ",
                statements,
                ". You see what they hold before anything is stored.",
            ),
        ),
        _soft(
            "A program can do so with a key of yours (",
            element("a", "Settings, Developer", href=DEVELOPER),
            "): ",
            command(send),
        ),
    )


def _steps(*steps: Markup) -> Markup:
    return element("ol", *steps, class_="steps")


def _step(title: str, *told: str, line: str | None = None) -> Markup:
    typed = None if line is None else element("p", command(line))
    return element("li", element("h2", title), _soft(*told), typed)


def _soft(*said: str) -> Markup:
    return element("p", *said, class_="soft")


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
        return await _taken(visit, typed)
    except Fault as fault:
        if not wants_page(visit.request):
            raise
        return await _tasks_page(visit, fault)


async def _taken(visit: Visit, typed: frame.TypedForm) -> web.Response:
    does, key = typed.one("do"), typed.one(drawing.ID)
    if does in {drawing.SAME, drawing.DIFFERENT}:
        verdict = "same" if does == drawing.SAME else "different"
        await visit.perform(
            DECIDE_DUPLICATE, frame.asked(DuplicateVerdict, id=key, verdict=verdict)
        )
        return frame.see_other(f"{frame.TASKS}?{DONE}={does}")
    if does == drawing.UNDO:
        await visit.perform(UNDO_ANSWER, frame.asked(TaskId, id=key))
        return frame.see_other(f"{frame.TASKS}?{DONE}={does}")
    if does == drawing.DISMISS:
        await visit.perform(ANSWER_TASK, frame.asked(TaskAnswer, id=key, dismiss="true"))
    elif does == drawing.EACH:
        await visit.perform(ANSWER_TASK, frame.asked(TaskAnswer, id=key, each="true"))
    elif does == drawing.KEEP:
        await visit.perform(ANSWER_TASK, _answer(visit, typed))
    elif does == drawing.LOOK:
        return await _look_before_keeping(visit, _answer(visit, typed))
    else:
        raise BadRequest("This form asks for nothing that can be done here. Open the page again.")
    return frame.see_other(f"{frame.TASKS}?{DONE}={drawing.KEEP}")


def _answer(visit: Visit, typed: frame.TypedForm) -> TaskAnswer:
    category = typed.maybe(drawing.CATEGORY)
    if category is None:
        raise BadRequest("Choose a category first, or leave the question open.")
    answer = frame.asked(
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
    task = next((each for each in tasks if each.id == ask.id), None)
    if task is None:
        raise BadRequest("This question is no longer open. The others are below.")
    back = element("a", "Back to the questions", href=frame.TASKS, class_="button")
    return frame.page(
        "What it moves",
        frame.heading("Questions", "Nothing is kept yet."),
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
        "Questions",
        frame.heading("Questions", view.lead(len(tasks))),
        _said_done(visit, answered, asking) if fault is None else None,
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
    found: tuple[Duplicate, ...] = await visit.perform(LIST_DUPLICATES, query)
    if not found:
        return None
    listed: tuple[Account, ...] = await visit.perform(LIST_ACCOUNTS)
    accounts = {each.id: each for each in listed}
    return drawing.which_accounts(found, accounts, partial(frame.form, visit, frame.TASKS))


def _said_done(
    visit: Visit, answered: tuple[Task, ...], asking: drawing.TaskForms
) -> Markup | None:
    """What was done just now, by what the store has of it."""
    did = visit.request.query.get(DONE)
    if did == drawing.SAME:
        return done("They are one account now, for good.")
    if did == drawing.DIFFERENT:
        return done("Both count, for good.")
    if did == drawing.UNDO:
        return done("Taken back; the question is open again.")
    if did != drawing.KEEP or not answered:
        return None
    said = view.kept(answered[0], asking.labels, asking.how)
    return done(said, " ", element("a", "See your plan", href=frame.HOME), ".")


def _open_tasks(visit: Visit, tasks: tuple[Task, ...], asking: drawing.TaskForms) -> list[Markup]:
    if not tasks:
        way = element("a", "Your plan", href=frame.HOME)
        bring = element("a", "bring statements in", href=frame.STATEMENTS)
        return [element("p", way, " counts with all of it. New ones come when you ", bring, ".")]
    ids = [each.id for each in tasks]
    after = visit.request.query.get(AFTER)
    # A question that was answered meanwhile is no place to go on from.
    begin = ids.index(after) + 1 if after in ids else 0
    shown = tasks[begin : begin + TASKS_AT_ONCE]
    drawn = [drawing.questions(shown, asking)]
    left = len(tasks) - begin - len(shown)
    ways = []
    if begin:
        ways.append(element("a", "Back to the first ones", href=frame.TASKS, class_="button"))
    if left:
        further = f"{frame.TASKS}?{urlencode({AFTER: shown[-1].id})}"
        ways.append(element("a", f"Skip these: {left} more", href=further, class_="button"))
    return [*drawn, element("p", *ways, class_="acts")] if ways else drawn
