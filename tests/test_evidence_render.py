"""The entry to the writers, and the same bytes in whatever surroundings."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.evidence.model import Csv, Document, Table
from generator.evidence.render import render
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import MODIFIED, OFFICE, ORDER, POLISH, SAMPLE, document, sample

ROOT = Path(__file__).parents[1]
DIGESTS = (
    "from tests.test_evidence_sample import SAMPLE, OFFICE, POLISH\n"
    "from generator.evidence.render import render\n"
    "for style in (OFFICE, POLISH):\n"
    "    for item in SAMPLE:\n"
    "        print(item.name, render(item, style).sha256)\n"
)
SURROUNDINGS: tuple[dict[str, str], ...] = (
    {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "1", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"},
    {"TZ": "America/St_Johns", "PYTHONHASHSEED": "2024", "LANG": "C", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "86400"},
)


def digests(variables: dict[str, str]) -> str:
    """The digests that a fresh process with the variables prints."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'images/world'}", **variables}
    done = subprocess.run(
        [sys.executable, "-c", DIGESTS], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_bytes_are_the_same_in_every_zone_locale_and_hash_seed() -> None:
    here = "".join(
        f"{item.name} {render(item, style).sha256}\n" for style in (OFFICE, POLISH) for item in SAMPLE
    )
    for variables in SURROUNDINGS:
        assert digests(variables) == here


def test_a_document_does_not_depend_on_those_rendered_before() -> None:
    alone = {item.name: render(item, POLISH).sha256 for item in SAMPLE}
    for item in reversed(SAMPLE):
        render(item, OFFICE)
        assert render(item, POLISH).sha256 == alone[item.name]


def test_digest_is_that_of_the_bytes() -> None:
    rendered = render(sample("order.csv"), OFFICE)
    assert rendered.sha256 == hashlib.sha256(rendered.data).hexdigest()
    assert rendered.document is sample("order.csv")


def test_a_changed_cell_changes_the_bytes() -> None:
    changed = Table(ORDER.columns, ((*ORDER.rows[0][:4], 1201, *ORDER.rows[0][5:]), *ORDER.rows[1:]))
    assert render(document("order.csv", Csv(changed)), OFFICE).sha256 != render(sample("order.csv"), OFFICE).sha256


@pytest.mark.parametrize("name", ["order.pdf", "order.exe", "order"])
def test_suffix_and_body_have_to_agree(name: str) -> None:
    with pytest.raises(EvidenceError, match=r"expected a body that fits the suffix .*, came Csv"):
        render(document(name, Csv(ORDER)), OFFICE)


@pytest.mark.parametrize("name", ["order.xlsx", "policy.docx", "count.pdf"])
def test_a_date_without_a_zone_is_refused(name: str) -> None:
    item = sample(name)
    naive = Document(item.id, name, item.body, "", item.author, item.owner, MODIFIED.replace(tzinfo=None))
    with pytest.raises(EvidenceError, match="expected a date and time with its zone"):
        render(naive, OFFICE)


@pytest.mark.parametrize(("name", "limit"), [("order.xlsx", 12_000), ("policy.docx", 40_000), ("count.pdf", 70_000)])
def test_sizes(name: str, limit: int) -> None:
    assert len(render(sample(name), POLISH).data) < limit
