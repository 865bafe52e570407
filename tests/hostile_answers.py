"""Answers that a broken or hostile bank may give, as bytes on the wire, for all three aggregators.

`HOSTILE_ANSWERS` has each by its name. At a scale of 1 they are as large as an attacker would make them;
tests use smaller ones. It is imported by a benchmark too, so it knows nothing of pytest.
"""

import asyncio
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat

from aiohttp import web

from tests.banks.fakes.wire import Proceed

MEGABYTE = 1_000_000
PIECE = 64 * 1024

Pieces = Callable[[int], Iterator[bytes]]
"""What is sent, head and all, of a size that is divided by a scale."""


@dataclass(frozen=True)
class HostileAnswer:
    """An answer to a route of a bank; it is a fault of the fakes.

    `pause` is what lies between its pieces, in seconds.
    """

    bank: str
    route: str
    pieces: Pieces
    scale: int = 1
    pause: float = 0.0

    def scaled(self, scale: int) -> "HostileAnswer":
        """The same answer, so many times smaller."""
        return HostileAnswer(self.bank, self.route, self.pieces, scale, self.pause)

    async def answer(self, request: web.Request, _proceed: Proceed, /) -> web.StreamResponse:
        """Send it, as far as the client reads, and close the connection."""
        transport = request.transport
        assert transport is not None
        with suppress(ConnectionError):
            for piece in self.pieces(self.scale):
                if transport.is_closing() or request.transport is None:
                    break
                transport.write(piece)
                await request.protocol._drain_helper()
                if self.pause:
                    await asyncio.sleep(self.pause)
        transport.close()
        return web.Response()


@dataclass(frozen=True)
class _Shape:
    """A bank's list: its route, what comes before and after the list's items, and a row with values."""

    bank: str
    route: str
    before: bytes
    after: bytes
    row: bytes

    def around(self, items: bytes) -> bytes:
        return self.before + items + self.after


_SHAPES = (
    _Shape(
        "simplefin",
        "/simplefin/accounts",
        b'{"errlist":[],"accounts":[{"id":"a","name":"A","currency":"USD","balance":"1",'
        b'"transactions":[',
        b"]}]}",
        b'{"id":%(id)s,"posted":%(day)s,"amount":%(amount)s,"description":%(text)s}',
    ),
    _Shape(
        "plaid",
        "/transactions/sync",
        b'{"next_cursor":"c","has_more":false,"modified":[],"removed":[],"accounts":[],'
        b'"transactions_update_status":"HISTORICAL_UPDATE_COMPLETE","added":[',
        b"]}",
        b'{"transaction_id":%(id)s,"account_id":"a","date":%(day)s,"amount":%(amount)s,'
        b'"iso_currency_code":"USD","name":%(text)s}',
    ),
    _Shape(
        "enablebanking",
        "/accounts/*/transactions",
        b'{"continuation_key":null,"transactions":[',
        b"]}",
        b'{"entry_reference":%(id)s,"booking_date":%(day)s,"status":"BOOK",'
        b'"credit_debit_indicator":"DBIT","remittance_information":[%(text)s],'
        b'"transaction_amount":{"currency":"EUR","amount":%(amount)s}}',
    ),
)


def _row(shape: _Shape, **values: bytes) -> bytes:
    fine = {b"id": b'"x"', b"day": b'"2026-06-14"', b"amount": b'"1"', b"text": b'"T"'}
    if shape.bank == "simplefin":
        fine[b"day"] = b"1781438400"
    if shape.bank == "plaid":
        fine[b"amount"] = b"1"
    return shape.row % (fine | {name.encode(): value for name, value in values.items()})


def _many(item: bytes, count: int) -> bytes:
    return b",".join(repeat(item, max(count, 1)))


_MOST_ROWS = {"simplefin": 19_000, "plaid": 900, "enablebanking": 49_000}

Body = Callable[[_Shape, int], bytes]
_BODIES: Mapping[str, Body] = {
    "60 MB of empty lists": lambda shape, scale: shape.around(_many(b"[]", 20 * MEGABYTE // scale)),
    "60 MB of empty objects and nothing else": lambda _shape, scale: (
        b"[" + _many(b"{}", 20 * MEGABYTE // scale) + b"]"
    ),
    "lists nested a million deep": lambda _shape, scale: b"[" * (MEGABYTE // scale),
    "objects nested a million deep": lambda _shape, scale: b'{"a":' * (MEGABYTE // scale),
    "rows nested 500 deep": lambda shape, _scale: shape.around(b"[" * 500 + b"]" * 500),
    "a million rows": lambda shape, scale: shape.around(
        b",".join(_row(shape, id=b'"%d"' % each) for each in range(MEGABYTE // scale))
    ),
    "as many rows as are taken": lambda shape, scale: shape.around(
        b",".join(
            _row(shape, id=b'"%d"' % each, text=b'"T %d"' % each)
            for each in range(_MOST_ROWS[shape.bank] // scale)
        )
    ),
    "a text of 16 MB as an id": lambda shape, scale: shape.around(
        _row(shape, id=b'"' + b"x" * (15 * MEGABYTE // scale) + b'"')
    ),
    "a text of 16 MB of escapes": lambda shape, scale: shape.around(
        _row(shape, text=b'"' + b"\\u00e4" * (15 * MEGABYTE // 6 // scale) + b'"')
    ),
    "a text that never ends": lambda shape, scale: (
        shape.before + b'"' + b'\\"' * (7 * MEGABYTE // scale)
    ),
    "a number of five million digits": lambda shape, scale: shape.around(
        _row(shape, amount=b"9" * (5 * MEGABYTE // scale))
    ),
    "100,000 amounts of 1e999999999": lambda shape, scale: shape.around(
        _many(_row(shape, amount=b"1e999999999"), 100_000 // scale)
    ),
    "100,000 rows with odd ids": lambda shape, scale: shape.around(
        _many(_row(shape, id=b"[1]"), 100_000 // scale)
    ),
    "a million keys": lambda shape, scale: shape.around(
        b"{" + b",".join(b'"%d":0' % each for each in range(MEGABYTE // scale)) + b"}"
    ),
    "one key a million times": lambda shape, scale: shape.around(
        b"{" + _many(b'"id":"x"', MEGABYTE // scale) + b"}"
    ),
    "bytes that are not UTF-8": lambda shape, _scale: shape.around(
        _row(shape, text=b'"\xff\xfe\xc3"')
    ),
    "half a surrogate pair in each text": lambda shape, _scale: shape.around(
        _row(shape, id=b'"\\ud83d"', text=b'"\\udc00\\ud83d"')
    ),
    "NaN and Infinity": lambda shape, _scale: shape.around(
        b",".join(_row(shape, amount=each) for each in (b"NaN", b"Infinity", b"-Infinity"))
    ),
    "days of no calendar": lambda shape, _scale: shape.around(
        b",".join(
            _row(shape, day=each)
            for each in (b'"99999-13-45"', b"1e30", b"-1", b"true", b"{}", b"9" * 400)
        )
    ),
    "JSON that ends in the middle": lambda shape, _scale: shape.before,
    "control characters in each text": lambda shape, _scale: shape.around(
        _row(shape, id=b'"a\\u0000b"', text=b'"\\u001b[31m\\u202e"')
    ),
}


def _answered(body: bytes, *headers: bytes) -> bytes:
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: application/json", *headers)
    return b"\r\n".join((*lines, b"Content-Length: %d" % len(body), b"", body))


def _sent(body: bytes) -> Iterator[bytes]:
    yield from (body[place : place + PIECE] for place in range(0, len(body), PIECE))


def _of_body(shape: _Shape, body: Body) -> Pieces:
    return lambda scale: _sent(_answered(body(shape, scale)))


_HEAD = b"HTTP/1.1 200 OK\r\n"
_CHUNKED = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def _packed(scale: int) -> bytes:
    return b'{"accounts":[' + b" " * (1_000 * MEGABYTE // scale) + b"]}"


_ON_THE_WIRE: Mapping[str, Pieces] = {
    "64 MB in chunks of one byte": lambda scale: chain(
        [_CHUNKED], repeat(b"1\r\n[\r\n" * 10_000, max(6_400 // scale, 1)), [b"0\r\n\r\n"]
    ),
    "a gzip bomb of 1 GB": lambda scale: _sent(
        _answered(gzip.compress(_packed(scale), 1), b"Content-Encoding: gzip")
    ),
    "a deflate bomb of 1 GB": lambda scale: _sent(
        _answered(zlib.compress(_packed(scale), 1), b"Content-Encoding: deflate")
    ),
    "gzip that is none": lambda _scale: _sent(_answered(b"[]" * 99, b"Content-Encoding: gzip")),
    "headers without an end": lambda scale: chain(
        [_HEAD], repeat(b"X-Header: value\r\n" * 4_000, max(1_000 // scale, 1))
    ),
    "one header without an end": lambda scale: chain(
        [_HEAD + b"X-Header: "], repeat(b"x" * PIECE, max(1_000 // scale, 1))
    ),
    "interim answers without an end": lambda scale: repeat(
        b"HTTP/1.1 102 Processing\r\n\r\n" * 2_000, max(1_000 // scale, 1)
    ),
    "an extension of a chunk without an end": lambda scale: chain(
        [_CHUNKED + b"1;x="], repeat(b"x" * PIECE, max(1_000 // scale, 1))
    ),
    "trailers without an end": lambda scale: chain(
        [_CHUNKED + b"0\r\n"], repeat(b"X-Trailer: value\r\n" * 4_000, max(1_000 // scale, 1))
    ),
    "a body shorter than it says": lambda _scale: iter(
        [_HEAD + b"Content-Length: 1000\r\n\r\n" + b'{"accounts":[]}']
    ),
    "a body longer than it says": lambda _scale: iter(
        [_HEAD + b"Content-Length: 4\r\n\r\n" + b'{"accounts":[]}']
    ),
    "bytes that are not HTTP": lambda _scale: iter([b"\x00\x01\xff" * 1_000]),
    "an empty answer": lambda _scale: iter([_answered(b"")]),
    "a redirect": lambda _scale: iter(
        [b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"]
    ),
    "an error of 60 MB": lambda scale: _sent(
        _answered(b'{"error":"' + b"x" * (60 * MEGABYTE // scale) + b'"}').replace(
            b"200 OK", b"500 Error", 1
        )
    ),
}

_HUGE = b"1e999999999"
_OTHERS: Mapping[str, tuple[str, str, bytes]] = {
    "plaid: accounts with huge balances": (
        "plaid",
        "/accounts/get",
        b"""{"accounts":[{"account_id":"a","name":"A","type":"depository","balances":
        {"current":%s,"iso_currency_code":"USD"}}]}"""
        % _HUGE,
    ),
    "plaid: debts at a huge rate": (
        "plaid",
        "/liabilities/get",
        b"""{"liabilities":{"credit":[{"account_id":"a","minimum_payment_amount":%s,
        "aprs":[{"apr_type":"purchase_apr","apr_percentage":-%s}]}]}}"""
        % (_HUGE, _HUGE),
    ),
    "enablebanking: huge balances": (
        "enablebanking",
        "/accounts/*/balances",
        b"""{"balances":[{"balance_type":"ITBD","balance_amount":{"currency":"EUR",
        "amount":"%s"}}]}"""
        % _HUGE,
    ),
    "simplefin: a huge balance": (
        "simplefin",
        "/simplefin/accounts",
        b"""{"accounts":[{"id":"z","name":"Z","currency":"USD","balance":"%s",
        "balance-date":1e30,"transactions":[]}]}"""
        % _HUGE,
    ),
    "simplefin: one id of two accounts": (
        "simplefin",
        "/simplefin/accounts",
        b"""{"accounts":[{"id":"z","name":"Z","currency":"USD","balance":"1"},
        {"id":"z","name":"Y","currency":"USD","balance":"2"}]}""",
    ),
}


def _fixed(body: bytes) -> Pieces:
    return lambda _scale: _sent(_answered(body))


HOSTILE_ANSWERS: Mapping[str, HostileAnswer] = {
    **{
        f"{shape.bank}: {name}": HostileAnswer(shape.bank, shape.route, _of_body(shape, body))
        for shape in _SHAPES
        for name, body in _BODIES.items()
    },
    **{
        f"{shape.bank}: {name}": HostileAnswer(shape.bank, shape.route, pieces)
        for shape in _SHAPES[:1]
        for name, pieces in _ON_THE_WIRE.items()
    },
    **{
        name: HostileAnswer(bank, route, _fixed(body))
        for name, (bank, route, body) in _OTHERS.items()
    },
    "simplefin: a byte now and then": HostileAnswer(
        "simplefin",
        "/simplefin/accounts",
        lambda scale: chain([_HEAD + b"\r\n"], repeat(b"[", max(2_000 // scale, 1))),
        pause=0.001,
    ),
}
"""Each hostile answer by its name."""
