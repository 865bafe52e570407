"""Keying again: rows by their descriptors, banks' names kept, and what was said goes with most rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.keying import Keyed, rekeyed_payee, succeed
from finplan.categorise.payee import payee_of

_KEYS = st.sampled_from(["quill", "zwald", "terr", "vix"])


@pytest.mark.parametrize(
    ("key", "name", "raw", "after"),
    [
        ("quillzwald store", "Quillzwald Store", "QUILLZWALD 0012", "quillzwald"),
        ("quillzwald", "Quillzwald", "TERRVIX QUILLZWALD", "terrvix quillzwald"),
        ("terrvix", "Terrvix", "SAFEWAY #1711 SEATTLE WA", "safeway"),
    ],
)
def test_the_descriptor_names_the_payee(key: str, name: str, raw: str, after: str) -> None:
    """A row whose descriptor has a word of its payee, or names a well-known one, is keyed by it."""
    assert rekeyed_payee(Keyed(key, name), raw).key == after


def test_the_banks_own_name_stays() -> None:
    """A name that the descriptor says nothing of came from the bank, and still names the payee."""
    raw = "POS 998877 ZWALDHOF"
    assert payee_of(raw).key != "quillon"
    assert rekeyed_payee(Keyed("quillon", "Quillon"), raw).key == "quillon"


@given(st.text(min_size=1, max_size=40), st.none() | st.text(max_size=20))
def test_rules_that_did_not_change_change_no_key(raw: str, name: str | None) -> None:
    """A payee that these rules keyed by the descriptor alone keeps its key."""
    was = payee_of(raw)
    assert rekeyed_payee(Keyed(was.key, was.name), raw).key == was.key


@given(
    st.dictionaries(
        st.tuples(st.integers(1, 5), _KEYS), st.integers(0, 9), min_size=1, max_size=20
    ),
    st.permutations(["quill", "zwald", "terr", "vix", "old"]),
)
def test_every_payee_has_heirs_and_every_key_one_holder(
    rows: dict[tuple[int, str], int], keys: list[str]
) -> None:
    """Each payee's word goes on, first with the key of most rows; nobody goes on under two keys."""
    payees = {payee: Keyed(keys[payee - 1], "") for payee, _ in rows}
    succession = succeed(payees, rows)

    assert set(succession.heirs) == set(payees)
    assert len(set(succession.holders.values())) == len(succession.holders)
    for payee, heirs in succession.heirs.items():
        assert rows[payee, heirs[0]] == max(n for (each, _), n in rows.items() if each == payee)
        assert all((payee, key) in rows for key in heirs)
    for key, payee in succession.holders.items():
        assert succession.heirs[payee][0] == key


def test_a_few_rows_taken_over_bring_no_word() -> None:
    """What was said of a payee goes on where its rows are most, and not to a large other payee."""
    payees = {1: Keyed("quill", "Quill"), 2: Keyed("zwald", "Zwald")}
    rows = {(1, "quill"): 5, (1, "zwald"): 2, (1, "terr"): 4, (2, "zwald"): 40}
    assert succeed(payees, rows).heirs == {1: ("quill", "terr"), 2: ("zwald",)}
