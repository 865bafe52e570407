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
from finplan.daemon.surfaces.site.desk import HeldBatch, Visit
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
    shown = list(islice(import_questions.to_be_asked(questions), ASKED_AT_ONCE))
    asked = [
        {
            "about": each.first.about,
            "files": [own.file for own in each.asked],
            "alike": [own.file for group in each.alike for own in group],
        }
        for each in shown
    ]
    return [hidden(ASKED, json.dumps(asked)), *(_fieldset(*each) for each in enumerate(shown))]


def answers_typed(typed: frame.TypedForm) -> list[statement.ImportAnswer]:
    """All that a form answers, on its page and on those before. Raises BadRequest.

    What was left open is asked again. An answer that is for the other files as well gives way to what
    was chosen for one of them.
    """
    try:
        carried, asked = _carried(typed), json.loads(typed.one(ASKED) or "[]")
        own, for_others = [], []
        for place, each in enumerate(asked):
            value = _value_chosen(typed, place, each["about"])
            if value is not None:
                own += _answers(each["files"], each["about"], value)
                others = each["alike"] if typed.one(f"{_ALIKE}-{place}") else []
                for_others += _answers(others, each["about"], value)
    except (ValueError, TypeError, KeyError) as error:
        raise BadRequest("These are not the fields of this form. Open the page again.") from error
    taken = {(each.file, each.about) for each in own}
    return [*carried, *own, *(each for each in for_others if (each.file, each.about) not in taken)]


def _carried(typed: frame.TypedForm) -> list[statement.ImportAnswer]:
    """What was answered on the pages before."""
    carried = {"answers": typed.one(ANSWERS) or "[]"}
    return list(statement.ImportRequest.model_validate(carried).answers or ())


def _answers(
    files: Sequence[int], about: statement.QuestionAbout, value: str
) -> list[statement.ImportAnswer]:
    return [statement.ImportAnswer(file=file, about=about, value=value) for file in files]


def _value_chosen(typed: frame.TypedForm, place: int, about: str) -> str | None:
    written = typed.maybe(f"{_TYPED_VALUE}-{place}")
    if written is None:
        return typed.maybe(f"{_CHOSEN_VALUE}-{place}")
    return import_questions.written(about, written)


def _fieldset(place: int, asked: import_questions.AskedQuestion) -> Markup:
    typed, alike = f"{_TYPED_VALUE}-{place}", f"{_ALIKE}-{place}"
    return element(
        "fieldset",
        element("legend", name(asked.files), ": ", sentence(asked.first.text)),
        *(_choice(place, number, each) for number, each in enumerate(asked.first.choices)),
        asked.other and frame.text_field(typed, f"Or {asked.other}"),
        asked.also_for and _tick("checkbox", alike, alike, "yes", name(asked.also_for)),
        class_="question",
    )


def _choice(place: int, number: int, choice: statement.ImportChoice) -> Markup:
    field = f"{_CHOSEN_VALUE}-{place}"
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
    "imported": "The statements are imported. Your plan knows them from now on.",
    "dropped": "Nothing was imported, and the files are deleted.",
    "undone": "The import is taken back: everything is as it was before it.",
}


_QUESTIONS = (
    "Questions on your statements",
    "What the files do not say",
    "Only you know it, so nothing is assumed. Nothing is stored yet.",
)
_PREVIEW = (
    "Look at your statements",
    "This is what would come in",
    "Nothing is stored yet. Are days and amounts right?",
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
        return await _refused(visit, BadRequest("Choose one or more files first."))
    batch = await visit.desk.held.keep(visit.context.caller.owner, files)
    return await _look(visit, batch, ())


async def take_step(visit: Visit, typed: frame.TypedForm) -> web.Response:
    """Look again with what was answered, import, or leave it; or take an import back."""
    try:
        return await _step(visit, typed)
    except Fault as fault:
        return await _refused(visit, fault)


async def _step(visit: Visit, typed: frame.TypedForm) -> web.Response:
    does, owner = typed.one("do"), visit.context.caller.owner
    if does == "undo":
        await visit.perform(UNDO_IMPORT, statement.ImportId(id=typed.one("id")))
        return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=undone")
    if does == "drop":
        await visit.desk.held.forget(owner)
        return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=dropped")
    if does not in ("look", "import"):
        raise BadRequest("This form asks for nothing that can be done here. Open the page again.")
    token, answers = typed.one("batch"), answers_typed(typed)
    batch = visit.desk.held.find(owner, token)
    async with batch.busy:
        # Who clicks twice sends the form twice, and the first one may have ended the waiting.
        visit.desk.held.find(owner, token)
        if does == "look":
            return await _look(visit, batch, answers, before=_carried(typed))
        return await _import(visit, batch, answers, typed.one("digest"))


async def _import(
    visit: Visit, batch: HeldBatch, answers: Sequence[statement.ImportAnswer], digest: str
) -> web.Response:
    ask = statement.ImportRequest(digest=digest, answers=tuple(answers))
    try:
        await visit.desk.perform(visit.context, IMPORT_FILES, ask, batch.files)
    except Conflict as conflict:
        # What changed meanwhile, or was asked anew, is looked at once more.
        return await _look(visit, batch, answers, said=conflict)
    await visit.desk.held.forget(visit.context.caller.owner)
    return frame.see_other(f"{frame.STATEMENTS}?{settings_page.DONE}=imported")


async def _look(
    visit: Visit,
    batch: HeldBatch,
    answers: Sequence[statement.ImportAnswer],
    *,
    before: Sequence[statement.ImportAnswer] | None = None,
    said: Fault | None = None,
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
            put, on = put_questions(questions), button("Go on", "look", "main")
            return _step_page(visit, batch, answers, said, _QUESTIONS, None, *put, on)
        if before is not None and list(before) != list(answers):
            return await _look(visit, batch, before, said=fault)
        await visit.desk.held.forget(visit.context.caller.owner)
        return await _refused(visit, fault)
    new = imports.new_rows(report)
    label = f"Import {count(new, 'new row')}" if new else "Import, though no row is new"
    fields = hidden("digest", report.digest), button(label, "import", "main")
    shown = element("div", draw_page(imports.report(report)), class_="preview")
    return _step_page(visit, batch, answers, said, _PREVIEW, shown, *fields)


async def _refused(visit: Visit, fault: Fault) -> web.Response:
    if not wants_page(visit.request):
        raise fault
    return await _beginning(visit, fault=fault)


async def _beginning(
    visit: Visit, *, done: str | None = None, fault: Fault | None = None
) -> web.Response:
    records: tuple[statement.ImportRecord, ...] = await visit.perform(LIST_IMPORTS)
    return frame.page(
        "Statements",
        frame.heading("Statements", "Bring in what your bank lets you download."),
        _said_done(done),
        _choosing(visit),
        settings_page.part(
            "imports",
            "Brought in so far",
            settings_page.things([_imported(visit, each) for each in records], "Nothing yet."),
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
            hint=f"{STATEMENT_FORMATS}, or an export of another program; one or several. You see what"
            " they would bring before anything is stored.",
            type="file",
            multiple=True,
            required=True,
        ),
        button("Look at them", tone="main"),
        enctype="multipart/form-data",
    )


def _imported(visit: Visit, record: statement.ImportRecord) -> Markup:
    files = ", ".join(file.file for file in record.report.files)
    facts = [visit.moment(record.imported_at), count(imports.new_rows(record.report), "new row")]
    if record.undone_at is not None:
        return thing(element("bdi", files), [*facts, "taken back"], ended=True)
    act = settings_page.disclosed(
        "Take back …",
        f"the import of {files}",
        settings_page.form_about(
            visit,
            frame.STATEMENTS,
            record.id,
            button("Take this import back", "undo", "danger"),
        ),
    )
    return thing(element("bdi", files), [*facts], act)


def _step_page(
    visit: Visit,
    batch: HeldBatch,
    answers: Sequence[statement.ImportAnswer],
    said: Fault | None,
    titles: tuple[str, str, str],
    shown: Markup | None,
    *fields: Markup,
) -> web.Response:
    """A step with its titles, what it shows, and the fields of the form that leads on."""
    title, heading, lead = titles
    written = statement.ImportRequest(answers=tuple(answers)).model_dump()["answers"]
    carried = hidden("batch", batch.token), hidden(ANSWERS, written)
    leave = button("Import nothing", "drop", "quiet")
    return frame.page(
        title,
        frame.heading(heading, lead),
        shown,
        frame.form(visit, frame.STATEMENTS, *carried, *fields),
        frame.form(visit, frame.STATEMENTS, leave, class_="leaving"),
        visit=visit,
        here="statements",
        fault=said,
    )
