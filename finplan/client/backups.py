"""Run the backup tool in a process of its own, whether a daemon runs or not."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import finplan
from finplan.client.connect import environment_of
from finplan.client.failures import CallFailed
from finplan.settings import Settings


def ask_backups(settings: Settings, verb: str, name: str | None = None) -> Any:
    """List, create, verify or restore backups. Raises CallFailed."""
    command = [sys.executable, "-m", "finplan.daemon", "--profile", settings.profile]
    command += ["--backups", verb, *([] if name is None else ["--copy", name])]
    process = subprocess.run(  # noqa: S603 - what is run is this very package.
        command,
        capture_output=True,
        check=False,
        cwd=Path(finplan.__file__).parent.parent,
        # A home may be named from the folder where the person is.
        env=environment_of(settings),
    )
    try:
        answer = json.loads(process.stdout)
    except ValueError:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        why = lines[-1] if lines else f"exit code {process.returncode}"
        raise CallFailed(
            500, "INTERNAL_SERVER_ERROR", f"The backup command failed: {why}"
        ) from None
    if isinstance(answer, dict) and "fault" in answer:
        raise CallFailed(answer["status"], answer["code"], answer["fault"])
    return answer
