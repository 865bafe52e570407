"""An address as a QR code of half blocks, for a telephone that looks at the terminal."""

from rich.text import Text

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
