"""The page of accounts and balances: set a balance by its day, and add what no bank brings."""

from finplan.daemon.surfaces.pages.drawing import thing
from finplan.daemon.surfaces.pages.markup import Markup, button, element, join_markup
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model import account as accounts
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest
from finplan.model.money import typed_amount
from finplan.operation import Made
from finplan.operations import account as rows, person
from finplan.views import accounts as view

ADD, SET_BALANCE, REMOVE = "add-account", "set-balance", "remove-account"


async def _draw_accounts(visit: Visit, typed: frame.TypedForm) -> Markup:
    records: tuple[accounts.AccountRecord, ...] = await visit.perform(rows.LIST_ACCOUNT_RECORDS)
    listed = settings_page.part(
        "accounts",
        "Accounts",
        settings_page.things([_account(visit, record) for record in records], "No accounts yet."),
    )
    return join_markup(listed, _adding(visit, typed))


def _account(visit: Visit, record: accounts.AccountRecord) -> Markup:
    account = record.account
    facts: list[str | None] = [
        view.kind(account),
        element("bdi", account.institution_name),
        "balance unknown" if account.balance is None else view.holds(record),
        "hidden" if record.hidden else None,
    ]
    named = f"of {view.called(account)}"
    acts = [
        settings_page.draw_disclosure(
            "Set balance …",
            named,
            settings_page.form_about(
                visit,
                settings_page.ACCOUNTS,
                account.id,
                _amount_field(f"balance-{account.id}", account.kind, record.currency),
                _day_field(f"day-{account.id}", "date", "Date", "Leave empty for today."),
                button("Save balance", SET_BALANCE, "main"),
            ),
        )
    ]
    if record.own:
        acts.append(
            settings_page.ending(
                visit,
                settings_page.ACCOUNTS,
                REMOVE,
                account.id,
                "Remove",
                named,
                "Remove account",
                "This removes the account and its balances.",
            )
        )
    return thing(element("bdi", view.called(account)), facts, *acts)


def _amount_field(at: str, kind: accounts.AccountKind, currency: str) -> Markup:
    owed = kind in view.OWED
    return element(
        "div",
        element("label", "Debt" if owed else "Balance", for_=at),
        element("p", f"In {currency}, for example 1,840.25.", class_="hint", id=f"{at}-hint"),
        element(
            "input",
            id=at,
            name="balance",
            type="text",
            inputmode="decimal",
            autocomplete="off",
            required=True,
            aria_describedby=f"{at}-hint",
        ),
        class_="field",
    )


def _day_field(at: str, name: str, label: str, hint: str, value: str = "") -> Markup:
    return element(
        "div",
        element("label", label, for_=at),
        element("p", hint, class_="hint", id=f"{at}-hint"),
        element(
            "input",
            id=at,
            name=name,
            type="date",
            value=value or None,
            aria_describedby=f"{at}-hint",
        ),
        class_="field",
    )


def _adding(visit: Visit, typed: frame.TypedForm) -> Markup:
    kinds = (
        element("option", own.label, value=own.subtype, selected=typed.maybe("kind") == own.subtype)
        for own in view.OWN_KINDS
    )
    return settings_page.part(
        "add",
        "Add an account",
        frame.form(
            visit,
            settings_page.ACCOUNTS,
            element(
                "div",
                element("label", "Kind", for_="kind"),
                element("select", *kinds, id="kind", name="kind"),
                class_="field",
            ),
            frame.text_field(
                "name", "Name", typed.maybe("name") or "", maxlength=200, required=True
            ),
            frame.text_field(
                "balance",
                "Balance",
                typed.maybe("balance") or "",
                hint="Today's balance, for example 1,840.25. For a loan or a card, your debt.",
                inputmode="decimal",
                autocomplete="off",
                required=True,
            ),
            _day_field(
                "since",
                "since",
                "First day",
                "Net worth includes the account from this day on. Leave empty for today.",
                typed.maybe("since") or "",
            ),
            frame.text_field(
                "currency",
                "Currency",
                typed.maybe("currency") or "",
                hint="Three letters, such as EUR. Leave empty for your currency.",
                maxlength=3,
                autocomplete="off",
            ),
            button("Add account", ADD, "main"),
        ),
        lead="For accounts that you keep yourself: a home, a car, a private loan or cash.",
    )


async def _add(visit: Visit, typed: frame.TypedForm) -> str:
    own = next((own for own in view.OWN_KINDS if own.subtype == typed.one("kind")), None)
    if own is None:
        raise BadRequest("Choose a kind of account.")
    code = (typed.maybe("currency") or "").strip().upper()
    currency = code or (await visit.perform(person.SHOW_SETTINGS, Nothing())).currency
    ask = frame.build_ask(
        accounts.NewAccount,
        name=typed.one("name").strip(),
        kind=own.kind,
        subtype=own.subtype,
        currency=code or None,
        balance=_read_amount(typed.one("balance"), currency),
        since=typed.maybe("since") or None,
    )
    made: Made[accounts.AccountRecord] = await visit.perform(rows.ADD_ACCOUNT, ask)
    return "added" if made.new else "saved"


async def _set_balance(visit: Visit, typed: frame.TypedForm) -> str:
    account = accounts.AccountId(id=typed.one("id"))
    record: accounts.AccountRecord = await visit.perform(rows.SHOW_ACCOUNT, account)
    ask = frame.build_ask(
        accounts.DatedBalance,
        id=account.id,
        date=typed.maybe("date") or visit.how.today.isoformat(),
        balance=_read_amount(typed.one("balance"), record.currency),
    )
    await visit.perform(rows.SET_BALANCE, ask)
    return "saved"


def _read_amount(text: str, currency: str) -> int:
    try:
        return typed_amount(text, currency, "The balance")
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from None


ACCOUNTS_PAGE = settings_page.SettingsPage(
    settings_page.ACCOUNTS,
    _draw_accounts,
    {
        ADD: _add,
        SET_BALANCE: _set_balance,
        REMOVE: settings_page.acting(rows.REMOVE_ACCOUNT, "removed"),
    },
    {
        "added": "Account added. Your plan and your net worth include it.",
        "saved": "Balance saved.",
        "removed": "Account removed.",
    },
)
