"""Settings come from the environment, else the file, else a default, and are checked when read."""

import os
from pathlib import Path

import pytest

from finplan.secret_files import enablebanking_key, google_client_secret, plaid_secret
from finplan.setting_values import SettingsError, is_encrypted_or_here
from finplan.settings import (
    Settings,
    describe,
    load_settings,
    marks_of_file,
    not_in_force,
    places_of,
    read_settings,
)
from tests.says import says


def write(home: Path, content: str, profile: str = "default") -> dict[str, str]:
    folder = home / profile
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "finplan.toml").write_text(content, encoding="utf-8")
    return {"FINPLAN_HOME": str(home)}


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    """Each value tells where it came from, and the nearer place wins."""
    environ = write(tmp_path, 'port = 9001\nlog_level = "debug"\n') | {"FINPLAN_PORT": "9002"}

    settings = load_settings(environ=environ)

    assert (settings.port, settings.log_level, settings.site_url) == (9002, "debug", None)
    assert [(name, origin) for name, _, origin in describe(settings)] == [
        ("port", "environment"),
        ("site_url", "default"),
        ("log_level", "file"),
        ("upload_limit", "default"),
        ("rate_limit", "default"),
        ("signed_origins", "default"),
        ("registration", "default"),
        ("trusted_proxies", "default"),
        ("google_client_id", "default"),
        ("google_issuer", "default"),
        ("webhook_private_targets", "default"),
        ("webhook_ca", "default"),
        ("notify_command", "default"),
        ("plaid_client_id", "default"),
        ("plaid_environment", "default"),
        ("plaid_countries", "default"),
        ("enablebanking_application_id", "default"),
        ("enablebanking_redirect_url", "default"),
    ]


def test_webhooks_stay_on_the_internet_unless_a_setting_names_more(tmp_path: Path) -> None:
    """Hosts and networks with spaces between; what is neither is refused, and so is a missing file."""
    assert load_settings(environ=write(tmp_path, "")).private_targets == ()
    named = load_settings(
        environ=write(tmp_path, 'webhook_private_targets = "home.local 10.0.0.0/8 ::1"')
    )
    assert named.private_targets == ("home.local", "10.0.0.0/8", "::1")
    for wrong in ("10.0.0.0/99", "a_b", "https://home.local", "-a", "1.2.3", "*"):
        with pytest.raises(SettingsError, match="not a host"):
            load_settings(environ=write(tmp_path, f'webhook_private_targets = "{wrong}"'))
    with pytest.raises(SettingsError, match="no such file"):
        load_settings(environ=write(tmp_path, 'webhook_ca = "/nowhere/ca.pem"'))


def test_paths_are_relative_to_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, or from the folder of finplan.toml or the home, never from where the person is."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    elsewhere = tmp_path / "elsewhere"
    folder = load_settings(environ=write(tmp_path, "")).places.configuration
    for each in (folder, tmp_path / "home", elsewhere):
        each.mkdir(exist_ok=True)
        (each / "ca.pem").touch()
    monkeypatch.chdir(elsewhere)
    for written, meant in (
        (f"{folder / 'ca.pem'}", folder / "ca.pem"),
        ("ca.pem", folder / "ca.pem"),
        ("~/ca.pem", tmp_path / "home" / "ca.pem"),
    ):
        assert load_settings(
            environ=write(tmp_path, f'webhook_ca = "{written}"')
        ).webhook_ca == str(meant)
    environ = write(tmp_path, "")
    named = load_settings(environ=environ | {"FINPLAN_WEBHOOK_CA": "~/ca.pem"})
    assert named.webhook_ca == str(tmp_path / "home" / "ca.pem")
    with pytest.raises(SettingsError, match=r"FINPLAN_WEBHOOK_CA is 'ca\.pem'"):
        load_settings(environ=environ | {"FINPLAN_WEBHOOK_CA": "ca.pem"})


@pytest.mark.parametrize("setting", ["webhook_private_targets", "trusted_proxies"])
def test_commas_in_a_list_are_told(tmp_path: Path, setting: str) -> None:
    """Who separates by commas is told that spaces do; who wrote none is not."""
    with pytest.raises(SettingsError, match="not commas"):
        load_settings(environ=write(tmp_path, f'{setting} = "10.0.0.1,10.0.0.2"'))
    with pytest.raises(SettingsError) as refused:
        load_settings(environ=write(tmp_path, f'{setting} = "10.0.0.0/99"'))
    assert "not commas" not in str(refused.value)


def test_a_notify_command_is_found_wherever_the_daemon_runs(tmp_path: Path) -> None:
    """A bare name, a whole path and one from the home are; what depends on a folder is refused."""
    for command in ("tell-me --urgent", "/bin/tell-me", "~/bin/tell-me 'a b'", "off"):
        read = load_settings(environ=write(tmp_path, f'notify_command = "{command}"'))
        assert read.notify_command == command
    for command in ("bin/tell-me", "./tell-me", "~ada/tell-me"):
        with pytest.raises(SettingsError, match="whole path"):
            load_settings(environ=write(tmp_path, f'notify_command = "{command}"'))


def test_an_upload_fits_a_million_rows_unless_another_limit_is_set(tmp_path: Path) -> None:
    """64 MB are what all files of an import may have by default."""
    assert load_settings(environ=write(tmp_path, "")).upload_limit == 67_108_864
    assert load_settings(environ=write(tmp_path, "upload_limit = 7")).upload_limit == 7


def test_a_credential_asks_120_times_a_minute_unless_another_limit_is_set(tmp_path: Path) -> None:
    """The limit is the interface's, until the person sets one."""
    assert load_settings(environ=write(tmp_path, "")).rate_limit == 120
    assert load_settings(environ=write(tmp_path, "rate_limit = 7")).rate_limit == 7


def test_the_profile_chooses_the_folder(tmp_path: Path) -> None:
    """A profile has its own file and places; the argument goes before the environment."""
    environ = write(tmp_path, "port = 9001", "demo") | {"FINPLAN_PROFILE": "demo"}

    assert load_settings(environ=environ).port == 9001
    assert load_settings("default", environ).port is None
    assert load_settings("default", environ).places.data == tmp_path / "default"


@pytest.mark.parametrize("name", ["", "a/b", "..", "-x", "Ü", "x" * 41, "A"])
def test_a_profile_is_a_plain_name(tmp_path: Path, name: str) -> None:
    """A name that could leave the folder or the command line is refused; none means `default`."""
    environ = {"FINPLAN_HOME": str(tmp_path)}
    if name:
        with pytest.raises(SettingsError, match="profile"):
            load_settings(name, environ)
    else:
        assert load_settings(name, environ).profile == "default"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FINPLAN_PORT", "0"),
        ("FINPLAN_PORT", "65536"),
        ("FINPLAN_PORT", "web"),
        ("FINPLAN_LOG_LEVEL", "loud"),
        ("FINPLAN_UPLOAD_LIMIT", "0"),
        ("FINPLAN_UPLOAD_LIMIT", "2GB"),
        ("FINPLAN_RATE_LIMIT", "0"),
        ("FINPLAN_RATE_LIMIT", "1000000001"),
        ("FINPLAN_RATE_LIMIT", "off"),
        ("FINPLAN_SIGNED_ORIGINS", "https://agent.example"),
        ("FINPLAN_SIGNED_ORIGINS", f"https://agent.example/path={'A' * 43}"),
        ("FINPLAN_SIGNED_ORIGINS", f"https://agent.example={'A' * 42}"),
        ("FINPLAN_SITE_URL", "localhost:8460"),
        ("FINPLAN_SITE_URL", "ftp://localhost"),
        ("FINPLAN_SITE_URL", "http://localhost/"),
        ("FINPLAN_SITE_URL", "http://ada@localhost"),
        ("FINPLAN_SITE_URL", "http://localhost:port"),
        ("FINPLAN_SITE_URL", "http://:8460"),
    ],
)
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, variable: str, value: str) -> None:
    """The sentence quotes the value that was wrong."""
    with pytest.raises(SettingsError, match=value):
        load_settings(environ={"FINPLAN_HOME": str(tmp_path), variable: value})


@pytest.mark.parametrize(
    "content",
    [
        "port = true",
        "port = 8460.5",
        'port = "8460"',
        "site_url = 5",
        "colour = 1",
        "port =",
        "\x00",
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path: Path, content: str) -> None:
    """Wrong types, unknown settings and broken TOML are told with the file's name."""
    with pytest.raises(SettingsError, match=r"finplan\.toml"):
        load_settings(environ=write(tmp_path, content))


def test_the_keys_of_signed_origins(tmp_path: Path) -> None:
    """Each pair is an origin in lower case with one of its keys; an origin may have several."""
    first, second = "A" * 43, "b-_" + "9" * 40
    pairs = f"https://Agent.example={first}\n https://agent.example={second}"
    environ = {"FINPLAN_HOME": str(tmp_path)}

    assert load_settings(environ=environ).signing_keys == ()
    known = load_settings(environ=environ | {"FINPLAN_SIGNED_ORIGINS": pairs}).signing_keys
    assert known == (("https://agent.example", first), ("https://agent.example", second))


def test_who_may_join_is_invited_unless_the_person_says_otherwise(tmp_path: Path) -> None:
    """Without a word it takes an invite; `open` lets anybody join, and there is no third way."""
    environ = {"FINPLAN_HOME": str(tmp_path)}

    assert load_settings(environ=environ).registration == "invite"
    assert load_settings(environ=environ | {"FINPLAN_REGISTRATION": "open"}).registration == "open"
    for wrong in ("Open", "closed", "yes"):
        with pytest.raises(SettingsError, match="`invite` or `open`"):
            load_settings(environ=environ | {"FINPLAN_REGISTRATION": wrong})


def test_proxies_are_trusted_by_address_or_network(tmp_path: Path) -> None:
    """Nobody is trusted by default; addresses and networks are, and a name or a half network is none."""
    environ = {"FINPLAN_HOME": str(tmp_path)}
    several = "127.0.0.1  10.0.0.0/8\n::1 fd00::/8"

    assert load_settings(environ=environ).proxies == ()
    known = load_settings(environ=environ | {"FINPLAN_TRUSTED_PROXIES": several}).proxies
    assert known == ("127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8")
    for wrong in ("localhost", "10.0.0.1/8", "10.0.0.0/33", "127.0.0.1,10.0.0.1", "127.0.0.1 *"):
        with pytest.raises(SettingsError, match="not an address"):
            load_settings(environ=environ | {"FINPLAN_TRUSTED_PROXIES": wrong})


def test_google_is_off_until_a_client_is_set(tmp_path: Path) -> None:
    """Without a word nobody signs in with Google; a client id holds no space."""
    environ = {"FINPLAN_HOME": str(tmp_path)}
    known = load_settings(environ=environ | {"FINPLAN_GOOGLE_CLIENT_ID": "a.example"})

    assert load_settings(environ=environ).google_client_id is None
    assert (known.google_client_id, known.google_issuer) == (
        "a.example",
        "https://accounts.google.com",
    )
    with pytest.raises(SettingsError, match="client id"):
        load_settings(environ=environ | {"FINPLAN_GOOGLE_CLIENT_ID": "a b"})


@pytest.mark.parametrize(
    "issuer",
    [
        "http://accounts.google.com",
        "http://127.0.0.1.example",
        "https://accounts.google.com/",
        "https://ada@accounts.google.com",
        "accounts.google.com",
        "http://10.0.0.1:80",
    ],
)
def test_an_issuer_is_encrypted_or_here(tmp_path: Path, issuer: str) -> None:
    """What is told to an issuer in clear leaves no machine."""
    environ = {"FINPLAN_HOME": str(tmp_path)}

    for good in ("https://id.example:8443", "http://127.0.0.1:9", "http://[::1]:9"):
        read = load_settings(environ=environ | {"FINPLAN_GOOGLE_ISSUER": good})
        assert read.google_issuer == good
    with pytest.raises(SettingsError, match="https://host"):
        load_settings(environ=environ | {"FINPLAN_GOOGLE_ISSUER": issuer})


def test_an_address_that_carries_a_name_or_no_host_is_none() -> None:
    """Who is asked at an address is its host alone; a name before it only looks like one."""
    assert is_encrypted_or_here("https://id.example/token")
    assert not is_encrypted_or_here("https://id.example@elsewhere.example/token")
    assert not is_encrypted_or_here("https://ada:word@id.example/token")
    assert not is_encrypted_or_here("http://ada@localhost/token")
    assert not is_encrypted_or_here("https:///token")
    assert not is_encrypted_or_here("https://[::1/token")


def test_the_secret_of_a_client_is_of_the_environment_or_a_file_of_ones_own(tmp_path: Path) -> None:
    """A file that others can read, or without a secret, is refused, and no refusal quotes it."""
    places = places_of("default", {"FINPLAN_HOME": str(tmp_path)})
    file = places.google_client_secret
    assert google_client_secret(places, {}) is None

    file.parent.mkdir()
    file.write_text("GOCSPX-secret\n")
    for mode in (0o640, 0o604, 0o644, 0o602):
        file.chmod(mode)
        with pytest.raises(SettingsError, match="chmod 600") as refused:
            google_client_secret(places, {})
        assert "GOCSPX" not in str(refused.value)
    file.chmod(0o600)
    assert google_client_secret(places, {}) == "GOCSPX-secret"
    given = {"FINPLAN_GOOGLE_CLIENT_SECRET": "another"}
    assert google_client_secret(places, given) == "another"
    for content in (b"", b"\n", b"two words", b"two\nlines", b"GOCSPX-\xff"):
        file.write_bytes(content)
        with pytest.raises(SettingsError, match="google_client_secret") as refused:
            google_client_secret(places, {})
        assert "GOCSPX" not in str(refused.value)


def test_a_key_of_enable_banking_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    """It comes from its file, which nobody else may read, or from the environment, in a line or more."""
    places = places_of("default", {"FINPLAN_HOME": str(tmp_path)})
    file = places.enablebanking_key
    assert enablebanking_key(places, {}) is None

    file.parent.mkdir()
    pem = "-----BEGIN PRIVATE KEY-----\nMIIC\n-----END PRIVATE KEY-----"
    file.write_text(f"{pem}\n")
    for mode in (0o640, 0o604):
        file.chmod(mode)
        with pytest.raises(SettingsError, match="chmod 600") as refused:
            enablebanking_key(places, {})
        assert "MIIC" not in str(refused.value)
    file.chmod(0o600)
    assert enablebanking_key(places, {}) == pem
    in_a_line = pem.replace("\n", "\\n")
    assert enablebanking_key(places, {"FINPLAN_ENABLEBANKING_KEY": in_a_line}) == pem
    for content in (b"", b"MIIC", b"-----BEGIN PRIVATE KEY-----\xff"):
        file.write_bytes(content)
        with pytest.raises(SettingsError, match=r"enablebanking\.pem") as refused:
            enablebanking_key(places, {})
        assert "MIIC" not in str(refused.value)


def test_a_redirect_address_is_encrypted_and_bare(tmp_path: Path) -> None:
    """Enable Banking lists no other; what comes behind it is the bank's."""
    good = 'enablebanking_redirect_url = "https://localhost:8765/callback"'
    assert load_settings(environ=write(tmp_path, good)).enablebanking_redirect_url
    for wrong in (
        "http://localhost/",
        "https://",
        "https://a/?b",
        "https://a/#",
        "https://u@a/",
        "x",
    ):
        with pytest.raises(SettingsError, match="redirect address"):
            load_settings(environ=write(tmp_path, f'enablebanking_redirect_url = "{wrong}"'))
    with pytest.raises(SettingsError, match="Enable Banking"):
        load_settings(environ=write(tmp_path, 'enablebanking_application_id = "a b"'))


def test_nothing_prints_the_secret_of_a_client(tmp_path: Path) -> None:
    """It is no setting: neither described, nor taken from the file of settings."""
    environ = write(tmp_path, "") | {"FINPLAN_GOOGLE_CLIENT_SECRET": "GOCSPX-secret"}

    settings = load_settings(environ=environ)

    assert "GOCSPX" not in f"{describe(settings)} {settings}"
    with pytest.raises(SettingsError, match="Unknown setting") as refused:
        load_settings(environ=write(tmp_path, 'google_client_secret = "GOCSPX-secret"'))
    assert "GOCSPX" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('plaid_client_id = "a b"', "not valid"),
        ('plaid_environment = "development"', "`sandbox`"),
        ('plaid_countries = "US,CA"', "not commas"),
        ('plaid_countries = ""', "two capital letters"),
    ],
)
def test_what_cannot_be_plaids_is_refused(tmp_path: Path, line: str, why: str) -> None:
    """A client id holds no space, an environment is one of two, and countries are codes."""
    with pytest.raises(SettingsError, match=why):
        load_settings(environ=write(tmp_path, line))


def test_the_secret_at_plaid_is_kept_as_googles_is(tmp_path: Path) -> None:
    """Of the environment, else of a file that nobody else reads."""
    places = places_of("default", {"FINPLAN_HOME": str(tmp_path)})
    assert plaid_secret(places, {}) is None
    places.configuration.mkdir()
    places.plaid_secret.write_text("3c4e\n")
    places.plaid_secret.chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        plaid_secret(places, {})
    places.plaid_secret.chmod(0o600)
    assert plaid_secret(places, {}) == "3c4e"
    assert plaid_secret(places, {"FINPLAN_PLAID_SECRET": "other"}) == "other"


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    """A folder in the file's place is one clear sentence."""
    (tmp_path / "default" / "finplan.toml").mkdir(parents=True)

    with pytest.raises(SettingsError, match="Cannot read"):
        load_settings(environ={"FINPLAN_HOME": str(tmp_path)})


def test_one_folder_holds_a_whole_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FINPLAN_HOME replaces the XDG places; a relative one is meant from here."""
    monkeypatch.chdir(tmp_path)

    places = places_of("demo", {"FINPLAN_HOME": "money", "XDG_DATA_HOME": "/elsewhere"})

    assert places.configuration == places.data == places.state == tmp_path / "money" / "demo"


def test_the_xdg_places(tmp_path: Path) -> None:
    """Without a home the XDG folders are used; a relative one is ignored, as XDG says."""
    environ = {"HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "state"}

    places = places_of("default", environ)

    assert places.data == Path("/data/finplan/default")
    assert places.state == Path("/home/ada/.local/state/finplan/default")
    assert places.configuration == Path("/home/ada/.config/finplan/default")


def test_every_place_is_inside_the_profile(tmp_path: Path) -> None:
    """No two profiles share a file."""
    places = places_of("demo", {"FINPLAN_HOME": str(tmp_path)})
    files = [
        getattr(places, name)
        for name, kind in vars(type(places)).items()
        if isinstance(kind, property)
    ]

    assert len(set(files)) == len(files) == 15
    assert all(
        os.path.commonpath([file, tmp_path / "demo"]) == str(tmp_path / "demo") for file in files
    )


def test_the_settings_are_frozen(tmp_path: Path) -> None:
    """Nothing changes them once they are read."""
    settings: Settings = load_settings(environ={"FINPLAN_HOME": str(tmp_path)})

    with pytest.raises(AttributeError):
        settings.port = 1  # type: ignore[misc] # That it cannot be assigned is the law.


@pytest.mark.parametrize(
    "address",
    [
        "money.example.org",
        "ftp://x",
        "https://x/app",
        "https://x?y",
        "https://a@x",
        "http://x:99999",
    ],
)
def test_a_wrong_site_address_is_told_with_a_right_one(tmp_path: Path, address: str) -> None:
    """The sentence names the setting, what was given, what to write instead, and where."""
    environment = {"FINPLAN_HOME": str(tmp_path), "FINPLAN_SITE_URL": address}
    with pytest.raises(SettingsError) as refused:
        load_settings(environ=environment)
    right = ("such as https://money.example.org.", "variable FINPLAN_SITE_URL.")
    assert says(str(refused.value), "`site_url` cannot be", repr(address), *right)


def test_changes_are_told_from_what_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the names of the settings; what the daemon's or this shell's environment gives is no change."""
    started = write(tmp_path, "rate_limit = 7\n") | {"FINPLAN_LOG_LEVEL": "debug"}
    in_force = marks_of_file(load_settings(environ=started))
    for name in ("FINPLAN_PROFILE", "FINPLAN_RATE_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_UPLOAD_LIMIT", "9")
    assert not_in_force("default", in_force) == []

    write(tmp_path, 'log_level = "error"\nupload_limit = 8\n')
    assert not_in_force("default", in_force) == ["upload_limit", "rate_limit"]
    assert not_in_force("default", {}) == []


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("port = 0", "line 1 of {}"),
        ('# port\nreport = "x"\n  port=0', "line 3 of {}"),
        ('\n"port" = 0', "line 2 of {}"),
        ("[port]\nx = 1", "line 1 of {}"),
        ("port.x = 1", "line 1 of {}"),
        ('"po\\u0072t" = 0', "it in {}"),
    ],
)
def test_the_line_of_a_wrong_value_is_told(tmp_path: Path, content: str, place: str) -> None:
    """Whoever has to correct it is told where it stands, and is told no other line."""
    _, faults = read_settings(environ=write(tmp_path, content))
    told = place.format(tmp_path / "default" / "finplan.toml")
    assert faults[-1].name == "port"
    assert faults[-1].advice == f"Correct or remove {told}."


def test_all_that_cannot_be_is_told_and_the_rest_holds(tmp_path: Path) -> None:
    """What is wrong is at its default; each fault names its value and where it is put right."""
    environ = write(tmp_path, 'port = 99999\nlog_level = "debug"\ncolour = 1\nupload_limit = 0\n')
    environ |= {"FINPLAN_RATE_LIMIT": "many", "FINPLAN_UPLOAD_LIMIT": "7"}
    settings, faults = read_settings(environ=environ)
    assert (settings.port, settings.rate_limit) == (None, 120)
    assert (settings.log_level, settings.upload_limit) == ("debug", 7)
    assert settings.origins["port"] == settings.origins["rate_limit"] == "default"
    assert [fault.name for fault in faults] == ["colour", "port", "rate_limit"]
    for fault, value in zip(faults, ("'colour'", "99999", "'many'"), strict=True):
        assert value in fault.what
    assert faults[-1].advice.endswith("variable FINPLAN_RATE_LIMIT.")
    with pytest.raises(SettingsError) as refused:
        load_settings(environ=environ)
    assert str(refused.value) == " ".join(f"{fault.what} {fault.advice}" for fault in faults)


def test_a_profile_of_the_environment_is_told_as_such(tmp_path: Path) -> None:
    """A name that cannot be says where it came from, unless it was typed."""
    environ = {"FINPLAN_HOME": str(tmp_path), "FINPLAN_PROFILE": "Me"}
    with pytest.raises(SettingsError, match="the variable FINPLAN_PROFILE"):
        read_settings(environ=environ)
    with pytest.raises(SettingsError) as refused:
        read_settings("Me", environ)
    assert "FINPLAN_PROFILE" not in str(refused.value)


def test_what_cannot_be_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a value that cannot be nor a file that cannot be read comes into force."""
    for name in ("FINPLAN_PROFILE", "FINPLAN_RATE_LIMIT", "FINPLAN_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    in_force = marks_of_file(
        load_settings(environ=write(tmp_path, "port = 9000\nrate_limit = 7\n"))
    )
    write(tmp_path, "port = 0\nrate_limit = 8\n")
    assert not_in_force("default", in_force) == ["rate_limit"]
    write(tmp_path, "port =")
    assert not_in_force("default", in_force) == []
