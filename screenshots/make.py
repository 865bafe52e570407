"""Record the demo household's plan, as the terminal shows it, into `screenshots/plan.svg`.

Run it as `make screenshot`: a daemon of its own in a temporary folder builds the plan.
"""

import os
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console

from finplan.cli.showing.plan import render_plan
from finplan.client.connect import connect, stop
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.operations.bank import LINK_CONNECTION
from finplan.operations.plan import VIEW_PLAN
from finplan.settings import load_settings

TARGET = Path(__file__).with_name("plan.svg")
WIDTH = 80


def record() -> str:
    """The plan as SVG."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["FINPLAN_HOME"] = home
        settings = load_settings("demo")
        try:
            client = connect(settings, lambda _sentence: None)
            client.call(LINK_CONNECTION, LinkRequest(provider="demo"))
            view = client.call(VIEW_PLAN, Nothing())
        finally:
            stop(settings)
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    console.print(render_plan(view, "USD", WIDTH))
    return console.export_svg(title="finplan plan build", unique_id="finplan")


if __name__ == "__main__":
    TARGET.write_text(record(), encoding="utf-8")
