"""What a browser was sent to Google for, kept in a sealed cookie of that browser until it comes back.

Nobody else can write such a cookie, read it, or carry what Google answers into another browser.
"""

import base64
import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field

from aiohttp import web

from finplan.daemon.auth.google import GoogleRequest
from finplan.daemon.auth.sessions import is_encrypted
from finplan.daemon.surfaces.site.desk import FrontDesk
from finplan.model.errors import BadRequest
from finplan.store.sealing import CannotOpen

HOLDS = 600
"""How long one may take at Google, in seconds."""

LONGEST_PATH = 1000
LONGEST_INVITE = 200
"""More would not fit into a cookie, and no invite is as long."""

_ABOUT = b"an errand to Google"


@dataclass(frozen=True, slots=True)
class GoogleErrand:
    """One way to Google and back: to sign in, to join by an `invite`, or to connect an account.

    `connects` is the credential of the session whose person's account is connected.
    """

    return_to: str
    invite: str | None = None
    connects: str | None = None
    ends: int = 0
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48), repr=False)

    def asking(self, redirect_uri: str) -> GoogleRequest:
        """What Google is told of it."""
        return GoogleRequest(redirect_uri, self.state, self.nonce, self.verifier)


async def keep_errand(desk: FrontDesk, errand: GoogleErrand, response: web.Response) -> None:
    """Let a browser keep an errand until it comes back."""
    sealer = await desk.sealer()
    sealed = sealer.seal(json.dumps(asdict(errand)).encode(), _ABOUT)
    response.set_cookie(
        _cookie(desk),
        base64.urlsafe_b64encode(sealed).decode(),
        max_age=HOLDS,
        path="/",
        httponly=True,
        # Google leads back from another site, which no stricter cookie would come along with.
        samesite="Lax",
        secure=is_encrypted(desk.site_url),
    )


async def errand_of(desk: FrontDesk, request: web.Request) -> GoogleErrand:
    """The errand that a browser comes back from, with the state that it was sent with.

    Raises BadRequest for any other browser, or one that took too long.
    """
    shown, state = request.cookies.get(_cookie(desk)), request.query.get("state", "")
    errand = None if shown is None else await _opened(desk, shown)
    if errand is None or not hmac.compare_digest(errand.state.encode(), _plain(state)):
        raise BadRequest(
            "This answer of Google is not for this browser, or was used already. Begin again at"
            f" {desk.site_url}/sign-in, in the browser that you want to use."
        )
    if errand.ends <= desk.milliseconds():
        raise BadRequest(
            f"Signing in with Google took more than {HOLDS // 60} minutes. Begin again at"
            f" {desk.site_url}/sign-in."
        )
    return errand


async def _opened(desk: FrontDesk, shown: str) -> GoogleErrand | None:
    sealer = await desk.sealer()
    try:
        content = sealer.open(base64.urlsafe_b64decode(_plain(shown)), _ABOUT)
    except (CannotOpen, ValueError):
        return None
    return GoogleErrand(**json.loads(content))


def _plain(text: str) -> bytes:
    # Bytes that are no text arrive as lone surrogates.
    return text.encode(errors="surrogateescape")


def forget_errand(desk: FrontDesk, response: web.Response) -> web.Response:
    """Let a browser forget its errand, which is over whatever came of it."""
    response.del_cookie(
        _cookie(desk),
        path="/",
        httponly=True,
        samesite="Lax",
        secure=is_encrypted(desk.site_url),
    )
    return response


def _cookie(desk: FrontDesk) -> str:
    return f"{desk.browsers.cookie}_google"
