"""The root: every command is found, helped and kept quick; alone it says how it stands.

`tui` becomes the program in a terminal. A failure is one sentence on stderr, an exit code, and
nothing on stdout. What a shell offers changes nothing.
"""

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

import finplan as finplan_package
import finplan as package
from finplan import __version__
from finplan.cli.app import COMMANDS, root
from finplan.cli.commands import overview, tui
from finplan.cli.commands.accounts import KindOption
from finplan.cli.commands.checkup import findings
from finplan.cli.commands.installation import SCRIPTS
from finplan.cli.completing.command_line import complete, unquoted
from finplan.cli.completing.values import PERIODS
from finplan.cli.console import session
from finplan.cli.console.errors import NO_BANK_YET
from finplan.client import connect
from finplan.model.account import KindWord
from finplan.periods.reading import read_period
from finplan.settings import SettingFault, load_settings
from finplan.terminal.plan import draw_home
from finplan.tui.widgets import PLACES
from finplan.views import live
from finplan.views.locale import Locale
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Draw, Ended, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden
from tests.patience import LONG_ENOUGH
from tests.views.drawing import look


def helps() -> list[tuple[str, ...]]:
    """The words of every command there is, groups too."""
    found: list[tuple[str, ...]] = [()]
    for name, place in COMMANDS.items():
        found.append((name,))
        app = place.load(name)
        group = typer.main.get_command(app)
        found += [(name, inner) for inner in getattr(group, "commands", {})]
    return found


@pytest.mark.parametrize("words", helps(), ids=" ".join)
def test_every_command_helps(finplan: Run, words: tuple[str, ...]) -> None:
    """Every command explains itself in 80 columns, and names the options that work everywhere."""
    ended = finplan(*words, "--help")
    assert (ended.code, ended.err) == (0, "")
    text = ended.out.decode()
    assert text.startswith(f"Usage: finplan {' '.join(words)}".rstrip())
    assert max(map(len, text.splitlines())) <= 80
    # What a group's commands are for is a whole sentence, however long.
    assert "..." not in text.partition("\nCommands:\n")[2]
    for option in ("--profile", "--demo", "--json", "--quiet"):
        assert text.count(f"\n  {option} ") == 1


@pytest.mark.parametrize("words", helps(), ids=" ".join)
def test_no_example_holds_a_made_up_id(finplan: Run, words: tuple[str, ...]) -> None:
    """Nobody has the id that an example would make up, so what is to be put in is written ID."""
    assert made_up_ids(finplan(*words, "--help").out.decode()) == []


def test_no_page_of_the_handbook_holds_a_made_up_id() -> None:
    """A command of the handbook is typed as it stands, or says ID where an id is meant."""
    for page in sorted(Path(finplan_package.__file__).parent.glob("docs/**/*.md")):
        assert made_up_ids(page.read_text()) == [], page.name


def made_up_ids(text: str) -> list[str]:
    """Words of the commands in a text that look like the beginning of an id, its kind before or not."""
    commands = "\n".join(line for line in text.splitlines() if "finplan " in line)
    known = "acc|app|dup|imp|inv|key|prf|reg|rule|ser|ses|task|tsk|trf|usr"
    mixed = r"(?![0-9]+(?:st|nd|rd|th)\b)(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{4}"
    return re.findall(rf"(?<![\w./-])(?:(?:{known})_[0-9a-z]{{4,}}|{mixed})(?![\w./-])", commands)


def test_made_up_ids_are_seen() -> None:
    """What the guard looks for is an id, and no word, day, port or number."""
    seen = "finplan sessions end 7k2m, undo task_k3f9 --each, rule_3a7c"
    assert made_up_ids(seen) == ["7k2m", "task_k3f9", "rule_3a7c"]
    seen = "A 401k.\nfinplan undo ID --to 2025-03 file.csv 8460 camt.053 over mt940.txt, and 14th"
    assert made_up_ids(seen) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name: str) -> None:
    """The root's summary of a command is the first line of the command's own help."""
    app = COMMANDS[name].load(name)
    own_help = typer.main.get_command(app).help
    assert own_help is not None
    assert own_help.splitlines()[0] == COMMANDS[name].summary


def groups() -> list[str]:
    """The commands that have commands of their own."""
    return [name for name in COMMANDS if inner_commands(name)]


def inner_commands(name: str) -> set[str]:
    """The names of a group's commands; none for a command that is no group."""
    app = COMMANDS[name].load(name)
    return set(getattr(typer.main.get_command(app), "commands", {}))


@pytest.mark.parametrize("name", groups())
def test_a_summary_lists_commands_that_exist(name: str) -> None:
    """What a group's summary lists behind its colon is what can be typed."""
    listed = re.findall(r"[a-z]+", COMMANDS[name].summary.partition(": ")[2].partition(";")[0])
    assert set(listed) <= inner_commands(name)


def test_nothing_said_is_a_cry_for_help(finplan: Run) -> None:
    """Without a command the help is shown, on stdout and without a complaint."""
    assert finplan() == finplan("--help")


def test_the_version(finplan: Run) -> None:
    """--version prints name and version and nothing else."""
    ended = finplan("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"finplan {__version__}\n".encode(), "")


def test_the_root_has_no_name_of_its_own_twice() -> None:
    """Every command of the table exists under exactly one name."""
    loaded = [id(each.load(name)) for name, each in COMMANDS.items()]
    assert len(set(loaded)) == len(loaded)
    assert typer.main.get_command(root).list_commands(None) == list(COMMANDS)  # type: ignore[attr-defined]  # It is a group.


def test_kinds_are_those_of_the_interface() -> None:
    """The kinds of account that can be typed are those that the daemon takes."""
    assert get_args(KindOption) == get_args(KindWord)


def test_a_quick_start_leaves_httpx_whole() -> None:
    """What is spared at the start is httpx's own command line and nothing of its client."""
    code = (
        "from finplan.cli.console.quick import be_quick; be_quick(); import sys, httpx;"
        "print('click' in sys.modules, 'rich' in sys.modules, httpx.Client(verify=False).get.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False False get\n"


def test_a_quick_command_starts_with_its_own_shapes() -> None:
    """Asking for the accounts loads no other family of rows and no event loop."""
    code = (
        "import sys, finplan.cli.commands.accounts, finplan.client.client, finplan.operations.account;"
        "print('asyncio' in sys.modules,"
        " sorted(name for name in sys.modules if name.startswith('finplan.operations.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False ['finplan.operations.account']\n"


NOW = datetime(2025, 11, 21, 18, tzinfo=UTC)
WAYS = overview.WAYS_ON[::2]


@pytest.fixture
def looked_at(finplan: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line whose stdout is a terminal."""

    def run_looked_at(*arguments: str) -> Ended:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        return finplan(*arguments)

    return run_looked_at


@pytest.mark.parametrize("width", [60, 80, 100])
def test_how_it_stands_fits_the_terminal(draw: Draw, golden: Golden, width: int) -> None:
    """Today's figure, the first things to do and where to go on, in a few lines that are never cut."""
    drawn = draw(draw_home(made_up.view(), Locale("USD", NOW, UTC), look(width), WAYS), width)
    assert max(map(len, drawn.splitlines())) <= width
    if width == 80:
        golden("home", drawn)


def test_who_has_nothing_is_told_how_to_begin(draw: Draw, golden: Golden) -> None:
    """Each way in is a command that can be typed."""
    golden("home_beginning", draw(live.beginning(WAYS)))


def test_the_ways_in_stand_on_a_line_each(draw: Draw) -> None:
    """None of them is wrapped at 80 columns."""
    drawn = draw(live.beginning(overview.WAYS_IN), 80).rstrip("\n")
    assert len(drawn.splitlines()) == 1 + len(overview.WAYS_IN)
    assert max(map(len, drawn.splitlines())) <= 80


def test_looking_at_nothing_starts_no_daemon(looked_at: Run, home: Path) -> None:
    """Where there is no store nothing is made and nobody is started for a look."""
    ended = looked_at()
    assert (ended.code, ended.err) == (0, "")
    assert b"finplan import" in ended.out
    assert list(home.iterdir()) == []


def test_a_program_that_asks_nothing_gets_the_help(finplan: Run) -> None:
    """Off a terminal the list of commands is printed, as for --help."""
    assert finplan().out == finplan("--help").out
    assert finplan("--demo", "--quiet").out == finplan("--help").out


def test_a_program_may_ask_how_it_stands(finplan: Run, stub: Stub) -> None:
    """With `--json` alone the plan's figures are printed as the daemon tells them, in a pipe too."""
    answer = made_up.view().model_dump_json(by_alias=True).encode()
    stub.answer("GET", "/plan/view", answer)
    ended = finplan("--json")
    assert (ended.code, ended.out) == (0, answer + b"\n")


def test_a_program_is_told_where_nothing_is(finplan: Run, stub: Stub) -> None:
    """What is printed with `--json` is JSON, so who has no bank yet gets the daemon's refusal."""
    stub.refuse("GET", "/plan/view", 409, "NO_CONNECTIONS", "No bank is linked yet.")
    ended = finplan("--json")
    assert (ended.code, ended.out) == (6, b"")
    assert "No bank is linked yet" in ended.err


def test_an_unlinked_demo_says_how_to_link(looked_at: Run, demo_stub: Stub) -> None:
    """`--demo` itself would lead nowhere: the person removed the household from that profile."""
    demo_stub.refuse("GET", "/plan/view", 500, "NO_CONNECTIONS", "No bank is linked yet.")
    ended = looked_at("--demo")
    assert (ended.code, ended.err) == (0, "")
    assert b"finplan --demo connect demo" in ended.out


def test_removing_the_demo_says_that_it_stays_removed(finplan: Run, demo_stub: Stub) -> None:
    """The person learns at once that no later start brings it back, and which command does."""
    (record, *_) = made_up_bank.connections()
    demo_stub.answer("GET", "/connections", [record])
    demo_stub.answer("DELETE", f"/connections/{record.connection.id}", record)
    ended = finplan("--demo", "connections", "remove", record.connection.id, "--yes")
    assert ended.code == 0
    assert "To link it again: `finplan --demo connect demo`." in ended.err


class _Became(Exception):
    pass


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command line of what this process would become, in a terminal of its own."""
    commands: list[list[str]] = []

    def become(_program: str, command: list[str], _environment: dict[str, str]) -> None:
        commands.append(command)
        raise _Became

    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setattr(tui, "_has_terminal", lambda: True)
    return commands


def test_it_says_that_it_needs_a_terminal(finplan: Run, home: Path) -> None:
    """In a pipe it ends with exit code 2 and names commands that print, and starts no daemon."""
    ended = finplan("tui")
    assert ended.code == 2
    assert "needs a terminal" in ended.err
    assert "finplan snapshot" in ended.err
    assert not (home / "default" / "finplan.db").exists()


def test_it_has_no_json(finplan: Run, home: Path) -> None:
    """`--json` is a usage error that names the way."""
    ended = finplan("tui", "--json")
    assert ended.code == 2
    assert "`finplan snapshot --json`" in ended.err


def test_it_becomes_the_program(
    finplan: Run,
    stub: Stub,
    became: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Once the daemon answers it becomes the program, for the profile, screen and folder asked."""
    folder = tmp_path / "my files"
    folder.mkdir()
    monkeypatch.chdir(folder)
    finplan("tui", "questions", "--screen-reader")
    [command] = became
    assert command[1:] == [
        "-m", "finplan.tui", "--profile", "default", "--open", "questions",
        "--folder", str(folder), "--screen-reader",
    ]  # fmt: skip


def test_the_screens_are_those_that_there_are() -> None:
    """The command knows each screen by its name, as the program does."""
    assert list(get_args(tui.ScreenName)) == [each.name for each in PLACES]


def test_another_screen_is_refused(finplan: Run, home: Path, became: Any) -> None:
    """A screen that there is none of is a usage error that names those there are."""
    ended = finplan("tui", "budget")
    assert ended.code == 2
    assert "overview" in ended.err


BY_ENVELOPE = (
    (400, "BAD_REQUEST", 3),
    (413, "PAYLOAD_TOO_LARGE", 3),
    (415, "UNSUPPORTED_MEDIA_TYPE", 3),
    (422, "UNPROCESSABLE_CONTENT", 3),
    (404, "NOT_FOUND", 4),
    (409, "CONFLICT", 4),
    (401, "UNAUTHORIZED", 5),
    (403, "FORBIDDEN", 5),
    (421, "MISDIRECTED_REQUEST", 5),
    (500, "BANK_PROVIDER_ERROR", 6),
    (500, "NO_CONNECTIONS", 6),
    (500, "UNSUPPORTED_PROVIDER", 6),
    (500, "INTERNAL_SERVER_ERROR", 1),
    (507, "INSUFFICIENT_STORAGE", 1),
    (429, "TOO_MANY_REQUESTS", 1),
)


def assert_one_sentence(ended: Ended, code: int) -> None:
    assert ended.code == code
    assert ended.out == b""
    assert ended.err.startswith("finplan: ")
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("with_json", [True, False])
@pytest.mark.parametrize(("status", "code", "exit_code"), BY_ENVELOPE)
def test_an_error_of_the_daemon(
    finplan: Run, stub: Stub, status: int, code: str, exit_code: int, with_json: bool
) -> None:
    """Each error has its exit code; with --json as well it is a sentence and no envelope."""
    stub.refuse("GET", "/wealth", status, code, "What happened.\nWhat to do.")
    ended = finplan("wealth", *(["--json"] if with_json else []))
    assert_one_sentence(ended, exit_code)
    expected = NO_BANK_YET if code == "NO_CONNECTIONS" else "What happened. What to do."
    assert ended.err == f"finplan: {expected}\n"


def test_what_does_not_fit_is_named(finplan: Run, stub: Stub) -> None:
    """What the daemon refuses is told by the option as it was typed."""
    issues = [{"message": "This must be less than 60", "path": ["targetMonths"]}]
    stub.refuse(
        "PATCH", "/settings", 400, "BAD_REQUEST", "Input validation failed", {"issues": issues}
    )
    ended = finplan("settings", "set", "--fund-months", "7")
    assert_one_sentence(ended, 3)
    assert ended.err.startswith("finplan: --fund-months: ")
    assert ended.err.endswith(" less than 60.\n")


@pytest.mark.parametrize(
    "line",
    [
        "settings set --fund-months 99",
        "settings set --currency dollars",
        "accounts set acc_a1k3f9x2m7q4w8r1t5v6y0z --balance much",
        "snapshot --income -5",
    ],
)
def test_bad_input_is_told_without_asking(finplan: Run, stub: Stub, line: str) -> None:
    """What cannot fit is refused here like the daemon would: exit code 3, one sentence."""
    account = made_up_bank.accounts()[0]
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", f"/accounts/{account.account.id}", account)
    assert_one_sentence(finplan(*line.split()), 3)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "plan bild",
        "wealth --wide",
        "wealth extra",
        "spending --by payee",
        "spending --from yesterday",
        "spending --from 2025-13",
        "spending --to 2025-02-30",
        "transactions --limit 0",
        "transactions --limit many",
        "accounts show",
        "accounts set acc_1",
        "settings set",
        "settings set --budget 50/30/30",
        "settings set --fund-months some",
        "tasks answer tsk_1 dining --dismiss",
        "tasks answer",
        "rules list --source user --json",
        "import",
        "wealth --profile",
        "wealth --demo --profile other",
        "nosuch",
    ],
)
def test_a_usage_error(finplan: Run, line: str) -> None:
    """A command that cannot be meant is told from bad input: exit code 2, and where help is."""
    assert_one_sentence(finplan(*line.split()), 2)


ACCOUNT = made_up_bank.accounts()[0].account.id


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import card.csv --currency euro", "--currency must be a three-letter code"),
        ("import card.csv --kind foo", "'foo' is not one of 'checking'"),
        ("spending --by monthz", "'monthz' is not one of 'category', 'merchant', 'tag', 'month'"),
        ("settings set --fund-months 999", "--fund-months must be a number of months from 0 to 60"),
        (f"accounts set {ACCOUNT} --apr 2000", "--apr must be a yearly rate in percent, from 0 to"),
        (f"accounts set {ACCOUNT} --limit -5", "--limit must be an amount of 0 or more"),
        (f"accounts set {ACCOUNT} --name=", "NAME must be a name of 1 to 200 characters"),
        ("keys create ", "NAME must be a name of 1 to 200 characters"),
        (
            "invites create --email nonsense",
            "--email must be an email address, like ada@example.org",
        ),
        ("me set --email a@b@c", "--email must be an email address, like ada@example.org"),
        ("rules set  dining", "PAYEE must be a payee"),
        ("transactions --limit 0", "'--limit': it must be 1 or more"),
        ("transactions --limit many", "'--limit': it must be a whole number"),
    ],
)
def test_no_validator_speaks_to_people(
    finplan: Run, stub: Stub, tmp_path: Path, line: str, told: str
) -> None:
    """What does not fit is told by its option and with what it takes, never as a validator says it."""
    (tmp_path / "card.csv").write_text("Date,Amount\n")
    line = line.replace("card.csv", str(tmp_path / "card.csv"))
    stub.answer("GET", f"/accounts/{ACCOUNT}", made_up_bank.accounts()[0])
    stub.answer("GET", "/categories", made_up.category_choices())
    ended = finplan(*line.split(" "))
    assert_one_sentence(ended, ended.code)
    assert ended.code in (2, 3)
    assert told in ended.err
    for raw in ("String should", "Input should", "Value error"):
        assert raw not in ended.err


def test_several_rules_are_named_in_good_english(finplan: Run, stub: Stub) -> None:
    """A name that fits several rules is told in the plural."""
    rules = [
        rule.model_copy(update={"payee_key": f"coffee {rule.id[4]}", "source": "user"})
        for rule in made_up.rules()[:2]
    ]
    stub.answer("GET", "/categories/rules", rules)
    ended = finplan("rules", "remove", "coffee")
    assert "'coffee' matches 2 " in ended.err


def test_a_slip_of_the_finger_is_understood(finplan: Run) -> None:
    """A command or option that does not exist names the one with a similar name."""
    assert "'plan'" in finplan("paln").err
    assert "'build'" in finplan("plan", "biuld").err
    assert "--json" in finplan("wealth", "--jsn").err


def test_a_profile_that_cannot_be(finplan: Run) -> None:
    """A profile's name that cannot be a folder's is bad input."""
    assert_one_sentence(finplan("wealth", "--profile", "../elsewhere"), 3)


def test_an_unknown_id(finplan: Run, stub: Stub) -> None:
    """A name that means nothing is told with those that are near: exit code 4."""
    account = {
        "id": "acc_a1k3f9x2m7q4w8r1t5v6y0z",
        "connectionId": "con_1",
        "institutionName": "Bank",
        "name": "Checking",
        "mask": None,
        "kind": "depository",
        "subtype": None,
        "balance": 0,
        "creditLimit": None,
    }
    stub.answer("GET", "/accounts", [account])
    ended = finplan("accounts", "show", "chequing")
    assert_one_sentence(ended, 4)
    assert "'Checking'" in ended.err


def test_a_surprise_leaves_its_details_in_a_file(
    finplan: Run, stub: Stub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of finplan's own is one sentence that names the file with the traceback; exit code 1.

    Neither holds what a terminal obeys.
    """

    def stumble(_self: session.Session, _content: bytes) -> None:
        raise ValueError("surplus\x1b[31m\u202e")

    stub.answer("GET", "/wealth", b"{}")
    monkeypatch.setattr(session.Session, "print_raw", stumble)
    ended = finplan("wealth", "--json")
    assert_one_sentence(ended, 1)
    crash = home / "default" / "crash.log"
    assert str(crash) in ended.err
    assert "in stumble" in crash.read_text()
    assert (ended.err + crash.read_text()).replace("\n", "").isprintable()
    assert crash.stat().st_mode & 0o077 == 0


@pytest.mark.thorough
def test_no_daemon_can_be_reached(
    finplan: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A daemon that cannot start is told with what it said; exit code 7."""
    monkeypatch.setattr(connect, "WORTH_SAYING", LONG_ENOUGH)
    (home / "default").mkdir()
    (home / "default" / "finplan.db").write_bytes(b"this is no database at all")
    ended = finplan("wealth")
    assert_one_sentence(ended, 7)


FOLDER = Path(package.__file__).parent.parent / "completions"


@pytest.fixture
def offered(home: Path, capfdbinary: pytest.CaptureFixture[bytes]):  # type: ignore[no-untyped-def]
    """What is offered for the last of some words, each with what it is."""

    def offer(*words: str) -> dict[str, str]:
        assert complete(words) == 0
        captured = capfdbinary.readouterr()
        assert captured.err == b""
        return dict(line.split("\t") for line in captured.out.decode().splitlines())

    return offer


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_kept_scripts_are_those_that_are_printed(shell: str) -> None:
    """Who packages the program takes the file that `finplan completions` prints."""
    path = FOLDER / f"finplan.{shell}"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(SCRIPTS[shell], encoding="utf-8")
    assert path.read_text(encoding="utf-8") == SCRIPTS[shell]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("spend",), "spending"),
        (("",), next(iter(COMMANDS))),
        (("accounts", ""), "list"),
        (("accounts", "sh"), "show"),
        (("--demo", "spend"), "spending"),
        (("--profile", "other", "spend"), "spending"),
        (("spending", "--mon"), "--monthly"),
        (("spending", "--by", "m"), "merchant"),
        (("spending", "--by=mo"), "--by=month"),
        (("export", "--format", "hl"), "hledger"),
        (("plan", "explain", "em"), "emergencyFund"),
        (("spending", "--period", "'last m"), "last month"),
        (("daemon", "jobs", "ru"), "run"),
        (("settings", "set", "--cur"), "--currency"),
    ],
)
def test_what_may_stand_next_is_offered(offered, words, first) -> None:  # type: ignore[no-untyped-def]
    """The first thing that is offered begins as the word does, or is the first of the list."""
    assert next(iter(offered(*words))) == first


def test_no_daemon_is_started_for_a_key(offered, home: Path) -> None:  # type: ignore[no-untyped-def]
    """Where no daemon runs, names are not offered, and nothing is left behind."""
    assert offered("spending", "--category", "") == {}
    assert list(home.iterdir()) == []


def test_names_come_from_the_daemon_that_runs(offered, stub: Stub) -> None:  # type: ignore[no-untyped-def]
    """Categories are offered by their ids, with their labels, of those alone that begin so."""
    plain = {"line": "essential", "custom": False, "reimbursable": False}
    rows = [
        {"category": "groceries", "label": "Groceries", **plain},
        {"category": "rent", "label": "Rent", **plain},
    ]
    stub.answer("GET", "/categories", rows)
    assert offered("spending", "--category", "gr") == {"groceries": "Groceries"}
    assert {each.method for each in stub.asked} == {"GET"}


def test_what_strangers_wrote_is_one_line_of_data(offered, stub: Stub) -> None:  # type: ignore[no-untyped-def]
    """A payee's name neither ends its line nor commands a terminal."""
    group = {"key": "x", "label": "a\nb\t\x1b[31m$(touch y)", "total": 1, "count": 1, "share": 1.0}
    report = {"from": "2026-01-01", "to": "2026-01-02", "groupBy": "merchant", "total": 1}
    stub.answer("GET", "/spending", {**report, "count": 1, "groups": [group], "recorded": None})
    (name,) = offered("spending", "--merchant", "")
    assert name.isprintable()
    assert name.startswith("a b")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("plain", "plain"),
        ("whole\\ fo", "whole fo"),
        ("'whole fo", "whole fo"),
        ('"a', "a"),
        ("", ""),
    ],
)
def test_a_word_is_read_as_the_shell_would(typed: str, meant: str) -> None:
    """Quotes that are not closed yet and escaped spaces are those of the word."""
    assert unquoted(typed) == meant


def shell_env(tmp_path: Path) -> dict[str, str]:
    """Where `finplan` is the program of this checkout, in a home of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "finplan"
    root = Path(package.__file__).parent.parent
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m finplan "$@"\n')
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {
        **os.environ,
        "PATH": path,
        "FINPLAN_HOME": str(tmp_path / "home"),
        "HOME": str(tmp_path),
    }


def test_bash_completes(tmp_path: Path) -> None:
    """A real bash offers commands, and quotes what has a space."""
    asks = (
        f'source "{FOLDER}/finplan.bash"; compopt() {{ :; }}\n'
        "COMP_WORDS=(finplan spend); COMP_CWORD=1; _finplan; echo ${COMPREPLY[@]}\n"
        'COMP_WORDS=(finplan spending --period "\'last m"); COMP_CWORD=3; _finplan\n'
        "echo ${COMPREPLY[@]}\n"
    )
    ended = subprocess.run(
        ["bash", "-c", asks], env=shell_env(tmp_path), capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines() == ["spending", "last\\ month"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(tmp_path: Path) -> None:
    """A real fish offers commands with what they are for."""
    asks = f'source "{FOLDER}/finplan.fish"; complete -C "finplan spend"'
    ended = subprocess.run(
        ["fish", "-c", asks], env=shell_env(tmp_path), capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines()[0].split("\t")[0] == "spending"


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    """A real zsh completes a command that is the only one to begin so."""
    asks = (
        "zmodload zsh/zpty; zpty z zsh -f -i\n"
        "zpty -w z 'PS1=; autoload -U compinit; compinit -u -D;"
        f' source "{FOLDER}/finplan.zsh"; echo ready\'\n'
        "zpty -r z told '*ready*ready*'\n"
        "zpty -n -w z $'finplan spend\\t'\n"
        "zpty -r -m z told '*spending*' && print -r -- completed\n"
    )
    ended = subprocess.run(
        ["zsh", "-f", "-c", asks],
        env=shell_env(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "completed" in ended.stdout


@pytest.mark.parametrize("offered", PERIODS)
def test_each_period_that_is_offered_is_one(offered: str) -> None:
    """What a shell completes for days is read as days by the command that it completes."""
    paydays = [date(2026, month, 1) for month in range(1, 13)]
    assert read_period(offered, date(2026, 3, 18), paydays).since is not None


def test_commands_that_are_named_are_of_this_profile(finplan: Run, demo_stub: Stub) -> None:
    """Who pastes one acts on the household that it was said of, whatever said it."""
    demo_stub.answer("GET", "/plan/view", made_up.view())
    demo_stub.answer("GET", "/settings", made_up.household_settings())
    demo_stub.refuse("GET", "/tasks", 404, "NOT_FOUND", "None. `finplan plan build` makes one.")
    shown, refused = finplan("--demo", "plan"), finplan("--demo", "tasks")
    said = f"{shown.out.decode()}{shown.err}{refused.err}"
    assert re.findall("`finplan [a-z]|: finplan plan", said) == []
    assert "finplan --demo plan show --all" in said
    assert "`finplan --demo plan build`" in said


def test_the_checkup_names_commands_of_this_profile(home: Path) -> None:
    """What it advises mends the profile that it looked at, whoever reads it."""
    fault = SettingFault("currency", "FINPLAN_CURRENCY is odd.", "Say `finplan settings`.")
    (found,) = (
        each for each in findings(load_settings("demo"), [fault]) if each.name == "settings"
    )
    assert found.advice == "Say `finplan --demo settings`."
