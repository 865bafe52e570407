"""A failure as one sentence on stderr, and the exit code that a script reads.

0  done                       4  not found, or in conflict with what is there
1  an error inside finplan    5  not allowed
2  a usage error              6  the bank, no bank, no keyring, or a receiver that took nothing
3  bad input                  7  the daemon cannot be reached
                            130  interrupted

What does not fit its shape is told in the words of who typed it: the option, and what it takes.
"""

import os
import re
import shutil
import sys
import textwrap
import traceback
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple, cast

import typer
from typer.core import TyperGroup

from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.characters import visible_lines
from finplan.model.installation import for_profile
from finplan.setting_values import SettingsError
from finplan.settings import Settings

INTERNAL, USAGE, BAD_INPUT, NOT_THERE, NOT_ALLOWED, BANK, UNREACHABLE = range(1, 8)
INTERRUPTED = 130
NOT_TAKEN = BANK
"""A webhook's receiver is as far outside as a bank."""

_BY_STATUS = {
    400: BAD_INPUT,
    413: BAD_INPUT,
    415: BAD_INPUT,
    422: BAD_INPUT,
    404: NOT_THERE,
    409: NOT_THERE,
    401: NOT_ALLOWED,
    403: NOT_ALLOWED,
    421: NOT_ALLOWED,
}
_BY_CODE = {
    "BANK_PROVIDER_ERROR": BANK,
    "NO_CONNECTIONS": BANK,
    "UNSUPPORTED_PROVIDER": BANK,
    "SERVICE_UNAVAILABLE": BANK,
}
NO_BANK_YET = (
    "No bank is linked yet. Import a statement: `finplan import FILE`. Or try made-up data: "
    "`finplan connect demo`."
)
_ARGUMENT = re.compile(r"argument '(\w+)'")
_LEFT_OVER = re.compile(r"^Got unexpected extra arguments?(?:\(s\))? \((.+)\)$")
_NO_COMMAND = re.compile(r"^No such command '([^']+)'\.$")
_NARROWED_BY = ("CATEGORY", "NAME")
"""How help calls what an option narrows an answer to."""
_PERIOD = "WORDS"
"""How help calls days in words."""
_EXAMPLE = re.compile(r"^  (finplan \S.*?)(?: {2,}.*)?$", re.MULTILINE)
"""An example at the end of a help text, without what is said of it."""


class CommandError(Exception):
    """What a command itself has to refuse: a sentence and the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Interrupted(CommandError):
    """Ctrl-C at a question: by then a command has done nothing, unless the message says otherwise."""

    def __init__(self, message: str = "Interrupted; nothing was changed.") -> None:
        super().__init__(message, INTERRUPTED)


def exit_code(status: int, code: str) -> int:
    """The exit code for an error of the daemon, by its code first and then by its HTTP status."""
    return _BY_CODE.get(code) or _BY_STATUS.get(status, INTERNAL)


def print_error(message: str) -> None:
    """Say one sentence on stderr."""
    print_remark(f"finplan: {' '.join(message.split())}")


def print_remark(message: str) -> None:
    """Write a line on stderr; where a person looks it is broken between words, never within one."""
    sys.stderr.write(f"{broken(message)}\n")


def broken(message: str) -> str:
    """A remark or question as it is written: where a person looks it is broken between words."""
    line = visible_lines(message).replace("\n", " ")
    if not sys.stderr.isatty():
        return line
    width = shutil.get_terminal_size().columns
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def report_failure(error: Exception, settings: Settings | None) -> int:
    """Say what went wrong and answer the exit code; a surprise leaves its traceback in a file.

    `settings` are those of the profile that the command was run for, None where there are none.
    """
    crash_file = None if settings is None else settings.places.state / "crash.log"
    match error:
        case CommandError():
            message, code = str(error), error.code
        case typer.TyperException():
            message, code = _misused(error), error.exit_code
        case typer.Abort():
            message, code = "Canceled.", INTERRUPTED
        case SettingsError():
            message, code = str(error), BAD_INPUT
        case DaemonUnreachable():
            message, code = str(error), UNREACHABLE
        case CallFailed():
            message, code = _refused(error), exit_code(error.status, error.code)
        case _:
            message, code = _invalid_question(error) or (_surprising(error, crash_file), INTERNAL)
    print_error(message if settings is None else for_profile(message, settings.profile))
    return code


def _misused(error: typer.TyperException) -> str:
    # Typer puts the option before what its validator says: "Invalid value for '--by': …".
    # Without an option it puts "Invalid value: " there, before what is not about a value.
    is_of_option = getattr(error, "param", None) or getattr(error, "param_hint", None)
    is_bare = isinstance(error, typer.BadParameter) and not is_of_option
    text = error.message if is_bare else error.format_message()
    head, colon, reason = text.partition("': ")
    message = f"{head}{colon}{plainer(reason)}"
    context, hint = getattr(error, "ctx", None), ""
    if context is not None:
        hint = f" See `{context.command_path} --help`."
        if left_over := _LEFT_OVER.search(message):
            typed = left_over[1]
            message = (
                _by_period(typed, context)
                or _by_option(typed, context)
                or f"Unexpected argument: {typed}"
            )
        if unknown := _NO_COMMAND.search(message):
            period = _by_period(unknown[1], context)
            message = period or f"{message}{_of_a_thing(unknown[1], context)}"
        if _may_be_a_name(getattr(error, "option_name", None), context):
            hint = (
                " If the name begins with a minus sign, put it last, after `--`:"
                f" `{context.command_path} -- -NAME`.{hint}"
            )
    end = "" if message.endswith(("?", ".")) else "."
    return f"{message[:1].upper()}{message[1:]}{end}{_for_example(error)}{hint}"


def _by_period(typed: str, context: typer.Context) -> str:
    """How days in words are given to a command that takes them; empty where none are meant."""
    # No command that goes well pays for it.
    from finplan.periods.grammar import UnclearPeriod
    from finplan.periods.reading import asks_for_paydays, find_period

    command = context.command
    if isinstance(command, TyperGroup):
        # Without a command it takes the options of its list.
        command = command.get_command(context, "list") or command
    if all(param.metavar != _PERIOD for param in command.params):
        return ""
    try:
        meant = asks_for_paydays(typed) or find_period(typed, datetime.now(UTC).date()) is not None
    except UnclearPeriod:
        meant = True
    return f"Use an option for the period: `--period {quote(typed)}`." if meant else ""


def _by_option(typed: str, context: typer.Context) -> str:
    """How names are given to a command that takes them by options alone; empty where it takes none."""
    quoted = quote(typed)
    ways = [
        f"`{param.opts[0]} {quoted}`"
        for param in context.command.params
        if param.param_type_name == "option" and param.multiple and param.metavar in _NARROWED_BY
    ]
    return f"Use an option for the name: {' or '.join(ways)}." if ways else ""


def _of_a_thing(name: str, context: typer.Context) -> str:
    """The command of a group that shows or finds the thing which may have been named in place of one."""
    group = cast("TyperGroup", context.command)
    for way in ("find", "show"):
        command = group.get_command(context, way)
        if command is not None and _takes_argument(command):
            return f" To {way} it: `{context.command_path} {way} {quote(name)}`."
    return ""


def _for_example(error: typer.TyperException) -> str:
    """What can be typed where something is missing: an example, or the command that lists the names."""
    context, missing = getattr(error, "ctx", None), getattr(error, "param", None)
    # A missing one is told with no message of its own, which an invalid one has.
    if context is None or missing is None or error.message:
        return ""
    match = _EXAMPLE.search(context.command.epilog or "")
    if match is not None:
        return f" For example: `{match[1]}`."
    listing, argument = context.parent, _ARGUMENT.search(error.format_message())
    # What is taken back is among the answered ones, which a list alone need not show.
    if listing is None or argument is None or context.info_name == "undo":
        return ""
    is_listed = listing.info_name == f"{argument[1].lower()}s"
    return f" List them: `{listing.command_path}`." if is_listed else ""


def _may_be_a_name(option: str | None, context: typer.Context) -> bool:
    """Whether what was read as a short option, of which there are none, may name what is meant."""
    is_short = option is not None and not option.startswith("--") and option != "-h"
    return is_short and _takes_argument(context.command)


def _takes_argument(command: Any) -> bool:
    return any(param.param_type_name == "argument" for param in command.params)


def _refused(error: CallFailed) -> str:
    if error.code == "NO_CONNECTIONS":
        return NO_BANK_YET
    issues = error.data.get("issues", ()) if error.issues else ()
    faults = (describe_fault(issue["path"], issue["message"]) for issue in issues)
    return _list_faults(faults) or error.message


def _invalid_question(error: Exception) -> tuple[str, int] | None:
    """A question that does not fit its shape is refused in the words of the daemon."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return None
    faults = (
        describe_fault(issue["loc"], issue["msg"], of_validator=issue["type"] != _OWN_FAULT)
        for issue in error.errors(include_url=False)
    )
    return _list_faults(faults), BAD_INPUT


def _list_faults(faults: Iterable[str]) -> str:
    text = "; ".join(faults)
    return f"{text}." if text and not text.endswith((".", "!", "?")) else text


def _surprising(error: Exception, crash_file: Path | None) -> str:
    kind = type(error).__name__
    sentence = f"Internal error in finplan ({kind}: {error})."
    try:
        if crash_file is None:
            raise FileNotFoundError
        crash_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        private = os.open(crash_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(private, "w", encoding="utf-8") as file:
            file.write(visible_lines("".join(traceback.format_exception(error))))
    except OSError:
        return f"{sentence} Check the installation: `finplan doctor`."
    return f"{sentence} Details: {crash_file}. Check the installation: `finplan doctor`."


class TypedOption(NamedTuple):
    """How a person types a property of a question: where, and what may stand there."""

    option: str
    takes: str


_AN_AMOUNT = "an amount of 0 or more, like 1840.25"
_A_NAME = "a name of 1 to 200 characters"
_A_CATEGORY = "a category's name or part of it, from `finplan categories`"
_A_SIZE = "an amount or a range, like 42.50, 40..60, 40.. or ..60"

TYPED = {
    "account": TypedOption("--account", _A_NAME),
    "account_kind": TypedOption(
        "--kind", "checking, savings, credit, loan, investment, depository or other"
    ),
    "answer": TypedOption("CATEGORY", _A_CATEGORY),
    "apr": TypedOption("--apr", "a yearly rate in percent, from 0 to 1000, like 21.99"),
    "budget_shares": TypedOption("--budget", "three percentages that add up to 100, like 50/30/20"),
    "category": TypedOption("CATEGORY", _A_CATEGORY),
    "credit_limit": TypedOption("--limit", f"{_AN_AMOUNT}, or `none`"),
    "currency": TypedOption("--currency", "a three-letter code, like EUR"),
    "direction": TypedOption(
        "--direction",
        "in or out for positive amounts, marks:WORD,WORD for money-out words, or first:in,"
        " first:out or first:owed for lines without balances",
    ),
    "email": TypedOption("--email", "an email address, like ada@example.org"),
    "encoding": TypedOption("--encoding", "a text encoding, like cp1252"),
    "group_by": TypedOption("--by", "category, merchant, tag or month"),
    "limit": TypedOption("--limit", "a whole number from 1 to 500"),
    "max_amount": TypedOption("--amount", _A_SIZE),
    "min_amount": TypedOption("--amount", _A_SIZE),
    "minimum_payment": TypedOption("--minimum-payment", f"{_AN_AMOUNT}, or `none`"),
    "monthly": TypedOption("--income", f"{_AN_AMOUNT}, or `detected`"),
    # Some commands take it as an argument, and all of them call it NAME.
    "name": TypedOption("NAME", _A_NAME),
    "payee_key": TypedOption("PAYEE", "a payee from `finplan transactions`, 1 to 200 characters"),
    "redirect_uris": TypedOption(
        "--redirect", "an address of up to 2000 characters, at most 20 times"
    ),
    "subtype": TypedOption("--subtype", "a word of up to 40 characters, like savings"),
    "target_months": TypedOption("--fund-months", "a number of months from 0 to 60, or `none`"),
    "text": TypedOption("TEXT", "a text of 1 to 200 characters"),
    "time_zone": TypedOption("--time-zone", "a time zone, like Europe/Berlin"),
}
"""By the property's inside name. What no person types is not here."""

_OWN_FAULT = "value_error"
"""The validator's type of a fault that a shape words itself."""

_OWN_WORDS = "Value error, "
_PLAINER = (
    (r"^Input should be greater than or equal to (.+)$", r"it must be \1 or more"),
    (r"^Input should be less than or equal to (.+)$", r"it must be \1 or less"),
    (r"^Input should be greater than (.+)$", r"it must be more than \1"),
    (r"^Input should be less than (.+)$", r"it must be less than \1"),
    (r"^Input should be a valid integer.*$", "it must be a whole number"),
    (r"^Input should be a valid number.*$", "it must be a number"),
    (r"^String should have at least 1 character$", "it must not be empty"),
    (r"^String should have at most (\d+) characters?$", r"it must have at most \1 characters"),
    (r"^Field required$", "it is missing"),
    (r"^This must (.+)$", r"it must \1"),
    (r"^(?:Input|String) should (.+)$", r"it must \1"),
)


def describe_fault(path: Sequence[object], message: str, *, of_validator: bool = False) -> str:
    """Say what is wrong with one property, in our words for a `message` of the validator."""
    name = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(path[0])).lower() if path else ""
    typed = TYPED.get(name)
    if typed is None:
        return ": ".join(filter(None, (".".join(map(str, path)), plainer(message))))
    if of_validator:
        return f"{typed.option} must be {typed.takes}"
    return f"{typed.option}: {plainer(message)}"


def plainer(message: str) -> str:
    """Put what a validator says about a value into plain words; any other sentence stays."""
    text = message.removeprefix(_OWN_WORDS)
    for pattern, plain in _PLAINER:
        text = re.sub(pattern, plain, text)
    return text
