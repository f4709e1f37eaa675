"""The targets by name. Each is made by a function without arguments and takes bytes."""

from collections.abc import Callable

from tests.fuzz import evidence_targets, text_targets
from tests.fuzz.text_targets import Target

TARGETS: dict[str, Callable[[], Target]] = {
    "numbers": text_targets.numbers,
    "sentences": text_targets.sentences,
    "json": text_targets.json_texts,
    "pages": evidence_targets.pages,
    "rows": evidence_targets.rows,
    "manifests": evidence_targets.manifests,
    "submissions": evidence_targets.submissions,
}
