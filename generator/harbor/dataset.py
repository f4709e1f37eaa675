"""The dataset's manifests for Harbor. In: the tasks with their digests. Out: registry.json, dataset.toml as text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from generator.harbor.files import toml_value

DATASET_NAME = "erpbench100"
ORGANISATION = "erpbench"
DESCRIPTION = "100 ERP tasks over ten synthetic tenants, graded by a deterministic verifier"
AUTHOR = "ERPBench-100"
KEYWORDS = ("erp", "mcp", "tool-use", "enterprise", "deterministic")

LINT_EXCEPTIONS: dict[str, str] = {
    "unpinned-image": (
        "tasks name the three shared images by version tag; `make images` builds them locally, so no registry digest "
        "exists, and a label in each image carries the digest of its inputs"
    ),
}
"""The rules of `harbor lint --extend-select ALL` that our tasks do not satisfy, each with its reason."""


@dataclass(frozen=True)
class DatasetEntry:
    """One task of the manifests: its short name (that of its directory) and its digest as Harbor computes it."""

    task_id: str
    digest: str


def registry(entries: Sequence[DatasetEntry], version: str, folder: str) -> str:
    """registry.json for `harbor run -d erpbench100 --registry-path …`: paths relative to the folder's parent."""
    dataset = {
        "name": DATASET_NAME,
        "version": version,
        "description": DESCRIPTION,
        "tasks": [
            {"name": f"{ORGANISATION}/{entry.task_id}", "path": f"{folder}/{entry.task_id}"} for entry in entries
        ],
        "metrics": [{"type": "mean"}],
    }
    return json.dumps([dataset], ensure_ascii=False, indent=2) + "\n"


def dataset_toml(entries: Sequence[DatasetEntry], version: str) -> str:
    """dataset.toml with the tasks' digests, as `harbor sync` would set them, and the lint rules set aside."""
    lines = ["[dataset]"]
    lines += [
        f"name = {toml_value(f'{ORGANISATION}/{DATASET_NAME}')}",
        f"version = {toml_value(version)}",
        f"description = {toml_value(DESCRIPTION)}",
        f"authors = [{{ name = {toml_value(AUTHOR)} }}]",
        f"keywords = {toml_value(KEYWORDS)}",
        "",
        "[metadata.harbor.lint]",
    ]
    lines += [f"# {rule}: {reason}." for rule, reason in LINT_EXCEPTIONS.items()]
    lines.append(f"ignore = {toml_value(tuple(LINT_EXCEPTIONS))}")
    for entry in entries:
        name = toml_value(f"{ORGANISATION}/{entry.task_id}")
        lines += ["", "[[tasks]]", f"name = {name}", f"digest = {toml_value(entry.digest)}"]
    return "\n".join(lines) + "\n"
