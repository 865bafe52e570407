"""Who and what may come in.

People with an account, invites, signed-in browsers and the record of them; API keys; programs that ask a
person for access, and agents that came without an account.
"""

from collections.abc import Sequence

from finplan.model import credential, figures
from finplan.views import page
from finplan.views.locale import Locale


def people(listed: Sequence[credential.JoinedPerson], how: Locale) -> page.Page:
    """Everybody who has an account, and since when."""
    rows = [
        (
            page.name(person.email),
            page.name(person.name) if person.name else "",
            how.age(person.created_at),
            ", ".join(["you"] * person.you + ["owner of the machine"] * person.owner),
            person.id,
        )
        for person in listed
    ]
    return page.of(page.table(("address<", "name<", page.col("joined", drops=1), "+", "id#"), rows))


def invites(
    listed: Sequence[credential.Invite], how: Locale, *, commands: bool = True
) -> page.Page:
    """Invites with what has become of them; without `commands` where a form is next to them."""
    rows = [
        (
            _format_invitee(invite, how),
            how.age(invite.created_at),
            _state_of_invite(invite, how),
            invite.id,
        )
        for invite in listed
    ]
    none = _none("No invites yet.", "`finplan invites create`", commands=commands)
    return page.of(
        page.listing(("for+", page.col("created", drops=1), "status", "id#"), rows, none)
    )


def _none(text: str, command: str, *, commands: bool) -> str:
    """That a list is empty, and the command that adds to it."""
    return f"{text} Add one: {command}." if commands else text


def _format_invitee(invite: credential.Invite, how: Locale) -> page.TextSpan:
    tone = "gone" if is_over(invite, how) else ""
    if invite.email is None:
        return page.TextSpan("anyone with the link", tone or "soft")
    return page.name(invite.email, tone)


def is_over(invite: credential.Invite, how: Locale) -> bool:
    """Whether an invite lets nobody in any more."""
    return invite.used_at is not None or _past(invite.expires_at, how)


def _past(instant: int | None, how: Locale) -> bool:
    return instant is not None and instant <= how.now.timestamp() * 1000


def _state_of_invite(invite: credential.Invite, how: Locale) -> page.Phrase:
    if invite.used_at is not None:
        return page.soft(f"used {how.age(invite.used_at)}")
    if is_over(invite, how):
        return page.TextSpan("expired", "bad")
    return f"unused, until {how.minute(invite.expires_at)}"


def describe_invite(invite: credential.CreatedInvite, how: Locale) -> str:
    """For whom a new invite is, and until when."""
    whom = f"{invite.email} only" if invite.email else "anyone with the link"
    until = how.moment(invite.expires_at)
    return (
        f"The link is for {whom}. It can be used once and expires on {until}. Copy it now:"
        " you will not see it again."
    )


def sessions(
    listed: Sequence[credential.BrowserSession], how: Locale, *, commands: bool = True
) -> page.Page:
    """Signed-in browsers, each with its last use; a page of the site shows no `commands`."""
    rows = [
        (
            page.name(credential.browser_name(session.user_agent)),
            "this browser" if session.current else "",
            session.address,
            how.age(session.created_at),
            how.age(session.last_used_at),
            how.minute(session.expires_at)[:10],
            session.id,
        )
        for session in listed
    ]
    began, end = page.col("signed in", drops=1), page.col("expires", drops=1)
    columns = ("browser+", "", "from", began, "last used", end, "id#")
    none = "No browser is signed in."
    return page.of(page.listing(columns, rows, f"{none} Run `finplan open`." if commands else none))


def events(listed: Sequence[credential.AuditEvent], how: Locale) -> page.Page:
    """What happened, and by what."""
    rows = [
        (
            how.minute(event.at),
            page.mentioning(event.text, "bad" if event.kind == "sign_in.failed" else ""),
            _means(event.credential),
            event.address or "",
        )
        for event in listed
    ]
    columns = ("when", "event+", "with", "from")
    return page.of(page.listing(columns, rows, "No events yet.", spoken="Access log"))


def _means(reference: str | None) -> str:
    """What an event was done with, as a person calls it."""
    kind, _, number = (reference or "").partition(":")
    if kind == "session":
        return "a browser" if number else "this machine"
    return "an API key" if kind == "key" else kind


def keys(
    listed: Sequence[credential.ApiKey],
    how: Locale,
    *,
    revoked: bool = True,
    commands: bool = True,
) -> page.Page:
    """Keys with their last use; of those that were `revoked`, maybe only how many they are.

    Without `commands` where a form is next to them.
    """
    visible = [key for key in listed if revoked or key.revoked_at is None]
    rows = [
        (
            page.name(key.name, "gone" if has_ended(key, how) else ""),
            f"{key.prefix}…",
            _format_scopes(key.scopes),
            how.age(key.created_at),
            how.age(key.last_used_at),
            _end_of_key(key, how),
            key.id,
        )
        for key in visible
    ]
    begins, created = page.col("starts with", drops=1), page.col("created", drops=2)
    columns = ("name<", begins, "may+", created, "last used", "", "id#")
    hidden = len(listed) - len(visible)
    left_out = [f"{hidden} revoked, not shown: `finplan keys list --all`."] if hidden else []
    none = _none("No API keys yet.", "`finplan keys create NAME`", commands=commands)
    return page.of(page.listing(columns, rows, none), page.sentences(left_out, "soft"))


def has_ended(key: credential.ApiKey, how: Locale) -> bool:
    """Whether a key is refused."""
    return key.revoked_at is not None or _past(key.expires_at, how)


def _end_of_key(key: credential.ApiKey, how: Locale) -> page.Phrase:
    if has_ended(key, how):
        return page.TextSpan("expired" if key.revoked_at is None else "revoked", "bad")
    if key.expires_at is None:
        return ""
    return f"until {figures.last_day(key.expires_at, how.zone)}"


def clients(listed: Sequence[credential.OAuthClient], how: Locale) -> page.Page:
    """Programs that ask for access, with what they were granted."""
    rows = [
        (
            page.name(client.name),
            page.name(credential.hosts_of(client.redirect_uris)),
            _describe_grant(client),
            how.age(client.created_at),
            how.age(client.last_used_at),
            "yours" if client.yours else "",
            client.id,
        )
        for client in listed
    ]
    sends, allow = page.col("sends you to+", floor=12), page.col("you allow+", floor=9)
    columns = ("name+", sends, allow, page.col("added", drops=1), "last used", "", "id#")
    return page.of(page.listing(columns, rows, "No apps yet."))


def _describe_grant(client: credential.OAuthClient) -> page.Phrase:
    """What a client was granted, and of what where it may ask for more."""
    granted = _format_scopes(client.granted) if client.granted else page.soft("nothing yet")
    asks = set(client.scopes)
    if asks <= set(client.granted):
        return granted
    wish = "everything" if asks >= set(credential.GRANT_SCOPES) else _format_scopes(client.scopes)
    return (granted, page.soft(f" (may ask for {wish})"))


def _format_scopes(scopes: Sequence[credential.GrantScope]) -> str:
    return ", ".join(map(credential.shown_scope, scopes))


def agents(listed: Sequence[credential.Agent], how: Locale) -> page.Page:
    """Agents with their last use."""
    rows: list[tuple[page.TableCell, ...]] = [
        (
            agent.id,
            agent.address,
            _format_scopes(agent.scopes),
            *map(how.age, (agent.created_at, agent.claimed_at, agent.last_used_at)),
        )
        for agent in listed
    ]
    columns = ("agent#", "from+", "may+", page.col("registered", drops=1), "claimed", "last used")
    return page.of(page.listing(columns, rows, "No agents yet."))
