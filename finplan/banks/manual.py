"""The manual bank: accounts and rows come from statement files, so there is nothing to fetch."""

from datetime import date

from finplan.banks.base import Link, SyncPage


class Manual:
    """The Bank of imported statements: every sync is complete at once and changes nothing."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:  # noqa: ARG002
        """Answer an empty page; what a person imports is stored by the import itself."""
        return SyncPage(accounts=(), added=(), modified=(), removed=(), cursor=cursor or "")
