"""What happens to a request before MCP sees it: its body is read within bounds, and few are worked on at a time.

In: an ASGI application. Out: one that takes the same requests. A JSON body takes up to a hundred times its size once
it is parsed, so that the bounds together keep the world below its container's memory however many connections post.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 128 * 1024
MAX_DRAINED = 4 * 1024 * 1024
"""How much of a body that is too large is still read, and thrown away, so that the client gets to read the answer."""
MAX_AT_ONCE = 4
MAX_CONNECTIONS = 64
MAX_HEADERS = 32 * 1024


class TooLarge(Exception):
    """The body is larger than MAX_BODY."""


class Gone(Exception):
    """The client left before it had sent its whole body."""


class LowerCaseHost:
    """Host headers are compared without case (RFC 9110, section 4.2.3); the SDK compares them as they come."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value.lower() if name == b"host" else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await self.app(scope, receive, send)


class Intake:
    """The application behind a bound on the body and on how many requests are worked on at once.

    A body that is too large is answered with 413. A client that leaves in the middle of its body gets nothing, and
    nothing is logged. A slow body does not keep others waiting: only whole ones pass the gate.
    """

    def __init__(self, app: ASGIApp, gate: asyncio.Semaphore) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(receive)
        except TooLarge:
            await refuse(send)
            return
        except Gone:
            return
        async with self.gate:
            await self.app(scope, replayed(body, receive), send)


async def read_body(receive: Receive) -> bytes:
    """The whole body. Raises TooLarge (once up to MAX_DRAINED has been read) and Gone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        size += len(message.get("body", b""))
        if size > MAX_BODY:
            parts.clear()
        else:
            parts.append(message.get("body", b""))
        if size > MAX_DRAINED or not message.get("more_body", False):
            break
    if size > MAX_BODY:
        raise TooLarge
    return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """What the application receives: the body in one message, then whatever comes of the connection."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


async def refuse(send: Send) -> None:
    """413, and the connection is closed: what else the client sends is not read."""
    text = f"the body is larger than {MAX_BODY} bytes".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text})
