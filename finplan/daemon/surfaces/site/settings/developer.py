"""The page of what programs and browsers are let in by: keys, programs, agents and sessions."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import (
    Markup,
    button,
    command,
    element,
    hidden,
    joined,
    tick,
)
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, asked, form, text_field
from finplan.daemon.surfaces.site.settings import programs
from finplan.daemon.surfaces.site.settings.settings_page import (
    DEVELOPER,
    SettingsPage,
    disclosed,
    framed,
    part,
    shown_once,
    thing,
    things,
)
from finplan.model.access.browsers import browser_name
from finplan.model.access.key import KEY_SCOPES, ApiKey, CreatedKey, KeyId, NewKey
from finplan.model.access.session import BrowserSession, SessionId
from finplan.model.base import Day, Wire
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations.credential import (
    CREATE_KEY,
    END_SESSION,
    LIST_KEYS,
    LIST_SESSIONS,
    REVOKE_KEY,
)


class KeyEnd(Wire):
    """The last day of a key, as a form has it."""

    last_day: Day


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
    keys: tuple[ApiKey, ...] = await visit.perform(LIST_KEYS)
    sessions: tuple[BrowserSession, ...] = await visit.perform(LIST_SESSIONS)
    others = await programs.draw(visit, typed)
    return joined(_keys(visit, keys, typed), others, _sessions(visit, sessions))


def _keys(visit: Visit, keys: tuple[ApiKey, ...], typed: TypedForm) -> Markup:
    scopes = typed.values.get("scopes", tuple(KEY_SCOPES))
    return part(
        "keys",
        "API keys",
        things([_key(visit, key) for key in keys], "There is no key yet."),
        form(
            visit,
            DEVELOPER,
            element("h3", "Make a key"),
            text_field(
                "name",
                "Name",
                typed.one("name"),
                hint="What it is for, such as the program that uses it.",
                autocomplete="off",
                maxlength=200,
                required=True,
            ),
            element(
                "fieldset",
                element("legend", "What it may do"),
                *(
                    tick("scopes", scope, scope, told, ticked=scope in scopes)
                    for scope, told in KEY_SCOPES.items()
                ),
            ),
            text_field(
                "last_day",
                "Last day",
                typed.one("last_day"),
                hint="Left empty, it holds until you revoke it.",
                type="date",
                class_="short",
            ),
            button("Make the key", "create-key", "main"),
        ),
        lead="A program shows a key to read your plan or to change it. No key can make another one.",
    )


def _key(visit: Visit, key: ApiKey) -> Markup:
    now = visit.context.milliseconds()
    over = key.expires_at is not None and key.expires_at <= now
    facts = [
        " and ".join(scope.partition(":")[2] for scope in key.scopes),
        f"made on {visit.day(key.created_at)}",
        f"last used {visit.moment(key.last_used_at)}" if key.last_used_at else "never used",
        _end_of(visit, key),
    ]
    act = disclosed(
        "Revoke …",
        f"the key {key.name}",
        form(
            visit,
            DEVELOPER,
            hidden("id", key.id),
            button("Revoke this key", "revoke-key", "danger"),
            class_="confirm",
        ),
    )
    name = joined(element("bdi", key.name), " ", command(f"{key.prefix}…"))
    return thing(
        name,
        facts,
        act if key.revoked_at is None else None,
        ended=over or key.revoked_at is not None,
    )


def _end_of(visit: Visit, key: ApiKey) -> str | None:
    if key.revoked_at is not None:
        return f"revoked on {visit.moment(key.revoked_at)}"
    if key.expires_at is None:
        return None
    over = key.expires_at <= visit.context.milliseconds()
    return f"{'over since' if over else 'holds until'} {visit.end(key.expires_at)}"


def _sessions(visit: Visit, sessions: tuple[BrowserSession, ...]) -> Markup:
    return part(
        "sessions",
        "Signed-in browsers",
        things([_session(visit, each) for each in sessions], "No browser is signed in."),
        lead="A browser that stands idle for a week is signed out, and each after a month.",
    )


def _session(visit: Visit, session: BrowserSession) -> Markup:
    name = browser_name(session.user_agent)
    facts = [
        "this browser" if session.current else None,
        f"from {session.address}",
        f"signed in {visit.moment(session.created_at)}",
        f"last used {visit.moment(session.last_used_at)}",
    ]
    act = form(
        visit,
        DEVELOPER,
        hidden("id", session.id),
        button("Sign out", "end-session", aria_label=f"Sign out {name}, from {session.address}"),
        class_="confirm",
    )
    return thing(name, facts, None if session.current else act)


async def _create_key(visit: Visit, typed: TypedForm) -> web.Response:
    name, scopes = typed.maybe("name"), typed.values.get("scopes")
    if name is None:
        raise BadRequest("A key needs a name, by which you know it again.")
    if scopes is None:
        raise BadRequest("A key that may do nothing is of no use. Tick what it may do.")
    asks = asked(NewKey, name=name, scopes=scopes)
    ask = asks.model_copy(update={"expires_at": _expiry(visit, typed)})
    made: Made[CreatedKey] = await visit.perform(CREATE_KEY, ask)
    key = made.answer
    return framed(
        visit,
        DEVELOPER,
        part(
            "made",
            "Your new key",
            element("p", element("bdi", key.name), ". Copy it now: it is not shown again."),
            shown_once(key.key, "The key"),
            element(
                "p", "Programs send it with each request, in the header ", command("x-api-key"), "."
            ),
            element("p", element("a", "I have copied it", href=DEVELOPER, class_="button main")),
        ),
    )


def _expiry(visit: Visit, typed: TypedForm) -> int | None:
    """The end of a key's last day where the person lives; None for a key without an end."""
    typed_day = typed.maybe("last_day")
    if typed_day is None:
        return None
    day = asked(KeyEnd, lastDay=typed_day).last_day
    last = datetime.combine(day, time.max, ZoneInfo(visit.settings.time_zone))
    return int(last.timestamp() * 1000) + 1


async def _revoke_key(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_KEY, KeyId(id=typed.one("id")))
    return "revoked"


async def _end_session(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(END_SESSION, SessionId(id=typed.one("id")))
    return "ended"


PAGE = SettingsPage(
    DEVELOPER,
    _draw,
    {
        "create-key": _create_key,
        "revoke-key": _revoke_key,
        "end-session": _end_session,
        **programs.ACTIONS,
    },
    {
        "revoked": "The key is refused from now on.",
        "ended": "That browser is signed out.",
        **programs.SAID,
    },
)
