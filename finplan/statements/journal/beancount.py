"""Journals of beancount: options, opened accounts and transactions, and nothing else."""

import re
from collections.abc import Iterable, Iterator

from finplan.statements.journal.amounts import AmountReader, MalformedAmount
from finplan.statements.journal.entries import Chart, JournalEntry, Posting
from finplan.statements.journal.hledger import unquoted
from finplan.statements.journal.write_hledger import TAG
from finplan.statements.statement import UnreadableStatement
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.limits import day_number
from finplan.statements.text.lines import Block, blocks_of

_DATED = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})\s+(\S+)(?:\s+(.*))?", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|(?P<open>\\?\Z))', re.DOTALL)
"""A string, or one that is open to the end of the text, so that no later place is tried for it."""
_OPTION = re.compile(r'option\s+"(\w+)"\s+"([^"]*)"')
_INCLUDE = re.compile(r'include\s+"([^"]*)"')
_METADATA = re.compile(r"([a-z][\w-]*):(?:\s+(.*))?", re.DOTALL)
_POSTING = re.compile(
    r"(?:([*!&#?%PSTCURM])\s+)?([^\W\d_a-z][^\s:]*(?::[^\s:]+)+)(?:\s+(.*))?", re.DOTALL
)
_FLAGS = set("*!&#?%PSTCURM") | {"txn"}
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
            found = _DATED.fullmatch(block.head)
            if found is None:
                self._heed_option(block)
                continue
            *date, word, rest = found.groups()
            if word == "open":
                self._open(block, rest or "")
            elif word in _FLAGS:
                day = day_number(*map(int, date))
                if day is None:
                    raise UnreadableStatement(
                        f"Line {block.line}: “{'-'.join(date)}” is no possible date."
                    )
                yield self._entry(block, day, rest or "")

    def _heed_option(self, block: Block) -> None:
        option, include = _OPTION.match(block.head), _INCLUDE.match(block.head)
        if include is not None:
            raise UnreadableStatement(
                f"Line {block.line} includes another file ({quoted(include[1], 60)}); "
                "write the whole journal into one first, with `bean-report FILE print` or fava's export."
            )
        if option is not None and option[1] in ("name_assets", "name_liabilities"):
            self._chart.rename_root(option[1], option[2])

    def _open(self, block: Block, rest: str) -> None:
        name = rest.split(" ", 1)[0]
        self._chart.declare(name, None, _own_metadata(line for _, line in block.below))

    def _entry(self, block: Block, day: int, rest: str) -> JournalEntry:
        strings = _STRING.finditer(_bare(rest))
        texts = [unquoted(found[0]) for found in strings if found["open"] is None]
        entry = JournalEntry(block.line, day, texts[-1] if texts else "")
        if len(texts) > 1:
            entry.payee = texts[0]
        entry.tags = _own_metadata(line for _, line in block.below)
        for number, line in block.below:
            posting = _POSTING.fullmatch(_bare(line))
            if posting is not None:
                entry.postings.append(self._posting(number, posting))
        return entry

    def _posting(self, number: int, found: "re.Match[str]") -> Posting:
        try:
            return Posting(found[2], self._amounts.read(found[3] or ""))
        except MalformedAmount as error:
            raise UnreadableStatement(
                f"Line {number}: {quoted(str(error))} is no amount."
            ) from error


def _own_metadata(lines: Iterable[str]) -> dict[str, str]:
    """Read what finplan wrote below an account or a transaction."""
    tags = {}
    for line in lines:
        found = _METADATA.fullmatch(line) if line.startswith(TAG) else None
        if found is not None and found[2]:
            tags[found[1].removeprefix(TAG)] = unquoted(found[2].strip())
    return tags


def _bare(text: str) -> str:
    """Cut off a comment that stands behind."""
    if ";" not in text:
        return text.strip()
    found = re.match(r'(?:[^";]|"(?:[^"\\]|\\.)*")*', text, re.DOTALL)
    return text[: found.end() if found else 0].strip()


def _whole_strings(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Number the lines, without comments and headings, each with the rest of a string that it begins."""
    kept, first = "", 0
    for number, read in enumerate(lines, 1):
        line = f"{kept}\n{read}" if kept else read
        if not kept and line[:1] and line[0] in ";*#:!&":
            continue
        if '"' in line and _is_open(line):
            first = first or number
            kept = line
            if number - first > _MOST_LINES or len(kept) > _LONGEST_STRING:
                raise UnreadableStatement(
                    f"A quotation mark that is opened in line {first} is never closed."
                )
            continue
        yield first or number, line
        kept, first = "", 0
    if kept:
        raise UnreadableStatement(
            f"A quotation mark that is opened in line {first} is never closed."
        )


def _is_open(line: str) -> bool:
    """Say whether a string begins in a line and does not end there; a comment begins none."""
    rest = _STRING.sub(lambda found: "" if found["open"] is None else '"', line)
    quote = rest.find('"')
    comment = rest.find(";")
    return quote >= 0 and (comment < 0 or quote < comment)
