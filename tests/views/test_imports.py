"""What imports are worded as, whichever face shows them: what files hold, brought, and what goes."""

import pytest

from finplan.daemon.surfaces.pages.drawing import draw_page
from finplan.tui.drawing import drawing_of
from finplan.views import imports
from finplan.views.page import Page
from tests.cli import made_up_bank
from tests.views.drawing import drawn, how


def pages() -> list[Page]:
    reports = (made_up_bank.import_report(dry_run=True), *made_up_bank.restoring_reports())
    return [
        *map(imports.report, reports),
        *map(imports.to_take_back, made_up_bank.imports()),
        imports.imports(made_up_bank.imports(), how()),
        imports.profiles(made_up_bank.profiles(), how()),
    ]


@pytest.mark.parametrize("width", [50, 60, 96])
def test_an_import_fits_its_room(width: int) -> None:
    """No line is longer than there is room, and no amount of a sample is cut."""
    for page in pages()[:-1]:
        content = drawing_of(page.parts)(width)
        assert [line for line in content.split("\n") if line.cell_length > width] == []
    assert "$2,310.00" in drawing_of(pages()[0].parts)(width).plain


def test_no_name_of_a_file_commands_a_terminal_or_a_page() -> None:
    """What a bank wrote is shown, and does nothing."""
    report = made_up_bank.import_report()
    file = report.files[0].model_copy(update={"file": "<b>\x1b[31m.csv"})
    page = imports.report(report.model_copy(update={"files": (file,)}))
    assert "\x1b" not in drawn(page).plain
    assert "&lt;b&gt;" in draw_page(page)
    assert "<b>" not in draw_page(page)


def test_a_browser_hears_files_and_accounts_as_headings() -> None:
    """So that one can go from one to the next."""
    page = draw_page(imports.report(made_up_bank.import_report()))
    assert (page.count("<h2"), page.count("<h3")) == (3, 3)


@pytest.mark.parametrize("has_answers", [False, True])
def test_what_brings_nothing_is_no_import(has_answers: bool) -> None:
    """It is asked about only where something else is kept, and said so after it."""
    whole, _, _, rows = made_up_bank.restoring_reports()
    assert imports.proposal(whole, has_answers=has_answers) == "Import this?"
    assert (imports.proposal(rows, has_answers=has_answers) is None) is not has_answers
    assert len(list(imports.done(rows, has_answers=has_answers))) == 1 + has_answers
