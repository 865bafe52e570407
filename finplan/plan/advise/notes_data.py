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
    currencies = Counter(each.currency for _, each in shown_accounts(household.ledger))
    if currencies and household.currency not in currencies:
        yield (
            f"No account is in {household.currency}, the household's currency, so nothing is"
            " counted. To change it: finplan settings set --currency"
            f" {max(currencies, key=lambda code: (currencies[code], code))}"
        )
    else:
        yield "There are no transactions yet, so every average is zero."


def part_of_a_month(household: Assessment) -> Iterator[str]:
    """Fewer days than a month has: nothing is extrapolated."""
    window = household.books.window
    if window.transaction_count and window.days < _DAYS_OF_A_MONTH:
        yield (
            f"The data cover {count(window.days, 'day')}, less than a month: the figures are sums so"
            " far, not averages."
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
    yield f"Averages come from {averaged}: one unusual month shows in all of them."


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
            f"The averages begin in {household.month(window.since)}, because {account.name} starts"
            f" on {household.day(start)}."
        )
    else:
        end = date_of(max([*days, account.covered_until or min(days)]))
        yield (
            f"The averages end in {household.month(window.until)}, because {account.name} ends on"
            f" {household.day(end)}."
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
                f"{account.name} has no data {listed(spans)}: import that statement. Until then the"
                " months between are not averaged."
            )


def contradicted_balances(household: Assessment) -> Iterator[str]:
    """Statements whose balances the rows between do not explain, as far back as net worth is told."""
    newest = {
        each.account.id: each for each in contradictions(household.ledger, _oldest(household))
    }
    for each in newest.values():
        since, until = (household.day(date_of(record.day)) for record in (each.earlier, each.later))
        yield (
            f"{each.account.name}: its statements state {household.money(each.earlier.balance)} on"
            f" {since} and {household.money(each.later.balance)} on {until}, which its transactions"
            f" between miss by {household.money(abs(each.missing))}: one is missing, or there twice."
            f" `finplan transactions --account {quote(each.account.name)} --from"
            f" {date_of(each.earlier.day)} --to {date_of(each.later.day)}` lists them."
        )


def data_end(household: Assessment) -> Iterator[str]:
    """The data stop well before today."""
    end = household.books.window.data_end
    age = (household.today - end).days
    if household.books.window.transaction_count and age > _LATE_DAYS:
        yield (
            f"The data end on {household.day(end)}, {count(age, 'day')} ago; the figures describe"
            " the time before."
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
        told = household.ledger.accounts[number].covered_until
        ends[number] = min(max(day, told or day), day_of(household.today))
    latest = date_of(max(ends.values()))
    for number in sorted(ends):
        until = date_of(ends[number])
        if until == window.data_end and (latest - until).days >= CLOSED_AFTER:
            name = household.ledger.accounts[number].name
            yield (
                f"{name} has no data after {household.day(until)}, while other accounts go on to"
                f" {household.day(latest)}: import its newer statements. If it is closed, say so:"
                f" `finplan accounts set {quote(name)} --balance 0`. Until then the averages end there."
            )


def no_balance(household: Assessment) -> Iterator[str]:
    """An account whose balance nobody told."""
    names = [each.name for _, each in shown_accounts(household.ledger) if each.balance is None]
    if names:
        has, adds = ("has", "adds") if len(names) == 1 else ("have", "add")
        yield (
            f"{listed(names)} {has} no known balance and {adds} nothing to what you own or owe."
            " `finplan accounts set` tells a balance."
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
    names = [f"{each.name} ({each.currency})" for each in foreign.values()]
    verb = "is" if len(foreign) == 1 else "are"
    yield f"{listed(names)} {verb} left out: totals are in {household.currency} only."
    paired = {row[PEER] for row in household.ledger.rows}
    apart = [account.name for number, account in foreign.items() if number not in paired]
    # After a change of the household's currency there may be no other account for money to leave from.
    if apart and len(foreign) < len(list(shown_accounts(household.ledger))):
        yield (
            f"No transfer between {listed(apart)} and your other accounts is known, so what goes there"
            " counts as paid to somebody else. `finplan transfers` lists whatever looks like one."
        )


def hidden(household: Assessment) -> Iterator[str]:
    """Accounts that the person hid."""
    names = [each.name for each in household.ledger.accounts.values() if each.hidden]
    if names:
        yield f"{listed(names)} {'is' if len(names) == 1 else 'are'} hidden and left out."


def duplicates(household: Assessment) -> Iterator[str]:
    """One account through two connections, or from two files: only the person can say."""
    ledger = household.ledger
    by_file = {each.id for each in ledger.connections if each.provider == "manual"}
    for one, other, repeated in likely_duplicate_accounts(
        ledger.accounts, by_file, ledger.different, ledger.moves_on
    ):
        if repeated is None:
            yield (
                f"{one.name} and {other.name} look like one account from two connections, and both are"
                " counted: is it one? Then hide one of them."
            )
        else:
            yield (
                f"{one.name} and {other.name} have {count(repeated.shared, 'equal row')}, and both are"
                " counted: is it one account that came twice? `finplan duplicates` tells what to do."
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
            f"{counted} {verb} in no average until posted; what is safe to spend counts {them}"
            " already."
        )
    if credits_:
        counted = f"{count(len(credits_), 'pending credit')} ({household.money(sum(credits_))})"
        yield f"{counted} {'is' if len(credits_) == 1 else 'are'} not counted until posted."


def uncategorised(household: Assessment) -> Iterator[str]:
    """Charges that nothing explains; from a tenth of spending on they make the plan provisional."""
    found = household.books.categories.get("uncategorized")
    if found is None or found.total <= 0:
        return
    share = percent(found.total, household.books.spending)
    verb = "is" if found.count == 1 else "are"
    estimate = " and the plan is an estimate" if household.standing.spending_unknown else ""
    yield (
        f"{count(found.count, 'charge')} ({household.money(found.total)}, {share} of spending)"
        f" {verb} in no category yet and counted as discretionary, so essentials may be low{estimate}."
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
        verb, what = ("is", "it is") if len(rows) == 1 else ("are", "they are")
        yield (
            f"{count(len(rows), 'inflow')} ({total}) since {household.month(since)} {verb} not counted"
            f" as income until you say what {what}.{missing_in_any_case(household)}"
        )


def no_income(household: Assessment) -> Iterator[str]:
    """Without income there are no shares of it."""
    known = household.means.income > 0 or household.planned.unanswered
    if household.books.window.transaction_count and not known:
        yield "No income is known in these months, so the savings rate and the targets are 0."


def unlinked_cards(household: Assessment) -> Iterator[str]:
    """Card payments stand for the purchases behind them; each card's month is the one asked about."""
    found = household.books.categories.get("unlinked_card")
    if not found or not found.count:
        return
    cards = list(find_unlinked_cards(household.ledger, household.books, household.means))
    mistaken = next((each for each in cards if each.mistaken), None)
    if mistaken is not None and mistaken.monthly is not None:
        yield (
            f"Payments to a card ({household.money(mistaken.monthly)} a month) count as spending,"
            f" beside what {mistaken.account} shows, which looks like that card."
        )
        return
    named = [
        f"{each.account} ({household.money(each.monthly)} a month{_since(household, each)})"
        for each in cards
        if each.monthly is not None
    ]
    if named:
        cards_are = "a card that is" if len(named) == 1 else "cards that are"
        yield f"Payments to {listed(named)}, {cards_are} not linked, count as spending without detail."
    else:
        monthly = household.money(per_month(found.total, household.books.window.months))
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
            " does not show it."
        )
