"""The rendered files of a task directory: what task.toml says, how containers are closed, where the canary stands."""

import dataclasses
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.harbor.files import HarborTask, harbor_files, holds_gold, toml_value
from tests.harbor_fixture import CANARY, harbor_task


def rendered(name: str, **changes: Any) -> str:
    return harbor_files(dataclasses.replace(harbor_task(), **changes))[name].decode()


def test_the_files_are_those_that_are_not_data() -> None:
    assert list(harbor_files(harbor_task())) == [
        "README.md",
        "environment/docker-compose.yaml",
        "solution/run_plan.py",
        "solution/solve.sh",
        "task.toml",
        "tests/docker-compose.yaml",
        "tests/test.sh",
    ]


def test_task_toml_names_the_task_its_images_and_six_servers() -> None:
    config = tomllib.loads(rendered("task.toml"))
    assert config["schema_version"] == "1.4"
    assert config["task"]["name"] == "erpbench/erpbench-001"
    assert config["task"]["keywords"] == ["erp", "order_import"]
    assert config["metadata"]["title"] == 'Import the "consolidated" order'
    assert config["environment"]["docker_image"] == "erpbench100/agent:1.0.0"
    assert config["verifier"]["environment"]["docker_image"] == "erpbench100/verifier:1.0.0"
    assert config["environment"]["mcp_servers"] == [
        {"name": name, "transport": "streamable-http", "url": f"http://world:8000/mcp/{name}"}
        for name in ("erpbench", "oracle_fusion", "gmail", "google_drive", "google_sheets", "slack")
    ]


def test_the_verifier_is_separate_and_reads_only_the_worlds_export() -> None:
    config = tomllib.loads(rendered("task.toml"))
    assert config["artifacts"] == [{"source": "/var/lib/world/export", "service": "world"}]
    assert config["verifier"]["environment_mode"] == "separate"
    assert "user" not in config["verifier"]
    assert config["verifier"]["collect"] == [
        {"service": "world", "command": "python -m erpbench_world.snapshot", "timeout_sec": 60.0}
    ]
    assert config["agent"]["user"] == 10001


@pytest.mark.parametrize("name", ["environment/docker-compose.yaml", "tests/docker-compose.yaml"])
def test_every_container_is_hardened(name: str) -> None:
    for service in yaml.safe_load(rendered(name))["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["init"] is True
        assert service["user"] in ("10001:10001", "10002:10002", "10003:10003")
        assert service["pids_limit"] <= 256
        assert service["mem_limit"] == service["memswap_limit"]
        assert service["stop_grace_period"] == "1s"


def test_both_are_on_the_sealed_network_unless_the_switch_says_otherwise() -> None:
    compose = yaml.safe_load(rendered("environment/docker-compose.yaml"))
    assert compose["services"]["main"]["networks"] == ["${ERPBENCH_AGENT_NETWORK:-sealed}"]
    assert compose["services"]["world"]["networks"] == ["${ERPBENCH_AGENT_NETWORK:-sealed}"]
    no_host = {"com.docker.network.bridge.inhibit_ipv4": "true"}
    assert compose["networks"] == {"sealed": {"internal": True, "driver_opts": no_host}, "egress": {}}


def test_only_the_world_sees_the_seed_and_only_to_read() -> None:
    services = yaml.safe_load(rendered("environment/docker-compose.yaml"))["services"]
    assert services["world"]["volumes"] == ["./seed:/seed:ro", "world-data:/var/lib/world"]
    assert services["main"]["volumes"] == ["main-logs:/logs", "main-solution:/solution"]
    assert services["world"]["image"] == "erpbench100/world:1.0.0"
    assert services["world"]["environment"]["WORLD_TOOL_NAMES"] == "underscore"


def test_the_verifier_has_no_network() -> None:
    main = yaml.safe_load(rendered("tests/docker-compose.yaml"))["services"]["main"]
    assert main["network_mode"] == "none"
    assert "networks" not in main


@given(
    title=st.text(st.characters(exclude_categories=["Cs"])),
    company=st.text(st.characters(exclude_categories=["Cs"])),
)
def test_any_title_and_company_survive_toml(title: str, company: str) -> None:
    task = dataclasses.replace(harbor_task(), title=title, company=company)
    text = harbor_files(task)["task.toml"].decode()
    metadata = tomllib.loads(text)["metadata"]
    assert (metadata["title"], metadata["company"]) == (title, company)


def test_the_canary_stands_in_gold_and_nowhere_else() -> None:
    files = harbor_files(harbor_task())
    with_canary = {name for name, content in files.items() if CANARY.encode() in content}
    assert with_canary == {
        "README.md",
        "solution/run_plan.py",
        "solution/solve.sh",
        "tests/docker-compose.yaml",
        "tests/test.sh",
    }
    assert not holds_gold("environment/docker-compose.yaml")


def test_a_canary_in_what_the_agent_reads_is_refused() -> None:
    with pytest.raises(ValueError, match=r"erpbench-001/task\.toml: the canary belongs into gold files"):
        harbor_files(dataclasses.replace(harbor_task(), description=f"See {CANARY}."))


def test_a_canary_of_two_lines_is_refused() -> None:
    with pytest.raises(ValueError, match="a canary is one line"):
        HarborTask("t", "", "", "", "", (), "one\ntwo", "1.0.0", "p/")


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert harbor_files(harbor_task()) == harbor_files(harbor_task())


def test_toml_escapes_what_json_leaves_bare() -> None:
    assert toml_value('a"\x7f') == '"a\\"\\u007f"'
    assert toml_value(("a", "b")) == '["a", "b"]'
