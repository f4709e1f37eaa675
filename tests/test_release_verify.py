"""A release folder is held against its checkout, its manifest and a rebuild; what differs is named."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.release.bindings import Bindings, ReleaseError, sha256_of
from generator.release.harbor_side import build_harbor_side
from generator.release.manifest import write_manifest
from generator.release.verify import verify_folder
from generator.release.verify_command import verify_release_command
from tests.attack_table import Seen
from tests.harbor_side_fixture import bindings_of, found_by, render_copy, small_dataset, small_side

CONTRACT = "erpbench-004/tests/contract.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("release")


@pytest.fixture
def dataset(folder: Path) -> Path:
    return small_dataset(folder / "harbor_tasks")


@pytest.fixture
def side(folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_side(folder), tmp_path / "dist" / "harbor")
    return tmp_path / "dist" / "harbor"


def problems(folder: Path, dataset: Path) -> list[str]:
    return list(found_by(folder, dataset).problems)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def edit_bindings(side: Path, **changes: object) -> Bindings:
    raw = json.loads((side / "manifest.json").read_text(encoding="utf-8"))
    changed = Bindings.model_validate({**raw["bindings"], **changes})
    write_manifest(side, changed)
    return changed


def test_an_untouched_release_passes(side: Path, dataset: Path) -> None:
    assert problems(side, dataset) == []
    found = found_by(side.parent, dataset)
    assert (found.problems, found.sides) == ((), {"harbor": 407})
    assert "huggingface: not there, not looked at" in found.notes


@pytest.mark.attack("supply", "one byte of a published contract flipped", expected="the file is named", flaw=7)
def test_one_flipped_byte_is_named(side: Path, dataset: Path, seen: Seen) -> None:
    expected = sha256_of(side / CONTRACT)
    flip(side / CONTRACT)
    (told,) = problems(side, dataset)
    seen(told)
    assert told == f"{CONTRACT}: its SHA-256 is {sha256_of(side / CONTRACT)}, manifest.json has {expected}"
    assert problems(side.parent, dataset) == [f"harbor/{told}"]


@pytest.mark.attack("supply", "a flipped byte with its manifest made to match", expected="the file is named", flaw=7)
def test_a_flipped_byte_with_its_line_in_the_manifest_differs_from_the_rebuild(
    side: Path, dataset: Path, seen: Seen
) -> None:
    flip(side / CONTRACT)
    write_manifest(side, bindings_of(dataset))
    (told,) = problems(side, dataset)
    seen(told)
    assert told == f"{CONTRACT}: differs from the rebuild"


def test_missing_and_extra_files_are_named_also_where_the_manifest_knows_no_better(side: Path, dataset: Path) -> None:
    (side / "metric.py").unlink()
    (side / "erpbench-001" / "notes.txt").write_text("", encoding="utf-8")
    size = (dataset.parent / "harbor" / "metric.py").stat().st_size
    assert problems(side, dataset) == [
        "erpbench-001/notes.txt: not in manifest.json",
        f"metric.py: missing; manifest.json lists it with {size} bytes",
    ]
    write_manifest(side, bindings_of(dataset))
    assert problems(side, dataset) == [
        "erpbench-001/notes.txt: only in the release",
        "metric.py: only in the rebuild",
    ]


def test_runs_that_were_made_in_the_folder_are_one_sentence(side: Path, dataset: Path) -> None:
    (side / "jobs" / "first").mkdir(parents=True)
    for name in ("config.json", "result.json"):
        (side / "jobs" / "first" / name).write_text("{}", encoding="utf-8")
    assert problems(side, dataset) == ["jobs/: 2 files, none in manifest.json"]


def test_a_script_that_can_no_longer_be_run_is_named(side: Path, dataset: Path) -> None:
    (side / "erpbench-001" / "tests" / "test.sh").chmod(0o644)
    assert problems(side, dataset) == ["erpbench-001/tests/test.sh: mode 0644, expected 0755"]


def test_another_commit_is_said_first(side: Path, dataset: Path) -> None:
    flip(side / "README.md")
    edit_bindings(side, commit="0" * 40)
    first, *others = problems(side, dataset)
    assert first.startswith(f"manifest.json: built from commit {'0' * 40}, this checkout is ")
    assert others == ["README.md: differs from the rebuild"]


def test_a_lock_that_the_seed_does_not_give_is_named(side: Path, dataset: Path) -> None:
    edit_bindings(side, dataset_lock_sha256="0" * 64)
    came = sha256_of(dataset / "dataset.lock")
    assert problems(side, dataset) == [
        f"manifest.json: its dataset is not the release's: SHA-256 of dataset.lock {'0' * 64},"
        f" this checkout's {dataset}/dataset.lock {came}",
        f"dataset.lock: rendered again it has SHA-256 {came}, manifest.json has {'0' * 64}",
    ]


@pytest.mark.parametrize("place", ["", "nowhere"])
def test_a_folder_that_is_no_release_is_one_line(tmp_path: Path, place: str) -> None:
    with pytest.raises(ReleaseError, match="expected") as refused:
        verify_folder(tmp_path / place)
    assert "\n" not in str(refused.value)


def test_the_command_exits_with_1_and_names_what_differs(
    side: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.release.verify.render_anew", lambda bindings, out: render_copy(dataset, out))
    flip(side / CONTRACT)
    failed = CliRunner().invoke(verify_release_command, [str(side)])
    assert failed.exit_code == 1
    assert f"{CONTRACT}: its SHA-256 is " in failed.output
    assert f"verify-release: {side} (harbor, 407 files): 2 problems" in failed.output
    assert "manifest.json: its dataset is not the release's: SHA-256 of dataset.lock " in failed.output


def test_the_release_is_rendered_again_from_its_manifest(rendered: Path, tmp_path: Path) -> None:
    """The whole way, untouched."""
    side = tmp_path / "harbor"
    build_harbor_side(rendered, side, bindings_of(rendered))
    passed = CliRunner().invoke(verify_release_command, [str(side)])
    assert (passed.exit_code, passed.output.splitlines()[-1]) == (
        0,
        f"verify-release: {side} (harbor, 4007 files): as its manifest and a rebuild have it",
    )
