"""The page of the people who share this finplan, and of the invites to it."""

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, joined
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, asked, form, text_field
from finplan.daemon.surfaces.site.settings.settings_page import (
    PEOPLE,
    SettingsPage,
    disclosed,
    framed,
    part,
    shown_once,
    thing,
    things,
)
from finplan.model.access.invite import (
    LONGEST_DAYS,
    CreatedInvite,
    Invite,
    InviteId,
    JoinedPerson,
    NewInvite,
)
from finplan.operation import Made
from finplan.operations.credential import CREATE_INVITE, LIST_INVITES, LIST_PEOPLE, REVOKE_INVITE


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
    people: tuple[JoinedPerson, ...] = await visit.perform(LIST_PEOPLE)
    owns_the_machine = any(person.you and person.owner for person in people)
    invites: tuple[Invite, ...] = ()
    if owns_the_machine:
        invites = await visit.perform(LIST_INVITES)
    return joined(
        part(
            "people",
            "People",
            things([_person(visit, each) for each in people], "Nobody has an account here."),
            lead="Each has an account of their own, and sees nothing of the others' data.",
        ),
        _invites(visit, invites, typed) if owns_the_machine else None,
    )


def _person(visit: Visit, person: JoinedPerson) -> Markup:
    words = [
        person.email if person.name else None,
        "owns this machine" if person.owner else None,
        "you" if person.you else None,
        f"since {visit.day(person.created_at)}",
    ]
    return thing(element("bdi", person.name or person.email), words)


def _invites(visit: Visit, invites: tuple[Invite, ...], typed: TypedForm) -> Markup:
    return part(
        "invites",
        "Invites",
        things([_invite(visit, each) for each in invites], "Nobody is invited."),
        form(
            visit,
            PEOPLE,
            element("h3", "Invite somebody"),
            text_field(
                "email",
                "E-mail address",
                typed.one("email"),
                hint="Only this address can join by the link. Left empty, whoever has the link can.",
                inputmode="email",
                autocomplete="off",
                autocapitalize="none",
                spellcheck="false",
            ),
            text_field(
                "days",
                "Days until it is over",
                typed.one("days") or "7",
                type="number",
                min=1,
                max=LONGEST_DAYS,
                required=True,
                class_="short",
            ),
            button("Make the link", "create-invite", "main"),
        ),
        lead="A link lets one person make an account, once.",
    )


def _invite(visit: Visit, invite: Invite) -> Markup:
    over = invite.used_at is None and invite.expires_at <= visit.context.milliseconds()
    if invite.used_at is not None:
        stands = f"used on {visit.moment(invite.used_at)}"
    else:
        stands = f"{'over since' if over else 'holds until'} {visit.moment(invite.expires_at)}"
    whom = invite.email or "Whoever has the link"
    label = "Forget" if over or invite.used_at is not None else "Take back"
    act = disclosed(
        f"{label} …",
        f"the invite of {whom}",
        form(
            visit,
            PEOPLE,
            hidden("id", invite.id),
            button(f"{label} this invite", "revoke-invite", "danger"),
            class_="confirm",
        ),
    )
    return thing(element("bdi", whom), [stands], act, ended=over or invite.used_at is not None)


async def _create(visit: Visit, typed: TypedForm) -> web.Response:
    ask = asked(NewInvite, email=typed.maybe("email"), days=typed.maybe("days"))
    made: Made[CreatedInvite] = await visit.perform(CREATE_INVITE, ask)
    invite = made.answer
    whom = invite.email or "one person"
    return framed(
        visit,
        PEOPLE,
        part(
            "made",
            "The link of the invite",
            element(
                "p",
                f"Send it to {whom} yourself: it lets them join once, until"
                f" {visit.moment(invite.expires_at)}. It is not shown again.",
            ),
            shown_once(invite.url, "The link"),
            element("p", element("a", "I have copied it", href=PEOPLE, class_="button main")),
        ),
    )


async def _revoke(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_INVITE, InviteId(id=typed.one("id")))
    return "revoked"


PAGE = SettingsPage(
    PEOPLE,
    _draw,
    {"create-invite": _create, "revoke-invite": _revoke},
    {"revoked": "The invite lets nobody in any more."},
)
