"""Reading: every uploaded file is parsed once, into a stage for the preview and the commit alike.

Who each row was paid to is found once for the rows whose descriptors say the same. The currency that
one file of an import names is offered first for those that name none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, filterfalse, repeat
from pathlib import PurePath
from time import monotonic

from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.payee import KEY_RULES, payee_of_blanked
from finplan.intake.candidates import is_long
from finplan.intake.files import ImportRun, StagedAccount, StagedFile, StagedFiles
from finplan.intake.kinds import clues_of_file, kind_in_file
from finplan.intake.questions import FileQuestion
from finplan.intake.reports import what_stays
from finplan.model.household import ExportedHome, ExportedPayee
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.restoring.accounts import covered_intervals
from finplan.statements import statement
from finplan.statements.export_household import account_of_export
from finplan.statements.text.currencies import LIKELIEST
from finplan.store.offload import ReadDoor
from finplan.store.queries.imports import is_running
from finplan.store.staging import Stage, StagedColumns

_REMEMBERED = 50_000
"""From how many remembered descriptors on all are forgotten, so that memory has a bound."""

_Descriptor = str | tuple[str, str | None]
"""A descriptor, alone or with the name that the bank gives."""


class PayeeNumbers:
    """The local numbers of the payees of rows: their places in `payees`, which new ones are added to.

    A payee is its key, its name, and the first descriptor that it was seen under.
    """

    def __init__(self, payees: list[tuple[str, str, str]]) -> None:
        self._payees = payees
        self._by_key: dict[str, int] = {}
        self._by_words: dict[_Descriptor, int] = {}
        self._known: dict[_Descriptor, int] = {}
        self.exported: Mapping[str, ExportedPayee] = {}
        """Rows that name these payees by their keys are paid to just them."""

    def of(self, rows: statement.StatementRows) -> Iterable[int]:
        """One number for each row, in their order."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
            self._by_words.clear()
        if any(rows.payees):
            both = list(zip(rows.raws, rows.payees, strict=True))
            new = [
                descriptor for descriptor in dict.fromkeys(both) if descriptor not in self._known
            ]
            self._learn(new, [raw for raw, _ in new], [name for _, name in new])
            return map(self._known.__getitem__, both)
        raws = list(filterfalse(self._known.__contains__, dict.fromkeys(rows.raws)))
        self._learn(raws, raws, None)
        return map(self._known.__getitem__, rows.raws)

    def _learn(
        self,
        descriptors: Sequence[_Descriptor],
        raws: Sequence[str],
        names: Sequence[str | None] | None,
    ) -> None:
        """Find the payees of descriptors; of those that differ in numbers only one is looked at."""
        blanked = list(map(without_long_numbers, raws))
        keys: Sequence[_Descriptor] = list(zip(blanked, names, strict=True)) if names else blanked
        for key, text, name, raw in zip(keys, blanked, names or repeat(None), raws, strict=False):
            if key not in self._by_words:
                self._by_words[key] = self._find(text, name, raw)
        self._known.update(zip(descriptors, map(self._by_words.__getitem__, keys), strict=True))

    def _find(self, blanked: str, name: str | None, raw: str) -> int:
        exported = self.exported.get(name) if name is not None else None
        if exported is not None:
            return self._number(exported.key, exported.name, exported.raw)
        payee = payee_of_blanked(blanked, name)
        return self._number(payee.key, payee.name, raw)

    def _number(self, key: str, name: str, raw: str) -> int:
        number = self._by_key.get(key)
        if number is None:
            number = self._by_key[key] = len(self._by_key)
            self._payees.append((key, name, raw))
        return number


def with_named_currencies(staged: StagedFiles) -> list[FileQuestion]:
    """Let questions on the currency of a file begin with what the other files of the import name."""
    by_currency: dict[str, str] = {}
    for file in staged.files:
        for local in file.accounts:
            account = staged.accounts[local].account
            if not account.currency_is_assumed and account.currency:
                by_currency.setdefault(account.currency, file.name)
    return [
        question._replace(question=_naming_first(question.question, by_currency))
        if question.question.about == "currency"
        else question
        for question in staged.questions
    ]


def _naming_first(question: statement.Question, by_currency: dict[str, str]) -> statement.Question:
    labels = {choice.value: choice.label for choice in question.choices}
    # A sign beside the amounts leaves some currencies alone, and no other file adds to them.
    first = [
        statement.Choice(code, f"{labels.get(code, code)}, as in {file}")
        for code, file in by_currency.items()
        if code in labels or labels.keys() == LIKELIEST.keys()
    ]
    others = [choice for choice in question.choices if choice.value not in by_currency]
    return replace(question, choices=(*first, *others)) if first else question


CANCEL_PAUSE = 0.2
"""How often an import that is read looks whether it was cancelled, in seconds."""

LARGE_FILES = 100_000
"""How many bytes of files are worth a process of their own, which must perhaps be started."""


MOST_OF_ONE_DAY_AND_AMOUNT = 2000
"""How many rows of one account may have the same day and amount: each is compared with all others."""


class Cancelled(Exception):
    """The person cancelled the import while its files were read."""


def stage_files(reader: ReadDoor, run: ImportRun, hints: Sequence[statement.Hints]) -> StagedFiles:
    """The computation that reads the files of an import into its new stage, ready to be attached.

    Raises Cancelled soon after the person cancelled the import; a preview cannot be.
    """
    stage = Stage(run.stage)
    try:
        files = _FileStager(reader, run, stage)
        for uploaded, request, hint in zip(run.files, run.said, hints, strict=True):
            files.read(uploaded, request, hint)
        files.staged.questions = with_named_currencies(files.staged)
        if not files.staged.failed:
            stage.finish()
            _refuse_crowd(stage, files.staged)
        return files.staged
    finally:
        stage.close()


def _refuse_crowd(stage: Stage, staged: StagedFiles) -> None:
    """Note the file that has too many rows of one account, day and amount to tell them apart."""
    crowd = stage.crowded_file(MOST_OF_ONE_DAY_AND_AMOUNT)
    if crowd is not None:
        index, count = crowd
        staged.files[index].error = (
            f"This is not a bank statement: {count:,} transactions have the same amount and day."
            " Download the statement from your bank again."
        )


class _FileStager:
    """Stages one file after the other; accounts and payees that several share have one local number."""

    def __init__(self, reader: ReadDoor, run: ImportRun, stage: Stage) -> None:
        self.staged = StagedFiles()
        self._reader = reader
        self._run = run
        self._stage = stage
        self._said = run.request
        self._looked_at = -CANCEL_PAUSE
        self._accounts: dict[tuple[str, str], dict[str | None, int]] = {}
        self._institutions: dict[str, dict[str | None, str]] = {}
        self._payees = PayeeNumbers(self.staged.payees)

    def read(self, uploaded: UploadedFile, request: ImportRequest, hints: statement.Hints) -> None:
        """Read the next file; why it cannot be read is noted and stops no other one."""
        file = StagedFile(uploaded.name)
        self.staged.files.append(file)
        self._said = request
        # The readers are loaded where a file is read, which for a large one is in a worker.
        from finplan.statements.detect import read_as_likely

        source = statement.SourceFile.of(uploaded.path, uploaded.name)
        try:
            parsed, questions = read_as_likely(source, hints)
            self._ask(questions)
            if parsed is None:
                return
            file.format, file.encoding = parsed.format, parsed.encoding
            file.header, file.used = parsed.header, parsed.used
            file.notes += parsed.notes
            if parsed.home is not None:
                self._take_home(file, parsed.home)
            for part in parsed.parts:
                self._heed_cancellation()
                self._take(file, part)
            file.unshown = [(self._local_number(row.account, file), row) for row in parsed.unshown]
        except statement.AmbiguousStatement as ambiguous:
            self._ask(ambiguous.questions)
        except statement.UnreadableStatement as error:
            # What cannot be read in the likely way may be read in another one.
            is_asked = any(
                question.file == len(self.staged.files) - 1 for question in self.staged.questions
            )
            file.error = None if is_asked else str(error)

    def _ask(self, questions: Sequence[statement.Question]) -> None:
        index = len(self.staged.files) - 1
        self.staged.questions += [FileQuestion(index, question) for question in questions]

    def _take_home(self, file: StagedFile, home: ExportedHome) -> None:
        """Stage the accounts of a household that is restored; else say that it stays in the file."""
        if self._run.restores:
            self.staged.home = home
            index = len(self.staged.files) - 1
            for local, account in enumerate(home.accounts):
                self._take(file, statement.StatementPart(account_of_export(account)))
                self.staged.accounts[local].in_files[index].state(covered_intervals(account))
        else:
            file.notes.append(what_stays(home, into_new_home=self._run.into_new_home))
        if self._run.restores or home.household.key_rules == KEY_RULES:
            self._payees.exported = {payee.key: payee for payee in home.payees}
            self.staged.exported |= {payee.key: payee.name for payee in home.payees}

    def _heed_cancellation(self) -> None:
        number = self._run.number
        if number and monotonic() - self._looked_at >= CANCEL_PAUSE:
            self._looked_at = monotonic()
            if not self._reader.read(partial(is_running, no=number)):
                raise Cancelled

    def _take(self, file: StagedFile, part: statement.StatementPart) -> None:
        """Stage the rows of a part, and note what else it says of its account and its file."""
        index = len(self.staged.files) - 1
        local = self._local_number(part.account, file)
        account = self.staged.accounts[local]
        if local not in file.accounts:
            file.accounts.append(local)
            account.file_names.append(file.name)
            clues = clues_of_file(part.account, file.name, file.format)
            account.kind_clues |= dict.fromkeys(clues)
        account.sources.add(file.source)
        if file.header is not None:
            account.headers.add(file.header.signature)
        account.include(index, part)
        account.kind, account.subtype = kind_in_file(account)
        file.notes += part.notes
        if part.rows:
            file.pending += sum(part.rows.pending)
            origins = part.rows.origins if self.staged.home is not None else ()
            self._stage.add(index, local, self._staged(part.rows), origins)

    def _staged(self, rows: statement.StatementRows) -> StagedColumns:
        optional = {
            "pending": rows.pending,
            "external_id": rows.external_ids,
            "code": rows.codes,
            "aside": rows.asides,
        }
        return {
            "day": rows.days,
            "amount": rows.amounts,
            "raw": rows.raws,
            "payee": list(self._payees.of(rows)),
            **{name: column for name, column in optional.items() if any(column)},
        }

    def _local_number(self, account: statement.StatementAccount, file: StagedFile) -> int:
        """The local number of an account, by which all the files of the import know it."""
        # Some credit unions give a person's checking and savings one number, and some formats know
        # the number alone: those mean the first account of that number.
        key = self._identity(account, file), account.currency
        same_number = self._accounts.setdefault(key, {})
        if account.subtype in same_number:
            return same_number[account.subtype]
        if same_number and (account.subtype is None or None in same_number):
            return next(iter(same_number.values()))
        local = same_number[account.subtype] = len(self.staged.accounts)
        stated = self._said.currency or file.used.currency
        assumed = account.currency_is_assumed and stated is None
        is_unnamed = _is_called_like(account, file.name)
        if is_unnamed and self._said.account is None:
            account = self._named_apart(account)
        staged = StagedAccount(account, "depository", None, assumed, is_unnamed)
        self.staged.accounts.append(staged)
        return local

    def _named_apart(self, account: statement.StatementAccount) -> statement.StatementAccount:
        """An account that is called like its file, by a name that no other file of the import has."""
        if sum(_is_called_like(account, file.name) for file in self.staged.files) < 2:
            return account
        taken = {_letters(staged.account.name) for staged in self.staged.accounts}
        taken |= {_letters(PurePath(file.name).stem) for file in self._run.files}
        names = (f"{account.name} {number}" for number in count(2))
        return replace(account, name=next(name for name in names if _letters(name) not in taken))

    def _identity(self, account: statement.StatementAccount, file: StagedFile) -> str:
        """What two files mean one account by, but for its currency and subtype."""
        # Files that name no account are one account when the person names it, else one each.
        identity = self._said.account or f"name:{account.name.casefold()}"
        if self._said.account is None and _is_called_like(account, file.name):
            identity = f"file:{len(self.staged.files)}"
        if account.number is not None:
            identity = self._number_at(account.number, account.institution)
        # An export names each account by an id that no other one has.
        return f"account:{account.id}" if account.id is not None else identity

    def _number_at(self, number: str, institution: str | None) -> str:
        """The name of a numbered account; a short number at another institution is another account."""
        numbers = self._institutions.setdefault(number, {})
        if institution not in numbers:
            fits = is_long(number) or institution is None or set(numbers) <= {None}
            numbers[institution] = number if fits else f"{number} at {institution}"
        return numbers[institution]


def _is_called_like(account: statement.StatementAccount, file_name: str) -> bool:
    """Say whether an account has only the name of its file, without its ending."""
    return _letters(account.name) == _letters(PurePath(file_name).stem)


def _letters(name: str) -> str:
    """A name in small letters, without blanks and what cannot be printed."""
    return "".join(
        letter for letter in name if letter.isprintable() and not letter.isspace()
    ).casefold()
