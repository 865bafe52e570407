"""What the text of a bank row says about being one leg of a transfer between own accounts.

Banks name transfers in many languages and cards by the last digits of their numbers. Words are
scored, never trusted alone: on one continent "transfer" stands before every rent. A text may name
an own account by its number, its bank, its card or its payment service.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from finplan.model.money import to_text
from finplan.plan.ledger.ledger import LedgerAccount

_TRANSFER = re.compile(
    r"\b(?:(?:e-?)?transfers?|trnsfr|trsf|tfr|trf|xfer|xfr|sweep|virement|vir|[a-z]*(?:ü|ue)berweisung"
    r"|umbuchung|übertrag|uebertrag|overboeking|overschrijving|bonifico|giroconto|transferencia"
    r"|transferência|traspaso|przelew|siirto|överföring|overføring|overførsel|home banking"
    r"|(?:to|from) (?:savings?|sav|checking|chk|chequing|shares?|money market|brokerage)"
    r"|own accounts?|between accounts)\b"
)

_EXCHANGE = re.compile(
    r"\b(?:exchanged?|conver(?:sion|ted)|fx|forex|devisen[a-z]*|umtausch|w[äa]hrungs[a-z]*|devises"
    r"|cambio|valuta)\b"
)

_PAYMENT = re.compile(
    r"\b(?:(?:e-?|auto-?|re)?payments?|pymnts?|pymts?|pmts?|(?:auto-?|e-?|bill ?|direct ?)pay"
    r"|crcardpmt|thank you|thanks|direct debit|ddr?|einzug|lastschrift|zahlung"
    r"|(?:kredit)?kartenabrechnung|(?:konto|karten)?ausgleich|paiement|prélèvement|prelevement|prlv|r[eè]glement|pagos?|abono"
    r"|pagamento|betaling|incasso)\b"
)

_CARD_PURCHASE = re.compile(
    r"\b(?:card (?:payment|purchase) (?:to|at)|paiement (?:cb|(?:par )?carte)|pago (?:con )?tarjeta"
    r"|pagamento (?:pos|con carta)|betaling (?:pin|kaart))\b"
)
"""A card's purchase in a shop, which some banks call a payment too."""

_PAPER = re.compile(
    r"\b(?:cash|atm|che(?:ck|que)s?|counter|withdrawals?|bargeld[a-z]*|schecks?|scheckeinreichung"
    r"|esp[eè]ces|ch[eè]ques?|retrait|efectivo|contanti|assegno|contant)\b"
)

_SAVING = re.compile(
    r"\b(?:savings?|sparen|sparkonto|tagesgeld|[eé]pargne|livret|ahorros?|risparmio|sparen)\b"
)

_INVESTMENT = re.compile(
    r"\b(?:brokerage|investments?|roth|ira|401k|isa|depot|wertpapier[a-z]*|pea)\b"
)

_REFERENCE = re.compile(r"(?<![0-9])[0-9]{9,}(?![0-9])")
"""A number so long that two rows share it only where it names one order."""

_CASH_DESK = re.compile(
    r"\b(?:deposits?|withdrawals?|withdrwl|einzahlung|auszahlung|versement|retrait|ingreso|reintegro"
    r"|contribution)\b"
)

_PEOPLE = re.compile(
    r"\b(?:zelle|venmo|cash ?app|paypal|popmoney|interac|bizum|swish|mobilepay|twint|tikkie|lydia"
    r"|vipps|wero|paylib|apple cash|upi|pix)\b"
)

_FUNDING = re.compile(
    r"\b(?:bankgutschrift|einzahlung|auszahlung|abbuchung|aufladung|aufladen|bankkonto"
    r"|[a-z]*(?:ü|ue)berweisung|deposit(?:ed|s)?|withdraw(?:als?|n)?|top[- ]?up|bank account|transfers?"
    r"|cash ?out|add(?:ed)? (?:cash|funds|money)|virement|approvisionnement|retrait|d[ée]p[ôo]t"
    r"|compte bancaire|transferencia|retirada|retiro|dep[óo]sito|cuenta bancaria|ricarica|prelievo"
    r"|bonifico|storting|opname|overboeking)\b"
)
"""What a wallet's own statement calls money that comes from a bank or goes there."""

_OWN_WORDS = re.compile(
    r"\b(?:bankgutschrift auf paypal-?konto|bank deposit to pp account|[üu]berweisung als zahlungsquelle"
    r"|(?:von )?nutzer eingeleitete abbuchung|user initiated withdrawal"
    r"|allgemeine abbuchung|general withdrawal|virement bancaire vers compte paypal"
    r"|retrait initi[ée] par (?:l'|un )?utilisateur)\b"
)
"""What PayPal's own statement alone calls money from a bank or to it, whatever the account is named."""

_FEE = re.compile(
    r"\b(?:wires?|wired|swift|international[a-z]*|ausland[a-z]*|fees?|geb[üu]hr(?:en)?|gebuehr(?:en)?"
    r"|entgelte?|spesen|frais|comisi[óo]n|commissioni?|kosten)\b"
)
"""What banks call a transfer that costs something, and what it costs."""

_ORDER = re.compile(
    r"\b(?:standing order|sto|faster payments?|fps|bgc|dauerauftrag|gutschrift|[a-z]*eingang"
    r"|ordre permanent|orden permanente)\b"
)
"""What banks call an order of the account's holder, and what arrives of one."""

_WAY = re.compile(
    r"\b(?:out|incoming|outgoing|inward|outward|sent|receipt|received?|re[cç]u|[ée]mis|inst|instant"
    r"|echtzeit|order|ordre|orden|ref|money|geld|vers|depuis|von|nach|zum|vom|para|desde|naar|van)\b"
)
"""Which way money went, in words."""

_PURPOSE = re.compile(
    r"\b(?:pay|payroll|salary|salaries|wages?|lohn|gehalt|bez[üu]ge|salaire|paie|n[óo]mina|stipendio"
    r"|salaris|rent|rental|lease|miete|kaltmiete|warmmiete|loyer|alquiler|affitto|huur|loans?|mortgage"
    r"|darlehen|kreditrate|pr[êe]t|pr[ée]stamo|mutuo|hypotheek|benefits?|pension|rente|retraite"
    r"|kindergeld|elterngeld|arbeitslosengeld|wohngeld|allocations?|support|alimony|unterhalt)\b"
)
"""What money is for that is no movement between own accounts: pay, rent, a loan, a benefit, support."""

_BEYOND_SCHEDULE = re.compile(
    r"\b(?:(?:extra|additional|addl|unscheduled) (?:principal|prin|payment|pmt)"
    r"|prin(?:cipal)?[ -](?:only|reduction|curtailment)|overpayment|sondertilgung)\b"
)

_ENDING = re.compile(r"(?<![0-9a-z])x*([0-9]{4})(?![0-9a-z])")
"""Four digits that stand alone or behind a mask: 1234, x1234, XXXX1234, ****1234, ...1234."""

_WORD = re.compile(r"[^\W\d_]{3,}")

_UNTELLING = """
transfer payment pay deposit withdrawal credit debit account online mobile bank banking card check
checking savings from into the and you thank autopay web ppd ach sepa visa des ref inc llc internal
external funds internet electronic received pending posted branch direct conf confirmation number
reference first national federal union trust financial statement files
"""
_COMMON = frozenset(_UNTELLING.split())
"""Words that many unrelated rows share."""


_VOCABULARY = (
    _TRANSFER, _EXCHANGE, _PAYMENT, _PAPER, _SAVING, _INVESTMENT, _CASH_DESK, _FUNDING, _FEE, _ORDER,
    _WAY,
)  # fmt: skip
"""How money moves, in words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence in one row's text.

    `transfer`, `payment` and `cash_desk` (deposits, withdrawals) are words that banks use for such rows,
    `exchange` those for money changed into another currency;
    `services` are the names of services on which people pay each other, `paper` that cash or a cheque
    changed hands. `saving` and `investment` are words for such accounts, `funding` those that a wallet
    has for money from or to a bank, `of_paypal` those of PayPal's own statement. `fee` says wire or fee;
    `purpose` names pay, rent, a loan or a benefit.
    `endings` are four-digit numbers that may be the end of an account's number; `tokens` are its words
    that few other rows share, in small letters; `references` are numbers of nine digits or more.
    """

    transfer: bool
    exchange: bool
    payment: bool
    cash_desk: bool
    services: frozenset[str]
    paper: bool
    saving: bool
    investment: bool
    funding: bool
    of_paypal: bool
    fee: bool
    purpose: bool
    endings: frozenset[str]
    tokens: frozenset[str]
    references: frozenset[str]

    @property
    def parties(self) -> frozenset[str]:
        """The words that say nothing of how money moved, and so may name somebody."""
        return frozenset(
            token
            for token in self.tokens
            if not any(pattern.fullmatch(token) for pattern in _VOCABULARY)
        )

    @property
    def person(self) -> bool:
        """Whether the text names a service on which people pay each other."""
        return bool(self.services)


def evidence_of(raw: str) -> Evidence:
    """Read a row's text as its bank wrote it."""
    text = raw.lower()
    return Evidence(
        transfer=_TRANSFER.search(text) is not None,
        exchange=_EXCHANGE.search(text) is not None,
        payment=_PAYMENT.search(text) is not None and _CARD_PURCHASE.search(text) is None,
        cash_desk=_CASH_DESK.search(text) is not None,
        services=services_in(text),
        paper=_PAPER.search(text) is not None,
        saving=_SAVING.search(text) is not None,
        investment=_INVESTMENT.search(text) is not None,
        funding=_FUNDING.search(text) is not None,
        of_paypal=_OWN_WORDS.search(text) is not None,
        fee=_FEE.search(text) is not None,
        purpose=_PURPOSE.search(text) is not None,
        endings=frozenset(_ENDING.findall(text)),
        tokens=telling_words(text),
        references=frozenset(_REFERENCE.findall(text)),
    )


def services_in(text: str) -> frozenset[str]:
    """The services that a text in small letters names on which people pay each other."""
    return frozenset(_PEOPLE.findall(text))


def telling_words(text: str) -> frozenset[str]:
    """The words of a text, in small letters, that few unrelated rows share."""
    return frozenset(_WORD.findall(text.lower())) - _COMMON


@lru_cache(maxsize=20_000)
def says_transfer(raw: str) -> bool:
    """Whether a row's text has a word that banks use for transfers, or for changing currencies."""
    text = raw.lower()
    return _TRANSFER.search(text) is not None or _EXCHANGE.search(text) is not None


@lru_cache(maxsize=20_000)
def may_lose_fee(raw: str) -> bool:
    """Whether a row's text is that of money sent or received, of which a fee may have been kept."""
    text = raw.lower()
    patterns = (_ORDER, _PAYMENT, _CASH_DESK, _FEE)
    return says_transfer(raw) or any(pattern.search(text) is not None for pattern in patterns)


def beyond_schedule(raw: str) -> bool:
    """Whether the text calls a loan payment extra principal."""
    return _BEYOND_SCHEDULE.search(raw.lower()) is not None


def states_amount(raw: str, amount: int, currency: str) -> bool:
    """Whether a text states an amount, however its bank writes decimals and thousands."""
    stated = re.compile(rf"(?<![0-9.]){re.escape(to_text(abs(amount), currency))}(?![0-9])")
    forms = (raw.replace(",", ""), raw.replace(".", "").replace(",", "."))
    return any(stated.search(form) for form in forms)


def names_number(text: Evidence, account: LedgerAccount) -> bool:
    """Whether the text holds the last digits of an account's number."""
    return account.mask is not None and account.mask[-4:] in text.endings


def names_bank(text: Evidence, account: LedgerAccount) -> bool:
    """Whether the text names an account's institution."""
    return not text.tokens.isdisjoint(_WORD.findall(account.institution.lower()))


def share_words(first: Evidence, second: Evidence) -> bool:
    """Whether both texts share rare words, as where banks write the names of sender and recipient."""
    return len(first.tokens & second.tokens) >= 2


def name_one_payee(first: Evidence, second: Evidence) -> bool:
    """Whether two texts have the same words, some of which are more than words for a payment."""
    return first.tokens == second.tokens and any(
        not _PAYMENT.fullmatch(token) for token in first.tokens
    )


def names_currency(text: Evidence, account: LedgerAccount) -> bool:
    """Whether the text names an account's currency, or says that money was changed."""
    return text.exchange or account.currency.lower() in text.tokens


_PAYABLE_KINDS = frozenset({"credit", "loan", "investment"})
"""Kinds of accounts that payments go to, and their banks' names with them."""


class OwnNames:
    """The names of a household's accounts; accounts go by their numbers."""

    def __init__(self, accounts: Mapping[int, LedgerAccount]) -> None:
        self._accounts = accounts
        self._endings = [account.mask[-4:] for account in accounts.values() if account.mask]
        self._payable = [no for no, account in accounts.items() if account.kind in _PAYABLE_KINDS]
        self._services = {
            number: services_in(f"{account.institution} {account.name} {account.subtype}".lower())
            for number, account in accounts.items()
        }
        self._wallets = frozenset[str]().union(*self._services.values())
        self._names = {
            number: telling_words(f"{account.institution} {account.name}")
            for number, account in accounts.items()
        }
        names = sorted(frozenset[str]().union(*(self._names[number] for number in self._payable)))
        self._issuers = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None

    def may_name_own(self, raw: str) -> bool:
        """Whether a text may hold the last digits of an own account's number."""
        return any(ending in raw for ending in self._endings)

    def is_paid(self, text: Evidence, raw: str, source: int, only: int | None = None) -> bool:
        """Whether an outgoing row calls itself a payment and names an own card, loan or investment.

        With `only` it must name that account. Banks write many things into one payee's rows, and what
        most of them are for says little then.
        """
        if self._issuers is None or not self._issuers.search(raw.lower()):
            return False
        among: Iterable[int] = [only] if only is not None else self._payable
        return (text.payment or text.investment) and any(
            not text.tokens.isdisjoint(self._names[number] - self._names[source])
            for number in among
        )

    def names_wallet(self, text: Evidence, account: int) -> bool:
        """Whether a row of an account names the service that another own account is held at."""
        return not text.services.isdisjoint(self._wallets - self._services[account])

    def names_service(self, text: Evidence, account: int, wallet: int) -> bool:
        """Whether a row of an account names the service that this other account is held at."""
        return not text.services.isdisjoint(self._services[wallet] - self._services[account])

    def names_target(self, evidence: Evidence, source: int, target: int) -> bool:
        """Whether an outgoing row names the bank of the account that it would go to, or the card."""
        source_account, target_account = self._accounts[source], self._accounts[target]
        if source_account.institution != target_account.institution and names_bank(
            evidence, target_account
        ):
            return True
        return target_account.kind == "credit" and bool(self.card_words(evidence, source, target))

    def names_source(self, arrived: Evidence, source: int, target: int) -> bool:
        """Whether an incoming row names the bank that it would come from, and no purpose such as pay."""
        source_account, target_account = self._accounts[source], self._accounts[target]
        return (
            source_account.institution != target_account.institution
            and target_account.kind != "credit"
            and not arrived.purpose
            and names_bank(arrived, source_account)
        )

    def name_two_parties(self, evidence: Evidence, arrived: Evidence) -> bool:
        """Whether both rows name somebody who is none of the household's banks, and not the same one."""
        ours = frozenset[str]().union(*self._names.values())
        senders, receivers = evidence.parties - ours, arrived.parties - ours
        return bool(senders) and bool(receivers) and senders.isdisjoint(receivers)

    def card_words(self, evidence: Evidence, source: int, target: int) -> frozenset[str]:
        """The words of a text that name one account and not the other."""
        return evidence.tokens & (self._names[target] - self._names[source])

    def names_another_card(self, evidence: Evidence, source: int, target: int) -> bool:
        """Whether an outgoing row names an own card that is not the one it would be paid to."""
        here = self._names[source] | self._names[target]
        return any(
            account.kind == "credit" and not evidence.tokens.isdisjoint(self._names[number] - here)
            for number, account in self._accounts.items()
        )

    def names_another(self, text: Evidence, source: LedgerAccount, target: LedgerAccount) -> bool:
        """Whether a text holds the digits of an own account other than these two, and of neither."""
        if not text.endings or names_number(text, source) or names_number(text, target):
            return False
        return any(names_number(text, account) for account in self._accounts.values())
