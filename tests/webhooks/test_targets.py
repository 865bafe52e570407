"""Where deliveries may go, and where they may not."""

import pytest

from finplan.webhooks.targets import (
    PrivateTargets,
    RefusedTarget,
    Target,
    literal_address,
    read_target,
    vet,
)

NOTHING = PrivateTargets()

HOSTILE = (
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.31.255.255",
    "192.0.0.9",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.5",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:168.63.129.16",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::168.63.129.16",
    "64:ff9b::169.254.169.254",
    "64:ff9b::100.100.100.200",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2001:0:7f00:1::",
    "2001:0:808:808::1",
    "::8.8.8.8",
    "::ffff:0:8.8.8.8",
    "2001:db8::1",
    "2001:10::1",
    "2600::5efe:127.0.0.1",
    "2600::200:5efe:10.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "ff02::1",
    "100::1",
)


@pytest.mark.parametrize("address", HOSTILE)
def test_nothing_but_the_public_internet_is_reached(address: str) -> None:
    """Loopback, private, shared, link-local, reserved and multicast ones are refused in any spelling."""
    with pytest.raises(RefusedTarget, match="not on the public internet"):
        vet("hooks.example.com", ["93.184.215.14", address], NOTHING)
    with pytest.raises(RefusedTarget, match="not on the public internet"):
        vet(address, [address], NOTHING)
    with pytest.raises(RefusedTarget):
        vet("hooks.example.com", [address, "93.184.215.14"], NOTHING)


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.215.14", "2600::1", "64:ff9b::8.8.8.8", "100.63.255.255", "100.128.0.1"),
        *("168.63.129.15", "168.63.129.17", "169.253.255.255", "198.17.255.255", "223.255.255.1"),
    ],
)
def test_the_public_internet_is_reached(address: str) -> None:
    """Addresses that are globally routable, and such as lead to one by translation."""
    vet("hooks.example.com", [address], NOTHING)


def test_what_a_name_of_this_network_leads_to_is_not_told() -> None:
    """Whoever asks by a name learns nothing but that it is refused; an address is named as it is."""
    with pytest.raises(RefusedTarget) as refused:
        vet("printer.example.com", ["192.168.7.9"], NOTHING)
    told = "printer.example.com leads to an address that is not on the public internet. To allow it"
    assert str(refused.value).startswith(told)
    assert "192.168" not in str(refused.value)
    with pytest.raises(
        RefusedTarget, match=r"^10\.0\.0\.1 is not on the public internet\. To allow it"
    ):
        vet("10.0.0.1", ["10.0.0.1"], NOTHING)


def test_an_address_of_this_machine_is_refused() -> None:
    """Public or not, and with what allows it; beside one of another machine, too."""
    with pytest.raises(
        RefusedTarget, match=r"^93\.184\.215\.14 is an address of this machine\. To allow it"
    ):
        vet("93.184.215.14", ["93.184.215.14"], NOTHING, ["93.184.215.14"])
    with pytest.raises(
        RefusedTarget, match=r"^a\.example leads to an address of this machine\. To allow it"
    ):
        vet("a.example", ["2600::1", "93.184.215.14"], NOTHING, ["93.184.215.14"])
    allowed = PrivateTargets.of(["93.184.215.14", "home.example"])
    vet("a.example", ["93.184.215.14"], allowed, ["93.184.215.14"])
    vet("home.example", ["2600::1"], allowed, ["2600::1"])


def test_a_host_without_an_address_is_refused() -> None:
    """Nothing to vet is nothing to connect to."""
    with pytest.raises(RefusedTarget, match="has no address"):
        vet("hooks.example.com", [], NOTHING)


def test_what_the_owner_allows_is_reached() -> None:
    """A host by name, an address, or a network; and nothing beside them."""
    allowed = PrivateTargets.of(["Home.Local.", "192.168.7.0/24", "127.0.0.1", "fd00::/8"])
    vet("home.local", ["10.0.0.5"], allowed)
    vet("HOME.local.", ["10.0.0.5"], allowed)
    vet("elsewhere.local", ["192.168.7.255"], allowed)
    vet("127.0.0.1", ["127.0.0.1"], allowed)
    vet("six.local", ["fd12::1"], allowed)
    for host, address in (
        ("other.home.local", "10.0.0.5"),
        ("elsewhere.local", "192.168.8.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("localhost", "::1"),
    ):
        with pytest.raises(RefusedTarget):
            vet(host, [address], allowed)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",
        "https:///path",
        "https://",
        "https://user@hooks.example.com/",
        "https://user:word@hooks.example.com/",
        "https://@hooks.example.com/",
        "https://hooks.example.com/#part",
        "https://hooks.example.com:0/",
        "https://hooks.example.com:99999/",
        "https://hooks.example.com:x/",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/\u00e4",
        "https://h\u00f6oks.example.com/",
        "https://[fe80::1%25eth0]/",
        "https://[::1/",
        "https://evil.example\\@hooks.example.com/",
        "https://hooks.example.com/\r\nX: y",
        "https://" + "a" * 254,
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0X7F000001/",
        "https://0x/",
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://127.0.0.1./",
        "https://127.0.0.1.:443/",
        "https://127.0.0.0x1/",
        "https://8.8.8.8.8/",
        "https://08.8.8.8/",
        "https://256.8.8.8/",
        "https://hooks.example.1/",
        "https://[v1.fe80::a]/",
        "ftp://hooks.example.com/",
        "hooks.example.com",
    ],
)
def test_a_url_that_could_be_read_in_two_ways_is_refused(url: str) -> None:
    """Only https, a host and ASCII: no name and password, fragment, space, backslash or control."""
    with pytest.raises(RefusedTarget):
        read_target(url)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://Hooks.Example.com/a?b=c", Target("hooks.example.com", 443)),
        ("https://hooks.example.com:8443", Target("hooks.example.com", 8443)),
        ("https://[2600::1]:1/", Target("2600::1", 1)),
        ("https://8.8.8.8/", Target("8.8.8.8", 443)),
        ("https://0x7f.example/", Target("0x7f.example", 443)),
        ("https://127.0.0.x1/", Target("127.0.0.x1", 443)),
        ("https://hooks.example.com:65535/", Target("hooks.example.com", 65535)),
    ],
)
def test_where_a_url_leads(url: str, target: Target) -> None:
    """Its host in lower case, and its port."""
    assert read_target(url) == target


def test_only_an_address_is_an_address() -> None:
    """Other spellings of one are none, and no URL may have them."""
    assert str(literal_address("127.0.0.1")) == "127.0.0.1"
    assert str(literal_address("::1")) == "::1"
    for spelt in ("127.1", "0x7f.0.0.1", "2130706433", "017700000001", "localhost"):
        assert literal_address(spelt) is None


def test_a_private_target_is_refused_with_what_allows_it() -> None:
    """The setting is named, and that it holds from the next start of the daemon on."""
    with pytest.raises(RefusedTarget) as refused:
        vet("home.local", ["192.168.1.7"], PrivateTargets())
    said = str(refused.value)
    assert "`webhook_private_targets`" in said
    assert "runs `finplan daemon stop`" in said


def test_the_longest_name_is_read() -> None:
    """A name may have as many letters as names have, and not one more."""
    longest = ".".join(["a" * 63] * 3 + ["a" * 61])
    assert len(longest) == 253
    assert read_target(f"https://{longest}/") == Target(longest, 443)
    with pytest.raises(RefusedTarget, match="names no host"):
        read_target(f"https://{longest}a/")
