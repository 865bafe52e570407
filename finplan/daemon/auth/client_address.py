"""Where a request comes from: the peer of its connection, or whom a trusted proxy says it forwards."""

import re
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from aiohttp import web
from multidict import MultiMapping

FORWARDED = "X-Forwarded-For"
_CLIENTS_BITS = 64
"""How much of an IPv6 address tells a client from another one."""

_WITH_PORT = re.compile(r"(?:\[(?P<six>[^\]]*)\]|(?P<four>[0-9.]+))(?::[0-9]{1,5})?")
"""How some proxies name a client: with its port, and then one of IPv6 in brackets."""

AddressOf = Callable[[web.BaseRequest], str]


def address_of_peer(request: web.BaseRequest) -> str:
    """The address at the other end of a request's connection."""
    return request.remote or "unknown"


def client_addresses(trusted: Sequence[str]) -> AddressOf:
    """A function that answers the address of a request's client.

    `trusted` are the addresses and networks of proxies. What anybody else says of an address counts for
    nothing; of a chain of proxies, the last one that is not trusted is the client.
    """
    networks = [ip_network(each) for each in trusted]

    if not networks:
        return address_of_peer

    def is_trusted(address: str) -> bool:
        asked = _parsed(address)
        return asked is not None and any(asked in network for network in networks)

    def address_of(request: web.BaseRequest) -> str:
        address = address_of_peer(request)
        # What is no HTTP at all has no headers that aiohttp has read.
        headers = request.headers
        given = headers.getall(FORWARDED, []) if isinstance(headers, MultiMapping) else []
        named = ",".join(given).split(",")
        chain = [each.strip() for each in named if each.strip()]
        while chain and is_trusted(address):
            said = _address_in(chain.pop())
            if said is None:
                break
            address = said
        return address

    return address_of


def counted_as(address: str) -> str:
    """What an address is counted as by limits: one network of IPv6 is one client, who has all of it."""
    asked = _parsed(address)
    if asked is None:
        return address
    if isinstance(asked, IPv6Address):
        if asked.ipv4_mapped is not None:
            return str(asked.ipv4_mapped)
        return str(ip_network((asked, _CLIENTS_BITS), strict=False))
    return str(asked)


def _address_in(said: str) -> str | None:
    """The address that an entry of the header names, without its port; None where it names none."""
    if _parsed(said):
        return said
    parted = _WITH_PORT.fullmatch(said)
    if parted is None:
        return None
    named = parted["six"] or parted["four"]
    return named if named and _parsed(named) and (":" in named) == bool(parted["six"]) else None


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
