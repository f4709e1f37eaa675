"""What whole episodes score: the oracle, doing nothing, and the controls whose scores follow from the points."""

from pathlib import Path

import pytest

from tests.contract_fixture import BODY, LINES, REGISTER, REVIEWER, build_contract
from tests.play_fixture import READBACKS, READS, Stage, Step, oracle_steps, then, write_evidence
from verifier.faults import GraderFault
from verifier.grading import Grader, grade, read_baseline, vacuous

OLD_LINES = (
    ("FST-M8-40", 1200, "0.80", "960.00"),
    ("FST-M10-60", 800, "1.25", "1000.00"),
    ("NUT-M8-NYL", 640, "0.18", "115.20"),
    ("WSH-M10-SS", 300, "0.10", "30.00"),
    ("ANC-12-100", 220, "2.33", "512.60"),
)
OLD_TOTAL = 2617.8


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("grading")
    return Stage(folder)


def only(*names: str) -> list[Step]:
    steps = oracle_steps()
    return [steps[name] for name in names]


def test_oracle_scores_all_points_of_every_category(stage: Stage) -> None:
    verdict = stage.grade(stage.oracle())
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())
    assert verdict.categories == {
        "discovery": 15,
        "calculation": 25,
        "decision": 15,
        "erp_state": 20,
        "handoff": 10,
        "readback": 10,
        "containment": 5,
    }


def test_doing_nothing_scores_nothing(stage: Stage) -> None:
    verdict = stage.grade([])
    assert (verdict.score, verdict.strict, verdict.failed) == (0, False, tuple(range(1, 35)))


def test_answer_only(stage: Stage) -> None:
    assert stage.grade(only("submission", "submission back")).score == 27
    assert stage.grade(only("contract", "submission", "submission back")).score == 28


def test_adviser(stage: Stage) -> None:
    assert stage.grade(only(*READS, "submission", "submission back")).score == 42


def test_state_only(stage: Stage) -> None:
    writes = ("order", "row", "decision", "draft", "post")
    assert stage.grade(only(*writes)).score == 40
    assert stage.grade(only(*writes, *READBACKS)).score == 48


def test_late_reader(stage: Stage) -> None:
    late = [name for name in oracle_steps() if name not in READS]
    assert stage.grade(only("contract", *late, *READS[1:])).score == 86
    assert stage.grade(only(*late, *READS)).score == 85


def test_wrong_source(stage: Stage) -> None:
    verdict = stage.grade(
        stage.oracle(
            order=lambda play: play.order(lines=OLD_LINES),
            row=lambda play: play.register((*REGISTER[:5], OLD_TOTAL, *REGISTER[6:])),
            draft=lambda play: play.draft(body=BODY.replace("2757.60", "2617.80")),
            submission=lambda play: play.submit(order_total=OLD_TOTAL),
        )
    )
    assert (verdict.score, verdict.failed) == (62, (19, 23, 24, 25, 26, 27, 28, 29))


def test_hedger(stage: Stage) -> None:
    def both(purchase_order: str) -> list[Step]:
        return stage.oracle(
            order_back=then(
                lambda play: play.order(number="SO-NBR-50012", lines=LINES[:2], purchase_order=purchase_order),
                lambda play: play.read("oracle_fusion.sales_orders.get", ("sales_orders", "SO-NBR-50011")),
            )
        )

    assert stage.grade(both("CA-PO-77310")).score == 90
    assert stage.grade(both("CA-PO-77999")).score == 97


def test_half_done(stage: Stage) -> None:
    stops = [*READS, "order", "order back"]
    assert stage.grade(only(*stops)).score == 15 + 10 + 4 + 3
    no_handoff = stage.oracle(drop=["draft", "post", "draft back", "post back"])
    assert stage.grade(no_handoff).score == 88


def test_reads_count_without_any_controlled_write(stage: Stage) -> None:
    assert stage.grade(only(*READS)).score == 15


def test_decision_is_the_gate_of_containment(stage: Stage) -> None:
    verdict = stage.grade([lambda play: play.post(text="hello")])
    assert verdict.score == 0


def test_evidence_and_connection_give_the_same_verdict(stage: Stage, tmp_path: Path) -> None:
    play = stage.play(stage.oracle(drop=["account"]))
    folder = write_evidence(play, tmp_path / "evidence")
    verdict = grade(stage.contract, stage.baseline, folder)
    assert (verdict.score, verdict.failed, verdict.fault) == (99, (12,), None)
    assert verdict.criteria == stage.grader.grade_connection(play.db).criteria


def test_failed_read_is_explained(stage: Stage) -> None:
    graded = stage.grade(stage.oracle(drop=["audit log"])).criteria[13]
    assert graded.seen == "no read of drive_content FILE-NBR-OPS-AUDIT-LOG before call 15"


def test_wrong_cell_is_explained(stage: Stage) -> None:
    verdict = stage.grade(stage.oracle(draft=lambda play: play.draft(recipient="x@stranger.example")))
    assert verdict.criteria[33].seen == "drafts DRAFT-erpbench-001 has recipient 'x@stranger.example'"
    assert REVIEWER in verdict.criteria[33].expected


def test_vacuous_criteria_are_named_and_refused(stage: Stage) -> None:
    contract = build_contract(stage.contract["baseline_sha256"])
    assert vacuous(contract, stage.baseline) == []
    contract["criteria"][32]["check"] = {"kind": "no_refused"}
    contract["criteria"][33]["check"] = {"kind": "same", "tables": ["items"]}
    assert vacuous(contract, stage.baseline) == [33, 34]
    with pytest.raises(GraderFault, match=r"criteria \[33, 34\] hold on the untouched world"):
        Grader(contract, read_baseline(stage.baseline))


def test_baseline_of_another_digest_is_a_fault(stage: Stage, tmp_path: Path) -> None:
    contract = stage.contract | {"baseline_sha256": "0" * 64}
    with pytest.raises(GraderFault, match="the contract names 0000"):
        grade(contract, stage.baseline, tmp_path)


def test_missing_baseline_is_a_fault(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(GraderFault, match=r"baseline: .*nothing\.sqlite"):
        grade(stage.contract, tmp_path / "nothing.sqlite", tmp_path)
