"""A person's word on what was detected: yes, no, and the way back from it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.duplicate import Duplicate, DuplicateVerdict
from finplan.model.plan_words import cash_is_unknown
from finplan.model.recurring import RecurringSeries, RecurringVerdict
from finplan.model.transaction import Transaction, TransactionQuery
from finplan.model.transfer import Transfer, TransferVerdict
from finplan.model.words.verdicts import Detected, asked_of, decided_said, does_no, does_yes
from finplan.operations.detection import DECIDE_DUPLICATE, DECIDE_RECURRING, DECIDE_TRANSFER
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.dialogs.confirming import ConfirmDialog
from finplan.tui.drawing.lines import page, wrapped
from finplan.tui.feed import Feed, NotAnswered
from finplan.tui.household import HouseholdApp

Word = Literal["yes", "no", "auto"]
"""What a person says of a finding; `auto` says nothing any more."""

OF_A_SERIES, OF_AN_ACCOUNT = 3, 2
"""How many of the newest rows tell a series, and an account, from others."""

NewestRows = tuple[tuple[Transaction, ...], ...]
"""The newest rows of a series, or of each of two accounts; empty of what shows its rows itself."""


class SpokenWord(NamedTuple):
    """A finding and the word that held on it before another was said."""

    finding: Detected
    before: Word


class Verdicts:
    """Keeps what the person says; each word of the session can be taken back, the newest first."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._spoken: list[SpokenWord] = []

    async def say(self, finding: Detected, word: Word, names: Mapping[str, str]) -> bool:
        """Keep a word; whether something changed. What cannot be taken back is asked for once more."""
        before = word_on(finding)
        if before == word:
            self._app.say(_nothing_new(word))
            return False
        is_final = isinstance(finding, Duplicate) and finding.relinked
        if is_final and not await self._is_meant(finding, word):
            return False
        way_back = "" if is_final or word == "auto" else " u takes it back."
        try:
            await self._keep(finding, word, names, way_back)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            return False
        if not is_final:
            self._spoken.append(SpokenWord(finding, before))
        return True

    async def undo(self, marked: Detected | None, names: Mapping[str, str]) -> Detected | None:
        """Take the newest word back, without one the word on what is marked; what it was about."""
        if not self._spoken:
            if marked is None or word_on(marked) == "auto":
                self._app.say("There is no word of yours to take back here.")
                return None
            return marked if await self.say(marked, "auto", names) else None
        finding, before = self._spoken[-1]
        try:
            await self._keep(finding, before, names, "", is_back=True)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            if not refused.away:
                # What it was about is gone, and must not stand before the words said earlier.
                self._spoken.pop()
            return None
        self._spoken.pop()
        return finding

    async def _is_meant(self, finding: Detected, word: Word) -> bool:
        does = does_yes(finding) if word == "yes" else does_no(finding)
        said = f"{asked_of(finding)} {word.capitalize()}: {does} This cannot be taken back."
        dialog = ConfirmDialog("Is that so?", lambda width: page(wrapped(said, width)))
        agreed: bool | None = await self._app.push_screen_wait(dialog)
        return agreed is True

    async def _keep(
        self,
        finding: Detected,
        word: Word,
        names: Mapping[str, str],
        way_back: str,
        *,
        is_back: bool = False,
    ) -> None:
        feed = self._app.feed
        before = await _safe_a_day(feed)
        decided = await _decide(feed, finding, word)
        after = await _safe_a_day(feed)
        moved = ""
        if before is not None and after is not None:
            was, now = (figures.money(each, feed.currency) for each in (before, after))
            moved = f" Safe to spend a day goes from {was} to {now}." if was != now else ""
        back = "Taken back. " if is_back else ""
        self._app.say(f"{back}{decided_said(decided, feed.currency, names)}{moved}{way_back}")


def word_on(finding: Detected) -> Word:
    """The word that holds on a finding; `auto` where none does."""
    if finding.status in ("confirmed", "same"):
        return "yes"
    return "no" if finding.status in ("dismissed", "rejected", "different") else "auto"


async def evidence_of(feed: Feed, finding: Detected) -> NewestRows:
    """The newest rows of what does not show its rows itself. Raises NotAnswered."""
    if isinstance(finding, RecurringSeries):
        query = TransactionQuery(merchant=(finding.payee_key,), pending=False, limit=OF_A_SERIES)
        return ((await feed.ask(LIST_TRANSACTIONS, query)).transactions,)
    if isinstance(finding, Duplicate) and finding.kind == "accounts":
        pages = [
            await feed.ask(
                LIST_TRANSACTIONS,
                TransactionQuery(account=(side.account_id,), limit=OF_AN_ACCOUNT),
            )
            for side in (finding.kept, finding.other)
        ]
        return tuple(each.transactions for each in pages)
    return ()


def _nothing_new(word: Word) -> str:
    return f"You have said {word} to this already."


async def _safe_a_day(feed: Feed) -> int | None:
    """What is safe to spend a day; None where there is no plan, or nobody knows what cash there is."""
    try:
        view = await feed.ask(VIEW_PLAN, Nothing())
    except NotAnswered:
        # The verdict itself tells whether anybody answers.
        return None
    known = not cash_is_unknown(view.plan.snapshot.accounts)
    return view.snapshot.allowance.daily if known else None


async def _decide(feed: Feed, finding: Detected, word: Word) -> Detected:
    match finding:
        case RecurringSeries(id=series):
            of_series: dict[Word, Literal["confirm", "dismiss", "auto"]]
            of_series = {"yes": "confirm", "no": "dismiss", "auto": "auto"}
            told = RecurringVerdict(id=series, verdict=of_series[word])
            return await feed.ask(DECIDE_RECURRING, told)
        case Transfer(id=pair):
            of_pair: dict[Word, Literal["confirm", "reject", "auto"]]
            of_pair = {"yes": "confirm", "no": "reject", "auto": "auto"}
            verdict = TransferVerdict(id=pair, verdict=of_pair[word])
            return await feed.ask(DECIDE_TRANSFER, verdict)
        case Duplicate(id=duplicate):
            of_two: dict[Word, Literal["same", "different", "auto"]]
            of_two = {"yes": "same", "no": "different", "auto": "auto"}
            said = DuplicateVerdict(id=duplicate, verdict=of_two[word])
            return await feed.ask(DECIDE_DUPLICATE, said)
