"""Reports of a qualification, in dist/qualification/: the same results give the same bytes.

qualification.json     every line with its failures, and the kill matrix
episodes.parquet       one row an episode        mutants.parquet   one row a mutant
qualification.md       the table, the kill matrix, what failed
scores.svg             the scores of each kind
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from generator.qualify.chart import score_chart
from generator.qualify.controls import KINDS
from generator.qualify.qualify import ORACLE, VARIATION
from generator.qualify.results import TaskResult
from generator.qualify.verdicts import CRITERIA, Line, of_kind
from generator.spec.errors import DatasetError

BEGIN, END = "<!-- qualification -->", "<!-- /qualification -->"
EPISODE_COLUMNS = {
    "task_id": "VARCHAR",
    "family": "VARCHAR",
    "tenant": "VARCHAR",
    "kind": "VARCHAR",
    "name": "VARCHAR",
    "calls": "INTEGER",
    "score": "INTEGER",
    "strict": "BOOLEAN",
    "failed": "INTEGER[]",
    "predicted": "INTEGER[]",
    "fault": "VARCHAR",
    "number": "INTEGER",
}
MUTANT_COLUMNS = {
    "task_id": "VARCHAR",
    "family": "VARCHAR",
    "tenant": "VARCHAR",
    "criterion": "INTEGER",
    "kind": "VARCHAR",
    "killed": "BOOLEAN",
    "astray": "INTEGER[]",
    "number": "INTEGER",
}


def write_reports(results: Sequence[TaskResult], found: Sequence[Line], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    matrix = kill_matrix(results)
    told = {
        "schema_version": 1,
        "tasks": len(results),
        "lines": [_line(line) for line in found],
        "kill_matrix": [
            {"criterion": n, "kind": kind, "killed": killed, "made": made}
            for (n, kind), (killed, made) in matrix.items()
        ],
    }
    text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (out / "qualification.json").write_text(text, encoding="utf-8")
    (out / "qualification.md").write_text(report_text(results, found, matrix), encoding="utf-8")
    (out / "scores.svg").write_text(score_chart(scores_by_kind(results)), encoding="utf-8")
    write_parquet(_episode_rows(results), EPISODE_COLUMNS, out / "episodes.parquet")
    write_parquet(_mutant_rows(results), MUTANT_COLUMNS, out / "mutants.parquet")


def _line(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "episodes": line.episodes,
        "must": line.must,
        "came": line.came,
        "holds": line.holds,
        "mean": None if line.mean is None else round(line.mean, 2),
        "theirs": line.theirs,
        "failures": list(line.failures),
    }


Matrix = Mapping[tuple[int, str], tuple[int, int]]
"""(criterion, kind of mutant): killed and made."""


def kill_matrix(results: Iterable[TaskResult]) -> Matrix:
    counts: dict[tuple[int, str], tuple[int, int]] = {}
    for task in results:
        for mutant in task.mutants:
            killed, made = counts.get((mutant.criterion, mutant.kind), (0, 0))
            counts[mutant.criterion, mutant.kind] = (killed + mutant.killed, made + 1)
    return dict(sorted(counts.items()))


def scores_by_kind(results: Sequence[TaskResult]) -> dict[str, list[int]]:
    kinds = (ORACLE, *KINDS, VARIATION)
    found = {kind: [episode.score for _, episode in of_kind(results, kind)] for kind in kinds}
    return {kind: scores for kind, scores in found.items() if scores}


def write_parquet(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], path: Path, order: str = "task_id, number"
) -> None:
    """The rows as Parquet in an order (SQL), whatever the order they come in: the same rows give the same bytes."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:") as db:
        source = Path(folder) / "rows.json"
        source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        db.execute("SET threads = 1")
        types = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
        read = f"read_json('{source}', format = 'newline_delimited', columns = {{{types}}})"
        target = str(path).replace("'", "''")
        db.execute(f"COPY (SELECT * FROM {read} ORDER BY {order}) TO '{target}' (FORMAT parquet)")


def _episode_rows(results: Iterable[TaskResult]) -> Iterator[dict[str, Any]]:
    for task in results:
        whose = {"task_id": task.task_id, "family": task.family, "tenant": task.tenant}
        for number, episode in enumerate(task.episodes):
            yield {**whose, **episode.model_dump(exclude={"distance"}), "number": number}


def _mutant_rows(results: Iterable[TaskResult]) -> Iterator[dict[str, Any]]:
    for task in results:
        whose = {"task_id": task.task_id, "family": task.family, "tenant": task.tenant}
        for number, mutant in enumerate(task.mutants):
            yield {**whose, **mutant.model_dump(), "number": number}


def table_text(found: Iterable[Line]) -> str:
    """The table in Markdown, the predecessor's figures beside ours."""
    rows = ["| episodes | n | must show | came | mean | predecessor |", "|---|--:|---|---|--:|--:|"]
    for line in found:
        mean = "" if line.mean is None else f"{line.mean:.1f}"
        came = line.came if line.holds is not False else f"**{line.came}**"
        rows.append(f"| {line.name} | {line.episodes:,} | {line.must} | {came} | {mean} | {line.theirs} |")
    return "\n".join(rows)


def report_text(results: Sequence[TaskResult], found: Sequence[Line], matrix: Matrix) -> str:
    failures = [f"- {line.name}: {failure}" for line in found for failure in line.failures]
    killed, made = (sum(counts) for counts in zip(*matrix.values(), strict=True)) if matrix else (0, 0)
    return "\n".join(
        [
            f"# Qualification of {len(results)} tasks",
            "",
            table_text(found),
            "",
            "![Scores of each kind](scores.svg)",
            "",
            "## What failed",
            "",
            *(failures or ["Nothing."]),
            "",
            "## Kill matrix",
            "",
            "Mutants killed of those made, by criterion and kind of change.",
            "",
            "| criterion | change | killed | made |",
            "|--:|---|--:|--:|",
            *(f"| {n} | {kind} | {killed} | {made} |" for (n, kind), (killed, made) in matrix.items()),
            f"| 1 to {CRITERIA[-1]} | all | {killed} | {made} |",
            "",
        ]
    )


def write_readme(found: Iterable[Line], readme: Path) -> None:
    """Put the table between the marks of a README. Raises DatasetError for one without them."""
    text = readme.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise DatasetError(f"{readme}: expected {BEGIN} and {END}, found no such marks")
    readme.write_text(f"{before}{BEGIN}\n{table_text(found)}\n{END}{after}", encoding="utf-8")
