"""The leaderboard ranks whole honest runs, and lists or refuses the rest."""

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from generator.leaderboard.add import build_entry
from generator.leaderboard.board import build_board, build_markdown, write_board
from generator.leaderboard.entries import read_entries, write_entry
from generator.leaderboard.entry import Entry
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.release import Release
from generator.leaderboard_command import leaderboard
from tests.leaderboard_fixture import FakeJob, Studio, apart, edit, write_job

ALL = tuple(f"erpbench-{number:03d}" for number in range(1, 101))


def runs(kinds: dict[str, int]) -> list[tuple[str, str]]:
    """So many tasks of each kind, in the order of the tasks."""
    chosen = [kind for kind, count in kinds.items() for _ in range(count)]
    return list(zip(ALL, chosen, strict=False))


def entry_of(job: FakeJob, studio: Studio, folder: Path) -> Entry:
    return build_entry(write_job(job, studio, folder), studio.release, grader=studio.grade)


@pytest.fixture(scope="module")
def better(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Entry:
    """Everything right."""
    return entry_of(FakeJob(runs({"right": 100}), model="fable-1"), studio, tmp_path_factory.mktemp("better") / "job")


@pytest.fixture(scope="module")
def worse(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Entry:
    """Ninety right, the last tenant's ten untouched."""
    job = FakeJob(runs({"right": 90, "nothing": 10}), model="fable-0", id="second")
    return apart(entry_of(job, studio, tmp_path_factory.mktemp("worse") / "job"), "worse")


def test_whole_honest_runs_are_ranked_by_mean_score(better: Entry, worse: Entry, release: Release) -> None:
    board = build_board([worse, better], release)
    assert [(line.rank, line.entry.model, line.figures.score.value) for line in board] == [
        (1, "acme/fable-1", Fraction(100)),
        (2, "acme/fable-0", Fraction(90)),
    ]
    assert [line.figures.strict.value for line in board] == [1, Fraction(9, 10)]
    assert (better.control, better.partial) == ("", ())


def test_equal_runs_share_a_rank_and_the_next_is_left_out(better: Entry, worse: Entry, release: Release) -> None:
    twin = apart(better, "twin").model_copy(update={"name": "twin", "job": "third"})
    board = build_board([worse, twin, better], release)
    assert [(line.rank, line.entry.name) for line in board] == [
        (1, "terminus-2-fable-1"),
        (1, "twin"),
        (3, "terminus-2-fable-0"),
    ]


@pytest.mark.attack("scoring", "a run of the oracle sent in for a rank", expected="never ranked", flaw=7)
def test_a_whole_run_of_the_oracle_is_refused_a_rank(
    studio: Studio, tmp_path: Path, seen: Callable[[str], None]
) -> None:
    entry = entry_of(FakeJob(runs({"right": 100}), agent="oracle", model=None), studio, tmp_path / "job")
    (line,) = build_board([entry], studio.release)
    seen(line.listed)
    assert (line.rank, line.listed) == (None, "control: the agent is a control (oracle)")
    assert line.figures.score.value == 100


@pytest.mark.attack("scoring", "the oracle's plan replayed under an agent's name", expected="never ranked", flaw=2)
def test_the_oracles_plan_under_another_name_is_a_control(
    studio: Studio, tmp_path: Path, seen: Callable[[str], None]
) -> None:
    entry = entry_of(FakeJob(runs({"oracle": 3, "right": 2})), studio, tmp_path / "job")
    (line,) = build_board([entry], studio.release)
    seen(line.listed)
    told = "repeats the oracle's published plan, its calls or its wording, in 3 of 5 tasks"
    assert (line.rank, line.listed) == (None, f"control: {told}")


@pytest.mark.attack("scoring", "99 of 100 tasks sent in as a whole run", expected="listed as partial", flaw=6)
def test_ninety_nine_tasks_are_listed_as_partial(studio: Studio, tmp_path: Path, seen: Callable[[str], None]) -> None:
    entry = entry_of(FakeJob(runs({"right": 99})), studio, tmp_path / "job")
    (line,) = build_board([entry], studio.release)
    seen(line.listed)
    assert (line.rank, line.listed) == (None, "partial: 99 of 100 tasks; missing: erpbench-100")


def test_an_entry_that_leaves_out_its_reasons_gets_no_rank_by_that(better: Entry, release: Release) -> None:
    cut = better.model_copy(update={"trials": better.trials[:99]})
    renamed = better.model_copy(update={"name": "nop", "agent": "nop"})
    lines = build_board([cut, renamed], release)
    assert [line.rank for line in lines] == [None, None]


def test_an_entry_of_another_release_is_listed_apart(better: Entry, release: Release) -> None:
    (line,) = build_board([better], dataclasses.replace(release, digest="f" * 64))
    assert line.rank is None
    assert line.listed == f"another release ({better.release[:12]})"


def test_attempts_that_are_missing_and_altered_conditions_are_named(studio: Studio, tmp_path: Path) -> None:
    attempts = [(ALL[0], "right"), (ALL[0], "reader"), (ALL[1], "right")]
    job = write_job(FakeJob(attempts, attempts=2), studio, tmp_path / "job")
    edit(job / "config.json", "timeout_multiplier", to=4.0)
    (job / "erpbench-002__dead").mkdir()
    (job / "erpbench-002__dead" / "config.json").write_text("{}", encoding="utf-8")
    entry = build_entry(job, studio.release)
    assert entry.partial == (
        "1 trials have no result: erpbench-002__dead",
        "2 of 100 tasks; missing: erpbench-003, erpbench-004, erpbench-005 and 95 more",
        "fewer than 2 attempts at 1 tasks: erpbench-002",
        "run under other conditions: timeout_multiplier is 4.0",
    )


def test_both_tables_say_the_same(better: Entry, worse: Entry, release: Release, tmp_path: Path) -> None:
    board = build_board([better, worse], release)
    write_board(board, release.digest, tmp_path)
    query = "SELECT rank, name, score, strict, pass_k FROM ? WHERE scope = 'all'"
    rows = duckdb.execute(query.replace("?", f"'{tmp_path}/leaderboard.parquet'")).fetchall()
    assert rows == [
        (1, "terminus-2-fable-1", 100.0, 1.0, {1: 1.0}),
        (2, "terminus-2-fable-0", 90.0, 0.9, {1: 0.9}),
    ]
    text = (tmp_path / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert "| 1 | terminus-2-fable-1 | terminus-2 2.0.0 | acme/fable-1 | 1 | 100.0 [100.0, 100.0] |" in text
    # The second left the last tenant's tasks alone: all ten of it, and one of each family's.
    assert "| Venmalar Textile Mills | 100.0, 100.0 % | 0.0, 0.0 % |" in text
    assert "| price\\_batch | 100.0, 100.0 % | 90.0, 90.0 % |" in text
    assert text == build_markdown(build_board([worse, better], release), release.digest)


def test_an_entry_is_read_as_it_was_written_and_its_name_is_its_own(
    better: Entry, worse: Entry, tmp_path: Path
) -> None:
    path = write_entry(better, tmp_path)
    before = path.read_bytes()
    assert write_entry(better, tmp_path).read_bytes() == before
    assert read_entries(tmp_path) == [better]
    with pytest.raises(LeaderboardError, match="of another job"):
        write_entry(worse.model_copy(update={"name": better.name}), tmp_path)
    with pytest.raises(LeaderboardError, match="is there already, as terminus-2-fable-1"):
        write_entry(better.model_copy(update={"name": "again"}), tmp_path)


def test_the_commands_add_and_show(studio: Studio, rendered: Path, tmp_path: Path) -> None:
    job = write_job(FakeJob(runs({"right": 2})), studio, tmp_path / "job")
    options = ["--dataset", str(rendered), "--board", str(tmp_path / "board")]
    added = CliRunner().invoke(leaderboard, ["add", str(job), "--name", "mine", *options], catch_exceptions=False)
    assert "2 trials regraded; partial: 2 of 100 tasks; missing: erpbench-003" in added.output
    shown = CliRunner().invoke(leaderboard, ["show", *options], catch_exceptions=False)
    assert "leaderboard: 1 entries" in shown.output
    text = (tmp_path / "board" / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert "| mine | 2 | 100.0 | 100.0 % | partial: 2 of 100 tasks" in text
    refused = CliRunner().invoke(leaderboard, ["add", str(tmp_path / "no"), *options])
    assert isinstance(refused.exception, LeaderboardError)


def test_a_directory_that_is_no_job_is_told_so(studio: Studio, tmp_path: Path) -> None:
    with pytest.raises(LeaderboardError, match="expected a Harbor job directory"):
        build_entry(tmp_path, studio.release)
    job = write_job(FakeJob(runs({"nothing": 1})), studio, tmp_path / "job")
    (job / "lock.json").write_text("[]", encoding="utf-8")
    with pytest.raises(LeaderboardError, match=r"lock\.json: expected an object, came list"):
        build_entry(job, studio.release)
