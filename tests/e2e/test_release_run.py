"""The release's Harbor side with the real Harbor, and the job that it leaves, on the leaderboard."""

import json
import subprocess
from pathlib import Path

import pytest

from generator.harbor.program import quiet_environment
from generator.leaderboard.add import build_entry
from generator.leaderboard.release import read_release
from generator.release.bindings import read_bindings
from generator.release.harbor_publish import check_with_harbor
from generator.release.harbor_side import build_harbor_side

pytestmark = pytest.mark.engine
COMMAND = "run -d erpbench100 --registry-path registry.json -a oracle -e docker"


@pytest.fixture(scope="module")
def side(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release") / "harbor"
    build_harbor_side(dataset, out, read_bindings(dataset, allow_dirty=True))
    return out


def test_harbor_sync_finds_every_digest_as_it_is(side: Path, harbor: Path) -> None:
    assert check_with_harbor(side, harbor) == len(json.loads((side / "registry.json").read_text())[0]["tasks"])


def test_the_command_of_the_readme_runs_inside_the_folder_and_its_job_is_a_control(
    side: Path, dataset: Path, harbor: Path
) -> None:
    command = [str(harbor), *COMMAND.split(), "-l", "1"]
    result = subprocess.run(
        command,
        cwd=side,
        env=quiet_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    (job,) = (side / "jobs").iterdir()
    entry = build_entry(job, read_release(dataset))
    assert [(trial.score, trial.strict) for trial in entry.trials] == [(100, True)]
    assert entry.control == "the agent is a control (oracle)"
    assert entry.partial[0].startswith("1 of 100 tasks; missing: ")
