"""Part 2 of the interface, transcribed by hand into strict JSON Schema: the judge of our shapes.

Nothing here is derived from the product's own models, so that a mistake in one is not made in both.
"""

from typing import Any

Schema = dict[str, Any]

LARGEST = 9007199254740991
STRING: Schema = {"type": "string"}
DATE: Schema = {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"}
MONTH: Schema = {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])$"}
INTEGER: Schema = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}


def obj(**properties: Schema) -> Schema:
    """An object that has exactly these properties, all of them required."""
    return {
        "type": "object",
        "properties": {name.removesuffix("_"): schema for name, schema in properties.items()},
        "required": [name.removesuffix("_") for name in properties],
        "additionalProperties": False,
    }


def array(items: Schema) -> Schema:
    """An array of one kind of item."""
    return {"type": "array", "items": items}


def nullable(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(*values: object) -> Schema:
    """One of some constants."""
    return {"enum": list(values)}


KIND = one_of("depository", "credit", "loan", "investment", "other")
LINE = one_of("essential", "discretionary")
INCOME_CADENCE = one_of(
    "weekly",
    "biweekly",
    "semimonthly",
    "monthly",
    "quarterly",
    "twice_yearly",
    "annual",
    "irregular",
)
CADENCE = one_of(
    "weekly", "biweekly", "semimonthly", "monthly", "quarterly", "twice_yearly", "annual"
)
EVENT = one_of("plan.built", "recurring.detected", "bank.reconnect_required", "webhook.test")

USER = obj(id=STRING, email=STRING, name=nullable(STRING))

CONNECTION = obj(
    id=STRING,
    userId=STRING,
    provider=one_of("aggregator", "demo", "manual"),
    institutionName=STRING,
    status=one_of("ok", "login_required", "error"),
    error=nullable(STRING),
)

CONNECTION_RECORD = obj(
    connection=CONNECTION, syncCursor=nullable(STRING), lastSyncedAt=nullable(INTEGER)
)

ACCOUNT = obj(
    id=STRING,
    connectionId=STRING,
    institutionName=STRING,
    name=STRING,
    mask=nullable(STRING),
    kind=KIND,
    subtype=nullable(STRING),
    balance=nullable(INTEGER),
    creditLimit=nullable(INTEGER),
)

SYNC_REPORT = obj(
    connectionId=STRING,
    ok=BOOLEAN,
    accounts=INTEGER,
    added=INTEGER,
    modified=INTEGER,
    removed=INTEGER,
    complete=BOOLEAN,
    error=nullable(STRING),
)

PLAN = obj(
    version={"const": 1},
    generatedOn=DATE,
    window=obj(
        from_=DATE,
        to=DATE,
        days=INTEGER,
        months=NUMBER,
        transactionCount=INTEGER,
        accountCount=INTEGER,
    ),
    snapshot=obj(
        liquidCash=INTEGER,
        creditCardDebt=INTEGER,
        otherDebt=INTEGER,
        investments=INTEGER,
        netWorth=INTEGER,
        accounts=array(
            obj(
                id=STRING,
                institutionName=STRING,
                name=STRING,
                mask=nullable(STRING),
                kind=KIND,
                subtype=nullable(STRING),
                balance=nullable(INTEGER),
                role=one_of("cash", "debt", "investment", "none"),
            )
        ),
    ),
    monthly=obj(
        income=INTEGER,
        essentials=INTEGER,
        discretionary=INTEGER,
        totalSpend=INTEGER,
        surplus=INTEGER,
        savingsRate=NUMBER,
        saved=INTEGER,
        dailyAllowance=INTEGER,
    ),
    categories=array(
        obj(
            category=STRING,
            label=STRING,
            line=LINE,
            monthly=INTEGER,
            total=INTEGER,
            count=INTEGER,
            shareOfSpend=NUMBER,
        )
    ),
    incomeSources=array(
        obj(
            name=STRING,
            amount=INTEGER,
            monthly=INTEGER,
            total=INTEGER,
            count=INTEGER,
            cadence=INCOME_CADENCE,
            intervalDays=nullable(INTEGER),
            lastDate=DATE,
            nextDate=nullable(DATE),
            active=BOOLEAN,
        )
    ),
    recurring=array(
        obj(
            name=STRING,
            amount=INTEGER,
            monthly=INTEGER,
            intervalDays=INTEGER,
            cadence=CADENCE,
            count=INTEGER,
            lastDate=DATE,
            nextDate=DATE,
            category=STRING,
        )
    ),
    emergencyFund=obj(
        monthsCovered=NUMBER,
        targetMonths=INTEGER,
        targetAmount=INTEGER,
        gap=INTEGER,
        monthlyContribution=INTEGER,
        monthsToTarget=nullable(INTEGER),
    ),
    debt=obj(
        cards=array(
            obj(
                accountId=STRING,
                institutionName=STRING,
                name=STRING,
                mask=nullable(STRING),
                balance=INTEGER,
                limit=nullable(INTEGER),
                utilization=nullable(NUMBER),
            )
        ),
        total=INTEGER,
        strategy=one_of("none", "pay_in_full", "paydown"),
        monthlyPayment=INTEGER,
        monthsToClear=nullable(INTEGER),
    ),
    budget=array(
        obj(
            key=one_of("essentials", "discretionary", "savings"),
            label=STRING,
            current=INTEGER,
            target=INTEGER,
            targetShare=NUMBER,
        )
    ),
    actions=array(
        obj(priority=INTEGER, kind=STRING, title=STRING, detail=STRING, amount=nullable(INTEGER))
    ),
    notes=array(STRING),
)

STORED_PLAN = obj(plan=PLAN, createdAt=INTEGER)

CATEGORIZE_PAYEE = obj(
    kind={"const": "categorize_payee"},
    id=STRING,
    payeeKey=STRING,
    payee=STRING,
    count=INTEGER,
    total=INTEGER,
    charges=array(obj(date=DATE, amount=INTEGER)),
    suggested=STRING,
    suggestedLabel=STRING,
    confidence=nullable(NUMBER),
    alternatives=array(obj(category=STRING, label=STRING)),
    options=array(STRING),
    lastDate=DATE,
    answer=nullable(STRING),
)

RECONNECT_CONNECTION = obj(
    kind={"const": "reconnect_connection"},
    id=STRING,
    connectionId=STRING,
    institutionName=STRING,
    error=nullable(STRING),
)

CONNECT_MISSING_ACCOUNT = obj(
    kind={"const": "connect_missing_account"},
    id=STRING,
    missing=one_of("income", "spending"),
    reason=STRING,
)

TASK: Schema = {"oneOf": [CATEGORIZE_PAYEE, RECONNECT_CONNECTION, CONNECT_MISSING_ACCOUNT]}

CATEGORY_CHOICE = obj(
    category=STRING,
    label=STRING,
    line=one_of("essential", "discretionary", "not_spending"),
    custom=BOOLEAN,
    reimbursable=BOOLEAN,
)

CREATED_CATEGORY = obj(category=CATEGORY_CHOICE, merchants=INTEGER, charges=INTEGER)

CATEGORY_SUGGESTION = obj(
    theme=STRING,
    name=STRING,
    line=one_of("needs", "wants"),
    reimbursable=BOOLEAN,
    charges=INTEGER,
    total=INTEGER,
    monthly=INTEGER,
    merchants=array(obj(payee=STRING, charges=INTEGER, total=INTEGER)),
    nowIn=array(obj(label=STRING, charges=INTEGER)),
)

CATEGORY_RULE = obj(
    id=STRING,
    userId=nullable(STRING),
    payeeKey=STRING,
    category=STRING,
    source=one_of("user", "auto", "curated"),
    confidence=nullable(NUMBER),
    alternatives=array(STRING),
    savedAt=INTEGER,
    amount=nullable(INTEGER),
)

RULE_BATCH_RESULT = obj(
    saved=array(CATEGORY_RULE), errors=array(obj(index=INTEGER, message=STRING))
)

WEBHOOK = obj(
    id=STRING,
    url={"type": "string", "pattern": "^https://"},
    description=nullable(STRING),
    events=array(EVENT),
    createdAt=INTEGER,
    disabledAt=nullable(INTEGER),
)

WEBHOOK_DELIVERY = obj(
    id=STRING,
    type=EVENT,
    status=one_of("pending", "delivered", "failed"),
    attempts=INTEGER,
    nextAttemptAt=INTEGER,
    lastStatus=nullable(INTEGER),
    lastError=nullable(STRING),
    createdAt=INTEGER,
    deliveredAt=nullable(INTEGER),
)

WEALTH = obj(
    today=DATE,
    balances=obj(
        cash=INTEGER,
        investments=INTEGER,
        cardDebt=INTEGER,
        loans=INTEGER,
        netWorth=INTEGER,
        available=INTEGER,
    ),
    history=array(obj(date=DATE, assets=INTEGER, debts=INTEGER, netWorth=INTEGER)),
)

MONEY_GROUP = obj(
    key=STRING,
    label=STRING,
    line=LINE,
    monthly=INTEGER,
    spent=INTEGER,
    upcoming=INTEGER,
    left=INTEGER,
    share=NUMBER,
    categories=array(obj(category=STRING, label=STRING, monthly=INTEGER, spent=INTEGER)),
)

TALLY = obj(count=INTEGER, total=INTEGER)

UPCOMING = obj(date=DATE, name=STRING, amount=INTEGER, likely=BOOLEAN)

SNAPSHOT = obj(
    allowance=obj(
        today=INTEGER,
        daily=INTEGER,
        spentToday=INTEGER,
        payday=nullable(DATE),
        breakdown=obj(
            income=INTEGER,
            bills=INTEGER,
            groceries=INTEGER,
            transportation=INTEGER,
            available=INTEGER,
            spent=INTEGER,
            upcoming=INTEGER,
            remaining=INTEGER,
            daysLeft=INTEGER,
        ),
    ),
    balances=obj(cash=INTEGER, cardDebt=INTEGER, loans=INTEGER, netWorth=INTEGER),
    upcoming=array(UPCOMING),
    groups=array(MONEY_GROUP),
    window=obj(from_=DATE, to=DATE, months=NUMBER),
    planDate=DATE,
    syncedAt=nullable(INTEGER),
    income=obj(
        source=one_of("detected", "manual"),
        draw=nullable(obj(month=MONTH, budget=INTEGER, income=INTEGER, draw=INTEGER)),
    ),
    change=nullable(obj(id=STRING, at=INTEGER, from_=INTEGER, to=INTEGER)),
    gaps=obj(
        behind=array(
            obj(connectionId=STRING, institutionName=STRING, lastSyncedAt=nullable(INTEGER))
        ),
        missing=array(one_of("income", "spending")),
        uncategorised=TALLY,
        pending=TALLY,
    ),
    spendableFrom=nullable(DATE),
    period=obj(
        **{"from": DATE},
        setAside=INTEGER,
        guard=nullable(INTEGER),
        needs=INTEGER,
        unanswered=INTEGER,
    ),
    due=obj(until=DATE, total=INTEGER, cardBills=array(UPCOMING), repayments=array(UPCOMING)),
)
