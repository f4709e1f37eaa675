"""Mutants: for every criterion the smallest changes of a right episode that should fail it, and what falls with it.

In: a case, the contract that follows from it, and the oracle's finished episode. Out: Mutant values, one or more a
criterion. They are made from the case, not from the contract that grades them, so a check that was weakened lets one
survive. The closure of a mutant is what must fail with it by the way contracts are built: what refers to a record that
no longer stands, what reads the same cell.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.qualify import state_mutants, told_mutants
from generator.qualify.finished import Finished
from generator.qualify.predict import leaves
from generator.qualify.state_mutants import Changed
from generator.spec import contract as c
from generator.spec.case import Case
from generator.spec.contract import GoldContract
from verifier.trace import Record


@dataclass(frozen=True)
class Mutant:
    """kind names the change. fails: the criterion and its closure, and nothing else may fail.

    Where either is given, one of these must fail and the rest is open: a value that was entered is no single check's.
    """

    criterion: int
    kind: str
    evidence: Finished
    fails: frozenset[int]
    either: frozenset[int] = frozenset()

    def killed(self, failed: Iterable[int]) -> bool:
        return bool(self.either & set(failed)) if self.either else self.criterion in set(failed)

    def astray(self, failed: Iterable[int]) -> frozenset[int]:
        """Criteria that fail beyond the closure, or do not though they belong to it."""
        return frozenset() if self.either else self.fails ^ set(failed)


def build_mutants(case: Case, contract: GoldContract, oracle: Finished) -> Iterator[Mutant]:
    """The mutants of all criteria, in their order."""
    for criterion in contract.criteria:
        for kind, evidence, closure in _of(criterion, case, contract, oracle):
            yield Mutant(criterion.n, kind, evidence, frozenset({criterion.n, *closure}))
    for kind, evidence, _ in state_mutants.entered_values(case, oracle):
        yield Mutant(23, kind, evidence, frozenset(), either=frozenset({23, 24}))


def _of(criterion: c.Criterion, case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    if criterion.n in BY_CONTRACT:
        return BY_CONTRACT[criterion.n](criterion, contract, oracle)
    if criterion.n in BY_CASE:
        return BY_CASE[criterion.n](case, contract, oracle)
    if criterion.category == "calculation":
        return told_mutants.answer(list(case.gold.answers)[criterion.n - 16], case, oracle)
    return _unread(criterion, contract, oracle)


BY_CONTRACT = {
    23: state_mutants.primary_mutants,
    24: state_mutants.secondary_mutants,
    33: state_mutants.stray_mutants,
}
BY_CASE = {
    21: told_mutants.option,
    22: told_mutants.sources,
    25: told_mutants.register,
    26: told_mutants.record,
    27: told_mutants.draft,
    28: told_mutants.post,
    34: told_mutants.outbound,
}


def _unread(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """One record not read in time, for each read that the criterion wants."""
    for check in leaves(criterion.check, c.Seen):
        hidden = _hidden(check, criterion, contract, oracle)
        yield _named(check), hidden, ()
        if check.before_submission:
            saw = _records(check.any[0], oracle)
            late = hidden.with_call(hidden.submission() + 1, "any", saw=saw)
            yield f"{_named(check)} before the submission", late, ()


def _named(check: c.Seen) -> str:
    if check.before:
        return "not read before the first write"
    if check.after_key:
        return "the records concerned not read back"
    first = check.any[0][0]
    if first == "$primary":
        return "the primary record not read back"
    return f"{first['added'] if isinstance(first, dict) else first[0]} not read back"


def _hidden(check: c.Seen, criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Finished:
    """The evidence with one record of each satisfied route unseen, one that no other investigation needs if there is
    one."""
    trace = oracle.trace
    needed: dict[Record, int] = {}
    for other in contract.criteria:
        for one in leaves(other.check, c.Seen):
            if other.n != criterion.n and one.before == check.before:
                for record in {r for route in one.any for r in _records(route, oracle)}:
                    needed[record] = needed.get(record, 0) + 1
    end = oracle.first_write() if check.before else len(oracle.rows) + 1
    hidden: set[Record] = set()
    for route in check.any:
        records = _records(route, oracle)
        if hidden & set(records) or not all(any(i < end for i in trace.saw.get(r, ())) for r in records):
            continue
        hidden.add(min(records, key=lambda record: (needed.get(record, 0), records.index(record))))

    def when(index: int) -> bool:
        if check.before:
            return index < end
        if check.after_key:
            return index > (trace.last_write(check.after_key) or 0)
        return index > min(trace.last_write(record) or 0 for record in hidden)

    return oracle.unseen(hidden, when)


def _records(route: c.Route, oracle: Finished) -> list[Record]:
    records: list[Record] = []
    for element in route:
        if element == "$primary":
            records += oracle.primary.records
        elif isinstance(element, dict):
            records += [(element["added"], key) for key in oracle.added(element["added"])]
        else:
            records.append((element[0], element[1]))
    return records
