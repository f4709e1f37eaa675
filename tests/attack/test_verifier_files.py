"""Evidence folders with something else where the snapshot should be, and snapshots of another time or task.

Each scores 0 with its reason; a sample is graded as a process, as a trial's verifier is, and reward.json says so.
"""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.spec.plan import OraclePlan
from tests.attack_table import Seen
from tests.contract_fixture import TASK
from tests.play_fixture import Stage, edit, rechain, reject, reseal, write_evidence, write_manifest
from tests.qualify_fixture import bench
from verifier.trace import FIRST_CHAIN

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    stage = Stage(tmp_path_factory.mktemp("files"))
    (stage.folder / "contract.json").write_text(json.dumps(stage.contract))
    return stage


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


def sparse(folder: Path) -> None:
    with open(folder / "world.sqlite", "r+b") as file:
        file.truncate(4 << 30)


def hard_link(folder: Path) -> None:
    os.link(folder / "world.sqlite", folder.parent / "another name")


def device(folder: Path) -> None:
    """/dev/zero as the database; where no device may be made, a socket."""
    database = folder / "world.sqlite"
    database.unlink()
    try:
        os.mknod(database, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        bind(database)


def bind(path: Path) -> None:
    """A socket, under a short name first: its address is limited to 107 characters."""
    listener = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        listener.bind(path.name)
    finally:
        os.chdir(here)
        listener.close()


def a_socket(folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    bind(folder / "world.sqlite")


def link_to_zeros(folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    (folder / "world.sqlite").symlink_to("/dev/zero")


def manifest_folder(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").mkdir()


def manifest_pipe(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    os.mkfifo(folder / "manifest.json")


def packed_beside(folder: Path) -> None:
    zip_bomb(folder / "world.sqlite.gz")


def lie(**figures: object) -> Callable[[Path], None]:
    return lambda folder: reseal(folder, **figures)


FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "four gigabytes of nothing": (sparse, "too_large"),
    "a hard link to another file": (hard_link, "not_a_file"),
    "a device that never ends": (device, "not_a_file"),
    "a socket": (a_socket, "not_a_file"),
    "a link to a device": (link_to_zeros, "not_a_file"),
    "a folder as manifest": (manifest_folder, "not_a_file"),
    "a pipe as manifest": (manifest_pipe, "not_a_file"),
    "a packed file beside it": (packed_beside, "side_file"),
    "a manifest that lies about the bytes": (lie(bytes=1), "wrong_size"),
    "a manifest that lies about the digest": (lie(sha256="0" * 64), "wrong_digest"),
    "a manifest that lies about the calls": (lie(trace_rows=28), "trace_cut"),
    "a manifest that lies about the trace's end": (lie(trace_head=FIRST_CHAIN), "trace_head"),
    "a manifest with a count beyond all counts": (lie(trace_rows=10**40), "bad_manifest"),
    "a manifest with half a call": (lie(trace_rows=26.5), "bad_manifest"),
}


@pytest.mark.attack("verifier", "evidence with {name}", expected="score 0 with its reason", flaw=7)
@pytest.mark.parametrize("name", FILES)
def test_files(stage: Stage, folder: Path, seen: Seen, name: str) -> None:
    change, code = FILES[name]
    change(folder)
    assert reject(stage, folder, seen)[0] == code


def zip_bomb(path: Path) -> None:
    """A hundred megabytes of zeros in a hundred kilobytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("world.sqlite", "w") as file:
        for _ in range(100):
            file.write(bytes(1 << 20))


@pytest.mark.attack("verifier", "a zip bomb beside the evidence", expected="never opened, graded as it is", flaw=3)
def test_zip_bomb_beside(stage: Stage, folder: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    zip_bomb(folder / "evidence.zip")
    opened: list[str] = []
    real = open

    def noted(path: str, *arguments: Any, **more: Any) -> Any:
        opened.append(path)
        return real(path, *arguments, **more)

    monkeypatch.setattr("builtins.open", noted)
    assert reject(stage, folder, seen) == (None, "")
    assert {Path(path).name for path in opened} == {"manifest.json", "world.sqlite"}


# Another time, another task


@pytest.mark.attack("verifier", "an older snapshot under the newer manifest", expected="score 0, wrong_size", flaw=7)
def test_older_snapshot(stage: Stage, folder: Path, tmp_path: Path, seen: Seen) -> None:
    older = write_evidence(stage.play(stage.oracle()[:20]), tmp_path / "older")
    shutil.copy(older / "world.sqlite", folder / "world.sqlite")
    assert reject(stage, folder, seen)[0] in ("wrong_size", "wrong_digest")


@pytest.mark.attack("verifier", "an older snapshot resealed as the newer one", expected="score 0, trace_cut", flaw=7)
def test_older_snapshot_resealed(stage: Stage, folder: Path, tmp_path: Path, seen: Seen) -> None:
    older = write_evidence(stage.play(stage.oracle()[:20]), tmp_path / "older")
    shutil.copy(older / "world.sqlite", folder / "world.sqlite")
    reseal(folder)
    assert reject(stage, folder, seen) == ("trace_cut", "the trace has 20 rows, the manifest says 27")


@pytest.mark.attack("verifier", "all calls deleted", expected="score 0, unclaimed_change", flaw=7)
def test_trace_deleted(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "DELETE FROM trace")
    write_manifest(folder)
    code, reason = reject(stage, folder, seen)
    assert code == "unclaimed_change"
    assert reason.endswith("differs, and no accepted call wrote it")


@pytest.mark.attack("verifier", "calls in another order", expected="score 0, trace_chain", flaw=6)
def test_trace_reordered(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder,
        "UPDATE trace SET idx = CASE idx WHEN 3 THEN 103 WHEN 16 THEN 3 ELSE idx END WHERE idx IN (3, 16)",
        "UPDATE trace SET idx = 16 WHERE idx = 103",
    )
    assert reject(stage, folder, seen) == ("trace_chain", "the trace's chain breaks at row 3")


@pytest.mark.attack(
    "verifier", "a submission claimed for another task, chained in", expected="score 0, unclaimed_change", flaw=7
)
def test_forged_call(stage: Stage, folder: Path, seen: Seen) -> None:
    """A forger who also recomputes the chain still cannot claim a record that is nowhere."""
    edit(
        folder, """UPDATE trace SET wrote = '[["submissions", "erpbench-002"]]' WHERE tool = 'erpbench.submit_answer'"""
    )
    rechain(folder)
    assert reject(stage, folder, seen)[0] == "unclaimed_change"


@pytest.mark.attack(
    "verifier", "another task's whole evidence, renamed to this one's", expected="score 0, other_world", flaw=7
)
def test_another_tasks_evidence(rendered: Path, tmp_path: Path, seen: Seen) -> None:
    """The oracle of task 011 played for real; its manifest then says 001."""
    other = rendered / "erpbench-011"
    plan = OraclePlan.model_validate_json((other / "solution" / "plan.json").read_text(encoding="utf-8"))
    with fresh_world(other, tmp_path / "world") as world:
        run_plan(world, plan)
        folder = evidence(world)
    assert bench(other).grader.grade_evidence(folder).score == 100
    reseal(folder)
    verdict = bench(rendered / "erpbench-001").grader.grade_evidence(folder)
    seen(f"score {verdict.score}, {verdict.fault}: {verdict.reason}")
    assert (verdict.score, verdict.fault) == (0, "other_world")


# As a process


def run(stage: Stage, folder: Path, out: Path) -> subprocess.CompletedProcess[str]:
    paths = {"contract": stage.folder / "contract.json", "baseline": stage.baseline, "evidence": folder, "out": out}
    command = [sys.executable, "-m", "verifier", *(f"--{name}={path}" for name, path in paths.items())]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def cut(folder: Path) -> None:
    os.truncate(folder / "world.sqlite", 8192)


def drop_calls(folder: Path) -> None:
    edit(folder, "DELETE FROM trace WHERE idx > 20")


def plant(folder: Path) -> None:
    edit(folder, "CREATE TRIGGER t AFTER INSERT ON posts BEGIN DELETE FROM trace; END")


def claim_half_a_character(folder: Path) -> None:
    """A claimed table whose name is half of a pair of surrogates, as JSON may escape it."""
    edit(folder, """UPDATE trace SET wrote = '[["\\ud800", "1"]]' WHERE tool = 'erpbench.submit_answer'""")
    rechain(folder)
    edit(folder, "DELETE FROM submissions")


SAMPLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "no evidence": (remove, "missing_file"),
    "a cut database": (cut, "wrong_size"),
    "four gigabytes": (sparse, "too_large"),
    "a device": (device, "not_a_file"),
    "a trigger": (plant, "other_schema"),
    "calls taken out": (drop_calls, "trace_cut"),
    "half a character as a table's name": (claim_half_a_character, "false_claim"),
}


@pytest.mark.attack("verifier", "{name}, graded as a trial does", expected="exit 0, reward 0 with its reason", flaw=7)
@pytest.mark.parametrize("name", SAMPLE)
def test_sample_as_a_process(stage: Stage, folder: Path, tmp_path: Path, seen: Seen, name: str) -> None:
    change, code = SAMPLE[name]
    change(folder)
    done = run(stage, folder, tmp_path / "out")
    reward = json.loads((tmp_path / "out" / "reward.json").read_text(encoding="utf-8"))
    told = json.loads((tmp_path / "out" / "verdict.json").read_text(encoding="utf-8"))["evidence"]
    seen(f"exit {done.returncode}, reward {reward['reward']}, {told['code']}: {done.stdout.strip()}")
    assert (done.returncode, done.stderr) == (0, "")
    printable = told["reason"].encode("utf-8", "backslashreplace").decode("utf-8")
    assert done.stdout == f"{TASK}: 0 of 100: {printable}\n"
    assert (reward["reward"], reward["erp_score"], reward["strict"], told["ok"], told["code"]) == (0, 0, 0, False, code)
