"""Categories, and the rules that map payees to them."""

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.category import CategoryChoice, CategoryRule, RuleId, RuleRequest
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.service.allowance import watched
from finplan.service.core import Context
from finplan.service.household import CATALOGUE
from finplan.service.ids import new_id
from finplan.service.lookup import near
from finplan.store import payees, people
from finplan.store import rules as table


async def list_categories(_context: Context, _ask: Nothing) -> tuple[CategoryChoice, ...]:
    """The categories that a payee can be filed under, in the order that a person reads them."""
    return tuple(category.as_choice() for category in CATALOGUE.categories.values())


async def list_rules(context: Context, _ask: Nothing) -> tuple[CategoryRule, ...]:
    """The rules in force: the person's own, then inferred, then curated ones."""
    owner = context.caller.owner

    def read(connection: Connection) -> tuple[CategoryRule, ...]:
        person = people.get_person(connection, owner)
        own = table.list_rules(connection, owner)
        ruled = {row["payee_no"] for row in own if row["amount"] is None}
        decided = [
            row
            for row in payees.list_payees(connection, owner)
            if row["source"] is not None and row["no"] not in ruled
        ]
        decided.sort(key=lambda row: (row["source"], row["key"]))
        return (
            *(_own_rule(row, person["id"]) for row in own),
            *(_decided_rule(row, person["created_at"]) for row in decided),
        )

    return await context.store.read(read)


async def set_rule(context: Context, ask: RuleRequest) -> CategoryRule:
    """File a payee, or only its charges of one exact amount, under a category."""
    owner = context.caller.owner

    def save(connection: Connection) -> CategoryRule:
        payee = find_payee(connection, owner, ask.payee_key)
        save_own_rule(
            connection, owner, payee["no"], ask.category, ask.amount, context.milliseconds()
        )
        rule = table.find_rule_of(connection, payee["no"], ask.amount)
        return _own_rule(rule, people.get_person(connection, owner)["id"])

    async with watched(context):
        return await context.store.write(save)


async def remove_rule(context: Context, ask: RuleId) -> CategoryRule:
    """Remove a rule of the person's own; what was inferred or curated holds again."""
    owner = context.caller.owner

    def remove(connection: Connection) -> CategoryRule:
        rule = table.find_rule(connection, owner, ask.id)
        if rule is None:
            if ask.id.startswith(("curated_", "auto_")):
                raise Conflict(
                    "Only your own rules can be removed. To overrule this one, set a rule of yours"
                    " for the payee."
                )
            raise NotFound(f"There is no rule {ask.id}. `finplan rules list` shows them.")
        remove_own_rule(connection, owner, rule)
        return _own_rule(rule, people.get_person(connection, owner)["id"])

    async with watched(context):
        return await context.store.write(remove)


def find_payee(connection: Connection, owner: int, key: str) -> RowMapping:
    """The payee of a key. Raises NotFound with near matches."""
    payee = payees.find_payee(connection, owner, key)
    if payee is None:
        close = near(key, payees.numbers_of(connection, owner))
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        raise NotFound(f"There is no payee {key!r}.{hint}", {"near": close})
    return payee


def save_own_rule(
    connection: Connection, owner: int, payee: int, category: str, amount: int | None, now: int
) -> int:
    """Save a rule of the person's own and let it hold at once; answers its number."""
    if category not in CATALOGUE:
        close = near(category, CATALOGUE.categories)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        raise BadRequest(
            f"There is no category {category!r}.{hint} `finplan categories` lists them.",
            {"near": close},
        )
    values = {
        "id": new_id("rule"),
        "owner_no": owner,
        "payee_no": payee,
        "amount": amount,
        "category": category,
        "saved_at": now,
    }
    number = table.save_rule(connection, values)
    if amount is None:
        payees.apply_rule(connection, payee, category)
    people.raise_generation(connection, owner)
    return number


def remove_own_rule(connection: Connection, owner: int, rule: RowMapping) -> None:
    """Remove a rule of the person's own; what was inferred or curated holds again."""
    table.remove_rule(connection, rule["no"])
    if rule["amount"] is None:
        payees.apply_rule(connection, rule["payee_no"], None)
    people.raise_generation(connection, owner)


def _own_rule(row: RowMapping, user_id: str) -> CategoryRule:
    return CategoryRule(
        id=row["id"],
        user_id=user_id,
        payee_key=row["payee_key"],
        category=row["category"],
        source="user",
        confidence=None,
        alternatives=(),
        saved_at=row["saved_at"],
        amount=row["amount"],
    )


def _decided_rule(row: RowMapping, saved_at: int) -> CategoryRule:
    """A rule that came with the product or was inferred, as it stands on its payee's row."""
    spends = row["decided_out"] != "uncategorized"
    return CategoryRule(
        id=f"{row['source']}_{row['no']}",
        user_id=None,
        payee_key=row["key"],
        category=row["decided_out" if spends else "decided_in"],
        source=row["source"],
        confidence=row["confidence"],
        alternatives=tuple(row["alternatives"].split()),
        saved_at=saved_at,
    )
