"""Which bank of which country a person means; what is left open is asked, with all that it may be."""

import re
from collections.abc import Iterable

from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.banks.enablebanking.authorizing import ListedBank, banks_of
from finplan.banks.enablebanking.countries import called, code_of, named
from finplan.model.errors import Conflict

_COUNTRY = re.compile(r"^[A-Z]{2}\Z")


async def chosen_bank(api: EnableBankingApi, name: str | None, known_by: str | None) -> ListedBank:
    """The bank of a name; `known_by` is its country, or country and name as in `DE/Hafenbank`.

    Raises Conflict with a question, and its choices, where the country or the bank is not known.
    """
    country, _, of_id = (known_by or "").partition("/")
    country, wanted = code_of(country), (of_id or name or "").strip()
    if not _COUNTRY.match(country):
        raise await _ask_country(api)
    banks = await banks_of(api, country)
    if not banks:
        raise await _ask_country(api, f"Enable Banking knows no bank in {named(country)}. ")
    folded = wanted.casefold()
    exact = [bank for bank in banks if bank.name.casefold() == folded]
    if len(exact) == 1:
        return exact[0]
    if code_of(wanted) == country:
        raise _ask_bank(f"Which bank in {named(country)} is it?", banks)
    near = exact or [bank for bank in banks if _is_in(folded, bank.name)]
    if near:
        raise _ask_bank(f"Which bank in {named(country)} is {wanted!r}?", near)
    raise _ask_bank(
        f"Enable Banking knows no bank {wanted!r} in {named(country)}. Which is it?", banks
    )


def id_of(bank: ListedBank) -> str:
    """What a bank is known by: its country and its name there."""
    return f"{bank.country}/{bank.name}"


def _is_in(wanted: str, name: str) -> bool:
    folded = name.casefold()
    return bool(wanted) and all(word in folded for word in wanted.split())


async def _ask_country(api: EnableBankingApi, before: str = "") -> Conflict:
    countries = sorted({bank.country for bank in await banks_of(api, None) if bank.country})
    return _question(
        f"{before}In which country is your bank?",
        "country",
        [(code, called(code)) for code in countries],
    )


def _ask_bank(text: str, banks: Iterable[ListedBank]) -> Conflict:
    return _question(text, "institution", [(id_of(bank), bank.name) for bank in banks])


def _question(text: str, about: str, choices: Iterable[tuple[str, str]]) -> Conflict:
    listed = [{"value": value, "label": label} for value, label in choices]
    # Programs get what they may choose from, and people are asked by theirs.
    asked = {"about": about, "text": text, "choices": listed}
    return Conflict(
        f"{text} Name it as `institution`: its `id` is the country and the name, such as"
        " DE/Commerzbank; `data.questions` has what there is.",
        {"questions": [asked]},
    )
