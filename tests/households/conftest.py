"""A household as a person makes it: files imported on a day, questions answered, a plan, its pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from finplan.banks.base import Manual
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import MoneyDirection, RuleRequest
from finplan.model.plan import Action
from finplan.model.snapshot import PlanView, Snapshot
from finplan.model.statement import ImportAnswer, ImportReport, ImportRequest
from finplan.model.task import CategorizePayee, Task, TaskAnswer, TaskQuery
from finplan.model.user import SettingsChange
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people import change_settings, ensure_owner, show_settings
from finplan.service.planning.plans import build_plan, view_plan
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.planning.views import show_snapshot
from finplan.service.rules import set_rule
from finplan.store.store import Store
from finplan.terminal.lines import Look
from finplan.terminal.pages import draw_page
from finplan.terminal.plan import draw_plan, draw_snapshot
from finplan.views.locale import here
from finplan.views.tasks import listed
from tests.golden_files import Golden, kept_in
from tests.store_copies import copy_store

pytest.register_assert_rewrite("tests.households.known")

WIDTH = 80


@dataclass(frozen=True)
class Shown:
    """What a household is shown: the plan with the live view, and its open questions."""

    view: PlanView
    snapshot: Snapshot
    tasks: tuple[Task, ...]
    screen: str

    def action(self, kind: str) -> Action:
        """The one action of a kind."""
        (found,) = [each for each in self.view.plan.actions if each.kind == kind]
        return found


@dataclass(frozen=True)
class Home:
    """The home of one person on one day."""

    context: Context
    folder: Path

    async def imports(self, files: dict[str, str], *said: tuple[str, str, str]) -> ImportReport:
        """Import files by name, with the answers `(file, about, value)` to what they leave open."""
        uploads = []
        for place, (name, text) in enumerate(files.items()):
            path = self.folder / f"{place}.upload"
            path.write_text(text, encoding="utf-8")
            uploads.append(UploadedFile(name, path))
        names = list(files)
        answers = tuple(
            ImportAnswer(file=names.index(file), about=about, value=value)  # type: ignore[arg-type]
            for file, about, value in said
        )
        return await import_files(self.context, ImportRequest(answers=answers), tuple(uploads))

    async def tell(self, account: str, **what: object) -> None:
        """Say of an account what its files do not."""
        found = {each.name: each.id for each in await list_accounts(self.context, Nothing())}
        change = AccountChange.model_validate({"id": found[account], **what})
        await change_account(self.context, change)

    async def answer(self, payee: str, category: str, direction: MoneyDirection = "both") -> None:
        """Answer the open question about a payee."""
        asked = {
            task.payee: task.id
            for task in await list_tasks(self.context, TaskQuery())
            if isinstance(task, CategorizePayee)
        }
        told = TaskAnswer(id=asked[payee], answer=category, direction=direction)
        await answer_task(self.context, told)

    async def file(self, payee: str, category: str) -> None:
        """Make a rule for a payee that is filed already."""
        await set_rule(self.context, RuleRequest(payee_key=payee, category=category))

    async def shown(self) -> Shown:
        """Build the plan, and print it with nothing folded, the snapshot and the open questions."""
        context = self.context
        await build_plan(context, Nothing())
        view = await view_plan(context, Nothing())
        snapshot = await show_snapshot(context, Nothing())
        tasks = await list_tasks(context, TaskQuery())
        currency = (await show_settings(context, Nothing())).currency
        drawn = {
            "plan build --all": draw_plan(view, here(currency), Look(WIDTH), in_full=True),
            "snapshot": draw_snapshot(snapshot, here(currency), Look(WIDTH), view),
            "tasks": draw_page(listed(tasks, here(currency)), Look(WIDTH)),
        }
        screen = "\n".join(f"$ finplan {name}\n\n{_plain(page)}" for name, page in drawn.items())
        return Shown(view, snapshot, tasks, screen)


def _plain(drawn: RenderableType) -> str:
    console = Console(
        width=WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None,
        force_terminal=False,
    )
    with console.capture() as capture:
        console.print(drawn, crop=False)
    # An account's id is drawn anew for each home.
    text = re.sub(r"\bacc_[0-9a-z]+", "acc_1234", capture.get())
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    copy_store(empty_store, tmp_path / "finplan.db")
    opened = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    yield opened
    opened.close()


@pytest.fixture
async def at_home(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> Home:
    """The home of a person on the day that the test's module names as TODAY."""
    now = datetime.combine(request.module.TODAY, time(9, 30), UTC)
    owner = await ensure_owner(store, "ada", int(now.timestamp() * 1000))
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    context = Context(caller, store, {"manual": Manual()}, lambda: now)
    await change_settings(context, SettingsChange(time_zone="UTC"))
    return Home(context, tmp_path)


@pytest.fixture
def golden() -> Golden:
    """Compare with a kept screen."""
    return kept_in("households")
