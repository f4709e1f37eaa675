"""Jobs by evidence, conditions and files: replays and copies get no rank, odd files one clear line."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.leaderboard.add import build_entry
from generator.leaderboard.conditions import NOT_RETRIED, altered
from generator.leaderboard.files import LARGEST_FILE, LeaderboardError
from generator.leaderboard.job import EVIDENCE
from tests.attack_table import Seen
from tests.leaderboard_fixture import FakeJob, Studio, edit, write_job

TASKS = ("erpbench-001", "erpbench-012", "erpbench-023")
FIRST, SECOND = "erpbench-001__0000000", "erpbench-012__0000001"


@pytest.fixture
def job(studio: Studio, tmp_path: Path) -> Path:
    return write_job(FakeJob([(task, "reader") for task in TASKS]), studio, tmp_path / "job")


def refusal(job: Path, studio: Studio) -> str:
    with pytest.raises(LeaderboardError) as refused:
        build_entry(job, studio.release, grader=studio.grade)
    return str(refused.value)


@pytest.mark.attack("scoring", "the oracle's plan with reads added, or reworded", expected="never ranked", flaw=7)
@pytest.mark.parametrize("kind", ["oracle", "replay", "reworded"])
def test_a_replay_in_disguise_is_a_control(studio: Studio, tmp_path: Path, kind: str, seen: Seen) -> None:
    job = write_job(FakeJob([(task, kind) for task in TASKS]), studio, tmp_path / "job")
    entry = build_entry(job, studio.release, grader=studio.grade)
    seen(entry.control)
    assert [trial.score for trial in entry.trials] == [100, 100, 100]
    assert entry.control == "repeats the oracle's published plan, its calls or its wording, in 3 of 3 tasks"


@pytest.mark.parametrize("kind", ["right", "reader", "nothing"])
def test_own_reads_and_own_words_are_no_replay(studio: Studio, tmp_path: Path, kind: str) -> None:
    job = write_job(FakeJob([(task, kind) for task in TASKS]), studio, tmp_path / "job")
    assert build_entry(job, studio.release, grader=studio.grade).control == ""


@pytest.mark.attack("scoring", "one trial's evidence put into every attempt", expected="refused", flaw=6)
def test_attempts_that_share_their_evidence(studio: Studio, tmp_path: Path, seen: Seen) -> None:
    attempts = [(task, "right") for task in TASKS for _ in range(3)]
    job = write_job(FakeJob(attempts, attempts=3), studio, tmp_path / "job")
    told = refusal(job, studio)
    seen(told)
    both = "erpbench-001__0000000 and erpbench-001__0000001"
    assert told == f"{job}: {both} have the same evidence: one attempt, copied, counts for no two"


@pytest.mark.attack("scoring", "a run under conditions of its own", expected="listed with the setting", flaw=7)
@pytest.mark.parametrize(
    ("section", "name", "value", "told"),
    [
        ("environment", "import_path", "own.env:Environment", '"own.env:Environment"'),
        ("environment", "kwargs", {"no_seal": 1}, '{"no_seal": 1}'),
        ("environment", "extra_allowed_hosts", ["answers.example"], '["answers.example"]'),
        ("environment", "env", {"X": "1"}, '{"X": "1"}'),
        ("environment", "type", "modal", '"modal"'),
        ("verifier", "env", {"X": "1"}, '{"X": "1"}'),
        ("verifier", "import_path", "own:Verifier", '"own:Verifier"'),
        ("agent", "kwargs", {"prompt_template_path": "x"}, '{"prompt_template_path": "x"}'),
        ("agent", "max_timeout_sec", 90000, "90000"),
        ("agent", "extra_allowed_hosts", ["x.example"], '["x.example"]'),
        ("agent", "setting_of_tomorrow", 0, "0"),
        ("retry", "exclude_exceptions", [], "[]"),
    ],
)
@pytest.mark.parametrize("place", ["config.json", "result.json"])
def test_altered_conditions(
    job: Path, studio: Studio, section: str, name: str, value: Any, told: str, place: str, seen: Seen
) -> None:
    config: Any = json.loads((job / FIRST / "config.json").read_text(encoding="utf-8"))
    config.setdefault(section, {})[name] = value
    if place == "config.json":
        (job / FIRST / place).write_text(json.dumps(config), encoding="utf-8")
    else:
        edit(job / FIRST / place, "config", to=config)
    entry = build_entry(job, studio.release, grader=studio.grade)
    seen(entry.partial[-1])
    assert entry.partial[-1] == f"run under other conditions: {section}.{name} is {told}"


def test_harbors_own_settings_and_the_harmless_ones_are_no_other_conditions() -> None:
    agent = {"name": "x", "model_name": "a/b", "kwargs": {"temperature": 0.2}, "env": {"KEY": "k"}, "skills": []}
    environment = {"type": "docker", "delete": False, "cpu_enforcement_policy": "auto", "mounts": None, "kwargs": {}}
    places = {"job_name": "j", "jobs_dir": "jobs", "n_attempts": 3, "n_concurrent_trials": 8, "quiet": True}
    run = {"timeout_multiplier": 1.0, "install_only": False, "agents": [agent], "environment": environment}
    retry = {"max_retries": 2, "include_exceptions": None, "exclude_exceptions": sorted(NOT_RETRIED)}
    verifier = {"disable": False, "max_timeout_sec": None}
    job = {**places, **run, "retry": retry, "verifier": verifier, "datasets": [{"name": "erpbench100"}]}
    assert list(altered([job])) == []
    assert list(altered([{"agents": [{"load_trajectory": "t"}]}, {"timeout_multiplier": 2}])) == [
        'run under other conditions: agent.load_trajectory is "t"',
        "run under other conditions: timeout_multiplier is 2",
    ]


@pytest.mark.attack("scoring", "result.json nested past any depth", expected="refused", flaw=7)
def test_json_that_is_too_deep(job: Path, studio: Studio, seen: Seen) -> None:
    path = job / SECOND / "result.json"
    path.write_text("[" * 200_000, encoding="utf-8")
    told = refusal(job, studio)
    seen(told)
    assert told == f"{path}: not JSON of a sensible depth"


@pytest.mark.parametrize("number", ["1e999", "NaN", '"\\u00b2"', "[]"])
def test_a_criterion_whose_number_is_none(job: Path, studio: Studio, number: str) -> None:
    text = f'{{"score": 15, "criteria": [{{"n": {number}, "verdict": "pass"}}]}}'
    (job / FIRST / "verifier" / "verdict.json").write_text(text, encoding="utf-8")
    assert refusal(job, studio).startswith(f"{FIRST}: verifier/verdict.json: not a verdict (")


def test_half_of_a_surrogate_pair(job: Path, studio: Studio) -> None:
    edit(job / FIRST / "result.json", "agent_info", "version", to="2\ud800")
    assert (
        refusal(job, studio) == f"{job / FIRST / 'result.json'}: holds half of a surrogate pair, which is no character"
    )


def test_bytes_that_are_no_text(job: Path, studio: Studio) -> None:
    (job / FIRST / "lock.json").write_bytes(b"\xff")
    assert refusal(job, studio) == f"{job / FIRST / 'lock.json'}: not UTF-8 (invalid start byte at byte 0)"


@pytest.mark.attack("scoring", "pipes, devices, links and giants for a job's files", expected="refused", flaw=7)
@pytest.mark.parametrize("name", ["config.json", "result.json", "lock.json", "verifier/reward.json"])
@pytest.mark.parametrize("kind", ["pipe", "device", "link", "giant", "folder"])
def test_files_that_are_none(job: Path, studio: Studio, name: str, kind: str, seen: Seen) -> None:
    path = job / FIRST / name
    kept = path.rename(path.with_suffix(".kept"))
    told = {
        "pipe": "expected a regular file, came a pipe",
        "device": "expected a regular file, came a link",
        "link": "expected a regular file, came a link",
        "giant": "16,777,217 bytes; expected at most 16,777,216",
        "folder": "expected a regular file, came a folder",
    }
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "giant":
        path.touch()
        os.truncate(path, LARGEST_FILE + 1)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else kept)
    came = refusal(job, studio)
    seen(came)
    assert came == f"{path}: {told[kind]}"


def test_evidence_that_lies_elsewhere_or_is_no_file(job: Path, studio: Studio, tmp_path: Path) -> None:
    folder = job / FIRST / EVIDENCE
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert refusal(job, studio) == f"{folder}: leads out of the trial's folder by a link"
    folder.unlink()
    shutil.copytree(tmp_path / "elsewhere", folder)
    (folder / "world.sqlite").unlink()
    os.mkfifo(folder / "world.sqlite")
    assert refusal(job, studio) == f"{folder / 'world.sqlite'}: expected a regular file"


def test_names_that_would_spoil_a_line_are_told_in_ascii(job: Path, studio: Studio) -> None:
    odd = job / "erpbench-002__\r| 1 |"
    odd.mkdir()
    (odd / "config.json").write_text("{}", encoding="utf-8")
    entry = build_entry(job, studio.release, grader=studio.grade)
    assert entry.partial[0] == "1 trials have no result: 'erpbench-002__\\r| 1 |'"
    edit(job / FIRST / "result.json", "agent_info", "name", to="x" * 81)
    told = "agent_info.name: Value error, expected at most 80 characters, came 81"
    assert refusal(job, studio) == f"{job / FIRST / 'result.json'}: {told}"
