"""What a command works with: the person's choices, the daemon, and the two ways out.

Answers go to stdout: as they are with --json, else drawn. Everything else goes to stderr.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import typer

from finplan import operations, terminal, views
from finplan.cli.console import errors
from finplan.cli.console.options import GlobalOptions, global_options
from finplan.cli.console.output import Pager, pager_of, writing
from finplan.model.characters import visible_lines
from finplan.model.installation import for_profile
from finplan.settings import SettingFault, Settings, load_settings, read_settings

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from finplan.client.client import Client
    from finplan.operation import Answers, Asks, Operation


@dataclass
class Session:
    """One run of one command."""

    options: GlobalOptions
    settings: Settings
    faults: tuple[SettingFault, ...] = ()
    _pager: "Pager | None" = field(default=None, init=False)
    _held: list[str] = field(default_factory=list, init=False)

    @classmethod
    def of(cls, context: typer.Context) -> "Session":
        """The session of a command, closed with it; reads the settings of the chosen profile."""
        options = global_options(context)
        session = cls(options, load_settings(options.profile_name))
        context.call_on_close(session.close)
        return session

    @classmethod
    def with_any_settings(cls, context: typer.Context) -> "Session":
        """As `of`, for a command that helps where a setting cannot be; it has to tell the `faults`."""
        options = global_options(context)
        session = cls(options, *read_settings(options.profile_name))
        context.call_on_close(session.close)
        return session

    def tell_faults(self) -> None:
        """Say which settings cannot be, and where each is put right."""
        for fault in self.faults:
            errors.print_error(str(fault))

    def close(self) -> None:
        """Let the pager be read, and close the connections to the daemon, if it was asked at all."""
        if self._pager is not None:
            self._pager.close()
            self._pager = None
        for message in self._held:
            errors.print_remark(message)
        self._held.clear()
        if "client" in self.__dict__:
            self.client.close()
            notice = self.client.notice
            # A person is told it whatever they asked, unless it is why the command fails.
            if notice is not None and str(sys.exc_info()[1]) != notice:
                errors.print_error(notice)

    @cached_property
    def client(self) -> "Client":
        """The daemon, started when need be."""
        from finplan.client.connect import Ready, connect, probe

        starts = self.shows_progress and not isinstance(probe(self.settings), Ready)
        with self.busy("Starting the background service" if starts else None):
            return connect(self.settings, self.say)

    def forget_client(self) -> None:
        """Let the daemon go, so that it is found or started again with the next question."""
        if "client" in self.__dict__:
            self.client.close()
            del self.__dict__["client"]

    def call(
        self,
        operation: "Operation[Asks, Answers]",
        ask: "Asks | None" = None,
        doing: str | None = None,
    ) -> "Answers":
        """Ask the daemon, by nothing but the row if no more is asked; `doing` is shown meanwhile."""
        client = self.client
        with self.busy(doing):
            return client.call(operation, operation.asks() if ask is None else ask)

    def answer(
        self,
        operation: "Operation[Asks, Answers]",
        ask: "Asks | None" = None,
        doing: str | None = None,
        *,
        all_pages: bool = False,
    ) -> "Answers | None":
        """As `call`; but with --json the answer is printed byte for byte, and None is left to draw.

        So are its rows with --csv, and some of their fields with --fields; those of all pages where they
        are wanted: `all_pages`.
        """
        question = operation.asks() if ask is None else ask
        if self.options.wants_rows:
            self._print_rows(operation, question, doing, all_pages=all_pages)
            return None
        if not self.options.json:
            return self.call(operation, question, doing)
        client = self.client
        with self.busy(doing):
            content = client.call_raw(operation, question)
        self.print_raw(content)
        return None

    def _print_rows(
        self,
        operation: "Operation[Asks, Answers]",
        ask: "Asks",
        doing: str | None,
        *,
        all_pages: bool,
    ) -> None:
        from finplan.cli.console.rows import RowsTable

        options = self.options
        if options.csv == options.json:
            text = (
                "Use either --csv or --json." if options.csv else "--fields needs --csv or --json."
            )
            raise errors.CommandError(text, errors.USAGE)
        table = RowsTable(operation, options.fields)
        client = self.client
        with self.busy(doing):
            cursor = table.take(client.call_raw(operation, ask))
            while all_pages and cursor is not None:
                ask = ask.model_copy(update={"cursor": cursor})
                cursor = table.take(client.call_raw(operation, ask))
        if options.csv:
            self._write(table.as_csv(self.currency))
        else:
            self.print_raw(table.as_json())
        if cursor is not None:
            self.say(f"More to show: run the same command with --cursor {cursor}")

    @cached_property
    def currency(self) -> str:
        """The household's currency."""
        return self.call(operations.person.SHOW_SETTINGS).currency

    @cached_property
    def console(self) -> "Console":
        """Where answers are drawn."""
        from finplan.cli.console.terminal import answers

        return answers(os.environ)

    @property
    def width(self) -> int:
        """The columns that sentences and pages have: those of the terminal, else of COLUMNS, else 80."""
        from finplan.cli.console.terminal import PAGE, UNCUT

        return PAGE if self.room == UNCUT else self.room

    @property
    def room(self) -> int:
        """The columns that a line of a table has: more than those of a page where nobody looks."""
        return self.console.width

    @property
    def shows_blocks(self) -> bool:
        """Whether answers are drawn on a terminal that can show small columns."""
        from finplan.cli.console.terminal import shows_blocks

        return shows_blocks(self.console, os.environ)

    @property
    def interactive(self) -> bool:
        """Whether a person can be asked something, and would see it."""
        return (
            sys.stdin.isatty()
            and sys.stderr.isatty()
            and not (self.options.json or self.options.wants_rows)
        )

    @property
    def look(self) -> "terminal.lines.Look":
        """How pages are drawn here."""
        return terminal.lines.Look(
            self.width, self.room, blocks=self.shows_blocks, small=True, ways=self.for_profile
        )

    def for_profile(self, text: str) -> str:
        """A text whose commands name the profile that this one was run for."""
        return for_profile(text, self.settings.profile)

    @cached_property
    def how(self) -> "views.locale.Locale":
        """How figures and instants are written: in the household's currency, by this machine's clock."""
        return views.locale.here(self.currency)

    def tell(
        self,
        operation: "Operation[Asks, Answers]",
        view: "Callable[[], Callable[[Answers, views.locale.Locale], views.page.Page]]",
        ask: "Asks | None" = None,
        doing: str | None = None,
        *,
        money: bool = True,
    ) -> "Answers | None":
        """Ask the daemon and show the view of its answer; None where that was printed for a program.

        The `view` is named by a function, so that it is loaded for a person alone. One without `money`
        is drawn without asking for the household's currency.
        """
        answers = self.answer(operation, ask, doing)
        if answers is not None:
            self.show(view()(answers, self.how if money else views.locale.here()))
        return answers

    def report(
        self,
        operation: "Operation[Asks, Answers]",
        outcome: "Callable[[Answers], str]",
        ask: "Asks | None" = None,
        doing: str | None = None,
        *,
        prints: tuple[str, ...] = (),
    ) -> "Answers | None":
        """As `tell`, of what was changed: say its `outcome`, a line for each sentence, on stderr.

        `prints` are the fields of the answer that are shown only now, each on a line of stdout.
        """
        done = self.answer(operation, ask, doing)
        if done is not None:
            for value in filter(None, (getattr(done, field) for field in prints)):
                self.print_raw(value.encode())
            for sentence in outcome(done).split("\n"):
                self.say(sentence)
        return done

    def show(self, page: "views.page.Page", *, asks: bool = False) -> None:
        """Draw a page on stdout; by a pager where it is long, unless the command `asks` next."""
        self.draw(terminal.pages.draw_page(page, self.look), asks=asks)

    def draw(self, drawn: "Text", *, asks: bool = False) -> None:
        """Paint what was drawn and show it as `show` does."""
        from rich.console import Group

        # Printed by itself a text is wrapped, and a command in it could not be copied.
        (self.print if asks else self.page)(Group(terminal.lines.painted(drawn)))

    def print(self, drawn: "RenderableType") -> None:
        """Draw an answer on stdout."""
        with writing():
            # A command on a page is longer than a line at times, and must not be cut off.
            self.console.print(drawn, crop=False)

    def page(self, drawn: "RenderableType") -> None:
        """Draw an answer that may be long: where it is longer than the screen a pager shows it.

        It is for the end of a command, after which nothing is asked.
        """
        if not self.console.is_terminal or self.options.quiet:
            self.print(drawn)
            return
        with self.console.capture() as captured:
            self.console.print(drawn, crop=False)
        text = captured.get()
        if self._pager is None and text.count("\n") >= self.console.height:
            command = pager_of(os.environ)
            self._pager = None if command is None else Pager(command)
        if self._pager is None:
            self.print(drawn)
        else:
            self._pager.write(text)

    def print_raw(self, content: bytes) -> None:
        """Print an answer on stdout as it came, on a line of its own."""
        self._write(content + b"\n")

    def _write(self, content: bytes) -> None:
        with writing():
            sys.stdout.buffer.write(content)

    def print_own(self, facts: Any) -> None:
        """Print what only this machine knows as JSON."""
        self.print_raw(json.dumps(facts).encode())

    def print_lines(self, text: str) -> None:
        """Print lines of a file on stdout, as a person sees them."""
        self.print_raw(visible_lines(text).encode())

    def say(self, message: str, *, unwrapped: bool = False) -> None:
        """Remark something on stderr, unless they want quiet; an `unwrapped` line can be copied."""
        if self.options.quiet:
            return
        message = self.for_profile(message)
        if unwrapped:
            sys.stderr.write(f"{visible_lines(message)}\n")
            return
        if self._pager is not None:
            # It would stand in the middle of what is read.
            self._held.append(message)
        else:
            errors.print_remark(message)

    def ask(self, question: str) -> str:
        """Ask the person on stderr and answer the line typed.

        Raises Abort at the end of the input, and Interrupted for Ctrl-C.
        """
        # The library's prompts write a space to stdout, where only answers belong.
        sys.stderr.write(f"{errors.broken(question)} ")
        sys.stderr.flush()
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            raise errors.Interrupted from None
        if not line:
            sys.stderr.write("\n")
            raise typer.Abort
        return line.strip()

    def confirm(self, question: str, *, default: bool) -> bool:
        """Ask for yes or no until it is one of them; an empty line means the default."""
        reply = self.ask(f"{question} [{'Y/n' if default else 'y/N'}]").lower()
        while reply not in {"", "y", "yes", "n", "no"}:
            reply = self.ask("Please type y or n:").lower()
        return default if not reply else reply in {"y", "yes"}

    @contextmanager
    def busy(self, doing: str | None) -> Iterator[None]:
        """Show that something takes its time, when stderr is a terminal."""
        if doing is None or not self.shows_progress:
            yield
            return
        from finplan.cli.console.terminal import remarks

        with remarks().status(f"{doing} …"):
            yield

    @property
    def shows_progress(self) -> bool:
        """Whether progress is drawn: a person watches stderr and has not asked for quiet."""
        return sys.stderr.isatty() and not self.options.quiet
