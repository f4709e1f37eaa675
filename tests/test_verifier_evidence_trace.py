"""Doctored snapshots: traces and states that do not belong together. Each scores 0 with its reason."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.contract_fixture import ANSWERS, TASK, units
from tests.play_fixture import Play, Stage, edit, manifest_of, rechain, reject, reseal, write_evidence


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("evidence")
    return Stage(folder)


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


@pytest.mark.attack("verifier", "trace row removed from the end", expected="score 0, trace_cut", flaw=6)
def test_trace_row_removed_from_the_end(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "DELETE FROM trace WHERE idx = (SELECT max(idx) FROM trace)")
    assert reject(stage, folder, seen) == ("trace_cut", "the trace has 26 rows, the manifest says 27")


@pytest.mark.attack("verifier", "trace row removed from the middle", expected="score 0, bad_trace", flaw=6)
def test_trace_row_removed_from_the_middle(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "DELETE FROM trace WHERE idx = 4")
    rechain(folder)
    assert reject(stage, folder, seen) == ("bad_trace", "trace row 4 is numbered 5")


@pytest.mark.attack("verifier", "trace row altered", expected="score 0, trace_chain", flaw=6)
def test_trace_row_altered(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE trace SET tool = 'gmail.messages.list' WHERE idx = 4")
    assert reject(stage, folder, seen) == ("trace_chain", "the trace's chain breaks at row 4")


@pytest.mark.attack("verifier", "trace rechained against the manifest", expected="score 0, trace_head", flaw=6)
def test_trace_rechained_against_the_manifest(stage: Stage, folder: Path, seen: Seen) -> None:
    head = manifest_of(folder)["trace_head"]
    edit(folder, "UPDATE trace SET tool = 'gmail.messages.list' WHERE idx = 4")
    rechain(folder)
    reseal(folder, trace_head=head)
    assert reject(stage, folder, seen) == ("trace_head", "the trace does not end where the manifest says")


@pytest.mark.attack("verifier", "trace with {column} {value:.12}", expected="score 0, bad_trace", flaw=6)
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("outcome", "fine"),
        ("saw", "{}"),
        ("saw", '[["items"]]'),
        ("saw", '[["items", 1]]'),
        ("wrote", "no JSON"),
        ("wrote", "[" * 50_000),
        ("arguments", "[1]"),
        ("arguments", "{"),
    ],
)
def test_trace_column_of_another_shape(stage: Stage, folder: Path, seen: Seen, column: str, value: str) -> None:
    edit(folder, f"UPDATE trace SET {column} = '{value}' WHERE idx = 3")
    rechain(folder)
    assert reject(stage, folder, seen)[0] == "bad_trace"


@pytest.mark.attack("verifier", "arguments longer than any call's", expected="score 0, too_large", flaw=7)
def test_arguments_longer_than_any_call(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE trace SET arguments = '{\"a\": \"' || hex(zeroblob(32768)) || '\"}' WHERE idx = 3")
    rechain(folder)
    assert reject(stage, folder, seen) == (
        "too_large",
        "world.sqlite: trace row 3 has arguments of 65545 characters, at most 65536",
    )


@pytest.mark.attack("verifier", "refused call that claims a write", expected="score 0, bad_trace", flaw=6)
def test_refused_call_that_claims_a_write(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE trace SET outcome = 'refused' WHERE tool = 'slack.chat_postMessage'")
    rechain(folder)
    assert reject(stage, folder, seen) == (
        "bad_trace",
        "trace row 21: a call that was not accepted claims to have written",
    )


@pytest.mark.attack("verifier", "row that no call wrote", expected="score 0, unclaimed_change", flaw=6)
def test_row_that_no_call_wrote(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, f"UPDATE items SET ListPrice = {units('9.99')} WHERE ItemId = 300001")
    assert reject(stage, folder, seen) == ("unclaimed_change", "items 300001 differs, and no accepted call wrote it")


@pytest.mark.attack("verifier", "submission without a call", expected="score 0, unclaimed_change", flaw=6)
def test_submission_without_a_call(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    play = stage.play(stage.oracle(drop=["submission", "submission back"]))
    play.insert("submissions", TASK, json.dumps(ANSWERS), "2026-02-09")
    folder = write_evidence(play, tmp_path / "evidence")
    assert reject(stage, folder, seen)[0] == "unclaimed_change"


@pytest.mark.attack("verifier", "call that claims what never was", expected="score 0, false_claim", flaw=6)
def test_call_that_claims_what_never_was(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    claim = ("sales_orders", "SO-NBR-99999")
    play = stage.play([*stage.oracle(), lambda play: play.call("oracle_fusion.items.update", (), [claim])])
    folder = write_evidence(play, tmp_path / "evidence")
    assert reject(stage, folder, seen) == (
        "false_claim",
        "call 28 claims to have written sales_orders SO-NBR-99999, which never was",
    )


@pytest.mark.attack("verifier", "call that claims an unknown table", expected="score 0, false_claim", flaw=6)
def test_call_that_claims_an_unknown_table(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    play = stage.play([lambda play: play.call("x.y", (), [("bank", "1")])])
    assert reject(stage, write_evidence(play, tmp_path / "evidence"), seen)[0] == "false_claim"


@pytest.mark.parametrize("value", ["", None])
def test_clearing_an_empty_cell_is_honest(stage: Stage, tmp_path: Path, value: str | None) -> None:
    def clear(play: Play) -> None:
        tool = "google_sheets.spreadsheets.values.update"
        play.call(tool, (), [("cells", "Register!A30")], arguments={"values": [[value]]})

    play = stage.play([*stage.oracle(), clear])
    assert reject(stage, write_evidence(play, tmp_path / "evidence")) == (None, "")


@pytest.mark.attack("verifier", "baseline swapped in for the snapshot", expected="score 0, trace_cut", flaw=6)
def test_baseline_swapped_in_for_the_snapshot(stage: Stage, folder: Path, seen: Seen) -> None:
    """The untouched world under the trace figures of a real episode."""
    shutil.copy(stage.baseline, folder / "world.sqlite")
    reseal(folder)
    assert reject(stage, folder, seen) == ("trace_cut", "the trace has 0 rows, the manifest says 27")


@pytest.mark.attack("verifier", "trace of an episode under an untouched state", expected="score 0, false_claim", flaw=6)
def test_trace_of_an_episode_under_an_untouched_state(stage: Stage, folder: Path, seen: Seen) -> None:
    tables = ("sales_orders", "sales_order_lines", "cells", "decisions", "drafts", "posts", "submissions")
    db = sqlite3.connect(folder / "world.sqlite", isolation_level=None)
    db.execute("ATTACH ? AS seed", (str(stage.baseline),))
    for table in tables:
        db.execute(f"DELETE FROM main.{table}")
        db.execute(f"INSERT INTO main.{table} SELECT * FROM seed.{table}")
    db.close()
    reseal(folder)
    assert reject(stage, folder, seen)[0] == "false_claim"
