"""The bounds on what is read of a request and on how many are worked on at once."""

import asyncio

import pytest
from erpbench_world.intake import Gone, Intake, LowerCaseHost, TooLarge, read_body
from starlette.types import Message, Receive, Scope, Send


class Client:
    """Messages that come in, one after the other, and those that were sent back."""

    def __init__(self, *messages: Message) -> None:
        self.waiting = list(messages)
        self.answers: list[Message] = []

    async def receive(self) -> Message:
        await asyncio.sleep(0)
        return self.waiting.pop(0)

    async def send(self, message: Message) -> None:
        self.answers.append(message)


def part(body: bytes, more: bool = False) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


DISCONNECT: Message = {"type": "http.disconnect"}
SCOPE: Scope = {"type": "http", "headers": []}


def test_a_body_in_parts_is_joined() -> None:
    assert asyncio.run(read_body(Client(part(b"a", True), part(b"", True), part(b"b")).receive)) == b"ab"


def test_a_body_of_128_kibibytes_is_the_largest() -> None:
    whole = Client(part(b"x" * 65_536, True), part(b"x" * 65_536))
    assert len(asyncio.run(read_body(whole.receive))) == 131_072
    with pytest.raises(TooLarge):
        asyncio.run(read_body(Client(part(b"x" * 131_072, True), part(b"x")).receive))


def test_of_a_body_that_is_too_large_four_mebibytes_are_read() -> None:
    client = Client(*[part(b"x" * 2**20, True) for _ in range(9)])
    with pytest.raises(TooLarge):
        asyncio.run(read_body(client.receive))
    assert len(client.waiting) == 4


def test_a_client_that_leaves_is_answered_nothing() -> None:
    with pytest.raises(Gone):
        asyncio.run(read_body(Client(part(b"a", True), DISCONNECT).receive))
    client, taken = Client(part(b"a", True), DISCONNECT), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        taken.append(scope)

    asyncio.run(Intake(app, asyncio.Semaphore(1))(SCOPE, client.receive, client.send))
    assert (taken, client.answers) == ([], [])


def test_the_application_receives_the_body_once_and_then_the_connection() -> None:
    client, received = Client(part(b"a", True), part(b"b"), DISCONNECT), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.extend([await receive(), await receive()])

    asyncio.run(Intake(app, asyncio.Semaphore(1))(SCOPE, client.receive, client.send))
    assert received == [part(b"ab"), DISCONNECT]


def test_no_more_requests_than_the_gate_lets_in_are_worked_on() -> None:
    working, most = 0, 0

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal working, most
        working += 1
        most = max(most, working)
        await asyncio.sleep(0)
        working -= 1

    async def play() -> None:
        intake = Intake(app, asyncio.Semaphore(4))
        clients = [Client(part(b"a")) for _ in range(20)]
        await asyncio.gather(*(intake(SCOPE, client.receive, client.send) for client in clients))

    asyncio.run(play())
    assert (working, most) == (0, 4)


def test_only_the_host_is_put_into_lower_case() -> None:
    found: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope)

    client = Client()
    scope: Scope = {"type": "http", "headers": [(b"host", b"WORLD:8000"), (b"x", b"Y")]}
    asyncio.run(LowerCaseHost(app)(scope, client.receive, client.send))
    assert found[0]["headers"] == [(b"host", b"world:8000"), (b"x", b"Y")]
