"""What a client has already and how it takes an answer, by the letter of RFC 9110."""

import gzip

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from finplan.daemon.surfaces.negotiation import has_already, pack, takes_gzip, weak


def asking(name: str, *values: str) -> web.Request:
    return make_mocked_request("GET", "/", headers=CIMultiDict((name, each) for each in values))


@pytest.mark.parametrize(
    "accepted",
    [
        "gzip",
        "GZIP",
        "gzip, deflate, br",
        "br;q=1.0, gzip;q=0.8, *;q=0.1",
        "*",
        "x-gzip",
        "gzip ; q=0.001",
        "identity;q=0.5, gzip;q=0.5",
        "identity;q=0, *",
    ],
)
def test_gzip_is_taken(accepted: str) -> None:
    """By its name in any case, by its old name, or by the star, with any weight above zero."""
    assert takes_gzip(asking("Accept-Encoding", accepted))


@pytest.mark.parametrize(
    "accepted",
    [
        "",
        "identity",
        "br, deflate",
        "gzip;q=0",
        "gzip;q=0.0, *",
        "*;q=0",
        "identity, gzip;q=0.5",
        "gzip;q=many",
        "gzip;q=2",
        "gzip;q=-1",
        "gzip;q=nan",
        "gzipped",
        ";;,,;q=",
    ],
)
def test_gzip_is_not_taken(accepted: str) -> None:
    """Not when it is not named, has no weight, or when the plain answer is liked more."""
    assert not takes_gzip(asking("Accept-Encoding", accepted))


def test_without_a_word_the_answer_is_plain() -> None:
    """No header promises nothing; several lines are one list."""
    assert not takes_gzip(asking("Accept", "*/*"))
    assert takes_gzip(asking("Accept-Encoding", "br", "gzip"))


@pytest.mark.parametrize(
    "given",
    ['W/"abc"', '"abc"', '"x", W/"abc"', '"x","abc"', '"a,b" , "abc"', "*", " * ", '"x" "abc"'],
)
def test_the_client_has_it(given: str) -> None:
    """A strong and a weak tag are one here; anywhere in the list will do, and the star is any."""
    assert has_already(asking("If-None-Match", given), "abc")


@pytest.mark.parametrize(
    "given", ["", '"abcd"', '"ab"', "abc", '"x", "y"', '"*"', 'w/"ab"', '"', '"ABC"', "W/abc"]
)
def test_the_client_does_not_have_it(given: str) -> None:
    """Another tag, a tag without its quotation marks, or a quoted star is no match."""
    assert not has_already(asking("If-None-Match", given), "abc")


def test_several_lines_are_one_list() -> None:
    """A header may be repeated; without one the client has nothing."""
    assert has_already(asking("If-None-Match", '"x"', '"abc"'), "abc")
    assert not has_already(asking("Accept", "*"), "abc")


def test_what_is_sent_matches() -> None:
    """The tag that goes out is the one that comes back."""
    assert has_already(asking("If-None-Match", weak("abc")), "abc")


@pytest.mark.parametrize("size", [0, 1, 5000, 200_000])
async def test_what_is_packed_can_be_unpacked(size: int) -> None:
    """Packing loses nothing, and gives the same bytes each time."""
    content = bytes(range(256)) * (size // 256 + 1)

    assert gzip.decompress(await pack(content)) == content
    assert await pack(content) == await pack(content)
