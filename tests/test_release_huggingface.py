"""The built folder: its layout, the same bytes a second time, and nothing half-written where something is wrong."""

import json
import shutil
from pathlib import Path

import pytest

from generator.release import huggingface
from generator.release.bindings import ReleaseError
from generator.release.huggingface import build_huggingface, commit_date, published_qualification
from generator.release.manifest import file_entries, manifest_problems, read_manifest
from tests.release_fixture import LINES, clean_bindings, published

__all__ = ["published"]


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_what_lies_where(published: Path) -> None:
    assert sorted(path.name for path in published.iterdir()) == [
        "LICENSE",
        "README.md",
        "croissant.json",
        "data",
        "files",
        "manifest.json",
        "trajectories",
    ]
    assert sorted(path.name for path in (published / "data").iterdir()) == [
        "assets",
        "qualification",
        "tasks",
        "tenants",
        "tools",
    ]
    assert len(list((published / "files").iterdir())) == 110
    assert len(list((published / "trajectories").glob("erpbench-*.json"))) == 10
    assert {oct(path.stat().st_mode & 0o777) for path in published.rglob("*") if path.is_file()} == {"0o644"}


def test_the_manifest_holds(published: Path) -> None:
    assert manifest_problems(file_entries(published), read_manifest(published)) == []


def test_a_second_build_replaces_the_first_with_the_same_bytes(published: Path, rendered: Path, tmp_path: Path) -> None:
    out = tmp_path / "huggingface"
    out.mkdir()
    (out / "of-an-earlier-build").touch()
    build_huggingface(rendered, out, clean_bindings(rendered), published_qualification(published))
    assert contents(out) == contents(published)
    assert [path.name for path in tmp_path.iterdir()] == ["huggingface"]


def test_gold_in_the_folder_stops_the_build_and_leaves_the_earlier_one(
    rendered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "huggingface"
    out.mkdir()
    (out / "README.md").write_text("earlier", encoding="utf-8")
    write_release = huggingface.write_release

    def careless(ingredients: huggingface.Ingredients, folder: Path) -> None:
        write_release(ingredients, folder)
        shutil.copy(rendered / "erpbench-007" / "tests" / "contract.json", folder / "data" / "more.json")

    monkeypatch.setattr(huggingface, "write_release", careless)
    with pytest.raises(ReleaseError, match=r"gold would be published: data/more\.json: is a hidden file"):
        build_huggingface(rendered, out, clean_bindings(rendered), LINES)
    assert contents(tmp_path) == {"huggingface/README.md": b"earlier"}


def test_a_dataset_of_another_lock_is_refused(rendered: Path, tmp_path: Path) -> None:
    bindings = clean_bindings(rendered).model_copy(update={"dataset_lock_sha256": "0" * 64})
    with pytest.raises(ReleaseError, match=r"dataset\.lock: not the lock that the bindings name"):
        build_huggingface(rendered, tmp_path / "huggingface", bindings, LINES)
    assert list(tmp_path.iterdir()) == []


def test_a_commit_that_git_does_not_know_is_refused() -> None:
    with pytest.raises(ReleaseError, match=f"no commit {'0' * 40}"):
        commit_date("0" * 40)


def test_the_manifest_names_no_date_and_no_machine(published: Path) -> None:
    told = json.loads((published / "manifest.json").read_text(encoding="utf-8"))
    assert sorted(told) == ["bindings", "files", "schema_version"]
    assert str(published.parent) not in (published / "manifest.json").read_text(encoding="utf-8")
