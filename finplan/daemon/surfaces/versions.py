"""Versions of the interface: which roots lead to which rows, and how an old one says that it ends."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from aiohttp import web

from finplan.operation import AnyOperation

CURRENT = "v1"
ALIAS = "/api"
"""The root without a version, which is always the current one."""

NOTICE = timedelta(days=183)
"""How long an old version goes on at least after it is deprecated: six months of any length."""


@dataclass(frozen=True, slots=True)
class FormerVersion:
    """A version that a newer one has replaced: its rows are served until `sunset`.

    `guide` is the path of the page that tells how to move on. Both instants have a time zone.
    """

    name: str
    operations: tuple[AnyOperation, ...]
    deprecated: datetime
    sunset: datetime
    guide: str

    def __post_init__(self) -> None:
        if self.sunset - self.deprecated < NOTICE:
            raise ValueError(f"The version {self.name} needs at least {NOTICE.days} days' notice.")

    def add_notice(self, response: web.StreamResponse, site_url: str) -> None:
        """Say on an answer that the version ends: RFC 9745, RFC 8594, and a link to the guide."""
        response.headers["Deprecation"] = f"@{int(self.deprecated.timestamp())}"
        response.headers["Sunset"] = format_datetime(self.sunset.astimezone(UTC), usegmt=True)
        response.headers.add(
            "Link", f'<{site_url}{self.guide}>; rel="deprecation"; type="text/html"'
        )


def root_of(version: str) -> str:
    """Where a version's paths begin."""
    return f"/api/{version}"


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices of every former version."""

    site_url: str
    former: tuple[FormerVersion, ...]

    async def tell(self, request: web.Request, response: web.StreamResponse) -> None:
        """The signal by which each answer under an old root says so, whatever the answer is."""
        for version in self.former:
            root = root_of(version.name)
            if request.path == root or request.path.startswith(f"{root}/"):
                version.add_notice(response, self.site_url)
