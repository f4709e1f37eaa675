"""Which document is in force: the precedence of the source map, rule by rule."""

import datetime as dt

from generator.spec.source import Contradiction, Memo, Source, in_force

DAY = dt.date(2026, 2, 9)


def document(id: str, edition: int = 1, issued: str = "2026-01-05", **more: object) -> Source:
    return Source(
        id=id,
        subject="price_list",
        memo_name="",
        owner="pricing",
        issued=dt.date.fromisoformat(issued),
        edition=edition,
        **more,  # type: ignore[arg-type]
    )


def memo(*names: str, dated: str = "2026-02-01") -> Memo:
    return Memo("MEMO", dt.date.fromisoformat(dated), names)


def test_the_memo_beats_a_higher_edition() -> None:
    old, new = document("OLD", 1), document("NEW", 2)
    assert in_force("price_list", DAY, [old, new], [memo("OLD")], []) is old


def test_the_latest_memo_that_names_the_subject_counts_and_none_after_the_day() -> None:
    old, new = document("OLD"), document("NEW")
    memos = [memo("OLD", dated="2026-02-01"), memo("NEW", dated="2026-02-05"), memo("OLD", dated="2026-02-10")]
    assert in_force("price_list", DAY, [old, new], memos, []) is new


def test_a_later_document_that_names_what_it_replaces_beats_the_memo() -> None:
    old = document("OLD")
    new = document("NEW", issued="2026-02-06", replaces="OLD")
    assert in_force("price_list", DAY, [old, new], [memo("OLD")], []) is new


def test_a_named_document_that_is_unsigned_is_a_contradiction() -> None:
    unsigned = document("DRAFT", status="unsigned")
    assert in_force("price_list", DAY, [unsigned], [memo("DRAFT")], []) == Contradiction("price_list", ("DRAFT",))


def test_without_a_memo_the_map_decides_among_candidates_only() -> None:
    lapsed = document("LAPSED", effective_to=dt.date(2025, 12, 31))
    current, other = document("CURRENT"), document("OTHER")
    assert in_force("price_list", DAY, [lapsed, current, other], [], ["LAPSED", "CURRENT"]) is current


def test_without_memo_and_map_the_edition_then_the_dates_decide() -> None:
    first, second = document("FIRST", 1, issued="2026-02-01"), document("SECOND", 2, issued="2026-01-01")
    assert in_force("price_list", DAY, [first, second], [], []) is second
    later = document("LATER", 2, issued="2026-01-02")
    assert in_force("price_list", DAY, [second, later], [], []) is later


def test_a_tie_is_a_contradiction_and_drive_hints_do_not_break_it() -> None:
    flagged, newer_file = document("A", drive_flag=True), document("B", drive_flag=False, drive_version=9)
    assert in_force("price_list", DAY, [flagged, newer_file], [], []) == Contradiction("price_list", ("A", "B"))


def test_a_document_covers_its_first_and_its_last_day() -> None:
    bounded = document("X", effective_from=dt.date(2026, 2, 9), effective_to=dt.date(2026, 2, 9))
    assert bounded.covers(DAY)
    assert not bounded.covers(dt.date(2026, 2, 8))
    assert not bounded.covers(dt.date(2026, 2, 10))
