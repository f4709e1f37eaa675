"""Choosing tasks, Harbor's command line, and running a stand-in harbor program to its end."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.harbor import commands, program, run
from generator.harbor.program import HarborError, harbor_program, lint_environment, offline, quiet_environment
from generator.harbor.run import RunRequest, chosen_tasks, images_of, run_command, run_harbor
from generator.spec.errors import DatasetError, EngineError, UnknownTask
from tests.harbor_fixture import write_dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "harbor_tasks"
    folder.mkdir()
    write_dataset(folder, "erpbench-001", "erpbench-002", "erpbench-003")
    return folder


def request(dataset: Path, *tasks: str, without_network: bool = False) -> RunRequest:
    return RunRequest(dataset, tasks, "oracle", 2, without_network, dataset.parent / "jobs" / "oracle-1")


def test_all_and_named_tasks(dataset: Path) -> None:
    assert chosen_tasks(dataset, "all") == ("erpbench-001", "erpbench-002", "erpbench-003")
    assert chosen_tasks(dataset, "erpbench-003, erpbench-001,erpbench-003") == ("erpbench-003", "erpbench-001")


@pytest.mark.parametrize("names", ["erpbench-004", "erpbench-001,order", "", ","])
def test_unknown_tasks_are_named(dataset: Path, names: str) -> None:
    with pytest.raises(UnknownTask, match="expected names from erpbench-001 to erpbench-003"):
        chosen_tasks(dataset, names)


def test_a_dataset_that_was_not_rendered_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="`make dataset` renders the tasks"):
        chosen_tasks(tmp_path, "all")
    (tmp_path / "registry.json").write_text("[]")
    with pytest.raises(DatasetError, match="not a Harbor registry"):
        chosen_tasks(tmp_path, "all")


def test_the_three_images_of_a_task(dataset: Path) -> None:
    assert images_of(dataset / "erpbench-001") == [
        "erpbench100/agent:1.0.0",
        "erpbench100/world:1.0.0",
        "erpbench100/verifier:1.0.0",
    ]


def test_the_command_asks_for_the_chosen_tasks_only(dataset: Path) -> None:
    command = run_command(request(dataset, "erpbench-002"), Path("/h/harbor"))
    assert command == [
        *("/h/harbor", "run", "-d", "erpbench100", "--registry-path", str(dataset / "registry.json")),
        *("-a", "oracle", "-e", "docker", "-n", "2", "-q", "-y"),
        *("-o", str(dataset.parent / "jobs"), "--job-name", "oracle-1", "-i", "erpbench-002"),
    ]


def test_all_tasks_need_no_filter(dataset: Path) -> None:
    assert "-i" not in run_command(request(dataset, *chosen_tasks(dataset, "all")), Path("/h/harbor"))


def test_without_a_network_it_runs_in_a_namespace_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert offline(["harbor", "run"]) == ["unshare", "-n", "harbor", "run"]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(HarborError, match="--offline needs root"):
        offline(["harbor", "run"])


def test_the_program_is_the_named_one_or_the_projects_own(tmp_path: Path) -> None:
    with pytest.raises(HarborError, match="`make harbor` installs it"):
        harbor_program({}, tmp_path)
    own = tmp_path / ".venv-harbor" / "bin" / "harbor"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\n")
    assert harbor_program({}, tmp_path) == own
    own.chmod(0o755)
    assert harbor_program({"HARBOR": str(own)}, Path("/nowhere")) == own
    with pytest.raises(HarborError, match="no such program"):
        harbor_program({"HARBOR": "/nowhere/harbor"}, tmp_path)


def test_telemetry_is_off_and_the_shim_is_first_only_where_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quiet_environment({"A": "1", "HARBOR_TELEMETRY": "1"}) == {"A": "1", "HARBOR_TELEMETRY": "0"}
    monkeypatch.setattr(program, "needs_lint_shim", lambda: False)
    assert lint_environment({"PATH": "/bin"})["PATH"] == "/bin"
    monkeypatch.setattr(program, "needs_lint_shim", lambda: True)
    assert lint_environment({"PATH": "/bin"})["PATH"].split(os.pathsep) == [str(program.LINT_SHIM), "/bin"]


def stand_in(tmp_path: Path, reward: str, exit_code: int = 0) -> Path:
    """A harbor program that writes one trial per -i task and ends."""
    script = tmp_path / "harbor program"
    result = json.dumps({"started_at": "2026-02-09T09:00:00Z", "finished_at": "2026-02-09T09:00:08Z", "task_name": "@"})
    script.write_text(
        "#!/bin/bash\n"
        f'echo "telemetry $HARBOR_TELEMETRY in $PWD"; [ {exit_code} = 0 ] || exit {exit_code}\n'
        "while [ $# -gt 0 ]; do case $1 in -o) out=$2;; --job-name) name=$2;; -i) tasks+=($2);; esac; shift; done\n"
        "for task in ${tasks[@]}; do\n"
        '  mkdir -p "$out/$name/$task/verifier"\n'
        f"  echo '{reward}' > \"$out/$name/$task/verifier/reward.json\"\n"
        '  echo \'{"criteria": [{"verdict": "pass"}]}\' > "$out/$name/$task/verifier/verdict.json"\n'
        f'  echo \'{result}\' | sed "s/@/$task/" > "$out/$name/$task/result.json"\n'
        "done\n"
    )
    script.chmod(0o755)
    return script


def test_a_run_reports_finished_trials_and_runs_beside_the_dataset(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARBOR", str(stand_in(dataset.parent, '{"reward": 1.0, "strict": 1}')))
    done: list[int] = []
    run_harbor(request(dataset, "erpbench-001", "erpbench-003"), done.append)
    assert done[-1] == 2
    log = (dataset.parent / "jobs" / "oracle-1.log").read_text()
    assert log == f"telemetry 0 in {dataset.parent}\n"


def test_a_failing_harbor_is_an_error_with_its_last_lines(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOR", str(stand_in(dataset.parent, "{}", exit_code=3)))
    with pytest.raises(HarborError, match=r"harbor ended with 3; .*telemetry 0 in"):
        run_harbor(request(dataset, "erpbench-001"), lambda done: None)


@pytest.mark.parametrize(
    ("reward", "agent", "code"),
    [
        ('{"reward": 1.0, "erp_score": 100.0, "strict": 1}', "oracle", 0),
        ('{"reward": 0.97, "erp_score": 97.0, "strict": 0}', "oracle", 1),
        ('{"reward": 0.0, "erp_score": 0.0, "strict": 0}', "nop", 0),
        ('{"reward": 0.04, "erp_score": 4.0, "strict": 0}', "nop", 1),
    ],
)
def test_the_command_ends_with_0_only_if_all_is_as_expected(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, reward: str, agent: str, code: int
) -> None:
    monkeypatch.setenv("HARBOR", str(stand_in(dataset.parent, reward)))
    monkeypatch.setattr(commands, "preflight", lambda dataset, tasks: None)
    jobs = dataset.parent / "jobs"
    words = ["--tasks", "erpbench-002", "--agent", agent, "--dataset", str(dataset), "--jobs", str(jobs)]
    result = CliRunner().invoke(commands.oracle_command, words)
    assert result.exit_code == code, result.output
    assert f"{1 - code} of 1 as expected" in result.output


def test_preflight_names_the_missing_images(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    present = {"erpbench100/agent:1.0.0"}
    monkeypatch.setattr(run, "connect", lambda: None)
    monkeypatch.setattr(run, "inspect", lambda client, tag: tag if tag in present else None)
    with pytest.raises(
        EngineError, match=r"images missing: erpbench100/verifier:1\.0\.0, erpbench100/world:1\.0\.0; `make images`"
    ):
        run.preflight(dataset, ["erpbench-001"])
    present |= {"erpbench100/verifier:1.0.0", "erpbench100/world:1.0.0"}
    run.preflight(dataset, ["erpbench-001"])
    with pytest.raises(DatasetError, match="not rendered"):
        run.preflight(dataset, ["erpbench-004"])
