"""Comparing what a consumer read with what stands in the task directory, on probe output made by hand."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.interop.compare import About, Reading, compare, parse_lines
from generator.interop.consumers import CONSUMERS, InteropError, chosen_consumers
from generator.interop.offline import probe_environment
from generator.interop.probes.probe_lines import read_all
from generator.interop.report import build_json, build_markdown, problems, row, write_report
from generator.interop.run import InteropRequest, Result, expected_tasks, interpreter, run_consumer
from generator.interop.source import expected_fields
from generator.interop.workplace import lay_out, registry_for

INSTRUCTION = "Morning.\nPlease enter the order.\n"
TASK_TOML = """
artifacts = [{ source = "/var/lib/world/export", service = "world" }]
[task]
name = "erpbench/NAME"
description = "An order"
keywords = ["erp", "order"]
[environment]
docker_image = "x/agent:1"
workdir = "/workspace"
cpus = 1
memory_mb = 1024
[[environment.mcp_servers]]
name = "gmail"
transport = "streamable-http"
url = "http://world:8000/mcp/gmail"
[agent]
user = 10001
timeout_sec = 3600.0
[verifier]
environment_mode = "separate"
timeout_sec = 120.0
[verifier.environment]
docker_image = "x/verifier:1"
[[verifier.collect]]
service = "world"
command = "snapshot"
timeout_sec = 60.0
"""
SOURCES: dict[str, dict[str, Any]] = {
    "erpbench-001": {"name": "erpbench/erpbench-001", "cpus": 1, "image": "x/agent:1"},
    "erpbench-002": {"name": "erpbench/erpbench-002", "cpus": 1, "image": "x/agent:1"},
}
FIELDS = ("name", "cpus", "image")


def line(task: str, **changed: Any) -> dict[str, Any]:
    return {"route": "folder", "task": task, "read": {**SOURCES[task], **changed}}


def write_dataset(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name / "environment").mkdir(parents=True)
        (folder / name / "task.toml").write_text(TASK_TOML.replace("NAME", name), encoding="utf-8")
        (folder / name / "instruction.md").write_text(INSTRUCTION, encoding="utf-8")
        compose = "services: {world: {image: x}, main: {}}\n"
        (folder / name / "environment" / "docker-compose.yaml").write_text(compose, encoding="utf-8")
    tasks = [{"name": f"erpbench/{name}", "path": f"harbor_tasks/{name}"} for name in names]
    entry = {"name": "erpbench100", "version": "1.0.0", "description": "", "tasks": tasks}
    (folder / "registry.json").write_text(json.dumps([entry]), encoding="utf-8")
    return folder


def test_tasks_read_as_they_stand_are_complete() -> None:
    reading = compare("folder", [line("erpbench-001"), line("erpbench-002")], SOURCES, FIELDS)
    assert reading == Reading("folder", expected=2, loaded=2, problems=())
    assert reading.complete


def test_a_task_left_out_silently_is_named() -> None:
    reading = compare("folder", [line("erpbench-001")], SOURCES, FIELDS)
    assert (reading.loaded, reading.complete) == (1, False)
    assert reading.problems == ("erpbench-002: not loaded: no reason given",)


def test_the_reason_of_a_refusal_is_told() -> None:
    refusal = {"route": "folder", "refused": "erpbench-002", "reason": "cpus must be whole"}
    reading = compare("folder", [line("erpbench-001"), refusal], SOURCES, FIELDS)
    assert reading.problems == ("erpbench-002: not loaded: cpus must be whole",)


def test_empty_shells_do_not_count_as_read() -> None:
    shells = [{"route": "folder", "task": task, "read": {}} for task in SOURCES]
    reading = compare("folder", shells, SOURCES, FIELDS)
    assert (reading.loaded, reading.complete) == (2, False)
    assert reading.problems[:3] == (
        "erpbench-001: name was not read",
        "erpbench-001: cpus was not read",
        "erpbench-001: image was not read",
    )
    assert len(reading.problems) == 6


def test_a_field_read_differently_is_told_with_both_values() -> None:
    reading = compare("folder", [line("erpbench-001", cpus=2), line("erpbench-002")], SOURCES, FIELDS)
    assert reading.problems == ("erpbench-001: cpus: expected 1, read 2",)


def test_a_whole_number_equals_the_same_number_with_a_point() -> None:
    """verifiers keeps cpus as 1.0."""
    assert compare("folder", [line("erpbench-001", cpus=1.0), line("erpbench-002")], SOURCES, FIELDS).complete


def test_a_field_that_the_consumer_is_said_to_drop_must_not_come() -> None:
    lines = [line("erpbench-001"), line("erpbench-002")]
    reading = compare("folder", lines, SOURCES, ("name", "cpus"))
    assert reading.problems == (
        "erpbench-001: image is read but not compared",
        "erpbench-002: image is read but not compared",
    )


def test_a_task_read_twice_does_not_stand_for_another() -> None:
    reading = compare("folder", [line("erpbench-001"), line("erpbench-001")], SOURCES, FIELDS)
    assert reading.loaded == 1
    assert reading.problems == ("erpbench-001: read 2 times", "erpbench-002: not loaded: no reason given")


def test_a_task_from_elsewhere_is_a_problem() -> None:
    stranger = {"route": "folder", "task": "other", "read": {}}
    reading = compare("folder", [line("erpbench-001"), line("erpbench-002"), stranger], SOURCES, FIELDS)
    assert reading.problems == ("other: not in the dataset",)


def test_lines_of_the_other_route_do_not_count() -> None:
    assert compare("registry", [line("erpbench-001")], SOURCES, FIELDS).loaded == 0


def test_output_cut_short_is_an_error() -> None:
    about = {"about": {"versions": {"harbor": "0.26.0"}, "python": "3.12.1", "interfaces": ["lo"]}}
    assert parse_lines(json.dumps(about), "harbor") == (About({"harbor": "0.26.0"}, "3.12.1", ("lo",)), [])
    for text in ("", "{}", json.dumps(about)[:-2]):
        with pytest.raises(InteropError, match="harbor: the probe's output is not its own"):
            parse_lines(text, "harbor")


def test_every_field_of_a_task_directory(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path, "erpbench-001")
    assert expected_fields(dataset / "erpbench-001") == {
        "name": "erpbench/erpbench-001",
        "instruction": "Morning.\nPlease enter the order.\n",
        "prompt": "Morning.\nPlease enter the order.",
        "description": "An order",
        "keywords": ["erp", "order"],
        "image": "x/agent:1",
        "workdir": "/workspace",
        "cpus": 1,
        "memory_mb": 1024,
        "agent_user": "10001",
        "agent_timeout": 3600.0,
        "verifier_timeout": 120.0,
        "mcp_servers": [["gmail", "streamable-http", "http://world:8000/mcp/gmail"]],
        "verifier_mode": "separate",
        "verifier_image": "x/verifier:1",
        "collect": [["world", "snapshot", 60.0]],
        "artifacts": [["/var/lib/world/export", "world"]],
        "services": ["main", "world"],
    }


def test_every_consumer_compares_fields_that_there_are(tmp_path: Path) -> None:
    there = set(expected_fields(write_dataset(tmp_path, "erpbench-001") / "erpbench-001"))
    for consumer in CONSUMERS:
        assert set(consumer.fields) <= there
        assert {"name", "image", "agent_timeout", "verifier_timeout"} <= set(consumer.fields)
        assert {"instruction", "prompt"} & set(consumer.fields)


def test_a_registry_that_lost_a_task_does_not_make_fewer_enough(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path, "erpbench-001", "erpbench-002")
    with pytest.raises(InteropError, match=r"registry\.json: expected 100 tasks, it names 2"):
        expected_tasks(InteropRequest(dataset, tmp_path))
    (dataset / "erpbench-002" / "task.toml").unlink()
    with pytest.raises(InteropError, match=r"differ in erpbench-002"):
        expected_tasks(InteropRequest(dataset, tmp_path, tasks=2))


@pytest.mark.parametrize(("text", "message"), [("[]", "not a Harbor registry"), ("{", "not a Harbor registry")])
def test_a_registry_of_another_form_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InteropError, match="no such file; `make dataset` renders the tasks"):
        expected_tasks(InteropRequest(tmp_path, tmp_path))
    (tmp_path / "registry.json").write_text(text, encoding="utf-8")
    with pytest.raises(InteropError, match=message):
        expected_tasks(InteropRequest(tmp_path, tmp_path))


def test_the_registrys_relative_paths_hold_in_the_workplace(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "twin", "erpbench-001")
    entry, _ = expected_tasks(InteropRequest(dataset, tmp_path, tasks=1))
    link = lay_out(tmp_path / "work", dataset, entry)
    assert link == Path("harbor_tasks")
    assert (tmp_path / "work" / "harbor_tasks" / "erpbench-001" / "task.toml").is_file()
    assert registry_for(CONSUMERS[0], tmp_path / "work", link, entry) == Path("harbor_tasks/registry.json")


def test_a_path_out_of_the_workplace_is_refused(tmp_path: Path) -> None:
    entry = {"name": "x", "tasks": [{"name": "x", "path": "../elsewhere/erpbench-001"}]}
    with pytest.raises(InteropError, match=r"found \.\./elsewhere/…"):
        lay_out(tmp_path / "work", tmp_path, entry)


def test_the_git_registry_has_each_task_at_its_commit(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "tasks", "erpbench-001", "erpbench-002")
    entry, _ = expected_tasks(InteropRequest(dataset, tmp_path, tasks=2))
    work = tmp_path / "work"
    link = lay_out(work, dataset, entry)
    registry = registry_for(chosen_consumers(("verifiers",))[0], work, link, entry)
    ((first, second),) = [each["tasks"] for each in json.loads(registry.read_text(encoding="utf-8"))]
    assert (first["path"], second["path"]) == ("erpbench-001", "erpbench-002")
    repository = Path(first["git_url"].removeprefix("file://"))
    shown = subprocess.run(
        ["git", f"--git-dir={repository}", "show", f"{first['git_commit_id']}:erpbench-002/instruction.md"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == INSTRUCTION


def test_a_probe_gets_no_variables_and_no_way_out() -> None:
    surroundings = {"PATH": "/bin", "OPENAI_API_KEY": "x", "https_proxy": "http://proxy"}
    open_run = probe_environment(surroundings, Path("/h"), isolated=False)
    assert open_run["https_proxy"] == open_run["HTTPS_PROXY"] == "http://127.0.0.1:9"
    closed = probe_environment(surroundings, Path("/h"), isolated=True)
    assert (closed["PATH"], closed["HOME"], closed["HF_HUB_OFFLINE"]) == ("/bin", "/h", "1")
    assert "https_proxy" not in closed
    assert "OPENAI_API_KEY" not in closed


def test_an_unknown_consumer_and_a_missing_environment_are_one_clear_line(tmp_path: Path) -> None:
    assert [consumer.name for consumer in chosen_consumers(())] == ["harbor", "inspect", "verifiers", "nemo"]
    assert [consumer.name for consumer in chosen_consumers(("nemo", "harbor"))] == ["harbor", "nemo"]
    with pytest.raises(InteropError, match="camel: no such consumer; expected one of harbor, inspect, verifiers, nemo"):
        chosen_consumers(("camel",))
    with pytest.raises(InteropError, match=r"inspect: .*interop-inspect is not installed; `make interop-environments`"):
        interpreter(CONSUMERS[1], tmp_path)


class Notes:
    """Stands for Lines: keeps what a probe tells."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, object]] = []

    def task(self, route: str, directory: str, fields: dict[str, Any]) -> None:
        self.lines.append(("task", directory, fields))

    def refused(self, route: str, directory: str, reason: object) -> None:
        self.lines.append(("refused", directory, str(reason)))


def test_a_probe_tells_of_every_directory_and_finds_the_reason_for_itself(tmp_path: Path) -> None:
    """Found and read; found and unreadable; left out, unreadable; left out though it reads."""
    names = ("erpbench-001", "erpbench-002", "erpbench-003", "erpbench-004")
    dataset = write_dataset(tmp_path, *names)

    def read(path: Path) -> dict[str, Any]:
        if path.name in ("erpbench-002", "erpbench-003"):
            raise ValueError(f"{path.name}: cpus must be whole")
        return {"name": path.name}

    told = Notes()
    read_all(told, "folder", dataset, [dataset / names[0], dataset / names[1]], read)
    assert told.lines == [
        ("task", "erpbench-001", {"name": "erpbench-001"}),
        ("refused", "erpbench-002", "erpbench-002: cpus must be whole"),
        ("refused", "erpbench-003", "erpbench-003: cpus must be whole"),
        ("refused", "erpbench-004", "left out without a reason; read alone it loads"),
    ]


def fake_environment(folder: Path, script: str) -> None:
    """An environment whose Python runs this script in place of the probe, with the probe's arguments."""
    program = folder / "fake.py"
    program.write_text(script, encoding="utf-8")
    python = folder / ".venv-harbor" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nshift 2\nexec "{sys.executable}" "{program}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (folder / ".venv-harbor" / "harbor.stamp").touch()


SKIPPING = """
import json, pathlib, socket, sys
interfaces = [name for _, name in socket.if_nameindex()]
about = {"versions": {"harbor": "0.26.0"}, "python": "3.12.1", "interfaces": interfaces}
print(json.dumps({"about": about}))
for route in ("folder", "registry"):
    print(json.dumps({"route": route, "task": "erpbench-001", "read": json.loads(READ)}))
"""


def skipping_result(tmp_path: Path) -> Result:
    """A consumer that reads erpbench-001 as it stands, and leaves erpbench-002 out without a word."""
    dataset = write_dataset(tmp_path / "tasks", "erpbench-001", "erpbench-002")
    request = InteropRequest(dataset, tmp_path, tasks=2)
    entry, sources = expected_tasks(request)
    consumer = CONSUMERS[0]
    read = {field: sources["erpbench-001"][field] for field in consumer.fields}
    fake_environment(tmp_path, SKIPPING.replace("READ", repr(json.dumps(read))))
    return run_consumer(consumer, request, entry, sources)


def test_a_run_of_a_consumer_that_skips_a_task_is_not_complete(tmp_path: Path) -> None:
    result = skipping_result(tmp_path)
    assert not result.complete
    assert [(reading.route, reading.loaded, reading.expected) for reading in result.readings] == [
        ("folder", 1, 2),
        ("registry", 1, 2),
    ]
    assert problems(result) == ["harbor: erpbench-002: not loaded: no reason given"]
    assert replace(result, readings=(Reading("folder", 2, 2, ()),)).complete


def test_the_report_says_what_was_loaded_and_what_is_not_carried(tmp_path: Path) -> None:
    result = skipping_result(tmp_path)
    assert row(result)[:4] == ("harbor 0.26.0", "3.12.1", "1 of 2", "1 of 2")
    markdown = build_markdown([result])
    assert "0 of 1 load every task" in markdown
    assert "- harbor: erpbench-002: not loaded: no reason given" in markdown
    (told,) = build_json([result])["consumers"]
    assert (told["name"], told["complete"], told["routes"]["folder"]["loaded"]) == ("harbor", False, 1)
    write_report([result], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["interop.json", "interop.md"]


def test_many_problems_of_one_kind_are_cut(tmp_path: Path) -> None:
    result = skipping_result(tmp_path)
    many = Reading("folder", 7, 0, tuple(f"erpbench-{n:03}: not loaded: ipc" for n in range(1, 8)))
    lines = problems(replace(result, readings=(many, many)))
    assert (len(lines), lines[-1]) == (6, "harbor: and 2 more, see interop.json")


def test_a_probe_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "tasks", "erpbench-001")
    request = InteropRequest(dataset, tmp_path, tasks=1)
    fake_environment(tmp_path, "import sys; sys.exit('no module named harbor')")
    with pytest.raises(InteropError, match="harbor: its probe ended with 1: no module named harbor"):
        run_consumer(CONSUMERS[0], request, *expected_tasks(request))
