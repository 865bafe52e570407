"""Requests that take effect once: what an Idempotency-Key promises.

A program whose connection broke cannot know whether its request was carried out. It sends it again with
the same key; if it was carried out, the same reply comes, and nothing happens a second time.

The request is claimed first, in a transaction of its own. Then its performer runs, with a context that
keeps the reply: `Context.commit` writes the effect and the reply in one transaction, so that no crash
comes between them. What that means for the several kinds of performers:

- One write: the reply is there exactly when the effect is.
- Several writes: each write that would be wrong to repeat is committed with the answer that is true by
  then, as not final; the last one replaces it. After a crash the newest of them is replayed.
  Pages of a sync carry their own cursor and are right to repeat, so they are plain writes.
- No write, or only such as may be repeated: the reply is kept when the performer has returned.
- Uploads: the files are hashed from the disk, piece by piece; the rest is as above.

A claim is held for half a minute and renewed while the performer runs. When the daemon is killed, the
next request with the key takes the claim over, and what the dead run had not committed runs anew. A run
that lost its claim all the same cannot keep its reply, and so its effect is rolled back.

Failures of the performer are replies like any other. Not kept are those of the question itself, which
comes before the claim; 401, 403 and 429, which are about the caller; and 507, after which nothing can be
written. All replies are sealed and belong to the credential that asked, so nobody has to remember which
of them carry a secret: another credential of the same person gets a conflict, and nothing happens again.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from aiohttp import hdrs, web
from sqlalchemy import Connection

from finplan.daemon.errors import InvalidInput, answer_to
from finplan.model.base import Wire
from finplan.model.errors import Conflict, StorageFull, UnprocessableContent
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.store.queries import replies
from finplan.store.sealing import CannotOpen, Sealer, about_reply

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
LONGEST_KEY = 255

LEASE = 30_000
"""How long a claim holds without being renewed, in milliseconds."""

RENEWAL = 10.0
"""How often a claim is renewed while its performer runs, in seconds."""

ASK_AGAIN = 1
"""When to ask again for the reply to a request that runs, in seconds."""

NOT_KEPT = frozenset({401, 403, 429, StorageFull.status})
_KEPT_HEADERS = (hdrs.CONTENT_TYPE, hdrs.LOCATION, hdrs.RETRY_AFTER)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it is sent: what of it stays the same when it is sent again."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(
        default_factory=lambda: {hdrs.CONTENT_TYPE: "application/json"}
    )

    @classmethod
    def of(cls, response: web.Response) -> "Reply":
        """What of a response is kept."""
        given = response.headers
        kept = {str(name): given[name] for name in _KEPT_HEADERS if name in given}
        body = response.body
        assert isinstance(body, bytes), "An answer in JSON is in memory as a whole."
        return cls(response.status, body, kept)


ReplyTo = Callable[[Any], Reply]
PerformOnce = Callable[[Context], Awaitable[Any]]


def key_of(request: web.Request) -> str | None:
    """The key of a request, bare or as a quoted string; None without one. Raises InvalidInput."""
    given = request.headers.getall(KEY_HEADER, [])
    if not given:
        return None
    if len(given) > 1:
        raise _unfit("Send this header only once")
    key = given[0]
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = re.sub(r'\\(["\\])', r"\1", key[1:-1])
    if not 0 < len(key) <= LONGEST_KEY:
        raise _unfit(f"A key must have 1 to {LONGEST_KEY} characters")
    if not (key.isascii() and key.isprintable()):
        raise _unfit("A key must be printable ASCII")
    return key


def _unfit(message: str) -> InvalidInput:
    return InvalidInput([{"message": message, "path": [KEY_HEADER]}])


async def fingerprint_of(ask: Wire, files: Sequence[UploadedFile] = ()) -> str:
    """A hash of a question and its files, equal only for equal ones."""
    question = ask.model_dump_json(by_alias=True, exclude_unset=True).encode()
    if not files:
        return hashlib.sha256(question).hexdigest()
    return await asyncio.to_thread(_hash_with_files, question, files)


def _hash_with_files(question: bytes, files: Sequence[UploadedFile]) -> str:
    parts = [hashlib.sha256(question).hexdigest()]
    for file in files:
        with file.path.open("rb") as content:
            parts += [file.name, hashlib.file_digest(content, "sha256").hexdigest()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


async def once(
    request: web.Request,
    context: Context,
    sealer: Sealer,
    asked: replies.KeyedRequest,
    perform: PerformOnce,
    reply_to: ReplyTo,
) -> Reply:
    """Perform a request unless it was performed before; answers its one reply.

    To be called only for a caller who may ask this: others may not learn the reply either. Raises
    UnprocessableContent, Conflict, and what is not kept.
    """
    now = context.milliseconds()
    found = await context.store.write(lambda c: replies.claim(c, asked, now, now + LEASE))
    match found:
        case replies.KeyReused():
            raise UnprocessableContent(
                f"The {KEY_HEADER} {asked.key!r} was used for another request in the last 24 hours."
                " Use a new key for a new request."
            )
        case replies.InProgress():
            return _still_running(asked, request)
        case replies.SavedReply():
            reply = _opened(found.sealed, sealer, asked, context.caller.credential)
            return replace(reply, headers={**reply.headers, REPLAYED_HEADER: "true"})
    return await _Run(request, context, sealer, asked, found, reply_to).perform(perform)


def _still_running(asked: replies.KeyedRequest, request: web.Request) -> Reply:
    told = Conflict(
        f"The request with the {KEY_HEADER} {asked.key!r} is still running. Send the request "
        "again later to get the reply."
    )
    answer = answer_to(told, request)
    answer.headers[hdrs.RETRY_AFTER] = str(ASK_AGAIN)
    return Reply.of(answer)


@dataclass(slots=True)
class _Run:
    """One run of a claimed request; `kept` is the reply that its last write committed."""

    request: web.Request
    context: Context
    sealer: Sealer
    asked: replies.KeyedRequest
    claim: replies.Claim
    reply_to: ReplyTo
    kept: Reply | None = None

    async def perform(self, perform: PerformOnce) -> Reply:
        renewing = asyncio.create_task(self._renew())
        try:
            answer = await perform(replace(self.context, keep_reply=self.keep))
            if self.kept is None:
                self.kept = self.reply_to(answer)
                await self.context.store.write(self._keep_what_is_kept)
        except Exception as error:  # noqa: BLE001 - Every failure is a reply, and logged as one.
            return await self._failed(error)
        finally:
            renewing.cancel()
        return self.kept

    def keep(self, connection: Connection, answer: Any, *, final: bool) -> None:
        """Keep an answer in the transaction of its effect; the effect goes with a lost claim."""
        reply = self.reply_to(answer)
        self._keep(connection, reply, final=final)
        self.kept = reply if final else None

    def _keep_what_is_kept(self, connection: Connection) -> None:
        assert self.kept is not None
        self._keep(connection, self.kept, final=True)

    def _keep(self, connection: Connection, reply: Reply, *, final: bool) -> None:
        if replies.save_reply(connection, self.claim, self._sealed(reply), final=final):
            return
        # Who is deleted takes all replies along, this one too: nobody could ask for it again.
        if replies.belongs_to_somebody(connection, self.asked):
            raise Conflict(
                "This request took too long, so finplan started it again. This attempt changed "
                "nothing. Send the"
                " request again to get the reply."
            )

    def _sealed(self, reply: Reply) -> bytes:
        head = [reply.status, dict(reply.headers), self.context.caller.credential]
        packed = json.dumps(head).encode() + b"\n" + reply.body
        return self.sealer.seal(packed, _about(self.asked))

    async def _failed(self, error: Exception) -> Reply:
        answer = answer_to(error, self.request)
        if answer.status in NOT_KEPT:
            if answer.status != StorageFull.status:
                await self.context.store.write(lambda c: replies.release(c, self.claim))
            raise error
        reply = Reply.of(answer)

        def keep(connection: Connection) -> None:
            # Where a reply was kept for good, or the claim was lost, this changes nothing.
            replies.save_reply(connection, self.claim, self._sealed(reply), final=True)

        await self.context.store.write(keep)
        return reply

    async def _renew(self) -> None:
        held = True
        while held:
            await asyncio.sleep(RENEWAL)
            until = self.context.milliseconds() + LEASE
            try:
                renew = partial(replies.renew, claim=self.claim, until=until)
                held = await self.context.store.write(renew)
            except StorageFull:
                # The performer will be told, or needs no room.
                continue


def _opened(sealed: bytes, sealer: Sealer, asked: replies.KeyedRequest, credential: str) -> Reply:
    try:
        head, _, body = sealer.open(sealed, _about(asked)).partition(b"\n")
    except CannotOpen:
        raise Conflict(
            f"The request with the {KEY_HEADER} {asked.key!r} was carried out, but its reply is "
            "lost because the data key has changed."
        ) from None
    status, headers, *asker = json.loads(head)
    if asker != [credential]:
        raise Conflict(
            f"Another credential sent the request with the {KEY_HEADER} {asked.key!r}, and only that"
            " credential gets the reply. Check what the request changed before you send it with a new"
            " key."
        )
    return Reply(status, body, headers)


def _about(asked: replies.KeyedRequest) -> bytes:
    return about_reply(asked.owner, asked.method, asked.path, asked.key)
