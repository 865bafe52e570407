"""Categories: the built-in ones and a person's own, and the suggestions for new ones."""

from collections.abc import Iterator
from datetime import date
from functools import partial

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue, Category
from finplan.categorise.suggest import Inflow, PayeeSpending, suggest, themes
from finplan.model import category as categories
from finplan.model.base import Nothing, folded_name, readable_name
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.operation import Made
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import ORDINAL, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Ledger
from finplan.service.context import Asker, Context
from finplan.service.derived.books import household_of
from finplan.service.derived.household import catalogue_of
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import categorise_payees, compute_inferred
from finplan.service.ledger.reconciliation import heed_categories, kept_apart
from finplan.service.lookup import find_category, find_payees, names_near
from finplan.service.rules import save_own_rule
from finplan.store.queries import categories as table, people, plans


async def list_categories(context: Context, _ask: Nothing) -> tuple[categories.CategoryChoice, ...]:
    """The categories that a payee can be filed under, in the order that a person reads them."""
    owner = context.caller.owner
    catalogue = await context.store.read(lambda c: catalogue_of(c, owner))
    return tuple(category.as_choice() for category in catalogue.categories.values())


async def create_category(
    context: Context, ask: categories.NewCategory
) -> Made[categories.CreatedCategory]:
    """Make a category of the person's own and file some payees under it, or do neither."""
    owner = context.caller.owner

    def create(connection: Connection) -> Made[categories.CreatedCategory]:
        name = _new_name(ask.name, catalogue_of(connection, owner))
        payees = find_payees(connection, owner, ask.payee_keys)
        category, now = new_id("cat"), context.milliseconds()
        table.add_category(
            connection,
            {
                "id": category,
                "owner_no": owner,
                "name": name,
                "known_as": folded_name(name),
                "line": ask.line,
                "reimbursable": ask.reimbursable,
                "created_at": now,
            },
        )
        for payee in payees:
            save_own_rule(connection, owner, payee, category, None, now)
        # What others learn from these is not what the person asked for, so it is not counted.
        filed = table.filed_under(connection, owner, category)
        if payees:
            people.set_inference_due(connection, owner)
        people.raise_generation(connection, owner, rows=False)
        choice = catalogue_of(connection, owner)[category].as_choice()
        return Made(categories.CreatedCategory.of(filed, category=choice), new=True)

    return await context.commit(create, event=True)


async def change_category(
    context: Context, ask: categories.CategoryChange
) -> categories.CategoryChoice:
    """Rename one of the person's own categories, or put it on another line; its id stays."""
    owner = context.caller.owner
    fields = ask.model_dump(exclude_unset=True, exclude={"category"}, by_alias=False)
    for field, value in fields.items():
        if value is None:
            raise BadRequest(f"The category's {field} cannot be empty. Give a value.")

    def change(connection: Connection) -> categories.CategoryChoice:
        catalogue = catalogue_of(connection, owner)
        category = _own(catalogue, ask.category, "changed")
        values = dict(fields)
        if ask.name is not None:
            name = _new_name(ask.name, catalogue, besides=category.id)
            values |= {"name": name, "known_as": folded_name(name)}
        if values:
            table.change_category(connection, owner, category.id, values)
            if category.id in table.filed_payees(connection, owner).values():
                # What was learnt from those says the category's name in its reasons.
                people.set_inference_due(connection, owner)
            people.raise_generation(connection, owner, rows=False)
        return catalogue_of(connection, owner)[category.id].as_choice()

    return await context.commit(change, event=True)


async def remove_category(
    context: Context, ask: categories.CategoryRemoval
) -> categories.RemovedCategory:
    """Remove one of the person's own categories; no charge is ever lost by it.

    Its rules move to another category when one is named. Otherwise they are removed, and the charges
    are filed as the inferred and curated rules say.
    """
    owner = context.caller.owner

    def remove(connection: Connection) -> categories.RemovedCategory:
        catalogue = catalogue_of(connection, owner)
        category = _own(catalogue, ask.category, "removed")
        target = _merged_into(catalogue, category, ask.merge_into)
        filed = table.filed_under(connection, owner, category.id)
        kept_from_pairs = kept_apart(connection, owner)
        if target is None:
            table.remove_rules(connection, owner, category.id)
        else:
            table.refile(connection, owner, category.id, target.id)
        plans.move_category(connection, owner, category.id, None if target is None else target.id)
        table.remove_category(connection, owner, category.id)
        heed_categories(connection, owner, kept_from_pairs)
        # Whatever was learnt from its rules, in either direction, must not name it any more.
        categorise_payees(connection, owner, None)
        people.raise_generation(connection, owner, rows=False)
        merged_into = None if target is None else target.as_choice()
        return categories.RemovedCategory.of(
            filed, category=category.as_choice(), merged_into=merged_into
        )

    return await context.commit(remove, event=True)


async def list_suggestions(
    context: Context, _ask: Nothing
) -> tuple[categories.CategorySuggestion, ...]:
    """Themes in the person's charges that might deserve a category of their own, dearest first."""
    return await compute_inferred(context, partial(_suggestions, asker=context.asker))


async def judge_suggestion(
    context: Context, ask: categories.SuggestionVerdict
) -> tuple[categories.CategorySuggestion, ...]:
    """Keep a suggestion away, or let it come again; answers the suggestions that are left."""
    owner, asker = context.caller.owner, context.asker
    names = {folded_name(name): name for name in themes().names}
    if folded_name(ask.name) not in names:
        close, hint = names_near(folded_name(ask.name), names)
        raise NotFound(
            f"Unknown suggestion {ask.name!r}.{hint} `finplan categories suggestions` lists all"
            " suggestions.",
            {"near": close},
        )

    name = folded_name(ask.name)
    remaining = await compute_inferred(
        context, partial(_suggestions, asker=asker, verdict=(name, ask.dismissed))
    )

    def decide(connection: Connection) -> tuple[categories.CategorySuggestion, ...]:
        table.set_dismissed(connection, owner, name, dismissed=ask.dismissed)
        people.raise_generation(connection, owner, rows=False)
        return remaining

    return await context.commit(decide)


def _suggestions(
    connection: Connection, asker: Asker, verdict: tuple[str, bool] | None = None
) -> tuple[categories.CategorySuggestion, ...]:
    """The suggestions, with a `verdict` as if it were kept: a name, and whether it is dismissed."""
    ledger, books, today = household_of(connection, asker)
    dismissed = set(table.dismissed_names(connection, asker.owner))
    if verdict is not None:
        name, is_dismissed = verdict
        (dismissed.add if is_dismissed else dismissed.discard)(name)
    own = [category.label for category in ledger.catalogue.categories.values() if category.custom]
    return suggest(
        _spent(ledger, books),
        _arrivals(ledger, books, today),
        spending=books.spending,
        months=books.window.months,
        catalogue=ledger.catalogue,
        unwanted=frozenset(dismissed.union(own)),
    )


def _spent(ledger: Ledger, books: Books) -> Iterator[PayeeSpending]:
    """The window's spending, but for charges that a rule of their amount or a word keeps in place."""
    for sheet in books.sheets:
        if sheet.flow != "spending":
            continue
        payee = ledger.payees[sheet.payee]
        stated = payee.said_parts()
        charges = [
            (ORDINAL[row[DAY]], -row[AMOUNT])
            for row in sheet.rows
            if books.window.holds(row[DAY])
            and -row[AMOUNT] not in payee.by_amount
            and ((row[ACCOUNT], row[DAY], row[AMOUNT]), sheet.category) not in stated
        ]
        if charges:
            yield PayeeSpending(payee.key, payee.name, sheet.category, charges)


def _arrivals(ledger: Ledger, books: Books, today: date) -> Iterator[Inflow]:
    """What came in since the window began and lowers no spending."""
    since, until = day_of(books.window.since), day_of(today)
    for sheet in books.sheets:
        if sheet.flow == "spending":
            continue
        payee = ledger.payees[sheet.payee]
        for row in sheet.rows:
            if since <= row[DAY] <= until and row[AMOUNT] > 0:
                yield Inflow(f"{payee.key} {payee.name}", ORDINAL[row[DAY]])


def _own(catalogue: Catalogue, category: str, what: str) -> Category:
    own = find_category(catalogue, category, NotFound)
    if not own.custom:
        raise Conflict(
            f"{own.label} is built in and cannot be {what}. Create your own category with `finplan"
            " categories add`, and put payees in it."
        )
    return own


def _merged_into(catalogue: Catalogue, category: Category, target: str | None) -> Category | None:
    if target is None:
        return None
    if target == category.id:
        raise Conflict(f"{category.label} cannot be merged into itself. Choose another category.")
    return find_category(catalogue, target)


def _new_name(typed: str, catalogue: Catalogue, besides: str | None = None) -> str:
    """A name that no other category has, however it is written. Raises BadRequest or Conflict."""
    try:
        name = readable_name(typed)
    except ValueError as error:
        raise BadRequest(f"{error}.") from None
    for category in catalogue.categories.values():
        taken = {folded_name(category.label), category.id}
        if category.id != besides and folded_name(name) in taken:
            raise Conflict(
                f"The category {category.label!r} ({category.id}) already exists. Choose another"
                " name, or put payees in the existing category.",
                {"category": category.id},
            )
    return name
