"""The trace: its chain, its index of reads and writes, and when calls count."""

import hashlib
import json

import pytest

from verifier.deadline import Deadline
from verifier.faults import Malformed, TooLarge, TooSlow
from verifier.tables import Row
from verifier.trace import FIRST_CHAIN, broken_link, build_trace, check_arguments, link


def row(
    idx: int, tool: str = "a.b", outcome: str = "ok", saw: object = (), wrote: object = (), arguments: str = "{}"
) -> Row:
    error = None if outcome == "ok" else "no"
    return (idx, "a", tool, arguments, outcome, error, json.dumps(saw), json.dumps(wrote), "")


def chained(*rows: Row) -> list[Row]:
    previous, found = FIRST_CHAIN, []
    for one in rows:
        previous = link(previous, one)
        found.append((*one[:-1], previous))
    return found


def test_link_is_the_digest_of_the_stored_text() -> None:
    stored = '[1,"a","a.ü","{}","refused","no","[]","[]"]'
    expected = hashlib.sha256(("0" * 64 + stored).encode()).hexdigest()
    assert link(FIRST_CHAIN, row(1, "a.ü", "refused")) == expected


def test_chain_breaks_where_a_row_was_altered() -> None:
    rows = chained(row(1), row(2), row(3))
    assert broken_link(rows) is None
    assert broken_link([rows[0], (*rows[1][:2], "x.y", *rows[1][3:]), rows[2]]) == 2
    assert broken_link([]) is None


def test_reads_and_writes_are_indexed_by_record() -> None:
    item, order = ("items", "1"), ("sales_orders", "S")
    trace = build_trace(
        [row(1, saw=[item]), row(2, "o.create", wrote=[order]), row(3, saw=[item, order]), row(4, wrote=[order])]
    )
    assert trace.saw[item] == [1, 3]
    assert (trace.first_write(order), trace.last_write(order)) == (2, 4)
    assert trace.last_write(item) is None
    assert trace.first_accepted({"o.create"}) == 2
    assert trace.first_accepted({"other"}) is None


def test_calls_that_were_not_accepted_give_no_credit() -> None:
    trace = build_trace([row(1, "o.create", "refused", saw=[["items", "1"]])])
    assert (trace.saw, trace.first_accepted({"o.create"})) == ({}, None)


@pytest.mark.parametrize(
    "rows",
    [
        [row(2)],
        [row(1), row(1)],
        [row(1, outcome="done")],
        [row(1, saw={"a": 1})],
        [row(1, saw=[["a", 1]])],
        [row(1, saw=[["a", "b", "c"]])],
        [row(1, outcome="invalid", wrote=[["a", "b"]])],
        [(1, None, "a.b", "{}", "ok", None, "[]", "[]", "")],
        [(1, "a", "a.b", "{}", "ok", 5, "[]", "[]", "")],
        [(1, "a", "a.b", "{}", "ok", None, None, "[]", "")],
    ],
)
def test_rows_of_another_shape_are_refused(rows: list[Row]) -> None:
    with pytest.raises(Malformed):
        build_trace(rows)


@pytest.mark.parametrize("arguments", ["", "[]", "null", "{", "1"])
def test_arguments_that_are_no_object_are_refused(arguments: str) -> None:
    with pytest.raises(Malformed, match="trace row 1: arguments are not a JSON object"):
        check_arguments(build_trace([row(1, arguments=arguments)]))


def test_odd_but_honest_arguments_are_kept() -> None:
    deep = '{"a": ' + "[" * 30_000 + "]" * 30_000 + "}"
    check_arguments(build_trace([row(1, arguments='{"x": NaN}'), row(2, arguments=deep)]))


def test_numbers_in_arguments_stay_as_written() -> None:
    (entry,) = build_trace([row(1, arguments='{"a": 2757.60, "b": 1e999, "c": "5"}')]).entries
    assert entry.argument_values() == {"a": "2757.60", "b": "1e999", "c": "5"}


def test_arguments_beyond_what_a_call_can_have() -> None:
    most = '{"a": "' + "x" * (65_536 - 9) + '"}'
    assert len(build_trace([row(1, arguments=most)]).entries) == 1
    with pytest.raises(TooLarge, match="arguments of 65537 characters, at most 65536"):
        build_trace([row(1, arguments=most + " ")])


def test_more_records_than_a_world_has() -> None:
    named = [["cells", f"Register!A{number}"] for number in range(20_001)]
    assert len(build_trace([row(1, saw=named[:-1]), row(2, saw=named[:-1])]).saw) == 20_000
    with pytest.raises(TooLarge, match="trace row 2: more than 20000 records are named"):
        build_trace([row(1, saw=named[:10_000]), row(2, saw=named[10_000:])])


def test_every_loop_over_the_rows_ends_at_the_deadline() -> None:
    rows = chained(*[row(number) for number in range(1, 257)])
    over = Deadline(1, iter([0.0, *[2.0] * 9]).__next__)
    for reading in (build_trace, broken_link, lambda rows, deadline: check_arguments(build_trace(rows), deadline)):
        with pytest.raises(TooSlow, match="it takes more than 1 seconds to read"):
            reading(rows, over)
