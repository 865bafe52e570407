"""A person's own words as rows: categories, decisions and remembered rows.

A category's name is one once, and nothing of anybody else's; what was decided for payees is saved
beside what their person said; remembered rows are known again under other numbers; rows that may
be a pair are found by their payees; and words are folded so that they are found however they are
written. A page at which a bank is linked is found by the address that it leads to.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, column, event, insert, literal, select
from sqlalchemy.exc import IntegrityError

from finplan.store.engine import by_no_index, holds_word
from finplan.store.folding import fold, fold_others, holds
from finplan.store.queries import categories, connections, payees, people, transfers, verdicts
from finplan.store.queries.payees import SavedDecision
from finplan.store.store import Store
from finplan.store.tables.tables import payee, rule


def _values(owner: int, number: int, known_as: str = "bikes") -> dict[str, object]:
    return {
        "id": f"cat_{number}",
        "owner_no": owner,
        "name": known_as.title(),
        "known_as": known_as,
        "line": "essential",
        "reimbursable": 0,
        "created_at": 0,
    }


@pytest.fixture
async def housemate(store: Store, owner: int) -> int:
    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    assert owner
    return await store.write(add)


async def test_a_name_is_one_persons_category(store: Store, owner: int, housemate: int) -> None:
    """The table itself refuses a second category of a name, and leaves other people theirs."""

    def add(connection: Connection) -> None:
        categories.add_category(connection, _values(owner, 1))
        categories.add_category(connection, _values(housemate, 2))

    await store.write(add)
    with pytest.raises(IntegrityError):
        await store.write(lambda c: categories.add_category(c, _values(owner, 3)))

    for person, expected in ((owner, "cat_1"), (housemate, "cat_2")):
        rows = await store.read(partial(categories.list_categories, owner=person))
        assert [row["id"] for row in rows] == [expected]


async def test_changes_reach_one_persons_rows(store: Store, owner: int, housemate: int) -> None:
    """To rename, refile or remove another person's category does nothing."""

    def prepare(connection: Connection) -> None:
        categories.add_category(connection, _values(owner, 1))
        _add_payee(connection, owner, 1, "cat_1")

    def meddle(connection: Connection) -> None:
        categories.change_category(connection, housemate, "cat_1", {"name": "Mine"})
        categories.refile(connection, housemate, "cat_1", "dining")
        categories.remove_rules(connection, housemate, "cat_1")
        categories.remove_category(connection, housemate, "cat_1")

    def look(connection: Connection) -> tuple[object, ...]:
        (held,) = categories.list_categories(connection, owner)
        row = connection.execute(select(payee.c.category_out, payee.c.category_in)).one()
        return (held["name"], *row, *connection.scalars(select(rule.c.category)))

    await store.write(prepare)
    before = await store.read(look)
    await store.write(meddle)

    assert await store.read(look) == before == ("Bikes", "cat_1", "cat_1", "cat_1")


async def test_dismissals_are_kept_once(store: Store, owner: int, housemate: int) -> None:
    """A name is dismissed by one person, however often, and wanted again at once."""
    for _ in range(2):
        await store.write(lambda c: categories.set_dismissed(c, owner, "car costs", dismissed=True))
    assert await store.read(lambda c: categories.dismissed_names(c, owner)) == {"car costs"}
    assert await store.read(lambda c: categories.dismissed_names(c, housemate)) == frozenset()

    await store.write(lambda c: categories.set_dismissed(c, owner, "car costs", dismissed=False))
    assert await store.read(lambda c: categories.dismissed_names(c, owner)) == frozenset()


def _add_payee(connection: Connection, owner: int, number: int, ruled: str) -> None:
    plain = {
        "no": number,
        "owner_no": owner,
        "key": f"payee {number}",
        "name": "Payee",
        "raw": "PAYEE",
        "category_out": ruled,
        "category_in": ruled,
        "decided_out": "uncategorized",
        "decided_in": "unknown_inflow",
        "why": "",
    }
    connection.execute(insert(payee).values(**plain))
    connection.execute(
        insert(rule).values(
            id=f"rule_{number}", owner_no=owner, payee_no=number, category=ruled, saved_at=0
        )
    )


DECIDED = SavedDecision("dining", "refund", "auto", 0.9, "", None, "Matches the word 'cafe'")


def _rule(connection: Connection, payee: int, owner: int, category: str, direction: str) -> None:
    connection.exec_driver_sql(
        "INSERT INTO rule (id, owner_no, payee_no, category, saved_at, direction)"
        " VALUES (?, ?, ?, ?, 0, ?)",
        (f"{payee}-{direction}", owner, payee, category, direction),
    )


async def test_a_persons_word_holds_by_its_direction(store: Store, owner: int) -> None:
    """A rule of one direction goes before one of both, and what was decided holds without either."""

    def save(connection: Connection) -> list[tuple[str, str]]:
        names = [(key, key, key) for key in ("none", "both", "out and both", "in and both")]
        none, both, out, into = payees.add_payees(connection, owner, names).values()
        _rule(connection, both, owner, "groceries", "both")
        _rule(connection, out, owner, "groceries", "both")
        _rule(connection, out, owner, "travel", "out")
        _rule(connection, into, owner, "groceries", "both")
        _rule(connection, into, owner, "wages", "in")
        payees.save_decisions(connection, dict.fromkeys((none, both, out, into), DECIDED))
        found = payees.categories_of(connection, owner)
        for number in found:
            payees.apply_rules(connection, number)
        assert payees.categories_of(connection, owner) == found
        return [found[number] for number in (none, both, out, into)]

    assert await store.write(save) == [
        ("dining", "refund"),
        ("groceries", "groceries"),
        ("travel", "groceries"),
        ("groceries", "wages"),
    ]


async def test_decisions_are_saved_without_sorting(store: Store, owner: int) -> None:
    """Each payee's rules are looked up in an index: sorting them takes longer than all the rest."""
    statements: list[str] = []

    def remember(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        statements.append(statement)

    def plan(connection: Connection) -> list[str]:
        added = payees.add_payees(connection, owner, [("cafe", "Cafe", "CAFE")])
        event.listen(connection, "before_cursor_execute", remember)
        payees.save_decisions(connection, dict.fromkeys(added.values(), DECIDED))
        event.remove(connection, "before_cursor_execute", remember)
        (statement,) = statements
        marks = (None,) * statement.count("?")
        return [
            row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", marks)
        ]

    steps = await store.write(plan)
    assert any("SEARCH rule USING" in step for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)


ACCOUNT = (
    "INSERT INTO account (no, id, owner_no, connection_no, external_id, name, kind, currency)"
    " VALUES (?, ?, 1, 1, ?, 'A', 'depository', 'USD')"
)
ROW = (
    "INSERT INTO tx (no, owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal,"
    " source, counts) VALUES (?, 1, ?, 1, ?, ?, ?, ?, ?, 'csv', 1)"
)


def _add(connection: Connection, number: int, **more: Any) -> None:
    row = {"account": 1, "day": 20260105, "amount": -20_00, "raw": "SHOP", "id": None, "ordinal": 0}
    row |= more
    values = (row["account"], row["day"], row["amount"], row["raw"], row["id"], row["ordinal"])
    connection.exec_driver_sql(ROW, (number, *values))


def _prepare(connection: Connection) -> None:
    connection.exec_driver_sql(
        "INSERT INTO person (no, id, email, created_at, time_zone) VALUES (1, 'usr', 'a', 0, 'UTC')"
    )
    connection.exec_driver_sql(
        "INSERT INTO connection (no, id, owner_no, provider, institution_name, status, created_at)"
        " VALUES (1, 'con', 1, 'manual', 'Bank', 'ok', 0)"
    )
    connection.exec_driver_sql(ACCOUNT, (1, "acc_1", "chk"))


@pytest.mark.parametrize(
    ("was", "now", "known"),
    [
        ({}, {}, True),
        ({"raw": "SHOP"}, {"raw": "SHOP CORRECTED"}, True),
        ({"id": "t1"}, {"id": "t1", "day": 20260107, "raw": "OTHER"}, True),
        ({"id": "t1"}, {"id": "t1", "amount": -21_00}, False),
        ({}, {"day": 20260106}, False),
        ({}, {"amount": -20_01}, False),
    ],
    ids=["same", "text", "day with bank's id", "amount with bank's id", "day", "amount"],
)
async def test_a_row_is_known_again(
    store: Store, was: dict[str, Any], now: dict[str, Any], known: bool
) -> None:
    """By its identity, by the bank's id and the amount, or alone by day and amount."""

    def work(connection: Connection) -> dict[int, int]:
        _prepare(connection)
        _add(connection, 1, **was)
        verdicts.save_identity(connection, 1, verdicts.posted_identities(connection, [1])[1])
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7, **now)
        return verdicts.current_rows(connection, 1)

    found = await store.write(work)
    assert list(found.values()) == ([7] if known else [])


async def test_a_guess_is_not_made_between_two(store: Store) -> None:
    """Two rows of that day and amount: neither is taken for the one that went."""

    def work(connection: Connection) -> tuple[dict[int, int], dict[int, int]]:
        _prepare(connection)
        _add(connection, 1)
        verdicts.save_identity(connection, 1, verdicts.posted_identities(connection, [1])[1])
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7, raw="ONE")
        alone = verdicts.current_rows(connection, 1, for_certain=True)
        _add(connection, 8, raw="TWO")
        return alone, verdicts.current_rows(connection, 1)

    assert await store.write(work) == ({}, {})


async def test_an_account_made_again_is_known_by_its_key(store: Store) -> None:
    """A bank that is linked again has other ids here, and the same ones there."""

    def work(connection: Connection) -> dict[int, int]:
        _prepare(connection)
        _add(connection, 1)
        verdicts.save_identity(connection, 1, verdicts.posted_identities(connection, [1])[1])
        connection.exec_driver_sql("DELETE FROM account")
        connection.exec_driver_sql(ACCOUNT, (2, "acc_2", "chk"))
        connection.exec_driver_sql(ACCOUNT, (3, "acc_3", "sav"))
        _add(connection, 7, account=2)
        _add(connection, 8, account=3)
        return verdicts.current_rows(connection, 1)

    assert list((await store.write(work)).values()) == [7]


async def test_a_row_that_is_known_is_no_other_by_its_size(store: Store) -> None:
    """Of two rows of a day and an amount one comes back: it is that one, and not the other besides."""

    def work(connection: Connection) -> tuple[int, dict[int, int]]:
        _prepare(connection)
        _add(connection, 1)
        _add(connection, 2, raw="KIOSK")
        was = verdicts.posted_identities(connection, [1, 2])
        shop, _ = (verdicts.save_identity(connection, 1, was[number]) for number in (1, 2))
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7)
        return shop, verdicts.current_rows(connection, 1)

    shop, known = await store.write(work)
    assert known == {shop: 7}


async def test_a_link_is_found_by_where_its_page_leads(store: Store, owner: int) -> None:
    """The address of a person's page at one bank names their link there, and no other address does."""
    values = {
        "id": "lnk_1", "owner_no": owner, "bank": "plaid", "url": "https://bank", "ticket": b"",
        "state": "north", "status": "waiting", "created_at": 0, "expires_at": 1,
    }  # fmt: skip
    await store.write(lambda c: connections.add_link(c, values))

    async def found(who: int, bank: str, state: str) -> str | None:
        return await store.read(lambda c: connections.find_link_by_state(c, who, bank, state))

    assert await found(owner, "plaid", "north") == "lnk_1"
    assert await found(owner, "plaid", "south") is None
    assert await found(owner, "enablebanking", "north") is None
    assert await found(owner + 1, "plaid", "north") is None


async def test_rows_of_payees_whose_text_is_wanted_are_found(store: Store) -> None:
    """Unpaired rows of payees with a wanted text are found between two days, and nothing else is."""
    told: list[transfers.DatedRow] = []

    def within_fee(rows: Iterable[transfers.DatedRow], _currencies: Mapping[int, str]) -> list[int]:
        told.extend(rows)
        return [no for no, *_ in told]

    def work(connection: Connection) -> list[int]:
        _prepare(connection)
        connection.exec_driver_sql(ACCOUNT, (2, "acc_2", "sav"))
        named = [("sent", "Sent", "SENT"), ("shop", "Shop", "SHOP")]
        assert payees.add_payees(connection, 1, named) == {"sent": 1, "shop": 2}
        _add(connection, 1)
        _add(connection, 2, account=2, day=20260106, amount=19_50)
        _add(connection, 3, day=20250105)
        for number, another in ((4, "payee_no = 2"), (5, "transfer_no = 1")):
            _add(connection, number)
            connection.exec_driver_sql(f"UPDATE tx SET {another} WHERE no = {number}")
        tests = transfers.UnequalTests("SENT".__eq__, bool, within_fee, lambda *_: ())
        return [row.no for row in transfers.candidates_of_rows(connection, 1, [1], tests)]

    assert await store.write(work) == [1, 2]
    assert sorted(told) == [(1, 1, 20260105, -20_00), (2, 2, 20260106, 19_50)]


TEXT = st.text(st.sampled_from("aAeEiIkKsSzß%_\\ éÉıİøæœﬁｋΣςσЙй́̈がか\x7f"), max_size=12)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("CAFÉ", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("STRAẞE", "strasse"),
        ("İSTANBUL", "istanbul"),
        ("Kapalı Çarşı", "kapali carsi"),
        ("KAPALI ÇARŞI", "kapali carsi"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
        ("Οδυσσεύς", "οδυσσευσ"),
        ("ЁЛКА", "елка"),
        ("Пятёрочка", "пятерочка"),
        ("ＡＢＣ　１２", "abc 12"),
        ("ﬁnance", "finance"),
        ("Łódź", "lodz"),
        ("Ørsted", "orsted"),
        ("Æbler", "aebler"),
        ("Þór", "thor"),
        ("CŒUR", "coeur"),
        ("Đorđe Ħamrun Ŧ", "dorde hamrun t"),
        ("Việt Nam", "viet nam"),
        ("Crème Brûlée", "creme brulee"),
        ("Señor", "senor"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("100% OFF_", "100% off_"),
        ("№ 5", "no 5"),
        ("McDonald\u2019s", "mcdonald's"),
        ("\u2018O\u02bcNeill\u2019", "'o'neill'"),
        ("A\u2010B\u2011C\u2012D\u2013E\u2014F\u22125", "a-b-c-d-e-f-5"),
    ],
)
def test_letters_are_one_however_written(written: str, folded: str) -> None:
    """Case, accents, ligatures and widths make no difference, in the alphabets that have them."""
    assert fold(written) == fold(folded) == folded


@pytest.mark.parametrize(("one", "other"), [("がく", "かく"), ("कि", "क"), ("и", "е"), ("ก็", "ก")])
def test_other_letters_stay_others(one: str, other: str) -> None:
    """Marks that a script spells with are no accents."""
    assert fold(one) != fold(other)


@given(text=TEXT)
def test_folding_twice_is_folding_once(text: str) -> None:
    """What is folded stays as it is, and its case makes no difference."""
    assert fold(fold(text)) == fold(text)
    assert holds(text, fold(text))


@given(text=TEXT)
def test_what_is_kept_folded_is_what_the_database_does_not_fold(text: str) -> None:
    """A row keeps its text folded where it has other letters than ASCII, and nothing elsewhere."""
    assert fold_others(text) == (None if text.isascii() else fold(text))


def test_what_is_kept_folded_was_folded_so() -> None:
    """Every store keeps folded texts: whoever changes what is folded adds a revision that folds them.

    The letters are those that Unicode 3.2 had, which every later one folds alike.
    """
    old = unicodedata.ucd_3_2_0
    letters = [chr(each) for each in range(0x11_0000) if old.category(chr(each))[0] in "LMNPSZ"]
    folded = "\n".join(map(fold, letters)).encode("utf-8")
    assert len(letters) > 90_000
    assert hashlib.sha256(folded).hexdigest()[:16] == "67d0d3fcf4929af7"


async def test_the_store_finds_what_folding_says(store: Store) -> None:
    """The quick way for ASCII and the thorough one answer as one, whatever signs a word has."""
    examples: list[tuple[str, str]] = []

    @given(text=TEXT, word=TEXT)
    def collect(text: str, word: str) -> None:
        examples.append((text, fold(word)))
        examples.append((text, fold(text)[1:4]))

    collect()
    found = await store.read(
        lambda connection: [
            bool(connection.execute(select(holds_word(literal(text), word))).scalar_one())
            for text, word in examples
        ]
    )
    assert found == [holds(text, word) for text, word in examples]
    assert {True, False} <= set(found)


def test_a_column_is_not_looked_up_by_an_index() -> None:
    """The sign before it hides the column from whoever chooses an index, and changes nothing else."""
    assert str(by_no_index(column("no"))) == "+no"
