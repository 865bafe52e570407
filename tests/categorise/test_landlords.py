"""Names that a landlord may have, and names that say something else."""

import pytest

from finplan.categorise.payee import payee_of
from finplan.categorise.people import names_landlord


@pytest.mark.parametrize(
    "raw",
    [
        "ZQ PROPERTIES 4411",
        "OAK STREET REALTY LLC WEB PMT",
        "PARKVIEW TOWERS",
        "Immobilien Krause GmbH",
        "SCI DES LILAS",
        "STANDING ORDER P HARGREAVES",
        "ZELLE PAYMENT TO JOHN SMITH 12093",
        "SEPA-UEBERWEISUNG Hans Meier",
    ],
)
def test_who_lets_homes(raw: str) -> None:
    """Companies and houses by their words in several languages; people by a given name or an initial."""
    assert names_landlord(payee_of(raw).key)


@pytest.mark.parametrize(
    "raw",
    [
        "HAMPTON CARE HOME",
        "MANOR CARE RESIDENCE",
        "U-STOR STORAGE RENTALS",
        "LEEDS MAGISTRATES COURT",
        "ALLY BANK TRANSFER",
        "BRIGHTSTAR SUPPLY",
        "LEE AUTO",
        "X 77",
        "CHECK 1021",
    ],
)
def test_who_lets_none(raw: str) -> None:
    """Shops, banks and homes for the old; an initial beside no surname is nobody."""
    assert not names_landlord(payee_of(raw).key)
