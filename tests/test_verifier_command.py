"""The command: exit codes, files, isolation, time and memory of one whole grading."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import verifier
from tests.play_fixture import Stage, write_evidence
from verifier.__main__ import main

PACKAGE = Path(verifier.__file__).parent


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("command")
    made = Stage(folder)
    (folder / "contract.json").write_text(json.dumps(made.contract))
    write_evidence(made.play(made.oracle()), folder / "evidence")
    return made


def arguments(stage: Stage, out: Path, **changes: Path) -> list[str]:
    paths = {
        "contract": stage.folder / "contract.json",
        "baseline": stage.baseline,
        "evidence": stage.folder / "evidence",
        "out": out,
    } | changes
    return [part for name, path in paths.items() for part in (f"--{name}", str(path))]


def test_graded_episode(stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(stage, tmp_path / "out")) == 0
    assert json.loads((tmp_path / "out" / "reward.json").read_text())["reward"] == 1.0
    assert capsys.readouterr().out == "erpbench-001: 100 of 100, strict\n"


def test_missing_evidence_is_a_zero(stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(stage, tmp_path / "out", evidence=tmp_path)) == 0
    assert json.loads((tmp_path / "out" / "reward.json").read_text())["reward"] == 0.0
    assert capsys.readouterr().out == "erpbench-001: 0 of 100: no manifest.json in the evidence\n"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema_version": 1}'])
def test_unusable_contract_leaves_no_reward(
    stage: Stage, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "contract.json").write_text(text)
    (tmp_path / "reward.json").write_text('{"reward": 1.0}')
    assert main(arguments(stage, tmp_path, contract=tmp_path / "contract.json")) == 3
    assert not (tmp_path / "reward.json").exists()
    assert capsys.readouterr().err.startswith("verifier: contract: ")


def test_another_baseline_leaves_no_reward(stage: Stage, tmp_path: Path) -> None:
    shutil.copy(stage.folder / "evidence" / "world.sqlite", tmp_path / "other.sqlite")
    assert main(arguments(stage, tmp_path / "out", baseline=tmp_path / "other.sqlite")) == 3
    assert list((tmp_path / "out").iterdir()) == []


def test_output_that_is_no_folder_is_a_fault(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert main(arguments(stage, tmp_path / "out")) == 3


def test_copied_verifier_runs_isolated_and_fast(stage: Stage, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "opt" / "verifier", ignore=shutil.ignore_patterns("__pycache__"))
    launcher = tmp_path / "grade.py"
    launcher.write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path / 'opt')!r})\n"
        "from verifier.__main__ import main; code = main()\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr); sys.exit(code)\n"
    )
    seconds, peaks = [], []
    for _ in range(3):
        started = time.monotonic()
        command = [sys.executable, "-I", str(launcher), *arguments(stage, tmp_path / "out")]
        done = subprocess.run(command, env={"PATH": os.defpath}, capture_output=True, text=True, check=False)
        seconds.append(time.monotonic() - started)
        peaks.append(int(done.stderr))
        assert (done.returncode, done.stdout) == (0, "erpbench-001: 100 of 100, strict\n")
    # The goal is 0.4 s on an idle machine (make bench measures it); a loaded one is given room.
    assert min(seconds) < 1.5
    # The process's own peak in kB; what a parent's accounting tells includes the parent before the program was loaded.
    assert max(peaks) <= 64 * 1024


def test_an_error_nobody_foresaw_leaves_no_reward(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by a check")

    monkeypatch.setattr("verifier.__main__.grade", fail)
    (tmp_path / "reward.json").write_text('{"reward": 1.0}')
    assert main(arguments(stage, tmp_path)) == 3
    assert not (tmp_path / "reward.json").exists()
    assert capsys.readouterr().err == "verifier: unforeseen ZeroDivisionError: by a check\n"


def test_all_four_paths_are_required() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--contract", "c.json"])
    assert ended.value.code == 2
