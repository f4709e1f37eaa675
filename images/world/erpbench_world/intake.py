"""What happens to a request before MCP sees it: its body is read within bounds, and few are worked on at a time.

In: an ASGI application. Out: one that takes the same requests. A JSON body takes up to a hundred times its size once
it is parsed, so that the bounds together keep the world below its container's memory however many connections post.
"""

import asyncio
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 128 * 1024
MAX_DRAINED = 4 * 1024 * 1024
"""How much of a body that is too large is still read, and thrown away, so that the client gets to read the answer."""
MAX_AT_ONCE = 4
MAX_HELD = 8 * 1024 * 1024
"""Bytes of bodies that are held at any time, of all requests together, those that wait for the rest of theirs too."""
MAX_CONNECTIONS = 256
MAX_HEADERS = 32 * 1024


class TooLarge(Exception):
    """The body is larger than MAX_BODY."""


class Full(Exception):
    """The bodies of all requests together are larger than MAX_HELD."""


class Gone(Exception):
    """The client left before it had sent its whole body."""


class LowerCaseHost:
    """Host headers are compared without case (RFC 9110, section 4.2.3); the SDK compares them as they come."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and any(
            name == b"host" and value != value.lower() for name, value in scope["headers"]
        ):
            headers = [(name, value.lower() if name == b"host" else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await self.app(scope, receive, send)


class Front:
    """Posts to an endpoint's very path go there at once, everything else by way of the routes."""

    def __init__(self, endpoints: Mapping[str, ASGIApp], rest: ASGIApp) -> None:
        self.endpoints = endpoints
        self.rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        posted = scope["type"] == "http" and scope["method"] == "POST"
        app = self.endpoints.get(scope["path"], self.rest) if posted else self.rest
        await app(scope, receive, send)


class Room:
    """What all requests share: how many bytes of bodies are held, and a gate that lets few requests through."""

    def __init__(self) -> None:
        self.held = 0
        self.gate = asyncio.Semaphore(MAX_AT_ONCE)

    def take(self, size: int) -> None:
        """Raises Full where there is no room for so many bytes more."""
        if self.held + size > MAX_HELD:
            raise Full
        self.held += size


class Intake:
    """The application behind a bound on the body and on how many requests are worked on at once.

    A body that is too large is answered with 413, one for which there is no room with 503. A client that leaves in the
    middle of its body gets nothing, and nothing is logged. A slow body does not keep others waiting, nor does a client
    that is slow to read its answer: only whole requests pass the gate, and they are past it when they are answered.
    """

    def __init__(self, app: ASGIApp, room: Room) -> None:
        self.app = app
        self.room = room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(self.room)
        answer: list[Message] = []

        async def gather(message: Message) -> None:
            answer.append(message)

        try:
            whole = await body.read(receive)
            async with self.room.gate:
                await self.app(scope, replayed(whole, receive), gather)
        except TooLarge:
            answer = refusal(413, f"the body is larger than {MAX_BODY} bytes")
        except Full:
            answer = refusal(503, "too many large requests at once; please send this one again")
        except Gone:
            return
        finally:
            body.release()
        for message in answer:
            await send(message)


class Body:
    """A request's body while it is held; it takes its bytes from the room and gives them back."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.parts: list[bytes] = []
        self.size = 0

    async def read(self, receive: Receive) -> bytes:
        """The whole body. Raises TooLarge (once up to MAX_DRAINED has been read), Full and Gone."""
        drained = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Gone
            part = message.get("body", b"")
            if drained or self.size + len(part) > MAX_BODY:
                drained = (drained or self.size) + len(part)
                self.release()
            else:
                self.room.take(len(part))
                self.size += len(part)
                self.parts.append(part)
            if drained > MAX_DRAINED or not message.get("more_body", False):
                break
        if drained:
            raise TooLarge
        return self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)

    def release(self) -> None:
        self.room.held -= self.size
        self.size = 0
        self.parts.clear()


def replayed(body: bytes, receive: Receive) -> Receive:
    """What the application receives: the body in one message, then whatever comes of the connection."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def refusal(status: int, text: str) -> list[Message]:
    """The answer, after which the connection is closed: what else the client sends is not read."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    return [
        {"type": "http.response.start", "status": status, "headers": headers},
        {"type": "http.response.body", "body": body},
    ]
