"""Redirect URIs: nobody is sent where a client did not register, whatever an address looks like."""

import re

import pytest
from hypothesis import assume, given, strategies as st

from finplan.service.authorization import scopes
from finplan.service.authorization.clients import (
    LONGEST_ADDRESS,
    RefusedRegistration,
    check_address,
    check_addresses,
    is_same_address,
)

LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
SITE = "https://money.example.org"
PORTS = st.one_of(st.none(), st.integers(0, 65535))
PATHS = st.from_regex(r"(/[a-z0-9._~%-]{0,6}){0,3}(\?[a-z]=[a-z0-9&=]{0,4})?", fullmatch=True)
ODD = st.text(alphabet="ahtp:/@#?&=.%[]1270localhost\\\t\n\r \u2028é5", max_size=12)


def on_loopback(host: str, port: int | None, path: str) -> str:
    return f"http://{host}{'' if port is None else f':{port}'}{path}"


@given(host=st.sampled_from(LOOPBACK), first=PORTS, second=PORTS, path=PATHS)
def test_a_program_of_this_machine_takes_any_port(
    host: str, first: int | None, second: int | None, path: str
) -> None:
    """Host and path alike, the port is whichever was free."""
    assert is_same_address(on_loopback(host, first, path), on_loopback(host, second, path))


@given(
    host=st.sampled_from(LOOPBACK),
    other=st.sampled_from(LOOPBACK),
    port=PORTS,
    path=PATHS,
    another=PATHS,
)
def test_a_program_of_this_machine_keeps_host_and_path(
    host: str, other: str, port: int | None, path: str, another: str
) -> None:
    """Another name of the machine is another address, and so is another path or query."""
    assume((host, path) != (other, another))
    assert not is_same_address(on_loopback(host, 80, path), on_loopback(other, port, another))


@given(host=st.sampled_from(LOOPBACK), path=PATHS, odd=ODD, place=st.integers(0, 60))
def test_nothing_but_the_port_is_let_differ(host: str, path: str, odd: str, place: int) -> None:
    """Whatever is put into an address, it is the registered one only if that was the port."""
    registered = on_loopback(host, None, path)
    asked = registered[:place] + odd + registered[place:]

    same = is_same_address(registered, asked)

    text = re.escape(f"http://{host}") + r"(:[0-9]{1,5})?" + re.escape(path)
    assert not same or re.fullmatch(text, asked)


@given(
    scheme=st.sampled_from(["https://", "org.example.app:/", "org.example.app://"]),
    host=st.sampled_from(["example.org", *LOOPBACK]),
    first=PORTS,
    second=PORTS,
)
def test_every_other_address_is_compared_byte_by_byte(
    scheme: str, host: str, first: int | None, second: int | None
) -> None:
    """Encrypted or of a scheme of its own, an address with another port is another one."""
    ours, theirs = (
        f"{scheme}{host}{'' if port is None else f':{port}'}/back" for port in (first, second)
    )
    assert is_same_address(ours, theirs) == (first == second)


@pytest.mark.parametrize(
    ("registered", "asked"),
    [
        ("http://127.0.0.1/back", "http://127.0.0.1:8/back#"),
        ("http://127.0.0.1/back", "http://127.0.0.1:8/back?"),
        ("http://127.0.0.1/back", "http://127.0.0.1:65536/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:８/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:8\t/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:8@evil.example/back"),
        ("http://127.0.0.1", "http://127.0.0.1.evil.example"),
        ("http://127.0.0.1", "http://127.0.0.18"),
        ("http://localhost", "http://localhost.evil.example:80"),
        ("http://localhost/back", "https://localhost:81/back"),
        ("https://localhost/back", "http://localhost:81/back"),
        ("http://example.org/back", "http://example.org:81/back"),
    ],
)
def test_what_only_looks_like_another_port(registered: str, asked: str) -> None:
    """None of these is the registered address."""
    assert not is_same_address(registered, asked)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org",
        "https://example.org:8443/back?of=a&b=c",
        "https://[2001:db8::7]/back",
        "https://127.0.0.1/back",
        *(on_loopback(host, 81, "/back") for host in LOOPBACK),
        "org.example.app:/back",
        "org.example.app://back",
        "com.googleusercontent.apps.123-abc:/oauth2redirect",
        "cursor://anysphere.cursor-retrieval/oauth/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "vscode://saoudrizwan.claude-dev/mcp-auth/callback/abc",
        "vscode-insiders://publisher.my_extension",
        "windsurf://codeium.windsurf/back",
        "Org.Example.App:/back?of=a",
        "https://example.org/" + "a" * (LONGEST_ADDRESS - len("https://example.org/")),
    ],
)
def test_where_people_may_be_sent(address: str) -> None:
    """Encrypted addresses, those of this machine, and schemes of programs."""
    check_address(address)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://example.org/back", "not encrypted"),
        ("http://127.0.0.1.example.org/", "not encrypted"),
        ("http://0.0.0.0/", "not encrypted"),
        ("https:///back", "lacks a host"),
        ("http:/back", "lacks a host"),
        ("https://user@example.org/", "lacks a host, or contains a user"),
        ("https://user:word@example.org/", "lacks a host, or contains a user"),
        ("https://example.org:99999/", "is not an address"),
        ("https://[::1/", "is not an address"),
        ("https://example.org:/", "lacks a host"),
        ("/back", "incomplete; write the whole address, such as https://"),
        ("back", "incomplete; write the whole address, such as https://"),
        ("", "incomplete"),
        *((f"{scheme}:x", "scheme") for scheme in ("javascript", "JavaScript", "data", "file")),
        *(
            (f"{scheme}:x", "scheme")
            for scheme in ("blob", "vbscript", "about", "ws", "wss", "ftp")
        ),
        *(
            (f"{scheme}://example.org/x", "scheme")
            for scheme in ("javascript", "FILE", "smb", "ssh", "view-source", "search-ms", "intent")
        ),
        *(
            (f"{scheme}://example.org/x", "scheme that is not allowed")
            for scheme in ("ms-msdt", "MS-settings", "x-man-page", "web+pay", "myapp", "zed")
        ),
        *(
            (address, "scheme that is not allowed")
            for address in (
                *(
                    "javascript:alert(1)//a.b",
                    "data:text/html,x.y",
                    "file:///etc/x.y",
                    "myapp:/a.b",
                ),
                *("myapp://publisher.extension/back", "org.example.app.:/back"),
                *("vscode://file/etc/passwd", "vscode://vscode.git/clone?url=https://a.example"),
                *("cursor://anysphere.cursor-deeplink/mcp/install?name=a", "cursor:/a.b"),
                *("cursor://user@a.b/", "cursor://a.b:81/back"),
                *("app:back", "app:/back", "app:///back", "app://", "app:", "app:?a", "app://?a"),
                *("app://user@host/back", "app://host:/back", "org.example.app:back"),
                *("org.example.app:", "app://[::1]/back"),
            )
        ),
        ("https://example.org/back#part", "fragment"),
        ("https://example.org/back#", "fragment"),
        *((f"https://example.org/{sign}", "character") for sign in " \"\\<>'"),
        ("https://example.org/\n", "characters"),
        ("https://example.org/\x7f", "characters"),
        ("https://exämple.org/", "characters"),
        ("https://example.org/" + "a" * LONGEST_ADDRESS, "too long"),
    ],
)
def test_where_nobody_may_be_sent(address: str, told: str) -> None:
    """The refusal says what is wrong with the address, by the name that its RFC has for it."""
    with pytest.raises(RefusedRegistration, match=told) as refused:
        check_address(address)
    assert refused.value.error == "invalid_redirect_uri"


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("http://b.example/", "'http://b.example/'"),
        ('https://b.example/"\\\n\u202e', "'https://b.example/????'"),
        ("http://b.example/" + "a" * 83, f"'http://b.example/{'a' * 83}'"),
        ("http://b.example/" + "a" * 84, f"'http://b.example/{'a' * 83}...'"),
    ],
)
def test_of_several_addresses_the_refused_one_is_named(address: str, named: str) -> None:
    """By signs that an answer may hold, and not longer than a person reads."""
    with pytest.raises(RefusedRegistration) as refused:
        check_addresses(["https://a.example/", address, "http://c.example/"])
    assert refused.value.error == "invalid_redirect_uri"
    assert refused.value.description.endswith(f" The address is {named}.")


@given(odd=st.one_of(ODD, st.text(max_size=30)))
def test_an_address_that_is_taken_can_be_sent(odd: str) -> None:
    """Whatever a client says, it is refused, or is one line of signs that a header may hold."""
    for address in (odd, f"https://{odd}", f"http://127.0.0.1{odd}", f"app:{odd}"):
        try:
            check_address(address)
        except RefusedRegistration:
            continue
        assert re.fullmatch(r"[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]*", address)
        assert not set("\"\\<>#' ") & set(address)


# --- what a token is for -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "part"),
    [
        ([], scopes.WHOLE_SITE),
        ([SITE], scopes.WHOLE_SITE),
        ([f"{SITE}/"], scopes.WHOLE_SITE),
        ([f"{SITE}/api"], "/api"),
        ([f"{SITE}/api/v1"], "/api"),
        ([f"{SITE}/api/v1/"], "/api"),
        ([f"{SITE}/mcp"], "/mcp"),
        ([f"{SITE}/mcp/"], "/mcp"),
        ([f"{SITE}/a2a"], "/a2a"),
        ([f"{SITE}/api", f"{SITE}/api/v1"], "/api"),
        ([f"{SITE}/api", f"{SITE}/mcp"], scopes.WHOLE_SITE),
    ],
)
def test_a_resource_is_a_part_of_the_site(named: list[str], part: str) -> None:
    """By any of the addresses that clients call it; several parts are the site that holds them."""
    assert scopes.resource_of(named, SITE) == part


@pytest.mark.parametrize(
    "named",
    [
        "https://money.example.org.evil.example",
        "https://money.example.orgs/api",
        "https://evil.example/?https://money.example.org",
        f"{SITE}/apis",
        f"{SITE}/mcpx",
        f"{SITE}/auth",
        f"{SITE}?a",
        f"{SITE}#a",
        "http://money.example.org",
        "/api",
        "",
    ],
)
def test_what_is_no_part_of_the_site(named: str) -> None:
    """A token for anything else is not given, also where a part of the site is named beside it."""
    for several in ([named], [f"{SITE}/api", named]):
        with pytest.raises(scopes.UnknownResource):
            scopes.resource_of(several, SITE)


@given(
    asked=st.sampled_from((scopes.WHOLE_SITE, *scopes.PARTS_OF_SITE)),
    granted=st.sampled_from((scopes.WHOLE_SITE, *scopes.PARTS_OF_SITE)),
)
def test_a_token_is_for_no_more_than_was_granted(asked: str, granted: str) -> None:
    """From a grant for the site any token may follow, from one for a part that part's alone."""
    assert scopes.is_resource_within(asked, granted) == (granted in (asked, scopes.WHOLE_SITE))


@pytest.mark.parametrize(
    ("resource", "path", "good"),
    [
        (scopes.WHOLE_SITE, "/api/v1/me", True),
        (scopes.WHOLE_SITE, "/mcp", True),
        ("/api", "/api", True),
        ("/api", "/api/v1/me", True),
        ("/api", "/apis", False),
        ("/api", "/mcp", False),
        ("/mcp", "/mcp", True),
        ("/mcp", "/api/v1/me", False),
        ("/mcp", "/", False),
        ("/a2a", "/a2a/message", True),
    ],
)
def test_a_token_is_good_for_its_part(resource: str, path: str, *, good: bool) -> None:
    """Where it is for, and below it."""
    assert scopes.is_resource_for(resource, path) == good
