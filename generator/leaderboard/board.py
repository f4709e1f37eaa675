"""The tables. In: entries and the release at hand. Out: LEADERBOARD.md and leaderboard.parquet.

Ranked are whole runs of this release by agents that compete, by mean score, then by strict rate; who has both alike
shares the rank, and the next rank is left out. Everything else is listed below with its reason, without a rank.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from generator.leaderboard.cells import cell
from generator.leaderboard.copies import copied_from
from generator.leaderboard.entry import Entry, TrialEntry
from generator.leaderboard.entry_check import check_against
from generator.leaderboard.job import AgentConfig
from generator.leaderboard.release import Release
from generator.leaderboard.standing import control_reason
from generator.leaderboard.statistics import RESAMPLES, Figure, Figures, figures
from generator.qualify.report import write_parquet

MARKDOWN = "LEADERBOARD.md"
PARQUET = "leaderboard.parquet"
ORDER = 'rank NULLS LAST, name, scope, "of"'
COLUMNS = {
    "rank": "INTEGER",
    "name": "VARCHAR",
    "agent": "VARCHAR",
    "agent_version": "VARCHAR",
    "model": "VARCHAR",
    "release": "VARCHAR",
    "listed": "VARCHAR",
    "scope": "VARCHAR",
    "of": "VARCHAR",
    "tasks": "INTEGER",
    "attempts": "INTEGER",
    "score": "DOUBLE",
    "score_low": "DOUBLE",
    "score_high": "DOUBLE",
    "strict": "DOUBLE",
    "strict_low": "DOUBLE",
    "strict_high": "DOUBLE",
    "pass_k": "MAP(INTEGER, DOUBLE)",
}


@dataclass(frozen=True)
class Line:
    """One entry on the board. rank is None for what is not ranked; listed says why then."""

    rank: int | None
    entry: Entry
    figures: Figures
    listed: str


def build_board(entries: Iterable[Entry], release: Release) -> list[Line]:
    """The ranked lines in order, then the others in the order of their names."""
    there = sorted(entries, key=lambda one: one.name)
    ranked: list[tuple[Entry, Figures]] = []
    others: list[Line] = []
    for entry in there:
        found, reason = figures(entry.trials), unranked(entry, release, there)
        if reason:
            others.append(Line(None, entry, found, reason))
        else:
            ranked.append((entry, found))
    ranked.sort(key=lambda pair: (merit(pair[1]), pair[0].name))
    places = Counter(merit(found) for _, found in ranked)
    lines: list[Line] = []
    for entry, found in ranked:
        ahead = sum(count for other, count in places.items() if other < merit(found))
        lines.append(Line(ahead + 1, entry, found, ""))
    return lines + others


def merit(found: Figures) -> tuple[Fraction, Fraction]:
    """What ranks are by, exact and the better the smaller."""
    return -found.score.value, -found.strict.value


def unranked(entry: Entry, release: Release, others: Iterable[Entry] = ()) -> str:
    """Why an entry has no rank on the board of a release beside other entries; empty if it has one.

    What the entry's own trials show is counted again here, against the release: an entry that leaves out its reasons,
    or says that it is of fewer tasks, gets no rank by that. Raises LeaderboardError for one that contradicts it.
    """
    check_against(entry, release)
    if entry.release != release.digest:
        return f"another release ({entry.release[:12]})"
    control = entry.control or control_reason(AgentConfig(name=entry.agent), entry.agent)
    if control:
        return f"control: {control}"
    if entry.partial:
        return f"partial: {'; '.join(entry.partial)}"
    tried = Counter(trial.task for trial in entry.trials)
    if tried != dict.fromkeys(release.tasks, entry.attempts):
        whole = sum(count == entry.attempts for count in tried.values())
        return f"partial: {whole} of {len(release.tasks)} tasks with {entry.attempts} attempts"
    copied = copied_from(entry, others)
    if copied:
        return f"copy: over half of its evidence is that of {', '.join(copied)} too; neither is ranked beside the other"
    return ""


def build_markdown(lines: Sequence[Line], release: str) -> str:
    ranked = [line for line in lines if line.rank is not None]
    others = [line for line in lines if line.rank is None]
    parts = ["# ERPBench-100 leaderboard", "", f"Release: dataset.lock with SHA-256 `{release}`.", ""]
    parts += _ranked_table(ranked) if ranked else ["No ranked runs yet."]
    for title, scope in (("family", "family"), ("tenant", "tenant")):
        if ranked:
            parts += ["", f"## By {title}: mean score, strict rate", "", *_group_table(ranked, scope)]
    if others:
        parts += [
            "",
            "## Listed without a rank",
            "",
            "| entry | tasks | score | strict | why |",
            "|---|--:|--:|--:|---|",
        ]
        parts += [
            f"| {cell(line.entry.name)} | {line.figures.tasks} | {_score(line.figures.score.value)} "
            f"| {_percent(line.figures.strict.value)} | {cell(line.listed)} |"
            for line in others
        ]
    parts += ["", *EXPLAINED]
    return "\n".join(parts) + "\n"


EXPLAINED = (
    "Ranked are whole runs of all tasks of this release, regraded from their evidence, by mean score and then strict",
    "rate; equal runs share a rank. Score: mean over tasks, of 100. Strict: share of trials in which every criterion",
    "holds. pass^k: the chance that k attempts at a task are all strict, an unbiased estimate from the attempts made.",
    f"In brackets 95 % intervals: of the score, bootstrap over tasks ({RESAMPLES:,} resamples); of the rates, Wilson's",
    "over tasks. `erpbench leaderboard add JOB_DIR` adds a run. An entry says that its evidence earns its score; who",
    "produced the evidence, and how often it was tried before, is the submitter's word. Entries that share over half",
    "of their evidence are listed without a rank, each naming the other, until one is withdrawn.",
)


def _ranked_table(lines: Sequence[Line]) -> list[str]:
    most = max(max(line.figures.pass_k) for line in lines)
    powers = range(2, most + 1)
    head = ["rank", "entry", "agent", "model", "attempts", "score", "strict", *(f"pass^{k}" for k in powers)]
    rows = [f"| {' | '.join(head)} |", "|--:|---|---|---|--:|--:|--:|" + "--:|" * len(powers)]
    for line in lines:
        entry, found = line.entry, line.figures
        cells = [
            str(line.rank),
            cell(entry.name),
            cell(f"{entry.agent} {entry.agent_version}"),
            cell(entry.model or "–"),
            str(entry.attempts),
            f"{_score(found.score.value)} [{found.score.low:.1f}, {found.score.high:.1f}]",
            _rate(found.strict),
            *(_rate(found.pass_k[k]) if k in found.pass_k else "–" for k in powers),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _group_table(lines: Sequence[Line], scope: str) -> list[str]:
    groups = {line.entry.name: dict(grouped(line.entry.trials, scope)) for line in lines}
    names = sorted({name for found in groups.values() for name in found})
    rows = [f"| {scope} | {' | '.join(cell(line.entry.name) for line in lines)} |", "|---|" + "--:|" * len(lines)]
    for name in names:
        found = [groups[line.entry.name].get(name) for line in lines]
        cells = [f"{_score(one.score.value)}, {_percent(one.strict.value)}" if one else "–" for one in found]
        rows.append(f"| {cell(name)} | {' | '.join(cells)} |")
    return rows


def grouped(trials: Sequence[TrialEntry], scope: str) -> Iterator[tuple[str, Figures]]:
    """The figures of each family or each tenant, in the order of names."""
    for name in sorted({str(getattr(trial, scope)) for trial in trials}):
        yield name, figures(trial for trial in trials if getattr(trial, scope) == name)


def build_rows(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The rows of the Parquet file: each entry as a whole, by family and by tenant."""
    rows = []
    for line in lines:
        rows.append(_row(line, "all", "", line.figures))
        for scope in ("family", "tenant"):
            rows += [_row(line, scope, name, found) for name, found in grouped(line.entry.trials, scope)]
    return rows


def _row(line: Line, scope: str, of: str, found: Figures) -> dict[str, Any]:
    entry = line.entry
    return {
        "rank": line.rank,
        "name": entry.name,
        "agent": entry.agent,
        "agent_version": entry.agent_version,
        "model": entry.model,
        "release": entry.release,
        "listed": line.listed,
        "scope": scope,
        "of": of,
        "tasks": found.tasks,
        "attempts": entry.attempts,
        **_columns("score", found.score),
        **_columns("strict", found.strict),
        "pass_k": {str(k): float(figure.value) for k, figure in found.pass_k.items()},
    }


def _columns(name: str, figure: Figure) -> dict[str, float]:
    return {name: float(figure.value), f"{name}_low": figure.low, f"{name}_high": figure.high}


def write_board(lines: Sequence[Line], release: str, folder: Path) -> None:
    """Write both tables into the folder, each beside its place and then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".board-", dir=folder) as beside:
        (Path(beside) / MARKDOWN).write_text(build_markdown(lines, release), encoding="utf-8")
        write_parquet(build_rows(lines), COLUMNS, Path(beside) / PARQUET, ORDER)
        for name in (MARKDOWN, PARQUET):
            (Path(beside) / name).replace(folder / name)



def _score(value: Fraction) -> str:
    return f"{float(value):.1f}"


def _percent(value: Fraction) -> str:
    return f"{100 * float(value):.1f} %"


def _rate(figure: Figure) -> str:
    return f"{_percent(figure.value)} [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
