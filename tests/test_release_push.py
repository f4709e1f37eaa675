"""The push against a stand-in for the hub on loopback: interrupted, resumed, downloaded again, and what it refuses."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.images.definition import PROJECT_ROOT
from generator.release.environment import ENVIRONMENT
from tests.attack_table import Seen
from tests.release_fixture import NEEDS_RELEASE, published
from tests.release_hub_fixture import Hub, Repository, running_hub

__all__ = ["published"]

pytestmark = NEEDS_RELEASE
PYTHON = ENVIRONMENT / "bin" / "python"
TOKEN = "hf_standInTokenOfTheTest"
REPO = "erpbench/erpbench100"
STALL_AFTER = 40
DOWNLOAD = """
import sys
from huggingface_hub import snapshot_download
snapshot_download(sys.argv[1], repo_type="dataset", local_dir=sys.argv[2])
"""
LOAD = """
import sys, datasets
datasets.disable_progress_bars()
for name in datasets.get_dataset_config_names(sys.argv[1]):
    print(name, len(datasets.load_dataset(sys.argv[1], name, split="test")))
"""


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub(TOKEN) as running:
        yield running


def environment(hub: Hub, home: Path, token: str = TOKEN) -> dict[str, str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {"HF_ENDPOINT": hub.url, "HF_HUB_DISABLE_XET": "1", "HF_HOME": str(home), "NO_PROXY": "*"}
    return {**keep, **settings, "PYTHONPATH": str(PROJECT_ROOT), **({"HF_TOKEN": token} if token else {})}


def command(folder: Path, *more: str, repo: str = REPO) -> list[str]:
    return [str(PYTHON), "-m", "generator.release.push_folder", str(folder), repo, *more]


def run(hub: Hub, home: Path, arguments: list[str], token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    env = environment(hub, home, token)
    return subprocess.run(arguments, env=env, cwd=home, capture_output=True, text=True, check=False, timeout=120)


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_an_interrupted_push_goes_on_and_comes_back_byte_for_byte(published: Path, hub: Hub, tmp_path: Path) -> None:
    hub.stall_after = STALL_AFTER
    with subprocess.Popen(
        command(published), env=environment(hub, tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        assert hub.stalled.wait(60)
        process.kill()
    assert hub.repositories[REPO].files == {}
    assert len(hub.received) == STALL_AFTER
    hub.stall_after = None

    done = run(hub, tmp_path, command(published, "--message", "ERPBench-100 1.0.0"))

    assert done.returncode == 0, done.stderr
    expected = contents(published)
    assert f"publish: {REPO} holds the release: {len(expected)} files, commit " in done.stdout
    assert hub.repositories[REPO].files == expected
    assert len(hub.received) == len(set(hub.received)) == len(hub.objects)
    assert TOKEN not in done.stdout + done.stderr

    back = tmp_path / "back"
    assert run(hub, tmp_path, [str(PYTHON), "-c", DOWNLOAD, REPO, str(back)]).returncode == 0
    assert {name: data for name, data in contents(back).items() if not name.startswith(".cache/")} == expected

    loaded = run(hub, tmp_path, [str(PYTHON), "-c", LOAD, REPO])
    assert sorted(loaded.stdout.splitlines()) == [
        "assets 460",
        "qualification 2",
        "tasks 100",
        "tenants 10",
        "tools 52",
        "trajectories 10",
    ], loaded.stderr


def small(folder: Path) -> Path:
    """A folder with a card, which is all that the hub insists on."""
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nlicense: cc-by-4.0\n---\n", encoding="utf-8")
    (folder / "data" / "rows.parquet").write_bytes(b"PAR1 rows")
    files = {name: {"size": (folder / name).stat().st_size} for name in ("README.md", "data/rows.parquet")}
    (folder / "manifest.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    return folder


def test_a_second_push_removes_what_the_release_no_longer_has(hub: Hub, tmp_path: Path) -> None:
    hub.repositories[REPO] = Repository(False, {".gitattributes": b"*", "data/old.parquet": b"old"})
    assert run(hub, tmp_path, command(small(tmp_path / "folder"))).returncode == 0
    assert sorted(hub.repositories[REPO].files) == [
        ".gitattributes",
        "README.md",
        "data/rows.parquet",
        "manifest.json",
    ]


@pytest.mark.attack("supply", "{name} beside what the manifest lists, pushed", expected="named, not pushed", flaw=7)
@pytest.mark.parametrize("name", [".manifest.json.new", "data/.x", ".git/config"])
def test_what_the_manifest_does_not_list_is_not_pushed(hub: Hub, tmp_path: Path, seen: Seen, name: str) -> None:
    folder = small(tmp_path / "folder")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("payload", encoding="utf-8")
    done = run(hub, tmp_path, command(folder))
    seen(done.stderr.replace(str(tmp_path), "").strip())
    assert (done.returncode, hub.repositories) == (2, {})
    assert done.stderr == f"erpbench: {folder / name}: not in manifest.json; nothing was pushed\n"


def test_what_is_listed_and_missing_or_a_link_is_not_pushed(hub: Hub, tmp_path: Path) -> None:
    folder = small(tmp_path / "folder")
    (folder / "README.md").rename(tmp_path / "elsewhere.md")
    told = run(hub, tmp_path, command(folder)).stderr
    assert told == f"erpbench: {folder}/README.md: missing; nothing was pushed\n"
    (folder / "README.md").symlink_to(tmp_path / "elsewhere.md")
    told = run(hub, tmp_path, command(folder)).stderr
    assert told == f"erpbench: {folder}/README.md: a link or a special file; nothing was pushed\n"
    assert hub.repositories == {}


def test_a_repository_of_other_origin_is_left_alone(hub: Hub, tmp_path: Path) -> None:
    hub.repositories[REPO] = Repository(False, {"weights.bin": b"somebody else's"})
    done = run(hub, tmp_path, command(small(tmp_path / "folder")))
    assert (done.returncode, done.stderr) == (
        2,
        f"erpbench: {REPO}: holds weights.bin, which is of no release; expected a new repository or an earlier"
        " release\n",
    )
    assert hub.repositories[REPO].files == {"weights.bin": b"somebody else's"}


def test_private_makes_a_private_repository_and_refuses_a_public_one(hub: Hub, tmp_path: Path) -> None:
    folder = small(tmp_path / "folder")
    assert run(hub, tmp_path, command(folder, "--private")).returncode == 0
    assert hub.repositories[REPO].private
    hub.repositories[REPO] = Repository(False)
    done = run(hub, tmp_path, command(folder, "--private"))
    assert (done.returncode, hub.repositories[REPO].files) == (2, {})
    assert "is public already" in done.stderr


def test_no_token_is_one_line_that_says_what_to_do(hub: Hub, tmp_path: Path) -> None:
    done = run(hub, tmp_path, command(small(tmp_path / "folder")), token="")
    assert (done.returncode, done.stderr) == (
        2,
        "erpbench: no token for the hub: set HF_TOKEN, or log in with `.venv-release/bin/hf auth login`\n",
    )


def test_a_token_that_is_refused_is_one_line_without_the_token(hub: Hub, tmp_path: Path) -> None:
    done = run(hub, tmp_path, command(small(tmp_path / "folder")), token="hf_wrongTokenOfTheTest")
    assert done.returncode == 2
    assert done.stderr.startswith(f"erpbench: {hub.url}: answered 401: ")
    assert done.stderr.endswith("(the token is not accepted)\n")
    assert done.stderr.count("\n") == 1
    assert "hf_wrongTokenOfTheTest" not in done.stdout + done.stderr


@pytest.mark.parametrize("repo", ["erpbench100", "erpbench/erp bench", "a/b/c", "erpbench/..", ""])
def test_a_name_that_is_no_org_and_name_is_refused_before_anything_is_asked(
    hub: Hub, tmp_path: Path, repo: str
) -> None:
    done = run(hub, tmp_path, command(small(tmp_path / "folder"), repo=repo))
    assert done.returncode == 2
    assert done.stderr.startswith(f"erpbench: --repo {repo}: ")
    assert done.stderr.count("\n") == 1
    assert hub.repositories == {}


def test_nobody_there_is_one_line(hub: Hub, tmp_path: Path) -> None:
    env = environment(hub, tmp_path) | {"HF_ENDPOINT": "http://127.0.0.1:9"}
    done = subprocess.run(
        command(small(tmp_path / "folder")), env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr.startswith("erpbench: http://127.0.0.1:9: ")
    assert done.stderr.count("\n") == 1


def test_a_dry_run_counts_and_asks_nobody(hub: Hub, tmp_path: Path) -> None:
    done = run(hub, tmp_path, command(small(tmp_path / "folder"), "--dry-run"), token="")
    assert (done.returncode, hub.repositories) == (0, {})
    assert done.stdout == f"publish: would push 3 files, 0.0 MB, to {REPO} at {hub.url}\n"
