"""A bank's page without what a person cannot see."""

from finplan.banks.base import BankAccount, BankTransaction, SyncPage


def test_no_text_of_a_bank_hides_anything() -> None:
    """Names and descriptors come without control and bidirectional characters; all else stays."""
    account = BankAccount("1", "My\u202e\x1bbank", "11", "depository", "checking", "USD", 5)
    row = BankTransaction("1", "a", 20260304, -450, "SHOP\u200f\x00 1", "SH\u202aOP")
    unnamed = BankTransaction("1", "b", 20260305, -1, "TEA", None)

    page = SyncPage((account,), (row,), (unnamed,), ("c",), "next", more=True).seen()

    assert page.accounts[0].name == "My bank"
    assert page.added == (row._replace(raw="SHOP 1", payee="SHOP"),)
    assert page.modified == (unnamed,)
    assert (page.removed, page.cursor, page.more) == (("c",), "next", True)
