"""The commands about what lets people in: links and passwords go where they belong, and nowhere else."""

import io
import json
import re
import stat
import sys
import time
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from getpass import GetPassWarning
from itertools import repeat
from pathlib import Path

import pytest
import typer

from finplan.cli.commands import settings
from finplan.cli.commands.people import LINK_HOLDS
from finplan.cli.console.typed_values import end_after
from finplan.client.sign_in_page import page_proof
from finplan.model import credential as credentials
from finplan.views import access
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub, as_json
from tests.cli.test_programs import made_up_keys
from tests.golden_files import Golden
from tests.views.drawing import how

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
NOW = int(NOON.timestamp() * 1000)
HOW = how(now=NOON)
HOUR = 3_600_000
DAY = 24 * HOUR
PASSWORD = "lantern maple orbit thimble"
LINK = "http://127.0.0.1:8460/open?link=fpl_madeup"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/19.0 Mobile/15E148 Safari/604.1"
)


def made_up_invites() -> list[credentials.Invite]:
    """One for an address, one for whoever has it that is over, and one that was used."""
    return [
        credentials.Invite(
            id="inv_ines" + "0" * 20,
            email="ines@example.org",
            created_at=NOW - HOUR,
            expires_at=NOW + 7 * DAY,
            used_at=None,
        ),
        credentials.Invite(
            id="inv_over" + "0" * 20,
            email=None,
            created_at=NOW - 8 * DAY,
            expires_at=NOW,
            used_at=None,
        ),
        credentials.Invite(
            id="inv_used" + "0" * 20,
            email="grace@example.org",
            created_at=NOW - 3 * DAY,
            expires_at=NOW + DAY,
            used_at=NOW - 2 * DAY,
        ),
    ]


def made_up_sessions() -> list[credentials.BrowserSession]:
    """Two browsers that are known by what they call themselves, and one that says nothing."""
    return [
        credentials.BrowserSession(
            id=f"ses_{name}" + "0" * 20,
            created_at=NOW - ago * DAY,
            last_used_at=NOW - ago * HOUR,
            expires_at=NOW + 7 * DAY,
            user_agent=agent,
            address=address,
            current=False,
        )
        for name, ago, agent, address in (
            ("home", 1, FIREFOX, "127.0.0.1"),
            ("away", 2, SAFARI, "2001:db8::7"),
            ("mute", 3, None, "127.0.0.1"),
        )
    ]


def made_up_people() -> list[credentials.JoinedPerson]:
    """The owner of the machine, who asks, and somebody who joined."""
    return [
        credentials.JoinedPerson(
            id="usr_adaa" + "0" * 20,
            email="ada@localhost",
            name="Ada",
            created_at=NOW - 90 * DAY,
            owner=True,
            you=True,
        ),
        credentials.JoinedPerson(
            id="usr_grac" + "0" * 20,
            email="grace@example.org",
            name=None,
            created_at=NOW - 2 * DAY,
            owner=False,
            you=False,
        ),
    ]


def made_up_events() -> list[credentials.AuditEvent]:
    """What each kind of credential did, and somebody without any."""
    told = (
        ("session.opened", "session:3", "127.0.0.1", "Signed in with the password."),
        ("sign_in.failed", None, "203.0.113.9", "Someone entered a wrong password."),
        ("key.created", "session", None, "Created the API key 'nightly': service:read."),
        ("key.revoked", "key:2", "127.0.0.1", "Revoked the API key 'nightly'."),
    )
    return [
        credentials.AuditEvent.model_validate(
            {
                "id": f"aud_{number}",
                "at": NOW - number * HOUR,
                "kind": kind,
                "credential": credential,
                "address": address,
                "text": text,
            }
        )
        for number, (kind, credential, address, text) in enumerate(told)
    ]


# --- what a person reads ---------------------------------------------------------------------------


def test_people_are_listed_with_what_they_are(draw: Draw, golden: Golden) -> None:
    """Of each the address, since when, and whether it is you or the owner of the machine."""
    golden("people", draw(access.people(made_up_people(), HOW)))


def test_invites_are_listed_with_what_became_of_them(draw: Draw, golden: Golden) -> None:
    """One that holds says until when; one that is over or was used says so."""
    nothing = draw(access.invites([], HOW))
    golden("invites", draw(access.invites(made_up_invites(), HOW)) + nothing)


def test_browsers_are_listed_by_name(draw: Draw, golden: Golden) -> None:
    """Each browser says what it is, where it is used from, when last, and how long it holds."""
    nothing = draw(access.sessions([], HOW))
    golden("sessions", draw(access.sessions(made_up_sessions(), HOW)) + nothing)


def test_no_browser_is_cut_short(draw: Draw) -> None:
    """Who looks for the one that is not theirs reads each whole, however narrow the terminal is."""
    lines = draw(access.sessions(made_up_sessions(), HOW), 80).splitlines()
    assert len(lines) == 1 + len(made_up_sessions())
    assert "…" not in "".join(lines)


def test_what_happened_is_listed_with_where_from(draw: Draw, golden: Golden) -> None:
    """Of each event when, what, with what and where from."""
    golden("audit", draw(access.events(made_up_events(), HOW)) + draw(access.events([], HOW)))


def test_keys_say_when_they_are_over(draw: Draw, utc: None) -> None:
    """Where a key has an end there is a column for it, and one that is over says so; revoked wins."""
    ends = (int(datetime(2026, 6, 17, tzinfo=UTC).timestamp() * 1000), NOW, NOW - DAY)
    keys = [
        key.model_copy(update={"expires_at": end})
        for key, end in zip(made_up_keys(), ends, strict=True)
    ]
    lines = draw(access.keys(keys, HOW), 100).splitlines()[1:]
    assert [re.split("  +", line)[-2] for line in lines] == [
        "until 2026-06-16",
        "expired",
        "revoked",
    ]


def test_a_key_may_end_beyond_the_calendar(draw: Draw, utc: None) -> None:
    """The interface takes instants that no calendar has, and the list of keys shows them, too."""
    key = made_up_keys()[0].model_copy(update={"expires_at": 2**53 - 1})
    assert "9999-12-31" in draw(access.keys([key], HOW), 100)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/144.0 Safari/537.36 Edg/144.0", "Edge on Windows"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/144.0 Safari/537.36 OPR/1.0", "Opera on Windows"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/144.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/144.0 Safari/537.36", "Chrome on ChromeOS"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/19 Safari/605", "Safari on macOS"),
        ("Mozilla/5.0 (iPad; CPU OS 19 like Mac OS X) CriOS/144 Safari/604", "Chrome on iPad"),
        ("Mozilla/5.0 (iPhone; CPU like Mac OS X) FxiOS/147 Safari/605", "Firefox on iPhone"),
        ("curl/8.20", "an unknown browser"),
        ("Lynx on Linux", "an unknown browser on Linux"),
        (None, "an unknown browser"),
    ],
)
def test_a_browser_is_called_as_people_know_it(agent: str | None, name: str) -> None:
    """By what it is, though it claims to be others, too; what is not known is not guessed."""
    assert credentials.browser_name(agent) == name


# --- links -----------------------------------------------------------------------------------------


def made_invite(url: str, email: str | None = "ines@example.org") -> bytes:
    invite = made_up_invites()[0].model_dump(by_alias=False) | {"email": email}
    return credentials.CreatedInvite(url=url, **invite).model_dump_json().encode()


def test_an_invites_link_stands_alone_on_stdout(finplan: Run, stub: Stub, utc: None) -> None:
    """The link can be piped on; whom it is for and until when is said beside it."""
    url = "https://money.example/join?invite=fpi_madeup"
    stub.answer("POST", "/invites", made_invite(url), 201)

    ended = finplan("invites", "create", "--email", "ines@example.org", "--days", "3")

    assert (ended.code, ended.out) == (0, f"{url}\n".encode())
    assert "for ines@example.org only" in ended.err
    assert "expires on 25 March 2026, 12:00" in ended.err
    assert "site_url" not in ended.err
    assert stub.requests("POST", "/invites")[0].json == {"email": "ines@example.org", "days": 3}


def test_a_link_to_this_machine_says_so(finplan: Run, stub: Stub) -> None:
    """Who is invited elsewhere could not open it, so the setting is named that changes it."""
    stub.answer("POST", "/invites", made_invite("http://127.0.0.1:8460/join?invite=x", None), 201)

    ended = finplan("invites", "create")

    assert "The link is for anyone with the link" in ended.err
    assert "site_url" in ended.err
    assert stub.requests("POST", "/invites")[0].json == {}


@pytest.mark.parametrize("typed", ["ines", "ines@example.org", "inv_ines", "ines@"])
def test_an_invite_is_taken_back_by_anything_known(finplan: Run, stub: Stub, typed: str) -> None:
    """An address, a part of it or the beginning of an id will do."""
    invite = made_up_invites()[0]
    stub.answer("GET", "/invites", made_up_invites())
    stub.answer("DELETE", f"/invites/{invite.id}", invite)

    ended = finplan("invites", "revoke", typed)

    assert (ended.code, ended.err) == (0, "Revoked the invite for ines@example.org.\n")


def test_an_invite_that_was_used_is_forgotten(finplan: Run, stub: Stub) -> None:
    """Nobody is to think that who has joined is thrown out."""
    invite = made_up_invites()[2]
    stub.answer("DELETE", f"/invites/{invite.id}", invite)

    ended = finplan("invites", "revoke", invite.id)

    assert "keeps access" in ended.err


@pytest.mark.parametrize("typed", ["home", "ses_home", "Firefox"])
def test_a_browser_is_signed_out_by_id_or_name(finplan: Run, stub: Stub, typed: str) -> None:
    """The beginning of its id, or what it is called."""
    session = made_up_sessions()[0]
    stub.answer("GET", "/sessions", made_up_sessions())
    stub.answer("DELETE", f"/sessions/{session.id}", session)

    ended = finplan("sessions", "end", typed)

    assert (ended.code, ended.err) == (0, "Signed out Firefox on Linux, used from 127.0.0.1.\n")


def test_an_unknown_browser_is_known_by_what_it_calls_itself(finplan: Run, stub: Stub) -> None:
    """A program that signed in is no browser that has a name; a browser is none of those it names."""
    chrome, curl = made_up_sessions()[:2]
    claims = "Mozilla/5.0 (X11; Linux x86_64) Chrome/144.0 Safari/537.36 curl/8"
    chrome = chrome.model_copy(update={"user_agent": claims})
    curl = curl.model_copy(update={"user_agent": "curl/8.20.0"})
    stub.answer("GET", "/sessions", [chrome, curl])
    stub.answer("DELETE", f"/sessions/{curl.id}", curl)

    assert finplan("sessions", "end", "curl").code == 0
    assert finplan("sessions", "end", "safari").code == 4
    assert len(stub.requests("DELETE", f"/sessions/{curl.id}")) == 1


def test_several_browsers_of_a_name_are_told_apart(finplan: Run, stub: Stub) -> None:
    """Where a name could be several, none is signed out: where and when they were used is told."""
    one = made_up_sessions()[0]
    now = int(datetime.now(UTC).timestamp() * 1000)
    first = one.model_copy(update={"last_used_at": now - 2 * HOUR - 60_000})
    other = one.model_copy(
        update={
            "id": "ses_work" + "0" * 20,
            "address": "::1",
            "last_used_at": now - 3 * DAY - 60_000,
        }
    )
    stub.answer("GET", "/sessions", [first, other])

    ended = finplan("sessions", "end", "firefox")

    assert (ended.code, ended.out) == (4, b"")
    assert "2 browsers: ses_home (Firefox on Linux, from 127.0.0.1, last used 2" in ended.err
    assert ", ses_work (Firefox on Linux, from ::1, last used 3 days ago)." in ended.err


def test_what_there_is_not_is_told(finplan: Run, stub: Stub) -> None:
    """A wrong id is told with the command that lists them."""
    stub.answer("GET", "/sessions", [])
    stub.answer("GET", "/invites", [])
    for noun, verb in (("sessions", "end"), ("invites", "revoke")):
        ended = finplan(noun, verb, "nothing")
        assert ended.code == 4
        assert f"`finplan {noun} list`" in ended.err


@pytest.fixture
def linked(stub: Stub) -> Stub:
    """A daemon that makes links."""
    made = credentials.SignInLink(url=LINK, expires_at=NOW + 60_000)
    stub.answer("POST", "/sessions/link", made, 201)
    return stub


@dataclass
class Browser:
    """A browser that opens whatever it is given: what that was, and the file as it was then."""

    home: Path
    opened: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def open(self, url: str) -> bool:
        page = Path(url.removeprefix("file://"))
        self.opened.append(url)
        self.pages.append(page.read_text(encoding="utf-8"))
        self.modes.append(stat.S_IMODE(page.stat().st_mode))
        return True

    @property
    def left(self) -> list[Path]:
        """The files of the person's home."""
        return list(self.home.iterdir())


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A browser of a person whose home is empty, and who waits for nothing."""
    person = Browser(tmp_path_factory.mktemp("person"))
    monkeypatch.setenv("HOME", str(person.home))
    monkeypatch.setattr(webbrowser, "open", person.open)
    monkeypatch.setattr(time, "sleep", person.waits.append)
    return person


def sessions_told(number: int) -> tuple[int, bytes]:
    """The answer of a daemon that so many browsers are signed in to."""
    return 200, as_json(made_up_sessions()[:number])


def test_a_browser_is_signed_in_by_a_file(finplan: Run, linked: Stub, browser: Browser) -> None:
    """Its command line has a file's name, which no other user reads, and the terminal has no link."""
    answers = (sessions_told(number) for number in (1, 1, 1, 2))
    linked.answers_to("GET", "/sessions", answers)

    ended = finplan("open")

    assert (ended.code, ended.out, ended.err) == (0, b"", "Your browser is signed in.\n")
    (way,) = browser.opened
    assert re.fullmatch(rf"file://{re.escape(str(browser.home))}/finplan-open-\w+\.html", way)
    assert browser.modes == [0o600]
    assert f"{LINK}&amp;page={page_proof('t', 'fpl_madeup')}" in browser.pages[0]
    assert browser.waits == [1, 1]
    assert browser.left == []


def test_a_browser_that_stays_away_is_left(finplan: Run, linked: Stub, browser: Browser) -> None:
    """Some may read no file: after a while the link is printed, and the file is gone all the same."""
    linked.answers_to("GET", "/sessions", repeat(sessions_told(1)))

    ended = finplan("open")

    assert (ended.code, ended.out) == (0, f"{LINK}\n".encode())
    assert "has not signed in" in ended.err
    assert LINK_HOLDS in ended.err
    assert (len(browser.waits), browser.left) == (20, [])


@pytest.mark.parametrize("named", ["nowhere", "x" * 300])
def test_without_a_home_the_link_is_printed(
    finplan: Run, linked: Stub, browser: Browser, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """Where no file can be written no browser is opened, and none sees the link."""
    linked.answers_to("GET", "/sessions", repeat(sessions_told(1)))
    monkeypatch.setenv("HOME", str(browser.home / named))

    ended = finplan("open")

    assert (ended.code, ended.out) == (0, f"{LINK}\n".encode())
    assert "Could not write the sign-in file" in ended.err
    assert browser.opened == []


def test_who_gives_up_leaves_no_file(
    finplan: Run, linked: Stub, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the browser is waited for removes it, too."""
    linked.answers_to("GET", "/sessions", repeat(sessions_told(1)))

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)

    assert finplan("open").code == 130
    assert (len(browser.opened), browser.left) == (1, [])


@pytest.mark.parametrize("option", ["--print", "--json"])
def test_a_link_that_is_asked_for_is_printed(
    finplan: Run, linked: Stub, browser: Browser, option: str
) -> None:
    """Then no browser is opened."""
    ended = finplan("open", option)

    assert browser.opened == []
    assert LINK.encode() in ended.out


@pytest.mark.parametrize("raised", [None, webbrowser.Error("none"), OSError("none")])
def test_without_a_browser_the_link_is_printed(
    finplan: Run,
    linked: Stub,
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    raised: Exception | None,
) -> None:
    """Whichever way it fails, the link is on stdout and the reason beside it."""
    linked.answers_to("GET", "/sessions", repeat(sessions_told(1)))

    def find_none(_url: str) -> bool:
        if raised is not None:
            raise raised
        return False

    monkeypatch.setattr(webbrowser, "open", find_none)

    ended = finplan("open")

    assert (ended.code, ended.out) == (0, f"{LINK}\n".encode())
    assert "No browser found." in ended.err
    assert (browser.waits, browser.left) == ([], [])


def test_more_events_than_are_shown_are_told(finplan: Run, stub: Stub) -> None:
    """As many events as were asked for may not be all; fewer are."""
    stub.answer("GET", "/audit", made_up_events())

    assert "the newest 4" in finplan("audit", "--limit", "4").err
    assert finplan("audit").err == ""
    asked = stub.requests("GET", "/audit")
    assert [each.query["limit"] for each in asked] == [["4"], ["100"]]
    assert finplan("audit", "--limit", "0").code == finplan("audit", "--limit", "1001").code == 2


# --- passwords -------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """An input that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def daemon(stub: Stub) -> Stub:
    """A daemon that takes a password."""
    stub.answer("PUT", "/me/password", {"endedSessions": 2})
    return stub


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Somebody types these at a terminal that shows none of it."""
    said: list[str] = []
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(settings, "getpass", lambda _question, **_stream: said.pop(0))
    yield said
    assert said == []


def test_a_password_is_typed_twice(finplan: Run, daemon: Stub, typing: list[str]) -> None:
    """It goes to the daemon as it was typed, and is shown nowhere; what it ended is told."""
    typing += [f" {PASSWORD} ", f" {PASSWORD} "]

    ended = finplan("me", "password")

    assert (ended.code, ended.out) == (0, b"")
    assert daemon.requests("PUT", "/me/password")[0].json == {"password": f" {PASSWORD} "}
    assert "2 browsers were signed out." in ended.err
    assert PASSWORD not in ended.err


def test_two_unlike_passwords_change_nothing(finplan: Run, daemon: Stub, typing: list[str]) -> None:
    """A mistyped one would keep the person out."""
    typing += [PASSWORD, PASSWORD.upper()]

    ended = finplan("me", "password")

    assert (ended.code, daemon.requests("PUT", "/me/password")) == (2, [])
    assert "Nothing was changed" in ended.err
    assert PASSWORD not in ended.err


@pytest.mark.parametrize(
    ("raised", "code"), [(GetPassWarning("no"), 2), (KeyboardInterrupt(), 130), (EOFError(), 130)]
)
def test_a_password_that_cannot_be_typed_is_not_asked_for_openly(
    finplan: Run, daemon: Stub, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int
) -> None:
    """Where echo cannot be turned off it is not typed at all; who breaks off has changed nothing."""

    def fail(_question: str, stream: object) -> str:
        raise raised

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(settings, "getpass", fail)

    assert finplan("me", "password").code == code
    assert daemon.requests("PUT", "/me/password") == []


@pytest.mark.parametrize("piped", [f"{PASSWORD}\nmore\n", f"{PASSWORD}\r\n", PASSWORD])
def test_from_a_pipe_the_first_line_is_the_password(
    finplan: Run, daemon: Stub, monkeypatch: pytest.MonkeyPatch, piped: str
) -> None:
    """Without the end of the line; with --json the answer is the daemon's."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(piped, newline=""))

    ended = finplan("me", "password", "--json")

    assert daemon.requests("PUT", "/me/password")[0].json == {"password": PASSWORD}
    assert json.loads(ended.out) == {"endedSessions": 2}


@pytest.mark.parametrize("piped", ["", "\n", "four words \udcff here\n"])
def test_a_pipe_without_a_password_is_told(
    finplan: Run, daemon: Stub, monkeypatch: pytest.MonkeyPatch, piped: str
) -> None:
    """No line, an empty one and bytes that are no text are no password."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(piped))

    ended = finplan("me", "password")

    assert (ended.code, daemon.requests("PUT", "/me/password")) == (2, [])
    assert "No password in the input" in ended.err


def test_a_password_is_no_argument(finplan: Run, daemon: Stub) -> None:
    """Everybody on the machine reads command lines."""
    ended = finplan("me", "password", PASSWORD)

    assert (ended.code, daemon.asked) == (2, [])


# --- ends of keys ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("1d", NOON + timedelta(days=1)),
        (" 90d ", NOON + timedelta(days=90)),
        ("2026-03-31", datetime(2026, 4, 1, tzinfo=UTC)),
        ("2026-12", datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_key_ends_after_days_or_a_last_day(utc: None, typed: str, end: datetime) -> None:
    """So many days from now, or when the last day has passed where the person is."""
    assert end_after(typed, NOON) == end


@pytest.mark.parametrize("typed", ["0d", "d", "90", "-1d", "9999999d", "9999-12-31", "soon", "90w"])
def test_an_end_that_cannot_be_is_a_usage_error(typed: str) -> None:
    """What is no day, none at all, or beyond the calendar is told before anything is asked."""
    with pytest.raises(typer.BadParameter):
        end_after(typed, NOON)


def test_an_end_is_asked_for_and_told(finplan: Run, stub: Stub, utc: None) -> None:
    """The daemon gets the instant, and the person reads it."""
    made = made_up_keys()[0].model_dump(by_alias=True) | {"key": "fpk_x", "expiresAt": NOW + DAY}
    stub.answer("POST", "/keys", made, 201)

    ended = finplan("keys", "create", "nightly", "--expires", "2026-12-31")

    asked = stub.requests("POST", "/keys")[0].json
    assert asked["expiresAt"] == int(datetime(2027, 1, 1, tzinfo=UTC).timestamp() * 1000)
    assert "Expires on 2026-03-19 at 12:00" in ended.err


def test_a_last_day_is_told_as_it_was_typed(finplan: Run, stub: Stub, utc: None) -> None:
    """A key that ends with a day is not said to hold on the next one."""
    midnight = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp() * 1000)
    told = []
    for end in (midnight, midnight + 60_000):
        made = made_up_keys()[0].model_dump(by_alias=True) | {"key": "fpk_x", "expiresAt": end}
        stub.answer("POST", "/keys", made, 201)
        told.append(finplan("keys", "create", "nightly", "--expires", "2026-12-31").err)

    assert "Last day: 2026-12-31." in told[0]
    assert "Expires on 2027-01-01 at 00:01." in told[1]


@pytest.mark.parametrize("typed", ["90", "soon", "90w"])
def test_what_is_no_end_is_told_with_what_is_one(finplan: Run, stub: Stub, typed: str) -> None:
    """Days and a last day are both named; a number alone is most likely meant as days."""
    ended = finplan("keys", "create", "nightly", "--expires", typed)

    assert (ended.code, ended.out, stub.asked) == (2, b"", [])
    assert all(each in ended.err for each in (f"'{typed}'", "90d", "YYYY-MM-DD"))
    assert ("write 90d." in ended.err) == (typed == "90")
