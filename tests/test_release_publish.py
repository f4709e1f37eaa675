"""What `erpbench publish hf` refuses before anything is pushed, and what the commands say."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import Commands
from generator.images.definition import PROJECT_ROOT
from generator.release import environment
from generator.release.bindings import Bindings, ReleaseError
from generator.release.commands import publish, release_command
from generator.release.environment import release_python
from generator.release.manifest import write_manifest
from generator.release.publish import check_tagged, publish_huggingface
from tests.attack_table import Seen

BINDINGS = Bindings(
    version="1.0.0",
    commit="0" * 40,
    seed=100,
    image_prefix="erpbench100/",
    dataset_lock_sha256="1" * 64,
    images_seen="inputs only",
    images=(),
    locks={},
    python="3.12",
)


@pytest.fixture(autouse=True)
def committed_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the bindings' dataset were the committed one."""
    monkeypatch.setattr("generator.release.released.sha256_of", lambda path: BINDINGS.dataset_lock_sha256)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "huggingface"
    built.mkdir()
    (built / "README.md").write_text("card", encoding="utf-8")
    write_manifest(built, BINDINGS)
    return built


def refusal(folder: Path, *, dry_run: bool = False, untagged: bool = False) -> str:
    with pytest.raises(ReleaseError) as refused:
        publish_huggingface(folder, "org/name", dry_run, False, untagged)
    return str(refused.value)


def test_a_folder_that_is_not_built(tmp_path: Path) -> None:
    assert refusal(tmp_path / "huggingface") == f"{tmp_path}/huggingface: not built; run `make release`"


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_folder_that_was_altered_since(folder: Path, dry_run: bool) -> None:
    (folder / "README.md").write_text("CARD", encoding="utf-8")
    (folder / "more.txt").touch()
    told = refusal(folder, dry_run=dry_run)
    assert told.startswith(f"{folder}: altered since it was built: README.md: its SHA-256 is ")
    assert told.endswith(" and 1 more; run `make release`")


@pytest.mark.attack("supply", "{name} in the folder that is published", expected="refused, named", flaw=7)
@pytest.mark.parametrize(
    ("name", "told"), [(".manifest.json.new", "not in manifest.json"), ("more/", "an empty folder")]
)
def test_nothing_goes_along_that_the_manifest_does_not_list(folder: Path, seen: Seen, name: str, told: str) -> None:
    (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text("payload", encoding="utf-8")
    came = refusal(folder, dry_run=True)
    seen(came.replace(str(folder), "huggingface"))
    assert came == f"{folder}: altered since it was built: {name}: {told}; run `make release`"


@pytest.mark.attack("supply", "a twin published as the release", expected="refused: a twin is private", flaw=7)
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_twin_is_not_published(folder: Path, seen: Seen, dry_run: bool) -> None:
    write_manifest(folder, BINDINGS.model_copy(update={"seed": 7}))
    came = refusal(folder, dry_run=dry_run, untagged=True)
    seen(came.replace(str(folder), "huggingface"))
    assert came == f"{folder}: a twin is private: expected the release's seed 100, came 7"


def test_a_dataset_that_is_not_the_committed_one_is_not_published(folder: Path) -> None:
    write_manifest(folder, BINDINGS.model_copy(update={"dataset_lock_sha256": "0" * 64}))
    expected = BINDINGS.dataset_lock_sha256
    assert refusal(folder, untagged=True) == (
        f"{folder}: its dataset is not the release's: SHA-256 of dataset.lock {'0' * 64},"
        f" this checkout's harbor_tasks/dataset.lock {expected}"
    )


def test_a_build_of_a_commit_without_the_tag(folder: Path) -> None:
    assert refusal(folder) == f"built from commit {'0' * 40}, which does not carry the tag v1.0.0"


def test_a_tagged_commit_passes_and_a_dirty_tree_does_not(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    commit = git("rev-parse", "HEAD")
    bindings = BINDINGS.model_copy(update={"commit": commit})
    with pytest.raises(ReleaseError, match=r"does not carry the tag v1\.0\.0"):
        check_tagged(bindings, tmp_path)
    git("tag", "v1.0.0")
    check_tagged(bindings, tmp_path)
    with pytest.raises(ReleaseError, match="changes that were not committed"):
        check_tagged(bindings.model_copy(update={"commit": f"{commit}-dirty"}), tmp_path)


def test_an_environment_that_is_not_made_names_the_target(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError) as refused:
        release_python(tmp_path / ".venv-release")
    assert str(refused.value) == f"{tmp_path}/.venv-release: no such environment; `make release-env` makes it"


def test_the_push_is_handed_what_was_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[str] = []

    def run(module: str, *arguments: str) -> int:
        handed.extend((module, *arguments))
        return 0

    monkeypatch.setattr("generator.release.publish.run_in_release", run)
    assert publish_huggingface(folder, "org/name", False, True, True) == 0
    assert handed == ["push_folder", str(folder), "org/name", "--message", "ERPBench-100 1.0.0", "--private"]


def test_a_child_that_was_told_to_stop_gives_its_own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 130\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(environment, "release_python", lambda: python)
    assert environment.run_in_release("push_folder") == 130


def test_both_hubs_can_be_published_to() -> None:
    assert sorted(publish.commands) == ["harbor", "hf"]


def test_a_release_without_qualification_leaves_nothing(
    rendered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.release.commands.check_released", lambda bindings, dataset: None)
    group = Commands("erpbench", commands={"release": release_command})
    arguments = ["release", "--dataset", str(rendered), "--qualification", str(tmp_path / "none")]
    done = CliRunner().invoke(group, [*arguments, "--out", str(tmp_path / "dist"), "--allow-dirty"])
    assert done.exit_code == 2
    assert done.output == (
        f"erpbench: {tmp_path}/none/parts/erpbench-001.json: no such file; a release is qualified first:"
        " run `make qualify`\n"
    )
    assert not (tmp_path / "dist").exists()


@pytest.mark.attack("supply", "a twin given to erpbench {command}", expected="exit code 2, one line", flaw=7)
@pytest.mark.parametrize("command", ["release", "publish harbor"])
def test_a_twin_is_not_built_for_release(tmp_path: Path, seen: Seen, command: str) -> None:
    twin = tmp_path / "twin"
    (twin / "erpbench-001").mkdir(parents=True)
    lock = {"schema_version": 1, "version": "1.0.0", "seed": 7, "tasks": {"erpbench-001": {}}}
    (twin / "dataset.lock").write_text(json.dumps(lock), encoding="utf-8")
    task = '[environment]\ndocker_image = "erpbench100/agent:1.0.0"\n'
    (twin / "erpbench-001" / "task.toml").write_text(task, encoding="utf-8")
    group = Commands("erpbench", commands={"release": release_command, "publish": publish})
    arguments = ["--dataset", str(twin), "--out", str(tmp_path / "dist"), "--allow-dirty"]
    done = CliRunner().invoke(group, [*command.split(), *arguments])
    seen(done.output.replace(str(tmp_path), "").strip())
    assert done.exit_code == 2
    assert done.output == f"erpbench: {twin}: a twin is private: expected the release's seed 100, came 7\n"
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize("module", ["check_loads", "push_folder"])
def test_what_runs_in_the_releases_environment_needs_nothing_of_the_project(module: str) -> None:
    """That environment has none of the project's packages, so an import of one would fail there only."""
    tree = ast.parse((PROJECT_ROOT / "generator" / "release" / f"{module}.py").read_text(encoding="utf-8"))
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    there = {"datasets", "huggingface_hub", "httpx2", "mlcroissant", "yaml"}
    roots = {str(name).partition(".")[0] for name in froms | names}
    assert roots <= {*sys.stdlib_module_names, *there}
