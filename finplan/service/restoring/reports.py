"""What a report says of a household in a file: that it is restored, or that it stays there."""

from finplan.model import figures
from finplan.model.household import ExportedHome
from finplan.model.statement import RestoredHousehold


def restored_of(home: ExportedHome) -> RestoredHousehold:
    """What an export brings besides its accounts and rows."""
    household = home.household
    verdicts = (household.transfers, household.recurring, household.duplicates)
    answered = {each.word_id for each in household.answers} - {None}
    return RestoredHousehold(
        currency=household.settings.currency,
        categories=len(household.categories),
        rules=len(household.rules),
        answers=len(household.answers),
        decisions=sum(map(len, verdicts)),
        words=len(household.single_words) - len(answered),
    )


def what_stays(home: ExportedHome, *, into_new_home: bool) -> str:
    """Why only the rows of an export are taken, and what else is in it."""
    held = restored_of(home)
    counted = (
        (held.categories, "own category", "own categories"),
        (held.rules, "rule", None),
        (held.answers, "answer", None),
        (held.decisions, "decision", None),
        (held.words, "word on a transaction", "words on transactions"),
    )
    parts = ["the settings", *(figures.count(n, one, many) for n, one, many in counted if n)]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    if into_new_home:
        return (
            f"Only its accounts and rows are taken; {listed} in it are left out. Import it by itself,"
            " without --account and --kind, to restore the whole household."
        )
    return (
        f"Only its rows are taken, since there are accounts here already; {listed} in it are left out."
        " A home without accounts restores the whole household."
    )
