"""The real Harbor: its digests are ours, its lint is clean but for the listed rules, and a run needs no network."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.harbor import commands
from generator.harbor.program import quiet_environment
from generator.harbor.run import chosen_tasks

pytestmark = pytest.mark.engine


def digests(manifest: Path) -> dict[str, str]:
    return {entry["name"]: entry["digest"] for entry in tomllib.loads(manifest.read_text(encoding="utf-8"))["tasks"]}


def test_harbor_sync_sets_the_digests_that_we_wrote(dataset: Path, harbor: Path, tmp_path: Path) -> None:
    first = chosen_tasks(dataset, "all")[:3]
    written = digests(dataset / "dataset.toml")
    for name in first:
        shutil.copytree(dataset / name, tmp_path / name)
    text = (dataset / "dataset.toml").read_text(encoding="utf-8")
    (tmp_path / "dataset.toml").write_text(re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, text), encoding="utf-8")
    subprocess.run([str(harbor), "sync", str(tmp_path)], env=quiet_environment(), check=True, capture_output=True)
    synced = digests(tmp_path / "dataset.toml")
    for name in first:
        assert synced[f"erpbench/{name}"] == written[f"erpbench/{name}"]
        assert not synced[f"erpbench/{name}"].endswith("0" * 64)


def test_lint_is_clean(dataset: Path, harbor: Path) -> None:
    names = ",".join(chosen_tasks(dataset, "all")[:2])
    result = CliRunner().invoke(commands.lint_command, ["--dataset", str(dataset), "--tasks", names])
    assert result.exit_code == 0, result.output


@pytest.mark.skipif(os.geteuid() != 0, reason="unshare -n needs root; CI runs as root")
def test_the_oracle_scores_1_without_a_network(dataset: Path, harbor: Path, tmp_path: Path) -> None:
    words = [
        "--dataset",
        str(dataset),
        "--tasks",
        chosen_tasks(dataset, "all")[0],
        "--offline",
        "--jobs",
        str(tmp_path),
    ]
    result = CliRunner().invoke(commands.oracle_command, words)
    assert result.exit_code == 0, result.output
    assert "1 of 1 as expected" in result.output
