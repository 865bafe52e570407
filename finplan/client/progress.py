"""Whether a process gets on: it uses the processor, or says that it does something else than before."""

import time
from pathlib import Path

_USED_BY_ITSELF, _USED_FOR_IT = 11, 12
"""Where /proc/PID/stat tells of processor time, counted behind the process's name."""


def processor_time(pid: int) -> int | None:
    """How long a process has had the processor, in ticks; None where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name is in brackets, and may hold brackets and spaces itself.
    fields = stat.rpartition(")")[2].split()
    return int(fields[_USED_BY_ITSELF]) + int(fields[_USED_FOR_IT])


class Progress:
    """The signs of life of whatever is waited for, and how long there has been no new one."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._since = time.monotonic()

    def quiet_for(self, pid: int | None, doing: str) -> float:
        """How long the process has given no new sign, in seconds.

        Where the system does not tell how much a process works, it is enough that it is there.
        """
        now = time.monotonic()
        worked = None if pid is None else processor_time(pid)
        unknown = pid is not None and worked is None
        sign = (pid, worked, doing)
        if unknown or sign != self._seen:
            self._seen, self._since = sign, now
        return now - self._since
