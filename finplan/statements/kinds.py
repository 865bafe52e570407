"""What kind of account rows are of: evidence of stated strength.

It is what names say, a file's, an account's or a product's, in banks' languages, and what rows say:
their words, which way each goes, and the shape of it all.

Each piece of evidence has points: SURE for what the file says itself and for a bank's own columns,
LIKELY for what hardly stands in files of other kinds, HINT for what only leans to one.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

from finplan.model.account import KindWord
from finplan.statements.statement import KindClue

SURE, LIKELY, HINT = 4, 2, 1

DEPOSITORY: tuple[KindWord, ...] = ("checking", "savings")


_LONGEST_TEXT = 200
_MOST_WORDS_OF_A_PHRASE = 4
_GAPS_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LIGATURES = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i"})


def plain_text(text: str) -> str:
    """Write a text as words in small letters without accents, one blank between them."""
    letters = text[:_LONGEST_TEXT].casefold()
    if not letters.isascii():
        decomposed = unicodedata.normalize("NFKD", letters.translate(_LIGATURES))
        letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _GAPS_BETWEEN_WORDS.sub(" ", letters).strip()


def phrases_of(plain_text: str) -> set[str]:
    """All runs of one to four words."""
    tokens = plain_text.split(" ")
    return {
        " ".join(tokens[index : index + length])
        for length in range(1, _MOST_WORDS_OF_A_PHRASE + 1)
        for index in range(len(tokens) - length + 1)
    }


def phrase_list(listed: str) -> frozenset[str]:
    """Read phrases that stand between bars."""
    return frozenset(plain_text(phrase) for phrase in listed.split("|")) - {""}


class Vocabulary:
    """Phrases that mean one thing, and parts of words that do so wherever they stand."""

    def __init__(self, phrases: str, parts: str = "") -> None:
        self._phrases = phrase_list(phrases)
        self._parts = tuple(sorted(phrase_list(parts)))

    def speaks(self, plain_text: str, phrases: Collection[str]) -> bool:
        """Say whether a text, with its own phrases, has one of these."""
        return not self._phrases.isdisjoint(phrases) or any(
            part in plain_text for part in self._parts
        )


_WORDS_OF_KINDS: dict[KindWord, str] = {
    "checking": """checking|chequing|current account|girokonto|giro ?konto\\w{0,40}
        |privatkonto|lohnkonto
        |gehaltskonto|kontokorrent|\\w{0,40}giro
        |compte (?:courant|cheques?|de depot)
        |cuenta (?:corriente|nomina)
        |conto corrente|conta (?:corrente|a ordem)|lonekonto|brukskonto|lonnskonto|lonkonto
        |betaalrekening|zichtrekening|privegirorekening|kayttotili|bezny ucet|konto osobiste|ror
        |everyday account|transaction account|streamline|vadesiz""",
    "credit": """(?<!debit )credit(?! unions?(?![a-z])| suisse| agricole| transfer| mutuel| note| debit)
        |(?<!debit )(?<!payment )cards?
        |creditcards?|(?<!debit )visa(?! debit)|(?<!debit )mastercard(?! debit)|amex|american express
        |\\w{0,40}kreditkarten?\\w{0,40}|kreditkort\\w{0,40}|kreditni kart[ay]|karta kredytowa
        |luottokortti|cartes? de credit
        |tarjetas? de credito|cartao|cartoes|cart[ae] di credito|credit ?card|diners club|barclaycard""",
    "savings": """savings?|money market|\\w{0,40}sparkonto|sparbuch|tagesgeld\\w{0,40}|festgeld\\w{0,40}
        |livret
        |(?:compte )?epargne|ahorros?|risparmio|poupanca|opsparing\\w{0,40}|sparekonto|spaarrekening
        |konto oszczednosciowe|sporici ucet|saastotili|定期預金|貯蓄""",
    "loan": """loans?|mortgage|darlehen\\w{0,40}|hypothek\\w{0,40}|baufinanzierung
        |pret immobilier|emprunt
        |prestamo|hipoteca|mutuo|emprestimo|heloc|boliglan|bolan|hypotheek|lening|kredyt|hitel""",
    "investment": """brokerage|401 ?k|roth|ira|investments?|securities|wertpapier\\w{0,40}|depotkonto
        |stocks and shares""",
}
_PATTERNS_OF_KINDS = {
    kind: re.compile(
        r"(?<![a-z])(?:" + "".join(map(str.strip, listed.splitlines())) + r")(?![a-z])"
    )
    for kind, listed in _WORDS_OF_KINDS.items()
}
_DEBIT_SIDE = re.compile(r"\bdebits?\b(?! cards?\b)")
_CREDIT_SIDE = re.compile(r"\bcredit\b(?! ?cards?\b)")
_SAID_OF_KINDS: dict[KindWord, str] = {
    "checking": "checking",
    "savings": "savings",
    "credit": "a credit card",
    "loan": "a loan",
    "investment": "investments",
}


def guess_kind(texts: Iterable[str]) -> KindWord | None:
    """The kind that names speak of; checking is said louder than all else, as in "Visa checking"."""
    text = " / ".join(map(plain_text, texts))
    return next(
        (kind for kind, pattern in _PATTERNS_OF_KINDS.items() if pattern.search(text)), None
    )


def clues_of_names(texts: Iterable[str]) -> Iterator[KindClue]:
    """What names that people and banks give freely say: that a kind is likely."""
    kind = guess_kind(texts)
    if kind is not None:
        yield KindClue((kind,), LIKELY, f"its name suggests {_SAID_OF_KINDS[kind]}")


def clues_above(texts: Iterable[str]) -> Iterator[KindClue]:
    """What a bank says above the table: that a kind is sure; a name there may be anybody's product.

    Where debits are spoken of too, a “credit” that is no card's is a sum of what came in.
    """
    listed = list(texts)
    if any(_DEBIT_SIDE.search(plain_text(text)) for text in listed):
        listed = [_CREDIT_SIDE.sub(" ", plain_text(text)) for text in listed]
    kind = guess_kind(listed)
    if kind is not None:
        yield KindClue((kind,), SURE, f"the lines above the table name {_SAID_OF_KINDS[kind]}")


def clues_of_product(cells: Iterable[str]) -> Iterator[KindClue]:
    """What the column of account types or products says in all rows: that a kind is sure.

    Where its rows name different things, as a bank's app does that calls what a card paid “Card”, they
    say it of no account.
    """
    kinds = {guess_kind([cell]) for cell in cells if cell.strip()}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is not None:
        yield KindClue((kind,), SURE, f"its type column names {_SAID_OF_KINDS[kind]}")


_SOME_ROWS = 0.05
"""What share of what goes out has to be the bank's own; names of shops may have such words, too."""

_CARD: tuple[KindWord, ...] = ("credit",)
_CHECKING: tuple[KindWord, ...] = ("checking",)
_PAYMENT_RECEIVED = Vocabulary(
    """payment received|payments received|thank you|autopay|auto pmt|autopmt|automatic payment
    |mobile pymt|directpay|direct debit payment|payments and credits|payment credit
    |ach deposit internet transfer
    |payment from chk|payment from checking|cr card payment|credit card payment|pagamento recebido
    |pago recibido|su pago|pago gracias|gracias por su pago|paiement recu|votre paiement|paiement merci
    |ihre zahlung|zahlung erhalten|zahlung dankend erhalten|ausgleich|kartenausgleich|saldoausgleich
    |betalning tack|betaling mottatt|betaling modtaget|uw betaling|pagamento ricevuto|splata karty
    |bill payment received|bbps payment received|お支払い|ご入金|还款"""
)
_PAYMENT_IN = Vocabulary("innbetaling|inbetalning|indbetaling")
_CARD_CHARGE = Vocabulary(
    """minimum payment due|cash advance|cash advance fee|interest charge|interest charged on purchases
    |interest charge on purchases|purchase interest|purchase interest charge|interest on purchases
    |finance charge|finance charges|late payment fee|overlimit fee|over limit fee|balance transfer
    |balance transfer fee|annual membership fee|jahresgebuhr karte|kartenpreis|sollzinsen karte
    |intereses de financiacion|anuidade|cotisation carte|iof compra internacional
    |renewal membership fee"""
)
_CARD_LIKE = Vocabulary(
    """foreign transaction fee|late fee|annual fee|membership fee|auslandseinsatzentgelt|statement credit
    |auslandseinsatz|parcela|cash back|cashback bonus|interest charged"""
)
_PAY = Vocabulary(
    """payroll|direct dep|direct deposit|dir dep|paycheck|pay check|salary|wages|gehalt|lohn|bezuge
    |besoldung|salaire|paie|nomina|haberes|sueldo|stipendio|salario|ordenado|vencimento|proventos|lon|lonn
    |loen|palkka|salaris|loon|wynagrodzenie|pensja|vyplata|mzda|maas|pension|aposentadoria""",
    "gehalt|lohnzahl|lohn gehalt|lohnabrechn|給与|給料|工资|월급|급여|зарплат|заработн",
)
_BANK_CHARGE = Vocabulary(
    """atm|atm withdrawal|cash withdrawal|cashpoint|check|cheque|chq|direct debit|standing order|bill pay
    |billpay|bill pmt|zelle|wire|wire transfer|ach debit|ach pmt|debit card|visa debit|check card|dankort
    |dankort nota|bancontact|girocard|ec karte|eftpos|pos purchase|purchase authorized on|sepa|iban|bizum
    |pix|imps|neft|rtgs|faster payment|bacs|bankomat|geldautomat|bargeldauszahlung|dauerauftrag
    |uberweisung|virement|prelevement|prlv|retrait|retrait dab|carte|recibo|cajero|bonifico|prelievo
    |pagamento pos|incasso|overboeking|geldautomaat|betaalautomaat|bea|autogiro|nettgiro|avtalegiro
    |swish|vipps|mobilepay|betalningsservice|przelew|blik|wyplata|platba|inkaso|vyber|miete|rent payment
    |mortgage|mortgage payment|boleto|saque|compra no debito|maintenance fee|monthly service fee
    |overdraft|overdraft fee|bank charges|kontofuhrung|rechnungsabschluss|upi|pago con tarjeta
    |credit crd|crcardpmt|credit card payment|card ending in|kreditkartenabrechnung|visa payment
    |pinbetaling|pirkinys""",
    "lastschr|ueberweis|uberweis|dauerauftr|kontofuehr|kontofuhr|家賃|引出|振込|口座振替",
)
_DEPOSIT = Vocabulary(
    """deposit|deposito|depot|insattning|gutschrift|einzahlung|credit transfer|bank credit|atm deposit
    |mobile deposit|check deposit|cash deposit|transferencia recebida|bank giro credit""",
    "gutschr|入金|入账",
)
_TO_SAVINGS = Vocabulary(
    """transfer to savings|transfer to sav|to savings|vers epargne|virement vers epargne|an sparkonto
    |a ahorro|till sparkonto|naar spaarrekening|til sparekonto"""
)
_INTEREST = Vocabulary(
    """interest|interest paid|interest payment|interest earned|zinsen|habenzinsen|zinsgutschrift|interets
    |intereses|interessi|juros|ranta|renter|rente|odsetki|urok|uroky|korko|利息|利子"""
)
_MOVE = Vocabulary(
    """transfer|xfer|uberweisung|umbuchung|ubertrag|virement|transferencia|bonifico|giroconto|overboeking
    |overforing|overforsel|przelew|deposit|withdrawal|einzahlung|auszahlung|insattning|uttag|tilisiirto""",
)
_LOAN_CHARGE = Vocabulary(
    "principal|escrow|tilgung|tilgungsrate|amortization|amortisation|amortering|principal payment"
)
_LOAN_PAYMENT = Vocabulary("loan payment|mortgage payment|kreditrate|rata kredytu|mensualite")
_TRADE = Vocabulary("dividend|ordinary dividend|bought|sold|buy|sell|reinvestment")


def clues_of_rows(texts: Iterable[str], amounts: Sequence[int]) -> list[KindClue]:
    """What the words of rows say, with the way that each goes: `amounts` are positive inwards.

    A payment that was received is a card's only where something was spent; pay never comes to a card.
    """
    read = [
        (plain_text(text), amount) for text, amount in zip(texts, amounts, strict=True) if amount
    ]
    rows = [(text, phrases_of(text), amount > 0) for text, amount in read]
    into = [(text, phrases) for text, phrases, comes in rows if comes]
    out = [(text, phrases) for text, phrases, comes in rows if not comes]
    both = into + out
    is_paid = bool(out) and _any_row(_PAYMENT_RECEIVED, into)
    has_trades = sum(_TRADE.speaks(*row) for row in both)
    checks: tuple[tuple[bool, tuple[KindWord, ...], int, str], ...] = (
        (is_paid, _CARD, LIKELY, "it lists payments received"),
        (
            bool(out) and not is_paid and _any_row(_PAYMENT_IN, into),
            _CARD,
            HINT,
            "payments are money in",
        ),
        (_any_row(_CARD_CHARGE, both), _CARD, LIKELY, "charges that only cards have"),
        (_any_row(_CARD_LIKE, both), _CARD, HINT, "fees that cards have"),
        (_any_row(_PAY, into), _CHECKING, SURE, "it receives pay"),
        (
            _share_of_rows(_BANK_CHARGE, out) >= _SOME_ROWS,
            _CHECKING,
            LIKELY,
            "it pays checks, cash, debits or bills",
        ),
        (_any_row(_DEPOSIT, into), DEPOSITORY, HINT, "deposits"),
        (
            _any_row(_TO_SAVINGS, out) and not all(_MOVE.speaks(*row) for row in out),
            _CHECKING,
            LIKELY,
            "transfers to savings",
        ),
        (
            _any_row(_INTEREST, into)
            and all(_MOVE.speaks(*row) or _INTEREST.speaks(*row) for row in both),
            ("savings",),
            LIKELY,
            "only interest and transfers",
        ),
        (
            _any_row(_LOAN_CHARGE, both) or _any_row(_LOAN_PAYMENT, into),
            ("loan",),
            LIKELY,
            "entries that only loans have",
        ),
        (0 < len(both) <= 2 * has_trades, ("investment",), HINT, "dividends and trades"),
    )
    return [
        KindClue(kinds, points, why, by_direction=True)
        for holds, kinds, points, why in checks
        if holds
    ]


def clues_of_balances(balances: Sequence[int], *, is_owed: bool) -> Iterator[KindClue]:
    """What a running balance that follows from the amounts says, positive where it is the person's.

    `is_owed` says that it is printed as a debt.
    """
    if is_owed:
        yield KindClue(("credit",), SURE, "its balance is a debt")
    elif max(balances) <= 0:
        yield KindClue(("credit",), LIKELY, "its balance is never above zero")
    elif min(balances) >= 0:
        yield KindClue(DEPOSITORY, HINT, "its balance is never below zero")


def clues_of_signs(printed: Sequence[int]) -> Iterator[KindClue]:
    """What it says that printed amounts are turned round: cards alone print charges as positive."""
    if any(amount < 0 for amount in printed):
        why = "its spending has no minus sign, as on cards"
        yield KindClue(_CARD, LIKELY, why, by_direction=True)


def _share_of_rows(vocabulary: Vocabulary, rows: Sequence[tuple[str, set[str]]]) -> float:
    return sum(vocabulary.speaks(*row) for row in rows) / max(1, len(rows))


def _any_row(vocabulary: Vocabulary, rows: Sequence[tuple[str, set[str]]]) -> bool:
    return any(vocabulary.speaks(*row) for row in rows)
