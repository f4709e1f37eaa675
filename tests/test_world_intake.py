"""The bounds on what is read of a request and on how many are worked on at once."""

import asyncio

import pytest
from erpbench_world.intake import Body, Full, Gone, Intake, LowerCaseHost, Room, TooLarge
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


async def whole(receive: Receive) -> bytes:
    return await Body(Room()).read(receive)


DISCONNECT: Message = {"type": "http.disconnect"}
SCOPE: Scope = {"type": "http", "headers": []}


def test_a_body_in_parts_is_joined() -> None:
    assert asyncio.run(whole(Client(part(b"a", True), part(b"", True), part(b"b")).receive)) == b"ab"


def test_a_body_of_128_kibibytes_is_the_largest() -> None:
    client = Client(part(b"x" * 65_536, True), part(b"x" * 65_536))
    assert len(asyncio.run(whole(client.receive))) == 131_072
    with pytest.raises(TooLarge):
        asyncio.run(whole(Client(part(b"x" * 131_072, True), part(b"x")).receive))


def test_of_a_body_that_is_too_large_four_mebibytes_are_read() -> None:
    client = Client(*[part(b"x" * 2**20, True) for _ in range(9)])
    with pytest.raises(TooLarge):
        asyncio.run(whole(client.receive))
    assert len(client.waiting) == 4


def test_a_client_that_leaves_is_answered_nothing() -> None:
    with pytest.raises(Gone):
        asyncio.run(whole(Client(part(b"a", True), DISCONNECT).receive))
    client, taken = Client(part(b"a", True), DISCONNECT), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        taken.append(scope)

    asyncio.run(Intake(app, Room())(SCOPE, client.receive, client.send))
    assert (taken, client.answers) == ([], [])


def test_the_application_receives_the_body_once_and_then_the_connection() -> None:
    client, received = Client(part(b"a", True), part(b"b"), DISCONNECT), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.extend([await receive(), await receive()])

    asyncio.run(Intake(app, Room())(SCOPE, client.receive, client.send))
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
        intake = Intake(app, Room())
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


def test_bodies_of_all_requests_together_are_held_up_to_eight_mebibytes() -> None:
    room = Room()
    bodies = [Body(room) for _ in range(65)]
    parts = [Client(part(b"x" * 131_072)) for _ in bodies]
    for body, client in zip(bodies[:64], parts, strict=False):
        asyncio.run(body.read(client.receive))
    assert room.held == 8 * 2**20
    with pytest.raises(Full):
        asyncio.run(bodies[64].read(parts[64].receive))
    bodies[0].release()
    assert len(asyncio.run(bodies[64].read(Client(part(b"x" * 131_072)).receive))) == 131_072


def test_without_room_a_request_is_answered_503_and_holds_nothing() -> None:
    room = Room()
    room.held = 8 * 2**20 - 1
    client, taken = Client(part(b"ab")), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        taken.append(scope)

    asyncio.run(Intake(app, room)(SCOPE, client.receive, client.send))
    assert (taken, [message.get("status") for message in client.answers]) == ([], [503, None])
    assert room.held == 8 * 2**20 - 1


def test_a_client_that_is_slow_to_read_does_not_hold_the_gate() -> None:
    room = Room()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x"})

    async def never(message: Message) -> None:
        await asyncio.Event().wait()

    async def play() -> list[Message]:
        stuck = [Intake(app, room)(SCOPE, Client(part(b"a")).receive, never) for _ in range(9)]
        tasks = [asyncio.create_task(one) for one in stuck]
        await asyncio.sleep(0.01)
        client = Client(part(b"a"))
        await asyncio.wait_for(Intake(app, room)(SCOPE, client.receive, client.send), 5)
        for task in tasks:
            task.cancel()
        return client.answers

    assert [message.get("status") for message in asyncio.run(play())] == [200, None]
    assert room.held == 0
