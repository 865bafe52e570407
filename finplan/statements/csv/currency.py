"""The currency of a table whose rows do not each name their own: the strongest evidence decides.

1. A column of currencies: each row has its own, and the code's exponent rules the row's amounts.
2. A code or a sign in the header of the amounts or in their cells; a sign that several countries use
   leaves its currencies, and nothing weaker names another.
3. A code in the lines above the table; below it the person's word, and then a code in the file's name.
4. The country of the IBAN of the account.
5. What was said of earlier files with the header; then the bank whose columns or name it has, and the
   payment systems that the rows name.
6. The language of the header where it is one currency's.
7. The household's currency, unless the header is in the language of other countries or amounts have
   cents that the currency lacks.
   Dates that have the month first are no file's in another currency than theirs.
8. The question, with the likely ones as choices; it comes before 6 where what stands beside the amounts
   is no sign that is known, unless the household's currency has none that is.

What rests on the file's name, a bank, a language or the household is assumed, and said to be so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finplan.model.money import exponent
from finplan.model.statement import DateOrder
from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from finplan.statements.table.banks import (
    currency_of_name,
    currency_of_payments,
    currency_of_table,
)
from finplan.statements.table.languages import currencies_spoken
from finplan.statements.table.words import currency_in
from finplan.statements.text.currencies import (
    code_in_name,
    currencies_sharing,
    currency_of,
    currency_of_iban,
    currency_question,
    has_sign,
    is_currency,
)
from finplan.statements.text.descriptors import shortened

_DOLLAR = "USD"
"""The currency of “$” beside dates with the month first."""

_MONTH_FIRST = frozenset(["USD", "CAD", "PHP"])
"""The currencies of countries whose banks write dates with the month first."""


@dataclass(frozen=True, slots=True)
class CurrencyClues:
    """What a table shows of its currency.

    `amounts` are the names of the columns of amounts, `balance` that of the balance, `units` what stands
    beside the numbers, `column` the distinct cells of a column of currencies, with a blank one where a
    transaction has none. `above` are the cells above the table, `stated` the currency that they name as
    the account's, `numbers` the account's, `texts` some descriptions; `date_order` is None where dates
    are the same in any.
    `is_doubtful` says that the column may be of other amounts than the account's.
    """

    header: tuple[str, ...]
    amounts: tuple[str, ...]
    balance: str
    units: frozenset[str]
    column: tuple[str, ...]
    above: tuple[str, ...]
    stated: str | None
    file_name: str
    numbers: tuple[str, ...]
    texts: Sequence[str]
    date_order: DateOrder | None
    decimal_comma: bool
    has_cents: bool
    is_doubtful: bool


class FoundCurrency(NamedTuple):
    """A currency, and whether no more than the file's surroundings speak for it."""

    code: str
    is_assumed: bool


def find_currency(clues: CurrencyClues, hints: Hints, remembered: str | None) -> FoundCurrency:
    """Find the currency of the rows that do not name their own.

    `remembered` is what was said of earlier files with the header. Raises UnreadableStatement where the
    amounts are in several currencies, AmbiguousStatement where the person has to say it.
    """
    codes = list(dict.fromkeys(filter(None, map(currency_of, clues.column))))
    if clues.is_doubtful:
        said = hints.currency or remembered
        if said is None:
            own = filter(None, map(currency_in, clues.amounts))
            raise currency_question(
                "The file has amounts of two kinds and does not say which of them its currencies are of",
                [*own, *codes, *filter(None, [hints.household])],
            )
        return FoundCurrency(said, is_assumed=True)
    bare = {cell for cell in clues.column if currency_of(cell) is None}
    if codes and (not bare or (bare == {""} and _fills_blanks(codes, clues))):
        return FoundCurrency(codes[0], is_assumed=False)
    named = _beside_amounts(clues)
    if named is not None:
        return FoundCurrency(named, is_assumed=False)
    sign = next((each for each in sorted(clues.units | bare) if currencies_sharing(each)), "")
    allowed = currencies_sharing(sign)
    if allowed and any(code not in allowed for code in (clues.stated, hints.currency) if code):
        raise _question(sign, allowed)
    for found in _by_strength(clues, hints, remembered):
        if not allowed or found.code in allowed:
            return found
    return _by_language(clues, hints.household, sign)


def _fills_blanks(codes: Sequence[str], clues: CurrencyClues) -> bool:
    """Say whether rows without a currency are in the only one that others name.

    It is that of the header's language; beside a foreign one, blank cells may mean the country's own.
    """
    spoken = currencies_spoken(clues.header, decimal_comma=clues.decimal_comma)
    return len(codes) == 1 and (not spoken or codes[0] in spoken)


def is_named(clues: CurrencyClues, hints: Hints) -> bool:
    """Say whether the person, or the file's name, names a currency, which is more than an IBAN does."""
    return hints.currency is not None or code_in_name(clues.file_name) is not None


def _beside_amounts(clues: CurrencyClues) -> str | None:
    """The currency in the header of the amounts or beside them, None when it is not there."""
    found = {*map(currency_in, clues.amounts), *map(currency_of, clues.units)} - {None}
    found = found or {currency_in(clues.balance)} - {None}
    if len(found) > 1:
        codes = " and ".join(sorted(filter(None, found)))
        raise UnreadableStatement(
            f"The amounts are in {codes}; a table of several currencies needs a column for them."
        )
    return found.pop() if found else None


def _by_strength(
    clues: CurrencyClues, hints: Hints, remembered: str | None
) -> Iterator[FoundCurrency]:
    """Give what each piece of evidence beside the amounts themselves says, the strongest first."""
    countries = set(map(currency_of_iban, clues.numbers)) - {None}
    bank = currency_of_table(clues.header)
    is_foreign = bank == _DOLLAR and clues.date_order == "dmy"
    said = (
        (clues.stated, False),
        (hints.currency, True),
        (code_in_name(clues.file_name), True),
        (countries.pop() if len(countries) == 1 else None, False),
        (remembered, True),
        (None if is_foreign else bank, True),
        (currency_of_name(clues.file_name), True),
        (currency_of_name(" ".join(clues.above)), True),
        (currency_of_payments(clues.texts), True),
    )
    return (FoundCurrency(code, is_assumed) for code, is_assumed in said if code is not None)


def _by_language(clues: CurrencyClues, household: str | None, sign: str) -> FoundCurrency:
    """Let the language of the header decide, and then the household; ask where neither does.

    A sign beside the amounts that nobody knows is of no currency that has a known one.
    """
    unknown = next((unit for unit in sorted(clues.units) if unit and not is_currency(unit)), None)
    if unknown is not None:
        if household is not None and not has_sign(household):
            return FoundCurrency(household, is_assumed=True)
        raise currency_question(
            f"The amounts are in “{shortened(unknown)}”, which is no currency that is known"
        )
    allowed = currencies_sharing(sign)
    spoken = currencies_spoken(clues.header, decimal_comma=clues.decimal_comma)
    likely = [code for code in spoken if not allowed or code in allowed]
    if len(likely) == 1:
        return FoundCurrency(likely[0], is_assumed=True)
    possible = likely or allowed
    fits = household is not None and not (clues.has_cents and exponent(household) == 0)
    is_foreign = clues.date_order == "mdy" and household not in _MONTH_FIRST
    if is_foreign and not possible and household is not None:
        raise currency_question(
            "Nothing says which currency the amounts are in, and dates with the month first are unusual"
            f" beside {household}",
            (_DOLLAR, household),
        )
    if household is not None and fits and household in (possible or (household,)):
        return FoundCurrency(household, is_assumed=True)
    if _DOLLAR in allowed and clues.date_order == "mdy":
        return FoundCurrency(_DOLLAR, is_assumed=True)
    raise _question(sign, possible)


def _question(sign: str, likely: Sequence[str]) -> AmbiguousStatement:
    if sign:
        return currency_question(
            f"The amounts are in “{sign}”, which several countries use", likely
        )
    return currency_question("Nothing says which currency the amounts are in", likely)
