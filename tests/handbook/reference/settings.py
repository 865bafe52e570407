"""The page of every setting: those of the machine, and those of a household."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from finplan.cli.app import COMMANDS
from finplan.settings import Settings
from tests.handbook.reference.markdown import code, table

OPENING = """\
# Settings

Every setting by its name, with its default, the variable of the environment that sets it, and what \
it means. \
`finplan config` shows which of them hold on this machine and where each comes from.

## Of the machine

A value comes from the variable of the environment, else from `finplan.toml` in the profile's \
configuration \
folder, else it is the default. A name in the file that finplan does not know is refused. The daemon \
reads \
them when it starts: `finplan daemon stop`, and the next command starts it anew.

    port = 8460
    site_url = "https://money.example.org"

"""
MEANINGS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("settings.toml").read_text(encoding="utf-8")
)
ENVIRONMENT = """
## Of the environment alone

These are no settings of the file, since they say where the file is, or are secret.

| variable | meaning |
|---|---|
| `FINPLAN_HOME` | One folder for everything, instead of the places of the system. Each profile has a \
folder in it. |
| `FINPLAN_PROFILE` | The profile, where no `--profile` is given; `default` without it. |
| `FINPLAN_DATA_KEY` | The key that secrets in the store are sealed under, for who keeps it elsewhere \
than in a file or the keyring (`finplan secrets`). |
| `FINPLAN_GOOGLE_CLIENT_SECRET` | The secret of [Google's client](../google.md), where no file has it. |
| `FINPLAN_ENABLEBANKING_KEY` | The private key (PEM) of your application \
[at Enable Banking](../banks.md#linking-through-enable-banking), where no file has it. |
| `FINPLAN_PLAID_SECRET` | The secret of your own keys [at Plaid](../banks.md#linking-through-plaid), \
where no file has it. |
| `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` | Where settings, data and logs are kept, each \
in a \
folder `finplan`; without them `~/.config`, `~/.local/share` and `~/.local/state`. |
"""
HOUSEHOLD = """
## Of your household

What the plan takes from you. `finplan settings` shows them; `finplan settings set` changes them, and \
so does \
`PATCH /settings`. They are kept in the store, for each person by themselves.

"""


def machine_settings() -> tuple[str, ...]:
    """The names of the settings of a machine."""
    return tuple(
        each.name for each in fields(Settings) if each.name not in {"profile", "places", "origins"}
    )


def page_of_settings() -> str:
    """The page."""
    defaults = {each.name: each.default for each in fields(Settings)}
    rows = (
        (code(name), _default(defaults[name]), code(f"FINPLAN_{name.upper()}"), MEANINGS[name])
        for name in machine_settings()
    )
    machine = table(("setting", "default", "variable", "meaning"), rows)
    return OPENING + machine + ENVIRONMENT + HOUSEHOLD + _household()


def _default(value: object) -> str:
    return "none" if value is None else code(value)


def _household() -> str:
    group: Any = typer.main.get_command(COMMANDS["settings"].load())
    context = typer.Context(group, info_name="settings")
    command = group.get_command(context, "set")
    records = (
        each.get_help_record(typer.Context(command, info_name="set", parent=context))
        for each in command.params
    )
    rows = ((code(each[0].replace("|", "/")), each[1].strip()) for each in records if each)
    return table(("option of `finplan settings set`", "meaning"), rows)
