"""The lines of the qualification: what every kind of episode must show, and whether it did.

In: the results of the tasks. Out: Line values in the order of the published table. A line that was not run has no
verdict; it is neither green nor red.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from generator.qualify.controls import KINDS
from generator.qualify.qualify import MUTANT, ORACLE, REPLAY, VARIATION
from generator.qualify.results import EpisodeResult, TaskResult

CRITERIA = range(1, 35)
WORTH = frozenset(range(16, 27))
"""Criteria of calculation, decision and ERP state: none of them may hold before anything was done."""

VARIATIONS_APIECE = 8
# Most that an episode of the kind may score: SEMANTICS has the arithmetic. None: reported, without a bound.
BOUNDS: dict[str, int] = {
    "no-op": 0,
    "answer-only": 28,
    "state-only": 48,
    "wrong-source": 62,
    "wrong-target": 52,
    "process-as-received": 42,
}
# What the benchmark that this one follows published of its own release.
THEIRS: dict[str, str] = {
    ORACLE: "100",
    REPLAY: "100",
    "no-op": "4.0",
    "answer-only": "46.0",
    "state-only": "85.0",
    "wrong-source": "88.0",
    "wrong-target": "82.8",
    "process-as-received": "89.5",
}


@dataclass(frozen=True)
class Line:
    """One line of the table.

    must: what it has to show; came: what it showed; holds: None where it was not run; mean: the mean score, of the
    nearest mistake of each task where it has several; failures: every case that breaks it, in words.
    """

    name: str
    episodes: int
    must: str
    came: str
    holds: bool | None
    mean: float | None = None
    theirs: str = "–"
    failures: tuple[str, ...] = ()


def lines(results: Sequence[TaskResult]) -> tuple[Line, ...]:
    """Every line of the table over these tasks."""
    return (
        _oracle(results),
        _replay(results),
        *(_control(kind, results) for kind in KINDS),
        _vectors(results),
        _mutants(results),
        _variations(results),
        _seed_gate(results),
        _audit(results),
    )


def of_kind(results: Iterable[TaskResult], kind: str) -> list[tuple[TaskResult, EpisodeResult]]:
    return [(task, episode) for task in results for episode in task.episodes if episode.kind == kind]


Found = Sequence[tuple[TaskResult, EpisodeResult]]


def _failures(found: Found, wrong: Callable[[EpisodeResult], str]) -> tuple[str, ...]:
    told = []
    for task, episode in found:
        problem = episode.fault or wrong(episode)
        if problem:
            name = f" ({episode.name})" if episode.name else ""
            told.append(f"{task.task_id}, {task.family}, {episode.kind}{name}: {problem}")
    return tuple(told)


def _not_run(name: str, must: str, theirs: str = "–") -> Line:
    return Line(name, 0, must, "not run", None, None, theirs)


def _oracle(results: Sequence[TaskResult]) -> Line:
    """A task that cannot be graded or mutated at all is the oracle's failure too."""
    must, found = "every one strict, score 100", of_kind(results, ORACLE)
    faults = tuple(fault for task in results for fault in task.faults)
    if not found:
        line = _not_run(ORACLE, must, THEIRS[ORACLE])
        return replace(line, came="could not be run", holds=False, failures=faults) if faults else line

    def wrong(episode: EpisodeResult) -> str:
        right = episode.strict and episode.score == 100
        return "" if right else f"score {episode.score}, fails {_all(episode.failed)}"

    failures = _failures(found, wrong)
    came = f"{len(found) - len(failures)} of {len(found)} strict"
    return _line(ORACLE, found, must, came, (*failures, *faults))


def _replay(results: Sequence[TaskResult]) -> Line:
    must, found = "every one the same verdict and the same world", of_kind(results, REPLAY)
    if not found:
        return _not_run(REPLAY, must, THEIRS[REPLAY])
    failures = _failures(found, lambda e: "")
    return _line(REPLAY, found, must, f"{len(found) - len(failures)} of {len(found)} the same", failures)


def _control(kind: str, results: Sequence[TaskResult]) -> Line:
    bound = BOUNDS.get(kind)
    must = "0 strict" if bound is None else "score 0" if bound == 0 else f"0 strict, at most {bound} each"
    found = of_kind(results, kind)
    if not found:
        return _not_run(kind, must, THEIRS.get(kind, "–"))

    def wrong(episode: EpisodeResult) -> str:
        if episode.strict:
            return "strict"
        return f"scores {episode.score}, at most {bound}" if bound is not None and episode.score > bound else ""

    failures = _failures(found, wrong)
    scores = [episode.score for _, episode in found]
    strict = sum(episode.strict for _, episode in found)
    came = f"{strict} strict, {min(scores)} to {max(scores)}"
    return _line(kind, found, must, came, failures)


def _line(kind: str, found: Found, must: str, came: str, failures: tuple[str, ...]) -> Line:
    return Line(kind, len(found), must, came, not failures, _mean(found), THEIRS.get(kind, "–"), failures)


def _mean(found: Found) -> float:
    """The mean over tasks of the mistake that differs least from gold; of all episodes where they do not differ so."""
    nearest: dict[str, list[EpisodeResult]] = {}
    for task, episode in found:
        nearest.setdefault(task.task_id, []).append(episode)
    scores = []
    for episodes in nearest.values():
        least = min(episode.distance for episode in episodes)
        scores.append(fmean(episode.score for episode in episodes if episode.distance == least))
    return fmean(scores)


def _vectors(results: Sequence[TaskResult]) -> Line:
    name, must = "every control", "its verdict vector is the one predicted from its case"
    found = [pair for kind in KINDS for pair in of_kind(results, kind)]
    if not found:
        return _not_run(name, must)

    def wrong(episode: EpisodeResult) -> str:
        if episode.as_predicted:
            return ""
        return f"predicted {_all(episode.predicted or ())}, failed {_all(episode.failed)}"

    failures = _failures(found, wrong)
    came = f"{len(found) - len(failures)} of {len(found)}"
    return Line(name, len(found), must, came, not failures, failures=failures)


def _mutants(results: Sequence[TaskResult]) -> Line:
    """Each criterion of each task has a mutant, each mutant fails its criterion, none more than its closure."""
    name, must = f"{MUTANT}s", "every criterion of every task killed, nothing beyond its closure"
    made = sum(len(task.mutants) for task in results)
    if not made:
        return _not_run(name, must)
    failures, killed = [], 0
    for task in results:
        where = f"{task.task_id}, {task.family}"
        for n in CRITERIA:
            own = [mutant for mutant in task.mutants if mutant.criterion == n]
            survivors = [mutant for mutant in own if not mutant.killed]
            killed += bool(own) and not survivors
            failures += [f"{where}: criterion {n} has no mutant"] if not own else []
            failures += [f"{where}: {m.kind} survives criterion {n}" for m in survivors]
            failures += [
                f"{where}: {m.kind}, criterion {n}: {_all(m.astray)} beyond or short of its closure"
                for m in own
                if m.killed and m.astray
            ]
        failures += task.faults
    total = len(results) * len(CRITERIA)
    came = f"{killed:,} of {total:,} criteria killed, {made:,} mutants"
    return Line(name, made, must, came, not failures, failures=tuple(failures))


def _variations(results: Sequence[TaskResult]) -> Line:
    name, found = f"legitimate {VARIATION}s", of_kind(results, VARIATION)
    must = f"every one strict, at least {VARIATIONS_APIECE} a task"
    if not found:
        return _not_run(name, must)
    failures = _failures(found, lambda e: "" if e.strict else f"fails {_all(e.failed)}")
    came = f"{len(found) - len(failures)} of {len(found)} strict"
    enough = len(found) >= VARIATIONS_APIECE * len(results)
    return Line(name, len(found), must, came, enough and not failures, _mean(found), failures=failures)


def _seed_gate(results: Sequence[TaskResult]) -> Line:
    must = "no untouched world satisfies a criterion of calculation, decision or state"
    failures = tuple(
        f"{task.task_id}, {task.family}: {_all(sorted(WORTH & set(task.untouched)))} hold before anything was done"
        for task in results
        if WORTH & set(task.untouched)
    )
    came = f"{len(results) - len(failures)} of {len(results)}"
    return Line("seed gate", len(results), must, came, not failures, theirs="same", failures=failures)


def _audit(results: Sequence[TaskResult]) -> Line:
    name, must = "evidence audit (SQL)", "five answers, option and status agree with gold"
    found = [task for task in results if task.audit is not None]
    if not found:
        return _not_run(name, must)
    failures = tuple(f"{task.task_id}, {task.family}: {line}" for task in found for line in task.audit or ())
    agreed = sum(not task.audit for task in found)
    return Line(name, len(found), must, f"{agreed} of {len(found)} agree", not failures, failures=failures)


def _all(criteria: Iterable[int]) -> str:
    return ", ".join(f"C{n}" for n in criteria) or "none"


