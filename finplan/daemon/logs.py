"""The daemon's log: one file, rotated, written by a thread; a line never holds a route's values."""

import logging
import queue
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler

from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

from finplan.model.characters import visible_lines
from finplan.settings import Settings

LARGEST_FILE = 1024 * 1024
OLD_FILES = 2

access_log = logging.getLogger("finplan.access")


class AccessLog(AbstractAccessLogger):
    """One line for each answer: method, the route's template, status, milliseconds."""

    __slots__ = ()

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        """Write the line."""
        self.logger.info(
            "%s %s %d %.1f ms", request.method, _template(request), response.status, time * 1000
        )

    @property
    def enabled(self) -> bool:
        """Whether anybody reads these lines."""
        return self.logger.isEnabledFor(logging.INFO)


def _template(request: web.BaseRequest) -> str:
    # The path itself may hold an id, or a secret in the wrong place.
    if isinstance(request, web.Request):
        try:
            resource = request.match_info.route.resource
        except AssertionError:
            # aiohttp's way to say that a malformed request has not been matched with any route.
            resource = None
        if resource is not None:
            return resource.canonical
    return "(no such path)"


class VisibleFormatter(logging.Formatter):
    """Writes a record as a person sees it: whoever reads a log in a terminal is commanded by none."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; a trace keeps its lines."""
        return visible_lines(super().format(record))


@contextmanager
def logging_to_file(settings: Settings, foreground: bool) -> Iterator[None]:
    """Log to the profile's file, and to stderr in the foreground, until the block ends."""
    formatter = VisibleFormatter("%(asctime)s %(levelname)s %(message)s")
    formatter.converter = time.gmtime
    formatter.default_time_format = "%Y-%m-%dT%H:%M:%S"
    formatter.default_msec_format = "%s.%03dZ"
    handlers: list[logging.Handler] = [
        RotatingFileHandler(
            settings.places.log, maxBytes=LARGEST_FILE, backupCount=OLD_FILES, encoding="utf-8"
        )
    ]
    if foreground:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(formatter)
    # A slow disk holds up the thread that writes, never a request.
    lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    writer = QueueListener(lines, *handlers)
    root = logging.getLogger()
    entrance = QueueHandler(lines)
    root.addHandler(entrance)
    root.setLevel(logging.WARNING)
    logging.getLogger("finplan").setLevel(settings.log_level.upper())
    # The scheduler warns when a look takes over a minute, though nothing is lost: the next one waits.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)
    writer.start()
    try:
        yield
    finally:
        writer.stop()
        logging.captureWarnings(capture=False)
        root.removeHandler(entrance)
        for handler in handlers:
            handler.close()
