"""registry.json and dataset.toml: the forms that Harbor reads."""

import json
import tomllib

from generator.harbor.dataset import LINT_EXCEPTIONS, DatasetEntry, dataset_toml, registry

ENTRIES = [DatasetEntry("erpbench-001", "sha256:" + "a" * 64), DatasetEntry("erpbench-002", "sha256:" + "b" * 64)]


def test_the_registry_lists_tasks_by_paths_relative_to_the_working_directory() -> None:
    (dataset,) = json.loads(registry(ENTRIES, "1.0.0", "harbor_tasks"))
    assert (dataset["name"], dataset["version"]) == ("erpbench100", "1.0.0")
    assert dataset["tasks"] == [
        {"name": "erpbench/erpbench-001", "path": "harbor_tasks/erpbench-001"},
        {"name": "erpbench/erpbench-002", "path": "harbor_tasks/erpbench-002"},
    ]
    assert dataset["metrics"] == [{"type": "mean"}]


def test_a_twin_names_its_own_folder() -> None:
    (dataset,) = json.loads(registry(ENTRIES[:1], "1.0.0", "twin"))
    assert dataset["tasks"][0]["path"] == "twin/erpbench-001"


def test_the_manifest_pins_every_task() -> None:
    manifest = tomllib.loads(dataset_toml(ENTRIES, "1.0.0"))
    assert manifest["dataset"]["name"] == "erpbench/erpbench100"
    assert manifest["dataset"]["version"] == "1.0.0"
    assert manifest["tasks"] == [
        {"name": "erpbench/erpbench-001", "digest": "sha256:" + "a" * 64},
        {"name": "erpbench/erpbench-002", "digest": "sha256:" + "b" * 64},
    ]


def test_the_manifest_sets_aside_only_the_listed_lint_rules_and_says_why() -> None:
    text = dataset_toml(ENTRIES, "1.0.0")
    assert tomllib.loads(text)["metadata"]["harbor"]["lint"] == {"ignore": ["unpinned-image"]}
    assert list(LINT_EXCEPTIONS) == ["unpinned-image"]
    assert f"# unpinned-image: {LINT_EXCEPTIONS['unpinned-image']}." in text
