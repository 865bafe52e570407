"""Whoever mistypes a name, an id, a category or a period is told what to do next."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, USAGE
from finplan.settings import load_settings
from tests.cli.conftest import Run
from tests.cli.test_answers import commands
from tests.handbook.shown import served

LISTED: tuple[tuple[str, int, str], ...] = (
    ("spending --merchant nosuch", BAD_INPUT, "spending --by merchant"),
    ("spending --category nosuch", BAD_INPUT, "categories"),
    ("transactions --merchant nosuch", BAD_INPUT, "spending --by merchant"),
    ("transactions --category nosuch", BAD_INPUT, "categories"),
    ("transactions --account nosuch", NOT_THERE, "accounts"),
    ("transactions show nosuch", NOT_THERE, "transactions find nosuch"),
    ("transactions show tx_999999999", NOT_THERE, "transactions list"),
    ("transactions set nosuch groceries", NOT_THERE, "transactions find nosuch"),
    ("transactions set tx_812 nosuch", BAD_INPUT, "categories"),
    ("transactions split tx_812 nosuch=1 groceries=rest", BAD_INPUT, "categories"),
    ("export x.csv --merchant nosuch", BAD_INPUT, "spending --by merchant"),
    ("export x.csv --category nosuch", BAD_INPUT, "categories"),
    ("accounts show nosuch", NOT_THERE, "accounts"),
    ("accounts set nosuch --name x", NOT_THERE, "accounts"),
    ("accounts remove nosuch", NOT_THERE, "accounts"),
    ("accounts balances nosuch", NOT_THERE, "accounts"),
    ("planned set nosuch --amount 1", NOT_THERE, "planned"),
    ("planned remove nosuch", NOT_THERE, "planned"),
    ("planned add Trip 20 --on 2199-07 --category nosuch", BAD_INPUT, "categories"),
    ("tasks answer nosuch groceries", NOT_THERE, "tasks"),
    ("tasks answer venmo nosuch", BAD_INPUT, "categories"),
    ("tasks undo nosuch", NOT_THERE, "tasks list --answered"),
    ("rules set nosuch groceries", NOT_THERE, "transactions"),
    ("rules set nosuch nosuch2 groceries", NOT_THERE, "transactions"),
    ("rules set amazon nosuch", BAD_INPUT, "categories"),
    ("rules remove nosuch", NOT_THERE, "rules list --source user"),
    ("categories add X --line essential --payee nosuch", BAD_INPUT, "spending --by merchant"),
    ("categories rename nosuch X", NOT_THERE, "categories"),
    ("categories change nosuch --line essential", NOT_THERE, "categories"),
    ("categories remove nosuch", NOT_THERE, "categories"),
    ("categories dismiss nosuch", NOT_THERE, "categories suggestions"),
    ("categories add nosuch --suggested", NOT_THERE, "categories add NAME --line LINE"),
    ("recurring dismiss nosuch", NOT_THERE, "recurring"),
    ("transfers confirm nosuch", NOT_THERE, "transfers"),
    ("duplicates same nosuch", NOT_THERE, "duplicates"),
    ("imports undo nosuch", NOT_THERE, "imports"),
    ("imports forget nosuch", NOT_THERE, "imports profiles"),
    ("connections show nosuch", NOT_THERE, "connections"),
    ("connections sync nosuch", NOT_THERE, "connections"),
    ("connections remove nosuch", NOT_THERE, "connections"),
    ("connect nosuch", NOT_THERE, "import FILE"),
    ("connect plaid --link nosuch", NOT_THERE, "connections list"),
    ("keys revoke nosuch", NOT_THERE, "keys list"),
    ("clients revoke nosuch", NOT_THERE, "clients list"),
    ("agents revoke nosuch", NOT_THERE, "agents list"),
    ("invites revoke nosuch", NOT_THERE, "invites list"),
    ("sessions end nosuch", NOT_THERE, "sessions list"),
    ("webhooks show nosuch", NOT_THERE, "webhooks list"),
    ("mcp install nosuch", USAGE, "mcp install --help"),
    ("nosuch", USAGE, "--help"),
    ("accounts nosuch", USAGE, "accounts --help"),
)
"""What is mistyped, the exit code, and the command that is named for what to do next."""

TOLD: tuple[tuple[str, int, str], ...] = (
    ("spending --merchant amazn", BAD_INPUT, "Did you mean Amazon?"),
    ("spending --category grocries", BAD_INPUT, "Did you mean Groceries (groceries)?"),
    ("spending --by week", USAGE, "'category', 'merchant', 'tag', 'month'"),
    ("spending --csv --fields catgory", USAGE, "Fields: key, label, total"),
    ("spending --period 'lst month'", USAGE, "Did you mean 'last month'?"),
    ("spending --period nosuch", USAGE, "Write it like `last month`"),
    ("spending --period 'half a year'", USAGE, "Write `last half` or `last 6 months`."),
    ("spending --period 'letzten Monat'", USAGE, "`last month`."),
    ("spending --from nosuch", USAGE, "write YYYY-MM-DD"),
    ("plan explain nosuch", NOT_THERE, "The sections are window, snapshot"),
    ("plan explain grocries", NOT_THERE, "Did you mean groceries?"),
    ("transfers list --status nosuch", BAD_INPUT, "one of: paired, confirmed"),
    ("daemon jobs run nosuch", NOT_THERE, "Your jobs are sync, plan"),
    ("accounts add Home --kind hause", BAD_INPUT, "'hause' is not a kind of account"),
    ("accounts set savings --as-of 2025-06-30 --name x", USAGE, "Give it with --balance"),
    ("accounts set savings --kind crdit", BAD_INPUT, "Use checking, savings, credit, loan"),
    ("keys create x --scope nosuch", USAGE, "`service:read`, `service:write`"),
    ("settings set --time-zone Berln", BAD_INPUT, "such as Europe/Berlin."),
    ("settings set --time-zone america/newyork", BAD_INPUT, "such as America/New_York."),
    ("settings set --time-zone 'sao paulo'", BAD_INPUT, "such as America/Sao_Paulo."),
    ("settings set --time-zone nosuch", BAD_INPUT, "such as Europe/Berlin."),
    ("clients create x --redirect nosuch", BAD_INPUT, "write the whole address, such as https://"),
    ("rules set amazn groceries", NOT_THERE, "Did you mean amazon?"),
    ("spendng", USAGE, "Did you mean 'spending'?"),
)
"""What is mistyped, the exit code, and what is told where there are few, or one near it."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, household_store: Path) -> Iterator[Path]:
    """The demo household, in which what is mistyped changes nothing."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FINPLAN_HOME", str(home))
        patch.setenv("COLUMNS", "80")
        patch.chdir(home)
        place = load_settings().places.data
        place.mkdir(parents=True, mode=0o700)
        with served(place, household_store, "default"):
            yield home


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("line", "code", "next_command"), LISTED, ids=[each[0] for each in LISTED])
def test_the_next_command_is_named(finplan: Run, line: str, code: int, next_command: str) -> None:
    """One sentence says what is not there, and another one the command that goes on."""
    ended = finplan(*shlex.split(line))
    assert (ended.code, ended.out) == (code, b"")
    assert f"`finplan {next_command}`" in ended.err
    words = next_command.partition(" -")[0].split()
    assert not words or words[0].startswith("-") or words[0] in commands()
    assert len(words) < 2 or words[1].isupper() or " ".join(words[:2]) in commands()


@pytest.mark.parametrize(("line", "code", "told"), TOLD, ids=[each[0] for each in TOLD])
def test_what_there_is_is_told(finplan: Run, line: str, code: int, told: str) -> None:
    """Where there are few things to name they are named, and where one is near it is."""
    ended = finplan(*shlex.split(line))
    assert (ended.code, ended.out) == (code, b"")
    assert told in ended.err


def test_every_command_that_takes_a_name_is_mistyped() -> None:
    """Each command with a name of something that is there stands in one of the tables."""
    mistyped = [line for line, _, _ in (*LISTED, *TOLD)]
    naming = [
        each
        for each in commands()
        if re.search(r" (?:show|undo|remove|revoke|forget|confirm|same|end|rename|dismiss)$", each)
    ]
    alike = {
        "plan show": "takes no name",
        "settings show": "takes no name",
        "transactions undo": "transactions show",
        "recurring confirm": "recurring dismiss",
        "recurring undo": "recurring dismiss",
        "transfers undo": "transfers confirm",
        "duplicates undo": "duplicates same",
        "webhooks remove": "webhooks show",
    }
    lacking = {each for each in naming if not any(line.startswith(each) for line in mistyped)}
    assert lacking == set(alike)


MISSING = {
    "accounts set": "Missing argument 'ACCOUNT'. For example: `finplan accounts set visa --apr 21.99"
    " --limit 8000 --minimum-payment 35`. See `finplan accounts set --help`.",
    "completions": "Missing argument 'SHELL'. Choose from: bash, zsh, fish. For example: `finplan"
    " completions bash > ~/.finplan-completions.bash`. See `finplan completions --help`.",
    "transfers confirm": "Missing argument 'TRANSFER'. List them: `finplan transfers`. See `finplan"
    " transfers confirm --help`.",
    "tasks undo": "Missing argument 'TASK'. See `finplan tasks undo --help`.",
    "webhooks retry hook": "Missing argument 'DELIVERY'. See `finplan webhooks retry --help`.",
}


@pytest.mark.parametrize("typed", MISSING)
def test_what_is_missing_is_shown_by_an_example_or_a_list(finplan: Run, typed: str) -> None:
    """A command without what it takes shows how it is typed, or the command that lists what is meant."""
    ended = finplan(*typed.split())
    assert (ended.code, ended.err) == (USAGE, f"finplan: {MISSING[typed]}\n")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "spending 'eating out'",
            "`--category 'eating out'` or `--merchant 'eating out'`",
        ),
        (
            "spending --by merchant a b",
            "`--category 'a b'` or `--merchant 'a b'`",
        ),
    ],
)
def test_a_name_without_its_option(finplan: Run, typed: str, told: str) -> None:
    """A command that narrows its answer by options says which ones take the name."""
    ended = finplan(*shlex.split(typed))
    assert ended.code == USAGE
    assert ended.err.endswith(f" {told}. See `finplan spending --help`.\n")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("accounts Checking", " To show it: `finplan accounts show Checking`."),
        (
            "transactions 'whole foods'",
            " To find it: `finplan transactions find 'whole foods'`.",
        ),
        ("accounts sohw", " Did you mean 'show'?"),
        ("plan groceries", ""),
        ("tasks groceries", ""),
    ],
)
def test_a_name_without_its_command(finplan: Run, typed: str, told: str) -> None:
    """A group says which of its commands takes a name, where one does and none is called nearly so."""
    group, word = shlex.split(typed)
    ended = finplan(group, word)
    assert ended.code == USAGE
    said = f"No such command '{word}'.{told}"
    assert ended.err == f"finplan: {said} See `finplan {group} --help`.\n"


@pytest.mark.parametrize("group", ["spending", "transactions"])
@pytest.mark.parametrize("words", ["last month", "2026-Q3", "march", "this pay period", "ytd"])
def test_days_without_their_option(finplan: Run, group: str, words: str) -> None:
    """Days in words are told their option, and are no name of anything."""
    ended = finplan(group, words)
    assert ended.code == USAGE
    said = f" `--period {shlex.quote(words)}`. See `finplan {group} --help`.\n"
    assert ended.err.endswith(said)


def test_a_word_that_no_option_takes(finplan: Run) -> None:
    """Where no option takes a name, the word is told and the help named."""
    told = "Unexpected argument: 2025. See `finplan wealth --help`."
    ended = finplan("wealth", "2025")
    assert (ended.code, ended.err) == (USAGE, f"finplan: {told}\n")
