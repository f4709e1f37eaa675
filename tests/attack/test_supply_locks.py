"""What is installed is what the locks name by content: another file of the same name and version is refused."""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from generator.images.definition import ALL, PROJECT_ROOT, ImageDefinition
from tests.attack_table import Seen

LOCKS = sorted((PROJECT_ROOT / "locks").glob("*.lock"))
PACKAGE = re.compile(r"^[A-Za-z0-9._-]+==[^\s;]+( ; [^\\]+)? \\$")


def requirements(lock: Path) -> list[str]:
    """Each requirement of a lock with the lines that belong to it."""
    blocks: list[str] = []
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line.startswith((" ", "#")) and line.strip():
            blocks.append(line)
        elif line.strip().startswith("--hash"):
            blocks[-1] += f"\n{line}"
    return blocks


@pytest.mark.attack("supply", "a dependency in {lock.name} without a version or a hash", expected="none", flaw=3)
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_is_pinned_by_version_and_content(lock: Path, seen: Seen) -> None:
    blocks = requirements(lock)
    loose = [block for block in blocks if not PACKAGE.match(block.splitlines()[0]) or "--hash=sha256:" not in block]
    seen(f"{len(blocks) - len(loose)} of {len(blocks)} by version and sha256")
    assert blocks
    assert loose == []
    assert "git+" not in lock.read_text(encoding="utf-8")
    assert "://" not in "".join(blocks)


@pytest.mark.attack("supply", "{definition.name} installs what no lock names", expected="hashes or Debian", flaw=3)
@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
def test_no_image_installs_python_packages_without_hashes(definition: ImageDefinition, seen: Seen) -> None:
    text = (PROJECT_ROOT / definition.dockerfile).read_text(encoding="utf-8").replace("\\\n", " ")
    commands = [line for line in text.splitlines() if re.search(r"\bpip\b.*\binstall\b|\buv\b|\bnpm\b", line)]
    seen(f"{len(commands)} installations of Python packages, all from a lock by hash" if commands else "no pip")
    assert len(commands) == (1 if definition.name == "world" else 0)
    for command in commands:
        assert "--require-hashes" in command
        assert "--only-binary=:all:" in command
        assert "-r /tmp/world.lock" in command
    assert not re.search(r"\b(curl|wget)\b[^\n]*(https?:|\|)", text)
    assert not re.search(r"^ADD ", text, re.MULTILINE)


def wheel(folder: Path, body: str) -> str:
    """A tiny wheel of ours, toy 1.0, with the body; gives its sha256."""
    path = folder / "erpbench_toy-1.0-py3-none-any.whl"
    tag = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("erpbench_toy.py", body)
        archive.writestr(
            "erpbench_toy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: erpbench-toy\nVersion: 1.0\n"
        )
        archive.writestr("erpbench_toy-1.0.dist-info/WHEEL", tag)
        archive.writestr("erpbench_toy-1.0.dist-info/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def install(folder: Path, lock: Path) -> subprocess.CompletedProcess[str]:
    """pip with the options of the images and of scripts/install-lock, from a folder instead of an index."""
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--find-links", str(folder), "--require-hashes"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--target", str(folder / "site"), "-r", str(lock)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.attack("supply", "a package of the pinned version with another content", expected="refused", flaw=3)
def test_a_package_of_another_content_is_refused(tmp_path: Path, seen: Seen) -> None:
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("needs pip beside this interpreter, as `make setup` has it")
    lock = tmp_path / "toy.lock"
    lock.write_text(f"erpbench-toy==1.0 --hash=sha256:{wheel(tmp_path, 'right = True')}\n")
    assert install(tmp_path, lock).returncode == 0
    wheel(tmp_path, "right = False")
    (tmp_path / "site" / "erpbench_toy.py").unlink()
    result = install(tmp_path, lock)
    seen("pip: hashes do not match the requirements file" if "DO NOT MATCH" in result.stderr else result.stderr[-80:])
    assert result.returncode != 0
    assert "DO NOT MATCH THE HASHES" in result.stderr
    assert not (tmp_path / "site" / "erpbench_toy.py").exists()
