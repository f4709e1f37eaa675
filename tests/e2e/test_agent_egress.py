"""The documented switch: ERPBENCH_AGENT_NETWORK=egress gives main a way out, and the world is still reached."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.stack import Stack, main_image

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def open_episode(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    overlay = tmp_path_factory.mktemp("egress") / "main.yaml"
    stack = Stack(f"erpbench-e2e-egress-{os.getpid()}", task / "environment", main_image(task, "environment"), overlay)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ERPBENCH_AGENT_NETWORK", "egress")
        try:
            stack.start()
            yield stack
        finally:
            stack.stop()


def test_main_is_on_the_egress_network_with_a_default_route(open_episode: Stack) -> None:
    assert list(open_episode.inspect()["NetworkSettings"]["Networks"]) == [f"{open_episode.project}_egress"]
    routes = [line.split() for line in open_episode.run("cat", "/proc/net/route").splitlines()[1:]]
    assert [route[1] for route in routes].count("00000000") == 1


def test_the_world_is_still_reached_by_name(open_episode: Stack) -> None:
    assert open_episode.run("curl", "-fsS", "http://world:8000/healthz") != ""
    assert len(open_episode.run("erp", "servers").splitlines()) == 6
