"""Folding: however a word is written, it is found, and the store finds the same as Python."""

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import column, literal, select

from finplan.store.engine import by_no_index, holds_word
from finplan.store.folding import fold, fold_others, holds
from finplan.store.store import Store

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
