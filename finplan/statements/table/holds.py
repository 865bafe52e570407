"""Rows that have an amount and move no money: holds, releases, authorisations, memos, neutral ones."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.marks import marks_neutral
from finplan.statements.table.words import meanings_of, words_of

NoMovement = Literal["hold", "memo", "neutral"]
"""Why a row moves no money: it holds some of it or lets that go again, it only takes note, or it is
marked as neither income nor expense.
"""

_LONGEST = 80

_HOLDS = """
    general hold|general account hold|temporary hold|account hold for ...|hold on available balance
    |payment hold|payment review hold|reserve hold|hold for dispute ...
    |reversal of general account hold|reversal of hold for dispute ...|general hold release
    |payment release|payment review release|reserve release|cancellation of hold for dispute ...
    |allgemeine einbehaltung|einbehaltung für offene autorisierung|vorübergehende einbehaltung
    |rückbuchung allgemeine einbehaltung|rückbuchung allgemeiner einbehaltung
    |freigabe allgemeiner einbehaltung
    |suspension temporaire|suspension de compte ...|annulation de suspension de compte ...
    |blocco conto ...|storno di blocco conto ...
    |retención de cuenta ...|cancelación de retención de cuenta ...
"""
"""Holds and their releases in the words of PayPal, whose codes for them are T11, T15 and T21.

Dots stand for further words.
"""

_MEMOS = """
    general authorization|general authorisation|void of authorization|void of authorisation
    |reauthorization|allgemeine autorisierung|autorisation standard|autorizzazione generica
    |annullamento autorizzazione|autorización general|desprovisto de autorización
    |algemene autorisatie
"""
"""Its authorisations, T13, which the balance never counts: the payment is a row of its own."""

_HOLD = "hold"
_HOLDING = (
    "einbehalt", "retenc", "retenu", "suspension", "blocco", "blokad", "bloque", "blocage",
    "inhoud", "blokker", "reserver", "заморож", "блокир",
)  # fmt: skip
_AUTHORISED = ("authoriz", "authoris", "autoriz", "autoris", "autoryz", "авториз")
_GENERAL = ("general", "generic", "allgemein", "standard", "algemen", "ogoln", "geral", "общ")
_ACCOUNT = ("account", "konto", "compte", "conto", "cuenta", "rekening", "konta", "conta", "счет")
"""Beginnings of words of which a hold's name is made, in languages whose own phrase is not listed."""

_IMPACTS = frozenset(
    " ".join(words_of(name))
    for name in (
        "balance impact", "Auswirkung auf Guthaben", "Impact sur le solde", "Impatto sul saldo",
        "Impacto en el saldo", "Impacto no saldo", "Invloed op saldo", "Wpływ na saldo",
    )
)  # fmt: skip
_ONLY_NOTED = "memo"
_KINDS: frozenset[ColumnMeaning] = frozenset(["type", "status"])
_KINDS_OF_PAYPAL: frozenset[ColumnMeaning] = _KINDS | {"description"}
_GROSS = frozenset(["gross", "brutto", "lordo", "bruto", "brut", "avant commission", "valor bruto"])
_NAMES_OF_PAYERS = frozenset(["name", "nom", "nome", "nombre", "naam", "nazwa", "imie i nazwisko"])
"""What PayPal calls the amount before its fee, and the column of who paid or was paid."""


def _phrases(listed: str) -> list[str]:
    return [phrase.strip() for phrase in " ".join(listed.split()).split("|")]


_WORDS: dict[NoMovement, list[str]] = {"memo": _phrases(_MEMOS), "hold": _phrases(_HOLDS)}
_NAMES = {
    " ".join(words_of(phrase)): reason for reason, phrases in _WORDS.items() for phrase in phrases
}
_BEGINNINGS = tuple(
    " ".join([*words_of(phrase), ""]) for phrase in _WORDS["hold"] if phrase.endswith("...")
)


@lru_cache(1000)
def named_no_movement(cell: str) -> NoMovement | None:
    """Say why rows of this kind of booking move no money, None where they move it.

    A hold in words that are not listed is known by saying that it is one, and either that it is for
    an authorisation or that it is a general one on the account: less may be a tax that is withheld.
    """
    words = words_of(cell[:_LONGEST])
    text = " ".join(words)
    if text in _NAMES:
        return _NAMES[text]
    if text.startswith(_BEGINNINGS):
        return "hold"
    if _HOLD not in words and not _has(words, _HOLDING):
        return None
    is_general = _has(words, _GENERAL) and _has(words, _ACCOUNT)
    return "hold" if _has(words, _AUTHORISED) or is_general else None


def is_only_noted(cell: str) -> bool:
    """Say whether a row's effect on the balance is that it has none."""
    return cell.strip().casefold() == _ONLY_NOTED


def impact_column(header: Sequence[str]) -> int | None:
    """Give the column that says which effect each row has on the balance."""
    names = (" ".join(words_of(name)) for name in header)
    return next((place for place, name in enumerate(names) if name in _IMPACTS), None)


def neutral_column(header: Sequence[str], mark: int | None) -> int | None:
    """Give the column of marks where it is one that marks rows as neither income nor expense, too."""
    is_one = mark is not None and mark < len(header) and marks_neutral(header[mark])
    return mark if is_one else None


def kind_columns(header: Sequence[str], contents: Sequence[ColumnContents]) -> tuple[int, ...]:
    """Give the columns that are named for the kind or the state of a booking.

    PayPal's report of balances has the kinds in its descriptions, where any other table has texts of
    rows, in which a shop or a person may be called like a hold.
    """
    wanted = _KINDS_OF_PAYPAL if _is_of_paypal(header) else _KINDS
    return tuple(
        place
        for place, name in enumerate(header[: len(contents)])
        if not wanted.isdisjoint(meanings_of(name)) and contents[place].is_text
    )


def _is_of_paypal(header: Sequence[str]) -> bool:
    """Say whether a header has the gross amounts of payments beside names and currencies."""
    names = {" ".join(words_of(name)) for name in header}
    has_currency = any("currency" in meanings_of(name) for name in header)
    return has_currency and not names.isdisjoint(_GROSS) and not names.isdisjoint(_NAMES_OF_PAYERS)


def _has(words: Sequence[str], beginnings: tuple[str, ...]) -> bool:
    return any(word.startswith(beginnings) for word in words)
