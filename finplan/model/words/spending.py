"""What is said of days that the household's rows do not reach."""

from datetime import date

from finplan.model.spending import RecordedDays

NO_ROWS = "There are no rows yet: link a bank, or import statements."


def beyond_rows(since: date, until: date, recorded: RecordedDays | None) -> str | None:
    """What of some days nothing is known, since no row is of them; None where rows reach them all."""
    if recorded is None:
        return NO_ROWS
    first, last = recorded.since, recorded.until
    if until < first:
        return f"The first row is of {first}, after these days: nothing of them is known."
    if since > last:
        return f"The last row is of {last}, before these days: nothing of them is known."
    told = [
        f"The first row is of {first}." if since < first else "",
        f"The last row is of {last}." if until > last else "",
    ]
    return " ".join(filter(None, told)) or None
