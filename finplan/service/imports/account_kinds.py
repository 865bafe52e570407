"""What kind of account a file is of: what the person or it says, else what its evidence adds up to."""

from pathlib import PurePath

from finplan.model.account import AccountKind, KindWord, kind_and_subtype
from finplan.service.imports.staged_files import StagedAccount
from finplan.statements.kinds import (
    DEPOSITORY,
    LIKELY,
    SURE,
    KindFinding,
    clues_of_names,
    conclude,
    kind_named,
)
from finplan.statements.statement import KindClue, StatementAccount

_TABLE = "CSV"
_JOURNALS = ("hledger", "beancount", "finplan")


def clues_of_file(account: StatementAccount, file_name: str, format_: str | None) -> list[KindClue]:
    """What the names of a file and of its account say, and its format."""
    clues = list(clues_of_names((account.name, PurePath(file_name).stem)))
    if format_ != _TABLE:
        is_declared = (format_ or "").casefold().startswith(_JOURNALS)
        points = SURE if is_declared else LIKELY
        clues.append(KindClue(DEPOSITORY, points, "banks send such files of their accounts"))
    return clues


def finding_of(staged: StagedAccount) -> KindFinding:
    """What everything that the files say of an account adds up to."""
    return conclude(staged.kind_clues)


def kind_said(staged: StagedAccount, word: KindWord) -> tuple[AccountKind, str | None]:
    """The kind and subtype where the person says the kind; a closer subtype of the file stays."""
    kind, subtype = kind_and_subtype(word)
    account = staged.account
    if account.kind == kind and word not in DEPOSITORY:
        subtype = account.subtype or subtype
    if word == "depository" and subtype is None:
        subtype = "savings" if kind_named((account.name, *staged.file_names)) == "savings" else None
    return kind, subtype


def kind_in_file(staged: StagedAccount) -> tuple[AccountKind, str | None]:
    """The kind and subtype that a file says, or that are likeliest where it does not."""
    account = staged.account
    if account.kind is not None:
        own = kind_and_subtype("credit")[1] if account.kind == "credit" else None
        return account.kind, account.subtype or own
    return kind_and_subtype(finding_of(staged).likeliest[0])
