"""The live view: what is safe to spend, today and a day until payday.

Who is told today that there is nothing hears when there is something again: until then nothing more
is spent, what is expected comes on its day, and all else stays as it is. How old the data of each
bank are stands beside it.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from finplan.model import snapshot
from finplan.model.plan import Plan
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import AMOUNT, Ledger, LedgerConnection
from finplan.plan.live.expected import Period, period_of
from finplan.plan.live.pace import due_this_month, money_groups, spent_this_month
from finplan.plan.live.schedule import pending_out
from finplan.plan.live.view import LiveView, live_view
from finplan.plan.sections.missing_accounts import missing_accounts
from finplan.plan.sections.monthly import take_means

_FRESH_DAYS = 2
_FRESH_DAYS_BY_HAND = 35
"""A bank is expected to be synced every 48 hours, a statement to be imported once a month."""

_MILLISECONDS_A_DAY = 86_400_000
_EPOCH = date(1970, 1, 1).toordinal()


def synced_on(connection: LedgerConnection) -> date | None:
    """The day (UTC) of the last sync that worked, None before the first."""
    if connection.last_synced_at is None:
        return None
    return date.fromordinal(_EPOCH + connection.last_synced_at // _MILLISECONDS_A_DAY)


def days_behind(connection: LedgerConnection, today: date) -> int | None:
    """How many days ago the last sync that worked was; None before the first."""
    last = synced_on(connection)
    return None if last is None else (today - last).days


def shown_connections(ledger: Ledger) -> Iterator[LedgerConnection]:
    """The connections whose accounts are not all hidden, nor all kept by the person themselves."""
    with_accounts = {account.connection_id for account in ledger.accounts.values()}
    visible = {account.connection_id for account in ledger.accounts.values() if not account.hidden}
    brought = {account.connection_id for account in ledger.accounts.values() if not account.own}
    return (
        connection
        for connection in ledger.connections
        if (connection.id in visible or connection.id not in with_accounts)
        # What the person keeps themselves is never synced.
        and (connection.id in brought or connection.id not in with_accounts)
    )


def connections_behind(ledger: Ledger, today: date) -> tuple[snapshot.Behind, ...]:
    """The shown connections that need the person, or whose data are old."""
    return tuple(
        snapshot.Behind.of(
            ledger_connection,
            connection_id=ledger_connection.id,
            institution_name=ledger_connection.institution,
        )
        for ledger_connection in shown_connections(ledger)
        if ledger_connection.status != "ok" or _is_old(ledger_connection, today)
    )


def oldest_sync(ledger: Ledger) -> int | None:
    """The instant up to which all data are known, in milliseconds; None if a bank never synced."""
    instants = [ledger_connection.last_synced_at for ledger_connection in shown_connections(ledger)]
    synced_at = [instant for instant in instants if instant is not None]
    return min(synced_at) if synced_at and len(synced_at) == len(instants) else None


def _is_old(connection: LedgerConnection, today: date) -> bool:
    age = days_behind(connection, today)
    fresh = _FRESH_DAYS_BY_HAND if connection.provider == "manual" else _FRESH_DAYS
    return age is None or age > fresh


def spendable_from(books: Books, live: LiveView, allowance: snapshot.Allowance) -> date | None:
    """The first day on which something is safe to spend again; `allowance` is that of today.

    None while something is, and where nothing that is expected brings it: no share of a later day, no
    pay and no other period.
    """
    if allowance.today > 0:
        return None
    share, cash = _share_returns(live, allowance), _cash_returns(books, live)
    return None if share is None or cash is None else max(share, cash)


def _share_returns(live: LiveView, allowance: snapshot.Allowance) -> date | None:
    """The first day that has a share: today, tomorrow of what is left, or a day of the next period."""
    if allowance.daily > allowance.spent_today:
        return live.today
    days = allowance.breakdown.days_left - 1
    if days and allowance.breakdown.remaining >= days:
        return live.today + timedelta(1)
    return live.period.end if live.pace.free > 0 else None


def _cash_returns(books: Books, live: LiveView) -> date | None:
    """The first day from which on cash can spare something: as pay comes in, or in another period.

    The pay of the next period's first day must carry that period's own bills.
    """
    if live.guard.free is None or live.guard.free > 0:
        return live.today
    end = live.period.end
    day = _spared_from(live, live.today + timedelta(1), end)
    if day is not None:
        return day
    then = period_of(books.sources, end)
    carried = live.schedule.lowest(end, then.end - timedelta(1)).cash
    return end if carried > 0 else None


def _spared_from(live: LiveView, since: date, end: date) -> date | None:
    """The first day after which no evening before `end` is without cash; None without one."""
    spared = None
    for point in live.schedule.evenings(since, end - timedelta(1)):
        spared = None if point.cash <= 0 else spared or point.day
    return spared


_SOON_DAYS = 30
"""How many days are told together."""


def live_snapshot(ledger: Ledger, books: Books, plan: Plan, today: date) -> snapshot.Snapshot:
    """The live view of a household on a day; `books` are the ledger's on that day.

    `plan` is the latest plan, which may be older than today. What moved the allowance since it was last
    shown is not known here, so `change` is null.
    """
    live = live_view(ledger, books, plan, today)
    balances, safe_to_spend = live.balances, allowance(live)
    return snapshot.Snapshot(
        allowance=safe_to_spend,
        period=period_cash(live, safe_to_spend.breakdown),
        due=due_soon(live),
        balances=snapshot.SnapshotBalances(
            cash=balances.liquid_cash,
            card_debt=balances.credit_card_debt,
            loans=balances.other_debt,
            net_worth=balances.net_worth,
        ),
        upcoming=live.expected.listed(),
        groups=money_groups(
            plan,
            ledger.catalogue,
            books.running.by_category,
            spent_this_month(books, today),
            due_this_month(live.expected.charges, today),
        ),
        window=snapshot.SnapshotWindow.of(plan.window),
        plan_date=plan.generated_on,
        synced_at=oldest_sync(ledger),
        income=snapshot.SnapshotIncome(
            source="detected" if ledger.monthly_income is None else "manual", draw=live.draw
        ),
        change=None,
        gaps=_gaps(ledger, books, today),
        spendable_from=spendable_from(books, live, safe_to_spend),
    )


def allowance(live: LiveView) -> snapshot.Allowance:
    """What is safe to spend; both subtractions of the breakdown are exact."""
    pace, period, spent = live.pace, live.period, live.spent
    income = _of_period(pace.income, period)
    groceries = max(_of_period(pace.groceries, period), spent.groceries, 0)
    transportation = max(_of_period(pace.transportation, period), spent.transportation, 0)
    now = live.planned_now
    bills = max(0, _of_period(pace.bills - now.monthly, period)) + now.total
    available = income - bills - groceries - transportation
    remaining = available - spent.free
    days_left = (period.end - live.today).days
    spent_today = max(0, spent.today)
    spare, free = live.guard.free, remaining
    if pace.unanswered and spare is not None and remaining + spent_today <= 0:
        # Nobody knows that nothing is left, so that what bills leave of cash is shared out.
        free = spare
    daily = max(0, free + spent_today) // days_left
    share = daily - spent_today
    return snapshot.Allowance(
        today=share if spare is None else min(share, spare),
        daily=daily,
        spent_today=spent_today,
        payday=period.payday,
        breakdown=snapshot.Breakdown(
            income=income,
            bills=bills,
            groceries=groceries,
            transportation=transportation,
            available=available,
            spent=spent.free,
            upcoming=live.expected.before(period.end),
            remaining=remaining,
            days_left=days_left,
        ),
    )


def period_cash(live: LiveView, parts: snapshot.Breakdown) -> snapshot.PeriodCash:
    """What of the period's bills is set aside, what cash can spare, and what needs usually still take.

    Groceries and transportation beyond their means leave nothing of these for the days to come. What of
    them is bought by card takes no cash before the card's bill, which the guard holds.
    """
    spent, now = live.spent, live.planned_now
    needs = parts.groceries + parts.transportation
    needs -= max(0, spent.groceries) + max(0, spent.transportation)
    return snapshot.PeriodCash(
        since=live.period.start,
        set_aside=min(
            parts.bills, _of_period(live.pace.set_aside - now.monthly, live.period) + now.total
        ),
        guard=live.guard.free,
        needs=min(needs, _of_period(live.cash_needs, live.period)),
        unanswered=live.pace.unanswered,
    )


def due_soon(live: LiveView) -> snapshot.DueSoon:
    """What is due in thirty days, of which today is the first, so that no day of a month comes twice.

    Bills of cards stand apart, and so does what is paid back. A bill whose payment is pending has left
    cash already.
    """
    until = live.today + timedelta(_SOON_DAYS - 1)
    steps = [step for step in live.schedule.steps if step.day <= until]
    return snapshot.DueSoon(
        until=until,
        total=live.expected.before(until + timedelta(1)),
        card_bills=tuple(
            snapshot.Upcoming(date=step.day, name=step.name, amount=-step.amount)
            for step in steps
            if step.kind == "card bill"
        ),
        repayments=tuple(
            snapshot.Upcoming(date=step.day, name=step.name, amount=step.amount)
            for step in steps
            if step.kind == "income" and step.source is None
        ),
    )


def _of_period(monthly: int, period: Period) -> int:
    """A monthly figure for the length of the period, half-even."""
    return round(monthly * period.months)


def _gaps(ledger: Ledger, books: Books, today: date) -> snapshot.Gaps:
    """What the figures do not know: old data, missing accounts, unknown and pending charges."""
    means = take_means(books, ledger.catalogue)
    unknown = books.categories.get("uncategorized")
    return snapshot.Gaps(
        behind=connections_behind(ledger, today),
        missing=tuple(
            missing_account.missing for missing_account in missing_accounts(ledger, books, means)
        ),
        uncategorised=snapshot.Tally.of(unknown or snapshot.Tally(count=0, total=0)),
        pending=pending_tally(ledger),
    )


def pending_tally(ledger: Ledger) -> snapshot.Tally:
    """The pending charges, which enter no total until they are posted."""
    out = [pending_out(row) for row in ledger.pending if row[AMOUNT] < 0]
    return snapshot.Tally(count=len(out), total=sum(out))
