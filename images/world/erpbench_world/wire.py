"""How a connection is kept: an answer leaves in one piece, and a request that never becomes whole ends its connection.

In: uvicorn's HTTP/1.1 protocol. Out: the same protocol, byte for byte, with fewer system calls and a bound on waiting.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 20.0
"""How long a request may take to come in whole, from its first byte; the first one of a connection from its opening."""
READ_BYTES = 32 * 1024
"""How much is read of a connection at a time; asyncio's own 256 KiB would be held for each of many senders at once."""
_COMING = (h11.IDLE, h11.SEND_BODY)


class Gathered:
    """A transport that sends what is written to it in one turn of the loop at once: a head together with its body.

    Everything else is the transport's own.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not data:
            return
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)

    def flush(self) -> None:
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._transport.write(data)

    def close(self) -> None:
        self.flush()
        self._transport.close()


class PatientProtocol(H11Protocol):
    """uvicorn's protocol over a gathered transport. A slow sender holds its connection for REQUEST_SECONDS at most."""

    gathered: Gathered
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.max_size = READ_BYTES  # type: ignore[attr-defined]
        self.gathered = Gathered(transport, self.loop)
        super().connection_made(self.gathered)  # type: ignore[arg-type]
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in _COMING:
            self._wait()
        elif self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def on_response_complete(self) -> None:
        self.gathered.flush()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(REQUEST_SECONDS, self.gathered.close)
