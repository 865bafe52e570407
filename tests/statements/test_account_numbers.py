"""Account numbers: an IBAN meets what it is made of, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.statements.statement import is_iban, same_account

SAME = [
    ("DE02100100109307118603", "10010010/9307118603"),
    ("DE89370400440532013000", "37040044/532013000"),
    ("DE89370400440532013000", "37040044/0532013000"),
    ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ("DE89370400440532013000", "370400440532013000"),
    ("AT611904300234573201", "19043/234573201"),
    ("CH9300762011623852957", "00762/11623852957"),
    ("BE68539007547034", "539-0075470-34"),
    ("BE68539007547034", "539007547034"),
    ("NL91ABNA0417164300", "ABNA0417164300"),
    ("PL61109010140000071219812874", "109010140000071219812874"),
    ("PL61109010140000071219812874", "61 1090 1014 0000 0712 1981 2874"),
]
OTHERS = [
    ("DE89370400440532013000", "37040044/532013001"),
    ("DE89370400440532013000", "37040045/532013000"),
    # Without the bank's code, an account of another bank may have the number.
    ("DE89370400440532013000", "532013000"),
    ("DE89370400440532013000", "37040044/"),
    ("NL91ABNA0417164300", "0417164300"),
    # A typing error is no account's number.
    ("DE88370400440532013000", "37040044/532013000"),
    # A pair is certain only where the country's numbers are such a pair.
    ("BE68539007547034", "539/7547034"),
    ("Giro-Konto", "giro konto"),
    ("1234567", "01234567"),
]


@pytest.mark.parametrize(("iban", "number"), SAME)
def test_an_iban_meets_what_it_is_made_of(iban: str, number: str) -> None:
    """The bank's code with the account's number, or the whole national one, is the IBAN's account."""
    assert same_account(iban, number)
    assert same_account(number, iban)


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_nothing_is_guessed(first: str, second: str) -> None:
    """Numbers that only resemble one another are of two accounts."""
    assert not same_account(first, second)
    assert not same_account(second, first)


@given(
    bank=st.integers(10_000_000, 99_999_999),
    account=st.integers(1, 10**10 - 1),
    other=st.integers(1, 10**10 - 1),
)
def test_every_german_pair_is_in_one_iban(bank: int, account: int, other: int) -> None:
    """An IBAN that is made of a bank's code and an account's number meets these two, and no others."""
    digits = 98 - int(f"{bank}{account:010d}131400") % 97
    iban = f"DE{digits:02d}{bank}{account:010d}"
    assert is_iban(iban)
    assert same_account(iban, f"{bank}/{account}")
    assert same_account(iban, f"{bank}/{other}") == (account == other)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_texts_are_compared(first: str, second: str) -> None:
    """Whatever files give for a number, the answer is the same both ways, and equal ones are one's."""
    assert same_account(first, first)
    assert same_account(first, second) == same_account(second, first)
