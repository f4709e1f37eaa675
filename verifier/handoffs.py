"""The `states` check: a draft or post says what it must, and nothing that it must not.

In: a check and an episode. Out: a Finding. What must be stated is sought in what the reader sees as stated (visible.py)
and letter for letter; what must not be mentioned in the whole text, lookalike letters included (lookalikes.py).
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from verifier.contract import PRIMARY, Check, Contract
from verifier.episode import Episode
from verifier.exchanged import exchanged_figures
from verifier.finding import Finding, listed
from verifier.lookalikes import fold
from verifier.matchers import row_matches
from verifier.text import Text, tokenise
from verifier.visible import stated_text


def states(check: Check, episode: Episode) -> Finding:
    """Exactly one added row matches where, and the text of its columns states every fact and none of none_of.

    Facts are found in whole tokens however they are written, and not only after a not, no or never. Figures that are
    answers do not stand under each other's names. max_numbers and max_identifiers count the numbers and identifiers of
    the text and max_chars its characters, so that listing every candidate does not pass.
    """
    table, name = check["table"], episode.primary.name
    added = [
        key
        for key in episode.difference(table).added
        if row_matches(check["where"], episode.after(table, key) or {}, name)
    ]
    facts = [_spelled(fact, name) for fact in check["facts"]]
    expected = f"one row in {table} stating " + listed(facts)
    if len(added) != 1:
        return Finding(False, f"{len(added)} such rows added to {table}", expected)
    cells = episode.after(table, added[0]) or {}
    raw = "\n".join(str(cells[column]) for column in check["columns"] if cells[column] is not None)
    if len(raw) > check["max_chars"]:
        return Finding(False, f"{table} {added[0]} has {len(raw)} characters, at most {check['max_chars']}", expected)
    wrong = _faults(check, raw, name, episode.contract)
    told = f"{table} {added[0]} " + (listed(wrong) if wrong else "states all of it")
    return Finding(not wrong, told, expected)


def _faults(check: Check, raw: str, name: str | None, contract: Contract) -> list[str]:
    text, shown = tokenise(raw), stated_text(raw)
    stated = text if shown == raw else tokenise(shown)
    wrong = [f"does not state {_spelled(fact, name)}" for fact in check["facts"] if not _stated(fact, stated, name)]
    folded = tokenise(fold(raw)) if check.get("none_of") else text
    wrong += [
        f"mentions {phrase}"
        for phrase in check.get("none_of") or ()
        if text.has_phrase(phrase) or folded.has_phrase(fold(phrase))
    ]
    exchanged = exchanged_figures(shown, _figures(check, contract))
    if exchanged:
        wrong.append("exchanges the figures of " + listed(exchanged))
    if text.count > check["max_numbers"]:
        wrong.append(f"has {text.count} numbers, at most {check['max_numbers']}")
    most = check.get("max_identifiers")
    if most is not None and text.identifiers > most:
        wrong.append(f"has {text.identifiers} identifiers, at most {most}")
    return wrong


def _figures(check: Check, contract: Contract) -> dict[str, Decimal]:
    """The figures that the text must state, by the answers' names."""
    facts = {Decimal(str(fact["number"])) for fact in check["facts"] if fact.get("number") is not None}
    checks = [criterion.check for criterion in contract.criteria if criterion.check["kind"] == "answer"]
    values = {str(one["field"]): Decimal(str(one["value"])) for one in checks if one["type"] != "string"}
    return {field: value for field, value in values.items() if value in facts}


def _stated(fact: Mapping[str, Any], text: Text, name: str | None) -> bool:
    if fact.get("number") is not None:
        return text.states_number(Decimal(str(fact["number"])))
    return any(text.states_phrase(spelling) for spelling in _spellings(fact, name))


def _spellings(fact: Mapping[str, Any], name: str | None) -> list[str]:
    given = [name if spelling == PRIMARY else spelling for spelling in fact["one_of"]]
    return [spelling for spelling in given if spelling is not None]


def _spelled(fact: Mapping[str, Any], name: str | None) -> str:
    if fact.get("number") is not None:
        return str(fact["number"])
    return " or ".join(_spellings(fact, name)) or "the primary record"
