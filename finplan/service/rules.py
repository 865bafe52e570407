"""The rules that map payees to categories: one at a time, or in batches."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import Connection, RowMapping

from finplan.categorise.catalogue import BUILT_IN
from finplan.model import category as categories
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, Fault, NotFound
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of
from finplan.service.ids import new_rule_id
from finplan.service.ledger.categorisation import read_inferred
from finplan.service.ledger.reconciliation import heed_rule
from finplan.service.lookup import find_category, names_near
from finplan.store.queries import categories as table, payees, people


async def list_rules(context: Context, _ask: Nothing) -> tuple[categories.CategoryRule, ...]:
    """The rules in force: the person's own, then inferred, then curated ones."""
    owner = context.caller.owner

    def read(connection: Connection) -> tuple[categories.CategoryRule, ...]:
        person = people.get_person(connection, owner)
        own = table.list_rules(connection, owner)
        ruled = table.filed_directions(connection, owner)
        decided = [
            row
            for row in payees.list_payees(connection, owner)
            if row["source"] is not None and len(ruled.get(row["no"], ())) < len(("out", "in"))
        ]
        decided.sort(key=lambda row: (row["source"], row["key"]))
        only_paying = {
            flow.payee
            for flow in payees.flows(connection, owner)
            if flow.credits and not flow.debits
        }
        return (
            *(_own_rule(row, person["id"]) for row in own),
            *(
                _decided_rule(row, person["created_at"], spends=row["no"] not in only_paying)
                for row in decided
            ),
        )

    return await read_inferred(context, read)


async def set_rule(context: Context, ask: categories.RuleRequest) -> categories.CategoryRule:
    """File a payee, or only its charges of one exact amount, under a category."""
    owner = context.caller.owner

    def save(connection: Connection) -> categories.CategoryRule:
        payee = find_payee(connection, owner, ask.payee_key)
        save_own_rule(
            connection, owner, payee["no"], ask.category, ask.amount, context.milliseconds()
        )
        if ask.amount is None:
            # What charges of one exact amount are for teaches nothing of other payees.
            people.set_inference_due(connection, owner)
        rule = table.find_rule_of(connection, payee["no"], ask.amount)
        return _own_rule(rule, people.get_person(connection, owner)["id"])

    return await context.commit(save, event=True)


async def set_rules(context: Context, ask: categories.RuleBatch) -> categories.RuleBatchResult:
    """Save the good ones of up to a hundred rules together, and say what is wrong with the others."""
    # Looking for near matches takes its time, so it is done before the writer is held.
    strangers = await context.store.read(lambda c: _strangers(c, context.caller.owner, ask))
    return await context.commit(lambda c: _save_batch(c, context, ask, strangers), event=True)


def _strangers(connection: Connection, owner: int, ask: categories.RuleBatch) -> dict[str, str]:
    """The refusal for each payee of a batch that nobody knows."""
    spelt = _spelt(connection, owner)
    keys = {rule.payee_key for rule in ask.rules}
    return {key: _no_payee(key, spelt).message for key in keys if key.casefold() not in spelt}


def _save_batch(
    connection: Connection,
    context: Context,
    ask: categories.RuleBatch,
    strangers: Mapping[str, str],
) -> categories.RuleBatchResult:
    owner, now = context.caller.owner, context.milliseconds()
    numbers, spelt = payees.numbers_of(connection, owner), _spelt(connection, owner)
    user_id = people.get_person(connection, owner)["id"]
    saved: dict[tuple[int, int | None], int] = {}
    refused: dict[int, str] = {}
    for index, rule in enumerate(ask.rules):
        key = spelt.get(rule.payee_key.casefold())
        if key is None:
            refusal = strangers.get(rule.payee_key)
            refused[index] = refusal or _no_payee(rule.payee_key, spelt).message
            continue
        number = numbers[key]
        if (number, rule.amount) in saved:
            first = saved[number, rule.amount]
            refused[index] = (
                f"The rule at index {first} covers the same transactions, so finplan saved only that"
                " rule."
            )
        else:
            try:
                save_own_rule(connection, owner, number, rule.category, rule.amount, now)
            except Fault as fault:
                refused[index] = fault.message
            else:
                saved[number, rule.amount] = index
    people.set_inference_due(connection, owner)
    rules = (table.find_rule_of(connection, *pair) for pair in saved)
    return categories.RuleBatchResult(
        saved=tuple(_own_rule(rule, user_id) for rule in rules),
        errors=tuple(
            categories.RuleBatchError(index=index, message=refused[index])
            for index in sorted(refused)
        ),
    )


async def remove_rule(context: Context, ask: categories.RuleId) -> categories.CategoryRule:
    """Remove a rule of the person's own; what was inferred or curated holds again."""
    owner = context.caller.owner

    def remove(connection: Connection) -> categories.CategoryRule:
        rule = table.find_rule(connection, owner, ask.id)
        if rule is None:
            if ask.id.startswith(("curated_", "auto_")):
                raise Conflict(
                    "You can remove only your own rules. To override this rule, set your own rule"
                    " for the payee."
                )
            raise NotFound(f"No rule {ask.id!r}. `finplan rules list` shows your rules.")
        remove_own_rule(connection, owner, rule)
        people.set_inference_due(connection, owner)
        return _own_rule(rule, people.get_person(connection, owner)["id"])

    return await context.commit(remove, event=True)


def find_payee(connection: Connection, owner: int, key: str) -> RowMapping:
    """The payee of a key, or of a display name that no other has. Raises NotFound with near matches."""
    payee = payees.find_payee(connection, owner, key)
    if payee is None:
        spelt = _spelt(connection, owner)
        if key.casefold() not in spelt:
            raise _no_payee(key, spelt)
        payee = payees.find_payee(connection, owner, spelt[key.casefold()])
    assert payee is not None, "The key stands on a payee."
    return payee


def _spelt(connection: Connection, owner: int) -> dict[str, str]:
    """Every payee's key by what it may be called: its key, or a display name that no other has."""
    names = payees.names_of(connection, owner)
    bearers = Counter(name.casefold() for _, _, name in names)
    spelt = {name.casefold(): key for _, key, name in names if bearers[name.casefold()] == 1}
    return spelt | {key.casefold(): key for _, key, _ in names}


def _no_payee(name: str, spelt: Mapping[str, str]) -> NotFound:
    close, hint = names_near(name, spelt)
    return NotFound(
        f"No payee {name!r} in your transactions.{hint} See `finplan transactions`.",
        {"near": close},
    )


def save_own_rule(
    connection: Connection,
    owner: int,
    payee: int,
    category: str,
    amount: int | None,
    now: int,
    direction: categories.MoneyDirection = "both",
) -> int:
    """Save a rule of the person's own and let it hold at once; answers its number.

    An amount has a direction of its own, so its rule is for both. What the rule teaches about other
    payees is due, see `people.set_inference_due`.
    Raises BadRequest with near matches for a category that the person does not have.
    """
    if category not in BUILT_IN:
        find_category(catalogue_of(connection, owner), category)
    values = {
        "id": new_rule_id(direction),
        "owner_no": owner,
        "payee_no": payee,
        "amount": amount,
        "direction": direction,
        "category": category,
        "saved_at": now,
    }
    rules = table.list_rules(connection, owner)
    former = [rule["category"] for rule in rules if rule["payee_no"] == payee]
    number = table.save_rule(connection, values)
    if amount is None:
        payees.apply_rules(connection, payee)
    if not heed_rule(connection, owner, payee, [category, *former]):
        people.raise_generation(connection, owner, rows=False)
    return number


def remove_own_rule(connection: Connection, owner: int, rule: RowMapping) -> None:
    """Remove a rule of the person's own; what was inferred or curated holds again."""
    table.remove_rule(connection, rule["no"])
    if rule["amount"] is None:
        payees.apply_rules(connection, rule["payee_no"])
    if not heed_rule(connection, owner, rule["payee_no"], [rule["category"]]):
        people.raise_generation(connection, owner, rows=False)


def _own_rule(row: RowMapping, user_id: str) -> categories.CategoryRule:
    return categories.CategoryRule.of(
        row, user_id=user_id, source="user", confidence=None, alternatives=()
    )


def _decided_rule(row: RowMapping, saved_at: int, *, spends: bool) -> categories.CategoryRule:
    """A rule that came with the product or was inferred, as it stands on its payee's row.

    It is of money out, and of money in where the payee only pays or nothing is known of the other.
    """
    of_charges = spends and row["decided_out"] != "uncategorized"
    return categories.CategoryRule.of(
        row,
        id=f"{row['source']}_{row['no']}",
        user_id=None,
        payee_key=row["key"],
        category=row["decided_out" if of_charges else "decided_in"],
        alternatives=tuple(row["alternatives"].split()),
        saved_at=saved_at,
    )
