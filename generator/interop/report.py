"""The table of consumers. In: Results. Out: interop.json and interop.md, and the table for a terminal."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from generator.interop.offline import told
from generator.interop.run import Result

JSON_FILE = "interop.json"
MARKDOWN_FILE = "interop.md"
SCHEMA_VERSION = 1
HEADINGS = ("consumer", "Python", "from the folder", "from a registry", "fields compared", "does not carry", "s")
# A fault in the dataset is usually the same in every task: a few lines tell it.
PROBLEMS_SHOWN = 5


def row(result: Result) -> tuple[str, ...]:
    """The cells under HEADINGS."""
    versions = ", ".join(f"{name} {result.about.versions[name]}" for name in result.consumer.distributions)
    counts = [f"{reading.loaded} of {reading.expected}" for reading in result.readings]
    registry = f"{counts[1]} (git)" if result.consumer.git_registry else counts[1]
    fields = f"{len(result.consumer.fields)}: {', '.join(result.consumer.fields)}"
    seconds = f"{result.seconds:.0f}"
    return versions, result.about.python, counts[0], registry, fields, result.consumer.not_carried, seconds


def problems(result: Result) -> list[str]:
    """A line a problem, the same ones of both routes once, the first few of them, and how many more there are."""
    lines = list(dict.fromkeys(line for reading in result.readings for line in reading.problems))
    more = len(lines) - PROBLEMS_SHOWN
    shown = [f"{result.consumer.name}: {line}" for line in lines[:PROBLEMS_SHOWN]]
    return shown + ([f"{result.consumer.name}: and {more} more, see {JSON_FILE}"] if more > 0 else [])


def build_table(results: Sequence[Result]) -> Table:
    table = Table(title="who else loads the dataset")
    for heading in HEADINGS:
        table.add_column(heading, overflow="fold", justify="right" if heading == "s" else "left")
    for result in results:
        table.add_row(*(escape(cell) for cell in row(result)))
    return table


def build_markdown(results: Sequence[Result]) -> str:
    complete = sum(result.complete for result in results)
    lines = [
        "# Who else loads ERPBench-100",
        "",
        f"{complete} of {len(results)} load every task by both ways, each field as it stands in the task directory.",
        "",
        f"| {' | '.join(HEADINGS)} |",
        "|---|---|--:|--:|---|---|--:|",
        *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row(result))} |" for result in results),
        "",
        *(f"- {result.consumer.name}: {result.consumer.way}; {offline_text(result)}." for result in results),
    ]
    told_problems = [f"- {line}" for result in results for line in problems(result)]
    return "\n".join([*lines, *(["", "## Problems", "", *told_problems] if told_problems else [])]) + "\n"


def build_json(results: Sequence[Result]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "consumers": [
            {
                "name": result.consumer.name,
                "versions": dict(result.about.versions),
                "python": result.about.python,
                "complete": result.complete,
                "offline": offline_text(result),
                "seconds": round(result.seconds, 1),
                "fields": list(result.consumer.fields),
                "not_carried": result.consumer.not_carried,
                "routes": {
                    reading.route: {
                        "expected": reading.expected,
                        "loaded": reading.loaded,
                        "problems": list(reading.problems),
                    }
                    for reading in result.readings
                },
            }
            for result in results
        ],
    }


def offline_text(result: Result) -> str:
    return told(result.isolated)


def write_report(results: Sequence[Result], out: Path) -> None:
    """Both files, each written beside and then renamed."""
    out.mkdir(parents=True, exist_ok=True)
    texts = {
        JSON_FILE: json.dumps(build_json(results), indent=1, ensure_ascii=False) + "\n",
        MARKDOWN_FILE: build_markdown(results),
    }
    for name, text in texts.items():
        beside = out / f".{name}.new"
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, out / name)
