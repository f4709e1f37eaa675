"""Fuzzing of numbers, free text and JSON: what must hold for any input.

In: bytes. Out: nothing; AssertionError (or any other exception) where the verifier breaks its word. Each target is
made by a function without arguments, so that what it needs is made once.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tests.fuzz import model
from verifier import figures, jsontext
from verifier.exchanged import exchanged_figures
from verifier.listings import arguments_text
from verifier.lookalikes import fold
from verifier.matchers import matches
from verifier.text import tokenise
from verifier.visible import stated_text

Target = Callable[[bytes], None]
FIGURE_CHARACTERS = "0123456789.,'05.,,''"
ANSWERS = {"accepted_lines": Decimal(5), "rejected_lines": Decimal(3), "order_total": Decimal("2757.60")}
MATCHERS: tuple[Any, ...] = (
    5, "5", True, None, "$primary", {"number": "5"}, {"number": "2.5", "tolerance": "0.1"}, {"in": [5, "a"]},
    {"has": ["a"]}, {"min": 1, "known_sources": ["a"]}, {"addresses": ["a@b.example"]}, {"min_words": 2},
    {"money": "5"},
)  # fmt: skip


def numbers() -> Target:
    """A run of digits and marks has the readings of the slow model, alone, in a sentence and in a sheet's cell."""

    def check(data: bytes) -> None:
        run = "".join(FIGURE_CHARACTERS[byte % len(FIGURE_CHARACTERS)] for byte in data[:48])
        if not well_formed(run):
            return
        expected = model.readings(run)
        assert figures.readings(run) == expected, (run, figures.readings(run), expected)
        assert 1 <= figures.count(run) <= 1 + run.count(",")
        whole = figures.cell_readings(run)
        assert whole == model.as_one(run) or len(run) > model.LONGEST, (run, whole)

    return check


def well_formed(run: str) -> bool:
    """Whether the tokeniser would take the run as one: digits with single marks between, or a full stop before all."""
    if run[:1] == ".":
        return model.digits(run[1:])
    return all(model.digits(part) for part in run.replace(",", ".").replace("'", ".").split("."))


def sentences() -> Target:
    """Any text: what is affirmed is among the numbers, folding and hiding are stable, names are found or not."""

    def check(data: bytes) -> None:
        raw = data.decode("utf-8", errors="replace")
        text = tokenise(raw)
        assert text.affirmed <= text.numbers
        assert all(value.is_finite() for value in text.numbers)
        assert all(token.text for token in text.tokens)
        assert 0 <= text.count <= len(raw)
        folded = fold(raw)
        assert not folded.isascii() or fold(folded) == folded
        shown = stated_text(raw)
        assert len(shown) <= len(raw) + 2
        exchanged = exchanged_figures(raw, ANSWERS)
        assert len(exchanged) != 1
        assert set(exchanged) <= set(ANSWERS)
        # Nothing that the text says becomes false by what is said after it in a sentence of its own.
        more = tokenise(raw + "\n;\nZ")
        assert more.tokens[:-1] == text.tokens, raw

    return check


def json_texts() -> Target:
    """Any stored JSON: read like the standard library reads it, matched with a yes or no, and shown as JSON again."""

    def check(data: bytes) -> None:
        raw = data.decode("utf-8", errors="replace")
        try:
            known, value = True, json.loads(raw, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError):
            known, value = False, None
        try:
            jsontext.parse(raw)
            read = True
        except ValueError:
            read = False
        assert read == known, raw
        if known:
            assert jsontext.outline(raw) == value
            json.dumps(jsontext.plain(jsontext.parse(raw)), allow_nan=False)
        json.loads(arguments_text(raw))
        for matcher in MATCHERS:
            assert matches({"json": matcher}, raw, "P-1") in (True, False)
            assert matches(matcher, raw, "P-1") in (True, False)
            assert not matches({"json": matcher}, raw, None) or known

    return check
