"""What rows say of their account's kind: their words, which way each goes, and the shape of it all."""

from collections.abc import Iterable, Iterator, Sequence

from finplan.model.account import KindWord
from finplan.statements.kinds.conclusion import DEPOSITORY, HINT, LIKELY, SURE
from finplan.statements.kinds.phrases import Vocabulary, phrases_of, plain
from finplan.statements.statement import KindClue

_SOME = 0.05
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
    read = [(plain(text), amount) for text, amount in zip(texts, amounts, strict=True) if amount]
    rows = [(text, phrases_of(text), amount > 0) for text, amount in read]
    into = [(text, phrases) for text, phrases, comes in rows if comes]
    out = [(text, phrases) for text, phrases, comes in rows if not comes]
    both = into + out
    is_paid = bool(out) and _any(_PAYMENT_RECEIVED, into)
    has_trades = sum(_TRADE.speaks(*each) for each in both)
    found: tuple[tuple[bool, tuple[KindWord, ...], int, str], ...] = (
        (is_paid, _CARD, LIKELY, "payments to it are received with thanks"),
        (bool(out) and not is_paid and _any(_PAYMENT_IN, into), _CARD, HINT, "payments come in"),
        (_any(_CARD_CHARGE, both), _CARD, LIKELY, "it has charges that only cards have"),
        (_any(_CARD_LIKE, both), _CARD, HINT, "it has fees that cards have"),
        (_any(_PAY, into), _CHECKING, SURE, "pay comes in"),
        (
            _share(_BANK_CHARGE, out) >= _SOME,
            _CHECKING,
            LIKELY,
            "cheques, cash, debits or bills go out",
        ),
        (_any(_DEPOSIT, into), DEPOSITORY, HINT, "money is paid in"),
        (
            _any(_TO_SAVINGS, out) and not all(_MOVE.speaks(*each) for each in out),
            _CHECKING,
            LIKELY,
            "money is put aside from it",
        ),
        (
            _any(_INTEREST, into)
            and all(_MOVE.speaks(*each) or _INTEREST.speaks(*each) for each in both),
            ("savings",),
            LIKELY,
            "interest and transfers are all it has",
        ),
        (
            _any(_LOAN_CHARGE, both) or _any(_LOAN_PAYMENT, into),
            ("loan",),
            LIKELY,
            "it has what only loans have",
        ),
        (0 < len(both) <= 2 * has_trades, ("investment",), HINT, "it has dividends and trades"),
    )
    return [
        KindClue(kinds, points, why, by_direction=True)
        for holds, kinds, points, why in found
        if holds
    ]


def clues_of_balances(balances: Sequence[int], *, is_owed: bool) -> Iterator[KindClue]:
    """What a running balance that follows from the amounts says, positive where it is the person's.

    `is_owed` says that it is printed as a debt.
    """
    if is_owed:
        yield KindClue(("credit",), SURE, "its balance is what is owed")
    elif max(balances) <= 0:
        yield KindClue(("credit",), LIKELY, "its balance is never above zero")
    elif min(balances) >= 0:
        yield KindClue(DEPOSITORY, HINT, "its balance is never below zero")


def clues_of_signs(printed: Sequence[int]) -> Iterator[KindClue]:
    """What it says that printed amounts are turned round: cards alone print charges as positive."""
    if any(amount < 0 for amount in printed):
        why = "what is spent is printed without a minus, as cards do"
        yield KindClue(_CARD, LIKELY, why, by_direction=True)


def _share(vocabulary: Vocabulary, rows: Sequence[tuple[str, set[str]]]) -> float:
    return sum(vocabulary.speaks(*each) for each in rows) / max(1, len(rows))


def _any(vocabulary: Vocabulary, rows: Sequence[tuple[str, set[str]]]) -> bool:
    return any(vocabulary.speaks(*each) for each in rows)
