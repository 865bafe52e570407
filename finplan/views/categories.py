"""Categories, suggestions for new ones, and the rules that put payees in them."""

from collections.abc import Iterator, Mapping, Sequence

from finplan.model import figures
from finplan.model.base import look_alike
from finplan.model.category import (
    CategoryChoice,
    CategoryRule,
    CategorySuggestion,
    CreatedCategory,
    RemovedCategory,
    RuleMove,
    RuleSource,
)
from finplan.model.characters import shortened
from finplan.model.transaction import Transaction
from finplan.views import page
from finplan.views.locale import Locale

_LINES = {
    "essential": page.TextSpan("essential", "essential"),
    "discretionary": page.TextSpan("discretionary", "discretionary"),
    "not_spending": page.soft("not spending"),
}
_LINE_OF_NEED = {"needs": "essential", "wants": "discretionary"}
_SHOWN = 4
"""How many merchants of a suggestion are named."""

_PLACES = {
    "child": "for children",
    "pet": "for pets",
    "commute": "for commuting",
    "vehicle": "for a car",
    "home_project": "for home projects",
    "garden": "for a garden",
    "work_trip": "on work trips",
    "side_business": "for a business",
    "study": "for studies",
    "relative_care": "for the care of relatives",
}
"""What the merchants of a theme are about; any other theme is told by its name."""


def categories(choices: Sequence[CategoryChoice], _how: Locale) -> page.Page:
    """Categories in the order that a person reads them; only the ids of their own ones are shortened."""
    short = shortened([choice.category for choice in choices if choice.custom])
    rows = (
        (
            page.name(choice.label),
            _LINES[choice.line],
            page.soft(_remark(choice)),
            short.get(choice.category, choice.category),
        )
        for choice in choices
    )
    return page.of(page.table(("category<", "type", "", "id~"), rows))


def _remark(choice: CategoryChoice) -> str:
    remarks = ("yours" if choice.custom else "", "repaid" if choice.reimbursable else "")
    return ", ".join(filter(None, remarks))


def describe_creation(new: CreatedCategory, _how: Locale) -> page.Page:
    """What a new category holds from the start."""
    label = page.name(new.category.label)
    if new.merchants:
        return page.of(page.Sentence(("Created ", label, f" with {_format_counts(new)}.")))
    way = f'Put a payee in it: `finplan rules set PAYEE "{label.text}"`'
    return page.of(page.Sentence(("Created ", label, ". It is empty.")), _way(way))


def looks_like(choice: CategoryChoice, labels: page.Labels) -> Iterator[str]:
    """That a name which was given is read as that of another category, where it is."""
    alike = look_alike(choice.label, (labels[key] for key in labels if key != choice.category))
    if alike is not None:
        yield (
            f'"{choice.label}" looks like your category "{alike}", but uses different letters.'
            f" Rename it: `finplan categories rename {choice.category} NAME`."
        )


def removal(category: str, target: str | None, labels: page.Labels) -> str:
    """Whether a category is to go, told where the payees go."""
    where = "finplan chooses new categories for its payees"
    if target is not None:
        where = f"its payees move to {labels.get(target, target)}"
    label = labels.get(category, category)
    return f"Remove {label}? {where[0].upper()}{where[1:]}."


def describe_removal(gone: RemovedCategory, _how: Locale) -> page.Page:
    """What went, and where its charges are now."""
    where = "it was empty"
    if gone.merged_into is not None:
        where = f"{_format_counts(gone)} moved to {gone.merged_into.label}"
    elif gone.merchants:
        where = f"finplan chose new categories for {_format_counts(gone)}"
    return page.of(page.sentence(f"Removed {gone.category.label}; {where}."))


def _format_counts(counted: CreatedCategory | RemovedCategory) -> str:
    merchants = figures.count(counted.merchants, "merchant")
    return f"{merchants} ({figures.count(counted.charges, 'transaction')})"


def suggestions(suggested: Sequence[CategorySuggestion], how: Locale) -> page.Page:
    """Each theme: what it gathers, what that comes to, and where it is now."""
    if not suggested:
        none = "No categories to suggest: your categories cover your spending."
        return page.of(page.Sentence(none, "soft"))
    first = suggested[0].name
    return page.of(
        *(_suggestion(suggestion, how) for suggestion in suggested),
        _way(f'Create the first one: `finplan categories add "{first}" --suggested`'),
        _way(f'Dismiss it: `finplan categories dismiss "{first}"`'),
    )


def _way(sentence: str) -> page.Sentence:
    return page.sentence(sentence, "soft", whole=True)


def _suggestion(suggestion: CategorySuggestion, how: Locale) -> tuple[page.PageBlock, ...]:
    where = _PLACES.get(suggestion.theme, f"for {suggestion.name.lower()}")
    repaid = ", repaid to you" if suggestion.reimbursable else ""
    payees = ", ".join(merchant.payee for merchant in suggestion.merchants[:_SHOWN])
    hidden = len(suggestion.merchants) - _SHOWN
    homes = ", ".join(f"{home.label} ({home.charges})" for home in suggestion.now_in)
    charges = figures.count(suggestion.charges, "transaction")
    places = figures.count(len(suggestion.merchants), "place")
    line = _LINE_OF_NEED[suggestion.line]
    monthly = f"  {how.money(suggestion.monthly)} a month, {line}{repaid}"
    return (
        page.Sentence((page.name(suggestion.name, "strong"), monthly)),
        page.sentence(f"{charges} at {places} {where}. Create a category for them?", indent=2),
        page.Sentence(
            (page.name(payees), f" and {hidden} more" if hidden > 0 else ""), "soft", indent=2
        ),
        page.Sentence(("now in ", page.name(homes)), "soft", indent=2),
    )


_SOURCES = {
    "user": page.TextSpan("yours", "strong"),
    "auto": page.TextSpan("inferred"),
    "curated": page.soft("curated"),
}


def rules(
    all_: Sequence[CategoryRule], how: Locale, labels: page.Labels, source: RuleSource | None = None
) -> page.Page:
    """Rules of a source with who made them and how sure an inferred one is, else all but curated ones.

    `labels` are those of categories.
    """
    listed = [
        rule for rule in all_ if rule.source == source or (not source and rule.source != "curated")
    ]
    hidden = 0 if source else len(all_) - len(listed)
    hint = (
        _way(f"Also {figures.count(hidden, 'curated rule')}: `finplan rules list --source curated`")
        if hidden
        else None
    )
    if not listed:
        none = "No rules yet. Add one with `finplan rules set PAYEE CATEGORY`."
        return page.of(page.Sentence(none, "soft"), hint)
    rows = (
        (
            page.name(rule.payee_key),
            _reach(rule, how),
            page.name(labels.get(rule.category, rule.category)),
            _SOURCES[rule.source],
            "" if rule.confidence is None else figures.share(rule.confidence),
            rule.id,
        )
        for rule in listed
    )
    return page.of(
        page.table(("payee<", "amount>", "category<", "by", "sure>~", "id#"), rows), hint
    )


def _reach(rule: CategoryRule, how: Locale) -> page.TableCell:
    """Which charges a rule is for; one of a direction says so in its id."""
    if rule.amount is not None:
        return how.figure(rule.amount)
    direction = next((side for side in ("in", "out") if rule.id.startswith(f"rule_{side}_")), "")
    return f"any {direction}".rstrip()


def explain_staying_rows(
    rule: CategoryRule, rows: Sequence[Transaction], labels: page.Labels
) -> str:
    """That rows of a payee stay where they are, since a transfer files them, and what to do."""
    homes = dict.fromkeys(labels.get(row.category, row.category) for row in rows)
    counted = figures.count(len(rows), "transaction")
    stays, them = ("stays", "it") if len(rows) == 1 else ("stay", "them")
    return (
        f"{counted} of {rule.payee_key} {stays} in {' and '.join(homes)}: finplan treats {them} as"
        " transfers between your accounts, and rules do not change transfers. If that is wrong, find the"
        " ID with `finplan transfers`, then run `finplan transfers reject ID`. To change only"
        " one transaction instead, run"
        f" `finplan transactions set {rows[0].id} {rule.category}`."
    )


# --- what agents are told ------------------------------------------------------------------------


def brief_moves(
    moves: Sequence[RuleMove], how: Locale, labels: Mapping[str, str] | None, *, confirmed: bool
) -> page.Lines:
    """What rules moved, or would move; `labels` are the categories', where one was asked for none."""
    refused = sum(move.error is not None for move in moves)
    if not confirmed:
        yield (
            "Nothing is saved yet. If the person agrees, call again with confirm. Counting"
            " all transactions ever recorded, this would move:"
        )
    elif refused == len(moves):
        yield "Nothing was saved:"
    else:
        yield "Saved, except what was refused:" if refused else "Saved:"
    yield from (_brief_move(move, how) for move in moves)
    if labels:
        listed = ", ".join(f"{label} ({key})" for key, label in labels.items())
        yield ("The categories are ", page.TextSpan(listed, kind="label"), ".")


def _brief_move(move: RuleMove, how: Locale) -> page.Phrase:
    if move.error is not None:
        return (
            "- ",
            page.name(move.merchant),
            ": refused. ",
            page.TextSpan(move.error, kind="label"),
        )
    least = "at least " if move.at_least else ""
    stay = (
        f"; {move.held} more stay, because of transfers between own accounts, overrides, or"
        " rules for an amount or a direction"
    )
    return (
        *("- ", page.name(move.merchant), " → ", page.category(move.category, move.label)),
        f": {least}{figures.count(move.rows, 'transaction')}, {how.money(move.total)}",
        stay if move.held else "",
    )
