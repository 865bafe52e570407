"""The questions that only the person can answer, as forms: each says what it moves before it is kept.

Accounts that a bank lists under new ids are asked about as well: which of those that were there each is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from finplan.daemon.surfaces.pages.drawing import draw_blocks, words
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    button,
    element,
    hidden,
    joined,
    name,
    section,
)
from finplan.model import figures
from finplan.model.account import Account
from finplan.model.category import CategoryChoice
from finplan.model.detection import Duplicate, DuplicateSide, Transfer
from finplan.model.task import CategorizePayee, Effect, ReconnectConnection, Task, TaskAnswer
from finplan.views import tasks as view
from finplan.views.answering import ENTER, choices
from finplan.views.locale import Locale

ID, CATEGORY, DIRECTION, AMOUNT = "id", "category", "direction", "amount"
"""The fields of a question's form."""

LOOK, KEEP, EACH, DISMISS, UNDO = "look", "keep", "each", "dismiss", "undo"
"""What the buttons do."""


@dataclass(frozen=True, slots=True)
class TaskForms:
    """What questions are drawn with: the writing of figures, the categories, and what makes a form.

    `candidates` are the transfers in doubt.
    """

    how: Locale
    choices: Sequence[CategoryChoice]
    form: Callable[..., Markup]
    candidates: Sequence[Transfer] = ()

    @property
    def labels(self) -> dict[str, str]:
        """What the categories are called, by id."""
        return {each.category: each.label for each in self.choices}


def questions(tasks: Sequence[Task], asking: TaskForms) -> Markup:
    """Questions, each with what is known of it and a form for its answer."""
    asked = (_question(place, task, asking) for place, task in enumerate(tasks))
    return element("div", *asked, class_="asked")


def _question(place: int, task: Task, asking: TaskForms) -> Markup:
    form = None
    if isinstance(task, CategorizePayee):
        form = _answering(place, task, asking)
    elif not isinstance(task, ReconnectConnection):
        form = asking.form(hidden(ID, task.id), _acts(button("Do not ask again", DISMISS)))
    known = draw_blocks(view.asked(task, asking.how, (), asking.candidates))
    return _card(f"question-{place}", words(view.question(task)), known, form)


def _card(key: str, title: Markup, *content: str | None, anchor: str | None = None) -> Markup:
    """A part of a page that asks something; `key` is what its title is known by."""
    heading = element("h2", title, id=key)
    return element("section", heading, *content, aria_labelledby=key, class_="card", id=anchor)


def _acts(*buttons: Markup | None) -> Markup:
    return element("div", *buttons, class_="acts")


def _heard(*said: str) -> Markup:
    """What only those are told who hear a page."""
    return element("span", *said, class_="heard")


def _answering(place: int, task: CategorizePayee, asking: TaskForms) -> Markup:
    who = _heard(" for ", name(task.payee))
    each = button(joined("Ask about each row", who), EACH) if task.count > 1 else None
    ways = (_option(way, label) for way, label in view.DIRECTIONS.items())
    return asking.form(
        hidden(ID, task.id),
        _field(f"{CATEGORY}-{place}", "File it under", who, _options(task, asking.choices)),
        element(
            "details",
            element("summary", "Not all of it is the same", who),
            _field(f"{DIRECTION}-{place}", "Which money", who, tuple(ways)),
            _field(f"{AMOUNT}-{place}", "Of exactly this amount", who, None),
        ),
        _acts(
            button(joined("See what it moves", who), LOOK, "main"),
            each,
            button(joined("Do not ask again", who), DISMISS),
        ),
    )


def _field(key: str, label: str, who: Markup, options: Sequence[Markup] | None) -> Markup:
    """A field of one of several options, or of an amount."""
    field, hint = key.partition("-")[0], f"{key}-hint"
    amount = {"type": "text", "inputmode": "text", "autocomplete": "off", "aria_describedby": hint}
    said = "Such as 12.50, and -12.50 for money that comes in. Empty for any."
    return element(
        "div",
        element("label", label, who, for_=key),
        element("p", said, class_="hint", id=hint) if options is None else None,
        element("input", id=key, name=field, **amount)
        if options is None
        else element("select", *options, id=key, name=field),
        class_="field",
    )


def _option(value: str, label: str, *, selected: bool = False) -> Markup:
    return element("option", label, value=value, selected=selected)


def _options(task: CategorizePayee, all_of_them: Sequence[CategoryChoice]) -> list[Markup]:
    """The categories, the likely ones first; what is not likely is chosen by nobody but the person."""
    offered = choices(task)
    near = (
        _option(
            each.category,
            f"{each.label} ({each.sure})" if each.sure else each.label,
            selected=each.key == ENTER,
        )
        for each in offered
    )
    every = (_option(each.category, each.label) for each in all_of_them)
    return [
        _option("", "Choose a category", selected=offered[0].key != ENTER),
        element("optgroup", *near, label="Perhaps"),
        element("optgroup", *every, label="All categories"),
    ]


# --- before and after ----------------------------------------------------------------------------


def before_keeping(
    task: Task, ask: TaskAnswer, effect: Effect, asking: TaskForms, back: Markup
) -> Markup:
    """What an answer would move, and a form that keeps it, beside the way `back`."""
    category, how = ask.answer or "", asking.how
    choice = next((each for each in asking.choices if each.category == category), None)
    label = name(category if choice is None else choice.label)
    part = view.part_of_it(ask.direction, ask.amount, how)
    typed = "" if ask.amount is None else figures.number(ask.amount, how.currency)
    return _card(
        "keeping",
        joined("File ", name(view.about(task)), " under ", label, "?"),
        element("p", part, class_="soft") if part else None,
        element("p", view.effect_said(effect, how, choice), class_="effect"),
        asking.form(
            hidden(ID, ask.id),
            hidden(CATEGORY, category),
            hidden(DIRECTION, ask.direction),
            hidden(AMOUNT, typed),
            _acts(button("Keep this answer", KEEP, "main"), back),
        ),
    )


def answered(tasks: Sequence[Task], asking: TaskForms) -> Markup:
    """What the person has answered, newest first, each to be taken back."""
    rows = (
        element(
            "li",
            element(
                "div", element("p", name(view.kept(task, asking.labels, asking.how))), class_="told"
            ),
            asking.form(
                hidden(ID, task.id),
                button(
                    joined("Take back", _heard(" the answer about ", name(view.about(task)))), UNDO
                ),
                class_="confirm",
            ),
        )
        for task in tasks
    )
    return element("ul", *rows, class_="things")


def lately(tasks: Sequence[Task], asking: TaskForms) -> Markup | None:
    """What was answered, set apart from what is asked; nothing where nothing was."""
    if not tasks:
        return None
    return section("answered", "Answered lately", answered(tasks, asking))


PAIR_ID, SAME, DIFFERENT = "id", "same_account", "different_account"
"""The field of a form, and what its buttons do."""


def which_accounts(
    duplicates: Sequence[Duplicate], accounts: Mapping[str, Account], form: Callable[..., Markup]
) -> Markup:
    """Ask of each two whether they are one account."""
    return _card(
        "relinked-title",
        Markup("Which account is which?"),
        element(
            "p",
            "A bank gave its accounts new ids, and nothing tells which of these is which. Two that you"
            " say are one become one for good. Until you say, the new one is in no total.",
        ),
        *(_account_asked(each, accounts, form) for each in duplicates),
        anchor="relinked",
    )


def _account_asked(
    duplicate: Duplicate, accounts: Mapping[str, Account], form: Callable[..., Markup]
) -> Markup:
    former = _account_told(duplicate.kept, duplicate, accounts)
    listed = _account_told(duplicate.other, duplicate, accounts)
    about = _heard(" (", former, " and ", listed, ")")
    return form(
        hidden(PAIR_ID, duplicate.id),
        element("p", "Is ", former, " now the new ", listed, "?"),
        _acts(
            button(element("span", "They are one", about), SAME, "main"),
            button(element("span", "They are two", about), DIFFERENT),
        ),
    )


def _account_told(
    side: DuplicateSide, duplicate: Duplicate, accounts: Mapping[str, Account]
) -> Markup:
    account = accounts.get(side.account_id)
    called = f"{side.institution_name} {side.account_name}"
    if account is None or account.balance is None:
        return name(called)
    return name(f"{called} ({figures.money(account.balance, duplicate.currency)})")
