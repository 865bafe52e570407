"""The four options that work before and after every command, and the commands that carry them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from finplan.setting_values import DEMO_PROFILE

PLAIN_OPTIONS = ("--demo", "--json", "--quiet")
"""The options that work everywhere and take no value."""

_UNCUT = 400
"""A sentence of help is never as long as this."""

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


@dataclass(slots=True)
class GlobalOptions:
    """What the person chose for the whole run, wherever on the line it stood."""

    profile: str | None = None
    demo: bool = False
    json: bool = False
    quiet: bool = False
    csv: bool = False
    fields: str | None = None

    @property
    def wants_rows(self) -> bool:
        """Whether a program reads the rows of an answer, or some fields of them."""
        return self.csv or self.fields is not None

    @property
    def profile_name(self) -> str | None:
        """The chosen profile; None when nothing was chosen. Raises a usage error on a contradiction."""
        if self.demo and self.profile not in (None, DEMO_PROFILE):
            raise typer.BadParameter(
                f"--demo means the profile {DEMO_PROFILE!r}. Use --demo or --profile, not both."
            )
        return DEMO_PROFILE if self.demo else self.profile


def global_options(context: typer.Context) -> GlobalOptions:
    """The choices of the run that a command belongs to."""
    options = context.find_root().obj
    assert isinstance(options, GlobalOptions)
    return options


def _note(context: typer.Context, param: typer.CallbackParam, value: Any) -> None:
    # An option that stands nowhere at one depth leaves alone what was said at another.
    if not value or param.name is None:
        return
    before = getattr(global_options(context), param.name)
    if before and before != value:
        context.fail(f"{param.opts[0]} has two values: {before!r} and {value!r}. Give only one.")
    setattr(global_options(context), param.name, value)


def _everywhere(name: str, text: str, **extra: Any) -> Any:
    return typer.Option(name, help=text, callback=_note, expose_value=False, **extra)


def _template(
    profile: Annotated[
        str | None,
        _everywhere("--profile", "Use this profile instead of `default`.", metavar="NAME"),
    ] = None,
    demo: Annotated[bool, _everywhere("--demo", "Use the demo profile: made-up data.")] = False,
    json: Annotated[bool, _everywhere("--json", "Print the answer as JSON.")] = False,
    quiet: Annotated[
        bool, _everywhere("--quiet", "Print only the answer, without progress or notices.")
    ] = False,
) -> None:
    """Carry the options from which every command gets its own."""


def _rows_template(
    csv: Annotated[bool, _everywhere("--csv", "Print the list as CSV.")] = False,
    fields: Annotated[
        str | None,
        _everywhere(
            "--fields",
            "With --csv or --json: print only these fields; `--fields ?` lists them.",
            metavar="A,B,…",
        ),
    ] = None,
) -> None:
    """Carry the options of commands whose answer is rows."""


@cache
def _options_of(template: Callable[..., None]) -> tuple[Any, ...]:
    app = typer.Typer(add_completion=False)
    app.command()(template)
    return tuple(typer.main.get_command(app).params)


def _with_shared(own: list[Any], templates: Iterable[Callable[..., None]]) -> list[Any]:
    """A command's own parameters, then those that it shares with others, and `--help` at last."""
    *before, asks_for_help = own
    shared = (param for template in templates for param in _options_of(template))
    return [*before, *shared, asks_for_help]


def _must_not_contradict(command: Any, context: Any, typed: list[str]) -> None:
    """Refuse an option that has one value and is given several, of which the last one would win."""
    # Typer's parser puts things right in the list that it is handed.
    _, _, order = command.make_parser(context).parse_args(args=list(typed))
    for param, times in Counter(order).items():
        if times == 1 or param.param_type_name != "option" or param.multiple:
            continue
        name: str = param.opts[0]
        opposites: list[str] = param.secondary_opts
        if not param.is_flag:
            context.fail(f"{name} takes one value, but you gave {times}.")
        if opposites and name in typed and opposites[0] in typed:
            context.fail(f"{name} and {opposites[0]} are opposites. Give only one of them.")


class Command(TyperCommand):
    """A command that knows the options for every command."""

    templates: tuple[Callable[..., None], ...] = (_template,)

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's own parameters, then those of every command."""
        return _with_shared(super().get_params(ctx), self.templates)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed, unless options contradict each other or want a table of what is none."""
        _must_not_contradict(self, ctx, args)
        tail = super().parse_args(ctx, args)
        if global_options(ctx).wants_rows and not isinstance(self, RowsCommand):
            ctx.fail("This command does not print a list. Use --json instead of --csv or --fields.")
        return tail


class RowsCommand(Command):
    """A command whose answer is rows, which other programs take as a table."""

    templates = (_rows_template, _template)


class Group(TyperGroup):
    """A group of commands that knows the options for every command."""

    templates: tuple[Callable[..., None], ...] = (_template,)

    def get_params(self, ctx: Any) -> list[Any]:
        """The group's own parameters, then those of every command."""
        return _with_shared(super().get_params(ctx), self.templates)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed, unless options in it contradict each other."""
        _must_not_contradict(self, ctx, args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands, each with the whole first sentence of its help, on two lines if need be."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        lines = [
            (name, command.get_short_help_str(_UNCUT))
            for name, command in commands
            if command is not None
        ]
        if lines:
            with formatter.section("Commands"):
                formatter.write_dl(lines)


class RowsGroup(Group):
    """A group that by itself answers rows, as its command `list` does."""

    templates = (_rows_template, _template)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed; where it names no command, `list` is meant."""
        _, arguments, _ = self.make_parser(ctx).parse_args(args=list(args))
        return super().parse_args(ctx, args if arguments else [*args, "list"])


class DefaultGroup(Group):
    """A group whose command `list` is meant where the line names none, with the options of that."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command's name where it was left out, behind the options for every command."""
        tail = behind_shared_options(args)
        if not tail or (tail[0].startswith("-") and tail[0] != "--help"):
            args = [*args[: len(args) - len(tail)], "list", *tail]
        return super().parse_args(ctx, args)


def behind_shared_options(typed: Sequence[str]) -> list[str]:
    """What stands on a command line behind the options for every command that it begins with."""
    tail = list(typed)
    while tail and tail[0].partition("=")[0] in (*PLAIN_OPTIONS, "--profile"):
        tail = tail[2 if tail[0] == "--profile" else 1 :]
    return tail


def said_before(context: typer.Context, name: str) -> bool:
    """Whether a flag stands before the command's own word: `finplan plan --all show`."""
    return context.parent is not None and bool(context.parent.params.get(name))


class CommandApp(typer.Typer):
    """What a person can ask about one thing: a single command, or a group of them."""

    def __init__(self, cls: type[TyperGroup] = Group, **extra: Any) -> None:
        super().__init__(
            cls=cls,
            add_completion=False,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            **extra,
        )

    def command(
        self, name: str | None = None, *, rows: bool = False, **extra: Any
    ) -> Callable[[CommandFunction], CommandFunction]:
        """Add a command, which knows the options for every command; `rows` says that it answers rows."""
        return super().command(name, cls=RowsCommand if rows else Command, **extra)


def argument(metavar: str, text: str) -> Any:
    """An argument by what help calls it and says of it."""
    return typer.Argument(metavar=metavar, help=text)


def option(metavar: str, text: str, *names: str, **extra: Any) -> Any:
    """An option with a value, by what help calls that and says of it; it may have names of its own."""
    return typer.Option(*names, metavar=metavar, help=text, **extra)


def flag(name: str, text: str) -> Any:
    """An option that is there or not, or one of two opposites, by what help says of it."""
    return typer.Option(name, help=text)


CATEGORY = argument("CATEGORY", "A category's name or part of it; see `finplan categories`.")


def examples(*lines: str) -> str:
    """The end of a help text: one example a line, kept as it is."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
