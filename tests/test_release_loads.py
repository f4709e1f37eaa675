"""The published folder read with `datasets` and `mlcroissant`, offline, and what their check finds if it is wrong."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.images.definition import PROJECT_ROOT
from generator.release.environment import ENVIRONMENT
from tests.release_fixture import NEEDS_RELEASE, published

__all__ = ["published"]

pytestmark = NEEDS_RELEASE
BIN = ENVIRONMENT / "bin"
NESTED = """
import sys
import mlcroissant
record = next(iter(mlcroissant.Dataset(jsonld=sys.argv[1]).records("tasks")))
print(record["tasks/task_id"].decode(), record["tasks/points"], len(record["tasks/tool_servers"]))
print(*(status["tasks/statuses/id"].decode() for status in record["tasks/statuses"]))
"""


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / "python"), "-m", "generator.release.check_loads", str(folder)]
    return subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(published: Path, tmp_path: Path) -> Path:
    """The folder without its native files, which nothing here reads."""
    return Path(shutil.copytree(published, tmp_path / "huggingface", ignore=shutil.ignore_patterns("files")))


def test_every_configuration_loads_with_the_counts_and_sizes_it_declares(published: Path) -> None:
    done = check(published)
    assert (done.returncode, done.stdout.count("datasets: "), done.stdout.count("mlcroissant: ")) == (0, 6, 6), (
        done.stderr
    )
    assert "datasets: tasks: 100 rows, " in done.stdout
    assert "datasets: assets: 460 rows, " in done.stdout
    assert "mlcroissant: tools: 52 records" in done.stdout


def test_a_count_that_is_not_so_is_found(copy: Path) -> None:
    card = copy / "README.md"
    text = card.read_text(encoding="utf-8")
    at = text.index("num_bytes: ", text.index("config_name: tools", text.index("dataset_info:")))
    card.write_text(f"{text[:at]}num_bytes: 1{text[at + len('num_bytes: ') :]}", encoding="utf-8")
    done = check(copy)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"{copy}: tools: num_bytes: declared 1" in line


def test_a_croissant_file_that_is_not_valid_is_found(copy: Path) -> None:
    path = copy / "croissant.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "nowhere.parquet"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = check(copy)
    assert done.returncode == 1
    assert "croissant.json: " in done.stderr
    assert "nowhere.parquet" in done.stderr


def test_mlcroissants_own_command_validates(published: Path) -> None:
    command = [str(BIN / "mlcroissant"), "validate", "--jsonld", str(published / "croissant.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "warning" in done.stderr.lower()) == (0, False), done.stderr


def test_structures_come_through_croissant(published: Path) -> None:
    command = [str(BIN / "python"), "-c", NESTED, str(published / "croissant.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "erpbench-001 100 6",
        "submitted held_for_credit_release imported_as_received not_imported",
    ], done.stderr
