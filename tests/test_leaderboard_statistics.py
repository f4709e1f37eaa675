"""Means, rates and intervals, worked out by hand."""

from fractions import Fraction
from pathlib import Path

import pytest

from generator.leaderboard.checksum import task_checksum
from generator.leaderboard.entry import TrialEntry, entry_name
from generator.leaderboard.statistics import bootstrap, figures, pass_hat, wilson


def trial(task: str, score: int, number: int = 0) -> TrialEntry:
    return TrialEntry(
        task=task,
        trial=f"{task}__{number}",
        family="price_batch",
        tenant="Northbridge",
        score=score,
        strict=score == 100,
        categories={},
        evidence="none",
    )


def test_pass_hat_counts_the_sets_of_attempts_that_are_all_strict() -> None:
    # Of 4 attempts 3 were strict: 3 of the 6 pairs, 1 of the 4 triples.
    assert [pass_hat(3, 4, k) for k in (1, 2, 3, 4)] == [Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), 0]
    assert pass_hat(4, 4, 4) == 1


def test_a_task_counts_once_however_often_it_was_tried() -> None:
    found = figures([trial("a", 100), trial("a", 0, 1), trial("a", 50, 2), trial("a", 50, 3), trial("b", 100)])
    assert found.tasks == 2
    assert found.score.value == 75
    assert found.strict.value == Fraction(5, 8)
    assert set(found.pass_k) == {1}


def test_pass_k_over_tasks_is_the_mean() -> None:
    # a: 2 of 3 strict, so 1 of 3 pairs; b: 3 of 3.
    tried = [trial("a", 100), trial("a", 100, 1), trial("a", 7, 2), *(trial("b", 100, n) for n in range(3))]
    found = figures(tried)
    assert {k: figure.value for k, figure in found.pass_k.items()} == {
        1: Fraction(5, 6),
        2: Fraction(2, 3),
        3: Fraction(1, 2),
    }


def test_wilsons_interval() -> None:
    # n = 100, p = 0.6, z = 1.96: 0.6192 / 1.0384 -/+ 0.0980 / 1.0384.
    low, high = wilson(Fraction(3, 5), 100)
    assert (round(low, 4), round(high, 4)) == (0.5020, 0.6906)
    low, high = wilson(Fraction(1), 100)
    assert (round(low, 4), high) == (0.9630, 1.0)
    assert wilson(Fraction(0), 100)[0] == 0


def test_the_bootstrap_is_the_same_every_time_and_about_as_wide_as_it_should_be() -> None:
    values = [Fraction(100)] * 60 + [Fraction(0)] * 40
    low, high = bootstrap(values)
    assert (low, high) == bootstrap(values)
    # The standard error is 100 * sqrt(0.6 * 0.4 / 100) = 4.9, so about 60 -/+ 9.6.
    assert low == pytest.approx(50.4, abs=1.5)
    assert high == pytest.approx(69.6, abs=1.5)
    assert bootstrap([Fraction(7)] * 3) == (7.0, 7.0)


def test_a_name_for_files() -> None:
    assert entry_name("terminus-2", "Fable 1/é (new)") == "terminus-2-fable-1-new"
    assert entry_name("oracle", None) == "oracle"


def test_the_checksum_of_a_directory_is_harbors(tmp_path: Path) -> None:
    """The value that Harbor 0.26 gives for the same directory."""
    (tmp_path / "environment" / "seed").mkdir(parents=True)
    (tmp_path / "task.toml").write_bytes(b"a = 1\n")
    (tmp_path / "instruction.md").write_bytes(b"Do it.\n")
    (tmp_path / "environment" / "Dockerfile").write_bytes(b"FROM scratch\n")
    (tmp_path / "environment" / "seed" / "x.csv").write_bytes(b"")
    assert task_checksum(tmp_path) == "89c3dc17f9738a07b844545ca7633e422e7bef83a0a2aefb5afbcff7505ce968"
