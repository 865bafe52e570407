"""What a person types is read exactly, or refused in a sentence.

What contradicts itself is refused: no word of a person is dropped in silence.
"""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, strategies as st

from finplan.cli.app import root
from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import GlobalOptions
from finplan.cli.console.typed_values import first_day, last_day, minor
from finplan.model.characters import SHORTEST_ID, shortened
from finplan.model.figures import SYMBOLS, money
from finplan.model.money import LARGEST_AMOUNT
from tests.cli.conftest import Run
from tests.cli.stub import Stub

ids = st.lists(
    st.text("abc123", min_size=24, max_size=24).map(lambda rest: f"tsk_{rest}"),
    min_size=1,
    max_size=8,
    unique=True,
)


@given(st.dates(min_value=date(1, 1, 1)))
def test_a_day_is_itself_at_both_ends(day: date) -> None:
    """A whole day is the first and the last day of itself."""
    text = day.isoformat()
    assert first_day(text) == last_day(text) == day


@given(st.integers(1900, 2200), st.integers(1, 12))
def test_a_month_has_its_own_ends(year: int, month: int) -> None:
    """A month begins on its first day and ends on the day before the next one."""
    text = f"{year}-{month:02}"
    assert first_day(text) == date(year, month, 1)
    assert (last_day(text) + timedelta(days=1)).day == 1
    assert last_day(text).month == month
    assert (first_day(str(year)), last_day(str(year))) == (date(year, 1, 1), date(year, 12, 31))


@pytest.mark.parametrize(
    "text", ["", "today", "2025-13", "2025-02-30", "25-01-01", "2025/01/01", "0000", "2025-00"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    """What the calendar does not have is a usage error at both ends of a period."""
    for read in (first_day, last_day):
        with pytest.raises(typer.BadParameter):
            read(text)


@given(st.integers(-LARGEST_AMOUNT, LARGEST_AMOUNT), st.sampled_from(["USD", "JPY", "KWD"]))
def test_an_amount_reads_back_as_it_was_written(amount: int, currency: str) -> None:
    """Every amount that a person may say can be typed as it is shown, with its separators."""
    typed = money(amount, currency).replace(SYMBOLS.get(currency, currency), "").replace(" ", "")
    assert minor(typed, currency, "The amount") == amount


@pytest.mark.parametrize(
    "text", ["", "much", "1,84", "1.234", "--5", "1e5", "NaN", "12.", "9" * 20, "１２"]
)
def test_what_is_not_exact_is_refused(text: str) -> None:
    """An amount is never guessed or rounded."""
    with pytest.raises(CommandError) as refused:
        minor(text, "USD", "The amount")
    assert refused.value.code == BAD_INPUT


@given(ids)
def test_a_short_id_means_its_whole_one(whole: list[str]) -> None:
    """Every short id of a list, with or without its prefix, means the one it was made from."""
    candidates = [NamedId(each, ()) for each in whole]
    for each, short in shortened(whole).items():
        assert pick(short, candidates, "task", "finplan tasks") == each
        assert pick(short.partition("_")[2], candidates, "task", "finplan tasks") == each
        assert len(short) >= len("tsk_") + SHORTEST_ID


def test_ids_that_are_short_already_stay() -> None:
    """Ids of any length can be shortened, also when one begins another."""
    assert shortened(["auto_2", "auto_25", "auto_1"]) == {
        each: each for each in ("auto_2", "auto_25", "auto_1")
    }
    assert shortened(["same", "same"]) == {"same": "same"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("acc_aaaa1", "acc_aaaa1"),
        ("checking", "acc_bbbb2"),
        ("joint", "acc_cccc3"),
        ("4410", "acc_aaaa1"),
    ],
)
def test_a_thing_is_found_by_what_people_call_it(typed: str, meant: str) -> None:
    """An id wins, then a whole name, then a part of one; case does not matter."""
    assert pick(typed, _accounts(), "account", "finplan accounts") == meant


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("check", "2 accounts"),
        ("checkin", "2 accounts"),
        ("chekcing", "'Checking'"),
        ("", "No account"),
    ],
)
def test_a_name_that_is_not_clear_is_told(typed: str, told: str) -> None:
    """What could be several names them, what is none names what is near; never a guess."""
    with pytest.raises(CommandError) as refused:
        pick(typed, _accounts(), "account", "finplan accounts")
    assert refused.value.code == NOT_THERE
    assert told in str(refused.value)


def _accounts() -> list[NamedId]:
    return [
        NamedId("acc_aaaa1", ("Rewards Card", "4410")),
        NamedId("acc_bbbb2", ("Checking",)),
        NamedId("acc_cccc3", ("Joint checking",)),
    ]


def test_only_a_whole_id_is_taken_at_its_word() -> None:
    """A whole id needs no look at the list; anything shorter does."""
    assert is_whole("acc_a1k3f9x2m7q4w8r1t5v6y0z")
    assert not any(map(is_whole, ("acc_a1k3", "checking", "acc_", "ACC_A1K3F9X2M7Q4W8R1T5V6Y0Z")))


def test_a_part_of_a_name_begins_where_a_word_does() -> None:
    """What stands inside a word names nothing, so that "fun" files no spending under "Tax refund"."""
    categories = [NamedId("tax_refund", ("Tax refund",)), NamedId("cat_0", ("東京電力",))]

    assert pick("refund", categories, "category", "finplan categories") == "tax_refund"
    assert pick("電力", categories, "category", "finplan categories") == "cat_0"
    with pytest.raises(CommandError) as refused:
        pick("fun", categories, "category", "finplan categories")
    assert "'Tax refund' (tax_refu)" in str(refused.value)


@pytest.mark.parametrize(
    "typed", ["", " ", ".", "-", "tsk", "tsk_", "tsk_9", "9", "tsk_9f2", "9f2", "_", "t"]
)
@pytest.mark.parametrize("exact", [False, True])
def test_too_little_of_an_id_acts_on_nothing(typed: str, exact: bool) -> None:
    """Nothing, signs, the prefix of every id or less than four characters of one name no thing."""
    only = [NamedId("tsk_9f2kxxxxxxxxxxxxxxxxxxxxx", ("- . Kate",))]
    with pytest.raises(CommandError):
        pick(typed, only, "open question", "finplan tasks", exact=exact)
    for enough in ("tsk_9f2k", "9f2k", "TSK_9F2KX"):
        assert pick(enough, only, "open question", "finplan tasks", exact=exact) == only[0].id


def test_things_of_one_name_are_told_apart_by_what_is_known_of_them() -> None:
    """Up to six that could be meant are listed with id, name and what differs; more are counted."""
    meant = [
        NamedId(f"tsk_{place}" + "x" * 23, ("Kate",), f"{place} charges") for place in range(8)
    ]
    with pytest.raises(SeveralMeant) as refused:
        pick("kate", meant[:6], "open question", "finplan tasks")
    listed = ", ".join(f"tsk_{place}xxx (Kate, {place} charges)" for place in range(6))
    assert f"6 open questions: {listed}." in str(refused.value)
    assert refused.value.code == NOT_THERE
    assert refused.value.meant == tuple(meant[:6])
    with pytest.raises(SeveralMeant, match=r"5 charges\) and 2 more.* `finplan tasks`"):
        pick("kate", meant, "open question", "finplan tasks")


def test_what_an_id_has_before_its_own_letters_is_no_part_of_it() -> None:
    """The id of a rule for one direction says so; four letters of its own are needed behind that."""
    rules = [
        NamedId(f"rule_in_{start}xxxxxxxxxxxxxxxxxxxxx", ("kate",)) for start in ("k3f", "k3g")
    ]
    short = shortened([each.id for each in rules])
    assert list(short.values()) == ["rule_in_k3fx", "rule_in_k3gx"]
    assert pick("rule_in_k3fx", rules, "rule", "finplan rules") == rules[0].id
    for typed in ("in_k3", "rule_in_k3f", "in_k3fx"):
        with pytest.raises(CommandError, match="rule"):
            pick(typed, rules[:1], "rule", "finplan rules")


def test_an_id_that_is_cut_too_short_is_told_by_what_begins_so() -> None:
    """At most six are named; without the prefix, or with nothing behind it, it is no id."""
    hooks = [NamedId(f"whk_63{n}a{'x' * 20}", (f"h{n}.example",), "plan.built") for n in range(8)]
    hooks.append(NamedId("whk_7" + "x" * 20, ("other.example",)))
    with pytest.raises(CommandError) as refused:
        pick("whk_63", hooks, "webhook", "finplan webhooks list")
    assert str(refused.value).startswith("'whk_63' is too short")
    assert str(refused.value).endswith(
        " whk_630a (h0.example, plan.built), whk_631a (h1.example, plan.built),"
        " whk_632a (h2.example, plan.built), whk_633a (h3.example, plan.built),"
        " whk_634a (h4.example, plan.built), whk_635a (h5.example, plan.built) and 2 more?"
    )
    with pytest.raises(CommandError, match=r" whk_7xxx \(other.example\)\?"):
        pick("whk_7", hooks, "webhook", "finplan webhooks list")
    for typed in ("63", "whk_", "whk_8", "whk_63ab"):
        with pytest.raises(CommandError, match=r"`finplan webhooks list`\.$"):
            pick(typed, hooks, "webhook", "finplan webhooks list")


def test_six_that_begin_so_are_all_named() -> None:
    """Then none is left to be counted."""
    hooks = [NamedId(f"whk_63{n}a{'x' * 20}", ("h",)) for n in range(6)]
    with pytest.raises(CommandError, match=r"and [0-9]+ more") as refused:
        pick("whk_63", [*hooks, NamedId("whk_63zzzzzzzz", ())], "webhook", "finplan webhooks list")
    assert "and 1 more?" in str(refused.value)
    with pytest.raises(CommandError) as refused:
        pick("whk_63", hooks, "webhook", "finplan webhooks list")
    assert str(refused.value).endswith("whk_635a (h)?")


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command with the words that call it."""
    yield words, command
    context = typer.Context(command, obj=GlobalOptions())
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(context, name), (*words, name))


OPTIONS = [
    (words, option)
    for words, command in commands(typer.main.get_command(root))
    for option in command.params
    if option.param_type_name == "option" and "--profile" not in option.opts
]
OPPOSITES = [
    (*words, option.opts[0], option.secondary_opts[0])
    for words, option in OPTIONS
    if option.is_flag and option.secondary_opts
]
SINGLE = [
    (*words, f"{option.opts[0]}=1", f"{option.opts[-1]}=2")
    for words, option in OPTIONS
    if not (option.is_flag or option.multiple)
]


def test_the_opposites_are_seen() -> None:
    """The table is made of the commands themselves, so that a new pair is in it."""
    assert ("webhooks", "change", "--disable", "--enable") in OPPOSITES
    assert ("accounts", "set", "--hide", "--show") in OPPOSITES
    assert len(OPPOSITES) >= 6
    assert len(SINGLE) > 30


@pytest.mark.parametrize("line", OPPOSITES, ids=" ".join)
def test_opposites_are_refused(finplan: Run, line: tuple[str, ...]) -> None:
    """In either order; neither is taken for what was meant."""
    *words, one, other = line
    for typed in ((one, other), (other, one)):
        ended = finplan(*words, *typed)
        assert (ended.code, ended.out) == (2, b"")
        assert f"{one} and {other} are opposites" in ended.err


@pytest.mark.parametrize("line", SINGLE, ids=" ".join)
def test_one_value_is_not_given_twice(finplan: Run, line: tuple[str, ...]) -> None:
    """The last one would win, and the first be lost without a word."""
    ended = finplan(*line)
    assert (ended.code, ended.out) == (2, b"")
    assert " takes one value, but you gave 2." in ended.err


def test_what_is_said_twice_alike_is_no_contradiction(finplan: Run, stub: Stub) -> None:
    """A flag that stands there twice, and one that stands in another option's value or behind `--`."""
    for line in (
        ("accounts", "set", "--hide", "--hide"),
        ("accounts", "set", "--name", "--show", "--hide"),
        ("accounts", "set", "--hide", "--", "--show"),
        ("transactions", "list", "--category", "a", "--category", "b", "--limit", "x"),
        ("daemon", "logs", "-n", "x"),
    ):
        ended = finplan(*line)
        assert "takes one value" not in ended.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--profile a accounts --profile b", "--profile has two values: 'a' and 'b'"),
        ("--profile a --profile b accounts", "--profile takes one value"),
        ("accounts --demo --profile x", "--demo means the profile 'demo'"),
        ("tasks answer venmo rent --sure 90", "--sure needs --all-suggested."),
        ("tasks answer --sure 80", "--sure needs --all-suggested."),
        ("tasks answer --from a.json --sure 80", "--sure needs --all-suggested."),
        ("tasks answer venmo rent --dismiss", "CATEGORY, --each and --dismiss"),
        ("tasks answer --all-suggested --from a.json", "--all-suggested or --from on its own"),
        ("transactions set tx_1000 dining --clear", "either CATEGORY or --clear"),
        ("transactions note tx_1000 hello --clear", "either TEXT or --clear"),
        ("spending --monthly --by month", "needs --by category"),
        ("spending --period may --from 2026-01-01", "--from and --to, not both"),
        ("export --json --format csv", "--format csv"),
        ("export a.csv --format json", "a.csv means the format csv, not json"),
        ("export a.json --format hledger", "a.json means the format json, not hledger"),
        ("export a.csv --json", "a.csv means the format csv, not json"),
        ("plan show --html a.html --json", "--json cannot be combined"),
        ("categories add Pets --suggested --line essential", "Use --suggested without"),
    ],
)
def test_what_cannot_go_together_is_told(finplan: Run, line: str, told: str) -> None:
    """A usage error that names both, before anything is asked or written."""
    ended = finplan(*line.split())
    assert (ended.code, ended.out) == (2, b"")
    assert told in ended.err


def test_only_reading_is_said_before_or_after_the_command(
    finplan: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that shall only read gets no more for the place where that stands."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for line in (
        ("mcp", "--read-only", "install", "cursor", "--print", "--json"),
        ("mcp", "install", "cursor", "--read-only", "--print", "--json"),
    ):
        entry = json.loads(finplan(*line).out)["entry"]["mcpServers"]["finplan"]
        assert entry["args"][-2:] == ["serve", "--read-only"]
    entry = json.loads(finplan("mcp", "install", "cursor", "--print", "--json").out)["entry"]
    assert entry["mcpServers"]["finplan"]["args"][-1] == "serve"
