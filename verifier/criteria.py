"""All criteria of a contract on one episode, and those that would hold though nothing was done."""

from dataclasses import dataclass

from verifier.checks import evaluate
from verifier.contract import Check, Contract, Criterion
from verifier.episode import Episode, build_episode
from verifier.faults import GraderFault
from verifier.tables import State
from verifier.trace import Trace

HOW = {
    "seen": "records that accepted calls returned, by the trace's order of calls",
    "answer": "the stored submission, compared as a decimal within the field's tolerance",
    "rows": "rows of the snapshot against the verifier's own baseline",
    "states": "words, identifiers and numbers of the stored text, in whole tokens",
    "every": "every row that the episode added",
    "same": "the snapshot's tables against the verifier's own baseline",
    "unchanged": "every difference from the baseline that no other criterion owns",
    "no_refused": "outcomes in the trace",
    "no_call": "calls in the trace, accepted or refused",
    "acted": "the decision row of the snapshot",
}


@dataclass(frozen=True, slots=True)
class Graded:
    """A criterion with its verdict, and in words what was seen and expected and how it is judged."""

    criterion: Criterion
    holds: bool
    seen: str
    expected: str

    @property
    def earned(self) -> int:
        return self.criterion.points if self.holds else 0

    @property
    def how(self) -> str:
        return "; ".join(dict.fromkeys(HOW[kind] for kind in _kinds(self.criterion.check)))


def grade_criteria(episode: Episode) -> tuple[Graded, ...]:
    """Every criterion of the contract on the episode. Raises GraderFault for a check that cannot be read."""
    return tuple(_graded(criterion, episode) for criterion in episode.contract.criteria)


def vacuous_criteria(contract: Contract, baseline: State) -> list[int]:
    """Numbers of the criteria that hold on the untouched world: doing nothing would earn them."""
    untouched = build_episode(contract, baseline, baseline, Trace())
    return [graded.criterion.n for graded in grade_criteria(untouched) if graded.holds]


def _graded(criterion: Criterion, episode: Episode) -> Graded:
    try:
        finding = evaluate(criterion.check, episode)
    except GraderFault as fault:
        raise GraderFault(f"{fault} (criterion {criterion.n})") from None
    return Graded(criterion, finding.holds, finding.seen, finding.expected)


def _kinds(check: Check) -> list[str]:
    if check["kind"] in ("all", "any"):
        return [kind for part in check["of"] for kind in _kinds(part)]
    return _kinds(check["of"]) if check["kind"] == "not" else [check["kind"]]
