"""Gold that would be published. In: a folder to be published, the dataset it was made from. Out: one sentence a leak.

Everything outside trajectories/ is looked through: every Parquet cell, JSON inside cells included, and every text. What
lies on the tasks' drives is evidence, which the agent reads anyway: it has to be exactly that, and is not read as text.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path
from typing import Any

from generator.dataset import read_lock
from generator.release.gold import Gold, read_gold
from generator.release.manifest import plain_files
from generator.release.parquet import read_table

TRAJECTORIES, EVIDENCE = "trajectories/", "files/"
EVIDENCE_COLUMNS = frozenset({"text", "content"})
KEYS = frozenset(
    {
        "added_exactly",
        "baseline_sha256",
        "calls",
        "changed_exactly",
        "check",
        "checks",
        "counterfactuals",
        "expected",
        "frozen_tables",
        "gold",
        "implies",
        "solution",
        "tool_calls",
    }
)
"""Keys of contracts, plans and trajectories that nothing else has."""

_FIGURE = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Known:
    """All tasks' gold, in the forms that are looked up."""

    answers: Mapping[frozenset[str], tuple[Gold, ...]]
    vectors: Mapping[tuple[Decimal, ...], str]
    sentences: Mapping[str, str]
    digests: Mapping[str, str]
    options: frozenset[str]
    rows: Mapping[frozenset[str], tuple[tuple[str, Mapping[str, Any]], ...]]

    @cached_property
    def shortest(self) -> int:
        """Length of the shortest sentence: what is shorter holds none, and most texts are."""
        return min(map(len, self.sentences), default=0)

    @classmethod
    def of(cls, golds: Sequence[Gold]) -> "Known":
        answers: dict[frozenset[str], list[Gold]] = {}
        rows: dict[frozenset[str], list[tuple[str, Mapping[str, Any]]]] = {}
        for gold in golds:
            answers.setdefault(frozenset(gold.answers), []).append(gold)
            for row in gold.rows:
                rows.setdefault(frozenset(row), []).append((gold.task_id, row))
        return cls(
            answers={fields: tuple(found) for fields, found in answers.items()},
            vectors={gold.vector: gold.task_id for gold in golds},
            sentences={sentence: gold.task_id for gold in golds for sentence in gold.sentences},
            digests={digest: f"{g.task_id}, {name}" for g in golds for digest, name in g.digests.items()},
            options=frozenset(gold.option for gold in golds),
            rows={keys: tuple(found) for keys, found in rows.items()},
        )


def find_leaks(folder: Path, dataset: Path) -> list[str]:
    """Every leak as a sentence that names the file, the task and what leaks."""
    lock = read_lock(dataset)
    known = Known.of([read_gold(dataset / task) for task in sorted(lock)])
    evidence = {sha256 for task in lock.values() for sha256 in task["assets"].values()}
    leaks: list[str] = []
    for name, path in plain_files(folder):
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest in known.digests:
            leaks.append(f"{name}: is a hidden file ({known.digests[digest]})")
        if name.startswith(TRAJECTORIES):
            continue
        if name.startswith(EVIDENCE):
            if digest not in evidence:
                leaks.append(f"{name}: is no file of a task's drive")
        elif path.suffix == ".parquet":
            leaks.extend(f"{name}: {leak}" for leak in _table_leaks(read_table(path), known, evidence))
        else:
            leaks.extend(f"{name}: {leak}" for leak in text_leaks(data.decode("utf-8", "replace"), known))
    return leaks


def _table_leaks(rows: Iterable[Mapping[str, Any]], known: Known, evidence: set[str]) -> Iterator[str]:
    for row in rows:
        content = row.get("content")
        if content is not None and hashlib.sha256(content).hexdigest() not in evidence:
            yield f"{row.get('name')}: is no file of a task's drive"
        yield from value_leaks({name: value for name, value in row.items() if name not in EVIDENCE_COLUMNS}, known)


def value_leaks(value: Any, known: Known) -> Iterator[str]:
    """Leaks of a value as read from JSON or Parquet; a text that is JSON is read as such, too."""
    if isinstance(value, str):
        yield from text_leaks(value, known)
    elif isinstance(value, Mapping):
        yield from _record_leaks(value, known)
        for inner in value.values():
            yield from value_leaks(inner, known)
    elif isinstance(value, list | tuple):
        yield from _vector_leaks([number for number in map(_number, value) if number is not None], known)
        for inner in value:
            yield from value_leaks(inner, known)


def text_leaks(text: str, known: Known) -> Iterator[str]:
    if len(text) >= known.shortest:
        for sentence, task in known.sentences.items():
            if sentence in text:
                yield f"{task}: a criterion's words: {sentence}"
    yield from _vector_leaks(figures(text), known)
    if text.lstrip()[:1] in ("{", "["):
        try:
            parsed = json.loads(text)
        except ValueError:
            return
        yield from value_leaks(parsed, known)


def figures(text: str) -> list[Decimal]:
    """The figures of a text in their order, without signs.

    >>> figures("3 lines, 2,757.60 in all")
    [Decimal('3'), Decimal('2757.60')]
    """
    return [Decimal(found.replace(",", "")) for found in _FIGURE.findall(text)]


def _vector_leaks(numbers: Sequence[Decimal], known: Known) -> Iterator[str]:
    """Decimals that are equal hash alike, so 2757.6 finds 2757.60."""
    for length in {len(vector) for vector in known.vectors}:
        for start in range(len(numbers) - length + 1):
            task = known.vectors.get(tuple(numbers[start : start + length]))
            if task is not None:
                yield f"{task}: its figures, one after another"


def _record_leaks(record: Mapping[str, Any], known: Known) -> Iterator[str]:
    for key in sorted(KEYS & record.keys()):
        yield f"the key {key}"
    decision = record.get("decision")
    if isinstance(decision, str) and decision in known.options:
        yield f"a decision: {decision}"
    for fields, golds in known.answers.items():
        if fields <= record.keys():
            for gold in golds:
                if all(_number(record[field]) == value for field, value in gold.answers.items()):
                    yield f"{gold.task_id}: its figures, by name"
    for keys, rows in known.rows.items():
        if keys <= record.keys():
            for task, row in rows:
                if all(record[name] == value for name, value in row.items()):
                    yield f"{task}: an expected record"


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None
