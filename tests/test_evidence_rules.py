"""Every identifier and date that gold needs stands in the evidence, and no request gives a value of its answer away."""

import dataclasses

import pytest

from generator.evidence.model import Rendered
from generator.qualify.evidence_rules import evidence_problems, given_away, needed
from generator.spec.case import Case
from generator.spec.tenant import Tenant
from generator.tasks.case import build_cases
from generator.tasks.room import tenant_files
from generator.tenants.load import load_tenants
from generator.worlds.rows import tenant_rows

TENANTS = load_tenants()


@pytest.mark.parametrize("tenant", TENANTS, ids=lambda tenant: tenant.profile.slug)
def test_what_gold_needs_can_be_read_and_is_not_given_away(tenant: Tenant) -> None:
    rows, files = tenant_rows(tenant), tenant_files(tenant)
    problems = [problem for case in build_cases([tenant]) for problem in evidence_problems(case, rows, files)]
    assert problems == []


def test_a_document_that_is_missing_is_noticed(case_001: Case) -> None:
    rows = tenant_rows(case_001.tenant)
    files: list[Rendered] = []
    rows["sales_orders"], rows["sales_order_lines"] = [], []
    assert "erpbench-001 (order_import): gold needs 'OPS', which stands in no evidence" not in evidence_problems(
        case_001, rows, files
    )  # the lookups still have it
    rows["lookups"] = []
    assert "erpbench-001 (order_import): gold needs 'OPS', which stands in no evidence" in evidence_problems(
        case_001, rows, files
    )


def test_gold_of_task_001_needs_these(case_001: Case) -> None:
    assert set(needed(case_001)) == {
        *("FILE-NBR-ORDER-BATCH-0209", "OPS", "CUST-10412", "CA-PO-77310", "Standard Orders", "NBR1", "EA"),
        *("FST-M8-40", "FST-M10-60", "NUT-M8-NYL", "WSH-M10-SS", "ANC-12-100"),
    }


def test_a_figure_in_the_request_is_noticed(case_001: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.qualify.evidence_rules.build_request", lambda case: "About 3160 pieces, 15 lines.")
    assert list(given_away(case_001)) == ["3160"]
    gold = dataclasses.replace(case_001.gold, option="stop_and_escalate_batch")
    monkeypatch.setattr("generator.qualify.evidence_rules.build_request", lambda case: "Do stop_and_escalate_batch.")
    assert list(given_away(dataclasses.replace(case_001, gold=gold))) == ["stop_and_escalate_batch"]
