"""Importing: what is refused before anything is sent, what is asked, and what Ctrl-C does."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from finplan.cli.console.errors import NOT_THERE
from finplan.cli.console.session import Session
from finplan.model.statement import ImportChoice, ImportQuestion, QuestionAbout
from finplan.views import imports
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Ended, Run
from tests.cli.stub import Answer, Stub
from tests.patience import LONG_ENOUGH
from tests.processes import running

IN_THE_FOREGROUND = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from finplan.__main__ import main
main()
"""
"""finplan as a terminal starts it. In the background, where tests may run, Ctrl-C is for nobody."""

REPORT = made_up_bank.import_report().model_dump_json().encode()
DRY_REPORT = made_up_bank.import_report(dry_run=True).model_dump_json().encode()


@pytest.fixture
def statement(tmp_path: Path) -> Path:
    """A small file, whatever it holds."""
    path = tmp_path / "card.csv"
    path.write_text("Date,Description,Amount\n2025-11-18,Coffee,-4.50\n")
    return path


@pytest.fixture
def import_card(finplan: Run, statement: Path) -> Run:
    """Import the statement by a command line that goes on with what is said."""
    return partial(finplan, "import", str(statement))


def fields(body: bytes) -> dict[str, str]:
    """The fields of a multipart form that are no files."""
    found = re.findall(rb'name="(\w+)"\r\n\r\n(.*?)\r\n', body)
    return {name.decode(): value.decode() for name, value in found}


def test_a_household_without_rows_is_something(import_card: Run, stub: Stub) -> None:
    """An export of settings and categories alone is not called nothing new."""
    _, _, empty, rows = made_up_bank.restoring_reports()
    for report, said in ((empty, "Imported."), (rows, "No new ")):
        stub.answer("POST", "/imports", report)
        assert import_card().err.startswith(said)


@pytest.mark.parametrize(
    ("said", "is_kept"),
    [
        (["--answer", "card.csv:direction=out"], True),
        (["--answer", "card.csv:direction=first:in"], False),
        (["--answer", "card.csv:accountKind=credit"], False),
        (["--answer", "card.csv:sameAccount=new"], False),
        (["--answer", "card.csv:sameAccount=Visa"], True),
        (["--answer", "card.csv:sameAccount=new", "--answer", "card.csv:dateOrder=dmy"], True),
        (["--same-account", "new"], False),
        (["--same-account", "Visa"], True),
        ([], False),
    ],
)
def test_answers_are_called_kept_where_a_later_file_is_read_by_them(
    import_card: Run, stub: Stub, said: list[str], *, is_kept: bool
) -> None:
    """What is about one file's first row, or about a new account alone, is asked again and not kept."""
    stub.answer("POST", "/imports", made_up_bank.restoring_reports()[3])
    ended = import_card(*said)
    assert ended.err.startswith("No new ")
    assert ("Saved your answers" in ended.err) == is_kept


def test_files_that_cannot_be_read_are_all_named(finplan: Run, stub: Stub, tmp_path: Path) -> None:
    """A missing file, a folder and one that may not be read get a sentence each; nothing is sent."""
    locked = tmp_path / "locked.csv"
    locked.touch(mode=0o000)
    ended = finplan("import", str(tmp_path / "missing.csv"), str(tmp_path), str(locked))
    lines = ended.err.splitlines()
    assert ended.code == 3
    assert "missing.csv: file not found." in lines[0]
    assert "this is a folder" in lines[1]
    # The superuser may read everything.
    assert len(lines) == (2 if os.geteuid() == 0 else 3)
    assert stub.asked == []


def test_a_name_much_like_a_files_is_asked_about(finplan: Run, stub: Stub, tmp_path: Path) -> None:
    """A missing file names those of its folder that may be meant, and a folder that is missing."""
    (tmp_path / "november.csv").touch()
    (tmp_path / "salary.ofx").touch()
    slip, elsewhere = tmp_path / "novembr.csv", tmp_path / "no" / "november.csv"
    ended = finplan("import", str(slip), str(elsewhere), str(tmp_path / "x"))
    assert ended.err.splitlines() == [
        f"finplan: {slip}: file not found. Did you mean {tmp_path / 'november.csv'}?",
        f"finplan: {elsewhere}: file not found. The folder {tmp_path / 'no'} does not exist.",
        f"finplan: {tmp_path / 'x'}: file not found.",
    ]
    assert stub.asked == []


def test_a_bare_name_that_is_no_file_asks_for_its_folder(
    finplan: Run, stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name without a folder that is nowhere here is told to come with where it is."""
    monkeypatch.chdir(tmp_path)
    ended = finplan("import", "nosuch.csv")
    assert ended.err.startswith("finplan: nosuch.csv: ")
    assert ended.err.endswith(" ~/Downloads/statement.csv.\n")
    assert stub.asked == []


def test_what_is_typed_travels_with_the_files(import_card: Run, stub: Stub) -> None:
    """Options travel as the fields of the form, and every import has an id made here."""
    stub.answer("POST", "/imports", REPORT)
    ended = import_card("--json", "--account", "Visa", "--kind", "credit",
        "--currency", "eur", "--date-order", "dmy", "--encoding", "cp1252",
    )  # fmt: skip
    assert (ended.code, ended.out, ended.err) == (0, REPORT + b"\n", "")
    sent = fields(stub.asked[0].body)
    assert re.fullmatch(r"imp_[0-9a-z]{24}", sent.pop("id"))
    assert sent == {
        "account": "Visa",
        "accountKind": "credit",
        "currency": "EUR",
        "dateOrder": "dmy",
        "encoding": "cp1252",
    }
    assert b"2025-11-18,Coffee,-4.50" in stub.asked[0].body


def test_a_dry_run_has_no_id(import_card: Run, stub: Stub) -> None:
    """A dry run names no import."""
    stub.answer("POST", "/imports", DRY_REPORT)
    ended = import_card("--dry-run")
    assert (ended.code, ended.err) == (0, "")
    assert fields(stub.asked[0].body) == {"dryRun": "true"}


def test_the_way_back_is_told(import_card: Run, stub: Stub) -> None:
    """After an import the person is told how to undo exactly this one."""
    stub.answer("POST", "/imports", REPORT)
    ended = import_card()
    report = made_up_bank.import_report()
    assert f"Imported {imports.new_rows(report):,} transactions." in ended.err
    assert f"`finplan imports undo {report.id}`" in ended.err


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_next_step_is_told(import_card: Run, stub: Stub, count: int) -> None:
    """After an import comes the plan, and before it the questions that it rests on, if any is open."""
    stub.answer("POST", "/imports", REPORT)
    tasks = made_up.tasks()[:count]
    stub.answer("GET", "/tasks", tasks)
    ended = import_card()
    assert (ended.code, ended.err.endswith(f"{imports.next_step(count)}\n")) == (0, True)
    assert ("`finplan tasks answer`" in ended.err, "`finplan plan build`" in ended.err) == (
        count > 0,
        True,
    )
    assert stub.requests("GET", "/tasks")[0].query == {}


def test_an_import_is_done_even_if_nobody_knows_what_is_open(import_card: Run, stub: Stub) -> None:
    """Where the tasks cannot be had the import ends as it should, with the plan as the next step."""
    stub.answer("POST", "/imports", REPORT)
    stub.refuse("GET", "/tasks", 503, "UNAVAILABLE", "Busy.")
    ended = import_card()
    assert (ended.code, ended.err.endswith(f"{imports.next_step(0)}\n")) == (0, True)


def test_nothing_is_looked_up_where_nothing_was_imported(import_card: Run, stub: Stub) -> None:
    """A dry run and --json end with the report alone."""
    stub.answer("POST", "/imports", DRY_REPORT)
    assert "Next" not in import_card("--dry-run").err
    stub.answer("POST", "/imports", REPORT)
    assert import_card("--json").err == ""
    assert stub.requests("GET", "/tasks") == []


def test_what_nobody_can_answer_is_listed_with_options(import_card: Run, stub: Stub) -> None:
    """Without a person to ask, each choice stands with the option that picks it; exit code 4."""
    _ambiguous(stub)
    ended = import_card()
    assert (ended.code, ended.out) == (4, b"")
    assert ended.err == (
        "card.csv: Days and months could be either way round.\n"
        "  --date-order dmy\n"
        "      the day first (03/04 is 3 April)\n"
        "  --date-order mdy\n"
        "      the month first (03/04 is 4 March)\n"
        "finplan: Nothing was imported: 1 question is open. Answer each question with an"
        " option, or run the command in a terminal without --yes.\n"
    )


def test_questions_on_several_files_name_them(
    finplan: Run, stub: Stub, statement: Path, person: list[str]
) -> None:
    """Where several files leave something open, --answer says which; --yes asks nobody."""
    _refuse_with(stub, question(name="card.csv"), question(file=1, name="my bank.csv"))
    ended = finplan("import", str(statement), str(statement), "--yes")
    assert ended.code == 4
    assert "  --answer card.csv:dateOrder=dmy\n" in ended.err
    assert "  --answer 'my bank.csv:dateOrder=mdy'\n" in ended.err
    assert ": 2 questions are" in ended.err
    assert person == []


def test_accounts_of_one_file_take_an_answer_each(import_card: Run, stub: Stub) -> None:
    """Where a file is asked twice about the same, an option would answer both, so --answer is told."""
    choices: dict[str, tuple[str, str | None]] = {"new": ("another account", None)}
    _refuse_with(stub, *(question("sameAccount", "--same-account", choices) for _ in "AB"))
    assert import_card().err.count("  --answer card.csv:sameAccount=new\n") == 2


def test_an_option_can_be_pasted(import_card: Run, stub: Stub) -> None:
    """A choice that holds blanks is quoted, so that a shell takes it as one word."""
    _refuse_with(stub, question("account", "--account", {"export (1)": ("a new account", None)}))
    assert "  --account 'export (1)'\n" in import_card().err


def test_answers_go_by_place(finplan: Run, stub: Stub, statement: Path, tmp_path: Path) -> None:
    """A file is meant by its name, or by its path where names are alike."""
    other = tmp_path / "other" / "card.csv"
    other.parent.mkdir()
    other.write_text(statement.read_text())
    third = tmp_path / "a=b.csv"
    third.write_text(statement.read_text())
    stub.answer("POST", "/imports", REPORT)
    ended = finplan(
        "import", str(statement), str(other), str(third), "--answer", f"{other}:direction=marks:a=b",
        "--answer", "a=b.csv:dateOrder=dmy", "--account", f"{statement}=Blue Visa",
    )  # fmt: skip
    assert ended.code == 0
    assert json.loads(fields(stub.asked[0].body)["answers"]) == [
        {"file": 1, "about": "direction", "value": "marks:a=b"},
        {"file": 2, "about": "dateOrder", "value": "dmy"},
        {"file": 0, "about": "account", "value": "Blue Visa"},
    ]


def test_a_file_is_named_as_it_is_shown(finplan: Run, stub: Stub, tmp_path: Path) -> None:
    """What hides in a file's name is sent as little as it is shown, and need not be typed."""
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/ba\xe2\x80\xaenk;a\xff;b.csv"))
    file.write_text("Date,Description,Amount\n")
    stub.answer("POST", "/imports", REPORT)
    ended = finplan("import", str(file), "--yes", "--answer", "bank;a;b.csv:direction=out")
    assert ended.code == 0, ended.err
    (request,) = stub.requests("POST", "/imports")
    assert b'filename="bank%3Ba%3Bb.csv"' in request.body
    assert b'"direction"' in request.body


MISTYPED = {
    "no file": (["--answer", "other.csv:direction=out"], "is not FILE:ABOUT=VALUE"),
    "no value": (["--answer", "card.csv:direction="], "is not FILE:ABOUT=VALUE"),
    "no subject": (["--answer", "card.csv:way=out"], "unknown question 'way'"),
    "two accounts": (["--account", "A", "--account", "B"], "--account is given more than once"),
}


@pytest.mark.parametrize(("typed", "told"), MISTYPED.values(), ids=MISTYPED.keys())
def test_a_typo_sends_nothing(import_card: Run, stub: Stub, typed: list[str], told: str) -> None:
    """What is typed about a file has to name it and a subject; exit code 2."""
    ended = import_card(*typed)
    assert (ended.code, stub.asked) == (2, [])
    assert told in ended.err


def test_a_name_of_two_files_is_not_enough(finplan: Run, stub: Stub, statement: Path) -> None:
    """An answer for a name that two files have is refused with their paths."""
    other = statement.parent / "other" / "card.csv"
    other.parent.mkdir()
    other.write_text("")
    ended = finplan("import", str(statement), str(other), "--answer", "card.csv:direction=out")
    assert (ended.code, stub.asked) == (2, [])
    assert f": {statement}, {other}." in ended.err


def test_a_person_is_asked_once(import_card: Run, stub: Stub, person: "list[str]") -> None:
    """In a terminal the person chooses, sees what would happen, and agrees to exactly that."""
    _ambiguous(stub)
    person += ["2", "y"]
    assert import_card().code == 0
    first, second, third = (fields(each.body) for each in stub.requests("POST", "/imports"))
    assert first == {"dryRun": "true"}
    said = '[{"file":0,"about":"dateOrder","value":"mdy"}]'
    assert second == {"dryRun": "true", "answers": said}
    assert re.fullmatch(r"imp_[0-9a-z]{24}", third.pop("id"))
    assert third == {"answers": said, "digest": "d1"}


def test_a_person_names_their_account(import_card: Run, stub: Stub, person: "list[str]") -> None:
    """Accounts are offered by name and answered by id, and the answer travels with both requests."""
    giro, visa = "acc_a1k3f9x2m7q4w8r1t5v6y0z", "acc_b2k3f9x2m7q4w8r1t5v6y0z"
    choices = {giro: ("My Bank Giro", None), visa: ("My Bank Visa", None)}
    _ask_once(stub, question("account", "--account", choices))
    person += ["2", "y"]
    ended = import_card()
    assert ended.code == 0
    assert "  2  My Bank Visa\n" in ended.err
    assert "acc_" not in ended.err
    answers = [fields(each.body).get("answers") for each in stub.requests("POST", "/imports")]
    said = f'[{{"file":0,"about":"account","value":"{visa}"}}]'
    assert answers == [None, said, said]


@pytest.mark.parametrize(
    ("picked", "about"),
    [
        ("1", [(0, "sameAccount", "acc_1"), (1, "accountKind", "credit")]),
        (
            "2",
            [(0, "sameAccount", "new"), (1, "accountKind", "credit"), (0, "accountKind", "credit")],
        ),
    ],
)
def test_the_kind_of_an_account_that_is_there_is_not_asked(
    import_card: Run, stub: Stub, person: list[str], picked: str, about: list[tuple[int, str, str]]
) -> None:
    """Whether a file is of an account that is there comes first; its kind only if it is another one."""
    same = {"acc_1": ("the same account", None), "new": ("another account", None)}
    kinds = {"credit": ("a credit card", None)}
    own = question("accountKind", "--kind", kinds)
    other = question("accountKind", "--kind", kinds, file=1, name="other.csv")
    first = [question("sameAccount", "--same-account", same), own, other]
    _ask_in_turns(stub, first, *([[own]] if picked == "2" else []))
    person += [picked, *["1"] * (len(about) - 1), "y"]
    assert (import_card().code, person) == (0, [])
    sent = json.loads(fields(stub.requests("POST", "/imports")[-1].body)["answers"])
    assert [(each["file"], each["about"], each["value"]) for each in sent] == about


FILES = ("card.csv", "b.csv", "c.csv", "d.csv", "e.csv", "f.csv")


@pytest.mark.parametrize(
    ("typed", "default", "sent"),
    [
        (["1", ""], "[Y/n]", ["acc_1"] * 6),
        (["2", ""], "[y/N]", ["new", *["acc_1"] * 5]),
        (["2", "y"], "[y/N]", ["new"] * 6),
    ],
)
def test_one_answer_may_be_for_all_files(
    import_card: Run,
    stub: Stub,
    person: list[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: list[str],
    default: str,
    sent: list[str],
) -> None:
    """Months of an account are asked about once; that all are accounts of their own has to be said."""
    choices: dict[str, tuple[str, str | None]] = {
        "acc_1": ("the same account", None),
        "new": ("another account", None),
    }
    asked = (
        question("sameAccount", "--same-account", choices, file=place, name=name)
        for place, name in enumerate(FILES)
    )
    _ask_once(stub, *asked)
    prompts: list[str] = []
    answered = Session.ask

    def ask(session: Session, prompt: str) -> str:
        prompts.append(prompt)
        return answered(session, prompt)

    monkeypatch.setattr(Session, "ask", ask)
    # Who does not say it of all is asked of the next one, and says it of the rest.
    person += [*typed, *(["1", "y"] if len(set(sent)) > 1 else []), "y"]
    assert (import_card().code, person) == (0, [])
    assert prompts[1] == f"Use this answer for b.csv, c.csv, d.csv and 2 more files too? {default}"
    answers = json.loads(fields(stub.asked[1].body)["answers"])
    assert [each["value"] for each in answers] == sent
    assert [each["file"] for each in answers] == list(range(6))


def test_each_file_is_asked_about_its_own(import_card: Run, stub: Stub, person: list[str]) -> None:
    """The way of a first row says nothing of another file's, nor does an answer of other choices."""
    ways: dict[str, tuple[str, str | None]] = {
        "first:out": ("spent", None),
        "first:in": ("in", None),
    }
    columns: list[dict[str, tuple[str, str | None]]] = [
        {str(number): ("a column", None), "9": ("another", None)} for number in range(3)
    ]
    _ask_once(
        stub,
        *(question("direction", "--direction", ways, file=place) for place in range(3)),
        *(
            question("amountColumn", "--amount-column", each, file=place)
            for place, each in enumerate(columns)
        ),
    )
    person += [*"121212", "y"]
    assert (import_card().code, person) == (0, [])


@pytest.mark.parametrize("about", ["direction", "amountColumn"])
def test_the_kind_is_asked_once_the_way_of_the_rows_is_known(
    import_card: Run, stub: Stub, person: list[str], about: QuestionAbout
) -> None:
    """Rows that show a kind are read by the answer on their way, so that one is asked for first."""
    kinds = {"credit": ("a credit card", None)}
    ways: dict[str, tuple[str, str | None]] = {"out": ("spent", None), "in": ("came in", None)}
    _ask_once(
        stub,
        question("accountKind", "--kind", kinds),
        question(about, "--it", ways),
        question("accountKind", "--kind", kinds, file=1, name="other.csv"),
    )
    person += ["2", "1", "y"]
    assert (import_card().code, person) == (0, [])
    sent = json.loads(fields(stub.asked[1].body)["answers"])
    assert [(each["file"], each["about"], each["value"]) for each in sent] == [
        (0, about, "in"),
        (1, "accountKind", "credit"),
    ]


CODES: dict[str, tuple[str, str | None]] = {"EUR": ("euros", None), "USD": ("US dollars", None)}
FEWER: dict[str, tuple[str, str | None]] = {"SEK": ("SEK", None), "NOK": ("NOK", None)}


def test_several_files_get_one_currency(import_card: Run, stub: Stub, person: list[str]) -> None:
    """Files that name no currency and may be in the same ones share a question and its answer."""
    places = enumerate(["a.csv", "b.csv", "c.csv"])
    asked = [question("currency", "--currency", CODES, file=at, name=name) for at, name in places]
    _ask_once(stub, *asked, question("currency", "--currency", FEWER, file=3, name="d.csv"))
    person += ["2", "1", "y"]
    ended = import_card()
    assert (ended.code, person) == (0, [])
    assert "a.csv, b.csv and c.csv: Days" in ended.err
    sent = json.loads(fields(stub.asked[1].body)["answers"])
    found = [(each["file"], each["value"]) for each in sent]
    assert found == [(0, "USD"), (1, "USD"), (2, "USD"), (3, "SEK")]


def test_one_option_is_the_currency_of_all_files(finplan: Run, stub: Stub, statement: Path) -> None:
    """The refusal names the option for all files where it fits them all, else an answer for each."""
    pair = [question("currency", "--currency", CODES, file=at, name=f"{at}.csv") for at in range(2)]
    two = [str(statement)] * 2
    _refuse_with(stub, *pair)
    ended = finplan("import", *two)
    assert "0.csv and 1.csv: Days" in ended.err
    assert "\n  --currency EUR\n" in ended.err
    assert ": 1 question is" in ended.err
    _refuse_with(stub, *pair, question("currency", "--currency", FEWER, file=2, name="2.csv"))
    assert "  --answer 2.csv:currency=SEK\n" in finplan("import", *two, str(statement)).err
    _refuse_with(stub, *pair, question(file=1, name="1.csv"))
    mixed = finplan("import", *two).err
    assert "\n  --currency EUR\n" in mixed
    assert "\n  --answer 1.csv:dateOrder=dmy\n" in mixed
    assert ": 2 questions are" in mixed


def test_an_option_for_all_is_told_where_all_ask(finplan: Run, stub: Stub, statement: Path) -> None:
    """Pasted, it would read the files that leave nothing open otherwise; they are left alone."""
    pair = [question("currency", "--currency", CODES, file=at, name=f"{at}.csv") for at in range(2)]
    _refuse_with(stub, *pair)
    told = finplan("import", *[str(statement)] * 3).err
    assert "  --answer 0.csv:currency=USD\n  --answer 1.csv:currency=USD\n" in told
    assert "--currency" not in told
    _refuse_with(stub, question(file=1, name="1.csv"))
    told = finplan("import", *[str(statement)] * 2).err
    assert "  --answer 1.csv:dateOrder=dmy\n" in told
    assert "--date-order" not in told


def test_words_of_money_out_may_be_typed(import_card: Run, stub: Stub, person: list[str]) -> None:
    """Where words say the way, a person may list others than the choices do; nothing else is taken."""
    ways: dict[str, tuple[str, str | None]] = {"out": ("spent", None), "in": ("came in", None)}
    _ask_once(stub, question("direction", "--direction", ways))
    person += ["sale", "marks:Sale,Fee", "y"]
    assert (import_card().code, person) == (0, [])
    sent = json.loads(fields(stub.asked[1].body)["answers"])
    assert [each["value"] for each in sent] == ["marks:Sale,Fee"]


@pytest.mark.parametrize("typed", ["Sale,Fee", "marks:Sale,Fee"])
def test_words_may_be_typed(import_card: Run, stub: Stub, person: list[str], typed: str) -> None:
    """Where the question asks for words they are taken without `marks:`, and a choice by its value."""
    ways: dict[str, tuple[str, str | None]] = {"out": ("spent", None), "in": ("came in", None)}
    words = "Are “Sale” and “Fee” money out? List them, as in --direction marks:WORD,WORD."
    for said, sent in ((typed, "marks:Sale,Fee"), ("in", "in")):
        _ask_once(stub, question("direction", "--direction", ways, text=words))
        person += ["", said, "y"]
        asked = len(stub.asked)
        assert (import_card().code, person) == (0, [])
        answers = json.loads(fields(stub.asked[asked + 1].body)["answers"])
        assert [each["value"] for each in answers] == [sent]


def test_rows_are_shown_as_the_answers_before_have_them_read(
    finplan: Run, stub: Stub, statement: Path, person: list[str]
) -> None:
    """How cells are read is asked before the way of amounts, and that before the kind of account."""
    sign = question("decimalSign", "--decimal-sign", file=0)
    column = question("amountColumn", "--amount-column", file=0)
    way, other = (question("direction", "--direction", file=at) for at in range(2))
    kind = question("accountKind", "--kind", file=0)
    _ask_in_turns(stub, [kind, way, column, sign, other], [kind, way], [kind])
    person += ["1", "2", "1", "2", "1", "y"]
    assert (finplan("import", *[str(statement)] * 2).code, person) == (0, [])
    sent = json.loads(fields(stub.requests("POST", "/imports")[-1].body)["answers"])
    assert [(each["file"], each["about"]) for each in sent] == [
        (0, "amountColumn"), (0, "decimalSign"), (1, "direction"), (0, "direction"),
        (0, "accountKind"),
    ]  # fmt: skip


def test_no_currencys_code_is_asked_again(import_card: Run, stub: Stub, person: list[str]) -> None:
    """A typing error loses no answer that was given before."""
    choices: dict[str, tuple[str, str | None]] = {"USD": ("US dollars", None)}
    _ask_once(stub, question("currency", "--currency", choices))
    person += ["XYZ", "xbt", "sek", "y"]
    assert (import_card().code, person) == (0, [])
    assert fields(stub.asked[1].body)["answers"] == '[{"file":0,"about":"currency","value":"SEK"}]'


def test_an_unwanted_import_says_so(import_card: Run, stub: Stub, person: list[str]) -> None:
    """Only yes or no is an answer, and after a no it is said that nothing was imported."""
    stub.answer("POST", "/imports", REPORT)
    person += ["maybe", "n"]
    ended = import_card()
    assert (ended.code, person) == (0, [])
    assert ended.err.endswith("Nothing was saved.\n")
    assert len(stub.requests("POST", "/imports")) == 1


def test_an_account_that_is_none_of_these_is_refused(import_card: Run, stub: Stub) -> None:
    """A typing error never takes all files to one account that is called like it."""
    refused = import_card("--account", "zard.csv=Joint")
    assert (refused.code, stub.asked) == (2, [])
    assert "--account 'zard.csv=Joint': no file 'zard.csv'." in refused.err
    stub.answer("POST", "/imports", REPORT)
    stub.answer("GET", "/tasks", b"[]")
    assert import_card("--account", "a=b").code == 0


def test_a_direction_that_is_none_is_told_what_it_may_be(import_card: Run, stub: Stub) -> None:
    """No pattern is shown to a person, but the words that may be said."""
    ended = import_card("--direction", "sideways")
    assert (ended.code, stub.asked) == (3, [])
    told = ("--direction must be", "marks:WORD,WORD", "first:in", "first:out", "first:owed")
    assert all(each in ended.err for each in told)


def test_a_person_may_type_another_answer(import_card: Run, stub: Stub, person: list[str]) -> None:
    """Currencies and accounts may be others than the likely ones; a choice is picked by its number."""
    choices: dict[str, tuple[str, str | None]] = {"USD": ("US dollars", None)}
    _ask_once(stub, question("currency", "--currency", choices))
    person += ["", "2", "chf", "y"]
    assert import_card().code == 0
    assert fields(stub.asked[1].body)["answers"] == '[{"file":0,"about":"currency","value":"CHF"}]'


def test_a_person_can_say_no(import_card: Run, stub: Stub, person: "list[str]") -> None:
    """Without agreement nothing but the dry run is sent."""
    stub.answer("POST", "/imports", DRY_REPORT)
    person += ["n"]
    assert import_card().code == 0
    assert [fields(each.body) for each in stub.asked] == [{"dryRun": "true"}]


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--yes",)])
def test_json_has_the_open_questions(import_card: Run, stub: Stub, more: tuple[str, ...]) -> None:
    """A program gets the refusal as the daemon answers it, with every choice, and the sentence apart."""
    asked = question()
    _refuse_with(stub, asked)
    ended = import_card("--json", *more)
    assert ended.code == 4
    assert ended.err == "finplan: Something is open.\n"
    assert json.loads(ended.out) == {
        "code": "CONFLICT",
        "status": 409,
        "message": "Something is open.",
        "data": {"questions": [asked.model_dump(mode="json", by_alias=True)]},
    }


@pytest.mark.parametrize(("status", "data"), [(409, None), (400, {"issues": []})])
def test_json_has_no_plain_refusal(import_card: Run, stub: Stub, status: int, data: object) -> None:
    """Without details of a conflict the sentence on stderr and the exit code say all."""
    stub.refuse("POST", "/imports", status, "CONFLICT", "Not now.", data)
    assert import_card("--json").out == b""


def test_without_json_stdout_has_no_refusal(import_card: Run, stub: Stub) -> None:
    """A person reads the questions as sentences."""
    _refuse_with(stub, question())
    assert b"CONFLICT" not in import_card().out


def test_yes_asks_nothing(import_card: Run, stub: Stub, person: "list[str]") -> None:
    """With --yes the import is the first and only thing that is sent."""
    stub.answer("POST", "/imports", REPORT)
    assert import_card("--yes").code == 0
    assert [list(fields(each.body)) for each in stub.requests("POST", "/imports")] == [["id"]]
    assert person == []


ORDERS = {
    "dmy": ("the day first", "03/04 is 3 April"),
    "mdy": ("the month first", "03/04 is 4 March"),
}


def question(
    about: QuestionAbout = "dateOrder",
    option: str = "--date-order",
    choices: Mapping[str, tuple[str, str | None]] = ORDERS,
    *,
    file: int = 0,
    name: str = "card.csv",
    text: str = "Days and months could be either way round.",
) -> ImportQuestion:
    """A question of the daemon's; by default on the order of the days."""
    return ImportQuestion(
        file=file,
        name=name,
        about=about,
        text=text,
        option=option,
        choices=tuple(
            ImportChoice(value=value, label=label, sample=sample)
            for value, (label, sample) in choices.items()
        ),
    )


def _refuse_with(stub: Stub, *questions: ImportQuestion) -> None:
    data = {"questions": questions}
    stub.refuse("POST", "/imports", 409, "CONFLICT", "Something is open.", data)


def _ask_once(stub: Stub, *questions: ImportQuestion) -> None:
    """Answer 409 until answers come, then a dry run's report, then the import's."""
    _refuse_with(stub, *questions)
    refuse = stub.answers["POST", "/imports"]

    def answer() -> Answer:
        sent = fields(stub.asked[-1].body)
        if "answers" not in sent:
            return refuse()
        return 200, DRY_REPORT if "dryRun" in sent else REPORT

    stub.answers["POST", "/imports"] = answer


def _ask_in_turns(stub: Stub, *turns: list[ImportQuestion]) -> None:
    """Answer 409 with the questions of each turn, then a dry run's report, then the import's."""
    refusals = []
    for turn in turns:
        _refuse_with(stub, *turn)
        refusals.append(stub.answers["POST", "/imports"])
    waiting = iter(refusals)

    def answer() -> Answer:
        refuse = next(waiting, None)
        if refuse is not None:
            return refuse()
        return 200, DRY_REPORT if "dryRun" in fields(stub.asked[-1].body) else REPORT

    stub.answers["POST", "/imports"] = answer


def _ambiguous(stub: Stub) -> None:
    _ask_once(stub, question())


def test_a_person_is_not_asked_it_twice(import_card: Run, stub: Stub, person: list[str]) -> None:
    """When the daemon refuses the chosen way as well, it is told instead of asked for ever."""
    _refuse_with(stub, question())
    person += ["1"]
    ended = import_card()
    assert (ended.code, ended.out) == (4, b"")
    assert len(stub.asked) == 2


TOLD_FINISHED = b"""\
{"defined": true, "code": "CONFLICT", "status": 409, "message": "Done. `finplan imports undo X`."}"""
NOT_BEGUN = b"""\
{"defined": true, "code": "NOT_FOUND", "status": 404, "message": "No import X is running."}"""
CANCELLED: tuple[tuple[list[Answer], str], ...] = (
    ([(200, b"{}")], "Canceled. Nothing was saved."),
    ([(404, NOT_BEGUN), (404, NOT_BEGUN), (200, b"{}")], "Canceled. Nothing was saved."),
    ([(409, TOLD_FINISHED)], "Too late to cancel. Done. `finplan imports undo X`."),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("answers", "told"), CANCELLED, ids=["in time", "before it begins", "too late"]
)
def test_ctrl_c_cancels_by_the_id_that_was_sent(
    home: Path, stub: Stub, statement: Path, answers: list[Answer], told: str
) -> None:
    """Ctrl-C while the daemon works cancels that very import and tells how it ended; exit 130."""
    arrived, let_go = threading.Event(), threading.Event()

    def work_long() -> Answer:
        arrived.set()
        let_go.wait(LONG_ENOUGH)
        return 200, REPORT

    stub.answers["POST", "/imports"] = work_long
    stub.answers_to("DELETE", "/imports/running/", answers)
    arguments = ("-c", IN_THE_FOREGROUND, "import", str(statement))
    environment = {**os.environ, "FINPLAN_HOME": str(home)}
    with running(sys.executable, *arguments, env=environment) as process:
        try:
            assert arrived.wait(LONG_ENOUGH)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LONG_ENOUGH)
        finally:
            let_go.set()
    assert (process.returncode, out, err) == (130, "", f"finplan: {told}\n")
    sent = fields(stub.requests("POST", "/imports")[0].body)["id"]
    cancelled = [each.path for each in stub.asked if each.method == "DELETE"]
    assert cancelled == [f"/imports/running/{sent}"] * len(answers)


def test_a_finished_run_says_so(import_card: Run, stub: Stub) -> None:
    """What the daemon refuses ends the import with its sentence and leaves nothing to cancel."""
    stub.refuse("POST", "/imports", 400, "BAD_REQUEST", "card.csv: this is no statement.")
    ended: Ended = import_card()
    assert (ended.code, ended.err) == (3, "finplan: card.csv: this is no statement.\n")


def test_nothing_new_is_said_so(import_card: Run, stub: Stub) -> None:
    """An import that adds no row says so, and offers no way back from nothing."""
    report = made_up_bank.import_report()
    files = tuple(file.model_copy(update={"new": 0, "pending": 0}) for file in report.files)
    stub.answer("POST", "/imports", report.model_copy(update={"files": files}))
    assert import_card().err == "No new transactions.\n"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_pipe_is_read_whole(home: Path, stub: Stub, statement: Path, name: str) -> None:
    """What comes through a pipe is sent like a file, and is kept nowhere afterwards."""
    stub.answer("POST", "/imports", REPORT)
    run = subprocess.run(
        [sys.executable, "-m", "finplan", "import", name],
        input=statement.read_bytes(),
        capture_output=True,
        check=False,
        env={**os.environ, "FINPLAN_HOME": str(home), "TMPDIR": str(statement.parent)},
    )
    assert run.returncode == 0, run.stderr
    assert b"Date,Description,Amount\n2025-11-18,Coffee,-4.50\n" in stub.asked[0].body
    assert b'filename="standard-input"' in stub.asked[0].body
    assert not list(statement.parent.glob("finplan-*"))


def test_a_device_is_no_file(finplan: Run, stub: Stub) -> None:
    """A device is refused with a true sentence."""
    ended = finplan("import", "/dev/zero")
    assert ended.code == 3
    assert "/dev/zero: this is a device." in ended.err


TOGETHER = json.dumps([json.loads(made_up_bank.imports()[0].model_dump_json())]).encode()


def test_one_of_several_files_is_not_undone_alone(finplan: Run, stub: Stub) -> None:
    """A file's name does not take back those that came with it; it is said what does."""
    stub.answer("GET", "/imports", TOGETHER)
    ended = finplan("imports", "undo", "checking-2025")
    assert ended.code == NOT_THERE
    assert "together with others" in ended.err
    assert "`finplan imports undo imp_k3f9x2m7q4w8r1t5v6y0z3b2`" in ended.err
    assert [each.method for each in stub.asked] == ["GET"]


def test_what_was_taken_back_is_said(finplan: Run, stub: Stub) -> None:
    """After an undo stands how many rows of how many files are gone."""
    record = made_up_bank.imports()[0]
    stub.answer("GET", "/imports", TOGETHER)
    stub.answer("DELETE", f"/imports/{record.id}", record)
    ended = finplan("imports", "undo", "imp_k3f9")
    rows = sum(file.new for file in record.report.files)
    assert f"of {len(record.report.files)} files: removed {rows:,} transactions." in ended.err
