"""The questions that only the person can answer, as forms: each says what it moves before it is kept.

Accounts that a bank lists under new ids are asked about as well: which of those that were there each is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from finplan.daemon.surfaces.pages import markup
from finplan.model import figures
from finplan.model.account import Account
from finplan.model.category import CategoryChoice
from finplan.model.detection import Duplicate, DuplicateSide, Transfer
from finplan.model.task import (
    CategorizePayee,
    ConnectMissingAccount,
    Effect,
    ReconnectConnection,
    Task,
    TaskAnswer,
)
from finplan.model.twins import twin_said
from finplan.views import plan_words

ID, CATEGORY, DIRECTION, AMOUNT = "id", "category", "direction", "amount"
"""The fields of a question's form."""

LOOK, KEEP, EACH, DISMISS, UNDO = "look", "keep", "each", "dismiss", "undo"
"""What the buttons do."""

CHARGES_SHOWN = 5

_DIRECTIONS: Mapping[str, str] = {
    "both": "All its money",
    "out": "Only what goes out",
    "in": "Only what comes in",
}


@dataclass(frozen=True, slots=True)
class TaskForms:
    """What questions are drawn with: the writing of figures, the categories, and what makes a form.

    `candidates` are the transfers in doubt.
    """

    locale: markup.Locale
    choices: Sequence[CategoryChoice]
    form: Callable[..., markup.Markup]
    candidates: Sequence[Transfer] = ()

    def choice(self, category: str | None) -> CategoryChoice | None:
        """The category of an id."""
        return next((each for each in self.choices if each.category == category), None)

    def label(self, category: str) -> str:
        """What a category is called."""
        choice = self.choice(category)
        return category if choice is None else choice.label


def lead(count: int) -> str:
    """How many questions are open, and what becomes of an answer."""
    if not count:
        return "Nothing is open: finplan knows what all of your money is for."
    only = figures.count(
        count, "question that only you can answer", "questions that only you can answer"
    )
    return f"{only}, the most money first. You see what an answer moves before it is kept."


def questions(tasks: Sequence[Task], asking: TaskForms) -> markup.Markup:
    """Questions, each with what is known of it and a form for its answer."""
    return markup.element(
        "div", *(_question(place, task, asking) for place, task in enumerate(tasks)), class_="asked"
    )


def _question(place: int, task: Task, asking: TaskForms) -> markup.Markup:
    title = f"question-{place}"
    if isinstance(task, CategorizePayee):
        asked = markup.element("h2", "What is ", markup.name(task.payee), "?", id=title)
        content = (*_evidence(task, asking), _answering(place, task, asking))
    else:
        asked = markup.element("h2", markup.name(plan_words.question(task)), id=title)
        content = (_way_on(task, asking),)
    return markup.element("section", asked, *content, aria_labelledby=title, class_="card")


def _evidence(task: CategorizePayee, asking: TaskForms) -> tuple[markup.Markup | None, ...]:
    locale = asking.locale
    total = plan_words.moved(task.total, locale.currency)
    last = figures.long_date(task.last_date)
    said = f"{plan_words.counted(task)}, {total} in all, the last on {last}."
    lately = ", ".join(
        f"{plan_words.moved(each.amount, locale.currency)} on {figures.short_date(each.date)}"
        for each in task.charges[:CHARGES_SHOWN]
    )
    more = ", …" if task.count > CHARGES_SHOWN else "."
    hint = plan_words.suggestion_said(task, locale.currency) or twin_said(task, asking.candidates)
    return (
        markup.element("p", said),
        markup.element("p", f"Lately {lately}{more}", class_="soft small")
        if task.count > 1
        else None,
        markup.element("p", hint, class_="soft small") if hint else None,
    )


def _answering(place: int, task: CategorizePayee, asking: TaskForms) -> markup.Markup:
    who = markup.element("span", " for ", markup.name(task.payee), class_="heard")
    key = f"{CATEGORY}-{place}"
    return asking.form(
        markup.hidden(ID, task.id),
        markup.element(
            "div",
            markup.element("label", "File it under", who, for_=key),
            markup.element("select", *_options(task, asking.choices), id=key, name=CATEGORY),
            class_="field",
        ),
        _part_of_it(place, task),
        markup.element(
            "div",
            markup.button(markup.joined("See what it moves", who), LOOK, "main"),
            markup.button(markup.joined("Ask about each row", who), EACH)
            if task.count > 1
            else None,
            markup.button(markup.joined("Do not ask again", who), DISMISS),
            class_="acts",
        ),
    )


def _options(task: CategorizePayee, choices: Sequence[CategoryChoice]) -> list[markup.Markup]:
    """The categories, the likely ones first; what is not likely is chosen by nobody but the person."""
    likely = plan_words.is_likely(task)
    sure = f" ({figures.share(task.confidence)})" if task.confidence is not None else ""
    near = [(task.suggested, f"{task.suggested_label}{sure}")]
    near += [
        (each.category, each.label) for each in task.alternatives if each.category != task.suggested
    ]
    return [
        markup.element("option", "Choose a category", value="", selected=not likely),
        markup.element(
            "optgroup",
            *(
                markup.element(
                    "option", label, value=each, selected=likely and each == task.suggested
                )
                for each, label in near
            ),
            label="Perhaps",
        ),
        markup.element(
            "optgroup",
            *(markup.element("option", each.label, value=each.category) for each in choices),
            label="All categories",
        ),
    ]


def _part_of_it(place: int, task: CategorizePayee) -> markup.Markup:
    direction, amount = f"{DIRECTION}-{place}", f"{AMOUNT}-{place}"
    who = markup.element("span", " for ", markup.name(task.payee), class_="heard")
    return markup.element(
        "details",
        markup.element("summary", "Not all of it is the same", who),
        markup.element(
            "div",
            markup.element("label", "Which money", who, for_=direction),
            markup.element(
                "select",
                *(
                    markup.element("option", label, value=each)
                    for each, label in _DIRECTIONS.items()
                ),
                id=direction,
                name=DIRECTION,
            ),
            class_="field",
        ),
        _exactly(amount, who),
    )


def _exactly(key: str, who: markup.Markup) -> markup.Markup:
    return markup.element(
        "div",
        markup.element("label", "Of exactly this amount", who, for_=key),
        markup.element(
            "p",
            "Such as 12.50, and -12.50 for money that comes in. Empty for any.",
            class_="hint",
            id=f"{key}-hint",
        ),
        markup.element(
            "input",
            type="text",
            id=key,
            name=AMOUNT,
            inputmode="text",
            autocomplete="off",
            aria_describedby=f"{key}-hint",
        ),
        class_="field",
    )


def _way_on(task: ReconnectConnection | ConnectMissingAccount, asking: TaskForms) -> markup.Markup:
    if isinstance(task, ReconnectConnection):
        return markup.element("p", markup.sentence(plan_words.way_on(task, task.id)))
    return asking.form(
        markup.hidden(ID, task.id),
        markup.element("p", "It closes once a statement of that account is brought in."),
        markup.element("div", markup.button("Do not ask again", DISMISS), class_="acts"),
    )


# --- before and after ----------------------------------------------------------------------------


def before_keeping(
    task: Task, ask: TaskAnswer, effect: Effect, asking: TaskForms, back: markup.Markup
) -> markup.Markup:
    """What an answer would move, and a form that keeps it, beside the way `back`."""
    label = asking.label(ask.answer or "")
    part = ask.direction if ask.amount is None else "both"
    amount = ask.amount
    return markup.element(
        "section",
        markup.element(
            "h2",
            "File ",
            markup.name(plan_words.about(task)),
            " under ",
            markup.name(label),
            "?",
            id="keeping",
        ),
        _only(ask, asking.locale),
        markup.element(
            "p",
            plan_words.effect_said(effect, asking.locale.currency, asking.choice(ask.answer)),
            class_="effect",
        ),
        asking.form(
            markup.hidden(ID, ask.id),
            markup.hidden(CATEGORY, ask.answer or ""),
            markup.hidden(DIRECTION, part),
            markup.hidden(
                AMOUNT, "" if amount is None else written(amount, asking.locale.currency)
            ),
            markup.element(
                "div", markup.button("Keep this answer", KEEP, "main"), back, class_="acts"
            ),
        ),
        aria_labelledby="keeping",
        class_="card",
    )


def written(amount: int, currency: str) -> str:
    """An amount as it is typed into a form."""
    return figures.number(amount, currency)


def _only(ask: TaskAnswer, locale: markup.Locale) -> markup.Markup | None:
    if ask.amount is not None:
        exact = figures.money(ask.amount, locale.currency)
        return markup.element("p", f"Only rows of exactly {exact}.", class_="soft")
    if ask.direction != "both":
        return markup.element("p", f"{_DIRECTIONS[ask.direction]}.", class_="soft")
    return None


def kept(task: Task, asking: TaskForms) -> str:
    """What an answer that was kept has moved."""
    if not isinstance(task, CategorizePayee) or task.answer is None:
        return plan_words.dismissed_said(task)
    return plan_words.answered_said(task, asking.label(task.answer), asking.locale.currency)


def answered(tasks: Sequence[Task], asking: TaskForms) -> markup.Markup:
    """What the person has answered, newest first, each to be taken back."""
    rows = (
        markup.element(
            "li",
            markup.element(
                "div", markup.element("p", markup.name(kept(task, asking))), class_="told"
            ),
            asking.form(
                markup.hidden(ID, task.id),
                markup.button(
                    markup.joined(
                        "Take back",
                        markup.element(
                            "span",
                            " the answer about ",
                            markup.name(plan_words.about(task)),
                            class_="heard",
                        ),
                    ),
                    UNDO,
                ),
                class_="confirm",
            ),
        )
        for task in tasks
    )
    return markup.element("ul", *rows, class_="things")


PAIR_ID, SAME, DIFFERENT = "id", "same_account", "different_account"
"""The field of a form, and what its buttons do."""


def which_accounts(
    duplicates: Sequence[Duplicate],
    accounts: Mapping[str, Account],
    form: Callable[..., markup.Markup],
) -> markup.Markup:
    """Ask of each two whether they are one account."""
    return markup.element(
        "section",
        markup.element("h2", "Which account is which?", id="relinked-title"),
        markup.element(
            "p",
            "A bank gave its accounts new ids, and nothing tells which of these is which. Two that you"
            " say are one become one for good. Until you say, the new one is in no total.",
        ),
        *(_account_asked(each, accounts, form) for each in duplicates),
        aria_labelledby="relinked-title",
        class_="card",
        id="relinked",
    )


def _account_asked(
    duplicate: Duplicate, accounts: Mapping[str, Account], form: Callable[..., markup.Markup]
) -> markup.Markup:
    former = _account_told(duplicate.kept, duplicate, accounts)
    listed = _account_told(duplicate.other, duplicate, accounts)
    about = markup.element("span", " (", former, " and ", listed, ")", class_="heard")
    return form(
        markup.hidden(PAIR_ID, duplicate.id),
        markup.element("p", "Is ", former, " now the new ", listed, "?"),
        markup.element(
            "div",
            markup.button(markup.element("span", "They are one", about), SAME, "main"),
            markup.button(markup.element("span", "They are two", about), DIFFERENT),
            class_="acts",
        ),
    )


def _account_told(
    side: DuplicateSide, duplicate: Duplicate, accounts: Mapping[str, Account]
) -> markup.Markup:
    account = accounts.get(side.account_id)
    called = f"{side.institution_name} {side.account_name}"
    if account is None or account.balance is None:
        return markup.name(called)
    return markup.name(f"{called} ({figures.money(account.balance, duplicate.currency)})")
