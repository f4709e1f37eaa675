"""Which modules of the verifier are mutated, and the tests that have to notice.

Tests of the module's own, not those of whole gradings: these would kill more, but run fifty times as long, and a value
that only a whole grading pins down is not pinned down where a reader looks for it.
"""

MODULES: dict[str, tuple[str, ...]] = {
    "figures": ("test_verifier_figures.py", "test_verifier_text.py", "test_verifier_text_numbers.py"),
    "text": ("test_verifier_text.py", "test_verifier_text_numbers.py"),
    "lookalikes": ("test_verifier_lookalikes.py",),
    "visible": ("test_verifier_visible.py",),
    "exchanged": ("test_verifier_exchanged.py",),
    "jsontext": ("test_verifier_jsontext.py",),
    "matchers": ("test_verifier_matchers.py",),
    "criteria": ("test_verifier_criteria.py", "test_verifier_grading.py"),
    "handoffs": ("test_verifier_handoffs.py",),
    "evidence": ("test_verifier_evidence.py", "test_verifier_evidence_trace.py", "test_verifier_evidence_words.py"),
}
SHARED = ("play_fixture.py", "contract_fixture.py", "attack_table.py", "attack/forgery.py")
"""What these tests import beside themselves."""
