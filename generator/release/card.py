"""The data card README.md with its YAML, and the statements that it shares with the Croissant file. In: what a release
holds. Out: text; every figure in it is counted from the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.harbor.dataset import DATASET_NAME, ORGANISATION
from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import Bindings
from generator.release.columns import PublishedTable, Row, arrow_bytes, feature
from generator.tasks import terms

TEMPLATES = PROJECT_ROOT / "templates" / "release"
CARD = "huggingface.md.j2"
STATEMENTS = "statements.yaml.j2"
TITLE = "ERPBench-100"
REPOSITORY = f"{ORGANISATION}/{DATASET_NAME}"
"""Where the dataset is meant to be published; the same name as in Harbor."""

SPLIT = "test"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"))


@dataclass(frozen=True)
class Published:
    """A table with its rows and the size of its Parquet file."""

    table: PublishedTable
    rows: Sequence[Row]
    size: int
    sha256: str


@dataclass(frozen=True)
class Contents:
    """What the card and the Croissant file speak of. published is the date of the commit, ISO."""

    bindings: Bindings
    published: str
    tables: tuple[Published, ...]

    def rows(self, name: str) -> Sequence[Row]:
        return next(one.rows for one in self.tables if one.table.name == name)


def build_card(contents: Contents) -> str:
    figures = counted(contents)
    tables = [
        {
            "name": one.table.name,
            "about": one.table.about,
            "path": one.table.path,
            "order": one.table.order,
            "columns": one.table.columns,
            "rows": len(one.rows),
        }
        for one in contents.tables
    ]
    return (
        templates()
        .get_template(CARD)
        .render(
            **figures,
            title=TITLE,
            repository=REPOSITORY,
            canary=terms.CANARY,
            bindings=contents.bindings,
            front=yaml.safe_dump(front_matter(contents), sort_keys=False, allow_unicode=True),
            said=build_statements(contents),
            citation=citation(contents),
            qualification=contents.rows("qualification"),
            tables=tables,
        )
    )


def build_statements(contents: Contents) -> dict[str, Any]:
    """What is said of the dataset, by key: description, made, checked, uses, not_uses, limits, biases, personal, …"""
    text = templates().get_template(STATEMENTS).render(**counted(contents))
    said: dict[str, Any] = yaml.safe_load(text)
    return said


def counted(contents: Contents) -> dict[str, Any]:
    """The figures that card and statements name, counted from the rows."""
    tasks, assets, tools = contents.rows("tasks"), contents.rows("assets"), contents.rows("tools")
    shared = [row for row in assets if row["path"].split("/")[1] == row["tenant"]]
    tenants = contents.rows("tenants")
    return {
        "tasks": len(tasks),
        "tenants": len(tenants),
        "families": len({row["family"] for row in tasks}),
        "tools": len(tools),
        "servers": len({row["server"] for row in tools}),
        "criteria": _common(tasks, "criteria"),
        "points": _common(tasks, "points"),
        "assets": len(assets),
        "files_a_task": len(tasks[0]["sources"]),
        "shared_files": len(shared) // len(tenants),
        "formats": sorted({row["format"] for row in assets}),
        "shown": [row["task_id"] for row in contents.rows("trajectories")],
        "first": tasks[0]["task_id"],
    }


def _common(rows: Sequence[Row], name: str) -> Any:
    """The value that all rows share; the card would say something wrong of some task otherwise."""
    (value,) = {row[name] for row in rows}
    return value


def front_matter(contents: Contents) -> dict[str, Any]:
    """The card's YAML: what the hub and `datasets` read."""
    return {
        "license": "cc-by-4.0",
        "language": ["en"],
        "pretty_name": TITLE,
        "size_categories": [size_category(sum(len(one.rows) for one in contents.tables))],
        "task_categories": ["other"],
        "tags": ["agent", "benchmark", "erp", "mcp", "tool-use", "harbor", "synthetic"],
        "annotations_creators": ["machine-generated"],
        "source_datasets": ["original"],
        "configs": [
            {
                "config_name": one.table.name,
                **({"default": True} if number == 0 else {}),
                "data_files": [{"split": SPLIT, "path": one.table.path}],
            }
            for number, one in enumerate(contents.tables)
        ],
        "dataset_info": [dataset_info(one) for one in contents.tables],
    }


def dataset_info(one: Published) -> dict[str, Any]:
    size = arrow_bytes(one.table, one.rows)
    return {
        "config_name": one.table.name,
        "features": [feature(column) for column in one.table.columns],
        "splits": [{"name": SPLIT, "num_bytes": size, "num_examples": len(one.rows)}],
        "download_size": one.size,
        "dataset_size": size,
    }


def size_category(rows: int) -> str:
    """
    >>> size_category(100)
    'n<1K'
    """
    return next((name for limit, name in SIZES if rows < limit), "n>10K")


def citation(contents: Contents) -> str:
    year = contents.published[:4]
    fields: Mapping[str, str] = {
        "title": f"{TITLE}: agent tasks over synthetic ERP tenants with a deterministic verifier",
        "author": f"{{{TITLE} contributors}}",
        "year": year,
        "version": contents.bindings.version,
        "note": f"Commit {contents.bindings.commit}",
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{erpbench100_{year},\n{lines}\n}}"


def templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
