"""Grading one episode: contract, baseline and evidence in, a Verdict out.

`grade` takes files, as a trial's verifier does. A `Grader` is made once for a task and grades many episodes in process;
it checks the contract against the baseline when it is made, vacuous criteria included.
"""

import gzip
import hashlib
import os
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier import contract as contracts
from verifier.contract import Contract
from verifier.criteria import Graded, grade_criteria, vacuous_criteria
from verifier.database import MAX_CHARACTERS, MAX_ROWS, MAX_TRACE_CHARACTERS, Contents, read_contents
from verifier.episode import Episode, build_episode
from verifier.evidence import META, read_evidence
from verifier.faults import Doctored, GraderFault, Malformed
from verifier.tables import TRACE, Budget, State, read_rows, read_state
from verifier.trace import Trace, build_trace

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every criterion's verdict. fault and reason are set where the evidence was not usable; episode is None then."""

    contract: Contract
    criteria: tuple[Graded, ...]
    episode: Episode | None
    fault: str | None = None
    reason: str | None = None

    @property
    def score(self) -> int:
        """Points earned, 0 to 100."""
        return sum(graded.earned for graded in self.criteria)

    @property
    def strict(self) -> bool:
        """Whether every criterion holds."""
        return all(graded.holds for graded in self.criteria)

    @property
    def categories(self) -> dict[str, int]:
        """Points earned in each category, in the contract's order."""
        earned: dict[str, int] = {}
        for graded in self.criteria:
            category = graded.criterion.category
            earned[category] = earned.get(category, 0) + graded.earned
        return earned

    @property
    def failed(self) -> tuple[int, ...]:
        """Numbers of the criteria that do not hold."""
        return tuple(graded.criterion.n for graded in self.criteria if not graded.holds)


class Grader:
    """Grades episodes of one task. Raises GraderFault where contract and baseline disagree or on vacuous criteria."""

    def __init__(self, contract: Mapping[str, Any], baseline: Contents) -> None:
        self.contract = contracts.load(contract)
        self.baseline = baseline
        shapes = baseline.shapes
        contracts.check_tables(self.contract, {name: shape.columns for name, shape in shapes.items()})
        for needed in (META, TRACE, "decisions", "submissions"):
            if needed not in shapes:
                raise GraderFault(f"baseline: no table {needed}")
        _check_meta(self.contract, baseline.state)
        vacuous = vacuous_criteria(self.contract, baseline.state)
        if vacuous:
            raise GraderFault(f"contract: criteria {vacuous} hold on the untouched world")

    def grade_states(self, snapshot: State, trace: Trace) -> Verdict:
        """The verdict on a snapshot that is known to be honest."""
        episode = build_episode(self.contract, self.baseline.state, snapshot, trace)
        return Verdict(self.contract, grade_criteria(episode), episode)

    def grade_connection(self, db: sqlite3.Connection) -> Verdict:
        """The verdict on a world's own database in this process, with uncommitted work as the connection sees it.

        Tables that the world never writes are taken from the baseline. Raises Malformed or sqlite3.Error.
        """
        known = {table: self.baseline.state[table] for table in self.contract.frozen_tables}
        snapshot = read_state(db, self.baseline.shapes, Budget(MAX_ROWS, MAX_CHARACTERS), known)
        rows = read_rows(db, self.baseline.shapes[TRACE], Budget(MAX_ROWS, MAX_TRACE_CHARACTERS))
        return self.grade_states(snapshot, build_trace(rows))

    def grade_evidence(self, folder: PathLike) -> Verdict:
        """The verdict on an evidence folder; score 0 with the reason where it is not usable."""
        try:
            snapshot, trace = read_evidence(os.fspath(folder), self.contract, self.baseline)
        except Doctored as doctored:
            return self._refused(doctored)
        return self.grade_states(snapshot, trace)

    def _refused(self, doctored: Doctored) -> Verdict:
        seen = f"the evidence is not usable: {doctored}"
        criteria = tuple(Graded(criterion, False, seen, "usable evidence") for criterion in self.contract.criteria)
        return Verdict(self.contract, criteria, None, doctored.code, str(doctored))


def read_baseline(path: PathLike, digest: str | None = None) -> Contents:
    """The baseline's contents, from a SQLite file or one that gzip packed (suffix .gz).

    Raises GraderFault where the (unpacked) file is not that of the SHA-256 digest or cannot be read.
    """
    try:
        data = _unpacked(path)
        found = hashlib.sha256(data).hexdigest()
        if digest is not None and found != digest:
            raise GraderFault(f"baseline: {os.fspath(path)} has digest {found}, the contract names {digest}")
        db = sqlite3.connect(":memory:", isolation_level=None)
        try:
            db.deserialize(data)
            contents = read_contents(db)
            traced = TRACE in contents.shapes and db.execute(f"SELECT count(*) FROM {TRACE}").fetchone()[0]
        finally:
            db.close()
    except (OSError, EOFError, zlib.error, sqlite3.Error, UnicodeError, Malformed) as error:
        raise GraderFault(f"baseline: {os.fspath(path)}: {error}") from None
    if traced:
        raise GraderFault(f"baseline: {os.fspath(path)} has a trace of {traced} calls, expected none")
    return contents


def _unpacked(path: PathLike) -> bytes:
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if os.fspath(path).endswith(".gz") else data


def grade(contract: Mapping[str, Any], baseline: PathLike, evidence: PathLike) -> Verdict:
    """The verdict on an evidence folder. Raises GraderFault for an unusable contract or baseline."""
    digest = contracts.load(contract).baseline_sha256
    return Grader(contract, read_baseline(baseline, digest)).grade_evidence(evidence)


def vacuous(contract: Mapping[str, Any], baseline: PathLike) -> list[int]:
    """Numbers of the criteria that hold on the untouched baseline; a contract with any is refused by the Grader."""
    contents = read_baseline(baseline)
    loaded = contracts.load(contract)
    contracts.check_tables(loaded, {name: shape.columns for name, shape in contents.shapes.items()})
    return vacuous_criteria(loaded, contents.state)


def _check_meta(contract: Contract, baseline: State) -> None:
    facts = {key: row[1] for key, row in baseline[META].rows.items()}
    expected = {"task_id": contract.task_id, "schema_version": str(contract.world_schema)}
    for name, value in expected.items():
        if facts.get(name) != value:
            raise GraderFault(f"baseline: {name} is {facts.get(name)!r}, the contract has {value!r}")
