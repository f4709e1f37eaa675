"""The documented switch both ways: ERPBENCH_AGENT_NETWORK=egress gives main a way out, and nothing else changes.

The listeners that main tries are this file's own: one on the host, at the engine's address on the task's egress
network; one in a container on that network; one in a container on a network of its own. No outside address is tried.
"""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack, docker, main_image
from tests.e2e.test_agent_network import address_on, gateway, listening_host, reached

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def open_episode(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    overlay = tmp_path_factory.mktemp("egress") / "main.yaml"
    image = main_image(task, "environment")
    stack = Stack(f"erpbench-e2e-egress-{os.getpid()}", task / "environment", image, overlay, network="egress")
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@pytest.fixture(scope="module")
def places(open_episode: Stack) -> Iterator[dict[str, tuple[str, int]]]:
    """Three listeners that are not the world: what they are, and where."""
    name = f"erpbench-e2e-listen-{os.getpid()}"
    egress = f"{open_episode.project}_egress"
    serve = ("python3", "-m", "http.server", "8000")
    docker("network", "create", name)
    try:
        docker("run", "--detach", "--name", f"{name}-beside", "--network", egress, open_episode.image, *serve)
        docker("run", "--detach", "--name", f"{name}-apart", "--network", name, open_episode.image, *serve)
        with listening_host() as port:
            found = {
                "host": (gateway(egress), port),
                "container on egress": (address_on(f"{name}-beside", egress), 8000),
                "container elsewhere": (address_on(f"{name}-apart", name), 8000),
            }
            for place in found.values():
                wait_for(place)
            yield found
    finally:
        docker("rm", "--force", f"{name}-beside", f"{name}-apart", check=False)
        docker("network", "rm", name, check=False)


def wait_for(place: tuple[str, int]) -> None:
    """Until the host reaches the listener: so a probe from main that fails, fails for main alone."""
    deadline = time.monotonic() + 10
    while True:
        with socket.socket() as probe:
            probe.settimeout(2)
            if probe.connect_ex(place) == 0:
                return
        assert time.monotonic() < deadline, f"{place} does not listen"
        time.sleep(0.1)


def places_reached(stack: Stack, places: dict[str, tuple[str, int]]) -> list[str]:
    found = [tuple(place) for place in reached(stack, *places.values())]
    return [name for name, place in places.items() if place in found]


@pytest.mark.attack("agent", "switch off: reach host and containers", expected="none is reached", flaw=1)
def test_by_default_no_listener_is_reached(episode: Stack, places: dict[str, tuple[str, int]], seen: Seen) -> None:
    found = places_reached(episode, places)
    seen(f"reached: {', '.join(found) or 'none of host, container on egress, container elsewhere'}")
    assert found == []


@pytest.mark.attack("agent", "switch on: what it gives away", expected="host and its own network, world sealed", flaw=1)
def test_with_egress_host_and_neighbours_are_reached(
    open_episode: Stack, places: dict[str, tuple[str, int]], seen: Seen
) -> None:
    found = places_reached(open_episode, places)
    seen(f"reached, as documented: {', '.join(found)}")
    assert found == ["host", "container on egress"]


def test_main_is_on_the_egress_network_with_a_default_route(open_episode: Stack) -> None:
    assert list(open_episode.inspect()["NetworkSettings"]["Networks"]) == [f"{open_episode.project}_egress"]
    routes = [line.split() for line in open_episode.run("cat", "/proc/net/route").splitlines()[1:]]
    assert [route[1] for route in routes].count("00000000") == 1


def test_the_world_is_still_reached_by_name(open_episode: Stack) -> None:
    assert open_episode.run("curl", "-fsS", "http://world:8000/healthz") != ""
    assert len(open_episode.run("erp", "servers").splitlines()) == 6


@pytest.mark.attack("agent", "switch on: rights of main", expected="as without it", flaw=8)
def test_the_switch_changes_no_right(episode: Stack, open_episode: Stack, seen: Seen) -> None:
    keys = ("CapAdd", "CapDrop", "SecurityOpt", "ReadonlyRootfs", "PidsLimit", "Memory", "MemorySwap", "Tmpfs", "Binds")
    closed, opened = (
        {key: str(stack.inspect()["HostConfig"][key]).replace(stack.project, "") for key in keys}
        for stack in (episode, open_episode)
    )
    seen("the same capabilities, limits and mounts")
    assert closed == opened
    assert open_episode.run("id", "-u").strip() == "10001"
