"""What the agent's container can reach: the world's one port; no listener of ours elsewhere, nor on the host."""

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack, docker

pytestmark = pytest.mark.engine

# Tries to connect to each (address, port) and reports those that accept.
CONNECT = """
import json, socket
reached = []
for address, port in {targets!r}:
    with socket.socket() as probe:
        probe.settimeout(2)
        if probe.connect_ex((address, port)) == 0:
            reached.append([address, port])
print(json.dumps(reached))
"""
SCAN = """
import json, socket
address = socket.gethostbyname("world")
open_ports = []
for port in range(1, 65536):
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex((address, port)) == 0:
            open_ports.append(port)
print(json.dumps(open_ports))
"""
GET = """
import http.client, json
answers = {{}}
for path in {paths!r}:
    connection = http.client.HTTPConnection("world", 8000, timeout=5)
    connection.request("GET", path)
    response = connection.getresponse()
    answers[path] = [response.status, response.read(200).decode("latin-1")]
print(json.dumps(answers))
"""


def reached(stack: Stack, *targets: tuple[str, int]) -> list[list[object]]:
    answer = stack.python(CONNECT.format(targets=list(targets)))
    return list(answer)


def gateway(network: str) -> str:
    config = json.loads(docker("network", "inspect", network))[0]["IPAM"]["Config"]
    return str(config[0]["Gateway"])


def address_on(container: str, network: str) -> str:
    networks = json.loads(docker("inspect", container))[0]["NetworkSettings"]["Networks"]
    return str(networks[network]["IPAddress"])


@contextlib.contextmanager
def listening_host() -> Iterator[int]:
    """A port of this machine that accepts on every address."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        server.settimeout(0.2)
        stop = threading.Event()

        def accept() -> None:
            while not stop.is_set():
                try:
                    server.accept()[0].close()
                except TimeoutError:
                    continue

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            stop.set()
            thread.join()


@pytest.fixture(scope="module")
def stranger(episode: Stack) -> Iterator[tuple[str, str]]:
    """A container of ours that listens on port 8000 of a network of its own; gives its address and its name."""
    name = f"erpbench-e2e-stranger-{os.getpid()}"
    docker("network", "create", name)
    try:
        docker(
            "run", "--detach", "--name", name, "--network", name, episode.image, "python3", "-m", "http.server", "8000"
        )
        yield address_on(name, name), name
    finally:
        docker("rm", "--force", name, check=False)
        docker("network", "rm", name, check=False)


@pytest.fixture
def host_port() -> Iterator[int]:
    with listening_host() as port:
        yield port


@pytest.mark.attack("agent", "scan all ports of the world", expected="port 8000 alone", flaw=1)
def test_the_world_is_reached_and_only_on_port_8000(episode: Stack, seen: Seen) -> None:
    assert episode.run("curl", "-fsS", "http://world:8000/healthz") != ""
    ports = episode.python(SCAN)
    seen(f"of 65,535 ports open: {ports}")
    assert ports == [8000]


def test_six_servers_list_their_tools(episode: Stack) -> None:
    lines = episode.run("erp", "servers").splitlines()
    assert [line.split()[0] for line in lines] == [
        "erpbench",
        "oracle_fusion",
        "gmail",
        "google_drive",
        "google_sheets",
        "slack",
    ]


@pytest.mark.attack("agent", "reach a container on another network", expected="not reached", flaw=1)
def test_a_listener_on_another_network_is_not_reached(episode: Stack, stranger: tuple[str, str], seen: Seen) -> None:
    address, name = stranger
    alive = CONNECT.format(targets=[("127.0.0.1", 8000)])
    for _ in range(50):
        if json.loads(docker("exec", name, "python3", "-c", alive)):
            break
        time.sleep(0.1)
    assert json.loads(docker("exec", name, "python3", "-c", alive)) == [["127.0.0.1", 8000]]
    found = reached(episode, (address, 8000), ("world", 8000))
    seen(f"reached {found}")
    assert found == [["world", 8000]]


@pytest.mark.attack("agent", "reach the host by any of its bridge addresses", expected="not reached", flaw=1)
def test_the_host_is_not_reached_by_any_of_its_addresses(
    episode: Stack, stranger: tuple[str, str], host_port: int, seen: Seen
) -> None:
    addresses = [gateway(network) for network in (f"{episode.project}_sealed", "bridge", stranger[1])]
    with socket.create_connection((gateway("bridge"), host_port), timeout=2):
        pass  # the listener does listen: from the host its address answers
    found = reached(episode, *[(address, host_port) for address in addresses])
    seen(f"{len(found)} of {len(addresses)} addresses reached")
    assert found == []


@pytest.mark.attack("agent", "find a way out", expected="no default route, no outside name server", flaw=1)
def test_routes_and_name_servers_show_only_the_sealed_network(episode: Stack, seen: Seen) -> None:
    routes = [line.split() for line in episode.run("cat", "/proc/net/route").splitlines()[1:]]
    assert len(routes) == 1
    interface, destination, via = routes[0][:3]
    assert (interface, via) == ("eth0", "00000000")
    assert destination != "00000000"
    servers = [line for line in episode.run("cat", "/etc/resolv.conf").splitlines() if line.startswith("nameserver")]
    assert servers == ["nameserver 127.0.0.11"]
    six = episode.run("cat", "/proc/net/if_inet6").split()
    assert six == [] or set(six[5::6]) == {"lo"}
    assert list(episode.inspect()["NetworkSettings"]["Networks"]) == [f"{episode.project}_sealed"]
    seen("one route, to the sealed network; the engine's own name server; no IPv6 but loopback")


@pytest.mark.attack("agent", "use the world as a way out", expected="it has none", flaw=8)
def test_the_world_itself_has_no_way_out(episode: Stack, seen: Seen) -> None:
    routes = [line.split() for line in episode.run("cat", "/proc/net/route", service="world").splitlines()[1:]]
    networks = list(episode.inspect("world")["NetworkSettings"]["Networks"])
    seen(f"{len(routes)} route, none a default; {len(networks)} network, the sealed one")
    assert networks == [f"{episode.project}_sealed"]
    assert len(routes) == 1
    assert routes[0][1] != "00000000"


@pytest.mark.attack("agent", "fetch seed, snapshot or trace by path", expected="400 to 405, no database", flaw=2)
def test_the_world_serves_no_file_of_its_own(episode: Stack, seen: Seen) -> None:
    paths = [
        *(
            "/",
            "/seed/world.sqlite",
            "/export/world.sqlite",
            "/world.sqlite",
            "/trace",
            "/mcp",
            "/docs",
            "/openapi.json",
        ),
        *("/mcp/erpbench/../../seed/world.sqlite", "/..%2f..%2fseed%2fworld.sqlite"),
        *("/drive/v3/files/..%2Fworld.sqlite?alt=media", "/drive/v3/files/%2Fseed%2Fworld.sqlite?alt=media"),
        *("/drive/v3/files/../../../seed/world.sqlite?alt=media", "/drive/v3/files/%2e%2e%2fworld.sqlite?alt=media"),
    ]
    answers = episode.python(GET.format(paths=paths))
    seen(f"{len(answers)} paths: {sorted({status for status, _ in answers.values()})}")
    assert len(answers) == len(paths)
    for path, (status, body) in answers.items():
        assert status in (400, 403, 404, 405), path
        assert "SQLite format" not in body


def test_the_engine_is_not_in_the_container(episode: Stack) -> None:
    assert episode.run("sh", "-c", "ls /var/run/docker.sock /run/docker.sock 2>/dev/null || true") == ""
    assert episode.inspect()["HostConfig"]["PidMode"] == ""
    assert episode.inspect()["HostConfig"]["IpcMode"] == "private"
