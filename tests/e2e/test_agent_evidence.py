"""Forged evidence and processes left behind, through the real Harbor: the grade rests on the world's snapshot alone.

Three tasks of the dataset are copied and their solutions replaced by hostile ones, which Harbor's oracle runs as the
agent's user in the agent's container:
- the first does none of the work. It brings the snapshot of a perfect run of the same task and plants it, with perfect
  rewards, wherever an agent can write, and lays programs of its own into its home;
- the second does the work and leaves writers behind, detached in two ways, that forge bad rewards and call tools;
- the third does the work and leaves a fork bomb behind.
"""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.harbor.run import RunRequest, chosen_tasks, run_harbor
from generator.harbor.trials import Trial, read_trials
from tests.attack_table import Seen

pytestmark = pytest.mark.engine

EXPORT = "artifacts/var/lib/world/export"
PLACES = (
    "/logs/verifier /logs/artifacts /logs/artifacts/verifier /logs/artifacts/var/lib/world/export /logs/agent /logs "
    "/var/lib/world/export /var/lib/world /tests /solution /opt/erpbench /workspace /tmp /home/agent"
)
FORGE = f"""#!/bin/bash
for place in {PLACES}; do
  mkdir -p "$place" 2>/dev/null
  cp /solution/forged/* "$place"/ 2>/dev/null && echo "planted $place"
done
ln -s /etc/passwd /logs/artifacts/passwd
ln -s /var/lib/world/export /logs/artifacts/export
mkdir -p ~/bin ~/.local/bin
for program in sh bash tar python python3 erp erpbench-grade sleep; do
  for folder in ~/bin ~/.local/bin /workspace /tmp; do
    printf '#!/bin/bash\\ncp /solution/forged/reward.json /logs/verifier/\\n' >$folder/$program
    chmod +x $folder/$program
  done
done
for file in ~/.bashrc ~/.profile ~/.bash_profile ~/.bash_logout; do echo 'export PATH=~/bin:/tmp:$PATH' >$file; done
exit 0
"""
LINGER = """
cat >/tmp/linger.sh <<'END'
end=$((SECONDS + 90))
while [ $SECONDS -lt $end ]; do
  for place in /logs /logs/verifier /logs/artifacts /logs/agent /solution /tests /tmp; do
    echo '{"reward": 0.0, "erp_score": 0.0, "strict": 0}' >$place/reward.json
    echo lingering >$place/world.sqlite
  done
  erp call erpbench.get_submission task_id=@
done
END
setsid bash /tmp/linger.sh </dev/null >/dev/null 2>&1 &
(setsid bash -c '(bash /tmp/linger.sh &)' </dev/null >/dev/null 2>&1 &)
sleep 1
"""
BOMB = """
cat >/tmp/bomb.py <<'END'
import os, time
end = time.monotonic() + 90
while time.monotonic() < end:
    try:
        os.fork()
    except OSError:
        time.sleep(0.05)
END
setsid python3 -I /tmp/bomb.py </dev/null >/dev/null 2>&1 &
sleep 2
"""
WORK = "#!/bin/bash\nset -eu\npython3 -I /solution/run_plan.py /solution/plan.json\n"


@dataclass(frozen=True)
class HostileJob:
    """trials in the order forged, lingering, bombing; perfect is the snapshot that the first one planted."""

    folder: Path
    trials: list[Trial]
    perfect: bytes

    def directory(self, trial: Trial) -> Path:
        return next(self.folder.glob(f"{trial.task_id}__*"))


def run(dataset: Path, tasks: tuple[str, ...], job: Path) -> list[Trial]:
    run_harbor(RunRequest(dataset, tasks, "oracle", 2, False, job), lambda done: None)
    return read_trials(job)


def hostile_copy(dataset: Path, out: Path, tasks: tuple[str, ...], perfect: Path) -> Path:
    """The three tasks with hostile solutions, in a dataset folder of the same name under out."""
    copy = out / dataset.name
    copy.mkdir()
    shutil.copy(dataset / "registry.json", copy)
    for task, extra in zip(tasks, (None, LINGER, BOMB), strict=True):
        shutil.copytree(dataset / task, copy / task)
        script = FORGE if extra is None else WORK + extra.replace("@", task)
        (copy / task / "solution" / "solve.sh").write_text(script, encoding="utf-8")
    forged = copy / tasks[0] / "solution" / "forged"
    forged.mkdir()
    for file in (perfect / EXPORT).iterdir():
        shutil.copy(file, forged)
    for name in ("reward.json", "verdict.json", "reward-details.json"):
        shutil.copy(perfect / "verifier" / name, forged)
    return copy


@pytest.fixture(scope="module")
def job(dataset: Path, harbor: Path, tmp_path_factory: pytest.TempPathFactory) -> HostileJob:
    out = tmp_path_factory.mktemp("hostile")
    tasks = chosen_tasks(dataset, "all")[:3]
    (first,) = run(dataset, tasks[:1], out / "jobs" / "perfect")
    assert (first.reward, first.strict) == (1.0, True)
    perfect = next((out / "jobs" / "perfect").glob(f"{tasks[0]}__*"))
    assert json.loads((perfect / "verifier" / "reward.json").read_text())["reward"] == 1.0
    copy = hostile_copy(dataset, out, tasks, perfect)
    folder = out / "jobs" / "hostile"
    trials = run(copy, tasks, folder)
    return HostileJob(folder, trials, (perfect / EXPORT / "world.sqlite").read_bytes())


@pytest.mark.attack(
    "agent", "plant a perfect run's snapshot and rewards in every place it can write to", expected="score 0", flaw=7
)
def test_planted_evidence_and_rewards_earn_nothing(job: HostileJob, seen: Seen) -> None:
    trial, directory = job.trials[0], job.directory(job.trials[0])
    said = (directory / "agent" / "oracle.txt").read_text(encoding="utf-8")
    planted = [line.removeprefix("planted ") for line in said.splitlines() if line.startswith("planted ")]
    seen(f"planted in {', '.join(planted)}; reward {trial.reward}, {trial.passed} of {trial.criteria} criteria")
    assert {"/logs/artifacts", "/logs/artifacts/var/lib/world/export", "/workspace", "/tmp"} <= set(planted)
    assert not {"/tests", "/var/lib/world", "/var/lib/world/export", "/opt/erpbench"} & set(planted)
    assert (trial.reward, trial.erp_score, trial.strict, trial.passed, trial.criteria) == (0.0, 0.0, False, 0, 34)


@pytest.mark.attack("agent", "forge what the collect hook takes", expected="the world's own snapshot", flaw=2)
def test_what_is_graded_was_written_in_the_worlds_container(job: HostileJob, seen: Seen) -> None:
    directory = job.directory(job.trials[0])
    graded = (directory / EXPORT / "world.sqlite").read_bytes()
    manifest = json.loads((directory / EXPORT / "manifest.json").read_text(encoding="utf-8"))
    assert hashlib.sha256(graded).hexdigest() == manifest["sha256"]
    assert manifest["trace_rows"] == 0
    assert graded != job.perfect
    planted = directory / "artifacts" / "logs" / "artifacts" / "world.sqlite"
    assert planted.read_bytes() == job.perfect
    seen("an untouched world with an empty trace; the forged one is kept apart as the agent's file")


@pytest.mark.attack("agent", "a link out of its artifacts to a file of the host", expected="not followed", flaw=1)
def test_a_link_among_the_artifacts_is_not_followed(job: HostileJob, seen: Seen) -> None:
    artifacts = job.directory(job.trials[0]) / "artifacts" / "logs" / "artifacts"
    link = artifacts / "passwd"
    followed = link.is_file() and not link.is_symlink() and link.read_bytes() == Path("/etc/passwd").read_bytes()
    seen("kept as a link" if link.is_symlink() else "followed" if followed else "left out")
    assert not followed


@pytest.mark.attack(
    "agent", "leave detached processes that go on writing and calling tools", expected="grade unchanged, 1.0", flaw=7
)
def test_processes_left_behind_change_nothing(job: HostileJob, seen: Seen) -> None:
    trial = job.trials[1]
    seen(f"reward {trial.reward}, {trial.passed} of {trial.criteria} criteria")
    assert (trial.problem, trial.reward, trial.strict, trial.passed) == (None, 1.0, True, 34)
    trace = json.loads((job.directory(trial) / "verifier" / "trace.json").read_text(encoding="utf-8"))
    assert "get_submission" in json.dumps(trace)[-4000:]


@pytest.mark.attack("agent", "leave a fork bomb behind", expected="grade unchanged, 1.0", flaw=8)
def test_a_fork_bomb_left_behind_changes_nothing(job: HostileJob, seen: Seen) -> None:
    trial = job.trials[2]
    seen(f"reward {trial.reward}, {trial.passed} of {trial.criteria} criteria, {trial.seconds:.0f} s")
    assert (trial.problem, trial.reward, trial.strict, trial.passed) == (None, 1.0, True, 34)
