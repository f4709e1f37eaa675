"""Ranges in A1 notation."""

import pytest
from erpbench_world import a1
from erpbench_world.a1 import Area, area
from erpbench_world.errors import InvalidArguments
from hypothesis import given
from hypothesis import strategies as st

SIZES = {"Register": (60, 8), "Price log": (20, 3), "It's": (5, 2)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Register!A1:H40", Area("Register", 1, 1, 40, 8)),
        ("register!$a$1:$h$40", Area("Register", 1, 1, 40, 8)),
        ("Register!H40:A1", Area("Register", 1, 1, 40, 8)),
        ("Register!B7", Area("Register", 7, 2, 7, 2)),
        ("Register", Area("Register", 1, 1, 60, 8)),
        ("Register!A:H", Area("Register", 1, 1, 60, 8)),
        ("Register!C:B", Area("Register", 1, 2, 60, 3)),
        ("Register!2:5", Area("Register", 2, 1, 5, 8)),
        ("Register!A5:H", Area("Register", 5, 1, 60, 8)),
        ("Register!A1:H99", Area("Register", 1, 1, 99, 8)),
        ("'Price log'!A2", Area("Price log", 2, 1, 2, 1)),
        ("Price log!A2", Area("Price log", 2, 1, 2, 1)),
        ("'It''s'!A1", Area("It's", 1, 1, 1, 1)),
    ],
)
def test_ranges(text: str, expected: Area) -> None:
    assert area(text, SIZES) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A1:H40", "range: expected a tab and cells such as Register!A1:H40, came \"A1:H40\"; the tabs are Register, "
         "'Price log', 'It''s'"),
        ("Nope!A1", "range: expected a tab and cells"),
        ("Register!A", 'range: expected cells such as A1:H40, came "A"'),
        ("Register!", 'range: expected cells such as A1:H40, came ""'),
        ("Register!A1:", 'range: expected cells such as A1:H40, came "A1:"'),
        ("Register!A:5", 'range: expected cells such as A1:H40, came "A:5"'),
        ("Register!A0", 'range: expected rows from 1, came "A0"'),
        ("Register!A1:B2:C3", "range: expected cells"),
        ("Register!AAAA1", "range: expected cells"),
        ("Register!A61", 'range: "Register!A61" lies outside of Register, which is A1:H60'),
        ("Register!I1", 'range: "Register!I1" lies outside of Register, which is A1:H60'),
    ],
)  # fmt: skip
def test_what_is_no_range(text: str, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        area(text, SIZES)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("column", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (703, "AAA")])
def test_columns(column: int, name: str) -> None:
    assert a1.letters(column) == name
    assert a1.number(name.lower()) == column


def test_an_area_is_written_as_a_range_and_a_cell_by_its_key() -> None:
    assert str(Area("Register", 21, 1, 21, 8)) == "Register!A21:H21"
    assert str(Area("Price log", 2, 2, 2, 2)) == "'Price log'!B2"
    assert a1.cell("Price log", 2, 2) == "Price log!B2"
    assert (Area("Register", 2, 3, 5, 8).height, Area("Register", 2, 3, 5, 8).width) == (4, 6)


@given(st.integers(1, 60), st.integers(1, 8), st.integers(1, 60), st.integers(1, 8))
def test_a_written_area_reads_back(top: int, left: int, bottom: int, right: int) -> None:
    one = Area("Register", min(top, bottom), min(left, right), max(top, bottom), max(left, right))
    assert area(str(one), SIZES) == one
