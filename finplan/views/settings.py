"""Settings, and the person whose they are.

The household's settings, and those of this machine with where each comes from; of the person what goes
when they are deleted, and what went.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from finplan.model import figures
from finplan.model.connection import ConnectionRecord
from finplan.model.credential import PasswordSet
from finplan.model.user import DeletedPerson, HouseholdSettings, User
from finplan.settings import Origin, Settings
from finplan.views import page
from finplan.views.locale import Locale

_UNSET = {
    "port": "8460 or the next free port, saved once chosen",
    "site_url": "http://127.0.0.1 with the port",
    "signed_origins": "none",
}


def household(settings: HouseholdSettings, _how: Locale) -> page.Page:
    """What the plan takes from the person."""
    return page.of(choices(settings))


def choices(settings: HouseholdSettings, *others: tuple[str, str, str]) -> page.PageTable:
    """Settings by their keys, with `others` of one face: a key, a label, and what is chosen."""
    shares, months = settings.budget_shares, settings.target_months
    budget = "automatic: 50/30/20 where attainable"
    if shares is not None:
        parts = (shares.essentials, shares.discretionary, shares.savings)
        budget = "{} essentials, {} discretionary, {} savings".format(*map(figures.share, parts))
    fund = "automatic" if months is None else figures.count(months, "month")
    chosen = (
        ("currency", "currency", settings.currency),
        ("time_zone", "time zone", settings.time_zone),
        ("budget_shares", "budget", budget),
        ("target_months", "emergency fund", fund),
        *others,
    )
    rows = (page.TableRow((label, value), key) for key, label, value in chosen)
    return page.table(("~", "+"), rows, headless=True)


def config(
    settings: Settings, entries: Sequence[tuple[str, str, Origin]], paths: Mapping[str, Path]
) -> page.Page:
    """The profile, each setting with its origin, and the places of files, there or not."""
    rows = (
        (key, _UNSET.get(key, "not set") if value == "None" else value, origin)
        for key, value, origin in entries
    )
    places = (
        (key, (str(path), page.soft("" if path.exists() else "  none yet")))
        for key, path in paths.items()
    )
    return page.of(
        page.Sentence(f"Profile {settings.profile}", "strong"),
        page.Sentence(""),
        page.table(("setting", "value+", "from~"), rows),
        page.Sentence(""),
        page.table((page.col("~", least=17), ""), places, gap=1),
    )


def me(user: User, _how: Locale) -> page.Page:
    """Who the person is."""
    called = page.name(user.name) if user.name else "not set"
    return page.of(
        page.labelled(("Name", called), ("Email", page.name(user.email)), ("Id", user.id))
    )


def password_set(done: PasswordSet) -> str:
    """That a password was set, and what it ended."""
    ended = figures.count(done.ended_sessions, "browser")
    was = "was" if done.ended_sessions == 1 else "were"
    signed_out = f" {ended} {was} signed out." if done.ended_sessions else ""
    return f"Password set. Sign in with it and the email from `finplan me`.{signed_out}"


def what_goes(user: User, banks: Sequence[ConnectionRecord], accounts: int, keys: int) -> str:
    """What will be deleted, before it is."""
    names = ", ".join(record.connection.institution_name for record in banks)
    parts = [
        figures.count(len(banks), "bank") + (f" ({names})" if names else ""),
        f"{figures.count(accounts, 'account')} with all transactions",
        "your plans, rules and answers",
        *([figures.count(keys, "API key")] if keys else []),
        "the backups made before updates",
    ]
    return (
        f"This permanently deletes {user.email}: {', '.join(parts[:-1])}, and {parts[-1]}. You cannot"
        " undo this. To save your transactions to a file first, run `finplan export`."
    )


def describe_deletion(gone: DeletedPerson) -> page.Page:
    """What went."""
    return page.of(page.sentence(text) for text in _gone(gone))


def _gone(gone: DeletedPerson) -> Iterator[str]:
    counts = (
        (gone.connections, "bank"),
        (gone.accounts, "account"),
        (gone.transactions, "transaction"),
        (gone.imports, "import"),
        (gone.plans, "plan"),
        (gone.rules, "rule"),
        (gone.answers, "answer"),
        (gone.keys, "API key"),
    )
    counted = ", ".join(figures.count(number, thing) for number, thing in counts if number)
    yield f"Deleted {gone.user.email}{': ' if counted else ''}{counted}."
    if gone.backups:
        copies = figures.count(len(gone.backups), "backup")
        yield f"Deleted {copies}: {', '.join(gone.backups)}."
    yield "Ended every API key and session of this account."
