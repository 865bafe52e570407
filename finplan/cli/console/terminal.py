"""The two consoles: answers on stdout, remarks on stderr; colours only where a person looks.

And a QR code in signs that a terminal has.
"""

import codecs
import sys
from collections.abc import Iterable, Mapping
from functools import cache

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from finplan.model.characters import BLOCKS, visible_lines

UNCUT = 1000
"""How wide a line may get where nobody looks at it."""

PAGE = 80
"""How wide sentences and pages are there."""

_PLAIN_SIGNS = str.maketrans("━╸─–—−…·≤≥✓✗▁▂▃▄▅▆▇█", "=---~-..<>+x__--==##")


class VisibleConsole(Console):
    """A console on which no text that is drawn can command the terminal, hide or be turned round."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Draw as the library does, each text as a person sees it; its own commands stay."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield segment._replace(text=visible_lines(segment.text))


def answers(environ: Mapping[str, str]) -> Console:
    """The console for answers. Off a terminal it has no colours, and lines as long as they are.

    COLUMNS says how long they may get there, as it does on a terminal.
    """
    _accept_any_text(sys.stdout)
    console = VisibleConsole(highlight=False, markup=False, emoji=False)
    if not (console.is_terminal or environ.get("COLUMNS", "").isdigit()):
        # The library draws nothing wider than its console, whatever width it is asked for.
        console.width = UNCUT
    return console


@cache
def remarks() -> Console:
    """The console for progress and questions."""
    _accept_any_text(sys.stderr)
    return VisibleConsole(stderr=True, highlight=False, markup=False, emoji=False)


def shows_blocks(console: Console, environ: Mapping[str, str]) -> bool:
    """Whether a console is a terminal that can show small columns."""
    # The console of Linux draws a square for what its font lacks, and that is most of them.
    if not console.is_terminal or environ.get("TERM") in ("linux", "dumb"):
        return False
    try:
        BLOCKS.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _accept_any_text(stream: object) -> None:
    # A terminal that knows only ASCII gets the nearest plain sign instead of an error.
    codecs.register_error("finplan-plain", _nearest)
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="finplan-plain")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end].translate(_PLAIN_SIGNS)
    return "".join(sign if sign.isascii() else "?" for sign in signs), error.end


_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_QUIET_ZONE = 2


def draw_qr(address: str) -> Text:
    """The code, dark on light whatever the colours of the terminal are."""
    # The library is loaded by those alone who see a code.
    import segno

    # The least correction gives the smallest code, and nothing stains a screen.
    code = segno.make(address, error="l", micro=False, boost_error=False)
    rows = [tuple(row) for row in code.matrix_iter(border=_QUIET_ZONE)]
    if len(rows) % 2:
        rows.append((0,) * len(rows[0]))
    lines = (
        "".join(_HALVES[pair] for pair in zip(above, below, strict=True))
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    )
    return Text("\n".join(lines), style="black on bright_white", no_wrap=True)
