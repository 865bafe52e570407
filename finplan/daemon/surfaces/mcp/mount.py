"""Where the servers of MCP are found; the SDK is loaded when the first of them is asked."""

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from finplan.daemon import middleware
from finplan.daemon.surfaces.rest.answers import AnswerCache
from finplan.daemon.surfaces.rest.routes import Perform
from finplan.service.context import Caller, Context

if TYPE_CHECKING:
    from finplan.daemon.surfaces.mcp.transport import Transport

PRODUCT = "/mcp"
DOCS = "/mcp/docs"
_METHODS = (hdrs.METH_GET, hdrs.METH_POST, hdrs.METH_DELETE)


class Mount:
    """One server, made when it is first asked for; `module` is what it is made of."""

    def __init__(self, module: str, make: "Callable[[], Transport]") -> None:
        self._module = module
        self._make = make
        self._transport: Transport | None = None

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        is_checked = self._transport is not None and request.content.is_eof()
        if self._transport is None:
            # Loading takes a second, in which everybody else is answered.
            await asyncio.to_thread(import_module, self._module)
        if self._transport is None:
            self._transport = self._make()
        return await self._transport.answer(request, is_checked=is_checked)

    async def close(self, _app: web.Application) -> None:
        """End what was begun."""
        if self._transport is not None:
            await self._transport.close()


def add_routes(
    app: web.Application,
    context_of: Callable[[Caller], Context],
    perform: Perform,
    answers: AnswerCache,
    site_url: str,
) -> None:
    """Add the product server, which asks for a credential as the REST routes do, and the handbook's.

    The handbook's is for anybody, and for pages of any origin. It opens no session, so that nothing
    stays open for strangers to be told of, and there is nothing to end.
    """

    def make() -> "Transport":
        from finplan.daemon.surfaces.mcp.product import TOLD_AT_ONCE, make_server
        from finplan.daemon.surfaces.mcp.tools.tool import TableRows
        from finplan.daemon.surfaces.mcp.transport import Transport

        server = make_server(context_of, TableRows(perform, answers), site_url)
        return Transport(server, told_at_once=TOLD_AT_ONCE)

    product = Mount("finplan.daemon.surfaces.mcp.product", make)
    app.on_shutdown.append(product.close)
    for method in _METHODS:
        app.router.add_route(method, PRODUCT, product.answer)

    def make_docs() -> "Transport":
        from finplan.daemon.surfaces.mcp.docs_server import make_docs_server
        from finplan.daemon.surfaces.mcp.transport import Transport

        return Transport(make_docs_server(site_url), stateless=True)

    docs = Mount("finplan.daemon.surfaces.mcp.docs_server", make_docs)
    app.on_shutdown.append(docs.close)
    middleware.add_for_any_origin(app.router, DOCS, docs.answer, hdrs.METH_POST)
