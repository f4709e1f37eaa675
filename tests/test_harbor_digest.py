"""Task digests by Harbor's rule, on values worked out with sha256sum; the real `harbor sync` is asked in tests/e2e."""

from pathlib import Path

import pytest

from generator.harbor.digest import digest_of_files, is_packaged, task_digest
from generator.spec.errors import DatasetError

# sha256sum of "A\n" and "B\n", then of the two lines "environment/a\0…\n" and "task.toml\0…\n".
TWO_FILES = "sha256:d625f23074d9e8f17e7e073025da0dab6e8e57f45b1dfd76e96345cef7c4ea8c"


def test_the_digest_of_two_files_is_the_hand_worked_one() -> None:
    assert digest_of_files({"task.toml": b"B\n", "environment/a": b"A\n"}) == TWO_FILES


def test_files_outside_the_package_do_not_count() -> None:
    files = {
        "task.toml": b"B\n",
        "environment/a": b"A\n",
        "NOTES.md": b"x",
        "environment/__pycache__/a.pyc": b"x",
        "tests/x.pyc": b"x",
        "solution/solve.sh~": b"x",
    }
    assert digest_of_files(files) == TWO_FILES


@pytest.mark.parametrize("path", ["task.toml", "instruction.md", "README.md", "environment/seed/files/a", "tests/t"])
def test_what_is_packaged(path: str) -> None:
    assert is_packaged(path)


@pytest.mark.parametrize("path", ["environment", "docs/README.md", ".gitignore", "tests/.DS_Store", "tests/.a.swp"])
def test_what_is_not_packaged(path: str) -> None:
    assert not is_packaged(path)


def test_a_directory_has_the_digest_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "a").write_bytes(b"A\n")
    (tmp_path / "task.toml").write_bytes(b"B\n")
    assert task_digest(tmp_path) == TWO_FILES


def test_a_folder_without_task_toml_is_no_task(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no task\.toml"):
        task_digest(tmp_path)


@pytest.mark.parametrize("name", [".gitignore", "tests/.harborignore"])
def test_ignore_rules_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "task.toml").write_text("")
    (tmp_path / name).write_text("*.json\n")
    with pytest.raises(DatasetError, match="would change what Harbor packages"):
        task_digest(tmp_path)
