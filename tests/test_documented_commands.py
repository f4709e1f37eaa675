"""Every command and target that the documents or --help name is run: by this test, or by the whole check (.ci/run).

A command is what stands in a shell block, in backquotes, or among the examples of --help, and begins with make or
erpbench. One that is new in a document fails here until it is said where it runs.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator.cli import EXAMPLES, main

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?((?:make|erpbench) [^#`]+?)\s*(?:\s#.*)?$")
STEPS = [line for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines() if line.startswith('run "')]

# Commands run here, in a folder that holds a rendered harbor_tasks/: what each must print.
HERE = {
    "erpbench --help": "Examples:",
    "erpbench --version": "erpbench, version 1.",
    "erpbench dataset": "100 tasks",
    "erpbench dataset --check": "every digest as in",
    "erpbench dataset --seed 7 --out twin/": "100 tasks",
    "erpbench tasks --spread": "erpbench-",
    "erpbench inspect erpbench-001 --open": "28 files in",
    "erpbench inspect erpbench-042 --open": "28 files in",
    "erpbench inspect erpbench-001 --svg docs": "docs/erpbench-001-criteria.svg",
    "erpbench rules": " 0 problems",
    "erpbench audit --tasks erpbench-011,erpbench-012": "2 of 2",
    'erpbench qualify --tasks erpbench-001 --kinds "oracle;late reader;mutant"': "every line holds",
    "erpbench replay harbor_tasks/erpbench-001/solution/plan.json --task erpbench-001": " 0 differ",
}

# Commands that need an engine, an environment of their own or minutes: the step of the whole check that runs each.
IN_THE_CHECK = {
    "erpbench audit": "make audit",
    "erpbench attack --only verifier": "make attack",
    "erpbench attack --no-containers": "make attack",
    "erpbench bench --report-only": "make bench",
    "erpbench qualify": "make qualify",
    "erpbench images build": "make images",
    "erpbench images check": "erpbench images check",
    "erpbench images sbom": "make sbom",
    "erpbench images audit": "make pip-audit",
    "erpbench interop --only inspect": "make interop",
    "erpbench oracle": "make oracle",
    "erpbench oracle --tasks erpbench-001": "make oracle TASKS=erpbench-001",
    "erpbench oracle --agent nop --tasks all": "AGENT=nop",
    "erpbench oracle --dataset twin --tasks erpbench-001": "erpbench oracle --dataset twin --tasks erpbench-001",
    "erpbench leaderboard show": "erpbench leaderboard show",
    "erpbench lint": "make lint",
    "erpbench release --allow-dirty": "make release",
    "erpbench verify-release dist": "erpbench verify-release dist",
    "erpbench publish hf --repo ORG/NAME --dry-run": "erpbench publish hf --repo ORG/NAME --dry-run",
    "erpbench publish harbor --dry-run": "erpbench publish harbor --dry-run",
}

# Commands that serve, read what another left, or ask a registry: the test that runs each, and the word it runs it by.
IN_OTHER_TESTS = {
    "erpbench world --task erpbench-001": ("tests/test_commands.py", '"world", "--task"'),
    "erpbench world --task erpbench-001 --port 8000 --keep /tmp/try": ("tests/test_commands.py", '"--keep"'),
    "erpbench grade jobs/…/evidence --task erpbench-001": ("tests/test_commands.py", 'run("grade"'),
    "erpbench grade /tmp/try/export --task erpbench-001": ("tests/test_commands.py", 'run("grade"'),
    "erpbench images pin": ("tests/test_images_official.py", "pin"),
    "erpbench images check --release": ("tests/test_images_official.py", "release"),
    "erpbench images build --base official": ("tests/test_images_build.py", "official"),
    "erpbench leaderboard add jobs/2026-01-31__12-00-00": ("tests/test_leaderboard.py", "add"),
}


def documented() -> set[str]:
    """Every command of the documents and of --help, without its environment, its folder and its remark."""
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in EXAMPLES.splitlines()[2:]]
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
        lines += [line for block in blocks for line in block.splitlines()]
        lines += [" ".join(code.split()) for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)]
    commands = {found[1] for line in lines if (found := COMMAND.match(line.strip()))}
    return {command for command in commands if not command.endswith(" …")}


def targets() -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def test_every_documented_command_is_known() -> None:
    """One may be named in short: by the beginning of what is run."""
    known = " | ".join(["", *HERE, *IN_THE_CHECK, *IN_OTHER_TESTS])
    named = {command for command in documented() if not command.startswith("make")}
    assert sorted(command for command in named if f" | {command}" not in known) == []


def test_no_document_has_a_word_left_to_fill_in() -> None:
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"\b(?!ERPBENCH)[A-Z]{4,}_[A-Z_]+\b", text.replace("$", " ")) == [], name


def test_every_target_is_run_by_the_check() -> None:
    run = {name for step in STEPS for name in re.findall(r"make ([a-z0-9-]+)", step)}
    assert sorted(targets() - run - {"help"}) == []
    assert sorted({command.split()[1] for command in documented() if command.startswith("make")} - targets()) == []


def test_make_alone_lists_every_target() -> None:
    command = ["make", "--no-print-directory"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in printed.splitlines()} == targets()


def test_every_command_has_an_example() -> None:
    examples = {line.split()[1] for line in EXAMPLES.splitlines() if line.strip().startswith("erpbench ")}
    assert sorted(set(main.list_commands(click.Context(main))) - examples) == []


@pytest.mark.parametrize(("command", "step"), IN_THE_CHECK.items())
def test_the_check_has_the_step(command: str, step: str) -> None:
    assert [line for line in STEPS if step in line], f"{command}: no step of .ci/run has {step}"


@pytest.mark.parametrize(("command", "where"), IN_OTHER_TESTS.items())
def test_another_test_runs_it(command: str, where: tuple[str, str]) -> None:
    path, words = where
    assert words in (ROOT / path).read_text(encoding="utf-8"), f"{path} does not run {command}"


@pytest.fixture(scope="module")
def folder(rendered: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a rendered dataset, where commands run as they stand in the documents."""
    path = tmp_path_factory.mktemp("project")
    shutil.copytree(rendered, path / "harbor_tasks")
    return path


@pytest.mark.parametrize(("command", "printed"), HERE.items())
def test_command_runs_as_documented(folder: Path, command: str, printed: str) -> None:
    words = [sys.executable, "-m", "generator.cli", *shlex.split(command)[1:]]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'images/world'}", "TMPDIR": str(folder)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout + done.stderr
