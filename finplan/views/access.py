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
            page.name(each.email),
            page.name(each.name or ""),
            how.age(each.created_at),
            ", ".join(["you"] * each.you + ["owner of the machine"] * each.owner),
            each.id,
        )
        for each in listed
    ]
    return page.of(page.table(("address<", "name<", page.col("joined", drops=1), "+", "id#"), rows))


def invites(listed: Sequence[credential.Invite], how: Locale) -> page.Page:
    """Invites with what has become of them."""
    rows = [
        (
            _invited(each, how),
            how.age(each.created_at),
            _state_of_invite(each, how),
            each.id,
        )
        for each in listed
    ]
    none = "No invites. `finplan invites create` makes one."
    return page.of(page.listing(("for+", page.col("made", drops=1), "", "id#"), rows, none))


def _invited(invite: credential.Invite, how: Locale) -> page.TextSpan:
    tone = "gone" if is_over(invite, how) else ""
    if invite.email is None:
        return page.TextSpan("whoever has the link", tone or "soft")
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
        return page.TextSpan("over", "bad")
    return f"until {how.minute(invite.expires_at)}"


def invited(made: credential.CreatedInvite, how: Locale) -> str:
    """For whom a new invite is, and until when."""
    whom = f"For {made.email} alone" if made.email else "For whoever has the link"
    until = how.moment(made.expires_at)
    return f"{whom}: one person may join by it, until {until}. It is shown only now."


def sessions(listed: Sequence[credential.BrowserSession], how: Locale) -> page.Page:
    """Signed-in browsers, each with its last use."""
    rows = [
        (
            page.name(credential.browser_name(each.user_agent)),
            "this browser" if each.current else "",
            each.address,
            how.age(each.created_at),
            how.age(each.last_used_at),
            how.minute(each.expires_at)[:10],
            each.id,
        )
        for each in listed
    ]
    began, end = page.col("signed in", drops=1), page.col("holds until", drops=1)
    columns = ("browser+", "", "from", began, "last used", end, "id#")
    return page.of(
        page.listing(columns, rows, "No browser is signed in. `finplan open` signs one in.")
    )


def events(listed: Sequence[credential.AuditEvent], how: Locale) -> page.Page:
    """What happened, and by what."""
    rows = [
        (
            how.minute(each.at),
            page.mentioning(each.text, "bad" if each.kind == "sign_in.failed" else ""),
            _means(each.credential),
            each.address or "",
        )
        for each in listed
    ]
    columns = ("when", "what+", "with", "from")
    return page.of(page.listing(columns, rows, "Nothing has happened yet.", spoken="What happened"))


def _means(named: str | None) -> str:
    """What an event was done with, as a person calls it."""
    kind, _, number = (named or "").partition(":")
    if kind == "session":
        return "a browser" if number else "this machine"
    return "an API key" if kind == "key" else kind


def keys(listed: Sequence[credential.ApiKey], how: Locale, *, revoked: bool = True) -> page.Page:
    """Keys with their last use; of those that were `revoked`, maybe only how many they are."""
    shown = [each for each in listed if revoked or each.revoked_at is None]
    rows = [
        (
            page.name(each.name, "gone" if has_ended(each, how) else ""),
            f"{each.prefix}…",
            _allowed(each.scopes),
            how.age(each.created_at),
            how.age(each.last_used_at),
            _end_of_key(each, how),
            each.id,
        )
        for each in shown
    ]
    begins, made = page.col("begins", drops=1), page.col("made", drops=2)
    columns = ("name<", begins, "may+", made, "last used", "", "id#")
    hidden = len(listed) - len(shown)
    were = "key was" if hidden == 1 else "keys were"
    left_out = [f"{hidden} {were} revoked: `finplan keys list --all`."] if hidden else []
    none = "No API keys. `finplan keys create NAME` makes one."
    return page.of(page.listing(columns, rows, none), page.sentences(left_out, "soft"))


def has_ended(key: credential.ApiKey, how: Locale) -> bool:
    """Whether a key is refused."""
    return key.revoked_at is not None or _past(key.expires_at, how)


def _end_of_key(key: credential.ApiKey, how: Locale) -> page.Phrase:
    if has_ended(key, how):
        return page.TextSpan("over" if key.revoked_at is None else "revoked", "bad")
    if key.expires_at is None:
        return ""
    return f"until {figures.last_day(key.expires_at, how.zone)}"


def clients(listed: Sequence[credential.OAuthClient], how: Locale) -> page.Page:
    """Programs that ask for access, with what they were granted."""
    rows = [
        (
            page.name(each.name),
            page.name(credential.hosts_of(each.redirect_uris)),
            _granted(each),
            how.age(each.created_at),
            how.age(each.last_used_at),
            "yours" if each.yours else "",
            each.id,
        )
        for each in listed
    ]
    sends, allow = page.col("sends you to+", floor=12), page.col("you allow+", floor=9)
    columns = ("name+", sends, allow, page.col("added", drops=1), "last used", "", "id#")
    return page.of(page.listing(columns, rows, "No clients. You have made none, and let none in."))


def _granted(client: credential.OAuthClient) -> page.Phrase:
    """What a client was granted, and of what where it may ask for more."""
    granted = _allowed(client.granted) if client.granted else page.soft("nothing yet")
    asks = set(client.scopes)
    if asks <= set(client.granted):
        return granted
    more = "everything" if asks >= set(credential.GRANT_SCOPES) else _allowed(client.scopes)
    return (granted, page.soft(f" (asks for {more})"))


def _allowed(scopes: Sequence[credential.GrantScope]) -> str:
    return ", ".join(map(credential.shown_scope, scopes))


def agents(listed: Sequence[credential.Agent], how: Locale) -> page.Page:
    """Agents with their last use."""
    rows: list[tuple[page.TableCell, ...]] = [
        (
            each.id,
            each.address,
            _allowed(each.scopes),
            *map(how.age, (each.created_at, each.claimed_at, each.last_used_at)),
        )
        for each in listed
    ]
    columns = ("agent#", "from+", "may+", page.col("came", drops=1), "claimed", "last used")
    return page.of(page.listing(columns, rows, "No agents. You have claimed none."))
