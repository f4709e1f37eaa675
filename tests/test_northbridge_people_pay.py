"""Hiring and price facts of Northbridge: records, files and mail agree, and hold what the figures need.

The figures are worked out a second time here, from the rendered files and the world's rows; the expected ones by hand.
"""

import datetime as dt
from decimal import Decimal

import pytest

from generator.families.hire_against_headcount import FAMILY as HIRE
from generator.families.price_batch import FAMILY as PRICE
from generator.spec.source import Contradiction
from generator.spec.tenant import Tenant
from tests.people_fixture import (
    TODAY,
    Evidence,
    bars,
    changed,
    evidence_of,
    in_force_today,
    people_tenant,
    sheet,
)


@pytest.fixture(scope="module")
def tenant() -> Tenant:
    return people_tenant()


# Hiring against headcount


def later(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.month - 1 + months, 12)
    return day.replace(year=day.year + year, month=month + 1)


def full_years(since: dt.date, on: dt.date) -> int:
    return on.year - since.year - ((on.month, on.day) < (since.month, since.day))


def hire_figures(evidence: Evidence, job: str, heads: int) -> tuple[int, int, list[tuple[str, Decimal, dt.date]], int]:
    """Open seats, eligible, the hires with wage and contract end, months, from files 20 to 22, mail and the system."""
    employer, hire_day = "Northbridge Fastener Works LLC", dt.date(2026, 3, 2)
    active = [
        row
        for row in evidence.rows["workers"]
        if (row["JobCode"], row["LegalEmployerName"], row["AssignmentStatus"]) == (job, employer, "Active")
        and (row["LastWorkingDate"] or dt.date.max) >= hire_day
    ]
    grades = evidence.files["20"].table("Job", "Grade").texts
    started = "\n".join(body for id, body in evidence.mail.items() if "START" in id)
    eligible = []
    for row in sheet(evidence.files["21"], "Candidates").records():
        certificate, permit, since = row["Certificate valid to"], row["Permit valid to"], row["Experience since"]
        applies = (row["Job"], row["Legal employer"], row["Stage"]) == (job, employer, "Open")
        if not applies or not row["References checked"]:
            continue
        if not isinstance(certificate, dt.date) or certificate < TODAY or f"({row['Candidate']})" in started:
            continue
        assert isinstance(since, dt.date)
        years = full_years(since, hire_day)
        grade, months = [(line[1], int(line[3])) for line in grades if line[0] == job and int(line[2]) <= years][-1]
        end = later(hire_day, months) - dt.timedelta(days=1)
        if not isinstance(permit, dt.date) or permit >= end:
            eligible.append((row, grade, months, end))
    eligible.sort(key=lambda one: (-int(str(one[0]["Score"])), not one[0]["Agency temp on site"], one[0]["Applied"]))
    seats = heads - len(active)
    hires = [(str(row["Name"]), wage(evidence, grade, hire_day), end) for row, grade, _, end in eligible[:seats]]
    return seats, len(eligible), hires, sum(months for _, _, months, _ in eligible[:seats])


def wage(evidence: Evidence, grade: str, day: dt.date) -> Decimal:
    for row in evidence.files["22"].tables[0].records():
        start, end = row["valid_from"], row["valid_to"] or dt.date.max
        assert isinstance(start, dt.date)
        assert isinstance(end, dt.date)
        if row["grade"] == grade and start <= day <= end:
            return Decimal(str(row["monthly_wage"]))
    raise AssertionError(f"no wage of {grade} on {day}")


def heads_of(evidence: Evidence, job: str) -> int:
    line = next(row for row in evidence.files["20"].table("Job", "Heads").texts if row[0] == job)
    return int(line[3])


def test_three_of_five_eligible_candidates_are_hired_for_11005_a_month(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, HIRE)
    seats, eligible, hires, months = hire_figures(evidence, "QA-INSP", heads_of(evidence, "QA-INSP"))
    assert (seats, eligible, months) == (3, 5, 54)
    assert hires == [
        ("Imani Clarke", Decimal("4050.00"), dt.date(2028, 3, 1)),
        ("Sophie Tran", Decimal("3665.00"), dt.date(2027, 9, 1)),
        ("Karen Oduya", Decimal("3290.00"), dt.date(2027, 3, 1)),
    ]
    assert sum(pay for _, pay, _ in hires) == Decimal("11005.00")


def test_the_first_issue_has_ten_heads_and_five_hires(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, HIRE)
    heads = int(bars(evidence.mail["MSG-NBR-HEADCOUNT-0112"], "Job | Legal employer")[0][2])
    seats, eligible, hires, months = hire_figures(evidence, "QA-INSP", heads)
    assert (heads, seats, eligible, len(hires), months) == (10, 5, 5, 5, 90)
    assert sum(pay for _, pay, _ in hires) == Decimal("18335.00")


def test_the_warehouse_job_has_other_figures(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, HIRE)
    seats, eligible, hires, months = hire_figures(evidence, "WHS-ASSOC", heads_of(evidence, "WHS-ASSOC"))
    assert (seats, eligible, len(hires), months) == (2, 3, 2, 24)
    assert sum(pay for _, pay, _ in hires) == Decimal("5865.00")


def test_klein_is_at_work_under_a_number_that_the_register_does_not_have(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, HIRE)
    register = {row[0]: row[2] for row in sheet(evidence.files["21"], "Candidates").texts}
    at_work = {row["DisplayName"]: row["PersonNumber"] for row in evidence.rows["workers"]}
    assert (register["CAND-NBR-118"], at_work["Dora Klein"]) == ("P-NBR-3121", "P-NBR-3106")
    assert set(register.values()).isdisjoint(at_work.values())


def test_the_conditions_of_the_approval_carry_their_numbers_and_names(tenant: Tenant) -> None:
    approval = evidence_of(tenant, HIRE).files["20"]
    text = " ".join(approval.lines)
    for words in (
        "Helen Marsh's and Marcus Lee's",
        "starts on 03/02/2026",
        "QA-INSP, level II gauge certificate",
        "agency temp comes first; failing that, the earlier application comes first",
        "referred to Ruth Delgado",
        "HC-NBR-2026-04",
    ):
        assert words in text
    assert ("Helen Marsh, Plant manager", "02/02/2026") in approval.pairs
    assert ("Marcus Lee, Operations lead", "02/03/2026") in approval.pairs


def test_an_approval_without_the_second_signature_says_so_and_leaves_the_subject_open(tenant: Tenant) -> None:
    approval = tenant.facts["hire_against_headcount"].approval.model_copy(update={"countersigned": None})
    unsigned = changed(tenant, HIRE, approval=approval)
    assert ("Marcus Lee, Operations lead", "not signed") in evidence_of(unsigned, HIRE).files["20"].pairs
    assert isinstance(in_force_today(unsigned, "headcount_approval"), Contradiction)


# Price batch


PriceFigures = tuple[int, list[int], list[int], list[int], Decimal]


def price_figures(
    tenant: Tenant, lines: list[list[str]], organization: str, policy: str, withdrawn: set[int]
) -> PriceFigures:
    """Lines, accepted, rejected, superseded, average change, from the batch, a policy's mail and the item master."""
    classes = {(row[0], row[1]): (row[2], Decimal(row[3])) for row in bars(policy, "Organization | Item | Class")}
    bands, factor = bands_of(policy), Decimal(policy.split("may not lie below ")[1].split(" times")[0])
    pieces = {"EA": 1, "HU": 100}
    held = [line for line in lines if int(line[0]) not in withdrawn]
    last = {(line[1], line[2], line[5]): line[0] for line in held}
    superseded = [int(line[0]) for line in held if last[line[1], line[2], line[5]] != line[0]]
    accepted: list[int] = []
    rejected: list[int] = []
    changes: list[Decimal] = []
    price: dict[str, Decimal] = {}
    for number, where, item, uom, new, _ in sorted(held, key=lambda line: (line[5], int(line[0]))):
        if int(number) in superseded:
            continue
        master = tenant.profile.item(item, where)
        old, asked = price.get(item, master.list_price), Decimal(new) / pieces[uom]
        change = (asked - old) / old * 100
        name, cost = classes[where, item]
        sold = where == organization and master.status == "Active"
        if sold and abs(change) <= bands[name] and asked >= cost * factor:
            accepted.append(int(number))
            changes.append(change)
            price[item] = asked
        else:
            rejected.append(int(number))
    mean = (sum(changes, Decimal(0)) / len(changes)).quantize(Decimal("0.01"))
    return len(held), sorted(accepted), sorted(rejected), superseded, mean


def bands_of(policy: str) -> dict[str, Decimal]:
    listed = policy.split("up or down: ")[1].split(".\n")[0]
    parts = [part.removeprefix("class ").split(", ") for part in listed.split("; ")]
    return {name: Decimal(percent.removesuffix(" %")) for name, percent in parts}


def batch_lines(evidence: Evidence) -> list[list[str]]:
    rows = evidence.files["23"].tables[0].records()
    return [
        [str(row[name]) for name in ("line", "organization", "item", "price_per", "new_price", "effective_from")]
        for row in rows
    ]


def test_four_lines_are_accepted_six_rejected_and_one_superseded(tenant: Tenant) -> None:
    # (0.88 - 0.84) / 0.84, (0.203 - 0.19) / 0.19, (2.72 - 2.45) / 2.45, (0.214 - 0.203) / 0.203:
    # 4.7619 + 6.8421 + 11.0204 + 5.4187 = 28.0431, a quarter of it 7.0108
    evidence = evidence_of(tenant, PRICE)
    figures = price_figures(tenant, batch_lines(evidence), "NBR1", evidence.mail["MSG-NBR-PRICING-POLICY-P3"], {10})
    assert figures == (11, [3, 5, 9, 12], [2, 4, 6, 7, 8, 11], [1], Decimal("7.01"))


def test_the_earlier_policy_lets_other_lines_through(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, PRICE)
    figures = price_figures(tenant, batch_lines(evidence), "NBR1", evidence.mail["MSG-NBR-PRICING-POLICY-P2"], {10})
    assert figures == (11, [2, 3, 4, 9, 12], [5, 6, 7, 8, 11], [1], Decimal("5.86"))


def test_version_1_has_eight_lines_of_which_five_pass(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, PRICE)
    lines = bars(evidence.mail["MSG-NBR-PRICE-BATCH-V1"], "Line | Organization")
    figures = price_figures(tenant, lines, "NBR1", evidence.mail["MSG-NBR-PRICING-POLICY-P3"], set())
    assert figures == (8, [1, 2, 3, 4, 5], [6, 7, 8], [], Decimal("5.09"))


def test_the_depot_has_other_figures(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, PRICE)
    figures = price_figures(tenant, batch_lines(evidence), "NBR2", evidence.mail["MSG-NBR-PRICING-POLICY-P3"], {10})
    assert figures == (11, [7, 11], [2, 3, 4, 5, 6, 8, 9, 12], [1], Decimal("6.00"))


def test_line_10_would_supersede_line_5_if_it_were_not_taken_back(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, PRICE)
    assert "I take back line 10:" in evidence.mail["MSG-NBR-PRICE-CORRECTION-Q2"]
    figures = price_figures(tenant, batch_lines(evidence), "NBR1", evidence.mail["MSG-NBR-PRICING-POLICY-P3"], set())
    assert figures == (12, [3, 9, 10, 12], [2, 4, 6, 7, 8, 11], [1, 5], Decimal("5.79"))


def test_every_line_has_a_class_a_cost_and_an_open_period(tenant: Tenant) -> None:
    facts = tenant.facts["price_batch"]
    start, end = dt.date(2026, 4, 1), dt.date(2026, 6, 30)
    for policy in (facts.policy, facts.earlier_policy):
        classed = {(held.organization, held.item) for held in policy.classes}
        for line in (*facts.batch.lines, *facts.earlier.lines):
            assert (line.organization, line.item) in classed
            assert start <= line.effective <= end


def test_the_release_names_the_version_on_file(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, PRICE)
    assert "PB-NBR-2026-Q2, version 2." in evidence.mail["MSG-NBR-PRICE-RELEASE-Q2"]
    assert {(row[0], row[1]) for row in evidence.files["23"].tables[0].texts} == {("PB-NBR-2026-Q2", "2")}


def test_a_line_of_an_item_that_the_master_lacks_is_an_error(tenant: Tenant) -> None:
    batch = tenant.facts["price_batch"].batch
    line = batch.lines[0].model_copy(update={"item": "FST-M99"})
    odd = changed(tenant, PRICE, batch=batch.model_copy(update={"lines": (line,)}))
    with pytest.raises(KeyError, match="FST-M99"):
        PRICE.records(odd, odd.facts["price_batch"])
