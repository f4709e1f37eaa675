"""What a release folder could carry past its digests: a twin, modes, empty folders, links, a manifest read twice."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from generator.release.bindings import ReleaseError
from generator.release.harbor_side import build_harbor_side
from generator.release.manifest import write_manifest
from generator.release.released import released_problems
from generator.release.verify_command import one_line, verify_release_command
from tests.attack_table import Seen
from tests.harbor_side_fixture import bindings_of, found_by, render_copy, small_dataset, small_side

FORGED = f"sha256:{'e' * 64}"


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


def edit_bindings(side: Path, **changes: object) -> None:
    """The manifest with other bindings, in the form that a build writes."""
    raw = json.loads((side / "manifest.json").read_text(encoding="utf-8"))
    raw["bindings"] |= changes
    (side / "manifest.json").write_text(json.dumps(raw, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def images(side: Path, **changes: object) -> list[dict[str, Any]]:
    raw = json.loads((side / "manifest.json").read_text(encoding="utf-8"))
    return [image | changes for image in raw["bindings"]["images"]]


def twice(side: Path) -> None:
    path = side / "manifest.json"
    text = path.read_text(encoding="utf-8")
    path.write_text('{"files": {"evil.py": {"sha256": "00", "size": 1}},' + text[1:], encoding="utf-8")


@pytest.mark.attack("supply", "a twin under the release's name and version", expected="named as a twin", flaw=7)
def test_a_twin_does_not_verify(dataset: Path, tmp_path: Path, seen: Seen) -> None:
    """Whole in itself: its lock, manifest and rebuild all agree, and only its seed tells."""
    twin = tmp_path / "twin"
    shutil.copytree(dataset, twin)
    lock = json.loads((twin / "dataset.lock").read_text(encoding="utf-8"))
    (twin / "dataset.lock").write_text(json.dumps({**lock, "seed": 7}), encoding="utf-8")
    build_harbor_side(twin, tmp_path / "dist" / "harbor", bindings_of(twin))
    (told,) = found_by(tmp_path / "dist" / "harbor", twin).problems
    seen(told)
    assert told == "manifest.json: a twin is private: expected the release's seed 100, came 7"


@pytest.mark.attack("supply", "another dataset of the release's seed", expected="named by its digest", flaw=7)
def test_a_dataset_that_is_not_the_committed_one_does_not_verify(
    side: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch, seen: Seen
) -> None:
    monkeypatch.setattr("generator.release.verify.render_anew", lambda bindings, out: render_copy(dataset, out))
    done = CliRunner().invoke(verify_release_command, [str(side)])
    seen(done.output.splitlines()[0][:100])
    assert done.exit_code == 1
    assert done.output.startswith("manifest.json: its dataset is not the release's: SHA-256 of dataset.lock ")


def test_a_checkout_without_its_lock_can_tell_nothing(dataset: Path, tmp_path: Path) -> None:
    told = "this checkout has no harbor_tasks/dataset.lock to compare with"
    assert released_problems(bindings_of(dataset), tmp_path) == [told]


@pytest.mark.attack("supply", "{name} added to a release", expected="named", flaw=7)
@pytest.mark.parametrize(
    "name", [".manifest.json.new", "erpbench-001/.manifest.json.new", "erpbench-001/tests/.manifest.json.new"]
)
def test_no_file_is_excepted_by_its_name(side: Path, dataset: Path, seen: Seen, name: str) -> None:
    (side / name).write_text("payload", encoding="utf-8")
    (told,) = found_by(side, dataset).problems
    seen(told)
    assert told == f"{name}: not in manifest.json"


@pytest.mark.attack("supply", "an empty folder {name}/ in a release", expected="named", flaw=7)
@pytest.mark.parametrize("name", ["jobs", "erpbench-001/tests/extra"])
def test_an_empty_folder_is_named(side: Path, dataset: Path, seen: Seen, name: str) -> None:
    (side / name).mkdir()
    (told,) = found_by(side, dataset).problems
    seen(told)
    assert told == f"{name}/: an empty folder"


@pytest.mark.attack("supply", "mode {mode:o} on {name}", expected="named with both modes", flaw=7)
@pytest.mark.parametrize(
    ("name", "mode", "told"),
    [
        ("erpbench-001/tests/test.sh", 0o4777, "mode 4777, expected 0755"),
        ("erpbench-001/tests/test.sh", 0o2755, "mode 2755, expected 0755"),
        ("erpbench-001/tests/test.sh", 0o644, "mode 0644, expected 0755"),
        ("erpbench-001/task.toml", 0o600, "mode 0600, expected 0644"),
        ("erpbench-001/task.toml", 0o646, "mode 0646, expected 0644"),
        ("erpbench-001/tests/contract.json", 0o654, "mode 0654, expected 0644"),
        ("manifest.json", 0o640, "mode 0640, expected 0644"),
        ("erpbench-001/tests", 0o1777, "mode 1777, expected 0755"),
        ("erpbench-001/tests", 0o700, "mode 0700, expected 0755"),
    ],
)
def test_other_permissions_are_named(side: Path, dataset: Path, seen: Seen, name: str, mode: int, told: str) -> None:
    (side / name).chmod(mode)
    (came,) = found_by(side, dataset).problems
    seen(came)
    assert came == f"{name}: {told}"


def test_a_copy_made_under_a_groups_umask_is_the_same_release(side: Path, dataset: Path) -> None:
    (side / "erpbench-001" / "task.toml").chmod(0o664)
    (side / "erpbench-001" / "tests").chmod(0o2775)
    assert found_by(side, dataset).problems == ()


@pytest.mark.attack("supply", "files twice in manifest.json", expected="refused", flaw=7)
def test_a_key_that_comes_twice_is_refused(side: Path, dataset: Path, seen: Seen) -> None:
    twice(side)
    with pytest.raises(ReleaseError) as refused:
        found_by(side, dataset)
    seen(str(refused.value).replace(str(side), "harbor"))
    assert str(refused.value) == f"{side}/manifest.json: not JSON (key 'files' 2 times in one object)"


def test_a_manifest_in_another_form_is_named(side: Path, dataset: Path) -> None:
    raw = json.loads((side / "manifest.json").read_text(encoding="utf-8"))
    (side / "manifest.json").write_text(json.dumps(raw), encoding="utf-8")
    assert found_by(side, dataset).problems == ("manifest.json: not in the form that a build writes, byte for byte",)


@pytest.mark.attack("supply", "forged image ids in manifest.json", expected="noted, each", flaw=7)
def test_a_forged_image_id_is_noted(side: Path, dataset: Path, seen: Seen) -> None:
    edit_bindings(side, images=images(side, id=FORGED), images_seen="engine")
    found = found_by(side, dataset)
    notes = [note for note in found.notes if note.startswith("image ")]
    seen(notes[0])
    assert found.problems == ()
    assert [note.partition(": ")[0] for note in notes] == [
        f"image erpbench100/{name}:1.0.0" for name in ("base", "agent", "world", "verifier")
    ]


def test_what_is_no_image_id_is_refused(side: Path, dataset: Path) -> None:
    edit_bindings(side, images=images(side, id="latest"))
    with pytest.raises(ReleaseError, match=r"bindings\.images\.0\.id: String should match pattern .* came 'latest'"):
        found_by(side, dataset)


@pytest.mark.attack("supply", "images_seen changed beside image ids", expected="named", flaw=7)
def test_image_ids_that_nobody_can_have_seen_are_named(side: Path, dataset: Path, seen: Seen) -> None:
    edit_bindings(side, images=images(side, id=FORGED), images_seen="inputs only")
    (told,) = found_by(side, dataset).problems
    seen(told)
    assert told == "manifest.json: images_seen is 'inputs only', yet image ids are given, which only an engine gives"


def test_images_seen_that_is_otherwise_here_is_noted(
    side: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.release.bindings.local_images", lambda prefix, version: {})
    edit_bindings(side, images=images(side, id=None), images_seen="inputs only")
    assert "images_seen is 'inputs only', here it is 'engine'" in found_by(side, dataset).notes


@pytest.mark.attack("supply", "a side that is a link", expected="refused", flaw=7)
@pytest.mark.parametrize("given", ["dist", "dist/harbor"])
def test_a_linked_side_is_refused(side: Path, dataset: Path, tmp_path: Path, seen: Seen, given: str) -> None:
    side.rename(tmp_path / "moved")
    side.symlink_to(tmp_path / "moved")
    with pytest.raises(ReleaseError) as refused:
        found_by(tmp_path / given, dataset)
    seen(str(refused.value).replace(str(tmp_path), ""))
    assert str(refused.value).startswith(f"{side}: a link")


@pytest.mark.attack("supply", "folders and files beside the sides in dist", expected="noted, each", flaw=7)
def test_what_lies_beside_the_sides_is_noted_unless_a_command_makes_it(side: Path, dataset: Path, seen: Seen) -> None:
    for name in ("attack", "bench", "interop", "qualification", "sbom", "harbor2"):
        (side.parent / name).mkdir()
    (side.parent / "README.md").write_text("other", encoding="utf-8")
    found = found_by(side.parent, dataset)
    notes = [note for note in found.notes if note.endswith("not of the release, not looked at")]
    seen("; ".join(notes))
    assert (found.problems, notes) == (
        (),
        ["README.md: not of the release, not looked at", "harbor2: not of the release, not looked at"],
    )


def test_a_side_under_the_others_name_is_named(side: Path, dataset: Path) -> None:
    side.rename(side.parent / "huggingface")
    assert found_by(side.parent, dataset).problems == ("huggingface/manifest.json: of the other side",)


def test_a_name_that_would_break_a_line_is_shown_escaped() -> None:
    assert one_line("a\nverify-release: fine\x1b[2K ü") == "a\\nverify-release: fine\\x1b[2K ü"
    assert one_line("\udcff.txt") == "\\udcff.txt"


def test_a_manifest_rewritten_over_a_changed_mode_changes_nothing(side: Path, dataset: Path) -> None:
    (side / "metric.py").chmod(0o755)
    write_manifest(side, bindings_of(dataset))
    assert found_by(side, dataset).problems == ("metric.py: mode 0755, expected 0644",)
