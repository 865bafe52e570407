"""Notes about the data behind the figures: how much there is, and what is left out."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from shlex import quote

from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.shortfall import missing_in_any_case
from finplan.plan.ledger.books import rows_in_window, rows_of
from finplan.plan.ledger.classes import shown_accounts
from finplan.plan.ledger.days import add_months, date_of, day_of, holes
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER
from finplan.plan.ledger.window import CLOSED_AFTER, START_GRACE
from finplan.plan.live.schedule import pending_out
from finplan.plan.pairing.duplicates import likely_duplicate_accounts
from finplan.plan.sections.missing_accounts import (
    MissingAccount,
    unlinked_cards as find_unlinked_cards,
)
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.standing import contradictions
from finplan.plan.words import count, days, listed, percent

_LATE_DAYS = 7

_MONTHS_TOLD = 24

_DAYS_OF_A_MONTH = 28


def no_transactions(household: Assessment) -> Iterator[str]:
    """Nothing to average, or nothing in the currency that is averaged."""
    if household.books.window.transaction_count:
        return
    currencies = Counter(account.currency for _, account in shown_accounts(household.ledger))
    if currencies and household.currency not in currencies:
        yield (
            f"No account is in {household.currency}, your currency, so nothing is counted."
            " To change your currency: finplan settings set --currency"
            f" {max(currencies, key=lambda code: (currencies[code], code))}"
        )
    else:
        yield "No transactions yet, so every average is zero."


def part_of_a_month(household: Assessment) -> Iterator[str]:
    """Fewer days than a month has: nothing is extrapolated."""
    window = household.books.window
    if window.transaction_count and window.days < _DAYS_OF_A_MONTH:
        yield (
            f"The data covers {count(window.days, 'day')}, less than a month. The amounts are totals so"
            " far, not monthly averages."
        )


def short_window(household: Assessment) -> Iterator[str]:
    """Fewer than three full months."""
    window = household.books.window
    if not window.transaction_count or window.days < _DAYS_OF_A_MONTH or household.full_months >= 3:
        return
    if household.full_months:
        averaged = count(household.full_months, "full month")
    else:
        averaged = f"{count(window.days, 'day')} and no full month"
    yield f"Averages come from {averaged}, so one unusual month affects all of them."


def limited_window(household: Assessment) -> Iterator[str]:
    """One account's coverage shortens the window of all."""
    window = household.books.window
    if window.limited_by is None:
        return
    account = household.ledger.accounts[window.limited_by]
    rows = household.ledger.rows
    days = [row[DAY] for row in rows if row[ACCOUNT] == window.limited_by]
    start = date_of(min([*days, account.covered_since or max(days)]))
    first = date_of(min(row[DAY] for row in rows))
    if start > first + timedelta(START_GRACE):
        yield (
            f"The averages begin in {household.month(window.since)}, because the data for"
            f" {account.name} starts on {household.day(start)}."
        )
    else:
        end = date_of(max([*days, account.covered_until or min(days)]))
        yield (
            f"The averages end in {household.month(window.until)}, because the data for {account.name}"
            f" ends on {household.day(end)}."
        )


def _oldest(household: Assessment) -> int:
    """The day, YYYYMMDD, before which nothing is told of an account's past."""
    return add_months(household.today.year * 100 + household.today.month, -_MONTHS_TOLD) * 100


def missing_statements(household: Assessment) -> Iterator[str]:
    """Statements that are missing between others, as far back as net worth is told."""
    oldest = _oldest(household)
    for _, account in shown_accounts(household.ledger):
        spans = [
            days(date_of(hole.first), date_of(hole.last), household.today)
            for hole in holes(account.coverage)
            if hole.last > oldest
        ]
        if spans:
            yield (
                f"{account.name} is missing data {listed(spans)}: import that statement. Until then,"
                " the averages exclude those months."
            )


def contradicted_balances(household: Assessment) -> Iterator[str]:
    """Statements whose balances the rows between do not explain, as far back as net worth is told."""
    newest = {
        clash.account.id: clash for clash in contradictions(household.ledger, _oldest(household))
    }
    for clash in newest.values():
        since, until = (
            household.day(date_of(record.day)) for record in (clash.earlier, clash.later)
        )
        yield (
            f"{clash.account.name}: statements show {household.money(clash.earlier.balance)} on"
            f" {since} and {household.money(clash.later.balance)} on {until}. The transactions in"
            f" between differ from this change by {household.money(abs(clash.missing))}, so one is"
            f" missing or duplicated. `finplan transactions --account {quote(clash.account.name)}"
            f" --from {date_of(clash.earlier.day)} --to {date_of(clash.later.day)}` lists them."
        )


def data_end(household: Assessment) -> Iterator[str]:
    """The data stop well before today."""
    end = household.books.window.data_end
    age = (household.today - end).days
    if household.books.window.transaction_count and age > _LATE_DAYS:
        yield (
            f"The data ends on {household.day(end)}, {count(age, 'day')} ago. The plan describes your"
            " money up to that day."
        )


def silent_accounts(household: Assessment) -> Iterator[str]:
    """Accounts with which the data end, though others go on for long."""
    window = household.books.window
    if (household.today - window.data_end).days < CLOSED_AFTER:
        return
    ends: dict[int, int] = {}
    for row in household.ledger.rows:
        ends[row[ACCOUNT]] = max(row[DAY], ends.get(row[ACCOUNT], 0))
    for number, day in ends.items():
        covered = household.ledger.accounts[number].covered_until
        ends[number] = min(max(day, covered or day), day_of(household.today))
    latest = date_of(max(ends.values()))
    for number in sorted(ends):
        until = date_of(ends[number])
        if until == window.data_end and (latest - until).days >= CLOSED_AFTER:
            name = household.ledger.accounts[number].name
            yield (
                f"{name} ends on {household.day(until)}, but other accounts continue to"
                f" {household.day(latest)}. Until you import newer statements for it, the averages"
                " end on that day. If the account is closed, run `finplan accounts set"
                f" {quote(name)} --balance 0`."
            )


def other_currency(household: Assessment) -> Iterator[str]:
    """Accounts in a currency that is not the household's, and whether money is known to go there."""
    foreign = {
        number: account
        for number, account in shown_accounts(household.ledger)
        if account.currency != household.currency
    }
    if not foreign:
        return
    names = [f"{account.name} ({account.currency})" for account in foreign.values()]
    verb = "is" if len(foreign) == 1 else "are"
    yield f"{listed(names)} {verb} excluded: totals are in {household.currency} only."
    paired = {row[PEER] for row in household.ledger.rows}
    apart = [account.name for number, account in foreign.items() if number not in paired]
    # After a change of the household's currency there may be no other account for money to leave from.
    if apart and len(foreign) < len(list(shown_accounts(household.ledger))):
        yield (
            f"No transfer between {listed(apart)} and your other accounts is known, so money sent there"
            " counts as spending. `finplan transfers` lists possible transfers."
        )


def hidden(household: Assessment) -> Iterator[str]:
    """Accounts that the person hid."""
    names = [account.name for account in household.ledger.accounts.values() if account.hidden]
    if names:
        yield f"{listed(names)} {'is' if len(names) == 1 else 'are'} hidden and excluded."


def duplicates(household: Assessment) -> Iterator[str]:
    """One account through two connections, or from two files: only the person can say."""
    ledger = household.ledger
    by_file = {bank.id for bank in ledger.connections if bank.provider == "manual"}
    for first, second, repeated in likely_duplicate_accounts(
        ledger.accounts, by_file, ledger.different, ledger.moves_on
    ):
        if repeated is None:
            yield (
                f"{first.name} and {second.name} look like one account from two connections, and both"
                " count. If they are the same account, hide one of them."
            )
        else:
            yield (
                f"{first.name} and {second.name} have"
                f" {count(repeated.shared, 'identical transaction')}, and both accounts count. If"
                " you imported one account twice, see `finplan duplicates`."
            )


def pending(household: Assessment) -> Iterator[str]:
    """Rows that the bank may still change."""
    rows = household.ledger.pending
    charges = [pending_out(row) for row in rows if row[AMOUNT] < 0]
    credits_ = [row[AMOUNT] for row in rows if row[AMOUNT] > 0]
    if charges:
        counted = f"{count(len(charges), 'pending charge')} ({household.money(sum(charges))})"
        verb, them = ("is", "it") if len(charges) == 1 else ("are", "them")
        yield (
            f"{counted} {verb} not in the averages until posted. Safe to spend already counts {them}."
        )
    if credits_:
        counted = f"{count(len(credits_), 'pending credit')} ({household.money(sum(credits_))})"
        yield f"{counted} {'is' if len(credits_) == 1 else 'are'} not counted until posted."


def uncategorised(household: Assessment) -> Iterator[str]:
    """Charges that nothing explains; from a tenth of spending on they make the plan provisional."""
    entry = household.books.categories.get("uncategorized")
    if entry is None or entry.total <= 0:
        return
    share = percent(entry.total, household.books.spending)
    verb, counts = ("is", "counts") if entry.count == 1 else ("are", "count")
    estimate = ", and the plan is an estimate" if household.standing.spending_unknown else ""
    yield (
        f"{count(entry.count, 'transaction')} ({household.money(entry.total)}, {share} of spending)"
        f" {verb} not categorized yet and {counts} as discretionary. Essentials may be too"
        f" low{estimate}."
    )


def unknown_inflows(household: Assessment) -> Iterator[str]:
    """Money that came in from nobody knows where, of all the days that questions ask about."""
    since = household.books.window.since
    rows = [
        row
        for row in rows_of(
            household.books, {"unknown_inflow"}, day_of(since), day_of(household.today)
        )
        if row[AMOUNT] > 0
    ]
    if rows:
        total = household.money(sum(row[AMOUNT] for row in rows))
        verb, them = ("does", "it") if len(rows) == 1 else ("do", "them")
        yield (
            f"{count(len(rows), 'deposit')} ({total}) since {household.month(since)} {verb} not count"
            f" as income until you categorize {them}.{missing_in_any_case(household)}"
        )


def no_income(household: Assessment) -> Iterator[str]:
    """Without income there are no shares of it."""
    has_income = household.means.income > 0 or household.planned.unanswered
    if household.books.window.transaction_count and not has_income:
        yield "No income is known for these months, so the savings rate and the targets are 0."


def unlinked_cards(household: Assessment) -> Iterator[str]:
    """Card payments stand for the purchases behind them; each card's month is the one asked about."""
    entry = household.books.categories.get("unlinked_card")
    if not entry or not entry.count:
        return
    cards = list(find_unlinked_cards(household.ledger, household.books, household.means))
    mistaken = next((card for card in cards if card.mistaken), None)
    if mistaken is not None and mistaken.monthly is not None:
        yield (
            f"Payments to a card ({household.money(mistaken.monthly)} a month) count as spending, and"
            f" so do the purchases in {mistaken.account}, which looks like that card."
        )
        return
    debits = [
        f"{card.account} ({household.money(card.monthly)} a month{_since(household, card)})"
        for card in cards
        if card.monthly is not None
    ]
    if debits:
        cards_are = "a card that is" if len(debits) == 1 else "cards that are"
        yield f"Payments to {listed(debits)}, {cards_are} not linked, count as spending without detail."
    else:
        monthly = household.money(per_month(entry.total, household.books.window.months))
        yield (
            f"Payments to a card that is not linked ({monthly} a month) count as spending without"
            " detail."
        )


def _since(household: Assessment, card: MissingAccount) -> str:
    return f" since {household.month(card.since)}" if card.since else ""


def unlinked_savings(household: Assessment) -> Iterator[str]:
    """Money put aside where nobody sees it grow."""
    window = household.books.window
    rows = rows_in_window(household.books, {"savings", "investing"})
    out = -sum(row[AMOUNT] for row in rows if not row[PEER])
    if out > 0:
        monthly = household.money(per_month(out, window.months))
        yield (
            f"{monthly} a month goes to savings or investments that are not linked, so net worth"
            " excludes it."
        )
