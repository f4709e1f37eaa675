"""`erpbench bench`: its parts, its reports, and its exit code."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.bench import qualification, run
from generator.bench.figures import Figure, measured
from generator.bench.processes import Run
from generator.bench.run import figure_line
from generator.cli import main
from generator.spec.errors import EngineError


def bench(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["bench", *arguments])
    return result.exit_code, result.output


def start_takes(seconds: float) -> Callable[[Path, int], list[Figure]]:
    return lambda task, runs: [measured("world_start", "seconds", {"seconds": [seconds] * runs})]


@pytest.mark.parametrize(("seconds", "options", "code"), [(1.2, [], 0), (1.3, [], 1), (1.3, ["--report-only"], 0)])
def test_a_missed_goal_is_exit_code_1_unless_only_a_report_is_wanted(
    rendered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, options: list[str], code: int
) -> None:
    monkeypatch.setattr(run, "measure_start", start_takes(seconds))
    where = ["--dataset", str(rendered), "--out", str(tmp_path / "bench")]
    ended, output = bench(*where, "--only", "start", "--only", "trial", "--runs", "2", *options)
    assert ended == code
    met = int(seconds <= 1.2)
    assert output.splitlines() == [
        "bench: measuring start",
        f"bench:   world, start to healthy: {seconds:.2f} s, goal ≤ 1.2 s {'met' if met else 'MISSED'}",
        "bench: measuring trial",
        "bench:   Harbor oracle trial against a skeleton's trial: not measured, goal ≤ 1.2 x"
        " (not measured here: needs --harbor, with an engine, the images and Harbor)",
        f"bench: {met} met, {1 - met} missed, 1 not measured; {tmp_path / 'bench'}/",
    ]
    document = json.loads((tmp_path / "bench" / "bench.json").read_text())
    assert [figure["met"] for figure in document["figures"]] == [bool(met), None]
    assert document["machine"]["processors"] >= 1
    assert "| world, start to healthy | ≤ 1.2 s |" in (tmp_path / "bench" / "bench.md").read_text()


def test_an_unknown_part_and_a_missing_dataset_are_the_users_mistakes(rendered: Path, tmp_path: Path) -> None:
    code, output = bench("--dataset", str(rendered), "--only", "speed")
    assert code == 2
    assert "--only speed: expected one of dataset, cases, sizes, qualification, start, calls, verifier, trial" in output
    code, output = bench("--dataset", str(tmp_path), "--only", "sizes")
    assert code == 2
    assert "expected a rendered dataset" in output


def test_trials_that_cannot_be_run_are_refused_before_anything_is_measured(
    rendered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(dataset: Path, task: str) -> None:
        raise EngineError("no Docker engine answers")

    monkeypatch.setattr(run, "check_trials", refuse)
    code, output = bench("--dataset", str(rendered), "--out", str(tmp_path / "bench"), "--harbor")
    assert (code, output) == (2, "erpbench: no Docker engine answers\n")
    assert not (tmp_path / "bench").exists()


def test_the_qualification_is_timed_as_a_command_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qualification, "has_command", lambda: True)
    ended = iter([Run(72.5, 0.1, "", "", 0), Run(91.0, 0.1, "", "", 1)])
    commands: list[Sequence[str]] = []

    def run_of(command: Sequence[str], accepted: Sequence[int]) -> Run:
        commands.append(command)
        run = next(ended)
        assert run.code in accepted
        return run

    monkeypatch.setattr(qualification, "run_of", run_of)
    (figure,) = qualification.measure_qualification(tmp_path)
    assert (figure.value, figure.met, figure.note) == (72.5, True, "one run")
    (figure,) = qualification.measure_qualification(tmp_path)
    assert (figure.value, figure.met) == (91.0, False)
    assert figure.note == "one run, in which a line of its table did not hold"
    assert list(commands[0][1:6]) == ["-m", "generator.cli", "qualify", "--dataset", str(tmp_path)]
    monkeypatch.setattr(qualification, "has_command", lambda: False)
    (figure,) = qualification.measure_qualification(tmp_path)
    assert (figure.met, figure.note) == (None, "this version has no `erpbench qualify`")


def test_a_line_for_each_figure() -> None:
    figure = measured("calls_1", "ratio", {"ratio": [0.75]}, "900 against 1,200 calls/s")
    assert figure_line(figure) == (
        "bench:   world, calls a second against a bare server, 1 connection: 0.750 x, goal ≥ 0.8 x MISSED"
        " (900 against 1,200 calls/s)"
    )
