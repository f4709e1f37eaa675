"""The gold contract of task 001: the seed's categories and points, routes that do not imply each other, no gold in
the view."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

from generator.spec.case import Case
from generator.spec.contract import GoldContract, Seen
from generator.tasks.criteria import build_contract
from generator.tasks.room import build_instruction, build_request
from generator.tasks.view import build_view
from verifier.text import tokenise

GOLDEN = Path(__file__).parent / "golden"


def contract(case: Case) -> GoldContract:
    return build_contract(case, "0" * 64)


def test_categories_and_points_are_the_published_ones(case_001: Case) -> None:
    published = json.loads((GOLDEN / "criteria-001.json").read_text())
    assert [{"category": c.category, "points": c.points} for c in contract(case_001).criteria] == published
    assert [c.n for c in contract(case_001).criteria] == list(range(1, 35))
    assert sum(c.points for c in contract(case_001).criteria) == 100


def test_every_read_has_a_route_of_its_own(case_001: Case) -> None:
    """For any two investigations, the first route of one does not satisfy the other."""
    reads = [c.check for c in contract(case_001).criteria[:15]]
    for first, second in combinations(reads, 2):
        assert isinstance(first, Seen)
        assert isinstance(second, Seen)
        for one, other in ((first, second), (second, first)):
            opened = set(map(str, one.any[0]))
            assert not any(set(map(str, route)) <= opened for route in other.any), (one, other)


def test_the_register_row_is_the_published_one(case_001: Case) -> None:
    check = contract(case_001).criteria[24].check.model_dump()
    cells = [(row["key"], row["row"]["value"]["json"]) for row in check["added_exactly"]]
    assert cells == [
        ("Register!A21", "$primary"),
        ("Register!B21", "import_accepted_lines_and_submit"),
        ("Register!C21", {"number": "5"}),
        ("Register!D21", {"number": "3"}),
        ("Register!E21", {"number": "3160"}),
        ("Register!F21", {"number": "2757.60", "tolerance": "0.005"}),
        ("Register!G21", {"number": "2"}),
        ("Register!H21", "FILE-NBR-ORDER-BATCH-0209"),
    ]


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


def test_the_agents_contract_holds_no_gold(case_001: Case) -> None:
    text = " ".join(strings(build_view(case_001)))
    for gold in ("2757", "3160", "SO-NBR-50011", "CUST-10412", "ORDER-BATCH-0209", "CA-PO-77310"):
        assert gold not in text


def test_the_agents_contract_offers_all_options_without_preference(case_001: Case) -> None:
    view = build_view(case_001)
    assert [option["id"] for option in view["decision_options"]] == [
        "import_accepted_lines_and_submit",
        "import_accepted_lines_hold_for_credit",
        "import_all_lines_as_received",
        "stop_and_escalate_batch",
    ]
    assert [status["id"] for status in view["statuses"]] == [
        "submitted",
        "held_for_credit_release",
        "imported_as_received",
        "not_imported",
    ]
    assert len(view["expected_reads"]) == 15
    assert view["answer_schema"]["required"] == [
        "accepted_lines",
        "rejected_lines",
        "imported_units",
        "order_total",
        "duplicate_lines",
        "decision",
        "status",
    ]


def test_the_request_names_no_tool_and_no_value_of_the_answer(case_001: Case) -> None:
    request = build_request(case_001)
    assert "CA-PO-77310" in request
    assert "Dana Whitfield" in request
    assert not any(
        token in request for token in ("erpbench", "oracle_fusion", "2757", "3160", "FILE-", "MSG-", "import_")
    )
    assert not any(character.isdigit() for character in request.replace("CA-PO-77310", ""))
    assert "erpbench-001" in build_instruction(case_001)


def test_the_contract_says_who_a_draft_may_go_to_and_what_its_limits_count(case_001: Case) -> None:
    handoff = build_view(case_001)["handoff"]
    assert handoff["draft"]["to"] == (
        "the reviewer (Marcus Lee, Operations lead, marcus.lee@northbridge-sim.example), or whoever is owed the reply"
        " (dana.whitfield@cascade-sim.example), or both"
    )
    assert set(handoff["reading"]) == {"must_state", "numbers", "identifiers"}
    assert tokenise("PO-1042 and a follow-up, 3 of 12 on 2026-02-09").identifiers == 2
    assert tokenise("PO-1042 and a follow-up, 3 of 12 on 2026-02-09").count == 2
