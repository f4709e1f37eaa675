"""What is wrong with an entry's file or with two of them, and what a table makes of names that are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.leaderboard.board import build_board, build_markdown, unranked
from generator.leaderboard.cells import cell
from generator.leaderboard.entries import read_entries, read_entry, write_entry
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.release import Release
from tests.attack_table import Seen
from tests.leaderboard_fixture import dump, edit, full_entry


@pytest.fixture
def path(release: Release, tmp_path: Path) -> Path:
    """An entry's file that is ranked as it stands."""
    written = write_entry(full_entry(release, "mine"), tmp_path)
    (line,) = build_board(read_entries(tmp_path), release)
    assert line.rank == 1
    return written


def refusal(path: Path, release: Release) -> str:
    with pytest.raises(LeaderboardError) as refused:
        build_board(read_entries(path.parent), release)
    return str(refused.value)


@pytest.mark.attack("scoring", "an entry of 3 tasks edited to say that there are 3", expected="refused", flaw=6)
def test_an_entry_that_says_the_release_has_three_tasks(path: Path, release: Release, seen: Seen) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    dump(path, {**value, "tasks": 3, "trials": value["trials"][:3]})
    told = refusal(path, release)
    seen(told)
    assert told == "mine: tasks is 3; the release has 100"
    edit(path, "tasks", to=100)
    (line,) = build_board(read_entries(path.parent), release)
    assert (line.rank, line.listed) == (None, "partial: 3 of 100 tasks with 1 attempts")


def test_an_entry_with_other_attempts_than_it_says(path: Path, release: Release) -> None:
    edit(path, "attempts", to=2)
    (line,) = build_board(read_entries(path.parent), release)
    assert (line.rank, line.listed) == (None, "partial: 0 of 100 tasks with 2 attempts")


@pytest.mark.attack("scoring", "points, tasks or groups invented in an entry's file", expected="refused", flaw=7)
@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("task", "erpbench-999", "erpbench-001__0000000: of task erpbench-999; expected the task that it names"),
        ("score", 99, "erpbench-001__0000000: score 99; its categories come to 100"),
        ("strict", False, "erpbench-001__0000000: not strict with score 100; strict is 100 of 100"),
        ("categories", {"discovery": -5}, "erpbench-001__0000000: -5 points of discovery; expected 0 to 15"),
        ("categories", {"calculation": 100}, "erpbench-001__0000000: 100 points of calculation; expected 0 to 25"),
        ("family", "<b>|x\r", "expected one line of printable characters, came '<b>|x\\r'"),
        ("family", "price_batch", "erpbench-001__0000000: family price_batch; the release has order_import"),
        ("tenant", "Nobody", "erpbench-001__0000000: tenant Nobody; the release has Northbridge Fastener Works"),
        ("evidence", "x", "evidence: String should match pattern"),
    ],
)
def test_trials_that_cannot_be(path: Path, release: Release, field: str, value: Any, told: str, seen: Seen) -> None:
    edit(path, "trials", 0, field, to=value)
    came = refusal(path, release)
    seen(came)
    assert told in came


def test_a_category_and_a_task_that_nobody_knows(path: Path, release: Release) -> None:
    edit(path, "trials", 0, "categories", to={"x": 100})
    assert "erpbench-001__0000000: no category x; expected discovery, calculation" in refusal(path, release)
    edit(path, "trials", 0, "categories", to=full_entry(release, "mine").trials[0].categories)
    edit(path, "trials", 0, "task", to="erpbench-999")
    edit(path, "trials", 0, "trial", to="erpbench-999__0000000")
    assert refusal(path, release) == "mine: erpbench-999__0000000: task erpbench-999 is not in this release"


@pytest.mark.attack("scoring", "a rival's entry overwritten with its job's id and name", expected="refused", flaw=7)
def test_an_entry_is_replaced_only_where_that_is_asked_for(path: Path, release: Release, seen: Seen) -> None:
    before = path.read_bytes()
    vandal = full_entry(release, "mine").model_copy(update={"agent": "vandal"})
    with pytest.raises(LeaderboardError) as refused:
        write_entry(vandal, path.parent)
    seen(str(refused.value))
    told = f"{path}: there already with other content (agent terminus-2); --replace puts this job in its place"
    assert str(refused.value) == told
    assert path.read_bytes() == before
    assert read_entry(write_entry(vandal, path.parent, replace=True)).agent == "vandal"


@pytest.mark.attack("scoring", "a rival's evidence sent in under another agent", expected="neither ranked", flaw=7)
def test_copied_evidence_names_both_and_ranks_neither(path: Path, release: Release, seen: Seen) -> None:
    mine, other = full_entry(release, "mine"), full_entry(release, "other", agent="copycat")
    copy = other.model_copy(update={"trials": (*mine.trials[:51], *other.trials[51:])})
    with pytest.raises(LeaderboardError, match="over half of its evidence is that of mine; withdraw one first"):
        write_entry(copy, path.parent)
    board = build_board([mine, copy, full_entry(release, "third")], release)
    seen(board[1].listed)
    assert [(line.rank, line.entry.name) for line in board] == [(1, "third"), (None, "mine"), (None, "other")]
    told = "copy: over half of its evidence is that of {} too; neither is ranked beside the other"
    assert [line.listed for line in board[1:]] == [told.format("other"), told.format("mine")]
    half = other.model_copy(update={"trials": (*mine.trials[:50], *other.trials[50:])})
    assert [line.rank for line in build_board([mine, half], release)] == [1, 1]


def test_a_few_tasks_copied_take_no_rank_from_the_run_they_were_copied_of(release: Release) -> None:
    mine = full_entry(release, "mine")
    few = mine.model_copy(update={"name": "few", "job": "few", "trials": mine.trials[:3]})
    assert unranked(mine, release, [few]) == ""


def test_runs_that_did_nothing_are_alike_and_no_copies(release: Release) -> None:
    def idle(name: str) -> Any:
        entry = full_entry(release, name)
        nothing = {"score": 0, "strict": False, "categories": {}, "evidence": "0" * 64}
        return entry.model_copy(update={"trials": tuple(one.model_copy(update=nothing) for one in entry.trials)})

    assert [line.rank for line in build_board([idle("one"), idle("two")], release)] == [1, 1]


@pytest.mark.attack("scoring", "one attempt at a task counted three times", expected="refused", flaw=6)
def test_attempts_with_one_and_the_same_evidence(release: Release, tmp_path: Path, seen: Seen) -> None:
    path = write_entry(full_entry(release, "mine", attempts=3), tmp_path)
    same = json.loads(path.read_text(encoding="utf-8"))["trials"][0]["evidence"]
    edit(path, "trials", 2, "evidence", to=same)
    told = refusal(path, release)
    seen(told)
    both = "erpbench-001__0000000 and erpbench-001__0000002"
    assert told == f"{path}: {both} have the same evidence: one attempt, copied, counts for no two"


@pytest.mark.attack("scoring", "table rows and markup in an agent's name or version", expected="refused", flaw=7)
@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("2\r| 1 | honest |\r", "expected one line of printable characters, came '2\\r| 1 | honest |\\r'"),
        ("A" * 3_000_000, "expected at most 80 characters, came 3000000"),
        ("ORACLE\u200b", "expected one line of printable characters, came 'ORACLE\\u200b'"),
        ("oracle ", "expected one line of printable characters, came 'oracle '"),
    ],
)
def test_a_version_that_is_no_version(path: Path, release: Release, version: str, told: str, seen: Seen) -> None:
    edit(path, "agent_version", to=version)
    came = refusal(path, release)
    seen(came)
    assert came.endswith(f"agent_version: Value error, {told}")


def test_what_a_table_shows_has_no_meaning_in_markdown(release: Release) -> None:
    assert cell("a|b\\|c\r*d*") == "a\\|b\\\\\\|c \\*d\\*"
    assert cell("[x](javascript:y) <img> `z` _u_") == "\\[x\\](javascript:y) \\<img\\> \\`z\\` \\_u\\_"
    assert cell("https://x.example www.x.example a@b &amp;") == "https\\://x.example www\\.x.example a\\@b \\&amp;"
    assert cell("2\u202e\x00\u200b.0") == "2.0"
    entry = full_entry(release, "mine", agent="<script>").model_copy(update={"model": "a|b/[c](d)"})
    text = build_markdown(build_board([entry], release), release.digest)
    assert "| 1 | mine | \\<script\\> 2.0.0 | a\\|b/\\[c\\](d) | 1 | 100.0 [100.0, 100.0] |" in text


def test_entries_that_are_no_files_or_no_text(path: Path, release: Release) -> None:
    target = path.parent / "other.json"
    target.symlink_to(path)
    assert refusal(path, release) == f"{target}: expected a regular file, came a link"
    target.unlink()
    target.write_bytes(b"\xff")
    assert refusal(path, release) == f"{target}: not UTF-8 (invalid start byte at byte 0)"
    target.write_text("[" * 100_000, encoding="utf-8")
    assert refusal(path, release).startswith(f"{target}: file: Invalid JSON: ")
