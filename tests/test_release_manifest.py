"""Bindings name what a release was built from; the manifest lists every file of it."""

import json
import subprocess
from pathlib import Path

import pytest

from generator.images.definition import ALL, inputs_digest
from generator.release.bindings import (
    Bindings,
    ReleaseError,
    compared_bindings,
    dataset_prefix,
    git_commit,
    read_bindings,
)
from generator.release.manifest import (
    file_entries,
    folder_problems,
    manifest_problems,
    read_manifest,
    write_manifest,
)
from tests.harbor_side_fixture import bindings_of, small_dataset

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
ABD = "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9"
HAS = "manifest.json has"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_dataset(tmp_path_factory.mktemp("small") / "harbor_tasks")


@pytest.fixture
def bindings(dataset: Path) -> Bindings:
    return bindings_of(dataset)


@pytest.fixture
def folder(tmp_path: Path, bindings: Bindings) -> Path:
    built = tmp_path / "built"
    (built / "b" / "inner").mkdir(parents=True)
    (built / "a.txt").write_bytes(b"abc")
    (built / "b" / "inner" / "manifest.json").write_bytes(b"")
    write_manifest(built, bindings)
    return built


def test_every_file_is_listed_but_the_manifest_itself(folder: Path, bindings: Bindings) -> None:
    raw = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert raw["files"] == {
        "a.txt": {"sha256": ABC, "size": 3},
        "b/inner/manifest.json": {"sha256": EMPTY, "size": 0},
    }
    assert list(raw) == ["bindings", "files", "schema_version"]
    before = (folder / "manifest.json").read_bytes()
    write_manifest(folder, bindings)
    assert (folder / "manifest.json").read_bytes() == before


def test_bindings_hold_the_seed_the_lock_and_the_packages(dataset: Path, bindings: Bindings) -> None:
    assert (bindings.version, bindings.seed, bindings.image_prefix, bindings.python) == (
        "1.0.0",
        100,
        "erpbench100/",
        "3.12",
    )
    assert [image.tag for image in bindings.images] == [
        "erpbench100/base:1.0.0",
        "erpbench100/agent:1.0.0",
        "erpbench100/world:1.0.0",
        "erpbench100/verifier:1.0.0",
    ]
    assert {"core.lock", "harbor.lock", "world.lock"} <= bindings.locks.keys()
    assert (bindings.images_seen == "engine") or all(image.id is None for image in bindings.images)
    world = next(one for one in ALL if one.name == "world")
    assert bindings.images[2].inputs == f"sha256:{inputs_digest(world, '')}"
    assert compared_bindings(bindings)[0] == []


def test_what_this_tree_has_otherwise_is_named(bindings: Bindings) -> None:
    images = (*bindings.images[:3], bindings.images[3].model_copy(update={"inputs": "sha256:0"}))
    locks = {**bindings.locks, "core.lock": "0" * 64}
    other = bindings.model_copy(update={"images": images, "locks": locks, "python": "3.11"})
    tag = "erpbench100/verifier:1.0.0"
    assert compared_bindings(other)[0] == [
        "for Python 3.11, this checkout's locks are for 3.12",
        "locks/core.lock is not the one of this checkout",
        f"image verifier ({tag}) is of other inputs than this checkout's ({tag})",
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda folder: (folder / "a.txt").write_bytes(b"abd"), f"a.txt: its SHA-256 is {ABD}, {HAS} {ABC}"),
        (lambda folder: (folder / "a.txt").write_bytes(b"abcd"), "a.txt: 4 bytes, manifest.json has 3"),
        (lambda folder: (folder / "a.txt").unlink(), "a.txt: missing; manifest.json lists it with 3 bytes"),
        (lambda folder: (folder / "b" / "c").write_bytes(b""), "b/c: not in manifest.json"),
    ],
    ids=["flipped", "longer", "missing", "extra"],
)  # fmt: skip
def test_a_file_that_is_not_as_listed_is_named(folder: Path, change, told: str) -> None:  # type: ignore[no-untyped-def]
    assert manifest_problems(file_entries(folder), read_manifest(folder)) == []
    change(folder)
    assert manifest_problems(file_entries(folder), read_manifest(folder)) == [told]


@pytest.mark.parametrize("place", ["", "b/"])
def test_no_name_is_excepted_but_the_manifests_own(folder: Path, place: str) -> None:
    (folder / f"{place}.manifest.json.new").write_bytes(b"payload")
    assert folder_problems(folder, read_manifest(folder)) == [f"{place}.manifest.json.new: not in manifest.json"]


def test_the_manifest_is_written_beside_the_folder_and_nothing_is_left(tmp_path: Path, bindings: Bindings) -> None:
    side = tmp_path / "side"
    side.mkdir()
    write_manifest(side, bindings)
    assert [path.name for path in tmp_path.rglob("*")] == ["side", "manifest.json"]


def test_an_empty_folder_is_named(folder: Path) -> None:
    (folder / "b" / "more").mkdir()
    assert folder_problems(folder, read_manifest(folder)) == ["b/more/: an empty folder"]


def test_image_ids_are_told_unless_the_engine_has_the_very_image(
    bindings: Bindings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.release.bindings.local_images", lambda prefix, version: None)
    forged = f"sha256:{'e' * 64}"
    images = (
        bindings.images[0].model_copy(update={"id": forged}),
        *(image.model_copy(update={"id": None}) for image in bindings.images[1:]),
    )
    with_engine = bindings.model_copy(update={"images": images, "images_seen": "engine"})
    assert compared_bindings(with_engine) == (
        [],
        [
            "images_seen is 'engine', here it is 'inputs only'",
            f"image erpbench100/base:1.0.0: its id {forged} cannot be confirmed: no engine answers",
        ],
    )
    problem = "images_seen is 'inputs only', yet image ids are given, which only an engine gives"
    assert compared_bindings(with_engine.model_copy(update={"images_seen": "inputs only"}))[0] == [problem]


def test_a_link_is_refused(folder: Path, bindings: Bindings) -> None:
    (folder / "b" / "link").symlink_to("/etc/hostname")
    with pytest.raises(ReleaseError, match="plain files only"):
        write_manifest(folder, bindings)
    (folder / "b" / "link").unlink()
    (folder.parent / "side").symlink_to(folder)
    with pytest.raises(ReleaseError, match="side: a link; expected the folder itself"):
        file_entries(folder.parent / "side")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "no manifest.json; expected a release folder"),
        ("{", "not JSON"),
        ('{"files": {}, "files": {}}', "not JSON (key 'files' 2 times in one object)"),
        ('{"schema_version": 2}', "expected schema version 1, came 2"),
        ('{"schema_version": 1, "bindings": {"version": "1.0.0"}}', "bindings.commit: Field required"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path: Path, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ReleaseError) as refused:
        read_manifest(tmp_path)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_commit_is_of_a_clean_tree_unless_asked_otherwise(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="expected a git tree with a commit"):
        git_commit(allow_dirty=True, root=tmp_path)
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    clean = git_commit(allow_dirty=False, root=tmp_path)
    assert len(clean) == 40
    (tmp_path / "new.py").write_text("", encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"not committed: new\.py; a release is built from a clean tree"):
        git_commit(allow_dirty=False, root=tmp_path)
    assert git_commit(allow_dirty=True, root=tmp_path) == f"{clean}-dirty"


def test_a_dataset_of_another_version_or_without_its_tasks_is_told_so(dataset: Path, tmp_path: Path) -> None:
    lock = (dataset / "dataset.lock").read_text(encoding="utf-8")
    (tmp_path / "dataset.lock").write_text(lock.replace('"version": "1.0.0"', '"version": "0.9.0"'), encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"of version 0\.9\.0, this tree is 1\.0\.0"):
        read_bindings(tmp_path, allow_dirty=True)
    with pytest.raises(ReleaseError, match=r"erpbench-001/task\.toml: not rendered"):
        dataset_prefix(tmp_path)
