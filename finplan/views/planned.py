"""Planned money: what is expected when, and what of it has happened."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from finplan.model import figures, money
from finplan.model.planned import PlannedRecord, first_of_month
from finplan.views import page
from finplan.views.locale import Locale
from finplan.views.plan_text import OFTEN

ONCE = "once"
_NONE = "No planned money. Add what you plan to pay or expect to receive."
_TRY = "`finplan planned add Trip 2000 --on 2027-07`"
_TONES = {"planned": "", "happened": "soft", "overdue": "warn"}
OVERDUE = "No transaction shows it. Mark it as happened, change its date, or remove it."
"""What is to be done about what is overdue."""


def planned(
    records: Sequence[PlannedRecord], how: Locale, labels: Mapping[str, str] | None = None
) -> page.Page:
    """All planned money, and how much of each month is set aside; `labels` name the categories."""
    if not records:
        return page.of(explain_none(f"For example: {_TRY}."))
    return page.of(table_of(records, how, labels or {}), tuple(explain_listed(records, how)))


def explain_none(way: str) -> tuple[page.Sentence, ...]:
    """That there is none yet, and how to add some."""
    return (page.Sentence(page.mentioning(f"{_NONE} {way}"), "soft"),)


def table_of(
    records: Sequence[PlannedRecord], how: Locale, labels: Mapping[str, str]
) -> page.PageTable:
    """A row for each planned payment or income, the next due first."""
    rows = [
        page.TableRow(
            (
                page.name(record.name),
                signed(record, how),
                when(record),
                often(record),
                labels.get(record.category, record.category) if record.category else "",
                how.money(record.monthly) if record.monthly else "",
                status(record),
                record.id,
            ),
            record.id,
            "soft" if record.status == "happened" else "",
        )
        for record in records
    ]
    columns = (
        page.col("name<", floor=8),
        "amount>",
        "due<",
        page.col("how often<~", drops=2),
        page.col("category<~", drops=3),
        page.col("set aside a month>~", drops=1),
        "~",
        "id#",
    )
    return page.table(columns, rows, spoken="Planned money")


def explain_listed(records: Sequence[PlannedRecord], how: Locale) -> Iterator[page.Sentence]:
    """How much of each month the plan sets aside, and what is to be done about what is overdue."""
    monthly = sum(record.monthly for record in records)
    if monthly:
        text = f"The plan sets aside {how.money(monthly)} a month for planned payments."
        yield page.Sentence(text)
    for record in records:
        if record.status == "overdue":
            yield page.Sentence((page.name(record.name), f" is overdue. {OVERDUE}"), "warn")


def one(record: PlannedRecord, how: Locale, labels: Mapping[str, str] | None = None) -> page.Page:
    """Planned money with all that is known of it."""
    names = labels or {}
    return page.of(
        page.facts(
            ("name", page.name(record.name, "strong")),
            ("id", record.id),
            *_facts(record, how),
            ("category", names.get(record.category, record.category)) if record.category else None,
        )
    )


def describe(record: PlannedRecord, how: Locale) -> tuple[page.PageBlock, ...]:
    """What is known of the planned money that is marked in a list."""
    return page.Title(page.name(record.name)), page.facts(*_facts(record, how))


def _facts(record: PlannedRecord, how: Locale) -> Iterator[tuple[str, page.TableCell] | None]:
    yield "amount", signed(record, how)
    yield "due", when(record)
    yield "how often", often(record)
    yield ("last date", figures.long_date(record.until)) if record.until else None
    yield ("set aside", f"{how.money(record.monthly)} a month") if record.monthly else None
    yield "status", page.TextSpan(record.status, _TONES[record.status])
    yield ("transaction", record.transaction_id) if record.transaction_id else None


def signed(record: PlannedRecord, how: Locale) -> page.TextSpan:
    """The amount, with a plus sign for money in."""
    text = how.money(record.amount)
    return page.TextSpan(f"+{text}", "good") if record.direction == "in" else page.TextSpan(text)


def status(record: PlannedRecord) -> page.TextSpan:
    """Whether it happened or is overdue; empty while it is planned."""
    return page.TextSpan("" if record.status == "planned" else record.status, _TONES[record.status])


def often(record: PlannedRecord) -> str:
    """How often it repeats."""
    return OFTEN[record.every] if record.every else ONCE


def when(record: PlannedRecord) -> str:
    """The next day, or its month where the day is open; the first one once all is over."""
    if record.month is not None and (record.every is None or record.next is None):
        return f"{first_of_month(record.month):%B %Y}"
    day = record.next if record.every else record.date
    due = day or record.next or record.date
    return "" if due is None else figures.long_date(due)


def describe_removal(record: PlannedRecord, currency: str) -> str:
    """That planned money was removed, and how to add it again."""
    parts = [
        *("finplan planned add", quote(record.name), money.to_text(record.amount, currency)),
        *("--on", record.month or str(record.date)),
        *(("--income",) if record.direction == "in" else ()),
        *(("--every", _EVERY.get(record.every, record.every)) if record.every else ()),
        *(("--until", str(record.until)) if record.until else ()),
        *(("--account", record.account_id) if record.account_id else ()),
        *(("--category", record.category) if record.category else ()),
    ]
    return f"Removed {record.name}. To add it again: `{' '.join(parts)}`."


_EVERY = {"twice_yearly": "twice-yearly", "annual": "yearly"}
