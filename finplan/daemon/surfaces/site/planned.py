"""The page of planned money: what is planned, added, changed and removed by forms."""

from finplan.daemon.surfaces.pages.drawing import thing
from finplan.daemon.surfaces.pages.markup import Markup, button, element, join_markup
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model import planned
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest
from finplan.model.money import typed_amount
from finplan.operation import Made
from finplan.operations import category, person, plan as rows
from finplan.views import planned as view
from finplan.views.page import plain
from finplan.views.plan_text import OFTEN

ADD, MOVE, HAPPENED, REMOVE = "add-planned", "move-planned", "happened-planned", "remove-planned"

_DIRECTIONS = {"out": "A payment", "in": "Money that you expect to receive"}


async def _draw_planned(visit: Visit, typed: frame.TypedForm) -> Markup:
    listed: tuple[planned.PlannedRecord, ...] = await visit.perform(rows.LIST_PLANNED)
    notes = [
        element("p", element("bdi", plain(sentence.words)))
        for sentence in view.explain_listed(listed, visit.how)
    ]
    listing = settings_page.part(
        "planned",
        "Planned money",
        settings_page.things(
            [_planned(visit, record) for record in listed], "No planned money yet."
        ),
        *notes,
    )
    return join_markup(listing, await _adding(visit, typed))


def _planned(visit: Visit, record: planned.PlannedRecord) -> Markup:
    spoken = f"of {record.name}"
    facts: list[str | None] = [
        view.signed(record, visit.how).text,
        view.when(record),
        view.often(record),
        f"{visit.how.money(record.monthly)} a month set aside" if record.monthly else None,
        None if record.status == "planned" else record.status,
    ]
    acts = [
        settings_page.draw_disclosure(
            "Change date …",
            spoken,
            settings_page.form_about(
                visit,
                settings_page.PLANNED,
                record.id,
                *_when_fields(f"of-{record.id}"),
                button("Save date", MOVE, "main"),
            ),
        ),
        settings_page.ending(
            visit,
            settings_page.PLANNED,
            REMOVE,
            record.id,
            "Remove",
            spoken,
            "Remove planned money",
            "Your transactions stay.",
        ),
    ]
    if record.every is None and record.status != "happened":
        acts.insert(
            0,
            settings_page.form_about(
                visit, settings_page.PLANNED, record.id, button("It happened", HAPPENED)
            ),
        )
    return thing(element("bdi", record.name), facts, *acts)


def _when_fields(at: str) -> tuple[Markup, Markup]:
    """A date, or the month where the day is open."""
    return (
        _field(at, "date", "Date", "Leave empty if you know only the month.", type_="date"),
        _field(
            at,
            "month",
            "Month",
            "Only if the day is open. Write it like 2027-07.",
            pattern="[0-9]{4}-[0-9]{2}",
            maxlength=7,
        ),
    )


def _field(at: str, name: str, label: str, hint: str, **how: str | int) -> Markup:
    key = f"{name}-{at}"
    return element(
        "div",
        element("label", label, for_=key),
        element("p", hint, class_="hint", id=f"{key}-hint"),
        element("input", id=key, name=name, aria_describedby=f"{key}-hint", **how),
        class_="field",
    )


async def _adding(visit: Visit, typed: frame.TypedForm) -> Markup:
    choices = await visit.perform(category.LIST_CATEGORIES)
    labels = {"": "No category"} | {choice.category: choice.label for choice in choices}
    return settings_page.part(
        "add",
        "Plan a payment or income",
        frame.form(
            visit,
            settings_page.PLANNED,
            _select("direction", "Kind", _DIRECTIONS, typed),
            frame.text_field(
                "name", "Name", typed.maybe("name") or "", maxlength=200, required=True
            ),
            frame.text_field(
                "amount",
                "Amount",
                typed.maybe("amount") or "",
                hint="For example 1,840.25.",
                inputmode="decimal",
                autocomplete="off",
                required=True,
            ),
            *_when_fields("new"),
            _select("every", "How often", {"": "Once"} | _cadences(), typed),
            _select("category", "Category", labels, typed),
            button("Add planned money", ADD, "main"),
        ),
        lead=(
            "Your forecast shows it on its date, and your plan sets aside a part of planned payments"
            " each month. finplan recognizes the transaction by its category, or by a payee with a"
            " word of its name."
        ),
    )


def _cadences() -> dict[str, str]:
    return {key: text.capitalize() for key, text in OFTEN.items()}


def _select(name: str, label: str, choices: dict[str, str], typed: frame.TypedForm) -> Markup:
    chosen = typed.maybe(name) or ""
    options = (
        element("option", text, value=key, selected=key == chosen) for key, text in choices.items()
    )
    return element(
        "div",
        element("label", label, for_=name),
        element("select", *options, id=name, name=name),
        class_="field",
    )


def _when(typed: frame.TypedForm) -> dict[str, str]:
    """The date or the month that was typed. Raises BadRequest where it is not one of them."""
    typed_when = {
        name: text for name in ("date", "month") if (text := (typed.maybe(name) or "").strip())
    }
    if len(typed_when) != 1:
        raise BadRequest("Give either a date or a month.")
    return typed_when


async def _add(visit: Visit, typed: frame.TypedForm) -> str:
    currency = (await visit.perform(person.SHOW_SETTINGS, Nothing())).currency
    try:
        amount = typed_amount(typed.one("amount"), currency, "The amount")
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from None
    ask = frame.build_ask(
        planned.NewPlanned,
        name=typed.one("name").strip(),
        amount=amount,
        direction=typed.one("direction"),
        every=typed.maybe("every") or None,
        category=typed.maybe("category") or None,
        **_when(typed),
    )
    created: Made[planned.PlannedRecord] = await visit.perform(rows.ADD_PLANNED, ask)
    return "added" if created.new else "saved"


async def _move(visit: Visit, typed: frame.TypedForm) -> str:
    ask = frame.build_ask(planned.PlannedChange, id=typed.one("id"), **_when(typed))
    await visit.perform(rows.CHANGE_PLANNED, ask)
    return "saved"


PLANNED_PAGE = settings_page.SettingsPage(
    settings_page.PLANNED,
    _draw_planned,
    {
        ADD: _add,
        MOVE: _move,
        HAPPENED: settings_page.acting(rows.CHANGE_PLANNED, "happened", happened=True),
        REMOVE: settings_page.acting(rows.REMOVE_PLANNED, "removed"),
    },
    {
        "added": "Planned money added. Your forecast and your plan include it.",
        "saved": "Date saved.",
        "happened": "Marked as happened.",
        "removed": "Planned money removed.",
    },
)
