"""What is said where a file did not need an answer, which never overrules what it proves."""

from finplan.statements.statement import Hints


def unneeded(option: str, said: str, why: str, *, is_followed: bool) -> str:
    """Say that an option decided nothing, be it that the file tells the same or something else."""
    heeded = "needed" if is_followed else "followed"
    return f"--{option} {said} was not {heeded}: {why}."


def unneeded_in_format(name: str, hints: Hints) -> tuple[str, ...]:
    """What is said of a format or an app whose amounts and directions are known without an answer."""
    found = []
    if hints.direction is not None:
        why = f"{name} files say themselves which way money goes"
        found.append(unneeded("direction", hints.direction, why, is_followed=True))
    if hints.amount_column is not None:
        why = f"{name} files say themselves what the amounts are"
        found.append(unneeded("amount-column", hints.amount_column, why, is_followed=True))
    return tuple(found)
