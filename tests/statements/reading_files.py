"""How tests write statement files, damage them, and look at what was read of them.

QIF, MT940 and CAMT files are written by hand.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from xml.sax.saxutils import escape

from hypothesis import strategies as st

from finplan.model.money import to_text
from finplan.statements import statement
from finplan.statements.detect import read
from finplan.statements.text.descriptors import fold


@dataclass(frozen=True)
class Statement:
    """Everything that a file says."""

    format: str
    encoding: str
    parts: tuple[statement.StatementPart, ...]

    @property
    def rows(self) -> list[statement.StatementRow]:
        return [row for part in self.parts for row in part.rows]

    @property
    def money(self) -> list[tuple[int, int]]:
        return [(row.day, row.amount) for row in self.rows]

    @property
    def amounts(self) -> list[int]:
        return [row.amount for row in self.rows]

    @property
    def days(self) -> list[int]:
        return [row.day for row in self.rows]

    @property
    def raws(self) -> list[str]:
        return [row.raw for row in self.rows]

    @property
    def accounts(self) -> list[statement.StatementAccount]:
        return list(dict.fromkeys(part.account for part in self.parts))

    @property
    def balances(self) -> dict[str, tuple[int | None, int | None]]:
        """The balance and its day of each account, by its name."""
        return {
            part.account.name: (part.balance, part.balance_day)
            for part in self.parts
            if part.balance is not None
        }

    @property
    def left_out(self) -> dict[str, dict[str, int]]:
        """How many rows are left out for which reason, by the name of the account."""
        found: dict[str, Counter[str]] = {}
        for part in self.parts:
            if part.left_out:
                found.setdefault(part.account.name, Counter()).update(part.left_out)
        return {name: dict(counts) for name, counts in found.items()}

    @property
    def fits(self) -> list[bool | None]:
        """Of each balance that is stated, whether it follows from the rows."""
        return [part.balance_fits for part in self.parts if part.balance is not None]

    def rows_of(self, name: str) -> list[statement.StatementRow]:
        return [row for part in self.parts if part.account.name == name for row in part.rows]


ReadFile = Callable[..., Statement]
BytesRead = Callable[[], int]

SOON = 5 << 20
"""How many bytes of a file a reader may look at until it sees that something in it never ends."""


def read_path(path: Path, hints: statement.Hints | None = None) -> Statement:
    """Read a file to its end, in a household of dollars unless hints say another."""
    reading = read(statement.SourceFile.of(path), hints or statement.Hints(household="USD"))
    return Statement(reading.format, reading.encoding, tuple(reading.parts))


def read_content(
    path: Path, content: str | bytes, hints: statement.Hints | None = None, encoding: str = "utf-8"
) -> Statement:
    """Write a file and read it to its end."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return read_path(path, hints)


Row = tuple[date, int, str]
"""Day, amount in minor units and descriptor."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäöüéñßŁ0123456789 &.,;#*'\"()<>="
"""What descriptors of generated files are made of; + / : ? have a meaning of their own in MT940."""

rows = st.lists(
    st.tuples(
        st.dates(date(1971, 1, 1), date(2068, 12, 31)),
        st.integers(-(10**13), 10**13) | st.integers(-10_000, 10_000),
        st.text(LETTERS, min_size=1, max_size=70).map(fold).filter(lambda text: text[:1].isalpha()),
    ),
    min_size=1,
    max_size=12,
)


def qif(
    written: Iterable[Row],
    print_day: Callable[[date], str] = "{:%m/%d/%Y}".format,
    print_amount: Callable[[int], str] = lambda amount: to_text(amount, "USD"),
    ending: str = "\n",
) -> str:
    """Write rows under !Type:Bank."""
    records = [
        f"D{print_day(day)}\nT{print_amount(amount)}\nP{text}\n^\n" for day, amount, text in written
    ]
    return ("!Type:Bank\n" + "".join(records)).replace("\n", ending)


def mt940(written: Iterable[Row], ending: str = "\r\n") -> str:
    """Write rows as one statement of an account in euros."""
    lines = [":20:STARTUMS", ":25:10020030/1234567", ":28C:1/1", ":60F:C260101EUR0,00"]
    for place, (day, amount, text) in enumerate(written):
        money = to_text(abs(amount), "EUR").replace(".", ",")
        mark = "DR" if amount < 0 else "CR"
        lines.append(f":61:{day:%y%m%d%m%d}{mark}{money}NTRFNONREF//REF{place:09d}")
        pieces = [text[start : start + 27] for start in range(0, len(text), 27)]
        lines.append(":86:177" + "".join(f"?{20 + n}{piece}" for n, piece in enumerate(pieces)))
    return ending.join([*lines, ":62F:C260131EUR0,00", "-", ""])


def camt(written: Iterable[Row], version: int = 2, prefix: str = "") -> str:
    """Write rows as one CAMT.053 statement of an account in euros."""
    status = "BOOK" if version < 8 else "<Cd>BOOK</Cd>"
    body = "".join(
        f'<Ntry><Amt Ccy="EUR">{to_text(abs(amount), "EUR")}</Amt>'
        f"<CdtDbtInd>{'DBIT' if amount < 0 else 'CRDT'}</CdtDbtInd><Sts>{status}</Sts>"
        f"<BookgDt><Dt>{day}</Dt></BookgDt><AcctSvcrRef>REF{place:09d}</AcctSvcrRef>"
        f"<NtryDtls><TxDtls><RmtInf><Ustrd>{escape(text)}</Ustrd></RmtInf></TxDtls></NtryDtls>"
        "</Ntry>\n"
        for place, (day, amount, text) in enumerate(written)
    )
    xml = (
        "<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>"
        f"<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id></Acct>{body}</Stmt></BkToCstmrStmt>"
    )
    if prefix:
        xml = xml.replace("</", f"</{prefix}:").replace("<", f"<{prefix}:")
        xml = xml.replace(f"<{prefix}:/", "</")
    own = f"{prefix}:" if prefix else ""
    space = f"xmlns{':' + prefix if prefix else ''}"
    name = f"urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version:02d}"
    return f'<?xml version="1.0"?>\n<{own}Document {space}="{name}">{xml}</{own}Document>\n'


@dataclass(frozen=True)
class Damage:
    """An edit: what stands between two places, given as shares of the file, becomes another text."""

    start: float
    length: int
    instead: str

    def done_to(self, content: str) -> str:
        start = int(self.start * len(content))
        return content[:start] + self.instead + content[start + self.length :]


def damages(pieces: list[str]) -> st.SearchStrategy[list[Damage]]:
    """Edits that insert pieces with a meaning in the format, repeat them and cut."""
    return st.lists(
        st.builds(
            Damage,
            st.floats(0, 1),
            st.sampled_from([0, 0, 1, 2, 30, 10_000]),
            st.sampled_from(["", "\n", "\r", "\0", "\x1f", "é", "9" * 30, "<", "&", *pieces])
            | st.text(max_size=3),
        ),
        min_size=1,
        max_size=4,
    )


def read_or_refuse(path: Path, content: str, hints: statement.Hints | None = None) -> str:
    """Read a file to its end; answers the sentence of its refusal, which has one line, or ""."""
    path.write_text(content, encoding="utf-8", errors="replace", newline="")
    sentence = ""
    try:
        for part in read(
            statement.SourceFile.of(path), hints or statement.Hints(household="USD")
        ).parts:
            assert all(19000101 <= row.day <= 21991231 for row in part.rows)
            assert all(abs(row.amount) <= 10**13 for row in part.rows)
    except (statement.UnreadableStatement, statement.AmbiguousStatement) as refusal:
        sentence = str(refusal)
    assert sentence.endswith((".", "?", "”")) or not sentence
    assert "\n" not in sentence
    return sentence
