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
    join_markup,
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
        return {choice.category: choice.label for choice in self.choices}


def questions(tasks: Sequence[Task], asking: TaskForms) -> Markup:
    """Questions, each with what is known of it and a form for its answer."""
    cards = (_question(index, task, asking) for index, task in enumerate(tasks))
    return element("div", *cards, class_="asked")


def _question(index: int, task: Task, asking: TaskForms) -> Markup:
    form = None
    if isinstance(task, CategorizePayee):
        form = _answering(index, task, asking)
    elif not isinstance(task, ReconnectConnection):
        form = asking.form(hidden(ID, task.id), _acts(button("Dismiss", DISMISS)))
    lines = draw_blocks(view.question_lines(task, asking.how, (), asking.candidates))
    return _card(f"question-{index}", words(view.question(task)), lines, form)


def _card(key: str, title: Markup, *content: str | None, anchor: str | None = None) -> Markup:
    """A part of a page that asks something; `key` is what its title is known by."""
    heading = element("h2", title, id=key)
    return element("section", heading, *content, aria_labelledby=key, class_="card", id=anchor)


def _acts(*buttons: Markup | None) -> Markup:
    return element("div", *buttons, class_="acts")


def _heard(*texts: str) -> Markup:
    """What only those are told who hear a page."""
    return element("span", *texts, class_="heard")


def _answering(index: int, task: CategorizePayee, asking: TaskForms) -> Markup:
    who = _heard(" for ", name(task.payee))
    ask_each = button(join_markup("Ask individually", who), EACH) if task.count > 1 else None
    ways = (_option(way, label) for way, label in view.DIRECTIONS.items())
    return asking.form(
        hidden(ID, task.id),
        _field(f"{CATEGORY}-{index}", "Category", who, _options(task, asking.choices)),
        element(
            "details",
            element("summary", "Only some transactions", who),
            _field(f"{DIRECTION}-{index}", "Direction", who, tuple(ways)),
            _field(f"{AMOUNT}-{index}", "Exact amount", who, None),
        ),
        _acts(
            button(join_markup("Preview", who), LOOK, "main"),
            ask_each,
            button(join_markup("Dismiss", who), DISMISS),
        ),
    )


def _field(key: str, label: str, who: Markup, options: Sequence[Markup] | None) -> Markup:
    """A field of one of several options, or of an amount."""
    field, hint = key.partition("-")[0], f"{key}-hint"
    amount = {"type": "text", "inputmode": "text", "autocomplete": "off", "aria_describedby": hint}
    example = "Such as 12.50, or -12.50 for money in. Leave empty for any amount."
    return element(
        "div",
        element("label", label, who, for_=key),
        element("p", example, class_="hint", id=hint) if options is None else None,
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
            choice.category,
            f"{choice.label} ({choice.sure})" if choice.sure else choice.label,
            selected=choice.key == ENTER,
        )
        for choice in offered
    )
    every = (_option(choice.category, choice.label) for choice in all_of_them)
    return [
        _option("", "Choose a category", selected=offered[0].key != ENTER),
        element("optgroup", *near, label="Suggestions"),
        element("optgroup", *every, label="All categories"),
    ]


# --- before and after ----------------------------------------------------------------------------


def before_keeping(
    task: Task, ask: TaskAnswer, effect: Effect, asking: TaskForms, back: Markup
) -> Markup:
    """What an answer would move, and a form that keeps it, beside the way `back`."""
    category, how = ask.answer or "", asking.how
    choice = next((choice for choice in asking.choices if choice.category == category), None)
    label = name(category if choice is None else choice.label)
    part = view.part_of_it(ask.direction, ask.amount, how)
    typed = "" if ask.amount is None else figures.number(ask.amount, how.currency)
    return _card(
        "keeping",
        join_markup("Put ", name(view.about(task)), " in ", label, "?"),
        element("p", part, class_="soft") if part else None,
        element("p", view.describe_effect(effect, how, choice), class_="effect"),
        asking.form(
            hidden(ID, ask.id),
            hidden(CATEGORY, category),
            hidden(DIRECTION, ask.direction),
            hidden(AMOUNT, typed),
            _acts(button("Save", KEEP, "main"), back),
        ),
    )


def answered(tasks: Sequence[Task], asking: TaskForms) -> Markup:
    """What the person has answered, newest first, each to be taken back."""
    rows = (
        element(
            "li",
            element(
                "div",
                element("p", name(view.describe_decision(task, asking.labels, asking.how))),
                class_="told",
            ),
            asking.form(
                hidden(ID, task.id),
                button(
                    join_markup("Undo", _heard(" the answer about ", name(view.about(task)))), UNDO
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
    return section("answered", "Recently answered", answered(tasks, asking))


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
            "Your bank gave your accounts new ids. Until you answer, totals exclude the new account."
            " You cannot undo merging two accounts.",
        ),
        *(_ask_account(duplicate, accounts, form) for duplicate in duplicates),
        anchor="relinked",
    )


def _ask_account(
    duplicate: Duplicate, accounts: Mapping[str, Account], form: Callable[..., Markup]
) -> Markup:
    former = _describe_account(duplicate.kept, duplicate, accounts)
    listed = _describe_account(duplicate.other, duplicate, accounts)
    about = _heard(" (", former, " and ", listed, ")")
    return form(
        hidden(PAIR_ID, duplicate.id),
        element("p", "Are ", former, " and the new ", listed, " the same account?"),
        _acts(
            button(element("span", "Same account", about), SAME, "main"),
            button(element("span", "Different accounts", about), DIFFERENT),
        ),
    )


def _describe_account(
    side: DuplicateSide, duplicate: Duplicate, accounts: Mapping[str, Account]
) -> Markup:
    account = accounts.get(side.account_id)
    called = f"{side.institution_name} {side.account_name}"
    if account is None or account.balance is None:
        return name(called)
    return name(f"{called} ({figures.money(account.balance, duplicate.currency)})")
