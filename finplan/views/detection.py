"""What was detected: what comes again, transfers, what is seen twice; and the person's word on each."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from finplan.model import figures
from finplan.model.characters import shortened
from finplan.model.detection import (
    Detected,
    Duplicate,
    DuplicateSide,
    DuplicateVerdict,
    Transfer,
    TransferVerdict,
)
from finplan.model.recurring import SURE, RecurringSeries, RecurringVerdict
from finplan.model.transaction import Transaction
from finplan.views import page
from finplan.views.locale import Locale, Money
from finplan.views.plan_words import OFTEN

SHOWN = 30
"""How many pairs are listed unless some were asked for."""

NOTHING = {
    "recurring": "Nothing recurring has been found yet.",
    "transfers": "No transfers between your accounts.",
    "duplicates": "Nothing looks as if it were there twice.",
}

# --- the person's word ---------------------------------------------------------------------------

Word = Literal["yes", "no", "auto"]
"""What a person says of a finding; `auto` takes it back."""


def word_on(finding: Detected) -> Word:
    """The word that holds on a finding; `auto` where none does."""
    if finding.status in ("confirmed", "same"):
        return "yes"
    return "no" if finding.status in ("dismissed", "rejected", "different") else "auto"


def verdict(finding: Detected, word: Word) -> RecurringVerdict | TransferVerdict | DuplicateVerdict:
    """A word on a finding as the daemon is told it."""
    match finding:
        case RecurringSeries():
            return RecurringVerdict(id=finding.id, verdict=_called(word, "confirm", "dismiss"))
        case Transfer():
            return TransferVerdict(id=finding.id, verdict=_called(word, "confirm", "reject"))
        case Duplicate():
            return DuplicateVerdict(id=finding.id, verdict=_called(word, "same", "different"))


_Yes = TypeVar("_Yes", bound=str)
_No = TypeVar("_No", bound=str)


def _called(word: Word, yes: _Yes, no: _No) -> _Yes | _No | Literal["auto"]:
    """A word by what a yes and a no are called."""
    if word == "auto":
        return word
    return yes if word == "yes" else no


def is_open(finding: Detected) -> bool:
    """Whether nobody has decided it, finplan included."""
    return finding.status in ("candidate", "open")


def asked_of(finding: Detected) -> str:
    """The question that yes or no answers."""
    match finding:
        case RecurringSeries():
            return f"Does {finding.name} come again?"
        case Transfer():
            return "Are these two rows one transfer?"
        case Duplicate(kind="accounts"):
            return "Are these one account?"
        case Duplicate():
            return "Are these the same?"


def does(finding: Detected, word: Word) -> str:
    """What a yes or a no does, before it is said."""
    match finding:
        case RecurringSeries():
            yes = "it stays in the plan, even if a month looks odd."
            no = "it leaves the plan at once: its bills, days to come and safe to spend."
        case Transfer():
            yes = "neither counts as income or spending, and they stay a pair."
            no = "both count by their categories, and are never paired again."
        case Duplicate(relinked=True):
            yes = "they become one account, with the words and rows of both, for good."
            no = "they are two accounts, and both count, for good."
        case Duplicate():
            second, of = (
                ("second account", "figure") if finding.kind == "accounts" else ("second", "total")
            )
            yes = f"the {second} is left out of every {of}."
            no = "both count."
    return f"{word.capitalize()}: {yes if word == 'yes' else no}"


_HOLDS = {
    "detected": "as finplan found it",
    "dismissed": "dismissed by you",
    "confirmed": "confirmed by you",
    "paired": "paired by finplan",
    "candidate": "open: both count",
    "rejected": "rejected by you",
    "open": "open",
    "same": "the same, by your word",
    "different": "two, by your word",
}
"""What holds of a finding now, and by whose word."""

_DECIDED = {
    "recurring confirmed": "Confirmed: {}.",
    "recurring dismissed": "Dismissed: {}, is no part of the plan any more.",
    "recurring detected": "As it was found, and no word of yours holds on it: {}.",
    "confirmed": "One transfer, and it stays one: {}.",
    "rejected": "No transfer; both rows count by their categories: {}.",
    "paired": "Paired, and no word of yours holds on it: {}.",
    "candidate": "Not paired, unless you confirm it: {}.",
    "same": "One of the two is left out of every total: {}.",
    "different": "Two, and both count: {}.",
    "open": "Open again, and no word of yours holds on it: {}.",
}


def decided(finding: Detected, how: Locale) -> str:
    """What a finding is after the person's word, in a sentence."""
    match finding:
        case RecurringSeries():
            each = f"{finding.name}, {how.money(finding.amount)} {OFTEN[finding.cadence]}"
            return _DECIDED[f"recurring {finding.status}"].format(each)
        case Transfer():
            pair = f"{_sent(finding)} {_way(finding)} on {finding.out.date}"
            return _DECIDED[finding.status].format(pair)
        case Duplicate():
            other = finding.other
            second = other.raw or other.account_name
            if other.amount is not None:
                second += f", {figures.money(other.amount, finding.currency)} on {other.date}"
            if finding.relinked and finding.status == "same":
                made = "The two are one account from now on, with all rows and words of both"
                return f"{made}: {second}."
            return _DECIDED[finding.status].format(second)


# --- what comes again ----------------------------------------------------------------------------


def recurring(found: Sequence[RecurringSeries], how: Locale) -> page.Page:
    """The charges, then the income, then what is over and what was dismissed."""
    left = [each for each in found if not each.active or each.status == "dismissed"]
    live = [each for each in found if each not in left]
    groups = (
        ("Charges", [each for each in live if each.kind == "charge"]),
        ("Income", [each for each in live if each.kind == "income"]),
        ("Over or dismissed", left),
    )
    parts: list[page.PageBlock | page.Section] = []
    for title, some in groups:
        if some:
            month = how.money(sum(each.monthly for each in some))
            remark = "" if some is left else f"{month} a month"
            section = page.Section(title.lower(), title, (series_table(some, how),), remark)
            parts += page.spaced(section) if parts else [section]
    return page.of(parts or [page.Sentence(NOTHING["recurring"], "soft")])


def series_table(found: Iterable[RecurringSeries], how: Locale) -> page.PageTable:
    """Charges, then income, then what is over; a series says why where there is room for all."""
    columns = (
        page.col("name<", floor=12),
        "amount>",
        page.col("how often", drops=1),
        "next",
        "",
        "id#",
        page.col("why~", drops=2),
    )
    # What was dismissed stays where it is, so that the cursor does not go away with it.
    rows = sorted(found, key=lambda each: 2 if not each.active else each.kind == "income")
    return page.table(columns, (_series(each, how) for each in rows), spoken="What comes again")


def _series(series: RecurringSeries, how: Locale) -> page.TableRow:
    over = f"over, {series.last_date:%b %Y}"
    cells = (
        page.name(series.name),
        how.figure(series.amount, signed=series.kind == "income"),
        OFTEN[series.cadence],
        over if series.next_date is None else f"{series.next_date}",
        _sure(series),
        series.id,
        page.name(series.why),
    )
    return page.TableRow(cells, series.id)


def _sure(series: RecurringSeries) -> page.TextSpan:
    """The person's word; without one, how sure the next charge is."""
    if series.status != "detected":
        return page.TextSpan(series.status, "good")
    if series.probability is None:
        return page.TextSpan("")
    return page.soft("sure") if series.probability >= SURE else page.TextSpan("likely", "warn")


# --- transfers -----------------------------------------------------------------------------------


def transfers(found: Sequence[Transfer], _how: Locale, *, whole: bool) -> page.Page:
    """The pairs in doubt with both their texts, then the others.

    Unless `whole`, only the newest of the others are listed, and it is said how many there are more.
    """
    if not found:
        return page.of(page.Sentence(NOTHING["transfers"], "soft"))
    doubts = [each for each in found if is_open(each)]
    others = [each for each in found if not is_open(each)]
    shown = others if whole else others[:SHOWN]
    parts: list[page.PageBlock | page.Section] = []
    if doubts:
        asked = (transfer_table(doubts, whole=True),)
        parts.append(page.Section("doubts", "Is this a transfer?", asked, "confirm or reject"))
    if shown:
        listed = transfer_table(shown)
        parts += (
            page.spaced(page.Section("transfers", "Transfers", (listed,))) if doubts else [listed]
        )
    if more := len(others) - len(shown):
        older = f"{more:,} older ones: `finplan transfers list --from 2000`"
        parts.append(page.Sentence(older, "soft"))
    return page.of(parts)


def transfer_table(found: Iterable[Transfer], *, whole: bool = False) -> page.PageTable:
    """Pairs of rows, those in doubt first; each `whole` with both its texts and its reason."""
    columns = ("day", "amount>", "between<", "status", "id#")
    rows = sorted(found, key=lambda each: not is_open(each))
    return page.table(columns, (_transfer(each, whole=whole) for each in rows), spoken="Transfers")


_STATUS = {
    "candidate": page.TextSpan("open", "warn"),
    "paired": page.soft("paired"),
    "confirmed": page.TextSpan("confirmed", "good"),
    "rejected": page.TextSpan("rejected", "bad"),
    "open": page.TextSpan("open", "warn"),
    "same": page.TextSpan("same", "good"),
    "different": page.TextSpan("different", "good"),
}


def _transfer(each: Transfer, *, whole: bool) -> page.TableRow:
    texts = (
        page.name(f"{each.out.raw} → {each.into.raw}", "soft"),
        page.mentioning(each.why, "soft"),
    )
    below = tuple(page.RowPart(text, indent=0) for text in texts) if whole else ()
    cells = (f"{each.out.date}", _sent(each), page.name(_way(each)), _STATUS[each.status], each.id)
    return page.TableRow(cells, each.id, "strong" if is_open(each) else "", below=below)


def _sent(transfer: Transfer) -> str:
    """How much left, and what arrived where it was in another currency."""
    left = figures.money(-transfer.out.amount, transfer.currency)
    if transfer.into.currency == transfer.currency:
        return left
    return f"{left} → {figures.money(transfer.into.amount, transfer.into.currency)}"


def _way(transfer: Transfer) -> str:
    """From which account to which."""
    return f"{transfer.out.account} → {transfer.into.account}"


# --- what is seen twice --------------------------------------------------------------------------

_TWICE = {
    "open": page.TextSpan("Are these the same?", "strong warn"),
    "same": page.TextSpan("The same: the second is left out", "strong good"),
    "different": page.TextSpan("Different: both count", "strong"),
}


def duplicates(found: Sequence[Duplicate], _how: Locale) -> page.Page:
    """Each with its two sides below one another, so that a difference is seen."""
    if not found:
        return page.of(page.Sentence(NOTHING["duplicates"], "soft"))
    short = shortened([each.id for each in found])
    parts: list[page.PageBlock] = []
    for each in found:
        parts += [
            *([page.Sentence("")] if parts else []),
            page.Sentence((_TWICE[each.status], page.soft(f"  {short[each.id]}"))),
            page.said(each.why, "soft", indent=2),
            *_sides(each, ()),
        ]
    return page.of(parts)


def duplicate_table(found: Iterable[Duplicate]) -> page.PageTable:
    """What is open, then what was decided; an account by its name, a row by its text."""
    columns = ("day", "amount>", "what<", "status", "id#")
    rows = sorted(found, key=lambda each: not is_open(each))
    return page.table(columns, map(_duplicate, rows), spoken="What is seen twice")


def _duplicate(each: Duplicate) -> page.TableRow:
    side = each.other
    day = "account" if side.date is None else f"{side.date}"
    amount = "" if side.amount is None else _signed(side.amount, each.currency)
    what = page.name(side.raw or _account(side))
    tone = "strong" if is_open(each) else ""
    return page.TableRow((day, amount, what, _STATUS[each.status], each.id), each.id, tone)


def _account(side: DuplicateSide) -> str:
    return f"{side.institution_name} {side.account_name}"


def _sides(each: Duplicate, evidence: Sequence[Sequence[Transaction]]) -> Iterator[page.PageBlock]:
    """Both sides: two rows below one another, or two accounts with their newest rows."""
    sides = each.kept, each.other
    rows = [_side(side, each.currency) for side in sides if side.date is not None]
    if rows:
        yield _rows_table(rows)
        return
    for place, side in enumerate(sides):
        yield page.Sentence(
            page.name(_account(side)), "" if side.counted else "soft gone", indent=2
        )
        if evidence and evidence[place]:
            yield _rows_table(map(_row, evidence[place]))


def _side(side: DuplicateSide, currency: str) -> page.TableRow:
    tone = "" if side.counted else "soft gone"
    amount = _signed(side.amount or 0, currency, tone)
    return page.TableRow(
        (f"{side.date}", page.name(side.raw or "", tone), amount, page.name(_account(side))),
        tone=tone,
    )


# --- one of them whole ---------------------------------------------------------------------------


def finding(
    found: Detected, how: Locale, evidence: Sequence[Sequence[Transaction]] | None
) -> Iterator[page.PageBlock]:
    """The question, the rows that it is about (None while they are looked up), and what each word does.

    What the words do stands before the reason, which may be longer than the room that there is.
    """
    yield page.Title(
        page.mentioning(asked_of(found)),
        page.TextSpan(_HOLDS[found.status], "warn" if is_open(found) else "soft"),
    )
    match found:
        case RecurringSeries():
            yield from page.sentences([_rhythm(found, how)])
            if (step := found.price_step) is not None:
                since = figures.long_date(step.changed_on)
                yield page.Sentence(
                    f"It was {how.money(step.before)} until it changed on {since}.", "warn"
                )
            if evidence is None:
                yield page.Sentence("Looking up its rows …", "soft")
            elif evidence and evidence[0]:
                yield _rows_table(map(_row, evidence[0]))
        case Transfer():
            yield _rows_table(
                (
                    f"{leg.date}",
                    page.name(leg.raw),
                    _signed(leg.amount, leg.currency),
                    page.name(leg.account),
                )
                for leg in (found.out, found.into)
            )
        case Duplicate():
            yield from _sides(found, evidence or ())
    words: tuple[Word, ...] = "yes", "no"
    rows = ((word[0], does(found, word)) for word in words)
    yield page.table((page.col("", tone="strong accent"), "+"), rows)
    yield page.said(found.why, "soft")


def _rhythm(series: RecurringSeries, how: Locale) -> str:
    often = f"{how.money(series.amount)} {OFTEN[series.cadence]}"
    a_month = "" if series.monthly == series.amount else f", {how.money(series.monthly)} a month"
    times = f"{figures.count(series.count, 'time')} since {figures.long_date(series.first_date)}"
    after = "over" if series.next_date is None else f"next on {figures.long_date(series.next_date)}"
    return f"{often}{a_month}; {times}; {after}."


def _rows_table(
    rows: Iterable[page.TableRow | tuple[str | page.TextSpan | Money, ...]],
) -> page.PageTable:
    columns = ("", page.col("+", fills=True), ">", "<~")
    return page.table(columns, rows, gap=1, indent=2, spoken="Rows")


def _row(each: Transaction) -> tuple[str | page.TextSpan | Money, ...]:
    return f"{each.date}", page.name(each.raw), _signed(each.amount, each.currency), ""


def _signed(amount: int, currency: str, tone: str = "") -> Money:
    return Money(amount, currency, tone, signed=True)
