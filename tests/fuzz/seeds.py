"""What each target's corpus starts with: an input of every kind that the target tells apart."""

import json

from tests.contract_fixture import ANSWERS, BODY, TASK

FIGURES = ("5", "2757.60", "2,757.60", "2.757,60", "1'234.5", "5,3,3160", ".5", "1,234,567.89", "0815", "2.7.1")
TEXTS = (
    BODY,
    "accepted lines: 3\nrejected lines: 5\norder total: 2 757,60",
    "not 5, isn't 3, no longer 2; ~~6~~ <s>7</s> <!-- 8 --> <p style='color:white'>9</p>",
    "5 February 2026, 09:30 UTC, 3-of-8, 01-order-batch, v2.1, (40.00), \u221240",
    "ѕtор \uff33\uff34\uff2f\uff30 st\u00f3p s\u200bt",
)
MANIFEST = {
    "schema_version": 1, "task_id": TASK, "sha256": "0" * 64, "bytes": 225280, "trace_rows": 27, "trace_head": "0" * 64,
    "world_version": "1.0.0",
}  # fmt: skip
JSON_TEXTS = (
    json.dumps(ANSWERS), '["a", "b", 5, 5.0, 1e3, true, null]', '"2,757.60 EUR"', "NaN", "[[[[5]]]]",
    "1e999999999999999999",
)  # fmt: skip
# Patches as evidence_targets.pages reads them: page, place, length less one, bytes.
PATCHES = (
    bytes((0, 0, 0, 28, 3)) + b"\xff\xff\xff\xff",
    bytes((0, 52, 0x80, 0, 0)) + b"\x05",
    bytes((0, 41, 0x80, 3, 1)) + b"\xff\xff" + bytes((0, 49, 0x80, 5, 1)) + b"\x00\x01",
)
CELLS = (
    bytes((1, 0)) + b"erpbench",
    bytes((11, 3)) + b'[["mail", "MSG-1"]]',
    bytes((13, 3)) + b'[["posts", "POST-erpbench-001"]]',
    bytes((5, 3)) + b'{"a": [1.5]}',
    bytes((0, 0)) + b'["FILE-NBR-ORDER-BATCH-0209"]',
    bytes((4, 0)) + json.dumps(ANSWERS).encode(),
    bytes((6, 0)) + b'"2,757.60"',
    bytes((8, 0)) + BODY.encode(),
)
SEEDS: dict[str, tuple[bytes, ...]] = {
    "numbers": tuple(text.encode() for text in FIGURES),
    "sentences": tuple(text.encode() for text in TEXTS),
    "json": tuple(text.encode() for text in JSON_TEXTS),
    "pages": PATCHES,
    "rows": CELLS,
    "manifests": (json.dumps(MANIFEST).encode(), b"{}", b"[1]", b"\xff"),
    "submissions": tuple(text.encode() for text in JSON_TEXTS),
}
