"""A made-up household's answers, fixed to the cent, for what people see of them."""

from datetime import date

from finplan.model.account import Account, AccountKind, AccountRecord
from finplan.model.category import BudgetLine, CategoryChoice, CategoryRule, RuleSource
from finplan.model.connection import Connection, ConnectionRecord, ConnectionStatus, SyncReport
from finplan.model.plan import (
    Action,
    BudgetItem,
    Card,
    DataAge,
    Debt,
    EmergencyFund,
    IncomeSource,
    Monthly,
    Plan,
    PlanCategory,
    PlanSnapshot,
    RecurringCharge,
    SnapshotAccount,
    StoredPlan,
    Window,
)
from finplan.model.snapshot import (
    Allowance,
    Breakdown,
    Gaps,
    GroupCategory,
    MoneyGroup,
    PlanView,
    Snapshot,
    SnapshotBalances,
    SnapshotIncome,
    SnapshotWindow,
    Tally,
    Upcoming,
)
from finplan.model.spending import SpendingGroup, SpendingReport
from finplan.model.statement import FileAccount, FileReport, ImportRecord, ImportReport
from finplan.model.task import (
    Alternative,
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    ReconnectConnection,
    Task,
)
from finplan.model.transaction import Reason, Transaction
from finplan.model.user import BudgetShares, HouseholdSettings
from finplan.model.wealth import Wealth, WealthBalances, WealthPoint

TODAY = date(2025, 11, 21)
NOON = 1_763_726_400_000
"""2025-11-21 12:00 UTC."""

_CATEGORIES = (
    ("mortgage", "Mortgage", "essential", 215_000, 12),
    ("groceries", "Groceries", "essential", 98_040, 118),
    ("loan_payment", "Loan payments", "essential", 41_250, 12),
    ("utilities", "Power, water, heating", "essential", 31_210, 30),
    ("transport", "Fuel, transit, parking", "essential", 24_010, 51),
    ("insurance", "Insurance", "essential", 21_490, 14),
    ("phone_internet", "Phone and internet", "essential", 14_500, 24),
    ("health", "Doctor and pharmacy", "essential", 9_880, 17),
    ("dining", "Restaurants and coffee", "discretionary", 88_260, 203),
    ("travel", "Travel", "discretionary", 61_020, 9),
    ("shopping", "Shopping", "discretionary", 58_330, 64),
    ("subscriptions", "Subscriptions", "discretionary", 8_947, 60),
    ("uncategorized", "Not yet known", "discretionary", 31_144, 14),
    ("gifts_donations", "Gifts and donations", "discretionary", 7_500, 6),
)


def categories() -> tuple[PlanCategory, ...]:
    """The spending categories, the largest first."""
    spend = sum(entry[3] for entry in _CATEGORIES)
    ordered = sorted(_CATEGORIES, key=lambda entry: -entry[3])
    return tuple(
        PlanCategory(
            category=category,
            label=label,
            line="essential" if line == "essential" else "discretionary",
            monthly=monthly,
            total=monthly * 12,
            count=number,
            share_of_spend=round(monthly / spend, 4),
        )
        for category, label, line, monthly, number in ordered
    )


def monthly() -> Monthly:
    """The means of the window."""
    essentials = sum(e[3] for e in _CATEGORIES if e[2] == "essential")
    discretionary = sum(e[3] for e in _CATEGORIES if e[2] == "discretionary")
    income = 926_000
    spend = essentials + discretionary
    return Monthly(
        income=income,
        essentials=essentials,
        discretionary=discretionary,
        total_spend=spend,
        surplus=income - spend,
        savings_rate=round((income - spend) / income, 4),
        saved=60_000,
        daily_allowance=9_133,
    )


def recurring() -> tuple[RecurringCharge, ...]:
    """What comes again."""
    rows = (
        (
            "Wells Fargo Home Mortgage",
            215_000,
            215_000,
            30,
            "monthly",
            date(2025, 12, 1),
            "mortgage",
        ),
        (
            "Toyota Financial Services",
            41_250,
            41_250,
            30,
            "monthly",
            date(2025, 12, 5),
            "loan_payment",
        ),
        ("Pacific Gas & Electric", 18_344, 18_344, 30, "monthly", date(2025, 11, 28), "utilities"),
        ("State Farm", 162_000, 13_500, 365, "annual", date(2026, 2, 3), "insurance"),
        ("Netflix", 1_799, 1_799, 30, "monthly", date(2025, 11, 30), "subscriptions"),
        ("City Water Department", 12_400, 4_133, 91, "quarterly", date(2026, 1, 15), "utilities"),
    )
    return tuple(
        RecurringCharge(
            name=name,
            amount=amount,
            monthly=a_month,
            interval_days=interval,
            cadence=cadence,  # type: ignore[arg-type]  # The literal is spelt in the rows above.
            count=12,
            last_date=date(2025, 11, 1),
            next_date=next_date,
            category=category,
        )
        for name, amount, a_month, interval, cadence, next_date, category in rows
    )


def plan() -> Plan:
    """A plan with every section filled."""
    means = monthly()
    return Plan(
        generated_on=TODAY,
        window=Window(
            since=date(2024, 11, 1),
            until=date(2025, 10, 31),
            days=365,
            months=12.0,
            transaction_count=1204,
            account_count=7,
        ),
        snapshot=PlanSnapshot(
            liquid_cash=1_842_512,
            credit_card_debt=231_044,
            other_debt=31_204_000,
            investments=6_400_000,
            net_worth=1_842_512 + 6_400_000 - 231_044 - 31_204_000,
            accounts=(
                SnapshotAccount(
                    id="acc_1",
                    institution_name="Demo Bank",
                    name="Checking",
                    mask="0012",
                    kind="depository",
                    subtype="checking",
                    balance=1_842_512,
                    role="cash",
                ),
            ),
        ),
        monthly=means,
        categories=categories(),
        income_sources=(
            IncomeSource(
                name="Acme Robotics Payroll",
                amount=231_000,
                monthly=500_500,
                total=6_006_000,
                count=26,
                cadence="biweekly",
                interval_days=14,
                last_date=date(2025, 11, 14),
                next_date=date(2025, 11, 28),
                active=True,
            ),
            IncomeSource(
                name="Riverside School District",
                amount=412_500,
                monthly=412_500,
                total=4_950_000,
                count=12,
                cadence="monthly",
                interval_days=30,
                last_date=date(2025, 10, 31),
                next_date=date(2025, 11, 28),
                active=True,
            ),
            IncomeSource(
                name="Interest",
                amount=1_300,
                monthly=1_300,
                total=15_600,
                count=12,
                cadence="monthly",
                interval_days=30,
                last_date=date(2025, 10, 31),
                next_date=date(2025, 11, 30),
                active=True,
            ),
        ),
        recurring=recurring(),
        emergency_fund=EmergencyFund(
            months_covered=3.5,
            target_months=6,
            target_amount=means.essentials * 6,
            gap=1_120_812,
            monthly_contribution=means.surplus,
            months_to_target=6,
        ),
        debt=Debt(
            cards=(
                Card(
                    account_id="acc_2",
                    institution_name="Demo Bank",
                    name="Rewards Card",
                    mask="4410",
                    balance=231_044,
                    limit=1_200_000,
                    utilization=0.1925,
                ),
            ),
            total=231_044,
            strategy="pay_in_full",
            monthly_payment=231_044,
            months_to_clear=1,
        ),
        budget=(
            BudgetItem(
                key="essentials",
                label="Essentials",
                current=means.essentials,
                target=463_000,
                target_share=0.5,
            ),
            BudgetItem(
                key="discretionary",
                label="Discretionary",
                current=means.discretionary,
                target=277_800,
                target_share=0.3,
            ),
            BudgetItem(
                key="savings",
                label="Savings and extra debt payments",
                current=means.surplus,
                target=185_200,
                target_share=0.2,
            ),
        ),
        actions=actions(),
        notes=(
            "Pending rows are left out of every figure: 2 charges, $84.12 in all.",
            "14 charges, $311.44 a month (4 % of spending), have no category; essentials may be low.",
            "Loan payments count as essential spending, principal included.",
            "The mortgage is counted, but the value of the home is not.",
            "Contributions from pay (retirement, health account) are not visible.",
        ),
    )


def actions() -> tuple[Action, ...]:
    """Five things to do, in the order of the plan."""
    rows = (
        (
            "build_emergency_fund",
            "Build the emergency fund",
            (
                "Cash after cards covers 3.5 months of essentials; the target is 6. Set aside $2,154.19 "
                "a month and it is reached in 6 months."
            ),
            215_419,
        ),
        (
            "prepare_bill",
            "Prepare for State Farm",
            (
                "The yearly bill of about $1,620.00 is expected on 3 February 2026. Put $540.00 a month "
                "aside until then."
            ),
            162_000,
        ),
        (
            "price_rise",
            "Netflix costs more",
            (
                "The charge rose from $15.49 to $17.99 on 30 September, $30.00 a year. Keep it, or "
                "change the subscription before 30 November."
            ),
            3_000,
        ),
        (
            "claim_reimbursement",
            "Claim the work trip",
            (
                "$1,204.55 of work costs has been outstanding for 41 days. Send the receipts to your "
                "employer."
            ),
            120_455,
        ),
        (
            "answer_questions",
            "Answer 5 questions",
            "They decide where $311.44 a month belongs. Answer them with `finplan tasks answer`.",
            31_144,
        ),
    )
    return tuple(
        Action(priority=place, kind=kind, title=title, detail=detail, amount=amount)
        for place, (kind, title, detail, amount) in enumerate(rows, start=1)
    )


def snapshot() -> Snapshot:
    """The live view on the day of the plan."""
    means = monthly()
    return Snapshot(
        allowance=Allowance(
            today=6_120,
            daily=7_920,
            spent_today=1_800,
            payday=date(2025, 11, 28),
            breakdown=Breakdown(
                income=426_000,
                bills=240_120,
                groceries=45_120,
                transportation=11_050,
                available=129_710,
                spent=76_070,
                upcoming=18_344,
                remaining=53_640,
                days_left=7,
            ),
        ),
        balances=SnapshotBalances(
            cash=1_842_512, card_debt=231_044, loans=31_204_000, net_worth=-23_192_532
        ),
        upcoming=(
            Upcoming(date=date(2025, 11, 28), name="Pacific Gas & Electric", amount=18_344),
            Upcoming(date=date(2025, 11, 30), name="Netflix", amount=1_799),
            Upcoming(date=date(2025, 12, 1), name="Wells Fargo Home Mortgage", amount=215_000),
            Upcoming(date=date(2025, 12, 5), name="Toyota Financial Services", amount=41_250),
        ),
        groups=(
            MoneyGroup(
                key="groceries",
                label="Groceries",
                line="essential",
                monthly=98_040,
                spent=71_200,
                upcoming=0,
                left=26_840,
                share=0.1342,
                categories=(
                    GroupCategory(
                        category="groceries", label="Groceries", monthly=98_040, spent=71_200
                    ),
                ),
            ),
            MoneyGroup(
                key="dining",
                label="Dining",
                line="discretionary",
                monthly=88_260,
                spent=94_011,
                upcoming=0,
                left=-5_751,
                share=0.1208,
                categories=(
                    GroupCategory(
                        category="dining",
                        label="Restaurants and coffee",
                        monthly=88_260,
                        spent=94_011,
                    ),
                ),
            ),
        ),
        window=SnapshotWindow(since=date(2024, 11, 1), until=date(2025, 10, 31), months=12.0),
        plan_date=TODAY,
        synced_at=NOON,
        income=SnapshotIncome(source="detected", draw=None),
        change=None,
        gaps=Gaps(
            behind=(),
            missing=(),
            uncategorised=Tally(count=14, total=means.discretionary // 10),
            pending=Tally(count=2, total=8_412),
        ),
    )


def view() -> PlanView:
    """The plan with the live view beside it."""
    return PlanView(
        plan=plan(),
        created_at=NOON,
        snapshot=snapshot(),
        open_tasks=(),
        data_age=(
            DataAge(connection_id="con_1", institution_name="Demo Bank", last_synced_at=NOON),
        ),
    )


def wealth() -> Wealth:
    """Four points of a history; the last one is the day of the plan."""
    points = (
        (date(2025, 8, 31), 7_812_204, 31_602_118),
        (date(2025, 9, 30), 7_954_871, 31_539_772),
        (date(2025, 10, 31), 8_301_006, 31_401_950),
        (TODAY, 8_242_512, 31_435_044),
    )
    return Wealth(
        today=TODAY,
        balances=WealthBalances(
            cash=1_842_512,
            investments=6_400_000,
            card_debt=231_044,
            loans=31_204_000,
            net_worth=-23_192_532,
            available=1_611_468,
        ),
        history=tuple(
            WealthPoint(date=day, assets=assets, debts=debts, net_worth=assets - debts)
            for day, assets, debts in points
        ),
    )


def spending_by_month() -> SpendingReport:
    """Three months, one of them empty and one with more refunds than charges."""
    groups = (("2025-09", 412_340, 48), ("2025-10", 0, 0), ("2025-11", -2_050, 1))
    return SpendingReport(
        since=date(2025, 9, 1),
        until=date(2025, 11, 30),
        group_by="month",
        total=410_290,
        count=49,
        groups=tuple(
            SpendingGroup(
                key=key, label=key, total=total, count=count, share=1.0 if total > 0 else 0.0
            )
            for key, total, count in groups
        ),
    )


def spending_by_merchant() -> SpendingReport:
    """Merchants with names of any length."""
    groups = (
        ("whole foods", "Whole Foods Market", 61_204, 14, 0.6),
        ("tokyo", "東京ラーメン", 30_750, 3, 0.3014),
        ("long", "The Extraordinarily Long Name Coffee Company", 9_990, 21, 0.0979),
        ("tiny", "Parking", 70, 1, 0.0007),
    )
    return SpendingReport(
        since=date(2025, 11, 1),
        until=date(2025, 11, 30),
        group_by="merchant",
        total=102_014,
        count=39,
        groups=tuple(
            SpendingGroup(key=key, label=label, total=total, count=count, share=share)
            for key, label, total, count, share in groups
        ),
    )


def accounts() -> tuple[AccountRecord, ...]:
    """An account of each kind, one of them hidden, one in another currency."""
    rows: tuple[
        tuple[str, str, str | None, AccountKind, str | None, int | None, str, bool], ...
    ] = (
        ("a1", "Checking", "0012", "depository", "checking", 1_842_512, "USD", False),
        ("b2", "Rewards Card", "4410", "credit", "credit card", 231_044, "USD", False),
        ("c3", "Tagesgeld", None, "depository", "savings", 1_050_000, "EUR", False),
        ("d4", "Mortgage", "9921", "loan", "mortgage", 31_204_000, "USD", False),
        ("e5", "Old savings", "7733", "depository", "savings", None, "USD", True),
    )
    return tuple(
        AccountRecord(
            account=Account(
                id=f"acc_{start}k3f9x2m7q4w8r1t5v6y0z",
                connection_id="con_1",
                institution_name="Demo Bank",
                name=name,
                mask=mask,
                kind=kind,
                subtype=subtype,
                balance=balance,
                credit_limit=1_200_000 if kind == "credit" else None,
            ),
            currency=currency,
            apr=0.2199 if kind == "credit" else None,
            minimum_payment=3_500 if kind == "credit" else None,
            hidden=hidden,
        )
        for start, name, mask, kind, subtype, balance, currency, hidden in rows
    )


def transactions() -> tuple[Transaction, ...]:
    """A pending charge, pay, a refund, and a name that would command a terminal."""
    rows: tuple[tuple[date, int, str, str, bool], ...] = (
        (TODAY, -640, "Blue Bottle Coffee", "dining", True),
        (date(2025, 11, 14), 231_000, "Acme Robotics Payroll", "wages", False),
        (date(2025, 11, 13), 2_599, "Amazon Marketplace", "shopping", False),
        (date(2025, 11, 12), -12_404, "Evil\x1b[31m Store", "uncategorized", False),
    )
    return tuple(
        Transaction(
            id=f"tx_{place}",
            account_id="acc_1",
            date=day,
            amount=amount,
            currency="USD",
            payee_key=payee.casefold(),
            payee=payee,
            raw=payee.upper(),
            category=category,
            line="discretionary",
            pending=pending,
            transfer_id=None,
            why=Reason(source="curated", rule_id=None, confidence=None, text="A curated rule."),
        )
        for place, (day, amount, payee, category, pending) in enumerate(rows)
    )


def tasks() -> tuple[Task, ...]:
    """One question of each kind."""
    return (
        CategorizePayee(
            id="tsk_1a2b3c4d5e6f7g8h9i0j1k2l",
            payee_key="sq northside provisions",
            payee="Northside Provisions",
            count=14,
            total=31_144,
            charges=(
                Charge(date=date(2025, 11, 18), amount=2_210),
                Charge(date=date(2025, 11, 4), amount=1_975),
            ),
            suggested="groceries",
            suggested_label="Groceries",
            confidence=0.62,
            alternatives=(
                Alternative(category="dining", label="Restaurants and coffee"),
                Alternative(category="shopping", label="Shopping"),
            ),
            options=("groceries", "dining", "shopping"),
            last_date=date(2025, 11, 18),
            answer=None,
        ),
        ReconnectConnection(
            id="tsk_9z8y7x6w5v4u3t2s1r0q9p8o",
            connection_id="con_2",
            institution_name="First Harbor",
            error="the password has changed",
        ),
        ConnectMissingAccount(
            id="tsk_5m4n3b2v1c0x9z8l7k6j5h4g",
            missing="spending",
            reason="You pay Card Sapphire about $1,840 a month, but that card is not linked.",
        ),
    )


def rules() -> tuple[CategoryRule, ...]:
    """A rule of each source, one for an exact amount."""
    rows: tuple[tuple[str, str, str, RuleSource, float | None, int | None], ...] = (
        ("a1", "northside provisions", "groceries", "user", None, None),
        ("b2", "apple.com/bill", "subscriptions", "user", None, 1_499),
        ("c3", "sq corner bakery", "dining", "auto", 0.84, None),
        ("d4", "netflix", "subscriptions", "curated", None, None),
    )
    return tuple(
        CategoryRule(
            id=f"rul_{start}k3f9x2m7q4w8r1t5v6y0z",
            user_id=None if source == "curated" else "usr_1",
            payee_key=payee,
            category=category,
            source=source,
            confidence=confidence,
            alternatives=(),
            saved_at=NOON,
            amount=amount,
        )
        for start, payee, category, source, confidence, amount in rows
    )


def connections() -> tuple[ConnectionRecord, ...]:
    """A bank in each state."""
    rows: tuple[tuple[str, str, ConnectionStatus, str | None, int | None], ...] = (
        ("a1", "Demo Bank", "ok", None, NOON - 5 * 60_000),
        ("b2", "First Harbor", "login_required", "the password has changed", NOON - 86_400_000),
        ("c3", "Statement files", "error", None, None),
    )
    return tuple(
        ConnectionRecord(
            connection=Connection(
                id=f"con_{start}k3f9x2m7q4w8r1t5v6y0z",
                user_id="usr_1",
                provider="manual" if name == "Statement files" else "demo",
                institution_name=name,
                status=status,
                error=error,
            ),
            sync_cursor=None,
            last_synced_at=synced,
        )
        for start, name, status, error, synced in rows
    )


def syncs() -> tuple[SyncReport, ...]:
    """A sync that brought rows, and one that failed."""
    good, bad = connections()[:2]
    return (
        SyncReport(
            connection_id=good.connection.id,
            ok=True,
            accounts=6,
            added=2_104,
            modified=3,
            removed=1,
            complete=True,
            error=None,
        ),
        SyncReport(
            connection_id=bad.connection.id,
            ok=False,
            accounts=0,
            added=0,
            modified=0,
            removed=0,
            complete=False,
            error="First Harbor wants you to sign in again.",
        ),
    )


def import_report(*, dry_run: bool = False) -> ImportReport:
    """Two files: one with everything known of it, one that named nothing."""
    return ImportReport(
        id=None if dry_run else "imp_k3f9x2m7q4w8r1t5v6y0z3b2",
        dry_run=dry_run,
        digest="d1",
        files=(
            FileReport(
                file="checking-2025-with-a-rather-long-name.ofx",
                format="ofx",
                encoding="cp1252",
                accounts=(FileAccount(name="Checking 0012", currency="USD", kind="depository"),),
                transactions=412,
                new=400,
                known=12,
                ambiguous=0,
                error=None,
            ),
            FileReport(
                file="card.csv",
                format="csv",
                encoding="utf-8",
                accounts=(FileAccount(name="card", currency="USD", kind="credit"),),
                transactions=1_204,
                new=1_200,
                known=2,
                ambiguous=2,
                error=None,
            ),
        ),
    )


def imports() -> tuple[ImportRecord, ...]:
    """An import, and one that was taken back."""
    return (
        ImportRecord(
            id="imp_k3f9x2m7q4w8r1t5v6y0z3b2",
            imported_at=NOON,
            undone_at=None,
            report=import_report(),
        ),
        ImportRecord(
            id="imp_a1b9x2m7q4w8r1t5v6y0z3b2",
            imported_at=NOON - 86_400_000,
            undone_at=NOON - 3_600_000,
            report=import_report(),
        ),
    )


def plans() -> tuple[StoredPlan, ...]:
    """Two plans a month apart, the newer one better."""
    newer = plan()
    monthly_before = newer.monthly.model_copy(update={"surplus": newer.monthly.surplus - 12_345})
    worth = newer.snapshot.net_worth - 240_000
    older = newer.model_copy(
        update={
            "monthly": monthly_before,
            "snapshot": newer.snapshot.model_copy(update={"net_worth": worth}),
            "actions": newer.actions[:2],
        }
    )
    return (
        StoredPlan(plan=newer, created_at=NOON),
        StoredPlan(plan=older, created_at=NOON - 30 * 86_400_000),
    )


def household_settings() -> HouseholdSettings:
    """A household with a budget of its own."""
    return HouseholdSettings(
        currency="USD",
        time_zone="America/Los_Angeles",
        budget_shares=BudgetShares(essentials=0.6, discretionary=0.2, savings=0.2),
        target_months=None,
    )


def category_choices() -> tuple[CategoryChoice, ...]:
    """A built-in category of each line, and one of the person's own."""
    rows: tuple[tuple[str, str, BudgetLine, bool, bool], ...] = (
        ("groceries", "Groceries", "essential", False, False),
        ("dining", "Restaurants and coffee", "discretionary", False, False),
        ("work_expenses", "Work costs to be repaid", "not_spending", False, True),
        ("cat_bikes", "Bikes", "discretionary", True, False),
    )
    return tuple(
        CategoryChoice(
            category=category, label=label, line=line, custom=custom, reimbursable=reimbursable
        )
        for category, label, line, custom, reimbursable in rows
    )
