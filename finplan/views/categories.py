"""Categories, suggestions for new ones, and the rules that file payees under them."""

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
_SHOWN = 4
"""How many merchants of a suggestion are named."""

_PLACES = {
    "child": "for children",
    "pet": "for animals",
    "commute": "on the way to work",
    "vehicle": "for a car",
    "home_project": "for work on the home",
    "garden": "for a garden",
    "work_trip": "on journeys for work",
    "side_business": "for a business",
    "study": "for studies",
    "relative_care": "to care for somebody",
}
"""What the merchants of a theme are about; any other theme is told by its name."""


def categories(choices: Sequence[CategoryChoice], _how: Locale) -> page.Page:
    """Categories in the order that a person reads them; only the ids of their own ones are shortened."""
    short = shortened([each.category for each in choices if each.custom])
    rows = (
        (
            page.name(each.label),
            _LINES[each.line],
            page.soft(_remark(each)),
            short.get(each.category, each.category),
        )
        for each in choices
    )
    return page.of(page.table(("category<", "line", "", "id~"), rows))


def _remark(choice: CategoryChoice) -> str:
    remarks = ("yours" if choice.custom else "", "repaid to you" if choice.reimbursable else "")
    return ", ".join(filter(None, remarks))


def created(new: CreatedCategory, _how: Locale) -> page.Page:
    """What a new category holds from the start."""
    label = page.name(new.category.label)
    if new.merchants:
        return page.of(page.Sentence((label, f" holds {_held(new)}.")))
    way = f'`finplan rules set PAYEE "{label.text}"` files a payee under it.'
    return page.of(page.Sentence((label, " is there, and empty.")), _way(way))


def looks_like(named: CategoryChoice, labels: page.Labels) -> Iterator[str]:
    """That a name which was given is read as that of another category, where it is."""
    other = look_alike(named.label, (labels[each] for each in labels if each != named.category))
    if other is not None:
        yield (
            f'"{named.label}" looks like your category "{other}", but is written with other letters.'
            f" `finplan categories rename {named.category} NAME` gives it another name."
        )


def removal(category: str, target: str | None, labels: page.Labels) -> str:
    """Whether a category is to go, told where the payees go."""
    where = "filed where finplan would file them"
    if target is not None:
        where = f"filed under {labels.get(target, target)}"
    return f"Remove {labels.get(category, category)}? Its payees are {where} from then on."


def removed(gone: RemovedCategory, _how: Locale) -> page.Page:
    """What went, and where its charges are now."""
    where = "it was empty"
    if gone.merged_into is not None:
        where = f"{_held(gone)} went to {gone.merged_into.label}"
    elif gone.merchants:
        where = f"what it held ({_held(gone)}) is filed as finplan would file it"
    return page.of(page.said(f"{gone.category.label} is removed; {where}."))


def _held(counted: CreatedCategory | RemovedCategory) -> str:
    merchants = figures.count(counted.merchants, "merchant")
    return f"{merchants} with {figures.count(counted.charges, 'charge')}"


def suggestions(found: Sequence[CategorySuggestion], how: Locale) -> page.Page:
    """Each theme: what it gathers, what that comes to, and where it is now."""
    if not found:
        none = "No theme in your charges stands out from the categories you have."
        return page.of(page.Sentence(none, "soft"))
    first = found[0].name
    return page.of(
        *(_suggestion(each, how) for each in found),
        _way(f'`finplan categories add "{first}" --suggested` makes the first one.'),
        _way(f'`finplan categories dismiss "{first}"` keeps it away.'),
    )


def _way(sentence: str) -> page.Sentence:
    return page.said(sentence, "soft", whole=True)


def _suggestion(suggestion: CategorySuggestion, how: Locale) -> tuple[page.PageBlock, ...]:
    where = _PLACES.get(suggestion.theme, f"for {suggestion.name.lower()}")
    repaid = ", paid back to you" if suggestion.reimbursable else ""
    named = ", ".join(each.payee for each in suggestion.merchants[:_SHOWN])
    more = len(suggestion.merchants) - _SHOWN
    homes = ", ".join(f"{home.label} ({home.charges})" for home in suggestion.now_in)
    charges = figures.count(suggestion.charges, "charge")
    places = figures.count(len(suggestion.merchants), "place")
    monthly = f"  {how.money(suggestion.monthly)} a month, {suggestion.line}{repaid}"
    return (
        page.Sentence((page.name(suggestion.name, "strong"), monthly)),
        page.said(f"{charges} at {places} {where}: keep them apart?", indent=2),
        page.Sentence(
            (page.name(named), f" and {more} more" if more > 0 else ""), "soft", indent=2
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
    shown = [
        each for each in all_ if each.source == source or (not source and each.source != "curated")
    ]
    rest = 0 if source else len(all_) - len(shown)
    more = (
        _way(f"And {figures.count(rest, 'curated one')}: `finplan rules list --source curated`.")
        if rest
        else None
    )
    if not shown:
        none = "No rules of yours, and none inferred. `finplan rules set PAYEE CATEGORY` makes one."
        return page.of(page.Sentence(none, "soft"), more)
    rows = (
        (
            page.name(each.payee_key),
            _reach(each, how),
            page.name(labels.get(each.category, each.category)),
            _SOURCES[each.source],
            "" if each.confidence is None else figures.share(each.confidence),
            each.id,
        )
        for each in shown
    )
    return page.of(
        page.table(("payee<", "amount>", "category<", "by", "sure>~", "id#"), rows), more
    )


def _reach(rule: CategoryRule, how: Locale) -> page.TableCell:
    """Which charges a rule is for; one of a direction says so in its id."""
    if rule.amount is not None:
        return how.figure(rule.amount)
    direction = next((each for each in ("in", "out") if rule.id.startswith(f"rule_{each}_")), "")
    return f"any {direction}".rstrip()


def rows_left(rule: CategoryRule, rows: Sequence[Transaction], labels: page.Labels) -> str:
    """That rows of a payee stay where they are, since a transfer files them, and what to do."""
    homes = dict.fromkeys(labels.get(row.category, row.category) for row in rows)
    counted = figures.count(len(rows), "row")
    stays, each, other = (
        ("stays", "it is", "its") if len(rows) == 1 else ("stay", "each is", "their")
    )
    return (
        f"{counted} of {rule.payee_key} {stays} in {' and '.join(homes)}: {each} one half of a transfer"
        f" with another account of yours, which goes before a rule. Where that is wrong, `finplan"
        f" transfers` lists {other} other half and `finplan transfers reject ID` parts the two; what is"
        f" right can still be filed by itself, like `finplan transactions set {rows[0].id}"
        f" {rule.category}`."
    )


# --- what agents are told ------------------------------------------------------------------------


def brief_moves(
    moves: Sequence[RuleMove], how: Locale, known: Mapping[str, str] | None, *, confirmed: bool
) -> page.Lines:
    """What rules moved, or would move; `known` are the categories, where one was asked for none."""
    refused = sum(each.error is not None for each in moves)
    if not confirmed:
        yield (
            "Nothing is stored yet. Of the rows of all time this would move (call again with confirm"
            " once the person agrees):"
        )
    elif refused == len(moves):
        yield "Nothing was filed:"
    else:
        yield "Filed, but for what was refused:" if refused else "Filed:"
    yield from (_brief_move(each, how) for each in moves)
    if known:
        listed = ", ".join(f"{label} ({key})" for key, label in known.items())
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
    held = (
        f"; {move.held} more stay: paid between own accounts, or filed by a word on them, their amount"
        " or direction"
    )
    return (
        *("- ", page.name(move.merchant), " → ", page.category(move.category, move.label)),
        f": {least}{figures.count(move.rows, 'row')}, {how.money(move.total)}",
        held if move.held else "",
    )
