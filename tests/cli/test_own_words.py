"""A person's own words at the command line: of one transaction, in categories and in rules.

What is typed is asked, what is wrong is told.
"""

import json
import re
import shlex
from contextlib import suppress
from itertools import cycle
from typing import Any

import pytest

from finplan.categorise.catalogue import BUILT_IN
from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, USAGE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, pick
from finplan.cli.dialogs.own_words import row_id
from finplan.model.transaction import Reason, ReasonSource, SplitPart, Transaction, TransactionPage
from finplan.model.typed_parts import NoSplit, TypedPart, split_parts, typed_part
from finplan.views import transactions as views
from finplan.views.page import Page, of as page_of
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub, as_json
from tests.golden_files import Golden

LABELS = {category.id: category.label for category in BUILT_IN.values()}
ROW = made_up_bank.transactions_with_words()[1]
WHOLE = ROW.model_copy(update={"note": None, "splits": None})
OTHER = made_up_bank.PARTS[0].model_copy(update={"category": "shopping"})
PATH = f"/transactions/{ROW.id}"


@pytest.fixture
def household(stub: Stub) -> Stub:
    """A stub that shows and changes one transaction, of 142.50 dollars out."""
    stub.answer("GET", "/settings", made_up.household_settings())
    answer_account(stub)
    stub.answer("GET", PATH, WHOLE)
    stub.answer("PUT", PATH, ROW)
    stub.answer("GET", "/categories", made_up.category_choices())
    return stub


def answer_account(stub: Stub, **told: Any) -> None:
    """Let the account of the rows be a checking account, with something told of it."""
    record = made_up_bank.accounts()[0].model_copy(update=told)
    stub.answer("GET", f"/accounts/{ROW.account_id}", record)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("tx_7", "tx_7"), (" TX_1207 ", "tx_1207"), ("pen_3", "pen_3"), ("1207", "tx_1207")],
)
def test_a_transaction_goes_by_its_id(typed: str, meant: str) -> None:
    """The id is typed in full; four digits or more of a posted one are enough."""
    assert row_id(typed) == meant


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("7", "'7' is too short for a transaction id. Did you mean tx_7?"),
        ("812", "Did you mean tx_812?"),
        ("costco", "`finplan transactions find costco`"),
        ("tx_", "'tx_' is not a transaction id"),
        ("tx_12a", "is not a transaction id"),
        ("trf_1207", "is not a transaction id"),
        ("", "'' is not a transaction id"),
        ("١٢٣٤", "is not a transaction id"),
    ],
)
def test_what_names_no_transaction_does_nothing(typed: str, told: str) -> None:
    """Nothing is done to a row by mistake: what is short or a name is refused with the way on."""
    with pytest.raises(CommandError) as refused:
        row_id(typed)
    assert (refused.value.code, told in str(refused.value)) == (NOT_THERE, True)


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("groceries=30", TypedPart("groceries", "30", None)),
        ("Eating out = 1,012.50", TypedPart("Eating out", "1,012.50", None)),
        ("gifts=12.50 for Ada = 1", TypedPart("gifts", "12.50", "for Ada = 1")),
        ("gifts=REST", TypedPart("gifts", None, None)),
        ("gifts=rest a lamp", TypedPart("gifts", None, "a lamp")),
        ("401k plan 30.00", TypedPart("401k plan", "30.00", None)),
        ("gifts rest ", TypedPart("gifts", None, None)),
        ("gifts=-5", TypedPart("gifts", "-5", None)),
    ],
)
def test_a_part_is_a_category_and_an_amount(typed: str, part: TypedPart) -> None:
    """Both ways of writing a part say the same; what stands behind an amount is the note."""
    assert typed_part(typed) == part


@pytest.mark.parametrize(
    "typed", ["groceries", "=30", "groceries=", " = ", "", " 30", "groceries= "]
)
def test_a_part_without_one_of_them_is_refused(typed: str) -> None:
    """What a part is for and how much it is are both said, or neither is guessed."""
    with pytest.raises(NoSplit, match="Write groceries=30, or groceries=rest"):
        typed_part(typed)


@pytest.mark.parametrize(
    ("typed", "total", "amounts"),
    [
        (["a=30", "b=rest"], -4250, [-3000, -1250]),
        (["a=rest", "b=12.50"], 4250, [3000, 1250]),
        (["a=47.50", "b=+5"], -4250, [-4750, 500]),
        (["a=-47.50", "b=+5"], -4250, [-4750, 500]),
        (["a=+50", "b=-5", "c=rest"], 4600, [5000, -500, 100]),
        (["a=50", "b=+5", "c=rest"], -4600, [-5000, 500, -100]),
        (["a=-30", "b=rest"], -4250, [-3000, -1250]),
        (["a=30", "b=12"], -4250, [-3000, -1200]),
    ],
)
def test_parts_go_the_way_of_their_row(typed: list[str], total: int, amounts: list[int]) -> None:
    """A part is typed as its row is shown; a plain number takes the row's sign, the rest what is left.

    Whether all of them add up is the daemon's to say.
    """
    parts = split_parts([typed_part(each) for each in typed], total, "USD", str.upper)
    assert [part.amount for part in parts] == amounts
    assert [part.category for part in parts] == [each[0].upper() for each in typed]


@pytest.mark.parametrize(
    ("typed", "total", "told"),
    [
        (["a=rest", "b=rest"], -4250, "Only one category can have the rest"),
        (
            ["a=42.50", "b=rest"],
            -4250,
            "The other amounts add up to -$42.50 of -$42.50.",
        ),
        (
            ["a=50", "b=rest"],
            4250,
            "The other amounts add up to $50.00 of $42.50, $7.50 too much.",
        ),
        (["a=++5", "b=rest"], -4250, "The amount '++5' is not an amount"),
        (["a=+-5", "b=rest"], -4250, "The amount '+-5' is not an amount"),
        (["a=12.505", "b=rest"], -4250, "has more than the 2 decimals of USD"),
        (
            ["a=12,50", "b=rest"],
            -4250,
            "The amount '12,50' is not an amount. Write it like 1840.25",
        ),
    ],
)
def test_parts_that_cannot_be_are_refused(typed: list[str], total: int, told: str) -> None:
    """A rest that is nothing, a second one, and what is no exact amount are said in a sentence."""
    with pytest.raises(NoSplit) as refused:
        split_parts([typed_part(each) for each in typed], total, "USD", str)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["set", ROW.id, "groceries"], {"category": "groceries"}),
        (["set", ROW.id, "--clear"], {"category": None, "splits": None}),
        (["note", ROW.id, "for", "the  party"], {"note": "for the party"}),
        (["note", ROW.id, "--clear"], {"note": None}),
        (["tag", ROW.id, "#Party", "ada"], {"tags": ["ada", "garden", "june", "party"]}),
        (["untag", ROW.id, "GARDEN"], {"tags": ["june"]}),
        (["untag", ROW.id], {"tags": []}),
        (["undo", "1207"], {"category": None, "note": None, "tags": None, "splits": None}),
        (
            ["split", ROW.id, "groceries=100", "restaurants=rest for Ada"],
            {
                "splits": [
                    {"amount": -10_000, "category": "groceries"},
                    {"amount": -4_250, "category": "dining", "note": "for Ada"},
                ]
            },
        ),
    ],
)
def test_a_word_is_asked_for(
    finplan: Run, household: Stub, line: list[str], said: dict[str, Any]
) -> None:
    """Only what was typed travels, so that a note loses no category; scripts get the answer itself."""
    ended = finplan("transactions", *line, "--json")
    assert (ended.code, ended.out, ended.err) == (0, as_json(ROW) + b"\n", "")
    assert [each.json for each in household.requests("PUT", PATH)] == [said]


def test_several_transactions_are_tagged_at_once(finplan: Run, household: Stub) -> None:
    """Ids before the tags are rows as well, and never tags; without a tag nothing is asked."""
    assert finplan("transactions", "tag", ROW.id, ROW.id.upper(), "ada").code == 0
    given = {"tags": ["ada", "garden", "june"]}
    assert [each.json for each in household.requests("PUT", PATH)] == [given, given]
    assert finplan("transactions", "tag", ROW.id, ROW.id).code == USAGE
    assert finplan("transactions", "untag", ROW.id, ROW.id).code == 0
    assert [each.json for each in household.requests("PUT", PATH)][2:] == [{"tags": []}] * 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["set", ROW.id, "gifts"], {"category": "gifts_donations"}),
        (
            ["split", ROW.id, "gifts=100", "gifts=rest"],
            {
                "splits": [
                    {"amount": -10_000, "category": "gifts_donations"},
                    {"amount": -4_250, "category": "gifts_donations"},
                ]
            },
        ),
    ],
)
def test_money_out_is_for_spending(
    finplan: Run, household: Stub, line: list[str], said: dict[str, Any]
) -> None:
    """Of two categories that a text could mean money out is for that of spending, money in for none."""
    kinds = {"gifts_donations": "discretionary", "other_income": "not_spending"}
    choices = [
        {
            "category": each,
            "label": LABELS[each],
            "line": kind,
            "custom": False,
            "reimbursable": False,
        }
        for each, kind in kinds.items()
    ]
    household.answer("GET", "/categories", choices)
    assert finplan("transactions", *line, "--json").code == 0
    assert [each.json for each in household.requests("PUT", PATH)] == [said]

    household.answer("GET", PATH, WHOLE.model_copy(update={"amount": 14_250}))
    refused = finplan("transactions", *line, "--json")
    told = "'gifts' matches 'Gifts and donations' and 'Gifts and other income'"
    assert (refused.code, told in refused.err) == (NOT_THERE, True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["set", ROW.id], "Give either CATEGORY or --clear."),
        (["set", ROW.id, "groceries", "--clear"], "Give either CATEGORY or --clear."),
        (["note", ROW.id], "Give either TEXT or --clear."),
        (["note", ROW.id, " "], "Give either TEXT or --clear."),
        (["note", ROW.id, "x", "--clear"], "Give either TEXT or --clear."),
        (["split", ROW.id], "PART"),
    ],
)
def test_half_a_word_is_refused(finplan: Run, household: Stub, line: list[str], told: str) -> None:
    """Nothing is asked of the daemon where the line does not say what to keep."""
    ended = finplan("transactions", *line)
    assert (ended.code, told in ended.err) == (USAGE, True)
    assert household.asked == []


def test_one_part_is_no_split(finplan: Run, household: Stub) -> None:
    """Who names one part is told of the command that files all of a row."""
    ended = finplan("transactions", "split", ROW.id, "groceries=rest")
    assert ended.code == BAD_INPUT
    assert f"`finplan transactions set {ROW.id} CATEGORY`" in ended.err
    assert household.requests("PUT", PATH) == []


@pytest.mark.parametrize("part", ["groceries=", "groceries=ten"])
def test_what_is_no_part_is_refused(finplan: Run, household: Stub, part: str) -> None:
    """Nothing is kept where one part cannot be read."""
    assert finplan("transactions", "split", ROW.id, part, "gifts=rest").code == BAD_INPUT
    assert household.requests("PUT", PATH) == []


def test_what_a_word_did_is_shown(finplan: Run, household: Stub) -> None:
    """After a change stands the row as it is now, and which sums went from where to where."""
    ended = finplan("transactions", "split", ROW.id, "groceries=100", "bikes=rest")
    out = ended.out.decode()
    assert ended.code == 0
    assert out.splitlines()[0].split()[:2] == ["2025-11-13", "Costco"]
    assert out.splitlines()[-1].startswith("Moved $47.50 from Groceries ($42.50) and ")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"hidden": True}, "Checking is hidden, so totals exclude this transaction."),
        ({"currency": "EUR"}, "Totals are in USD only and exclude this transaction."),
    ],
)
def test_a_word_on_a_row_of_no_total_says_so(
    finplan: Run, household: Stub, told: dict[str, Any], why: str
) -> None:
    """Money of a hidden account, or of another currency, moves between categories of no total."""
    answer_account(household, **told)
    ended = finplan("transactions", "split", ROW.id, "groceries=100", "bikes=rest")
    assert " ".join(ended.out.decode().split()).endswith(why)
    assert finplan("transactions", "note", ROW.id, "hello", "--json").code == 0


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            {},
            {"category": "gifts_donations"},
            "Moved $142.50 from Groceries to Gifts and donations.",
        ),
        (
            {"splits": made_up_bank.PARTS},
            {},
            "Moved $47.50 from Gifts and donations to Groceries ($42.50) and Sport and hobbies ($5.00).",
        ),
        (
            {"splits": made_up_bank.PARTS},
            {"splits": (OTHER, *made_up_bank.PARTS[1:])},
            "Moved $100.00 from Groceries to Shopping.",
        ),
        ({}, {"note": "x"}, "Saved the note."),
        ({"note": "x"}, {"note": "y"}, "Saved the note."),
        ({"note": "x"}, {}, "Removed the note."),
        ({"note": "x"}, {"note": "x"}, "Nothing changed."),
        ({}, {"tags": ("june", "tax")}, "Tagged #june #tax."),
        ({}, {"tags": ()}, "Removed all tags."),
        (
            {"pending": True},
            {"pending": True, "category": "gifts_donations"},
            (
                "Moved $142.50 from Groceries to Gifts and donations. The transaction counts once it is"
                " posted."
            ),
        ),
        (
            {"amount": 14_250},
            {"amount": 14_250, "category": "gifts_donations"},
            "Moved $142.50 from Groceries to Gifts and donations.",
        ),
        (
            {"splits": made_up_bank.PARTS[:2]},
            {
                "splits": (
                    made_up_bank.PARTS[0],
                    SplitPart(amount=-4750, category="gifts_donations"),
                )
            },
            "No totals change.",
        ),
        (
            {},
            {
                "splits": (
                    SplitPart(amount=-10_000, category="gifts_donations"),
                    SplitPart(amount=-4_250, category="shopping"),
                )
            },
            "Moved $142.50 from Groceries to Gifts and donations ($100.00) and Shopping ($42.50).",
        ),
    ],
)
def test_a_word_tells_what_it_moved(
    before: dict[str, Any], after: dict[str, Any], told: str
) -> None:
    """The sums that changed their category are named, and where none did that is said."""
    rows = (WHOLE.model_copy(update=before), WHOLE.model_copy(update=after))
    assert views.change_of(*rows, LABELS) == told


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_words_are_shown(draw: Draw, golden: Golden, width: int) -> None:
    """Under a row stand its parts, whose amounts are below its own, and what the person noted."""
    rows = made_up_bank.transactions_with_words()
    listed, explained = (draw(_rows(*rows, why=why), width) for why in (False, True))
    if width == 80:
        golden("transactions-words", f"{listed}\n{explained}")
    assert all(len(line) <= width for line in f"{listed}\n{explained}".splitlines())
    assert all(each.id in page for each in rows for page in (listed, explained))


def test_a_list_keeps_to_the_line(finplan: Run, household: Stub) -> None:
    """A piped list is as wide as a page, and none of its lines is broken."""
    household.answer("GET", "/transactions", _page(*made_up_bank.transactions_with_words()))
    lines = finplan("transactions").out.decode().splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("2025")] == [
        row.id for row in made_up_bank.transactions_with_words()
    ]


def test_a_long_id_hides_nothing(draw: Draw) -> None:
    """The id of a row in a large household stands on a line of its own where the margin is short."""
    row = made_up_bank.transactions_with_words()[2].model_copy(update={"id": "tx_123456789012"})
    assert draw(_rows(row, why=True)).splitlines()[1:3] == [
        "tx_123456789012",
        "            ACME ROBOTICS PAYROLL 4711",
    ]
    assert f"  {row.id}" in draw(_rows(row))


@pytest.mark.parametrize("width", [50, 60, 80])
def test_what_was_said_is_never_cut(draw: Draw, width: int) -> None:
    """Notes and what parts are for take further lines, and the amounts of parts end where rows' do."""
    long = ("Presents for birthdays", "gifts_donations", -1_234_567)
    parts = (SplitPart(amount=long[2], category=long[1]), SplitPart(amount=1, category="groceries"))
    note = "Half of this was for the summer party"
    row = WHOLE.model_copy(update={"payee": "Ada", "splits": parts, "note": note})
    drawn = draw(page_of(views.rows([row], {**LABELS, long[1]: long[0]})), width)
    below = drawn.splitlines()[2:]
    said = " ".join(" ".join(line.split()) for line in below)
    assert said.replace("-$12,345.67 ", "").startswith(f"{long[0]} ")
    assert said.endswith(f"“{note}” #garden #june")
    assert len({len(line) for line in below if line.endswith(("$0.01", "$12,345.67"))}) == 1
    assert "…" not in "".join(below)


def test_parts_stand_on_one_line_where_there_is_room(draw: Draw) -> None:
    """A list of rows with short titles is as wide as its parts need, not broken after ten columns."""
    parts = (
        SplitPart(amount=-3_000, category="groceries"),
        SplitPart(amount=-4_419, category="gifts_donations"),
    )
    row = WHOLE.model_copy(update={"payee": "Amazon", "amount": -7_419, "splits": parts})
    lines = draw(_rows(row)).splitlines()
    assert any(re.search(r"Gifts and donations +-\$44\.19", line) for line in lines)
    assert all(len(line) <= 60 for line in lines)


def test_the_examples_of_a_split_name_categories_that_there_are(finplan: Run) -> None:
    """Whoever types an example is not told that there is no such category."""
    shown = finplan("transactions", "split", "--help").out.decode().splitlines()
    examples = [shlex.split(line) for line in shown if " transactions split tx_" in line]
    parts = [typed_part(part) for words in examples for part in words[4:]]
    titles = [NamedId(each, (label,)) for each, label in LABELS.items()]
    assert len(parts) > 4
    for part in parts:
        with suppress(SeveralMeant):
            assert pick(part.category, titles, "category", "finplan categories") in LABELS


BIKES = made_up.BIKES.category


@pytest.fixture
def choosing(stub: Stub) -> Stub:
    """A daemon with a few built-in categories and one of the person's own."""
    choices = (*made_up.category_choices()[:3], made_up.BIKES)
    stub.answer("GET", "/categories", choices)
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/categories/suggestions", made_up.suggestions())
    stub.answer("POST", "/categories", made_up.created()[0], 201)
    return stub


def test_an_own_category_is_meant_by_its_name(finplan: Run, choosing: Stub) -> None:
    """A label, a part of one or the beginning of an id stands for the id."""
    path = f"/categories/{BIKES}"
    choosing.answer("PATCH", path, made_up.BIKES)
    for typed in ("Bikes", "bike", "cat_k3f9"):
        assert finplan("categories", "rename", typed, "Cycling").code == 0
    assert [each.json for each in choosing.requests("PATCH", path)] == [{"name": "Cycling"}] * 3

    assert (
        finplan("categories", "change", "bikes", "--line", "essential", "--reimbursable").code == 0
    )
    assert choosing.requests("PATCH", path)[-1].json == {"line": "essential", "reimbursable": True}


def test_a_merge_names_its_target(finplan: Run, choosing: Stub) -> None:
    """Both ends may be typed by name; without a target nothing is said of one."""
    path = f"/categories/{BIKES}"
    choosing.answer("DELETE", path, made_up.removed()[0])
    ended = finplan("categories", "remove", "bikes", "--merge-into", "restaurants")
    finplan("categories", "remove", "bikes")

    first, second = choosing.requests("DELETE", path)
    assert (first.query, second.query) == ({"mergeInto": ["dining"]}, {})
    assert b"2 merchants (14 transactions) moved to Sport and hobbies" in ended.out


def test_a_new_category_brings_its_payees(finplan: Run, choosing: Stub) -> None:
    """What is typed is what is asked for."""
    ended = finplan(
        *["categories", "add", "Dog", "--line", "essential", "--payee", "petco"],
        *["--payee", "Happy Tails"],
    )
    assert ended.code == 0
    assert choosing.requests("POST", "/categories")[0].json == {
        "name": "Dog",
        "line": "essential",
        "reimbursable": False,
        "payeeKeys": ["petco", "Happy Tails"],
    }


@pytest.mark.parametrize(("label", "told"), [("Gr\u043eceries", True), ("Groceries 2", False)])
def test_a_new_look_alike_is_told(finplan: Run, choosing: Stub, label: str, *, told: bool) -> None:
    """A name in the shape of another category's is made, and the person hears of it; so with rename."""
    own = made_up.BIKES.model_copy(update={"label": label})
    choices = [*made_up.category_choices()[:3], own]
    choosing.answer("GET", "/categories", choices)
    made = made_up.created()[0].model_copy(update={"category": own})
    choosing.answer("POST", "/categories", made, 201)
    choosing.answer("PATCH", f"/categories/{BIKES}", own)

    for line in (("add", label, "--line", "essential"), ("rename", BIKES, label)):
        ended = finplan("categories", *line)
        assert ended.code == 0
        assert (f'"{label}" looks like your category "Groceries"' in ended.err) == told
        assert (ended.err == "") != told


def test_a_suggestion_is_made_as_it_was_shown(finplan: Run, choosing: Stub) -> None:
    """Its name in any case brings its line, its merchants, and whether it is paid back."""
    assert finplan("categories", "add", "work trips", "--suggested").code == 0
    assert choosing.requests("POST", "/categories")[0].json == {
        "name": "Work trips",
        "line": "discretionary",
        "reimbursable": True,
        "payeeKeys": ["Hyatt", "United"],
    }


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("add Dog", 2, "essential for needs, discretionary for wants, or not_spending"),
        ("add Dog --suggested", 4, ": Pet care, Work trips. "),
        ("add Dog --suggested --line essential", 2, "--suggested without"),
        ("change bikes", 2, "--line essential"),
    ],
)
def test_a_lack_is_told(finplan: Run, choosing: Stub, line: str, code: int, said: str) -> None:
    """A command that cannot be meant so says what to give, and nothing is changed."""
    ended = finplan("categories", *line.split())

    assert (ended.code, ended.out) == (code, b"")
    assert said in ended.err
    assert {each.method for each in choosing.asked} <= {"GET"}


def test_suggestions_say_how_to_take_one(finplan: Run, choosing: Stub) -> None:
    """The dearest theme is the example of each way; who asks for JSON gets neither."""
    ended = finplan("categories", "suggestions")

    assert ended.out.startswith(b"Pet care")
    assert b'categories add "Pet care" --suggested' in ended.out
    assert b'categories dismiss "Pet care"' in ended.out
    assert json.loads(finplan("categories", "suggestions", "--json").out)


def test_several_payees_are_filed_in_one_batch(finplan: Run, choosing: Stub) -> None:
    """What was saved is drawn with the own category's name; what was not is told with an exit code."""
    rule = made_up.rules()[0].model_copy(update={"category": BIKES})
    error = {"index": 1, "message": "There is no payee 'peets'."}
    choosing.answer("PUT", "/categories/rules/batch", {"saved": [rule], "errors": [error]})
    choosing.answer("GET", "/transactions", _page())

    ended = finplan("rules", "set", "northside", "peets", "bikes", "--amount", "-14.99")

    assert choosing.requests("PUT", "/categories/rules/batch")[0].json == {
        "rules": [
            {"payeeKey": payee, "category": BIKES, "amount": -1_499}
            for payee in ("northside", "peets")
        ]
    }
    assert ended.code == 4
    assert b"Bikes" in ended.out
    assert BIKES.encode() not in ended.out
    assert "There is no payee 'peets'." in ended.err


def test_a_single_payee_is_filed_as_before(finplan: Run, choosing: Stub) -> None:
    """One payee is one rule, not a batch."""
    choosing.answer("PUT", "/categories/rules", made_up.rules()[0])
    choosing.answer("GET", "/transactions", _page())

    assert finplan("rules", "set", "northside", "groceries").code == 0

    assert choosing.requests("PUT", "/categories/rules")[0].json == {
        "payeeKey": "northside",
        "category": "groceries",
        "amount": None,
    }


def _rows(*rows: Transaction, why: bool = False) -> Page:
    return page_of(views.rows(rows, LABELS, why=why))


def _page(*rows: Transaction, cursor: str | None = None) -> TransactionPage:
    return TransactionPage(transactions=rows, next_cursor=cursor)


def _half(no: int, amount: int, category: str, source: ReasonSource = "transfer") -> Transaction:
    return made_up_bank.transactions()[1].model_copy(
        update={
            "id": f"tx_{no}",
            "amount": amount,
            "category": category,
            "transfer_id": "trf_1",
            "why": Reason(source=source, rule_id=None, confidence=None, text="A reason."),
        }
    )


def test_what_a_rule_does_not_move_is_said(finplan: Run, choosing: Stub) -> None:
    """Halves of transfers stay, on every page of them; a rule of one amount speaks of its rows alone."""
    rule = made_up.rules()[0].model_copy(update={"category": "groceries", "amount": None})
    first = _page(_half(9, -2_000, "mortgage"), _half(8, -10, "groceries"), cursor="abc")
    last = _page(_half(7, -3_000, "mortgage"), _half(6, -40, "groceries", "user"))
    choosing.answer("PUT", "/categories/rules", rule)
    pages = cycle([(200, as_json(first)), (200, as_json(last))])
    choosing.answers["GET", "/transactions"] = lambda: next(pages)
    said = finplan("rules", "set", rule.payee_key, "groceries").err
    assert f"2 transactions of {rule.payee_key} stay in mortgage: " in said
    assert "`finplan transfers reject ID`" in said.replace("\n", " ")
    assert "`finplan transactions set tx_9 groceries`" in said.replace("\n", " ")
    asked = choosing.requests("GET", "/transactions")
    assert [each.query.get("cursor") for each in asked] == [None, ["abc"]]

    for amount, told in ((2_000, True), (-2_000, False)):
        single = rule.model_copy(update={"amount": amount})
        choosing.answer("PUT", "/categories/rules", single)
        ended = finplan("rules", "set", rule.payee_key, "groceries", "--amount", "20.00")
        assert (f"1 transaction of {rule.payee_key} stays in mortgage: " in ended.err) is told


def test_with_json_the_category_that_has_the_name_is_printed(finplan: Run, choosing: Stub) -> None:
    """A program that meets a taken name goes on with the category that has it."""
    data = {"category": "cycling"}
    choosing.refuse("POST", "/categories", 409, "CONFLICT", "There is one already.", data)
    ended = finplan("categories", "add", "Cycling", "--line", "discretionary", "--json")
    assert (ended.code, json.loads(ended.out)["data"]) == (4, data)
