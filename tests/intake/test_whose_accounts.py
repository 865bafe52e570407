"""Whose accounts the accounts of files are: laws of all homes and files, decided without a store."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, reject, settings, strategies as st
from pydantic.alias_generators import to_camel

from finplan.intake.candidates import match_number
from finplan.intake.facts import BY_NAME, HeldAccount
from finplan.intake.files import ImportRun, ResolvedAccount
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ANOTHER_ACCOUNT, ImportAnswer
from finplan.statements.statement import StatementRow
from tests.intake.homes import LAYOUT, File, Home, OfFile, Rows, day, table

OTHER_LAYOUT = "o" * 64
IBAN, NATIONAL = "DE89370400440532013000", "37040044/532013000"
NUMBERS = ("Reed", "Moss", "12345678", "0001", IBAN, NATIONAL)
TABLES = (table([-100 - n for n in range(9)]), table([-200 - n for n in range(9)], text="BAR"))
LATER, OTHERS = table([-1, -2, -3, -4, -5, -6], first=90), table([-9] * 7, first=1, text="OWN")
"""Rows after all days of the tables, and rows of other days between them."""

several = settings(max_examples=60)
either = st.booleans()
dice_of = st.randoms(use_true_random=False)
told_apart = st.tuples(
    st.sampled_from(["export", "new", "savings", "visa"]),
    st.sampled_from(["USD", "USD", "EUR"]),
    st.sampled_from([None, "Alpha", "Beta"]),
    st.none() | st.integers(-500, 500),
)
rows_drawn = st.tuples(
    st.sampled_from(TABLES),
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted),
    either,
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 50)), max_size=2),
)
layouts = st.sampled_from([LAYOUT, OTHER_LAYOUT])
seldom = st.sampled_from([False, False, False, True])


@st.composite
def accounts(draw: st.DrawFn, *, numbered: bool = False) -> OfFile:
    """An account with a part of some rows that others may have, in its words or not, and own ones."""
    shared, (since, until), is_reworded, more = draw(rows_drawn)
    part = [row._replace(raw="X") if is_reworded else row for row in shared[since:until]]
    rows = sorted([*part, *(StatementRow(day(on), amount, "OWN") for on, amount in more)])
    name, currency, institution, closing = draw(told_apart)
    balance = None if closing is None or not rows else (rows[-1].day, closing)
    number = draw(st.sampled_from(NUMBERS if numbered else [None, None, *NUMBERS]))
    subtype = "checking" if number == "0001" else None
    named = numbered or draw(either)
    return OfFile(name, rows, currency, number, institution, None, subtype, balance, named)


def known_by(told: OfFile) -> str:
    """The external id of an account that such a file made."""
    if told.number is None:
        return BY_NAME + told.name.casefold()
    return match_number(told.number, told.subtype, [])[0]


@st.composite
def imports(draw: st.DrawFn, most: int = 2) -> tuple[Home, list[File]]:
    """A home of a few accounts, what its person said, and files of so many accounts at most."""
    home = Home()
    apart = st.lists(accounts(), max_size=3, unique_by=lambda each: (known_by(each), each[2:5]))
    for told in draw(apart):
        held = home.keep(told, layout=draw(layouts), external_id=known_by(told))
        if draw(seldom):
            home.by_header.setdefault(LAYOUT, set()).add(held.no)
        if draw(seldom):
            home.learned[held.no] = {draw(st.sampled_from(["name:export", "Reed", "0001"]))}
    # Only an account with a number, or what an app calls it, stands in a file with another one.
    one = st.lists(accounts(), min_size=1, max_size=1)
    two = st.lists(accounts(numbered=True), max_size=most, min_size=most, unique_by=known_by)
    files = st.builds(File, one | two, layouts, st.none())
    return home, draw(st.lists(files, min_size=1, max_size=3))


def resolved(home: Home, files: Sequence[File]) -> ImportRun:
    """The import with its accounts resolved, where nothing refuses it."""
    try:
        return home.resolve(*files)
    except (BadRequest, Conflict):
        reject()


def asked(run: ImportRun) -> list[tuple[int, str, list[str]]]:
    """The file, the subject and the choices of each question."""
    return [
        (each.file, each.question.about, [choice.value for choice in each.question.choices])
        for each in run.questions
    ]


def said(place: int, about: str, value: str) -> ImportAnswer:
    return ImportAnswer.model_validate({"file": place, "about": to_camel(about), "value": value})


def only(run: ImportRun) -> ResolvedAccount:
    """The one account of an import that asks nothing."""
    assert run.questions == ()
    (account,) = dict.fromkeys(run.accounts)
    return account


@given(imports())
@several
def test_each_account_of_the_files_is_one(drawn: tuple[Home, list[File]]) -> None:
    """Each is one account, in its currency; those that are one stand behind the first, with all rows."""
    home, files = drawn
    told, run = [each for file in files for each in file.accounts], resolved(home, files)
    gone = {other for _, other in run.merged}
    for first, other in run.merged:
        assert first < other
        assert first not in gone
        assert run.accounts[first] is run.accounts[other]
    kept = [account for local, account in enumerate(run.accounts) if local not in gone]
    assert len(kept) == len({each.no or id(each) for each in kept})
    for account in kept:
        own = [t for t, each in zip(told, run.accounts, strict=True) if each is account]
        booked = sum(each.booked for each in account.staged.in_files.values())
        assert booked == sum(len(each.rows) for each in own)
        assert {each.currency for each in own} == {account.currency}
        assert account.existing is None or account.existing.currency == account.currency
    assert gone.isdisjoint(local for file in run.staged.files for local in file.accounts)


@given(imports())
@several
def test_accounts_of_one_file_are_never_one(drawn: tuple[Home, list[File]]) -> None:
    """A file that lists two accounts says that they are two, unless both were said to be one."""
    home, files = drawn
    ids = [{known_by(each) for each in file.accounts} for file in files]
    ones = [{each.external_id, *home.learned.get(each.no, ())} for each in home.held]
    # A number that was learned without a kind is that of either kind.
    ones = [one | ({"0001 checking"} if "0001" in one else set()) for one in ones]
    assume(all(len(each & one) < 2 for each in ids for one in [*ones, {IBAN, NATIONAL}]))
    listed = [len(each.accounts) for each in files]
    assert [len(each.accounts) for each in resolved(home, files).staged.files] == listed


@given(imports(most=1))
@several
def test_each_choice_settles_its_question(drawn: tuple[Home, list[File]]) -> None:
    """What is picked is not asked again, and is what it says: an account that is there, or another."""
    home, files = drawn
    run = resolved(home, files)
    for place, about, values in asked(run):
        currency = files[place].accounts[0].currency
        there = {each.id for each in home.held if each.currency == currency}
        taken = {each.name.casefold() for each in home.held} if about == "account" else set()
        for value in values:
            # A file that does not say its currency is read in that of the account which is named.
            if value.casefold() in taken or (value.startswith("acc_") and value not in there):
                continue
            again = home.resolve(*files, said=[said(place, about, value)])
            left = [each for each in asked(again) if each[0] == place]
            assert about not in [each[1] for each in left]
            account = again.accounts[place]
            if not left and value in there:
                assert account.id == value
            elif not left:
                is_own = value == ANOTHER_ACCOUNT or about == "account"
                is_first = again.accounts.index(account) == place
                assert (account.new, is_first) == (True, is_own)


def common_days(ours: set[int], theirs: set[int]) -> tuple[set[int], set[int]]:
    """The days of either side from the first to the last that both cover."""
    if not ours or not theirs:
        return set(), set()
    since, until = max(min(ours), min(theirs)), min(max(ours), max(theirs))
    first, second = ({each for each in side if since <= each <= until} for side in (ours, theirs))
    return first, second


sides = st.sampled_from(["both", "both", "both", "ours", "theirs"])
split = st.lists(st.tuples(st.integers(1, 5), sides), min_size=1, max_size=14)


@given(split, either, st.sampled_from([0, 1, 2]), st.integers(1, 2))
@settings(max_examples=200)
def test_an_account_with_most_rows_of_another_is_asked_about(
    rows: list[tuple[int, str]], is_reworded: bool, numbers: int, twins: int
) -> None:
    """Most rows of common days, in three amounts or in equal words; nearly all where numbers differ."""
    ours, theirs = (
        table([0 if side == other else -size for size, side in rows])
        for other in ("theirs", "ours")
    )
    if is_reworded:
        ours = [row._replace(raw=f"BAR {row.day}") for row in ours]
    read_as = "0001" if numbers == 2 else None
    home = Home()
    for number in ("12345678", IBAN)[:twins]:
        home.keep(OfFile(number, theirs, number=number if numbers else None), layout=OTHER_LAYOUT)
    run = home.resolve(OfFile("export", ours, number=read_as))

    cut = common_days({row.day for row in ours}, {row.day for row in theirs})
    most = max(map(len, cut))
    # A row of one side alone at an end of these days may well be missing on the other one.
    ends = sorted(map(len, common_days(*cut)))
    both = cut[0] & cut[1]
    sizes = {row.amount for row in ours if row.day in both}
    is_alike = len(both) >= 3 and 5 * len(both) >= 4 * most
    is_repeated = len(both) >= 3 and 5 * len(both) >= 4 * ends[0] and 2 * len(both) >= ends[1]
    is_likely = (is_alike and not is_reworded) or (is_repeated and len(sizes) >= 3)
    if numbers == 2:
        is_likely = len(sizes) >= 6 and 20 * len(both) >= 19 * ends[1]
    values = [*(each.id for each in home.held), ANOTHER_ACCOUNT]
    assert asked(run) == [(0, "same_account", values)] * is_likely
    assert run.accounts[0].new
    is_half = bool(both) and 2 * len(both) >= min(map(len, cut)) and not is_reworded
    if not is_likely:
        assert bool(run.accounts[0].notes) == ((is_alike or is_half) and numbers < 2)
        answers = [said(0, "same_account", values[0])]
        with pytest.raises(BadRequest):
            home.resolve(OfFile("export", ours, number=read_as), said=answers)


days_apart = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=6, max_size=9)


@given(days_apart)
@settings(max_examples=100)
def test_rows_days_apart_are_the_same_up_to_three(rows: list[tuple[int, int]]) -> None:
    """Another format dates rows otherwise: with six amounts, those at most three days apart count."""
    listed = [(99, 0), *rows, (98, 0)]
    theirs = table([-size for size, _ in listed], apart=9)
    ours = [
        row._replace(day=day(9 * place + apart), raw=f"BAR {place}")
        for place, (row, (_, apart)) in enumerate(zip(theirs, listed, strict=True))
    ]
    home = Home()
    home.keep(OfFile("giro", theirs), layout=OTHER_LAYOUT)
    near = [size for size, apart in listed if apart <= 3]
    same = [size for size, apart in listed if not apart]
    is_near, is_same = (
        len({*found}) >= fewest and 5 * len(found) >= 4 * len(listed)
        for found, fewest in ((near, 6), (same, 3))
    )
    assert bool(home.resolve(OfFile("export", ours)).questions) == (is_near or is_same)


@given(imports(most=1), st.sampled_from(["87654321", "9001"]), either)
@several
def test_a_number_goes_before_rows(drawn: tuple[Home, list[File]], number: str, turn: bool) -> None:
    """A file with a number goes to the account of that number, whatever its rows and all others are."""
    home, files = drawn
    told = files[0].accounts[0]._replace(number=number, subtype=None)
    own = OfFile("its own", TABLES[0], told.currency, number, told.institution)
    held = home.keep(own, external_id=f"{number} savings" if turn else number)
    home.held.sort(key=lambda each: each.no, reverse=turn)
    run = home.resolve(told, *files[1:])
    assert (run.accounts[0].existing, run.accounts[0].remembered) == (held, False)


FORMS = (
    (IBAN, NATIONAL),
    ("PL61109010140000071219812874", "61109010140000071219812874"),
    ("FR7630006000011234567890189", "30006 00001 12345678901 89"),
)


@pytest.mark.parametrize("forms", [*FORMS, *(form[::-1] for form in FORMS)])
def test_a_number_has_several_forms(forms: tuple[str, str]) -> None:
    """An IBAN and the number that it is made of are one account's, there or in another file."""
    one, other = (OfFile(f"{n}", TABLES[n], number=each) for n, each in enumerate(forms))
    run = Home().resolve(one, other)
    assert (only(run).external_id, run.merged) == (forms[0], [(0, 1)])
    home = Home()
    held = home.keep(one)
    assert only(home.resolve(other)).existing == held
    almost = f"{forms[1][:-1]}{(int(forms[1][-1]) + 1) % 10}"
    assert only(home.resolve(other._replace(number=almost))).new


institutions = st.tuples(*[st.sampled_from([None, "Alpha", "Beta"])] * 2)


@given(st.sampled_from(["0001", "12345678"]), institutions, st.integers(0, 5), either)
@several
def test_a_short_number_is_of_its_institution(
    number: str, of: tuple[str | None, str | None], count: int, is_there: bool
) -> None:
    """Two institutions may give a short number; a long one is one account's, and so are equal rows."""
    rows = table([-7] * count)
    one, other = (OfFile(f"at {n}", rows, "USD", number, each) for n, each in enumerate(of))
    is_one = len(number) == 8 or None in of or of[0] == of[1]
    home = Home()
    if is_there:
        held = home.keep(one)
        found = home.resolve(other).accounts[0]
        assert (found.existing == held) == (is_one or count >= 3)
        assert bool(found.notes) == found.new
    else:
        run = home.resolve(one, other)
        assert bool(run.questions) == (not is_one and count >= 3)
        assert (run.accounts[0] is run.accounts[1]) == is_one


ASKED = ("balance", "no balance", "balance of nothing", "a month")
APART = ("layout", "currency", "kind by name", "days")
months = st.tuples(st.integers(2, 4), st.integers(0, 2), st.integers(5_000, 9_000))


@given(months, st.sampled_from(["", *ASKED, *APART]), dice_of)
@settings(max_examples=120)
def test_months_whose_balances_go_on_are_one_account(
    drawn: tuple[int, int, int], broken: str, dice: Random
) -> None:
    """Whatever their order, and some of them there already; what no balance shows is asked about.

    Where columns, currencies, kinds that names speak of or rows of a day differ, they are two accounts.
    """
    count, kept, balance = drawn
    count = 2 if broken == "days" else count
    files = []
    if broken == "balance of nothing":
        balance = sum(10 * number + each for number in range(count - 1) for each in range(1, 5))
    for number in range(count + (broken == "a month")):
        is_last = number == count - 1
        first = 2 if is_last and broken == "days" else 30 * number
        rows = table([-10 * number - each for each in range(1, 5)], first=first)
        balance += sum(row.amount for row in rows) + (is_last and broken == "balance")
        name = f"savings {number}" if broken == "kind by name" else f"month {number}"
        told = OfFile(name, rows, balance=(rows[-1].day, balance))
        if broken == "no balance":
            told = told._replace(balance=None)
        if is_last and broken == "currency":
            told = told._replace(currency="EUR")
        if is_last and broken == "kind by name":
            told = told._replace(name="visa")
        files.append(File([told], OTHER_LAYOUT if is_last and broken == "layout" else LAYOUT))
    if broken == "a month":
        del files[count - 1]
    home, kept = Home(), min(kept, count - 1)
    for number, file in enumerate(files[:kept]):
        home.keep(file.accounts[0], int(number > 0), file.layout)
    rest = files[kept:]
    dice.shuffle(rest)
    run = home.resolve(*rest)
    if not broken:
        assert only(run).new == (kept == 0)
        noted = [len(file.notes) for file in run.staged.files]
        assert noted == [int(kept > 0), *[1] * (len(rest) - 1)]
    elif broken in ASKED:
        assert {about for _, about, _ in asked(run)} == {"same_account"}
    else:
        assert (run.questions, len(set(run.accounts))) == ((), 2 - (kept == count - 1))


ways = st.tuples(
    st.sampled_from([TABLES[0], TABLES[1], LATER, OTHERS]), st.sampled_from([None, 77, -936])
)
others_there = st.sampled_from(["", LAYOUT, OTHER_LAYOUT])


def one_of_two(
    drawn: tuple[Rows, int | None], other_of: str, name: str, layout: str = LAYOUT
) -> tuple[Home, HeldAccount, HeldAccount | None, File]:
    """A home with an account of rows and perhaps another one, and a file that may be of either."""
    rows, balance = drawn
    home = Home()
    closing = None if balance is None else (TABLES[0][-1].day, -936)
    held = home.keep(OfFile("export", TABLES[0], balance=closing))
    other = home.keep(OfFile("other", TABLES[1]), layout=other_of) if other_of else None
    moved = sum(row.amount for row in rows) if rows is LATER else 0
    stated = None if balance is None else (rows[-1].day, balance + moved)
    return home, held, other, File([OfFile(name, rows, balance=stated)], layout)


@given(ways, others_there, either, either)
@settings(max_examples=150)
def test_an_earlier_answer_holds_until_rows_or_balances_deny_it(
    drawn: tuple[Rows, int | None], other_of: str, is_of_two_kinds: bool, is_another: bool
) -> None:
    """A file of a header that was said to be of an account goes there; what denies it is asked.

    So it is asked about where another account has such files, too, unless its rows or balance tell.
    """
    rows, balance = drawn
    home, held, other, file = one_of_two(drawn, other_of, "savings" if is_of_two_kinds else "mine")
    if is_of_two_kinds:
        home.held[0] = held = replace(held, name="visa")
    home.by_header[LAYOUT] = {held.no}
    if is_another:
        run = home.resolve(file, said=[said(0, "same_account", ANOTHER_ACCOUNT)])
        assert only(run).new
        return
    run = home.resolve(file)
    goes_on = rows is LATER and balance == -936 and not is_of_two_kinds
    is_denied = rows in (TABLES[1], OTHERS) or (rows is LATER and balance == 77) or is_of_two_kinds
    if rows is TABLES[1] and other is not None:
        assert only(run).existing == other
    elif other is not None and other_of == LAYOUT:
        if goes_on or rows is TABLES[0]:
            assert (only(run).existing, len(only(run).notes)) == (held, 1)
        else:
            assert asked(run) == [(0, "account", [held.id, other.id])]
    elif is_denied:
        assert asked(run) == [(0, "same_account", [held.id, ANOTHER_ACCOUNT])]
        again = home.resolve(file, said=[said(0, "same_account", held.name.upper())])
        assert only(again).existing == held
    else:
        assert (only(run).existing, only(run).remembered) == (held, True)


@given(ways, others_there, layouts)
@settings(max_examples=100)
def test_a_name_leads_to_its_account_until_columns_or_balances_deny_it(
    drawn: tuple[Rows, int | None], other_of: str, layout: str
) -> None:
    """Banks call every export alike: rows go before a name, and a balance or columns that break it."""
    rows, balance = drawn
    home, held, other, file = one_of_two(drawn, other_of, "Export", layout)
    run = home.resolve(file)
    is_broken = rows is LATER and balance == 77
    is_odd = layout == OTHER_LAYOUT and rows is not TABLES[0] and not (rows is LATER and balance)
    if rows is TABLES[1] and other is not None:
        assert only(run).existing == other
    elif is_broken or is_odd:
        assert asked(run) == [(0, "account", [held.id, "Export 2"])]
    else:
        assert (only(run).existing, only(run).remembered) == (held, False)
        assert len(only(run).notes) == (rows is OTHERS or rows is TABLES[1])


def test_equal_rows_in_another_currency_are_asked_about() -> None:
    """A currency may have been assumed, so the account that has the rows in another one is named."""
    home = Home()
    held = home.keep(OfFile("giro", TABLES[0], "EUR"))
    home.keep(OfFile("other", TABLES[1], "EUR"))
    assert asked(home.resolve(OfFile("export", TABLES[0]))) == [(0, "account", [held.id, "export"])]
    assert only(home.resolve(OfFile("export", LATER))).new
    run = Home().resolve(OfFile("export", TABLES[0]), OfFile("giro", TABLES[0], "EUR"))
    assert (run.questions, len(set(run.accounts))) == ((), 2)


given_names = st.sampled_from(["giro", "GIRO", "acc_1", "old", "OTHER", "fresh", "twin", "acc_9"])


@given(given_names, st.sampled_from([TABLES[0], TABLES[1], LATER]))
@several
def test_the_account_that_a_person_names_takes_the_rows(name: str, rows: Rows) -> None:
    """By its id, by a name it has or had, or a new one; rows of another account are remarked upon."""
    home = Home()
    giro = home.keep(OfFile("giro", TABLES[0]))
    other = home.keep(OfFile("other", TABLES[1]), external_id="name:old")
    twins = [home.keep(OfFile(each, []), external_id=each).id for each in ("Twin", "tWIN")]
    answers = [said(0, "account", name)]
    if name == "acc_9":
        with pytest.raises(BadRequest):
            home.resolve(OfFile("export", rows), said=answers)
        return
    run = home.resolve(OfFile("export", rows), said=answers)
    if name == "twin":
        assert asked(run) == [(0, "account", twins)]
        return
    expected = {"fresh": None, "old": other, "OTHER": other}.get(name, giro)
    assert (only(run).existing, only(run).name) == (
        expected, "fresh" if expected is None else expected.name
    )  # fmt: skip
    owner = {id(TABLES[0]): giro, id(TABLES[1]): other}.get(id(rows))
    assert only(run).contested == (owner not in (None, expected))
    with pytest.raises(BadRequest):
        home.resolve(
            *[OfFile(each, rows) for each in "ab"], said=[said(n, "account", name) for n in (0, 1)]
        )


numbers_of = st.tuples(st.sampled_from([None, "40001111"]), st.sampled_from([None, "40002222"]))
kinds_of = st.tuples(*[st.sampled_from([None, "credit", "loan"])] * 2)


@given(numbers_of, kinds_of, either)
@several
def test_files_with_the_same_rows_are_one_account_once_it_is_said(
    numbers: tuple[str | None, str | None], kinds: tuple[None, None], is_there: bool
) -> None:
    """It goes by the first number and kind that a file says, and learns what else it is known by."""
    one, other = (
        OfFile(f"file {n}", TABLES[0], number=number, kind=kind, named=n == 0)
        for n, (number, kind) in enumerate(zip(numbers, kinds, strict=True))
    )
    home = Home()
    held = home.keep(one, layout=OTHER_LAYOUT) if is_there else None
    files = [File([each]) for each in ([other] if is_there else [one, other])]
    place = len(files) - 1
    values = ["file 0" if held is None else held.id, ANOTHER_ACCOUNT]
    assert asked(home.resolve(*files)) == [(place, "same_account", values)]
    account = only(home.resolve(*files, said=[said(place, "same_account", values[0])]))
    first = known_by(one)
    if held is None:
        first = next((each for each in numbers if each is not None), first)
        assert account.staged.account.kind == (kinds[0] or kinds[1])
    assert (account.external_id, account.existing) == (first, held)
    others = {known_by(other)} | (set() if is_there else {known_by(one)})
    assert account.learned == others - {first}
    assert bool(account.learned_headers) == (numbers[1] is None)
    kind = kinds[0] or ("depository" if is_there else kinds[1])
    assert len(account.notes) == (kinds[1] not in (None, kind))
    again = home.resolve(*files, said=[said(place, "same_account", ANOTHER_ACCOUNT)])
    assert again.accounts[place].new
    assert again.merged == []
