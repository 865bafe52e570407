"""Having the system start the daemon at login: a systemd user unit, or a launchd agent on macOS."""

import os
import plistlib
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from finplan.client.announcement import ALREADY_RUNNING
from finplan.client.connect import PACKAGE_FOLDER, daemon_command
from finplan.settings import Settings, environment_of_places

CANNOT_START = 3
"""The exit code of a daemon that has said why it cannot start: another try would end the same."""

CommandLine = tuple[str, ...]


class NoLoginService(Exception):
    """This system has no way of starting programs at login that finplan knows."""


@dataclass(frozen=True, slots=True)
class LoginService:
    """The file that has the system start a profile's daemon, and the commands to turn it on and off."""

    file: Path
    content: bytes
    turn_on: tuple[CommandLine, ...]
    turn_off: tuple[CommandLine, ...]
    after_removal: tuple[CommandLine, ...] = ()

    @property
    def is_installed(self) -> bool:
        """Whether the file is there."""
        return self.file.exists()


def login_service(
    settings: Settings, platform: str = sys.platform, environ: Mapping[str, str] = os.environ
) -> LoginService:
    """What starts a profile's daemon at login on this system. Raises NoLoginService."""
    if platform == "darwin":
        return _agent(settings, environ)
    if platform == "linux":
        return _unit(settings, environ)
    raise NoLoginService(
        f"This system ({platform}) has neither systemd nor launchd. Set it up to run"
        f" `{' '.join(daemon_command(settings))}` in {PACKAGE_FOLDER} at login."
    )


def install(service: LoginService) -> str | None:
    """Write the file and turn it on; answers what could not be run, and why."""
    service.file.parent.mkdir(parents=True, exist_ok=True)
    service.file.write_bytes(service.content)
    return _run_all(service.turn_on)


def uninstall(service: LoginService) -> str | None:
    """Turn it off and remove the file; answers what could not be run, and why."""
    failed = _run_all(service.turn_off)
    service.file.unlink()
    return failed or _run_all(service.after_removal)


def _run_all(commands: tuple[CommandLine, ...]) -> str | None:
    for command in commands:
        try:
            ended = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        except OSError as error:
            return f"Could not run `{' '.join(command)}`: {error.strerror}."
        if ended.returncode:
            lines = ended.stderr.decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else f"exit code {ended.returncode}"
            return f"`{' '.join(command)}` failed: {why.rstrip('.')}."
    return None


def _unit(settings: Settings, environ: Mapping[str, str]) -> LoginService:
    name = f"{_name(settings, '-')}.service"
    base = Path(environ.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():
        base = _home(environ) / ".config"
    environment = "".join(
        f"Environment={_quoted(f'{variable}={value}')}\n"
        for variable, value in environment_of_places(settings, environ).items()
    )
    command = " ".join(_quoted(arg).replace("$", "$$") for arg in daemon_command(settings))
    content = f"""\
[Unit]
Description=finplan, profile {settings.profile}

[Service]
ExecStart={command}
WorkingDirectory={PACKAGE_FOLDER.as_posix().replace("%", "%%")}
{environment}Restart=on-failure
RestartPreventExitStatus={CANNOT_START} {ALREADY_RUNNING}

[Install]
WantedBy=default.target
"""
    ask = ("systemctl", "--user")
    return LoginService(
        base / "systemd" / "user" / name,
        os.fsencode(content),
        turn_on=((*ask, "daemon-reload"), (*ask, "enable", name)),
        turn_off=((*ask, "disable", name),),
        after_removal=((*ask, "daemon-reload"),),
    )


def _agent(settings: Settings, environ: Mapping[str, str]) -> LoginService:
    label = f"{_name(settings, '.')}.daemon"
    file = _home(environ) / "Library" / "LaunchAgents" / f"{label}.plist"
    content = {
        "Label": label,
        "ProgramArguments": daemon_command(settings),
        "WorkingDirectory": str(PACKAGE_FOLDER),
        "EnvironmentVariables": environment_of_places(settings, environ),
        "RunAtLoad": True,
    }
    domain = f"gui/{os.getuid()}"
    return LoginService(
        file,
        plistlib.dumps(content),
        turn_on=(("launchctl", "enable", f"{domain}/{label}"),),
        turn_off=(("launchctl", "disable", f"{domain}/{label}"),),
    )


def _name(settings: Settings, between: str) -> str:
    return "finplan" if settings.profile == "default" else f"finplan{between}{settings.profile}"


def _home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or Path.home())


def _quoted(text: str) -> str:
    """A word as systemd reads it: whole, and without a meaning in its signs."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("%", "%%") + '"'
