"""Pages in the cells of a terminal, for the command line and the full screen; nothing is worded here.

Pieces of text have tones for styles, until the face that shows them paints each tone its own way.
"""

from typing import TYPE_CHECKING

from finplan.lazy import modules_of

if TYPE_CHECKING:
    from finplan.terminal import (
        charts as charts,
        lines as lines,
        live as live,
        months as months,
        pages as pages,
        plan as plan,
        tables as tables,
    )

__getattr__ = modules_of(__name__)
