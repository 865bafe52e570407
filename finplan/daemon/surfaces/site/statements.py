"""The page that statements are brought in by: choose files, answer what they leave open, look, import.

Each step is a form that leads to the next one. What was answered goes along in the form, and the files
wait on the machine; nothing is stored before the person has seen what would come of it. The questions of
an import are fields of a form.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import islice

from aiohttp import web

from finplan import STATEMENT_FORMATS
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages import markup
from finplan.daemon.surfaces.pages.drawing import draw_page, thing
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, name, sentence
from finplan.daemon.surfaces.rest.uploads import Form
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.visit import HeldBatch, Visit
from finplan.model import statement
from finplan.model.errors import BadRequest, Conflict, Fault
from finplan.model.figures import count
from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT
from finplan.views import import_questions, imports

ASKED_AT_ONCE = 12
"""How many questions a page puts: a form has a bound on its fields, and a person on their patience."""

_CHOSEN_VALUE, _TYPED_VALUE, _ALIKE, ASKED, ANSWERS = "chosen", "typed", "alike", "asked", "answers"


def put_questions(questions: Sequence[statement.ImportQuestion]) -> list[Markup]:
    """The questions to be asked now, each with its choices; the others come on the next page."""
    batch = list(islice(import_questions.list_askable(questions), ASKED_AT_ONCE))
    records = [
        {
            "about": question.first.about,
            "files": [own.file for own in question.questions],
            "alike": [own.file for group in question.alike for own in group],
        }
        for question in batch
    ]
    return [hidden(ASKED, json.dumps(records)), *(_fieldset(*pair) for pair in enumerate(batch))]


def read_answers(typed: frame.TypedForm) -> list[statement.ImportAnswer]:
    """All that a form answers, on its page and on those before. Raises BadRequest.

    What was left open is asked again. An answer that is for the other files as well gives way to what
    was chosen for one of them.
    """
    try:
        carried, questions = _read_earlier(typed), json.loads(typed.one(ASKED) or "[]")
        own, for_others = [], []
        for index, question in enumerate(questions):
            value = _read_value(typed, index, question["about"])
            if value is not None:
                own += _answers(question["files"], question["about"], value)
                others = question["alike"] if typed.one(f"{_ALIKE}-{index}") else []
                for_others += _answers(others, question["about"], value)
    except (ValueError, TypeError, KeyError) as error:
        raise BadRequest("This form is incomplete. Open the page again.") from error
    taken = {(answer.file, answer.about) for answer in own}
    return [
        *carried,
        *own,
        *(answer for answer in for_others if (answer.file, answer.about) not in taken),
    ]


def _read_earlier(typed: frame.TypedForm) -> list[statement.ImportAnswer]:
    """What was answered on the pages before."""
    carried = {"answers": typed.one(ANSWERS) or "[]"}
    return list(statement.ImportRequest.model_validate(carried).answers or ())


def _answers(
    files: Sequence[int], about: statement.QuestionAbout, value: str
) -> list[statement.ImportAnswer]:
    return [statement.ImportAnswer(file=file, about=about, value=value) for file in files]


def _read_value(typed: frame.TypedForm, index: int, about: str) -> str | None:
    written = typed.maybe(f"{_TYPED_VALUE}-{index}")
    if written is None:
        return typed.maybe(f"{_CHOSEN_VALUE}-{index}")
    return import_questions.written(about, written)


def _fieldset(index: int, question: import_questions.AskedQuestion) -> Markup:
    typed, alike = f"{_TYPED_VALUE}-{index}", f"{_ALIKE}-{index}"
    return element(
        "fieldset",
        element("legend", name(question.files), ": ", sentence(question.first.text)),
        *(_choice(index, number, choice) for number, choice in enumerate(question.first.choices)),
        question.other and frame.text_field(typed, f"Or {question.other}"),
        question.also_for and _tick("checkbox", alike, alike, "yes", name(question.also_for)),
        class_="question",
    )


def _choice(index: int, number: int, choice: statement.ImportChoice) -> Markup:
    field = f"{_CHOSEN_VALUE}-{index}"
    sample = None if choice.sample is None else element("span", name(choice.sample), class_="hint")
    return _tick("radio", f"{field}-{number}", field, choice.value, name(choice.label), sample)


def _tick(kind: str, key: str, field: str, value: str, *label: Markup | None) -> Markup:
    return element(
        "div",
        element("input", type=kind, id=key, name=field, value=value),
        element("label", *label, for_=key),
        class_="tick",
    )


FILES = f"{frame.STATEMENTS}/files"
"""Where files are sent to."""

_DONE: Mapping[str, str] = {
    "imported": "Imported. Your plan includes the new transactions.",
    "dropped": "Nothing was imported. The files are deleted.",
    "undone": "Import undone.",
}


_QUESTIONS = (
    "Questions about your files",
    "Questions about your files",
    "Your files do not answer these questions. Nothing is imported yet.",
)
_PREVIEW = (
    "Preview your import",
    "Preview your import",
    "Check the days and amounts. Nothing is imported yet.",
)


async def show_statements(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """The page to begin with, and what was imported so far."""
    return await _beginning(visit, done=_DONE.get(visit.request.query.get(settings_page.DONE, "")))


async def lead_to_statements(_visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """Where who signed in anew is led that had chosen files: they have to be chosen once more."""
    return frame.see_other(frame.STATEMENTS)


async def take_files(visit: Visit, sent: Form) -> web.Response:
    """Look at files that were chosen."""
    # A form in which nothing was chosen sends one file without a name or a content.
    files = [file for file in sent.files if file.path.stat().st_size or file.name != "upload"]
    if not files:
        return await _draw_refusal(visit, BadRequest("Choose one or more files first."))
    batch = await visit.desk.held.keep(visit.context.caller.owner, files)
    return await _look(visit, batch, ())


async def take_step(visit: Visit, typed: frame.TypedForm) -> web.Response:
    """Look again with what was answered, import, or leave it; or take an import back."""
    try:
        return await _step(visit, typed)
    except Fault as fault:
        return await _draw_refusal(visit, fault)


async def _step(visit: Visit, typed: frame.TypedForm) -> web.Response:
    does, owner = typed.one("do"), visit.context.caller.owner
    if does == "undo":
        await visit.perform(UNDO_IMPORT, statement.ImportId(id=typed.one("id")))
        return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=undone")
    if does == "drop":
        await visit.desk.held.forget(owner)
        return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=dropped")
    if does not in ("look", "import"):
        raise BadRequest("This form is out of date. Open the page again.")
    token, answers = typed.one("batch"), read_answers(typed)
    batch = visit.desk.held.find(owner, token)
    async with batch.busy:
        # Who clicks twice sends the form twice, and the first one may have ended the waiting.
        visit.desk.held.find(owner, token)
        if does == "look":
            return await _look(visit, batch, answers, before=_read_earlier(typed))
        return await _import(visit, batch, answers, typed.one("digest"))


async def _import(
    visit: Visit, batch: HeldBatch, answers: Sequence[statement.ImportAnswer], digest: str
) -> web.Response:
    ask = statement.ImportRequest(digest=digest, answers=tuple(answers))
    try:
        await visit.desk.perform(visit.context, IMPORT_FILES, ask, batch.files)
    except Conflict as conflict:
        # What changed meanwhile, or was asked anew, is looked at once more.
        return await _look(visit, batch, answers, problem=conflict)
    await visit.desk.held.forget(visit.context.caller.owner)
    return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=imported")


async def _look(
    visit: Visit,
    batch: HeldBatch,
    answers: Sequence[statement.ImportAnswer],
    *,
    before: Sequence[statement.ImportAnswer] | None = None,
    problem: Fault | None = None,
) -> web.Response:
    """What files leave open, or what they would bring; an answer that is none is asked once more."""
    ask = statement.ImportRequest(dry_run=True, answers=tuple(answers))
    try:
        report: statement.ImportReport = await visit.desk.perform(
            visit.context, IMPORT_FILES, ask, batch.files
        )
    except Fault as fault:
        questions = import_questions.questions_of(fault.data)
        if questions:
            put, on = put_questions(questions), button("Continue", "look", "main")
            return _step_page(visit, batch, answers, problem, _QUESTIONS, None, *put, on)
        if before is not None and list(before) != list(answers):
            return await _look(visit, batch, before, problem=fault)
        await visit.desk.held.forget(visit.context.caller.owner)
        return await _draw_refusal(visit, fault)
    new = imports.new_rows(report)
    label = f"Import {count(new, 'transaction')}" if new else "Import anyway"
    fields = hidden("digest", report.digest), button(label, "import", "main")
    preview = element("div", draw_page(imports.report(report)), class_="preview")
    return _step_page(visit, batch, answers, problem, _PREVIEW, preview, *fields)


async def _draw_refusal(visit: Visit, fault: Fault) -> web.Response:
    if not wants_page(visit.request):
        raise fault
    return await _beginning(visit, fault=fault)


async def _beginning(
    visit: Visit, *, done: str | None = None, fault: Fault | None = None
) -> web.Response:
    records: tuple[statement.ImportRecord, ...] = await visit.perform(LIST_IMPORTS)
    return frame.page(
        "Imports",
        frame.heading("Imports", "Import files that you downloaded from your bank."),
        _said_done(done),
        _choosing(visit),
        settings_page.part(
            "imports",
            "Past imports",
            settings_page.things(
                [_draw_import(visit, record) for record in records], "No imports yet."
            ),
        ),
        visit=visit,
        here="statements",
        fault=fault,
    )


def _said_done(done: str | None) -> Markup | None:
    if done is None:
        return None
    way = element("a", "Go to your plan", href=frame.HOME)
    return markup.done(f"{done} ", way, ".")


def _choosing(visit: Visit) -> Markup:
    return frame.form(
        visit,
        FILES,
        frame.text_field(
            "file",
            "Files",
            hint=f"One or more files: {STATEMENT_FORMATS}, or files exported from other programs. You"
            " see a preview before anything is imported.",
            type="file",
            multiple=True,
            required=True,
        ),
        button("Preview", tone="main"),
        enctype="multipart/form-data",
    )


def _draw_import(visit: Visit, record: statement.ImportRecord) -> Markup:
    files = ", ".join(file.file for file in record.report.files)
    new = count(imports.new_rows(record.report), "transaction")
    facts = [visit.moment(record.imported_at), new]
    if record.undone_at is not None:
        return thing(element("bdi", files), [*facts, "undone"], ended=True)
    act = settings_page.draw_disclosure(
        "Undo …",
        f"the import of {files}",
        settings_page.form_about(
            visit,
            frame.STATEMENTS,
            record.id,
            button("Undo this import", "undo", "danger"),
        ),
    )
    return thing(element("bdi", files), [*facts], act)


def _step_page(
    visit: Visit,
    batch: HeldBatch,
    answers: Sequence[statement.ImportAnswer],
    fault: Fault | None,
    titles: tuple[str, str, str],
    preview: Markup | None,
    *fields: Markup,
) -> web.Response:
    """A step with its titles, what it shows, and the fields of the form that leads on."""
    title, heading, lead = titles
    written = statement.ImportRequest(answers=tuple(answers)).model_dump()["answers"]
    carried = hidden("batch", batch.token), hidden(ANSWERS, written)
    leave = button("Cancel", "drop", "quiet")
    return frame.page(
        title,
        frame.heading(heading, lead),
        preview,
        frame.form(visit, frame.STATEMENTS, *carried, *fields),
        frame.form(visit, frame.STATEMENTS, leave, class_="leaving"),
        visit=visit,
        here="statements",
        fault=fault,
    )
