"""The data card and the Croissant file: their figures, their statements, the digests of what they list."""

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
import yaml

from generator.release.bindings import Bindings
from generator.release.card import Contents, Published, build_card, build_statements, size_category
from generator.release.croissant import build_croissant
from generator.release.parquet import read_table
from generator.release.tables import TABLES
from generator.tasks import terms
from tests.release_fixture import LINES, clean_bindings, published

__all__ = ["published"]


@pytest.fixture(scope="module")
def bindings(rendered: Path) -> Bindings:
    return clean_bindings(rendered)


@pytest.fixture(scope="module")
def contents(published: Path, bindings: Bindings) -> Contents:
    tables = tuple(Published(table, read_table(published / table.path), 7, "0" * 64) for table in TABLES)
    return Contents(bindings, "2026-11-30", tables)


@pytest.fixture(scope="module")
def card(published: Path) -> str:
    return (published / "README.md").read_text(encoding="utf-8")


def test_splits_sizes_and_files_are_declared(published: Path, card: str) -> None:
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["license"] == "cc-by-4.0"
    counts = {info["config_name"]: info["splits"][0]["num_examples"] for info in front["dataset_info"]}
    assert counts == {
        "tasks": 100,
        "assets": 460,
        "tools": 52,
        "tenants": 10,
        "qualification": len(LINES),
        "trajectories": 10,
    }
    for config, info in zip(front["configs"], front["dataset_info"], strict=True):
        (files,) = config["data_files"]
        assert (config["config_name"], files["split"]) == (info["config_name"], "test")
        assert (published / files["path"]).stat().st_size == info["download_size"]
        assert info["splits"][0]["num_bytes"] == info["dataset_size"] > 0
    assert [config["config_name"] for config in front["configs"] if config.get("default")] == ["tasks"]


def test_the_card_says_whose_solutions_are_public(card: str) -> None:
    flat = " ".join(card.split())
    shown = ", ".join(f"erpbench-{number:03d}" for number in (1, 12, 23, 34, 45, 56, 67, 78, 89, 100))
    assert f"**the solutions of these 10 tasks public**: {shown}." in flat
    assert "report the other 90 tasks beside the whole" in flat
    assert flat.index(terms.CANARY) < flat.index("**the solutions of these")


def test_the_card_has_the_qualification_and_every_column(card: str) -> None:
    assert "| oracle | 100 | every one strict, score 100 | 100 of 100 strict | 100.0 | 100 |" in card
    assert "| mutants | 13,549 | every criterion of every task killed | 3,400 of 3,400 criteria killed |  | – |" in card
    for table in TABLES:
        for column in table.columns:
            assert f"| `{column.name}` | {column.shown_type} | {column.about} |" in card
            assert all(f"| `{column.name}.{member.name}` |" in card for member in column.members)


def test_figures_follow_the_tables(contents: Contents) -> None:
    tools = next(one for one in contents.tables if one.table.name == "tools")
    fewer = dataclasses.replace(tools, rows=tools.rows[:7])
    cut = dataclasses.replace(contents, tables=tuple(fewer if one is tools else one for one in contents.tables))
    assert (
        "with 52 tools, 34 deterministic criteria a task worth 100 points" in build_statements(contents)["description"]
    )
    assert "with 7 tools," in build_card(cut)


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("What it must not be used for", ("Training", "Decisions about people. Hiring", "credit")),
        ("Personal data", ("None.", "invented")),
        ("Limits", ("English", "trajectories show the solutions")),
        ("Run it", ("harbor run -d erpbench100",)),
        ("Licence, citation, upkeep", ("CC BY 4.0", "@misc{erpbench100_", "LICENSE")),
    ],
)
def test_the_sections_that_a_card_owes(card: str, heading: str, words: tuple[str, ...]) -> None:
    section = card.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    assert [word for word in words if word not in section] == []


def test_size_categories() -> None:
    assert [size_category(rows) for rows in (999, 1_000, 10_000)] == ["n<1K", "1K<n<10K", "n>10K"]


def test_croissant_lists_every_file_with_its_digest(published: Path) -> None:
    listed = json.loads((published / "croissant.json").read_text(encoding="utf-8"))["distribution"]
    own = {"README.md", "LICENSE", "croissant.json", "manifest.json"}
    present = {p.relative_to(published).as_posix() for p in published.rglob("*") if p.is_file()}
    assert {file["contentUrl"] for file in listed} == present - own
    assert len(listed) == 460 + 10 + 6
    for file in listed:
        data = (published / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"


def test_croissant_has_a_record_set_a_table_and_the_responsible_ai_terms(contents: Contents) -> None:
    document = json.loads(build_croissant(contents, []))
    assert [record_set["@id"] for record_set in document["recordSet"]] == [table.name for table in TABLES]
    assert document["datePublished"] == "2026-11-30"
    tasks = {field["name"]: field for field in document["recordSet"][0]["field"]}
    assert tasks["tasks/points"]["dataType"] == "sc:Integer"
    assert tasks["tasks/tool_servers"]["repeated"] is True
    assert [member["name"] for member in tasks["tasks/statuses"]["subField"]] == [
        "tasks/statuses/id",
        "tasks/statuses/meaning",
    ]
    owed = {
        "rai:dataCollection",
        "rai:dataBiases",
        "rai:dataLimitations",
        "rai:dataUseCases",
        "rai:personalSensitiveInformation",
        "rai:dataAnnotationProtocol",
        "rai:dataSocialImpact",
        "rai:dataReleaseMaintenancePlan",
    }
    assert {term for term in owed if not document.get(term)} == set()
    assert document["rai:personalSensitiveInformation"].startswith("None.")
