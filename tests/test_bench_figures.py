"""Goals and figures: which number is held against a limit, and when a goal is met, missed or not measured."""

import json

import pytest

from generator.bench.figures import GOALS, Machine, Report, goal, is_noisy, measured, not_measured
from generator.bench.report import build_markdown, shown

MACHINE = Machine(
    processors=2, processor="A 1", memory_gb=24.6, python="3.12.1", kernel="Linux 6", load_before=0.25, load_after=1.5
)


def test_the_goals_are_those_of_the_design() -> None:
    assert {goal.id: (goal.limit, goal.unit, goal.at_least) for goal in GOALS} == {
        "dataset_seconds": (8, "s", False),
        "dataset_peak": (500, "MB", False),
        "cases_ratio": (10.5, "x", False),
        "task_size": (600, "kB", False),
        "dataset_size": (60, "MB", False),
        "qualification": (90, "s", False),
        "world_start": (1.2, "s", False),
        "world_memory": (120, "MB", False),
        "calls_1": (0.8, "x", True),
        "calls_4": (0.8, "x", True),
        "verifier_seconds": (0.4, "s", False),
        "verifier_peak": (64, "MB", False),
        "trial_ratio": (1.2, "x", False),
    }


@pytest.mark.parametrize(
    ("id", "runs", "value", "met"),
    [
        ("dataset_seconds", [7.0, 9.5, 8.0], 8.0, True),  # the median, and the limit itself holds
        ("dataset_seconds", [7.0, 9.5, 8.1], 8.1, False),
        ("verifier_peak", [25.0, 64.5, 30.0], 64.5, False),  # memory and sizes: the largest counts
        ("calls_1", [0.9, 0.8, 0.7], 0.8, True),  # a ratio to reach, not to stay under
        ("calls_1", [0.9, 0.79, 0.7], 0.79, False),
    ],
)
def test_the_goals_statistic_is_held_against_its_limit(id: str, runs: list[float], value: float, met: bool) -> None:
    figure = measured(id, "held", {"held": runs, "beside": [1000.0]})
    assert (figure.value, figure.met) == (value, met)
    assert figure.series == {"held": tuple(runs), "beside": (1000.0,)}


def test_runs_far_apart_are_named_unless_they_are_of_different_things() -> None:
    assert is_noisy([4.0, 4.0, 5.1])
    assert not is_noisy([4.0, 4.0, 5.0])
    assert not is_noisy([1.0, 9.0])  # two runs say nothing of noise
    assert measured("dataset_seconds", "s", {"s": [4.0, 4.0, 5.1]}, "warm").note == "warm; noisy: 4 to 5.1"
    assert measured("task_size", "kB", {"kB": [400.0, 500.0, 600.0]}, different_things=True).note == ""


def test_what_was_not_measured_is_neither_met_nor_missed() -> None:
    report = Report(
        version="1.0.0",
        machine=MACHINE,
        figures=(not_measured("qualification", "no such command"), measured("world_start", "s", {"s": [1.3]})),
    )
    assert [figure.met for figure in report.figures] == [None, False]
    assert [figure.goal.id for figure in report.missed] == ["world_start"]


def test_the_json_holds_every_run_and_the_verdict() -> None:
    report = Report(version="1.0.0", machine=MACHINE, figures=(measured("calls_4", "r", {"r": [0.75, 0.85, 0.9]}),))
    document = json.loads(report.model_dump_json())
    assert document["schema_version"] == 1
    figure = document["figures"][0]
    assert (figure["value"], figure["met"], figure["series"]) == (0.85, True, {"r": [0.75, 0.85, 0.9]})
    assert figure["goal"]["limit"] == 0.8


def test_the_markdown_sets_each_figure_beside_its_goal() -> None:
    figures = (
        measured("dataset_seconds", "seconds", {"seconds": [8.4, 8.5, 8.6]}),
        measured("calls_1", "ratio", {"ratio": [0.9]}, "1,100 against 1,220 calls/s"),
        not_measured("trial_ratio", "needs --harbor"),
    )
    assert build_markdown(Report(version="1.0.0", machine=MACHINE, figures=figures)) == (
        "# Figures of ERPBench-100 1.0.0\n"
        "\n"
        "2 processors (A 1), 25 GB, Python 3.12.1, Linux 6; load 0.25 at the start, 1.50 at the end.\n"
        "\n"
        "| what | goal | measured | met | note |\n"
        "|---|---|---|---|---|\n"
        "| `make dataset`, 100 tasks, environment ready | ≤ 8 s | 8.50 s | **no** |  |\n"
        "| world, calls a second against a bare server, 1 connection | ≥ 0.8 x | 0.900 x | yes"
        " | 1,100 against 1,220 calls/s |\n"
        "| Harbor oracle trial against a skeleton's trial | ≤ 1.2 x | not measured | – | needs --harbor |\n"
        "\n"
        "## Runs\n"
        "\n"
        "- `make dataset`, 100 tasks, environment ready: seconds: 8.40, 8.50, 8.60\n"
        "- world, calls a second against a bare server, 1 connection: ratio: 0.900\n"
    )


def test_numbers_are_shown_with_three_figures() -> None:
    assert [shown(number) for number in (0.2841, 7.614, 55.83, 1197.4, 605.0)] == [
        "0.284",
        "7.61",
        "55.8",
        "1,197",
        "605",
    ]


def test_every_goal_has_an_id_of_its_own() -> None:
    assert goal("calls_4").what.endswith("4 connections")
    assert len({goal.id for goal in GOALS}) == len(GOALS)
