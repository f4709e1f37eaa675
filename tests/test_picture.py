"""Pictures of a task: well-formed, with the right figures and colours; those in docs/ are of this release."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from generator.qualify.picture import PICTURES, criteria_picture, outcomes_picture, write_pictures
from generator.spec.case import Case

ROOT = Path(__file__).parents[1]
NAMESPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[tuple[str, str]]:
    """Each line of text with its colour."""
    return [(text.text or "", text.get("fill", "")) for text in ElementTree.fromstring(svg).iter(f"{NAMESPACE}text")]


def test_what_differs_from_gold_is_red(case_001: Case) -> None:
    found = texts(outcomes_picture(case_001))
    assert ("2757.60", "#1f2933") in found
    assert ("2617.80", "#b42318") in found  # with the superseded price list


def test_every_criterion_has_its_points(case_001: Case) -> None:
    found = [text for text, _ in texts(criteria_picture(case_001))]
    assert found[0] == "erpbench-001: 34 criteria, 100 points"
    assert [text for text in found if text.isdigit()][:4] == ["1", "1", "2", "1"]  # number and points, twice
    assert sum(text == "discovery" for text in found) == 15


def test_nothing_is_cut_off(case_001: Case) -> None:
    for draw in PICTURES.values():
        root = ElementTree.fromstring(draw(case_001))
        _, _, width, height = map(float, root.get("viewBox", "").split())
        lowest = max(float(text.get("y", "0")) for text in root.iter(f"{NAMESPACE}text"))
        assert (width, lowest < height) == (1180, True)


def test_the_pictures_in_docs_are_of_this_release(case_001: Case, tmp_path: Path) -> None:
    for path in write_pictures(case_001, tmp_path):
        assert path.read_bytes() == (ROOT / "docs" / path.name).read_bytes(), f"docs/{path.name}: draw it again"
