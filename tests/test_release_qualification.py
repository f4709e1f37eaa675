"""Which qualification a release is published with, and which are refused."""

import hashlib
import json
from pathlib import Path

import pytest

from generator.dataset import read_lock
from generator.qualify.qualify import ALL_KINDS
from generator.qualify.qualify_command import code_digest
from generator.release.bindings import ReleaseError
from generator.release.qualification import check_origin, qualification_rows, read_qualification
from generator.spec.streams import RELEASE_SEED

LINE = {
    "name": "oracle",
    "episodes": 100,
    "must": "every one strict, score 100",
    "came": "100 of 100 strict",
    "holds": True,
    "mean": 100.0,
    "theirs": "100",
    "failures": [],
}


def write_report(folder: Path, *lines: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "qualification.json").write_text(json.dumps({"lines": lines}), encoding="utf-8")
    return folder


def write_parts(folder: Path, dataset: Path, code: str) -> None:
    (folder / "parts").mkdir(parents=True)
    for task, locked in read_lock(dataset).items():
        told = repr((locked["digest"], code, RELEASE_SEED, ALL_KINDS)).encode()
        part = {"fingerprint": hashlib.sha256(told).hexdigest()}
        (folder / "parts" / f"{task}.json").write_text(json.dumps(part), encoding="utf-8")


def test_the_lines_become_rows_in_their_order(rendered: Path, tmp_path: Path) -> None:
    folder = write_report(tmp_path, LINE, LINE | {"name": "mutants", "mean": None})
    write_parts(folder, rendered, code_digest())
    rows = read_qualification(folder, rendered)
    assert [(row["line"], row["episodes"], row["mean"]) for row in rows] == [(1, "oracle", 100.0), (2, "mutants", None)]
    assert rows[0]["predecessor"] == "100"


def test_a_missing_qualification_says_what_makes_it(rendered: Path, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError) as refused:
        read_qualification(tmp_path / "qualification", rendered)
    assert str(refused.value) == (
        f"{tmp_path}/qualification/parts/erpbench-001.json: no such file; a release is qualified first:"
        " run `make qualify`"
    )


def test_a_qualification_of_other_code_is_refused(rendered: Path, tmp_path: Path) -> None:
    write_parts(tmp_path, rendered, "of yesterday")
    with pytest.raises(
        ReleaseError, match=r"erpbench-001\.json: the qualification is of another dataset than .* or of"
    ):
        check_origin(tmp_path, rendered)


def test_one_task_that_was_rendered_otherwise_since_is_found(rendered: Path, tmp_path: Path) -> None:
    write_parts(tmp_path, rendered, code_digest())
    (tmp_path / "parts" / "erpbench-042.json").write_text('{"fingerprint": "0"}', encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"erpbench-042\.json: the qualification is of another dataset"):
        check_origin(tmp_path, rendered)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([LINE, LINE | {"name": "no-op", "holds": False}], "these lines do not hold: no-op"),
        ([LINE | {"name": "replay", "holds": None}], "these lines do not hold: replay"),
        ([], "it has no lines"),
        ([{"name": "oracle"}], "not a report of a qualification: KeyError('episodes')"),
    ],
)
def test_a_qualification_that_does_not_hold_is_refused(
    lines: list[dict[str, object]], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ReleaseError) as refused:
        qualification_rows(write_report(tmp_path, *lines))
    assert message in str(refused.value)
