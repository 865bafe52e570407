"""One CAMT entry to one row: its day, its signed amount, and what it says of the other side."""

from typing import NamedTuple
from xml.etree.ElementTree import Element

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.statement import StatementRow, UnreadableStatement
from finplan.statements.text.descriptors import fold, joined, quoted
from finplan.statements.text.printed import (
    amounts_of,
    currency_of,
    day_of,
    reference_of,
    why_too_large,
)

_SIGNS = {"CRDT": 1, "DBIT": -1}
_PENDING = {"PDNG", "FUTR"}
_NOT_BOOKED = "INFO"


class CamtEntry(NamedTuple):
    """An entry as it is printed, with a number that a message can name it by."""

    element: Element
    place: int


def is_row(entry: Element) -> bool:
    """Say whether an entry is booked or will be; one for information only never moves money."""
    return _status(entry) != _NOT_BOOKED


def currency_in(entry: Element, default: str) -> str:
    """Give the currency of an entry's amount."""
    amount = entry.find("Amt")
    code = amount.get("Ccy", "") if amount is not None else ""
    return currency_of(code) or default


def rows_of(entries: list[CamtEntry], currency: str, created: str) -> list[StatementRow]:
    """Convert entries of one currency to rows; `created` is when their statement was made.

    That is the day of an entry that has none of its own, as notifications may have it. Raises
    UnreadableStatement for one without a possible day, amount or direction, naming it.
    """
    printed = [entry.element.findtext("Amt", "").strip() for entry in entries]
    rows = []
    for entry, text, size in zip(entries, printed, amounts_of(printed, currency), strict=True):
        if size is None:
            raise _refusal(entry, "amount", text)
        if abs(size) > LARGEST_AMOUNT:
            raise UnreadableStatement(f"{_named(entry)}: {why_too_large(text, currency)}")
        rows.append(_row(entry, size, created))
    return rows


def _row(entry: CamtEntry, size: int, created: str) -> StatementRow:
    element, _ = entry
    direction = element.findtext("CdtDbtInd", "").strip()
    sign = _SIGNS.get(direction)
    if sign is None:
        raise _refusal(entry, "direction", direction)
    printed = day_in(element.find("BookgDt")) or day_in(element.find("ValDt")) or created
    day = day_of(printed[:10])
    if day is None:
        raise _refusal(entry, "date", printed)
    raw, payee = _texts(element, sign)
    return StatementRow(
        day, sign * size, raw, _reference(element), payee, _status(element) in _PENDING
    )


def day_in(element: Element | None) -> str:
    """Give the text of a date or of a date with a time, "" when there is none."""
    if element is None:
        return ""
    printed = element.findtext("Dt") or element.findtext("DtTm") or ""
    return printed.strip()


def _status(entry: Element) -> str:
    """Give the status, which stands in an element of its own since version 8."""
    status = entry.find("Sts")
    if status is None:
        return ""
    return (status.findtext("Cd") or status.text or "").strip()


def _details(entry: Element) -> list[Element]:
    """Give the transactions that an entry sums up, as far as they are known."""
    return [detail for details in entry.findall("NtryDtls") for detail in details.findall("TxDtls")]


def _reference(entry: Element) -> str | None:
    """Give the bank's id of an entry; a payer's EndToEndId is none, since payers repeat theirs."""
    own = reference_of(entry.findtext("AcctSvcrRef", ""))
    return own or reference_of(entry.findtext("NtryRef", ""))


def _texts(entry: Element, sign: int) -> tuple[str, str | None]:
    """Make the descriptor of an entry, and name the other side where the file does.

    Each transaction is described by the other side's name and the purpose. What the bank adds
    describes a sum of several, and one without a purpose.
    """
    details = _details(entry)
    roles = _other_side(entry, sign)
    names = [_name(detail, roles) for detail in details]
    name = names[0] if names and len(set(names)) == 1 else ""
    added = fold(entry.findtext("AddtlNtryInf", ""))
    if len(details) > 1 and added:
        return joined([name, added]), name or None
    texts = []
    for detail, party in zip(details, names, strict=True):
        texts += [party, *(_purpose(detail) or [added or _payers_reference(detail)])]
    raw = joined(filter(None, texts)) or added
    return raw or _code(entry) or _last_resort(details), name or None


def _other_side(entry: Element, sign: int) -> tuple[str, ...]:
    """Say who the other side is; a reversal keeps the roles of what it reverses, at most banks."""
    role = "Cdtr" if sign < 0 else "Dbtr"
    if entry.findtext("RvslInd", "").strip() in {"true", "1"}:
        return ("Dbtr", "Cdtr") if sign < 0 else ("Cdtr", "Dbtr")
    return role, f"Ultmt{role}"


def _name(detail: Element, roles: tuple[str, ...]) -> str:
    """Name one side of a transaction: a person, a company, or since version 8 perhaps a bank."""
    parties = detail.find("RltdPties")
    if parties is None:
        return ""
    sides = (parties.find(role) for role in roles)
    return next((name for side in sides if side is not None and (name := _name_in(side))), "")


def _name_in(party: Element) -> str:
    name = party.findtext("Nm") or party.findtext("Pty/Nm") or party.findtext("Agt/FinInstnId/Nm")
    return fold(name or "")


def _purpose(detail: Element) -> list[str]:
    """Give what the payer wrote, free or beside a reference, else what the bank adds."""
    remittance = detail.find("RmtInf")
    if remittance is not None:
        written = [fold(each.text or "") for each in remittance.findall("Ustrd")]
        if not any(written):
            written = [fold(each.text or "") for each in remittance.findall("Strd/AddtlRmtInf")]
        if any(written):
            return written
    added = fold(detail.findtext("AddtlTxInf", ""))
    return [added] if added else []


def _payers_reference(detail: Element) -> str:
    return fold(detail.findtext("RmtInf/Strd/CdtrRefInf/Ref", ""))


def _last_resort(details: list[Element]) -> str:
    """Describe an entry of which nothing is said by the references of its transaction."""
    references = [fold(each.text or "") for detail in details for each in detail.findall("Refs/*")]
    return next(filter(reference_of, references), "")


def _code(entry: Element) -> str:
    """Describe an entry by the bank's code for its sort, when there is nothing else."""
    codes = entry.find("BkTxCd")
    if codes is None:
        return ""
    own = codes.findtext("Prtry/Cd") or codes.findtext("Domn/Fmly/SubFmlyCd")
    return fold(own or "")


def _refusal(entry: CamtEntry, what: str, printed: str) -> UnreadableStatement:
    if not printed:
        return UnreadableStatement(
            f"{_named(entry)} has no {what}; the file is damaged or incomplete."
        )
    return UnreadableStatement(f"{_named(entry)} has an impossible {what}: {quoted(printed)}.")


def _named(entry: CamtEntry) -> str:
    raw, _ = _texts(entry.element, 1)
    return f"Entry {entry.place} ({quoted(raw)})" if raw else f"Entry {entry.place}"
