"""Entries of a journal as rows of the person's own accounts, and the amounts that they print.

An account is own when its name begins with assets or liabilities, or when the journal says so. Only
cash counts: postings of other commodities than currencies are investments.

hledger, ledger and beancount print an amount as a number, its commodity, and what it is worth. Which
sign is decimal is told by the journal's directives, then by amounts that leave no doubt, each commodity
for itself; where nothing tells, the person is asked.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from finplan.model.account import AccountKind
from finplan.model.money import CODES, LARGEST_AMOUNT, to_minor
from finplan.model.statement import DecimalSign
from finplan.statements import statement
from finplan.statements.text.currencies import (
    currencies_sharing,
    currency_of,
    currency_question,
    known_currency,
)
from finplan.statements.text.descriptors import fold, join_texts, quoted

_GROUP_SIGNS = " '’\u00a0\u202f\u2009"
_COMMODITY = r"\"[^\"]*\"|[^\d\s.,;:?!+\-−*/^&|=<>(){}\[\]@\"']+"
_BEANCOUNT_COMMODITY = r"[A-Z/][A-Z0-9'._-]*"
_AMOUNT = re.compile(
    rf"(?P<sign>[-+−]?)\s*+(?P<before>{_COMMODITY})?\s*+(?P<sign2>[-+−]?)\s*+"
    rf"(?P<number>\d+(?:[.,{_GROUP_SIGNS}]\d+)*[.,]?|[.,]\d+)(?P<power>[eE][-+]?\d{{1,3}})?\s*+(?P<after>{_COMMODITY}|{_BEANCOUNT_COMMODITY})?"
)
_LOT = re.compile(r"\{\{?[^{}]*\}?\}|\[[^\[\]]*\]|\([^()]*\)")
_COST = re.compile(r"\{(\{?)=?\s*+([^{},]*)(?:,[^{}]*)?\}?\}")
_LONGEST_AMOUNT = 200
_MOST_DIGITS = 60


class CommodityAmount(NamedTuple):
    """A quantity of a commodity; the commodity is empty where none is printed."""

    quantity: Decimal
    commodity: str


class PostedAmount(NamedTuple):
    """What a posting moves, and what that is worth in the transaction's balance; None when unsaid."""

    money: CommodityAmount
    worth: CommodityAmount | None


class MalformedAmount(ValueError):
    """The text that is no amount; the reader of the journal says where it stands."""


class AmountReader:
    """Reads amounts, in a first pass only to learn which sign is decimal."""

    def __init__(self, hint: DecimalSign | None, *, always_point: bool = False) -> None:
        self._hint = hint
        self._always_point = always_point
        self._declared: dict[str, str] = {}
        self._proven: defaultdict[str, set[str]] = defaultdict(set)
        self._open: dict[str, str] = {}
        self._is_learning = True

    def declare(self, text: str) -> str | None:
        """Learn from a directive's example amount; answers its commodity, None when it is no amount."""
        match = _AMOUNT.fullmatch(text.strip()) if len(text) <= _LONGEST_AMOUNT else None
        if match is None:
            return None
        commodity = _commodity(match)
        sign = _decimal_sign(match["number"]) or _trailing_sign(match["number"])
        if sign:
            self._declared[commodity] = sign
        return commodity

    def declare_sign(self, sign: str) -> None:
        """Learn the decimal sign of the whole journal."""
        if sign in (".", ","):
            self._hint = "." if sign == "." else ","

    def conclude(self) -> None:
        """End the first pass. Raises AmbiguousStatement when an amount can be read in two ways."""
        self._is_learning = False
        for commodity, example in self._open.items():
            if self._sign_for(commodity) is None:
                raise statement.AmbiguousStatement(
                    statement.Question(
                        "decimal_sign",
                        f"Does “{example}” have a decimal point or a decimal comma?",
                        (
                            statement.Choice(
                                ".",
                                "Decimal point",
                                f"“{example}” is {_plain_number(example, '.')}",
                            ),
                            statement.Choice(
                                ",",
                                "Decimal comma",
                                f"“{example}” is {_plain_number(example, ',')}",
                            ),
                        ),
                    )
                )

    def read(self, text: str) -> PostedAmount | None:
        """Read what stands after a posting's account; None when no amount does.

        Assertions and lots are left out. Raises MalformedAmount.
        """
        if self._is_learning and self._always_point:
            return None
        text = _without_assertion(text)
        if len(text) > _LONGEST_AMOUNT:
            raise MalformedAmount(text)
        main, price, is_total = _split_price(text)
        has_lot = any(bracket in main for bracket in "{[(")
        cost = _COST.search(main) if has_lot else None
        if main.startswith("("):
            # An expression to be worked out; behind a number, parentheses hold a note.
            raise MalformedAmount(main)
        main = (_LOT.sub(" ", main) if has_lot else main).strip()
        if not main:
            return None
        money = self._money(main)
        if cost is not None and (self._always_point or price is None):
            return PostedAmount(money, self._worth(money, cost[2], is_total=bool(cost[1])))
        if price is not None:
            return PostedAmount(money, self._worth(money, price, is_total=is_total))
        return PostedAmount(money, money)

    def _worth(
        self, money: CommodityAmount, price: str, *, is_total: bool
    ) -> CommodityAmount | None:
        if not price.strip() or (self._always_point and "#" in price):
            return None
        unit = self._money(_LOT.sub(" ", price).strip())
        if is_total:
            return CommodityAmount(
                abs(unit.quantity) * (-1 if money.quantity < 0 else 1), unit.commodity
            )
        return CommodityAmount(unit.quantity * money.quantity, unit.commodity)

    def _money(self, text: str) -> CommodityAmount:
        match = _AMOUNT.fullmatch(text)
        if match is None or (match["before"] and match["after"]):
            raise MalformedAmount(text)
        number = match["number"].strip(_GROUP_SIGNS)
        commodity = _commodity(match)
        if self._is_learning:
            self._learn(number, commodity)
            return CommodityAmount(Decimal(0), commodity)
        sign = _decimal_sign(number) or self._sign_for(commodity) or "."
        try:
            quantity = Decimal(_plain_number(number, sign) + (match["power"] or ""))
        except InvalidOperation as error:
            raise MalformedAmount(text) from error
        if len(number) > _MOST_DIGITS or quantity.adjusted() > _MOST_DIGITS:
            raise MalformedAmount(text)
        is_negative = bool(match["sign"].strip("+")) != bool(match["sign2"].strip("+"))
        return CommodityAmount(-quantity if is_negative else quantity, commodity)

    def _learn(self, number: str, commodity: str) -> None:
        if self._always_point:
            return
        sign = _decimal_sign(number)
        if sign:
            self._proven[commodity].add(sign)
        elif "." in number or "," in number:
            self._open.setdefault(commodity, number)

    def _sign_for(self, commodity: str) -> str | None:
        """What tells the decimal sign of a commodity whose amount leaves it open."""
        if self._always_point:
            return "."
        if commodity in self._declared:
            return self._declared[commodity]
        anywhere = {sign for signs in self._proven.values() for sign in signs}
        for proven in (self._proven.get(commodity, set()), anywhere):
            if len(proven) == 1:
                return next(iter(proven))
        return self._hint


def _without_assertion(text: str) -> str:
    """Cut off a balance assertion or assignment; quotation marks hide an equals sign."""
    if "=" not in text:
        return text.strip()
    pieces = re.split(r'("[^"]*"|\{[^{}]*\})', text)
    parts = []
    for piece in pieces:
        if piece[:1] not in ('"', "{") and "=" in piece:
            parts.append(piece.partition("=")[0])
            break
        parts.append(piece)
    return "".join(parts).strip()


def _split_price(text: str) -> tuple[str, str | None, bool]:
    main, at, price = text.partition("@")
    if not at:
        return text, None, False
    # Ledger prints (@) for a price that is no market price.
    main = main.removesuffix("(").rstrip()
    is_total = price.startswith("@")
    return main, price.removeprefix("@").removeprefix(")").strip(), is_total


def _commodity(match: re.Match[str]) -> str:
    return (match["before"] or match["after"] or "").strip('"').strip()


def _decimal_sign(number: str) -> str | None:
    """Tell the decimal sign from the number alone, None when it could be a thousands separator."""
    points, commas = number.count("."), number.count(",")
    if points and commas:
        return "." if number.rfind(".") > number.rfind(",") else ","
    if points + commas != 1:
        # Several equal separators are thousands, so the other sign is decimal.
        return None if not points + commas else ("," if points else ".")
    sign = "." if points else ","
    integer, _, fraction = number.partition(sign)
    digits = "".join(filter(str.isdigit, integer))
    is_group = len(fraction) == 3 and 0 < len(digits) <= 3 and digits.strip("0") != ""
    has_other_groups = any(space in integer for space in _GROUP_SIGNS)
    return None if is_group and not has_other_groups else sign


def _trailing_sign(number: str) -> str | None:
    return number[-1] if number[-1:] in (".", ",") else None


def _plain_number(number: str, sign: str) -> str:
    """Write a number without groups and with a decimal point."""
    group_sign = "," if sign == "." else "."
    digits = "".join(char for char in number if char not in _GROUP_SIGNS and char != group_sign)
    return digits.replace(sign, ".")


Nature = str
"""What an account is, by its type in a directive or by the first word of its name."""

_OWN_ROOTS = {
    "assets": "asset", "asset": "asset", "liabilities": "liability", "liability": "liability",
    "aktiva": "asset", "vermögen": "asset", "vermoegen": "asset", "actifs": "asset",
    "actif": "asset", "activos": "asset", "activo": "asset", "attività": "asset",
    "verbindlichkeiten": "liability", "passifs": "liability", "passif": "liability",
    "pasivos": "liability", "pasivo": "liability", "passività": "liability", "debts": "liability",
}  # fmt: skip
_NATURES_OF_TYPES = {
    "a": "asset", "asset": "asset", "c": "asset", "cash": "asset",
    "l": "liability", "liability": "liability",
}  # fmt: skip
_OTHER_NATURE = "other"
_BEGINNINGS = re.compile(r"equity:(?:.*[: ])?(?:opening|closing|starting|initial)", re.IGNORECASE)
_LOAN = re.compile(r"mortgage|loan|kredit(?!karte)|hypothek|student", re.IGNORECASE)
_INVESTMENT = re.compile(
    r"invest|broker|401k|\bira\b|\b529\b|retirement|pension|crypto|vanguard|fidelity|depot\b",
    re.IGNORECASE,
)
_MOST_ACCOUNTS = 1000


@dataclass(slots=True)
class Posting:
    """One line of an entry; `amount` is None when the journal leaves it to be worked out."""

    account: str
    amount: PostedAmount | None
    pending: bool = False
    day: int | None = None


@dataclass(slots=True)
class JournalEntry:
    """One transaction; `payee` is None where the text alone describes it."""

    line: int
    day: int
    text: str
    payee: str | None = None
    pending: bool = False
    postings: list[Posting] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)


class Chart:
    """The journal's accounts: which are the person's own, and what an export of finplan says of them."""

    def __init__(self, currency: str) -> None:
        self.default_commodity = ""
        self.has_investments = False
        self._currency = currency
        self._declared: dict[str, Nature] = {}
        self._known: dict[str, Nature] = {}
        self._roots = dict(_OWN_ROOTS)
        self._facts: dict[str, dict[str, str]] = {}
        self._accounts: dict[tuple[str, str], statement.StatementAccount] = {}
        self._codes: dict[str, str | None] = {}
        self._left_out: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def rename_root(self, kind: str, name: str) -> None:
        """Heed an option that gives the assets or the liabilities another first word."""
        self._roots[name.casefold()] = "asset" if kind == "name_assets" else "liability"
        self._known.clear()

    def declare(self, account: str, kind: str | None, facts: dict[str, str]) -> None:
        """Heed a directive for an account: its type, and what finplan wrote below it."""
        if kind is not None:
            self._declared[account] = _NATURES_OF_TYPES.get(kind.strip().casefold(), _OTHER_NATURE)
            self._known.clear()
        if facts.get("id"):
            self._facts[account] = facts

    def rows(
        self, entry: JournalEntry
    ) -> Iterator[tuple[statement.StatementAccount, statement.StatementRow]]:
        """Give the rows of one entry. Raises UnreadableStatement and AmbiguousStatement.

        An entry that only states opening or closing balances moves no money and gives none.
        """
        others = [leg.account for leg in entry.postings if self._nature(leg.account) is None]
        states_balances = bool(others) and all(map(_BEGINNINGS.match, others))
        for posting in entry.postings:
            if self._nature(posting.account) is None:
                continue
            if states_balances:
                self._left_out[posting.account][statement.STATES_BALANCE] += 1
                continue
            for money in _moved_by(entry, posting):
                code = self._code(money.commodity)
                if code is None:
                    self.has_investments = True
                    self._left_out[posting.account][statement.NO_CASH] += 1
                    continue
                amount = to_minor(money.quantity, code)
                if abs(amount) > LARGEST_AMOUNT:
                    raise statement.UnreadableStatement(
                        f"Line {entry.line}: {money.quantity:.6g} {code} is too large."
                    )
                if amount:
                    account = self._account(posting.account, code)
                    yield account, _row_of_posting(entry, posting, amount, account)

    def left_out(self) -> Iterator[statement.StatementPart]:
        """Tell what `rows` left out, by account; the first takes what is of accounts without rows."""
        by_name = {name: account for (name, _), account in reversed(self._accounts.items())}
        first = next(iter(self._accounts.values()), None)
        totals: defaultdict[statement.StatementAccount, Counter[str]] = defaultdict(Counter)
        for name, counts in self._left_out.items():
            account = by_name.get(name) or first
            if account is not None:
                totals[account].update(counts)
        for account, counts in totals.items():
            yield statement.StatementPart(account, left_out=dict(counts))

    def _nature(self, account: str) -> Nature | None:
        """Say whether an account is an asset or a liability, None for anything else."""
        nature = self._known.get(account)
        if nature is None:
            nature = self._known[account] = self._inherited(account)
        return None if nature == _OTHER_NATURE else nature

    def _inherited(self, account: str) -> Nature:
        """The nature of the nearest account above that has one, down to the first word."""
        above = account
        while above:
            if above in self._declared:
                return self._declared[above]
            above = above.rpartition(":")[0]
        return self._roots.get(account.partition(":")[0].casefold(), _OTHER_NATURE)

    def _code(self, commodity: str) -> str | None:
        """The currency of a commodity, None for anything that is no money."""
        if commodity not in self._codes:
            self._codes[commodity] = self._find_code(commodity)
        return self._codes[commodity]

    def _find_code(self, commodity: str) -> str | None:
        printed = commodity or self.default_commodity
        if not printed:
            return known_currency(self._currency)
        sharing = currencies_sharing(printed)
        if not sharing:
            return printed if printed in CODES else currency_of(printed)
        if self._currency in sharing:
            return self._currency
        raise currency_question(f"Several countries use the currency sign “{printed}”.", sharing)

    def _account(self, name: str, currency: str) -> statement.StatementAccount:
        key = name, currency
        if key not in self._accounts:
            if len(self._accounts) >= _MOST_ACCOUNTS:
                raise statement.UnreadableStatement(
                    "The journal has more than a thousand accounts."
                )
            self._accounts[key] = self._new_account(name, currency)
        return self._accounts[key]

    def _new_account(self, name: str, currency: str) -> statement.StatementAccount:
        facts = self._facts.get(name)
        if facts is None:
            return statement.StatementAccount(name, name, currency, kind=self._kind(name))
        return statement.StatementAccount(
            facts.get("number"),
            facts.get("name") or name,
            currency,
            facts.get("institution"),
            parse_kind(facts.get("kind")),
            facts.get("subtype"),
            facts["id"],
        )

    def _kind(self, name: str) -> AccountKind | None:
        """What the name says an account is; None leaves it to the words that banks use."""
        if self._nature(name) == "liability":
            return "loan" if _LOAN.search(name) else "credit"
        return "investment" if _INVESTMENT.search(name) else None


def parse_kind(text: str | None) -> AccountKind | None:
    """Read the kind of an account as an export names it."""
    kinds: tuple[AccountKind, ...] = ("depository", "credit", "loan", "investment", "other")
    return next((kind for kind in kinds if kind == text), None)


def _moved_by(entry: JournalEntry, posting: Posting) -> Sequence[CommodityAmount]:
    """What a posting moves; without an amount of its own it balances the others."""
    if posting.amount is not None:
        return [posting.amount.money]
    if sum(leg.amount is None for leg in entry.postings) > 1:
        raise statement.UnreadableStatement(
            f"Line {entry.line}: only one posting of a transaction can omit its amount."
        )
    totals: dict[str, Decimal] = {}
    for leg in entry.postings:
        if leg.amount is None:
            continue
        if leg.amount.worth is None:
            raise statement.UnreadableStatement(
                f"Line {entry.line}: write the amount of {quoted(posting.account, 80)} or the"
                " cost of the other posting, because both are missing."
            )
        worth = leg.amount.worth
        totals[worth.commodity] = totals.get(worth.commodity, Decimal(0)) - worth.quantity
    return [
        CommodityAmount(quantity, commodity) for commodity, quantity in totals.items() if quantity
    ]


def _row_of_posting(
    entry: JournalEntry, posting: Posting, amount: int, account: statement.StatementAccount
) -> statement.StatementRow:
    day = posting.day or entry.day
    if account.id is not None:
        text = entry.tags.get("text", entry.text)
        return statement.StatementRow(
            day, amount, text, entry.tags.get("row"), entry.tags.get("payee")
        )
    pending = entry.pending or posting.pending
    payee = fold(entry.payee or "") or None
    text = join_texts(filter(None, (payee, fold(entry.text))))
    return statement.StatementRow(day, amount, text, None, payee, pending)
