"""New payees are looked up while their rows are inserted."""

from finplan.categorise.matching import match
from finplan.service.ledger.categorisation import matches_prefetched


def test_what_was_looked_up_is_cached() -> None:
    """When the rows are in, categorising finds what the shipped data say, without looking again."""
    match.cache_clear()
    with matches_prefetched([("quillzwald coffee", "Quillzwald Coffee", "SQ *QUILLZWALD COFFEE")]):
        pass
    looked = match.cache_info().misses
    found = match("quillzwald coffee", "SQ *QUILLZWALD COFFEE", "out")

    assert found is not None
    assert (looked, match.cache_info().misses) == (1, 1)
