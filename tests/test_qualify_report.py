"""Reports: the same bytes from the same results, the README's table between its marks, the picture by its points."""

from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

from generator.qualify.chart import score_chart
from generator.qualify.report import kill_matrix, table_text, write_readme, write_reports
from generator.qualify.results import EpisodeResult, MutantResult, TaskResult
from generator.qualify.verdicts import Line, lines
from generator.spec.errors import DatasetError


def result(number: int) -> TaskResult:
    return TaskResult(
        fingerprint="",
        task_id=f"erpbench-{number:03d}",
        family="order_import",
        tenant="northbridge",
        episodes=(
            EpisodeResult(kind="oracle", score=100, strict=True, predicted=(), calls=28),
            EpisodeResult(kind="retrier", score=97, failed=(33,), predicted=(33,)),
        ),
        mutants=(
            MutantResult(criterion=9, kind="not read", killed=True),
            MutantResult(criterion=9, kind="not read", killed=number == 1),
        ),
    )


RESULTS = [result(1), result(2)]
LINE = Line("wrong-source", 157, "0 strict, at most 62 each", "0 strict, 27 to 62", True, 45.23, "88.0")


def test_reports_are_the_same_bytes_whatever_order_tasks_come_in(tmp_path: Path) -> None:
    found = lines(RESULTS)
    write_reports(RESULTS, found, tmp_path / "one")
    write_reports(RESULTS, found, tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["episodes.parquet", "mutants.parquet", "qualification.json", "qualification.md", "scores.svg"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    write_reports(RESULTS[::-1], found, tmp_path / "three")
    for name in ("episodes.parquet", "mutants.parquet"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "three" / name).read_bytes()


def test_parquet_holds_a_row_an_episode_in_order(tmp_path: Path) -> None:
    write_reports(RESULTS, lines(RESULTS), tmp_path)
    query = f"SELECT task_id, kind, score, strict, failed, predicted FROM '{tmp_path / 'episodes.parquet'}'"
    assert duckdb.sql(query).fetchall() == [
        ("erpbench-001", "oracle", 100, True, [], []),
        ("erpbench-001", "retrier", 97, False, [33], [33]),
        ("erpbench-002", "oracle", 100, True, [], []),
        ("erpbench-002", "retrier", 97, False, [33], [33]),
    ]


def test_the_kill_matrix_counts_by_criterion_and_kind() -> None:
    assert kill_matrix(RESULTS) == {(9, "not read"): (3, 4)}


def test_the_report_tells_what_failed(tmp_path: Path) -> None:
    write_reports(RESULTS, lines(RESULTS), tmp_path)
    text = (tmp_path / "qualification.md").read_text(encoding="utf-8")
    assert "- mutants: erpbench-002, order_import: not read survives criterion 9" in text
    assert "| 9 | not read | 3 | 4 |" in text
    assert "| 1 to 34 | all | 3 | 4 |" in text


def test_the_table_has_the_other_benchmarks_figure_beside_ours() -> None:
    row = table_text([LINE]).splitlines()[2]
    assert row == "| wrong-source | 157 | 0 strict, at most 62 each | 0 strict, 27 to 62 | 45.2 | 88.0 |"


def test_the_readme_keeps_all_but_what_stands_between_the_marks(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- qualification -->\nold\n<!-- /qualification -->\nafter\n", encoding="utf-8")
    write_readme([LINE], readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- qualification -->\n| episodes | n |")
    assert text.endswith("| 88.0 |\n<!-- /qualification -->\nafter\n")
    assert "old" not in text
    write_readme([LINE], readme)
    assert readme.read_text(encoding="utf-8") == text
    readme.write_text("no marks", encoding="utf-8")
    with pytest.raises(DatasetError, match="found no such marks"):
        write_readme([LINE], readme)


def test_the_picture_has_a_disc_a_score_and_a_stroke_at_the_bound() -> None:
    root = ElementTree.fromstring(score_chart({"wrong-source": [62, 62, 62, 27], "retrier": [97]}))
    space = "{http://www.w3.org/2000/svg}"
    discs = root.findall(f"{space}circle")
    # 0 to 100 points span 190 to 810.
    assert [(disc.get("cx"), disc.findtext(f"{space}title")) for disc in discs] == [
        ("357.4", "wrong-source: 1 at 27"),
        ("574.4", "wrong-source: 3 at 62"),
        ("791.4", "retrier: 1 at 97"),
    ]
    strokes = [line.get("x1") for line in root.findall(f"{space}line") if line.get("stroke") == "#b3261e"]
    assert strokes == ["574.4"]
    assert [text.text for text in root.findall(f"{space}text")][-2:] == ["wrong-source", "retrier"]
