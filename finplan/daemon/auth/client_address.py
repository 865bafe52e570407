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
    networks = [ip_network(network) for network in trusted]

    if not networks:
        return address_of_peer

    def is_trusted(address: str) -> bool:
        parsed = _parse_address(address)
        return parsed is not None and any(parsed in network for network in networks)

    def address_of(request: web.BaseRequest) -> str:
        address = address_of_peer(request)
        # What is no HTTP at all has no headers that aiohttp has read.
        headers = request.headers
        forwarded = headers.getall(FORWARDED, []) if isinstance(headers, MultiMapping) else []
        parts = ",".join(forwarded).split(",")
        chain = [part.strip() for part in parts if part.strip()]
        while chain and is_trusted(address):
            hop = _address_in(chain.pop())
            if hop is None:
                break
            address = hop
        return address

    return address_of


def counted_as(address: str) -> str:
    """What an address is counted as by limits: one network of IPv6 is one client, who has all of it."""
    parsed = _parse_address(address)
    if parsed is None:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, _CLIENTS_BITS), strict=False))
    return str(parsed)


def _address_in(text: str) -> str | None:
    """The address that an entry of the header names, without its port; None where it names none."""
    if _parse_address(text):
        return text
    parted = _WITH_PORT.fullmatch(text)
    if parted is None:
        return None
    host = parted["six"] or parted["four"]
    return host if host and _parse_address(host) and (":" in host) == bool(parted["six"]) else None


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
