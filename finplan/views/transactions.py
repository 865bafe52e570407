"""A transaction as lines and rows: day, payee, category, amount, and the person's own note."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from finplan.model import figures
from finplan.model.transaction import (
    FoundTotal,
    SplitPart,
    Transaction,
    TransactionPage,
    TransactionWord,
    remark_texts,
    remarks_of,
)
from finplan.views import page
from finplan.views.locale import Money


def listing(listed: TransactionPage, labels: page.Labels, *, why: bool = False) -> page.Page:
    """Transactions as they come, and what those of all pages add up to where that was asked."""
    if not listed.transactions:
        return page.of(page.Sentence("No transactions.", "soft"))
    total = None if listed.total is None else _total(listed.total, len(listed.transactions))
    return page.of(rows(listed.transactions, labels, why=why), total)


def rows(
    transactions: Sequence[Transaction],
    labels: page.Labels,
    *,
    why: bool = False,
    marked: bool = False,
) -> page.PageTable:
    """Transactions, pending ones soft, with their parts and the person's remarks below each.

    `why` tells there as well what the bank wrote and why it is filed so, and cuts nothing. Where nothing
    is below a row, a sign after the payee has remarks `marked`.
    """
    parts = (_label(part.category, labels) for row in transactions for part in row.splits or ())
    payees = max((len(row.payee) for row in transactions), default=0)
    # What a part is for stands below payee and category, on one line where there is room.
    beside = max(map(len, parts), default=0) - payees
    return page.table(
        (
            "day",
            "payee+" if why else "payee<",
            page.col("category~+" if why else "category~<", least=max(0, beside), floor=8),
            "amount>",
            "~",
            *([] if why else ["id#"]),
        ),
        (
            page.TableRow(
                (
                    row.date.isoformat(),
                    page.name(f"{row.payee} ✎" if marked and any(_remarks(row)) else row.payee),
                    page.TextSpan(filed(row, labels), kind="label"),
                    Money(row.amount, row.currency, _tone(row), signed=True),
                    "pending" if row.pending else "",
                    *([] if why else [row.id]),
                ),
                key=row.id,
                tone="soft" if row.pending else "",
                below=tuple(_below(row, labels, why=why)),
            )
            for row in transactions
        ),
        spoken="Transactions",
        headless=why,
    )


def _tone(row: Transaction) -> str:
    return "good" if row.amount > 0 and not row.pending else ""


def _remarks(row: Transaction) -> Iterator[str]:
    """What the person remarked on a transaction, the note in quotes."""
    for kind, text in remark_texts(remarks_of(row)).items():
        yield _quote(text) if kind == "note" else text


def _quote(note: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{note}\N{RIGHT DOUBLE QUOTATION MARK}"


def _below(row: Transaction, labels: page.Labels, *, why: bool) -> Iterator[page.RowPart]:
    if why:
        reason = row.why
        # A guess that files nothing is not what the row is filed by.
        guessed = reason.confidence is not None and reason.rule_id is not None
        sure = f" ({figures.share(reason.confidence or 0)} sure)" if guessed else ""
        yield page.RowPart(page.name(row.raw, "soft"), indent=0, margin=row.id)
        yield page.RowPart(page.mentioning(f"{reason.text}{sure}", "soft"), indent=0)
    for part in row.splits or ():
        amount = Money(part.amount, row.currency, "soft", signed=True)
        yield page.RowPart(page.TextSpan(_label(part.category, labels), "soft", "label"), amount)
        if part.note is not None:
            yield page.RowPart(page.name(_quote(part.note), "quote"), indent=4)
    for remark in _remarks(row):
        yield page.RowPart(page.name(remark, "quote"))


def _label(key: str, labels: page.Labels) -> str:
    return labels.get(key, key)


def filed(row: Transaction, labels: page.Labels) -> str:
    """What a transaction is for: the title of its category, or how many parts it has."""
    return f"split in {len(row.splits)}" if row.splits else _label(row.category, labels)


def _total(total: FoundTotal, listed: int) -> page.Sentence:
    """How many were found, what the posted ones add up to, and how many of them are shown."""
    count = figures.count(total.rows, "transaction")
    text = f"{count}, all pending"
    if total.sums:
        sums = (Money(sum_.amount, sum_.currency, signed=True).text for sum_ in total.sums)
        text = f"{count}, {' and '.join(sums)} in total"
        text += f" without {total.pending:,} pending" if total.pending else ""
    if listed < total.rows:
        text += f"; newest{'' if listed == 1 else f' {listed}'} shown"
    return page.Sentence(f"{text}.", "soft")


# --- the person's own word -----------------------------------------------------------------------


def show_edit(
    before: Transaction, after: Transaction, labels: page.Labels, uncounted: str = ""
) -> page.Page:
    """A transaction as the person's word has it, and what that moved; see `change_of`."""
    change = page.sentence(change_of(before, after, labels, uncounted))
    return page.of(rows((after,), labels, why=True), change)


def change_of(
    before: Transaction, after: Transaction, labels: page.Labels, uncounted: str = ""
) -> str:
    """What a word on a transaction moved; `uncounted` says why no total holds it, where none does."""
    moved = _describe_move(before, after, labels)
    if moved:
        later = "The transaction counts once it is posted." if after.pending else ""
        return f"{moved} {uncounted or later}".rstrip()
    if before.note != after.note:
        return "Saved the note." if after.note is not None else "Removed the note."
    if before.tags != after.tags:
        return (
            f"Tagged {' '.join(f'#{tag}' for tag in after.tags)}."
            if after.tags
            else "Removed all tags."
        )
    return "No totals change." if before != after else "Nothing changed."


def _describe_move(before: Transaction, after: Transaction, labels: page.Labels) -> str:
    """Which sums a word moved between categories, in a sentence; empty where it moved none."""
    change = Counter(_sums(after))
    change.subtract(_sums(before))
    sign = 1 if after.amount > 0 else -1
    losses = {key: -sign * sum_ for key, sum_ in change.items() if sign * sum_ < 0}
    gains = {key: sign * sum_ for key, sum_ in change.items() if sign * sum_ > 0}
    if not gains:
        return ""
    total = figures.money(sum(gains.values()), after.currency)
    sides = (_side(side, labels, after.currency) for side in (losses, gains))
    return f"Moved {total} from {' to '.join(sides)}."


def _sums(row: Transaction) -> Counter[str]:
    """What of a transaction lies in each category."""
    sums: Counter[str] = Counter()
    for part in row.splits or ():
        sums[part.category] += part.amount
    return sums or Counter({row.category: row.amount})


def _side(side: Mapping[str, int], labels: page.Labels, currency: str) -> str:
    """Categories by name; of several each with its sum."""
    sums = {_label(key, labels): figures.money(sum_, currency) for key, sum_ in side.items()}
    return page.listed(
        [f"{label} ({sum_})" for label, sum_ in sums.items()] if len(sums) > 1 else [*sums]
    )


# --- what agents are told ------------------------------------------------------------------------


def brief(
    listed: TransactionPage,
    days: str,
    labels: page.Labels,
    outside: Mapping[str, str],
    unfiled: Collection[str],
) -> page.Lines:
    """A page of transactions of some days; those on accounts `outside` totals name their account."""
    tail = "; more with cursor" if listed.next_cursor else ""
    count = figures.count(len(listed.transactions), "transaction")
    yield f"{count}, newest first{days}{tail}. This is only one page. For totals, call query_spending."
    for row in listed.transactions:
        counted = row.account_id not in outside
        for_what: page.Phrase = ""
        if row.splits:
            parts = (_format_part(part, row.currency, labels) for part in row.splits)
            for_what = (", ", page.TextSpan(f"split into {', '.join(parts)}", kind="label"))
        elif counted or row.category not in unfiled:
            for_what = (", ", page.TextSpan(_label(row.category, labels), kind="label"))
        yield (
            f"- {row.date} ",
            page.name(row.payee),
            f" {figures.money(row.amount, row.currency)}",
            *for_what,
            *(() if counted else (", on ", page.name(outside[row.account_id]), ", not in totals")),
            ", pending" if row.pending else "",
            *_brief_remarks(row, ", "),
            f" [{row.id}]",
        )


def days_of(since: date | None, until: date | None) -> str:
    """The days that rows are of, as they follow their number; nothing for all days."""
    if since is None:
        return "" if until is None else f", up to {until}"
    return f", from {since}" + ("" if until is None else f" to {until}")


def _format_part(part: SplitPart, currency: str, labels: page.Labels) -> str:
    return f"{figures.money(part.amount, currency)} {_label(part.category, labels)}"


def _brief_remarks(row: Transaction | TransactionWord, between: str) -> list[str | page.TextSpan]:
    remarks = remark_texts(remarks_of(row)).items()
    return [part for kind, text in remarks for part in (f"{between}{kind} ", page.name(text))]


def brief_word(
    row: Transaction,
    before: TransactionWord,
    after: TransactionWord,
    labels: page.Labels,
    *,
    is_saved: bool,
) -> page.Lines:
    """What the person's word makes of a transaction, or made of it where it `is_saved`."""
    yield (
        "Saved: "
        if is_saved
        else "Nothing is saved yet. If the person agrees, call again with confirm. This would change: ",
        page.name(row.payee),
        f" {figures.money(row.amount, row.currency)} of {row.date}",
    )
    for when, edit in (("before", before), ("now" if is_saved else "then", after)):
        yield (
            f"- {when}: ",
            *_brief_filing(edit, row.currency, labels),
            *_brief_remarks(edit, "; "),
        )
    if row.transfer_id is not None:
        yield (
            "This is a transfer between the person's own accounts. With a category, it counts as"
            " spending or income."
        )


def _brief_filing(
    edit: TransactionWord, currency: str, labels: page.Labels
) -> Iterator[str | page.TextSpan]:
    if not edit.splits:
        key = edit.category
        yield "by the rules" if key is None else page.category(key, labels.get(key))
        return
    for index, part in enumerate(edit.splits):
        yield ", " if index else "split into "
        yield f"{figures.money(part.amount, currency)} "
        yield page.category(part.category, labels.get(part.category))
        if part.note:
            yield from (" (", page.name(part.note), ")")
