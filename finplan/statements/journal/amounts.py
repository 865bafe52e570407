"""Amounts as hledger, ledger and beancount print them: a number, its commodity, and what it is worth.

Which sign is decimal is told by the journal's directives, then by amounts that leave no doubt, each
commodity for itself; where nothing tells, the person is asked.
"""

import re
from collections import defaultdict
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from finplan.model.statement import DecimalSign
from finplan.statements.statement import AmbiguousStatement, Choice, Question

_GROUPS = " '’\u00a0\u202f\u2009"
_COMMODITY = r"\"[^\"]*\"|[^\d\s.,;:?!+\-−*/^&|=<>(){}\[\]@\"']+"
_BEANCOUNT_COMMODITY = r"[A-Z/][A-Z0-9'._-]*"
_AMOUNT = re.compile(
    rf"(?P<sign>[-+−]?)\s*+(?P<before>{_COMMODITY})?\s*+(?P<sign2>[-+−]?)\s*+"
    rf"(?P<number>\d+(?:[.,{_GROUPS}]\d+)*[.,]?|[.,]\d+)(?P<power>[eE][-+]?\d{{1,3}})?\s*+(?P<after>{_COMMODITY}|{_BEANCOUNT_COMMODITY})?"
)
_LOT = re.compile(r"\{\{?[^{}]*\}?\}|\[[^\[\]]*\]|\([^()]*\)")
_COST = re.compile(r"\{(\{?)=?\s*+([^{},]*)(?:,[^{}]*)?\}?\}")
_LONGEST = 200
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
        found = _AMOUNT.fullmatch(text.strip()) if len(text) <= _LONGEST else None
        if found is None:
            return None
        commodity = _commodity(found)
        sign = _decimal_sign(found["number"]) or _trailing_sign(found["number"])
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
                raise AmbiguousStatement(
                    Question(
                        "decimal_sign",
                        f"“{example}” can be a number with decimals or a whole number of thousands.",
                        (
                            Choice(".", "decimal point", f"“{example}” is {_plain(example, '.')}"),
                            Choice(",", "decimal comma", f"“{example}” is {_plain(example, ',')}"),
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
        if len(text) > _LONGEST:
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
        each = self._money(_LOT.sub(" ", price).strip())
        if is_total:
            return CommodityAmount(
                abs(each.quantity) * (-1 if money.quantity < 0 else 1), each.commodity
            )
        return CommodityAmount(each.quantity * money.quantity, each.commodity)

    def _money(self, text: str) -> CommodityAmount:
        found = _AMOUNT.fullmatch(text)
        if found is None or (found["before"] and found["after"]):
            raise MalformedAmount(text)
        number = found["number"].strip(_GROUPS)
        commodity = _commodity(found)
        if self._is_learning:
            self._learn(number, commodity)
            return CommodityAmount(Decimal(0), commodity)
        sign = _decimal_sign(number) or self._sign_for(commodity) or "."
        try:
            quantity = Decimal(_plain(number, sign) + (found["power"] or ""))
        except InvalidOperation as error:
            raise MalformedAmount(text) from error
        if len(number) > _MOST_DIGITS or quantity.adjusted() > _MOST_DIGITS:
            raise MalformedAmount(text)
        is_negative = bool(found["sign"].strip("+")) != bool(found["sign2"].strip("+"))
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
    kept = []
    for piece in pieces:
        if piece[:1] not in ('"', "{") and "=" in piece:
            kept.append(piece.partition("=")[0])
            break
        kept.append(piece)
    return "".join(kept).strip()


def _split_price(text: str) -> tuple[str, str | None, bool]:
    main, at, price = text.partition("@")
    if not at:
        return text, None, False
    # Ledger prints (@) for a price that is no market price.
    main = main.removesuffix("(").rstrip()
    is_total = price.startswith("@")
    return main, price.removeprefix("@").removeprefix(")").strip(), is_total


def _commodity(found: re.Match[str]) -> str:
    return (found["before"] or found["after"] or "").strip('"').strip()


def _decimal_sign(number: str) -> str | None:
    """Tell the decimal sign from the number alone, None when it could be a thousands separator."""
    points, commas = number.count("."), number.count(",")
    if points and commas:
        return "." if number.rfind(".") > number.rfind(",") else ","
    if points + commas != 1:
        # Several equal separators are thousands, so the other sign is decimal.
        return None if not points + commas else ("," if points else ".")
    sign = "." if points else ","
    whole, _, fraction = number.partition(sign)
    digits = "".join(filter(str.isdigit, whole))
    is_group = len(fraction) == 3 and 0 < len(digits) <= 3 and digits.strip("0") != ""
    has_other_groups = any(space in whole for space in _GROUPS)
    return None if is_group and not has_other_groups else sign


def _trailing_sign(number: str) -> str | None:
    return number[-1] if number[-1:] in (".", ",") else None


def _plain(number: str, sign: str) -> str:
    """Write a number without groups and with a decimal point."""
    other = "," if sign == "." else "."
    kept = "".join(each for each in number if each not in _GROUPS and each != other)
    return kept.replace(sign, ".")
