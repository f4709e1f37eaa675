"""A job whose records contradict one another, the release or their evidence is refused, and the trial is named."""

import json
import shutil
from pathlib import Path

import pytest

from generator.leaderboard.add import build_entry
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.job import EVIDENCE
from generator.leaderboard.release import Release
from tests.attack_table import Seen
from tests.leaderboard_fixture import FakeJob, Studio, dump, edit, write_job

RUNS = (("erpbench-001", "nothing"), ("erpbench-002", "reader"), ("erpbench-003", "right"))
FIRST, SECOND, THIRD = "erpbench-001__0000000", "erpbench-002__0000001", "erpbench-003__0000002"


@pytest.fixture
def job(studio: Studio, tmp_path: Path) -> Path:
    return write_job(FakeJob(RUNS), studio, tmp_path / "job")


def refusal(job: Path, release: Release) -> str:
    with pytest.raises(LeaderboardError) as refused:
        build_entry(job, release)
    return str(refused.value)


def test_the_untouched_job_is_taken(job: Path, release: Release) -> None:
    entry = build_entry(job, release)
    assert [(trial.task, trial.score, trial.strict) for trial in entry.trials] == [
        ("erpbench-001", 0, False),
        ("erpbench-002", 15, False),
        ("erpbench-003", 100, True),
    ]


def raise_reward(job: Path, name: str) -> None:
    """Every record of a trial's rewards says 1.0, the job's summary too."""
    full = {"reward": 1.0, "erp_score": 100, "strict": 1, "discovery": 15, "calculation": 25, "decision": 15}
    full |= {"erp_state": 20, "handoff": 10, "readback": 10, "containment": 5}
    dump(job / name / "verifier" / "reward.json", full)
    edit(job / name / "result.json", "verifier_result", "rewards", to=full)
    summary = json.loads((job / "result.json").read_text(encoding="utf-8"))
    (evaluation,) = summary["stats"]["evals"].values()
    for key, value in full.items():
        values = evaluation["reward_stats"].setdefault(key, {})
        for names in values.values():
            if name in names:
                names.remove(name)
        values.setdefault(str(value), []).append(name)
    dump(job / "result.json", summary)


@pytest.mark.attack("scoring", "reward 1.0 written into every record of a trial", expected="refused", flaw=7)
def test_a_reward_that_the_evidence_does_not_bear_out(job: Path, release: Release, seen: Seen) -> None:
    raise_reward(job, FIRST)
    told = refusal(job, release)
    seen(told)
    assert told == f"{FIRST}: result.json, verifier_result.rewards: reward is 1.0, its evidence gives 0.0"


@pytest.mark.attack("scoring", "another trial's evidence put under a trial", expected="refused", flaw=7)
def test_evidence_of_another_task(job: Path, release: Release, seen: Seen) -> None:
    shutil.rmtree(job / FIRST / EVIDENCE)
    shutil.copytree(job / THIRD / EVIDENCE, job / FIRST / EVIDENCE)
    raise_reward(job, FIRST)
    told = refusal(job, release)
    seen(told)
    assert told == f"{FIRST}: result.json, verifier_result.rewards: reward is 1.0, its evidence gives 0.0"


@pytest.mark.attack("scoring", "reward.json alone changed", expected="refused", flaw=7)
def test_a_changed_reward_file(job: Path, release: Release, seen: Seen) -> None:
    edit(job / SECOND / "verifier" / "reward.json", "erp_score", to=99)
    told = refusal(job, release)
    seen(told)
    assert told == f"{SECOND}: verifier/reward.json: erp_score is 99, its evidence gives 15"


def test_a_changed_verdict(job: Path, release: Release) -> None:
    edit(job / SECOND / "verifier" / "verdict.json", "criteria", 19, "verdict", to="pass")
    told = f"{SECOND}: verifier/verdict.json: criterion 20 is not as its evidence has it"
    assert refusal(job, release) == told


def test_evidence_that_is_gone(job: Path, release: Release) -> None:
    (job / THIRD / EVIDENCE / "world.sqlite").unlink()
    told = f"{THIRD}: result.json, verifier_result.rewards: reward is 1.0, its evidence gives 0.0"
    assert refusal(job, release) == told


@pytest.mark.parametrize("name", ["reward.json", "verdict.json"])
def test_a_verifiers_output_that_is_gone(job: Path, release: Release, name: str) -> None:
    (job / SECOND / "verifier" / name).unlink()
    assert refusal(job, release) == f"{SECOND}: the verifier's output is missing (verifier/{name})"


@pytest.mark.attack("scoring", "the job's summary says more than its trials", expected="refused", flaw=7)
def test_a_summary_that_is_not_its_trials(job: Path, release: Release, seen: Seen) -> None:
    summary = json.loads((job / "result.json").read_text(encoding="utf-8"))
    (evaluation,) = summary["stats"]["evals"].values()
    evaluation["reward_stats"]["strict"] = {"1": [FIRST, SECOND, THIRD]}
    dump(job / "result.json", summary)
    told = refusal(job, release)
    seen(told)
    assert told == f"{FIRST}: the job's result.json has strict 1.0, its own 0.0"


def test_a_trial_that_was_taken_out(job: Path, release: Release) -> None:
    shutil.rmtree(job / FIRST)
    assert refusal(job, release).endswith("result.json counts 3 trials that ended, 2 are there")


@pytest.mark.attack("scoring", "a good trial copied in place of a bad one", expected="refused", flaw=6)
def test_a_trial_twice(job: Path, release: Release, seen: Seen) -> None:
    shutil.rmtree(job / FIRST)
    copy = job / "erpbench-003__copied1"
    shutil.copytree(job / THIRD, copy)
    for name, keys in (("config.json", ("trial_name",)), ("result.json", ("trial_name",))):
        edit(copy / name, *keys, to=copy.name)
    told = refusal(job, release)
    seen(told)
    assert told == f"{copy.name}: 2 trials have the id a71c48e5-978b-47d8-9058-000000000002; one was copied"
    edit(copy / "result.json", "id", to="a71c48e5-978b-47d8-9058-0000000000ff")
    assert refusal(job, release) == f"{copy.name}: 2 trials of erpbench-003; the job has 1 a task"
    edit(job / "config.json", "n_attempts", to=2)
    told = "lock.json has 3 trials; 3 tasks and 2 attempts at each make 6"
    assert refusal(job, release) == f"{job}: {told}"
    lock = json.loads((job / "lock.json").read_text(encoding="utf-8"))
    dump(job / "lock.json", {**lock, "trials": lock["trials"][:2] * 2})
    edit(job / "result.json", "n_total_trials", to=4)
    assert refusal(job, release) == f"{THIRD}: not among the trials that the job's lock.json lists"


@pytest.mark.attack("scoring", "a trial sent in under another task's name", expected="refused", flaw=7)
def test_an_edited_task_name(job: Path, release: Release, seen: Seen) -> None:
    edit(job / THIRD / "result.json", "task_name", to="erpbench/erpbench-004")
    told = refusal(job, release)
    seen(told)
    assert told == f"{THIRD}: result.json says task erpbench-004, lock.json says erpbench-003: one was edited"
    edit(job / THIRD / "lock.json", "task", "name", to="erpbench-004")
    assert "the trial is named after another" in refusal(job, release)
    renamed = job / "erpbench-004__0000002"
    (job / THIRD).rename(renamed)
    edit(renamed / "result.json", "trial_name", to=renamed.name)
    edit(renamed / "config.json", "trial_name", to=renamed.name)
    digests = [release.tasks[f"erpbench-00{number}"].digest for number in (3, 4)]
    told = f"{renamed.name}: ran another release: its task has digest {digests[0]}, this one {digests[1]}"
    assert refusal(job, release) == told


@pytest.mark.attack("scoring", "a run on another release", expected="refused", flaw=7)
def test_another_digest(job: Path, release: Release, seen: Seen) -> None:
    honest = release.tasks["erpbench-002"].digest
    edit(job / SECOND / "lock.json", "task", "digest", to=f"sha256:{'0' * 64}")
    told = refusal(job, release)
    seen(told)
    other = f"sha256:{'0' * 64}"
    assert told == f"{SECOND}: ran another release: its task has digest {other}, this one {honest}"
    edit(job / SECOND / "lock.json", "task", "digest", to=honest)
    edit(job / SECOND / "result.json", "task_checksum", to="0" * 64)
    assert refusal(job, release).startswith(f"{SECOND}: result.json: task_checksum {'0' * 64}; this release's task has")


@pytest.mark.attack("scoring", "trials of a better model among a job's", expected="refused", flaw=7)
def test_trials_of_another_agent_or_model(job: Path, release: Release, seen: Seen) -> None:
    edit(job / THIRD / "result.json", "agent_info", "model_info", "name", to="fable-9")
    told = refusal(job, release)
    seen(told)
    first, third = (f"terminus-2 2.0.0, model acme/{model}" for model in ("fable-1", "fable-9"))
    assert told == f"{THIRD}: agent {third}; the other trials have {first}"
    edit(job / THIRD / "result.json", "agent_info", "model_info", "name", to="fable-1")
    edit(job / THIRD / "config.json", "agent", "name", to="oracle")
    assert refusal(job, release).startswith(f"{THIRD}: config.json: agent name oracle, ")


def test_a_trial_of_another_job(job: Path, release: Release) -> None:
    edit(job / SECOND / "config.json", "job_id", to="another")
    assert refusal(job, release).startswith(f"{SECOND}: of job another; this is job ")


def test_a_trial_without_a_valid_reward_is_named_and_not_counted(job: Path, release: Release) -> None:
    edit(job / FIRST / "result.json", "verifier_result", to=None)
    edit(job / FIRST / "result.json", "exception_info", to={"exception_type": "EnvironmentStartError"})
    edit(job / FIRST / "result.json", "reward_valid", to=False)
    summary = json.loads((job / "result.json").read_text(encoding="utf-8"))
    (evaluation,) = summary["stats"]["evals"].values()
    for values in evaluation["reward_stats"].values():
        for names in values.values():
            names[:] = [name for name in names if name != FIRST]
    dump(job / "result.json", summary)
    entry = build_entry(job, release)
    assert [trial.task for trial in entry.trials] == ["erpbench-002", "erpbench-003"]
    assert f"1 trials without a valid reward: {FIRST} (EnvironmentStartError)" in entry.partial
