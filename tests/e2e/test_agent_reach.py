"""Names, ports and paths beyond the tools: what a name server is asked, who can call in, what the world serves."""

import ipaddress
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack, docker, main_image
from tests.e2e.test_agent_network import gateway, reached

pytestmark = pytest.mark.engine

LISTEN = """
import socket, sys
server = socket.create_server(("0.0.0.0", {port}))
while True:
    server.accept()[0].close()
"""
RESOLVE = """
import json, socket
known = []
for name in {names!r}:
    try:
        known.append([name, socket.gethostbyname(name)])
    except OSError:
        pass
print(json.dumps(known))
"""
CALLS = """
import http.client, json
answers = []
for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
    for path in {paths!r}:
        connection = http.client.HTTPConnection("world", 8000, timeout=10)
        connection.request(method, path, body=b"{{}}", headers={{"content-type": "application/json"}})
        answers.append([method, path, connection.getresponse().status])
        connection.close()
print(json.dumps(answers))
"""
CONTROL = (
    *("/collect", "/snapshot", "/export", "/control", "/reset", "/seed", "/trace", "/gold", "/contract", "/admin"),
    *("/mcp/control", "/mcp/verifier", "/mcp/trace", "/var/lib/world/world.sqlite", "/healthz/..%2fexport"),
)


class NameServer:
    """Answers every question with "no such name" and keeps what it was asked."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((address, 53))
        self.socket.settimeout(0.2)
        self.asked: list[bytes] = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self) -> None:
        while not self.stop.is_set():
            try:
                question, client = self.socket.recvfrom(512)
            except TimeoutError:
                continue
            self.asked.append(question[12:])
            self.socket.sendto(question[:2] + b"\x81\x83" + question[4:], client)

    def close(self) -> None:
        self.stop.set()
        self.thread.join()
        self.socket.close()


def subnet(network: str) -> str:
    return str(json.loads(docker("network", "inspect", network))[0]["IPAM"]["Config"][0]["Subnet"])


def host_routes() -> list[ipaddress.IPv4Network]:
    """The networks that this machine has a route to, but for the default route."""
    rows = [line.split() for line in Path("/proc/net/route").read_text(encoding="ascii").splitlines()[1:]]
    pairs = [(bytes.fromhex(row[1])[::-1], bytes.fromhex(row[7])[::-1]) for row in rows]
    return [ipaddress.IPv4Network((address, str(ipaddress.IPv4Address(mask)))) for address, mask in pairs if any(mask)]


def named(label: str) -> bytes:
    """A name of two labels as questions spell it."""
    return b"".join(bytes([len(part)]) + part.encode() for part in label.split("."))


@pytest.fixture(scope="module")
def name_server() -> Iterator[NameServer]:
    """A name server of ours on the engine's own bridge. The machine's own is never asked."""
    try:
        server = NameServer(gateway("bridge"))
    except OSError as error:
        pytest.skip(f"needs port 53 of the engine's bridge, as root: {error}")
    yield server
    server.close()


@pytest.fixture(scope="module", params=["sealed", "egress"])
def asking(
    request: pytest.FixtureRequest, task: Path, name_server: NameServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Stack]]:
    """main on either network, with our name server as the one that the engine forwards to."""
    overlay = tmp_path_factory.mktemp("asking") / "main.yaml"
    stack = Stack(
        f"erpbench-e2e-names-{request.param}-{os.getpid()}",
        task / "environment",
        main_image(task, "environment"),
        overlay,
        network=request.param,
        resolver=gateway("bridge"),
    )
    try:
        stack.start()
        yield request.param, stack
    finally:
        stack.stop()


@pytest.mark.attack("agent", "ask for a name of the outside, {asking}", expected="asked with egress alone", flaw=1)
def test_names_leave_the_container_only_with_egress(
    asking: tuple[str, Stack], name_server: NameServer, seen: Seen
) -> None:
    """The name ends in .invalid, which exists nowhere, and ours is the only server that can be asked."""
    network, stack = asking
    name = f"{network}-secret.invalid"
    assert stack.python(RESOLVE.format(names=[name, "world"]))[0][0] == "world"
    asked = any(question.startswith(named(name)) for question in name_server.asked)
    seen(f"{network}: {'the name server was asked' if asked else 'no question came'}; world is known")
    assert asked is (network == "egress")


@pytest.mark.attack("agent", "call the world by a method or path of its own", expected="405 or 404", flaw=2)
def test_the_world_has_no_control_endpoint(episode: Stack, seen: Seen) -> None:
    before = episode.run("sh", "-c", "ls /var/lib/world/export", service="world")
    answers = episode.python(CALLS.format(paths=CONTROL))
    statuses = sorted({status for _, _, status in answers})
    seen(f"{len(answers)} requests: {', '.join(map(str, statuses))}")
    assert len(answers) == 7 * len(CONTROL)
    assert set(statuses) <= {400, 404, 405}
    assert episode.run("sh", "-c", "ls /var/lib/world/export", service="world") == before == ""


@pytest.mark.attack("agent", "run the collect hook itself", expected="no such program, no such folder", flaw=2)
def test_the_collect_hook_cannot_be_run_from_the_agents_container(episode: Stack, seen: Seen) -> None:
    code, said = episode.attempt("python3", "-m", "erpbench_world.snapshot")
    folder, _ = episode.attempt("mkdir", "-p", "/var/lib/world/export")
    seen("no module erpbench_world; /var/lib/world cannot be made")
    assert code == 1
    assert "No module named" in said
    assert folder != 0


@pytest.mark.attack("agent", "listen on ports, also as the world's", expected="nobody outside can call in", flaw=1)
def test_a_listener_of_the_agents_is_reached_by_nobody(episode: Stack, seen: Seen) -> None:
    """Shown by routes: the host has none to the sealed network, so an attempt of its own would leave the machine."""
    for port in (8000, 8080):
        docker("exec", "--detach", episode.container(), "python3", "-I", "-c", LISTEN.format(port=port))
    deadline = time.monotonic() + 10
    while len(reached(episode, ("127.0.0.1", 8000), ("127.0.0.1", 8080))) < 2:
        assert time.monotonic() < deadline, "the listeners did not start"
    sealed = ipaddress.ip_network(subnet(f"{episode.project}_sealed"))
    routes = [network for network in host_routes() if network.overlaps(sealed)]
    ports = episode.inspect()["NetworkSettings"]["Ports"]
    seen(f"routes of the host to the sealed network: {routes or 'none'}; published: {ports or 'none'}")
    assert routes == []
    assert not ports
    assert any(network.overlaps(ipaddress.ip_network(subnet("bridge"))) for network in host_routes())
    assert episode.run("erp", "servers").count("tools") == 6


@pytest.mark.attack("agent", "the engine's socket, or a device of the host, in {service}", expected="none", flaw=8)
@pytest.mark.parametrize("service", ["main", "world"])
def test_no_socket_of_the_engine_and_no_device(episode: Stack, service: str, seen: Seen) -> None:
    search = "find / -type s -not -path '/proc/*' 2>/dev/null; find /dev -type b 2>/dev/null; true"
    found = episode.run("sh", "-c", search, user="0", service=service).split()
    unix = [line for line in episode.run("cat", "/proc/net/unix", service=service).splitlines() if "docker" in line]
    seen("no socket file, no block device" if not found + unix else ", ".join(found + unix))
    assert found + unix == []
