"""dist/harbor is what Harbor runs from and publishes: paths, digests, metric, and nothing that is not the dataset's."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from generator.harbor.digest import task_digest
from generator.images.engine import ImageFacts
from generator.release.bindings import Bindings, ReleaseError, sha256_of
from generator.release.harbor_publish import (
    base_note,
    check_with_harbor,
    prepare_harbor,
    publication_commands,
    publication_notes,
)
from generator.release.harbor_side import build_harbor_side
from tests.attack_table import Seen
from tests.harbor_side_fixture import bindings_of, small_dataset, small_side

NAMES = [f"erpbench-{number:03d}" for number in range(1, 11)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("release")


@pytest.fixture
def dataset(folder: Path) -> Path:
    return small_dataset(folder / "harbor_tasks")


@pytest.fixture
def side(folder: Path) -> Path:
    return small_side(folder)


@pytest.fixture
def bindings(dataset: Path) -> Bindings:
    return bindings_of(dataset)


def test_the_folder_holds_the_tasks_and_what_stands_beside_them(side: Path) -> None:
    beside = "LICENSE LICENSE-DATA README.md dataset.lock dataset.toml manifest.json metric.py registry.json"
    assert sorted(path.name for path in side.iterdir()) == sorted([*NAMES, *beside.split()])


def test_the_registrys_paths_lead_from_the_folder_itself_to_its_tasks(side: Path) -> None:
    (entry,) = json.loads((side / "registry.json").read_text(encoding="utf-8"))
    assert (entry["name"], entry["version"], entry["metrics"]) == ("erpbench100", "1.0.0", [{"type": "mean"}])
    assert [(side / task["path"]).resolve() for task in entry["tasks"]] == [(side / name).resolve() for name in NAMES]


def test_digests_are_those_of_the_directories_and_of_the_metric(side: Path) -> None:
    manifest = tomllib.loads((side / "dataset.toml").read_text(encoding="utf-8"))
    assert {task["name"]: task["digest"] for task in manifest["tasks"]} == {
        f"erpbench/{name}": task_digest(side / name) for name in NAMES
    }
    assert manifest["files"] == [{"path": "metric.py", "digest": f"sha256:{sha256_of(side / 'metric.py')}"}]


def test_scripts_can_be_run_and_nothing_else(side: Path) -> None:
    runnable = {
        path.name for path in (side / "erpbench-001").rglob("*") if path.is_file() and path.stat().st_mode & 0o111
    }
    assert runnable == {"solve.sh", "test.sh"}
    assert stat.S_IMODE((side / "manifest.json").stat().st_mode) == 0o644


def test_no_mode_depends_on_the_umask(dataset: Path, bindings: Bindings, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        build_harbor_side(dataset, tmp_path / "harbor", bindings)
    finally:
        os.umask(before)
    modes = {
        (path.is_dir(), path.suffix == ".sh", stat.S_IMODE(path.stat().st_mode))
        for path in [tmp_path / "harbor", *(tmp_path / "harbor").rglob("*")]
    }
    assert modes == {(True, False, 0o755), (False, True, 0o755), (False, False, 0o644)}


def test_the_readme_names_the_command_the_images_and_the_seed(side: Path, bindings: Bindings) -> None:
    text = (side / "README.md").read_text(encoding="utf-8")
    assert "harbor run -d erpbench100 --registry-path registry.json -a oracle -e docker" in text
    assert "- `erpbench100/world:1.0.0`" in text
    assert f"commit `{bindings.commit[:40]}`" in text
    assert "with seed 100" in text


def test_a_dataset_that_was_changed_is_refused_and_the_old_folder_stays(
    dataset: Path, bindings: Bindings, tmp_path: Path
) -> None:
    out = tmp_path / "harbor"
    build_harbor_side(dataset, out, bindings)
    before = sha256_of(out / "manifest.json")
    copy = tmp_path / "changed"
    shutil.copytree(dataset, copy)
    (copy / "erpbench-010" / "instruction.md").write_text("Do nothing.\n", encoding="utf-8")
    with pytest.raises(ReleaseError, match="erpbench-010: half-written or changed"):
        build_harbor_side(copy, out, bindings)
    with pytest.raises(ReleaseError, match="not the lock that the bindings name"):
        build_harbor_side(dataset, out, bindings.model_copy(update={"dataset_lock_sha256": "0" * 64}))
    with pytest.raises(ReleaseError, match=r"expected registry\.example/bench/agent:1\.0\.0"):
        build_harbor_side(dataset, out, bindings.model_copy(update={"image_prefix": "registry.example/bench/"}))
    assert sha256_of(out / "manifest.json") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["changed", "harbor"]


def metric(side: Path, folder: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    (folder / "in.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = [sys.executable, str(side / "metric.py"), "-i", str(folder / "in.jsonl"), "-o", str(folder / "out.json")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_metric_gives_means_and_rates_and_counts_a_missing_reward_as_nothing(side: Path, tmp_path: Path) -> None:
    full = '{"reward": 1.0, "erp_score": 100, "strict": 1, "decision": 15}'
    half = '{"reward": 0.5, "erp_score": 50, "strict": 0, "decision": 5}'
    assert metric(side, tmp_path, [full, half, "null", full]).returncode == 0
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == {
        "reward": 0.625,
        "erp_score": 62.5,
        "strict_rate": 0.5,
        "decision": 8.75,
        "trials": 4,
        "without_reward": 1,
    }
    assert metric(side, tmp_path, []).returncode == 0
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["erp_score"] == 0


@pytest.mark.parametrize("line", ['{"reward": 1.0}', '{"reward": NaN, "erp_score": 1, "strict": 0}', "[]"])
def test_the_metric_refuses_what_is_no_reward_of_ours(side: Path, tmp_path: Path, line: str) -> None:
    result = metric(side, tmp_path, [line])
    assert result.returncode == 1
    assert "line 1: " in result.stderr


def program(folder: Path, script: str) -> Path:
    path = folder / "harbor"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_digest_that_harbor_has_otherwise_is_named(side: Path, tmp_path: Path) -> None:
    assert check_with_harbor(side, program(tmp_path, "exit 0")) == 10
    first = task_digest(side / "erpbench-001")
    other = program(tmp_path, f'sed -i "s/{first}/sha256:0/" "$2/dataset.toml"')
    with pytest.raises(ReleaseError) as refused:
        check_with_harbor(side, other)
    assert str(refused.value) == f"erpbench/erpbench-001: dataset.toml has {first}, harbor sync sha256:0"
    with pytest.raises(ReleaseError, match="harbor sync ended with 3: no"):
        check_with_harbor(side, program(tmp_path, "echo no >&2; exit 3"))


def test_what_is_left_to_run_is_told_with_what_keeps_it_from_being_of_use(bindings: Bindings) -> None:
    clean = bindings.model_copy(update={"commit": "0" * 40, "image_prefix": "r.example/", "images_seen": "inputs only"})
    images = tuple(image.model_copy(update={"id": None, "tag": f"r.example/{image.name}:1"}) for image in clean.images)
    clean = clean.model_copy(update={"images": images})
    absent = "r.example/base:1, r.example/agent:1, r.example/world:1, r.example/verifier:1"
    assert publication_notes(clean) == (
        f"not to be pushed from here (no engine answers): {absent}; `make images` builds them",
    )
    assert publication_commands(clean, Path("dist/harbor")) == (
        "docker push r.example/agent:1",
        "docker push r.example/world:1",
        "docker push r.example/verifier:1",
        "harbor auth login",
        "harbor publish dist/harbor --tag v1.0.0 --public",
    )


def unpinned(root: Path, digest: str | None = None) -> Path:
    (root / "images" / "base").mkdir(parents=True)
    official = json.dumps({"reference": "python:3.13-slim-trixie", "digest": digest})
    (root / "images" / "base" / "official.json").write_text(official, encoding="utf-8")
    return root


def test_a_base_without_a_recorded_digest_is_one_line(
    bindings: Bindings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.release.harbor_publish.local_images", lambda prefix, version: None)
    assert base_note(bindings, unpinned(tmp_path)) == (
        "the images may not be published: images/base/official.json: no digest of python:3.13-slim-trixie is on record;"
        " run `erpbench images pin` where a registry answers; base image: built on no base image,"
        " expected python:3.13-slim-trixie"
    )


def test_a_base_that_is_the_official_one_by_digest_keeps_nothing_back(
    bindings: Bindings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = f"sha256:{'a' * 64}"
    base = ImageFacts(id="sha256:0", size=1, user="", labels={"erpbench.base": f"python@{digest}"})
    monkeypatch.setattr("generator.release.harbor_publish.local_images", lambda prefix, version: {"base": base})
    assert base_note(bindings, unpinned(tmp_path, digest)) is None


@pytest.mark.attack("supply", "images on an unrecorded base published", expected="refused; a dry run notes it", flaw=7)
def test_images_on_an_unrecorded_base_are_not_published_and_a_dry_run_says_so(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: Seen
) -> None:
    place = "generator.release.harbor_publish"
    monkeypatch.setattr(f"{place}.check_released", lambda bindings, dataset: None)
    monkeypatch.setattr(f"{place}.base_note", lambda bindings: "no digest is on record")
    monkeypatch.setattr(f"{place}.harbor_program", lambda: program(tmp_path, "exit 0"))
    out = tmp_path / "dist" / "harbor"
    with pytest.raises(ReleaseError) as refused:
        prepare_harbor(dataset, out, allow_dirty=True, dry_run=False)
    seen(str(refused.value))
    assert str(refused.value) == "no digest is on record"
    assert prepare_harbor(dataset, out, allow_dirty=True, dry_run=True).notes[0] == "no digest is on record"
    assert not out.parent.exists()
