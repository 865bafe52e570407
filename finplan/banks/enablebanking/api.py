"""Requests to Enable Banking, signed by the person's application."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from finplan.banks.answer import AnswerValue, NotJson, Reader
from finplan.banks.enablebanking.application import RegisteredApplication, UnusableKey
from finplan.banks.enablebanking.errors import RefusedRequest, refusal_of
from finplan.banks.fields import Unreadable
from finplan.banks.http import BankHttp, BankReply
from finplan.model.errors import BankFailure, BankProviderError

API = "https://api.enablebanking.com"


class EnableBankingApi:
    """The API, as one application reaches it at `url`."""

    def __init__(self, http: BankHttp, application: RegisteredApplication, url: str = API) -> None:
        self._http = http
        self._url = url
        self.application = application

    async def get(
        self, path: str, read: Reader[AnswerValue], *query: tuple[str, str]
    ) -> AnswerValue:
        """What a reader makes of the API's answer to a question, which has names.

        Raises RefusedRequest, BankProviderError, and what the reader raises but for Unreadable.
        """
        return await self._read(await self._ask("GET", path, query), read)

    async def post(self, path: str, read: Reader[AnswerValue], body: dict[str, Any]) -> AnswerValue:
        """What a reader makes of the API's answer to an order. Raises as `get` does."""
        return await self._read(await self._ask("POST", path, body=body), read)

    async def delete(self, path: str) -> None:
        """Have something end. Raises as `get` does."""
        await self._ask("DELETE", path)

    def failure(self, message: str, failure: BankFailure = "provider_error") -> BankProviderError:
        """What is raised for a failure of Enable Banking's."""
        return self._http.failure(message, failure)

    async def _ask(
        self,
        method: str,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        body: dict[str, Any] | None = None,
    ) -> BankReply:
        try:
            token = self.application.token()
        except UnusableKey:
            raise RefusedRequest(
                "The private key of your application at Enable Banking cannot be used: it is no RSA key"
                " in PEM. `finplan connect enablebanking` says where it belongs.",
                "provider_error",
                "UNAUTHORIZED_ACCESS",
                lasting=True,
            ) from None
        headers = {"Authorization": f"Bearer {token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        reply = await self._http.ask(
            method,
            f"{self._url}{path}",
            query=query,
            headers=headers,
            body=b"" if body is None else json.dumps(body).encode(),
        )
        if not 200 <= reply.status < 300:
            raise refusal_of(reply, self.application.redirect_url)
        return reply

    async def _read(self, reply: BankReply, read: Reader[AnswerValue]) -> AnswerValue:
        try:
            return await self._http.read(reply, partial(_read_named, read=read))
        except NotJson:
            raise self._http.failure("Enable Banking did not answer with JSON.") from None
        except Unreadable as error:
            raise self._http.failure(f"Enable Banking cannot be understood: {error}.") from None


def _read_named(answer: Any, read: Reader[AnswerValue]) -> AnswerValue:
    if not isinstance(answer, dict):
        raise Unreadable("its answer is not a JSON object")
    return read(answer)
