"""Which rows of a file are there, misread before, or paid by another account; and kinds of accounts."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

from hypothesis import assume, given, settings, strategies as st

from finplan.intake import kinds, misreadings, rows
from finplan.intake.evidence import texts_agree, words_of_text
from finplan.intake.rows import Beside, FoundRows, LeftOverRow, OtherRow
from finplan.intake.unsigned import let_payments_in
from finplan.model.account import AccountKind, KindWord, kind_and_subtype
from finplan.model.statement import FileReport, ImportAnswer, ImportReport, Misreading
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.repetition import is_most
from finplan.statements.statement import StatementRow
from tests.intake.homes import File, Home, OfFile, day, table

either, dice_of = st.booleans(), st.randoms(use_true_random=False)
words = st.sampled_from(["PLUMBER", "BAKERY", "MUSEUM"])
sources = st.sampled_from(["csv", "ofx"])
left_over = st.lists(
    st.tuples(st.integers(10, 30).map(day), st.integers(-3, -1), words, sources, either), max_size=7
).map(lambda told: [LeftOverRow(number, *each) for number, each in enumerate(told)])
ends = st.tuples(st.integers(5, 14).map(day), st.integers(26, 34).map(day))
found_rows = st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8)).map(
    lambda told: FoundRows(told[0], min(told[:2]), frozenset(range(min(told[0], told[2]))))
)
besides = st.builds(
    Beside,
    left_over,
    left_over.map(lambda listed: [OtherRow(row, row.imported) for row in listed]),
    found_rows,
    ends,
    ends,
)


def apart(one: LeftOverRow, other: LeftOverRow) -> int:
    return abs(ORDINAL[one.day] - ORDINAL[other.day])


@given(besides)
@settings(max_examples=100)
def test_a_row_is_one_other_of_its_amount_at_most_three_days_apart(beside: Beside) -> None:
    """No row of either side is taken twice, and none for one of another amount or of another week."""
    pairs = rows.same_rows_of(beside)
    for side in ([each.ours for each in pairs], [each.other for each in pairs]):
        assert len(side) == len(set(side))
    for one, (other, _) in pairs:
        assert (one.amount, apart(one, other) <= 3) == (other.amount, True)
        assert one.day == other.day or one.source != other.source or not beside.found.identical


@given(besides, dice_of)
@settings(max_examples=100)
def test_the_order_of_rows_decides_nothing(beside: Beside, dice: Random) -> None:
    """Rows that stand in another order have the same partners, where none is as near as another one."""
    ours, theirs = list(beside.ours), [each.row for each in beside.others]
    for one, others in [*((row, theirs) for row in ours), *((row, ours) for row in theirs)]:
        near = [apart(one, each) for each in others if each.amount == one.amount]
        assume(len(near) == len(set(near)))

    def found(beside: Beside) -> set[tuple[LeftOverRow, LeftOverRow]]:
        pairs = rows.same_rows_of(beside)
        return {(one._replace(number=0), other._replace(number=0)) for one, (other, _) in pairs}

    expected = found(beside)
    for side in (ours, theirs):
        dice.shuffle(side)
        side[:] = [row._replace(number=number) for number, row in enumerate(side)]
    turned = [OtherRow(row, row.imported) for row in theirs]
    assert found(beside._replace(ours=ours, others=turned)) == expected


two_rows = st.tuples(
    st.integers(0, 3), sources, st.sampled_from(["PLUMBER", "PLUMBER again", "BAKERY"])
)
alone = st.tuples(st.integers(0, 2), st.integers(0, 2))
spans = st.tuples(
    st.sampled_from([(5, 5), (5, 20), (20, 5)]), st.tuples(*[st.integers(18, 25)] * 2)
)


@given(two_rows, found_rows, alone, spans)
@settings(max_examples=400)
def test_what_is_left_over_on_both_sides_is_one_by_evidence(
    told: tuple[int, str, str],
    found: FoundRows,
    others: tuple[int, int],
    covered: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    """Most rows of several amounts prove it, as another format of that day does; else a word is needed.

    A file of a layout that is known dates its rows alike. What a side does not cover may be missing.
    """
    days, source, word = told
    begun, ended = covered
    one = LeftOverRow(0, day(20), -1, "PLUMBER", "csv", imported=True)
    other = one._replace(day=day(20 + days), raw=word, source=source)
    ours, theirs = (
        [row, *(row._replace(number=1 + n, day=day(10), amount=sign - n) for n in range(count))]
        for row, count, sign in zip((one, other), others, (-50, -60), strict=True)
    )
    our_days, their_days = ((day(first), day(last)) for first, last in zip(*covered, strict=True))
    stored = [OtherRow(row, is_stored=True) for row in theirs]
    beside = Beside(ours, stored, found, our_days, their_days)

    is_covered = [max(begun) <= on <= min(ended) for on in (20, 20 + days)]
    is_within, is_across = all(is_covered), source != "csv"
    is_in_one = any(
        fits and end > on
        for fits, end, on in zip(is_covered, ended[::-1], (20, 20 + days), strict=True)
    )
    there = [count * (max(begun) <= 10) for count in others]
    shared = found.rows + is_within
    of_sides = [found.rows + sum(each) for each in zip(is_covered, there, strict=True)]
    is_mostly = is_most(shared, *of_sides)
    is_enough = is_mostly and len(found.amounts) + is_within >= (6 if days else 3)
    is_same = word == "PLUMBER" and not days and not is_across
    is_on_seam = any(begun[side] == ended[1 - side] == 20 for side in (0, 1))
    is_all = of_sides == [shared, shared]
    is_proven = (is_within and (is_enough or (is_same and not is_on_seam))) or (
        is_across and not days
    )
    is_worded = word != "BAKERY" and (is_enough or (is_within and (is_across or is_all)))
    is_dated_alike = bool(days) and not is_across and found.identical > 0
    may_be_one = (is_within or is_in_one) and not is_dated_alike
    assert bool(rows.same_rows_of(beside)) == (may_be_one and (is_proven or is_worded))


class Text(NamedTuple):
    """A row by its words."""

    number: int
    raw: str
    aside: str
    external_id: str | None


of_words = st.tuples(
    st.lists(st.sampled_from("abcd"), max_size=3).map(" ".join),
    st.sampled_from(["", "", "d"]),
    st.sampled_from([None, None, "100", "200"]),
)
texts = st.lists(of_words, max_size=6).map(
    lambda told: [Text(number, *each) for number, each in enumerate(told)]
)


def likeness(read: Text, stored: Text) -> int:
    """How many words two rows share, more for all, and -1 where they cannot be one."""
    ours, theirs = words_of_text(read.raw), words_of_text(stored.raw)
    if not texts_agree(*read[1:], stored.raw, stored.external_id):
        return -1
    return 99 if ours == theirs else len(ours & theirs)


@given(texts, texts)
@settings(max_examples=100)
def test_no_two_rows_are_liker_than_their_partners(read: list[Text], stored: list[Text]) -> None:
    """Rows of one day and amount are paired once by their words, and the likest before others."""
    pairs = rows.pair_left_overs(read, [each._replace(aside="") for each in stored])
    ours, theirs = ({pair[side].number: likeness(*pair) for pair in pairs} for side in (0, 1))
    assert len(ours) == len(theirs) == len(pairs)
    assert -1 not in ours.values()
    for one in read:
        for other in stored:
            best = max(ours.get(one.number, -1), theirs.get(other.number, -1))
            assert likeness(one, other) <= best


REPORT = FileReport(
    file="export.csv",
    format=None,
    encoding=None,
    accounts=(),
    transactions=0,
    new=0,
    known=0,
    ambiguous=0,
    error=None,
)
HOW: tuple[Misreading, ...] = ("signs", "amounts", "days", "currency")
days_read = st.lists(st.integers(2, 11), min_size=1, max_size=6, unique=True).map(sorted)
beside_them = st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 3, 30]), either, either)


@given(st.sampled_from(HOW), days_read, beside_them)
@settings(max_examples=200)
def test_a_file_that_was_read_otherwise_is_found_with_how(
    how: Misreading, days: list[int], drawn: tuple[int, int, bool, bool]
) -> None:
    """Most rows, turned alike, prove an import that stands: three, one between, or those of its file."""
    more, known, stands, is_its_file = drawn
    told = [StatementRow(20260201 + each, -1000 - each, f"SHOP {each}") for each in days]
    read = [misreadings.ReadRow(*row[:3], "", None) for row in told]
    others = [row._replace(raw=f"BAR {row.raw}") for row in [*read, *read, *read][:more]]
    times = {"signs": -1, "amounts": 100}.get(how, 1)
    before = [(row.day if how != "days" else 20260002 + row.day % 100 * 100, row) for row in read]
    earlier = [
        misreadings.EarlierRow(no, on, row.amount * times, row.raw, None, 1)
        for no, (on, row) in enumerate(before)
    ]
    home = Home()
    held = home.keep(OfFile("giro", [], "EUR" if how == "currency" else "USD"))
    home.keep(OfFile("export", []))
    run = replace(
        home.resolve(OfFile("export", told)),
        reports=(REPORT.model_copy(update={"transactions": len(told)}),),
    )
    report = ImportReport(id=None, dry_run=False, digest="", files=run.reports[:is_its_file])
    brought = misreadings.EarlierImport(1, "imp_1", 0, report.model_dump_json(), stands)
    beside = misreadings.BesideRows([*read, *others], [(held, earlier)], known)
    found = misreadings.find_misread_imports(run, {0: beside}, [brought])

    count, listed = len(read), len(read) + len(others)
    is_between = how != "currency" and any(
        read[0].day < each.day < read[-1].day for each in earlier
    )
    is_proven = count >= 3 or is_between or is_its_file
    is_found = stands and is_proven and 5 * count >= max(4 * listed, known + listed)
    assert [(each.number, each.how) for each in found] == [(1, how)] * is_found


paid_rows = st.lists(st.tuples(st.integers(1, 4), st.integers(-4, 4)), min_size=1, max_size=5)


def paid(drawn: list[tuple[int, int]], unit: int, text: str) -> tuple[list[StatementRow], ...]:
    """Rows of sizes that come in on one account, and left another one so many days later."""
    on = [10 + 9 * place for place in range(len(drawn))]
    come = [StatementRow(day(n), size * unit, text) for n, (size, _) in zip(on, drawn, strict=True)]
    left = [
        StatementRow(day(n + late), -size * abs(unit), "CARD")
        for n, (size, late) in zip(on, drawn, strict=True)
    ]
    return come, left


@given(paid_rows, st.integers(0, 6), either, st.sampled_from(["out", "negate", "in"]))
@settings(max_examples=150)
def test_what_another_account_paid_comes_in(
    drawn: list[tuple[int, int]], shops: int, is_there: bool, way: str
) -> None:
    """A payee's rows of a card turn where each was paid just then, in two sizes, if most are others.

    Of what lies outside the days of the payers nothing is asked.
    """
    payments, left = paid(drawn, -1000, "PAYMENT")
    bank = OfFile("bank", [*left, StatementRow(day(80), -3, "X")], number="30002222")
    own = [*payments, *table([-7] * shops)]
    card = File([OfFile("visa", own, number="40001111", kind="credit")], "c" * 64, way)
    home = Home()
    if is_there:
        home.keep(bank)
    files = [card] if is_there else [File([bank], "b" * 64), card]
    run, local = home.resolve(*files), len(files) - 1
    turned = let_payments_in(run, home.facts(files, run))

    first = min(row.day for row in left)
    is_asked = [ORDINAL[row.day] - ORDINAL[first] >= 3 for row in payments]
    is_paid = [abs(late) <= 3 for _, late in drawn]
    sizes = {size for size, late in drawn if abs(late) <= 3}
    are_all = all(fits or not needed for fits, needed in zip(is_paid, is_asked, strict=True))
    turns = way != "in" and len(drawn) <= shops and len(sizes) >= 2 and are_all
    payee = [text for _, _, text in run.staged.payees].index("PAYMENT")
    assert turned == [(local, payee, local)] * turns
    total = -sum(row.amount for row in payments)
    said = run.accounts[local].staged.in_files[local]
    assert (said.money_in, said.money_out) == (total * turns, total * (not turns) + 7 * shops)
    assert len(run.staged.files[local].notes) == turns


words_said: st.SearchStrategy[KindWord | None] = st.sampled_from([None, *kinds.KINDS, "other"])
told_kinds: st.SearchStrategy[AccountKind | None] = st.sampled_from([None, "depository", "credit"])


@given(words_said, told_kinds, told_kinds, either)
def test_a_kind_that_is_said_holds(
    word: KindWord | None, told: AccountKind | None, held: AccountKind | None, is_beside: bool
) -> None:
    """For a new account of a file of one; beside others for what the file leaves open, asked once."""
    ours = OfFile("Reed", table([-5, 3]), number="Reed", kind=told, named=True)
    beside = OfFile("Moss", table([-6, 4], first=1), number="Moss", named=True)
    home = Home()
    if held is not None:
        home.keep(ours, kind=held)
    file = File([ours, beside][: 1 + is_beside])
    said = [] if word is None else [ImportAnswer(file=0, about="accountKind", value=word)]
    run = home.resolve(file, said=said)
    run = kinds.resolve_kinds(run, home.facts([file], run))
    account, *others = run.accounts
    is_open = word is None and (is_beside or (told is None and held is None))
    assert [each.question.about for each in run.questions] == ["account_kind"] * is_open
    meant = None if word is None else kind_and_subtype(word)[0]
    own = told if is_beside or word is None else None
    assert account.kind == (held or own or meant or account.kind)
    assert [each.kind for each in others] == [meant or "depository"] * is_beside
    assert len(account.notes) == (None not in (held, meant) and held != meant)


names = st.sampled_from(["export", "my visa", "my savings"])


@given(paid_rows, st.integers(0, 7), st.tuples(either, either), names)
@settings(max_examples=150)
def test_what_pays_an_account_tells_its_kind(
    drawn: list[tuple[int, int]], spent: int, drawn_too: tuple[bool, bool], name: str
) -> None:
    """What comes in and left another one just then tells of a card or savings; a name may deny it."""
    is_round, is_there = drawn_too
    come, left = paid(drawn, 1000 if is_round else 1001, "IN")
    bank = OfFile("bank", left, kind="depository")
    home = Home()
    if is_there:
        home.keep(bank, layout="b" * 64)
    own = File([OfFile(name, [*come, *table([-7] * spent)])])
    files = [own] if is_there else [own, File([bank], "b" * 64)]
    run = home.resolve(*files)
    run = kinds.resolve_kinds(run, home.facts(files, run))

    found = [size for size, late in drawn if abs(late) <= 3]
    is_paid = len(set(found)) >= 2 and 2 * len(found) > len(drawn)
    by_name = {"my visa": "credit", "my savings": "depository"}.get(name)
    by_payer = None
    if is_paid and (not spent or (spent > len(drawn) and not is_round)):
        by_payer = "credit" if spent else "depository"
    kind = None if by_name and by_payer not in (None, by_name) else by_name or by_payer
    asked = [(each.question.about, len(each.question.choices)) for each in run.questions]
    assert asked == [("account_kind", len(kinds.KINDS))] * (kind is None)
    assert len(run.accounts[0].notes) == (kind is not None)
    assert kind in (None, run.accounts[0].kind)
