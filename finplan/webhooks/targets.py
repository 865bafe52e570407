"""Where deliveries may go: https addresses of the public internet, and what a setting allows besides.

A request from this machine reaches what strangers cannot: other programs here, the router, the metadata
of a cloud. So an address counts as what it leads to, however it is spelt or wrapped.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

HTTPS = 443
LONGEST_HOST = 253

_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")

_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)

_KEPT_BACK = tuple(
    ip_network(each)
    for each in (
        # What `is_global` lets pass on some versions of Python, and no receiver stands at.
        "192.0.0.0/24",
        "192.88.99.0/24",
        # Azure's own services, which answer virtual machines there.
        "168.63.129.16/32",
        "100.64.0.0/10",
        "64:ff9b:1::/48",
        "2001:10::/28",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
        "100::/64",
        # Old ways to write an address of version 4 as one of version 6, which no name needs.
        "::/96",
        "::ffff:0:0:0/96",
        "2001::/32",
    )
)


class RefusedTarget(Exception):
    """A delivery may not go there; the sentence says why, and what to do."""


@dataclass(frozen=True, slots=True)
class PrivateTargets:
    """What may be reached though it is private: hosts by name, and networks."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, words: Iterable[str]) -> "PrivateTargets":
        """Read names of hosts, addresses and networks."""
        hosts, networks = set[str](), list[Network]()
        for word in words:
            try:
                networks.append(ip_network(word, strict=False))
            except ValueError:
                hosts.add(word.lower().rstrip("."))
        return cls(frozenset(hosts), tuple(networks))

    def allow(self, host: str, address: Address) -> bool:
        """Whether an address may be reached by the name of a host."""
        return host.lower().rstrip(".") in self.hosts or any(
            address in network for network in self.networks if network.version == address.version
        )


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads: the host as it is asked for, in lower case, and the port."""

    host: str
    port: int


def read_target(url: str) -> Target:
    """Where a URL leads. Raises RefusedTarget for one that no delivery may be sent to."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise RefusedTarget("This is not a URL. Write it like https://host/path.") from None
    if parts.scheme != "https":
        raise RefusedTarget("The URL must begin with https://.")
    if parts.username is not None or parts.password is not None:
        raise RefusedTarget(
            "Remove the name and password from the URL. Deliveries are signed instead."
        )
    if parts.fragment:
        raise RefusedTarget("Remove the fragment (#…) from the URL. It would not be sent.")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise RefusedTarget(
            "Use printable ASCII only. Write other letters as %XX, and a host as xn--…"
        )
    if not host or "%" in host or len(host) > LONGEST_HOST or port == 0:
        raise RefusedTarget("The URL needs a valid host. Write it like https://host/path.")
    if literal_address(host) is None and _reads_as_address(host):
        raise RefusedTarget(
            f"{host} is an ambiguous address. Write it as four numbers with dots, like 203.0.113.7."
        )
    return Target(host.lower(), HTTPS if port is None else port)


def _reads_as_address(host: str) -> bool:
    """Whether some program takes a host for an address: its last part is a number, or it has a colon."""
    last = host.rstrip(".").rpartition(".")[2]
    return ":" in host or _NUMBER.fullmatch(last) is not None


def literal_address(host: str) -> Address | None:
    """The address that a host is, where it is one and no name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def vet(
    host: str, addresses: Sequence[str], private: PrivateTargets, own: Collection[str] = ()
) -> None:
    """Raise RefusedTarget unless each address that a host resolves to may be reached.

    One that may not is enough: a name of several could be made to lead anywhere. Those of this machine
    are in `own`; what listens there trusts whoever comes from here.
    """
    if not addresses:
        raise RefusedTarget(f"{host} does not resolve to an address.")
    for text in addresses:
        # An address with a zone (fe80::1%eth0) is of a link, and is judged without it.
        address = ip_address(text.partition("%")[0])
        if (is_public(address) and text not in own) or private.allow(host, address):
            continue
        raise RefusedTarget(
            f"{host} {_describe(host, address)}. To allow it, the owner of this machine adds the"
            " host to `webhook_private_targets`, then runs `finplan daemon stop`. finplan restarts"
            " with the new setting."
        )


def _describe(host: str, address: Address) -> str:
    """Why an address is refused; what a private one of a name is stays the network's own business."""
    is_name = literal_address(host) is None
    if is_public(address):
        return f"{'leads to' if is_name else 'is'} an address of this machine"
    return f"{'leads to an address that is' if is_name else 'is'} not on the public internet"


def is_public(address: Address) -> bool:
    """Whether an address, and each one that it wraps, is globally routable."""
    if any(address in network for network in _KEPT_BACK if network.version == address.version):
        return False
    if not address.is_global or address.is_multicast:
        return False
    return all(map(is_public, _wrapped(address)))


def _wrapped(address: Address) -> tuple[IPv4Address, ...]:
    """The addresses of version 4 that one of version 6 may lead to."""
    if isinstance(address, IPv4Address):
        return ()
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    number = int(address)
    if address in _NAT64 or (number >> 32) & 0xFFFFFFFF in _ISATAP:
        return (IPv4Address(number & 0xFFFFFFFF),)
    return ()
