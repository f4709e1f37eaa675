"""An answer in one piece, the same bytes as uvicorn's own protocol sends, and an end to waiting."""

import asyncio
from pathlib import Path

import erpbench_world.wire
import pytest
import uvicorn
from erpbench_world.server import build_app
from erpbench_world.wire import Gathered, PatientProtocol

from tests.world_fixture import make_world

REQUEST = b'POST /mcp/slack HTTP/1.1\r\nHost: world\r\nContent-Type: application/json\r\nAccept: application/json\r\n'
LIST = REQUEST + b'Content-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}'


class Recorder(asyncio.Transport):
    """Notes what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))

    def close(self) -> None:
        self.closed = True


def test_what_is_written_in_one_turn_is_sent_at_once() -> None:
    async def play() -> list[bytes]:
        recorder = Recorder()
        gathered = Gathered(recorder, asyncio.get_running_loop())
        for part in (b"head", b"", b"body"):
            gathered.write(part)
        await asyncio.sleep(0)
        gathered.write(b"next")
        gathered.close()
        await asyncio.sleep(0)
        assert recorder.closed
        return recorder.writes

    assert asyncio.run(play()) == [b"headbody", b"next"]


async def exchange(folder: Path, protocol: type[PatientProtocol] | str, sent: bytes) -> tuple[list[bytes], float]:
    """What a served world answers in a second at most, piece by piece as it is read, and after how long it closed."""
    loop = asyncio.get_running_loop()
    with make_world(folder) as world:
        config = uvicorn.Config(
            build_app(world), port=0, log_level="error", http=protocol, lifespan="on", date_header=False
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        started, pieces, ended = loop.time(), [], -1.0
        while loop.time() - started < 1:
            try:
                piece = await asyncio.wait_for(reader.read(1 << 20), 0.5)
            except TimeoutError:
                continue
            if not piece:
                ended = loop.time() - started
                break
            pieces.append(piece)
        writer.close()
        server.should_exit = True
        await running
    return pieces, ended


def test_the_answer_is_that_of_uvicorns_own_protocol(tmp_path: Path) -> None:
    ours, _ = asyncio.run(exchange(tmp_path / "a", PatientProtocol, LIST))
    theirs, _ = asyncio.run(exchange(tmp_path / "b", "h11", LIST))
    assert b"".join(ours) == b"".join(theirs)
    assert b"".join(ours).startswith(b"HTTP/1.1 200 OK\r\n")
    assert len(ours) == 1


@pytest.mark.parametrize("begun", [b"", b"POST /mcp/slack HT", REQUEST + b"Content-Length: 46\r\n\r\n{"])
def test_a_request_that_does_not_become_whole_ends_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(erpbench_world.wire, "REQUEST_SECONDS", 0.2)
    pieces, ended = asyncio.run(exchange(tmp_path, PatientProtocol, begun))
    assert pieces == []
    assert 0.15 < ended < 1


def test_a_whole_request_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erpbench_world.wire, "REQUEST_SECONDS", 0.2)
    pieces, ended = asyncio.run(exchange(tmp_path, PatientProtocol, LIST))
    assert len(pieces) == 1
    assert ended == -1.0
