"""The texts of journals: of hledger and ledger, and of beancount.

Of hledger and ledger the directives and entries are read as far as people export them, of beancount
options, opened accounts and transactions, and nothing else.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from finplan.statements.journal.entries import (
    AmountReader,
    Chart,
    JournalEntry,
    MalformedAmount,
    Posting,
)
from finplan.statements.journal.writer import HLEDGER_TAG
from finplan.statements.statement import UnreadableStatement
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import Block, blocks_of
from finplan.statements.text.printed import day_number

_DATE = r"(?:(?P<year>\d{4})[-/.])?(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
_HLEDGER_ENTRY_HEAD = re.compile(
    rf"{_DATE}(?:=[\d./-]+)?(?:\s+(?P<status>[*!]))?(?:\s*\((?P<code>[^)]*)\))?(?:\s+(?P<text>.*)|$)"
)
_BRACKETED = re.compile(rf"\[{_DATE}(?:=[\d./-]+)?\]")
_DATE_TAG = re.compile(rf"(?<![\w-])date:\s*{_DATE}")
_TYPE_TAG = re.compile(r"(?<![\w-])type:\s*(\w+)")
_TAG_LINE = re.compile(rf"{HLEDGER_TAG}(?P<name>\w+): (?P<value>\".*\")")
_AFTER_ACCOUNT = re.compile(r"\t| {2}")
_JSON = json.JSONDecoder(strict=False)
_COMMENT_SIGNS = ";#%|*"
_SKIPPED_UNTIL = {"comment": "end comment", "test": "end test", "python": ""}


class HledgerParser:
    """Goes through a journal once, giving its entries and telling the chart and the amounts."""

    def __init__(self, chart: Chart, amounts: AmountReader) -> None:
        self._chart = chart
        self._amounts = amounts
        self._year: int | None = None
        self._prefixes: list[str] = []
        self._aliases: dict[str, str] = {}
        self._bucket: str | None = None

    def entries(self, lines: Iterable[str]) -> Iterator[JournalEntry]:
        """Give the entries in the order of the file. Raises UnreadableStatement."""
        for block in blocks_of(_without_comments(lines)):
            if block.head[0].isdigit():
                yield self._entry(block)
            else:
                self._heed(block)

    def _heed(self, block: Block) -> None:
        """Heed a directive; those that say nothing about rows are passed over."""
        keyword, _, text = block.head.lstrip("!@").partition(" ")
        text = text.strip()
        directive = _HLEDGER_DIRECTIVES.get(keyword)
        if directive is not None:
            directive(self, block, text)
        elif re.fullmatch(r"Y\d{4}.*", keyword):
            self.set_year(block, keyword[1:])

    def set_year(self, block: Block, text: str) -> None:
        """Heed the year of the dates that have none."""
        year = text[:4]
        if not (year.isascii() and year.isdigit() and len(year) == 4):
            raise UnreadableStatement(f"Line {block.line}: {quoted(text)} is not a year.")
        self._year = int(year)

    def include(self, block: Block, text: str) -> None:
        """Refuse a journal that goes on in another file, which is not here."""
        raise UnreadableStatement(
            f"Line {block.line} includes another file ({quoted(text, 60)})."
            " Write the journal into one file first: `hledger print > all.journal`."
        )

    def default_commodity(self, _block: Block, text: str) -> None:
        """Heed the commodity of amounts that have none."""
        self._chart.default_commodity = self._amounts.declare(_bare_account(text)) or ""

    def commodity(self, block: Block, text: str) -> None:
        """Learn a commodity's decimal sign from its format."""
        self._amounts.declare(_bare_account(text))
        for _, line in block.below:
            if line.startswith("format "):
                self._amounts.declare(_bare_account(line.removeprefix("format ")))

    def decimal_mark(self, _block: Block, text: str) -> None:
        """Learn the decimal sign of the journal."""
        self._amounts.declare_sign(text[:1])

    def account(self, block: Block, text: str) -> None:
        """Heed the type of an account, and what finplan wrote below it."""
        name = _AFTER_ACCOUNT.split(_bare_account(text))[0].strip()
        comments = [text.partition(";")[2], *(line for _, line in block.below)]
        kind = next((match[1] for match in map(_TYPE_TAG.search, comments) if match), None)
        self._chart.declare(self._full(name), kind, _tags_in(line for _, line in block.below))

    def apply(self, _block: Block, text: str) -> None:
        """Begin a part whose accounts stand below another, or whose year is given."""
        what, _, value = text.partition(" ")
        if what == "account":
            self._prefixes.append(value.strip())
        elif what == "year":
            self.set_year(_block, value.strip())

    def end(self, _block: Block, text: str) -> None:
        """End such a part."""
        if text == "aliases":
            self._aliases.clear()
        elif self._prefixes and text in ("", "account", "apply account"):
            self._prefixes.pop()

    def alias(self, block: Block, text: str) -> None:
        """Heed another name of an account."""
        if text.startswith("/"):
            raise UnreadableStatement(
                f"Line {block.line} renames accounts by a pattern."
                " Write the journal with the new names first: `hledger print > all.journal`."
            )
        old, _, new = _bare_account(text).partition("=")
        self._aliases[old.strip()] = new.strip()

    def set_bucket(self, _block: Block, text: str) -> None:
        """Heed the account that balances what does not balance."""
        self._bucket = _bare_account(text)

    def _entry(self, block: Block) -> JournalEntry:
        match = _HLEDGER_ENTRY_HEAD.fullmatch(block.head)
        day = self._day(match) if match else None
        if match is None or day is None:
            raise UnreadableStatement(f"Line {block.line}: {quoted(block.head)} needs a date.")
        comment, entry = self._described(block.line, day, match)
        notes = [comment]
        is_last_commented = False
        for number, line in block.below:
            if line[0] in _COMMENT_SIGNS and not (line[0] == "*" and line[1:2] == " "):
                notes.append(line)
                if is_last_commented:
                    self._redate(entry.postings[-1], line, entry.day)
                continue
            posting = self._posting(number, line, entry.day)
            is_last_commented = posting is not None
            if posting is not None:
                entry.postings.append(posting)
        entry.tags = _tags_in(notes)
        if self._bucket and all(posting.amount is not None for posting in entry.postings):
            entry.postings.append(Posting(self._bucket, None))
        return entry

    def _described(self, line: int, day: int, match: "re.Match[str]") -> tuple[str, JournalEntry]:
        text, _, comment = (match["text"] or "").partition(";")
        payee, bar, note = text.partition("|")
        entry = JournalEntry(line, day, text.strip(), pending=match["status"] == "!")
        if bar:
            entry.payee, entry.text = payee.strip(), note.strip()
        return comment, entry

    def _posting(self, number: int, line: str, day: int) -> Posting | None:
        """Read a posting, None for a virtual one, which moves no money."""
        is_pending = line[:1] == "!"
        if line[:1] in "*!":
            line = line[1:].lstrip()
        name, *parts = _AFTER_ACCOUNT.split(line, maxsplit=1)
        if ";" in name:
            name, parts = name.partition(";")[0], [";" + name.partition(";")[2]]
        name = name.strip()
        if name[:1] in ("(", "["):
            return None
        amount, _, comment = _split_comment(parts[0] if parts else "")
        try:
            posting = Posting(self._full(name), self._amounts.read(amount), is_pending)
        except MalformedAmount as error:
            raise UnreadableStatement(
                f"Line {number}: {quoted(str(error))} is not an amount."
            ) from error
        self._redate(posting, comment, day)
        return posting

    def _redate(self, posting: Posting, comment: str, day: int) -> None:
        """Heed a posting's own date in its comment."""
        match = _BRACKETED.search(comment) or _DATE_TAG.search(comment)
        if match is not None:
            posting.day = self._day(match, day // 10000) or posting.day

    def _day(self, match: "re.Match[str]", year: int | None = None) -> int | None:
        printed = match["year"]
        year = int(printed) if printed else year or self._year
        if year is None:
            return None
        return day_number(year, int(match["month"]), int(match["day"]))

    def _full(self, name: str) -> str:
        for old, new in self._aliases.items():
            if name == old or name.startswith(f"{old}:"):
                name = new + name[len(old) :]
        return ":".join((*self._prefixes, name))


_HLEDGER_DIRECTIVES: "Mapping[str, Callable[[HledgerParser, Block, str], None]]" = {
    "Y": HledgerParser.set_year,
    "year": HledgerParser.set_year,
    "include": HledgerParser.include,
    "D": HledgerParser.default_commodity,
    "commodity": HledgerParser.commodity,
    "decimal-mark": HledgerParser.decimal_mark,
    "account": HledgerParser.account,
    "apply": HledgerParser.apply,
    "end": HledgerParser.end,
    "alias": HledgerParser.alias,
    "A": HledgerParser.set_bucket,
    "bucket": HledgerParser.set_bucket,
}
"""The directives that say something about rows."""


def _without_comments(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Number the lines, leaving out comments and blocks of them."""
    until: str | None = None
    for number, line in enumerate(lines, 1):
        if until is not None:
            if line.strip() == until:
                until = None
            continue
        keyword = line.split(" ", 1)[0].strip()
        if keyword in _SKIPPED_UNTIL:
            until = _SKIPPED_UNTIL[keyword]
        elif line[:1] and line[0] in _COMMENT_SIGNS:
            continue
        elif line[:2] in ("~ ", "= ") or line[:1] in ("~", "="):
            until = ""
        else:
            yield number, line


def _bare_account(text: str) -> str:
    return text.partition(";")[0].strip()


def _split_comment(text: str) -> tuple[str, str, str]:
    if '"' not in text:
        return text.partition(";")
    quoted = re.match(r'(?:[^";]|"[^"]*")*', text)
    end = quoted.end() if quoted else 0
    return text[:end], ";", text[end + 1 :]


def _tags_in(notes: Iterable[str]) -> dict[str, str]:
    """Read what finplan wrote into comments."""
    tags = {}
    for note in notes:
        match = _TAG_LINE.search(note) if HLEDGER_TAG in note else None
        if match is not None:
            tags[match["name"]] = unquoted(match["value"])
    return tags


def unquoted(text: str) -> str:
    """Read a text that is quoted as in JSON; beancount's other escapes stand for themselves."""
    try:
        read = _JSON.decode(text)
    except ValueError:
        read = re.sub(r"\\(.)", r"\1", text[1:-1])
    return str(read)


_BEANCOUNT_DATED = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})\s+(\S+)(?:\s+(.*))?", re.DOTALL)
_BEANCOUNT_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|(?P<open>\\?\Z))', re.DOTALL)
"""A string, or one that is open to the end of the text, so that no later place is tried for it."""
_BEANCOUNT_OPTION = re.compile(r'option\s+"(\w+)"\s+"([^"]*)"')
_BEANCOUNT_INCLUDE = re.compile(r'include\s+"([^"]*)"')
_BEANCOUNT_METADATA = re.compile(r"([a-z][\w-]*):(?:\s+(.*))?", re.DOTALL)
_BEANCOUNT_POSTING = re.compile(
    r"(?:([*!&#?%PSTCURM])\s+)?([^\W\d_a-z][^\s:]*(?::[^\s:]+)+)(?:\s+(.*))?", re.DOTALL
)
_BEANCOUNT_FLAGS = set("*!&#?%PSTCURM") | {"txn"}
_MOST_LINES = 200
_LONGEST_STRING = 1 << 16
"""How long a string may be that goes on over several lines."""


class BeancountParser:
    """Goes through a journal once, giving its entries and telling the chart of accounts.

    A transaction flagged “!” wants to be looked at, and has happened all the same.
    """

    def __init__(self, chart: Chart, amounts: AmountReader) -> None:
        self._chart = chart
        self._amounts = amounts

    def entries(self, lines: Iterable[str]) -> Iterator[JournalEntry]:
        """Give the transactions in the order of the file. Raises UnreadableStatement."""
        for block in blocks_of(_whole_strings(lines)):
            match = _BEANCOUNT_DATED.fullmatch(block.head)
            if match is None:
                self._heed_option(block)
                continue
            *date, keyword, text = match.groups()
            if keyword == "open":
                self._open(block, text or "")
            elif keyword in _BEANCOUNT_FLAGS:
                day = day_number(*map(int, date))
                if day is None:
                    raise UnreadableStatement(
                        f"Line {block.line}: “{'-'.join(date)}” is not a possible date."
                    )
                yield self._entry(block, day, text or "")

    def _heed_option(self, block: Block) -> None:
        option, include = _BEANCOUNT_OPTION.match(block.head), _BEANCOUNT_INCLUDE.match(block.head)
        if include is not None:
            raise UnreadableStatement(
                f"Line {block.line} includes another file ({quoted(include[1], 60)})."
                " Write the journal into one file first: `bean-report FILE print`, or export from fava."
            )
        if option is not None and option[1] in ("name_assets", "name_liabilities"):
            self._chart.rename_root(option[1], option[2])

    def _open(self, block: Block, text: str) -> None:
        name = text.split(" ", 1)[0]
        self._chart.declare(name, None, _own_metadata(line for _, line in block.below))

    def _entry(self, block: Block, day: int, text: str) -> JournalEntry:
        strings = _BEANCOUNT_STRING.finditer(_bare_comment(text))
        texts = [unquoted(string[0]) for string in strings if string["open"] is None]
        entry = JournalEntry(block.line, day, texts[-1] if texts else "")
        if len(texts) > 1:
            entry.payee = texts[0]
        entry.tags = _own_metadata(line for _, line in block.below)
        for number, line in block.below:
            posting = _BEANCOUNT_POSTING.fullmatch(_bare_comment(line))
            if posting is not None:
                entry.postings.append(self._posting(number, posting))
        return entry

    def _posting(self, number: int, match: "re.Match[str]") -> Posting:
        try:
            return Posting(match[2], self._amounts.read(match[3] or ""))
        except MalformedAmount as error:
            raise UnreadableStatement(
                f"Line {number}: {quoted(str(error))} is not an amount."
            ) from error


def _own_metadata(lines: Iterable[str]) -> dict[str, str]:
    """Read what finplan wrote below an account or a transaction."""
    tags = {}
    for line in lines:
        match = _BEANCOUNT_METADATA.fullmatch(line) if line.startswith(HLEDGER_TAG) else None
        if match is not None and match[2]:
            tags[match[1].removeprefix(HLEDGER_TAG)] = unquoted(match[2].strip())
    return tags


def _bare_comment(text: str) -> str:
    """Cut off a comment that stands behind."""
    if ";" not in text:
        return text.strip()
    match = re.match(r'(?:[^";]|"(?:[^"\\]|\\.)*")*', text, re.DOTALL)
    return text[: match.end() if match else 0].strip()


def _whole_strings(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Number the lines, without comments and headings, each with the rest of a string that it begins."""
    buffer, first = "", 0
    for number, read in enumerate(lines, 1):
        line = f"{buffer}\n{read}" if buffer else read
        if not buffer and line[:1] and line[0] in ";*#:!&":
            continue
        if '"' in line and _is_open(line):
            first = first or number
            buffer = line
            if number - first > _MOST_LINES or len(buffer) > _LONGEST_STRING:
                raise UnreadableStatement(
                    f"A quotation mark in line {first} is never closed. Add the closing quotation"
                    " mark."
                )
            continue
        yield first or number, line
        buffer, first = "", 0
    if buffer:
        raise UnreadableStatement(
            f"A quotation mark in line {first} is never closed. Add the closing quotation mark."
        )


def _is_open(line: str) -> bool:
    """Say whether a string begins in a line and does not end there; a comment begins none."""
    bare = _BEANCOUNT_STRING.sub(lambda match: "" if match["open"] is None else '"', line)
    quote = bare.find('"')
    comment = bare.find(";")
    return quote >= 0 and (comment < 0 or quote < comment)
