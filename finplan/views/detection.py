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
from finplan.views.plan_text import OFTEN

SHOWN = 30
"""How many pairs are listed unless some were asked for."""

NOTHING = {
    "recurring": "No recurring charges or income found yet.",
    "transfers": "No transfers between your accounts found yet.",
    "duplicates": "No duplicates found.",
}

TRANSFER_ASKED = "Is this a transfer?"

# --- the person's word ---------------------------------------------------------------------------

Word = Literal["yes", "no", "auto"]
"""What a person says of a finding; `auto` takes it back."""


def word_on(finding: Detected) -> Word:
    """The word that holds on a finding; `auto` where none does."""
    if finding.status in ("confirmed", "same"):
        return "yes"
    return "no" if finding.status in ("dismissed", "rejected", "different") else "auto"


def verdict(
    finding: Detected, decision: Word
) -> RecurringVerdict | TransferVerdict | DuplicateVerdict:
    """A decision on a finding as the daemon is told it."""
    match finding:
        case RecurringSeries():
            return RecurringVerdict(id=finding.id, verdict=_verdict(decision, "confirm", "dismiss"))
        case Transfer():
            return TransferVerdict(id=finding.id, verdict=_verdict(decision, "confirm", "reject"))
        case Duplicate():
            return DuplicateVerdict(id=finding.id, verdict=_verdict(decision, "same", "different"))


_Yes = TypeVar("_Yes", bound=str)
_No = TypeVar("_No", bound=str)


def _verdict(decision: Word, yes: _Yes, no: _No) -> _Yes | _No | Literal["auto"]:
    """A decision by what a yes and a no are called."""
    if decision == "auto":
        return decision
    return yes if decision == "yes" else no


def is_open(finding: Detected) -> bool:
    """Whether nobody has decided it, finplan included."""
    return finding.status in ("candidate", "open")


def asked_of(finding: Detected) -> str:
    """The question that yes or no answers."""
    match finding:
        case RecurringSeries():
            return f"Is {finding.name} recurring?"
        case Transfer():
            return TRANSFER_ASKED
        case Duplicate(kind="accounts"):
            return "Are these the same account?"
        case Duplicate():
            return "Are these the same transaction?"


def does(finding: Detected, decision: Word) -> str:
    """What a yes or a no does, before it is said."""
    match finding:
        case RecurringSeries():
            yes = "it stays in the plan, even if its days or amounts look irregular."
            no = "your plan, forecast and safe to spend no longer include it."
        case Transfer():
            yes = "neither transaction counts as income or spending, and they stay paired."
            no = "both transactions count in their categories, and finplan never pairs them again."
        case Duplicate(relinked=True):
            yes = "merges the two accounts permanently, with all transactions and settings."
            no = "keeps two accounts permanently, and both count."
        case Duplicate():
            second, of = (
                ("second account", "figure") if finding.kind == "accounts" else ("second", "total")
            )
            yes = f"excludes the {second} from every {of}."
            no = "both count."
    return f"{decision.capitalize()}: {yes if decision == 'yes' else no}"


_HOLDS = {
    "detected": "found by finplan",
    "dismissed": "dismissed by you",
    "confirmed": "confirmed by you",
    "paired": "paired by finplan",
    "candidate": "open: both count",
    "rejected": "rejected by you",
    "open": "open",
    "same": "duplicate, confirmed by you",
    "different": "not a duplicate, confirmed by you",
}
"""What holds of a finding now, and by whose word."""

_DECIDED = {
    "recurring confirmed": "Confirmed: {}.",
    "recurring dismissed": "Dismissed and removed from the plan: {}.",
    "recurring detected": "Reset to what finplan found: {}.",
    "confirmed": "Confirmed as a transfer: {}.",
    "rejected": "Not a transfer; both transactions count in their categories: {}.",
    "paired": "Reset; finplan pairs these: {}.",
    "candidate": "Reset; not paired until you confirm: {}.",
    "same": "Duplicate; excluded from every total: {}.",
    "different": "Not a duplicate; both count: {}.",
    "open": "Reset; open again: {}.",
}


def describe_verdict(finding: Detected, how: Locale) -> str:
    """What a finding is after the person's word, in a sentence."""
    match finding:
        case RecurringSeries():
            series = f"{finding.name}, {how.money(finding.amount)} {OFTEN[finding.cadence]}"
            return _DECIDED[f"recurring {finding.status}"].format(series)
        case Transfer():
            pair = f"{_sent(finding)} {_way(finding)} on {finding.out.date}"
            return _DECIDED[finding.status].format(pair)
        case Duplicate():
            side = finding.other
            second = side.raw or side.account_name
            if side.amount is not None:
                second += f", {figures.money(side.amount, finding.currency)} on {side.date}"
            if finding.relinked and finding.status == "same":
                merged = "Merged into one account, with the transactions and settings of both"
                return f"{merged}: {second}."
            return _DECIDED[finding.status].format(second)


# --- what comes again ----------------------------------------------------------------------------


def recurring(listed: Sequence[RecurringSeries], how: Locale) -> page.Page:
    """The charges, then the income, then what is over and what was dismissed."""
    ended = [series for series in listed if not series.active or series.status == "dismissed"]
    live = [series for series in listed if series not in ended]
    groups = (
        ("Charges", [series for series in live if series.kind == "charge"]),
        ("Income", [series for series in live if series.kind == "income"]),
        ("Ended or dismissed", ended),
    )
    parts: list[page.PageBlock | page.Section] = []
    for title, some in groups:
        if some:
            month = how.money(sum(series.monthly for series in some))
            remark = "" if some is ended else f"{month} a month"
            section = page.Section(title.lower(), title, (series_table(some, how),), remark)
            parts += page.spaced(section) if parts else [section]
    return page.of(parts or [page.Sentence(NOTHING["recurring"], "soft")])


def series_table(listed: Iterable[RecurringSeries], how: Locale) -> page.PageTable:
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
    rows = sorted(listed, key=lambda series: 2 if not series.active else series.kind == "income")
    return page.table(columns, (_series(series, how) for series in rows), spoken="Recurring")


def _series(series: RecurringSeries, how: Locale) -> page.TableRow:
    over = f"ended {series.last_date:%b %Y}"
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


def transfers(pairs: Sequence[Transfer], _how: Locale, *, everything: bool) -> page.Page:
    """The pairs in doubt with both their texts, then the others.

    Unless `everything` is asked for, only the newest of the others are listed, and how many there are
    more is told.
    """
    if not pairs:
        return page.of(page.Sentence(NOTHING["transfers"], "soft"))
    doubts = [pair for pair in pairs if is_open(pair)]
    others = [pair for pair in pairs if not is_open(pair)]
    newest = others if everything else others[:SHOWN]
    parts: list[page.PageBlock | page.Section] = []
    if doubts:
        table = (transfer_table(doubts, full=True, wraps=True),)
        parts.append(page.Section("doubts", TRANSFER_ASKED, table, "confirm or reject"))
    if newest:
        listed = transfer_table(newest, wraps=True)
        parts += (
            page.spaced(page.Section("transfers", "Transfers", (listed,))) if doubts else [listed]
        )
    if hidden := len(others) - len(newest):
        older = f"{figures.count(hidden, 'older transfer')}: `finplan transfers list --from 2000`"
        parts.append(page.Sentence(older, "soft", whole=True))
    return page.of(parts)


def transfer_table(
    pairs: Iterable[Transfer], *, full: bool = False, wraps: bool = False
) -> page.PageTable:
    """Pairs of rows, those in doubt first; each `full` with both its texts and its reason.

    Accounts with little room take a line more if the table `wraps`, and are cut otherwise.
    """
    columns = ("day", "amount>", f"between{'+' if wraps else '<'}", "status", "id#")
    rows = sorted(pairs, key=lambda pair: not is_open(pair))
    return page.table(columns, (_transfer(pair, full=full) for pair in rows), spoken="Transfers")


_STATUS = {
    "candidate": page.TextSpan("open", "warn"),
    "paired": page.soft("paired"),
    "confirmed": page.TextSpan("confirmed", "good"),
    "rejected": page.TextSpan("rejected", "bad"),
    "open": page.TextSpan("open", "warn"),
    "same": page.TextSpan("same", "good"),
    "different": page.TextSpan("different", "good"),
}


def _transfer(pair: Transfer, *, full: bool) -> page.TableRow:
    texts = (
        page.name(f"{pair.out.raw} → {pair.into.raw}", "soft"),
        page.mentioning(pair.why, "soft"),
    )
    below = tuple(page.RowPart(text, indent=0) for text in texts) if full else ()
    cells = (f"{pair.out.date}", _sent(pair), page.name(_way(pair)), _STATUS[pair.status], pair.id)
    return page.TableRow(cells, pair.id, "strong" if is_open(pair) else "", below=below)


def _sent(transfer: Transfer) -> str:
    """How much left, and what arrived where it was in another currency."""
    sent = figures.money(-transfer.out.amount, transfer.currency)
    if transfer.into.currency == transfer.currency:
        return sent
    return f"{sent} → {figures.money(transfer.into.amount, transfer.into.currency)}"


def _way(transfer: Transfer) -> str:
    """From which account to which."""
    return f"{transfer.out.account} → {transfer.into.account}"


# --- what is seen twice --------------------------------------------------------------------------

_ANSWERED = {
    "same": page.TextSpan("Duplicate: the second is excluded", "strong good"),
    "different": page.TextSpan("Not a duplicate: both count", "strong"),
}


def duplicates(pairs: Sequence[Duplicate], _how: Locale) -> page.Page:
    """Each with its two sides below one another, so that a difference is seen."""
    if not pairs:
        return page.of(page.Sentence(NOTHING["duplicates"], "soft"))
    short = shortened([pair.id for pair in pairs])
    parts: list[page.PageBlock] = []
    for pair in pairs:
        parts += [
            *([page.Sentence("")] if parts else []),
            page.Sentence((_title(pair), page.soft(f"  {short[pair.id]}"))),
            page.sentence(pair.why, "soft", indent=2),
            *_sides(pair, ()),
        ]
    return page.of(parts)


def _title(pair: Duplicate) -> page.TextSpan:
    return _ANSWERED.get(pair.status) or page.TextSpan(asked_of(pair), "strong warn")


def duplicate_table(pairs: Iterable[Duplicate]) -> page.PageTable:
    """What is open, then what was decided; an account by its name, a row by its text."""
    columns = ("day", "amount>", "what<", "status", "id#")
    rows = sorted(pairs, key=lambda pair: not is_open(pair))
    return page.table(columns, map(_duplicate, rows), spoken="Duplicates")


def _duplicate(pair: Duplicate) -> page.TableRow:
    side = pair.other
    day = "account" if side.date is None else f"{side.date}"
    amount = "" if side.amount is None else _signed_money(side.amount, pair.currency)
    what = page.name(side.raw or _account(side))
    tone = "strong" if is_open(pair) else ""
    return page.TableRow((day, amount, what, _STATUS[pair.status], pair.id), pair.id, tone)


def _account(side: DuplicateSide) -> str:
    return f"{side.institution_name} {side.account_name}"


def _sides(pair: Duplicate, evidence: Sequence[Sequence[Transaction]]) -> Iterator[page.PageBlock]:
    """Both sides: two rows below one another, or two accounts with their newest rows."""
    sides = pair.kept, pair.other
    rows = [_side(side, pair.currency) for side in sides if side.date is not None]
    if rows:
        yield _rows_table(rows)
        return
    for index, side in enumerate(sides):
        yield page.Sentence(
            page.name(_account(side)), "" if side.counted else "soft gone", indent=2
        )
        if evidence and evidence[index]:
            yield _rows_table(map(_row, evidence[index]))


def _side(side: DuplicateSide, currency: str) -> page.TableRow:
    tone = "" if side.counted else "soft gone"
    amount = _signed_money(side.amount or 0, currency, tone)
    return page.TableRow(
        (f"{side.date}", page.name(side.raw or "", tone), amount, page.name(_account(side))),
        tone=tone,
    )


# --- one of them whole ---------------------------------------------------------------------------


def finding(
    detected: Detected, how: Locale, evidence: Sequence[Sequence[Transaction]] | None
) -> Iterator[page.PageBlock]:
    """The question, the rows that it is about (None while they are looked up), and what each word does.

    What the words do stands before the reason, which may be longer than the room that there is.
    """
    yield page.Title(
        page.mentioning(asked_of(detected)),
        page.TextSpan(_HOLDS[detected.status], "warn" if is_open(detected) else "soft"),
    )
    match detected:
        case RecurringSeries():
            yield from page.sentences([_rhythm(detected, how)])
            if (step := detected.price_step) is not None:
                since = figures.long_date(step.changed_on)
                yield page.Sentence(f"Changed from {how.money(step.before)} on {since}.", "warn")
            if evidence is None:
                yield page.Sentence("Loading transactions …", "soft")
            elif evidence and evidence[0]:
                yield _rows_table(map(_row, evidence[0]))
        case Transfer():
            yield _rows_table(
                (
                    f"{leg.date}",
                    page.name(leg.raw),
                    _signed_money(leg.amount, leg.currency),
                    page.name(leg.account),
                )
                for leg in (detected.out, detected.into)
            )
        case Duplicate():
            yield from _sides(detected, evidence or ())
    decisions: tuple[Word, ...] = "yes", "no"
    rows = ((decision[0], does(detected, decision)) for decision in decisions)
    yield page.table((page.col("", tone="strong accent"), "+"), rows)
    yield page.sentence(detected.why, "soft")


def _rhythm(series: RecurringSeries, how: Locale) -> str:
    often = f"{how.money(series.amount)} {OFTEN[series.cadence]}"
    a_month = "" if series.monthly == series.amount else f", {how.money(series.monthly)} a month"
    times = f"{figures.count(series.count, 'time')} since {figures.long_date(series.first_date)}"
    after = (
        "ended" if series.next_date is None else f"next on {figures.long_date(series.next_date)}"
    )
    return f"{often}{a_month}; {times}; {after}."


def _rows_table(
    rows: Iterable[page.TableRow | tuple[str | page.TextSpan | Money, ...]],
) -> page.PageTable:
    columns = ("", page.col("+", fills=True), ">", "<~")
    return page.table(columns, rows, gap=1, indent=2, spoken="Transactions")


def _row(row: Transaction) -> tuple[str | page.TextSpan | Money, ...]:
    return f"{row.date}", page.name(row.raw), _signed_money(row.amount, row.currency), ""


def _signed_money(amount: int, currency: str, tone: str = "") -> Money:
    return Money(amount, currency, tone, signed=True)
