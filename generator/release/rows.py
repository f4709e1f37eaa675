"""Rows of the published tables. In: a rendered dataset, the tool catalog. Out: rows of tasks, assets, tools, tenants.

Of a task directory only task.toml, instruction.md and environment/ are read: what the agent can reach. Solutions and
contracts of the verifier are never opened here.
"""

import json
import sqlite3
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.dataset import LOCK, read_lock, task_directory
from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import ReleaseError
from generator.spec.streams import RELEASE_SEED
from generator.spec.tenant import TenantProfile, read_yaml
from generator.tasks.package import FILES, SEED
from generator.tenants.load import ROOT
from generator.tenants.twin import twin_profile

CATALOG = PROJECT_ROOT / "images" / "world" / "erpbench_world" / "catalog.json"
TASKS_A_TENANT = 10
JSON_TYPES = ("integer", "number")
"""Types of the figures in an answer schema; its other members are the decision and the status."""


@dataclass(frozen=True)
class DriveFile:
    """One file of a task's drive. text is what a download returns, data the native bytes."""

    id: str
    name: str
    media_type: str
    version: int
    current: bool
    description: str
    sha256: str
    text: str
    data: bytes


@dataclass(frozen=True)
class PublishedTask:
    """What of a task may be published. package is its task.toml, view what erpbench.get_task shows."""

    task_id: str
    tenant: TenantProfile
    digest: str
    package: Mapping[str, Any]
    view: Mapping[str, Any]
    prompt: str
    files: tuple[DriveFile, ...]

    @property
    def number(self) -> int:
        return int(self.task_id.rsplit("-", 1)[1])

    @property
    def family(self) -> str:
        return str(self.package["metadata"]["family"])


def read_tasks(dataset: Path, seed: int) -> tuple[PublishedTask, ...]:
    """Every task of a rendered dataset, in order. Raises DatasetError for one that is missing or changed."""
    profiles = read_profiles(seed)
    lock = read_lock(dataset)
    return tuple(_read_task(dataset, task_id, lock[task_id], profiles) for task_id in sorted(lock))


def read_profiles(seed: int) -> list[TenantProfile]:
    """The tenants' profiles in the order of their numbers, as a dataset of the seed has them."""
    written = [read_yaml(path, TenantProfile) for path in ROOT.glob("*/profile.yaml")]
    profiles = written if seed == RELEASE_SEED else [twin_profile(profile, seed) for profile in written]
    return sorted(profiles, key=lambda profile: profile.number)


def _read_task(
    dataset: Path, task_id: str, locked: Mapping[str, Any], profiles: Sequence[TenantProfile]
) -> PublishedTask:
    folder = task_directory(dataset, task_id)
    view, files = _read_world(folder)
    package = tomllib.loads((folder / "task.toml").read_text(encoding="utf-8"))
    tenant = profiles[(int(task_id.rsplit("-", 1)[1]) - 1) // TASKS_A_TENANT]
    if (view["company"], package["metadata"]["company"]) != (tenant.company, tenant.company):
        raise ReleaseError(f"{folder}: expected a task of {tenant.company}, came one of {view['company']}")
    came = {file.name: file.sha256 for file in files}
    if came != locked["assets"]:
        raise ReleaseError(f"{folder}: the drive's files are not those of {dataset / LOCK}")
    prompt = (folder / "instruction.md").read_text(encoding="utf-8")
    return PublishedTask(task_id, tenant, locked["digest"], package, view, prompt, files)


def _read_world(folder: Path) -> tuple[dict[str, Any], tuple[DriveFile, ...]]:
    """The task contract and the drive, in the order of file names."""
    with closing(sqlite3.connect(f"{(folder / SEED).absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        ((view,),) = db.execute("SELECT view FROM contracts").fetchall()
        rows = db.execute(
            "SELECT id, name, mimeType, version, isCurrentAuthority, description, sha256, content, path"
            " FROM drive_files ORDER BY name"
        ).fetchall()
    files = (
        DriveFile(id, name, mime, version, bool(current), words, sha256, text, (folder / FILES / path).read_bytes())
        for id, name, mime, version, current, words, sha256, text, path in rows
    )
    return json.loads(view), tuple(files)


def task_rows(tasks: Sequence[PublishedTask]) -> list[dict[str, Any]]:
    return [_task_row(task) for task in tasks]


def _task_row(task: PublishedTask) -> dict[str, Any]:
    view, package = task.view, task.package
    answers = view["answer_schema"]["properties"]
    return {
        "task_id": task.task_id,
        "number": task.number,
        "tenant": task.tenant.slug,
        "family": task.family,
        "title": package["metadata"]["title"],
        **{name: view[name] for name in ("company", "as_of", "local_date", "timezone", "currency")},
        "prompt": task.prompt,
        "task_contract": json_text(view),
        "sources": [
            {
                "file_id": file.id,
                "name": file.name,
                "media_type": file.media_type,
                "version": file.version,
                "marked_current": file.current,
                "description": file.description,
                "sha256": file.sha256,
            }
            for file in task.files
        ],
        "tool_servers": [server["name"] for server in package["environment"]["mcp_servers"]],
        "write_tools": view["allowed_write_tools"],
        "answer_fields": [
            {"name": name, "type": answers[name]["type"], "definition": answers[name]["description"]}
            for name in view["answer_schema"]["required"]
            if answers[name]["type"] in JSON_TYPES
        ],
        "decision_options": view["decision_options"],
        "statuses": view["statuses"],
        "register_range": view["register"]["range"],
        "channel": view["handoff"]["post"]["channel"],
        "points": package["metadata"]["points"],
        "criteria": package["metadata"]["criteria"],
        "agent_timeout_seconds": package["agent"]["timeout_sec"],
        "harbor_task": package["task"]["name"],
        "harbor_digest": task.digest,
    }


def asset_rows(tasks: Sequence[PublishedTask]) -> list[dict[str, Any]]:
    """One row a distinct file. A file of all a tenant's tasks lies under the tenant, one of a single task under it."""
    used: dict[tuple[str, str], list[tuple[PublishedTask, DriveFile]]] = {}
    for task in tasks:
        for file in task.files:
            used.setdefault((task.tenant.slug, file.sha256), []).append((task, file))
    own = {slug: sum(task.tenant.slug == slug for task in tasks) for slug in {task.tenant.slug for task in tasks}}
    return [_asset_row(uses, shared=len(uses) == own[slug] > 1) for (slug, _), uses in used.items()]


def _asset_row(uses: Sequence[tuple[PublishedTask, DriveFile]], shared: bool) -> dict[str, Any]:
    task, file = uses[0]
    return {
        "sha256": file.sha256,
        "tenant": task.tenant.slug,
        "name": file.name,
        "path": f"files/{task.tenant.slug if shared else task.task_id}/{file.name}",
        "format": file.name.rsplit(".", 1)[1],
        "media_type": file.media_type,
        "size": len(file.data),
        "task_ids": [user.task_id for user, _ in uses],
        "text": file.text,
        "content": file.data,
    }


def tool_rows(catalog: Path = CATALOG) -> list[dict[str, Any]]:
    tools = json.loads(catalog.read_text(encoding="utf-8"))["tools"]
    return [
        {
            "name": tool["name"],
            "server": tool["server"],
            "listed_name": tool["name"].removeprefix(f"{tool['server']}.").replace(".", "_"),
            "description": tool["description"],
            "input_schema": json_text(tool["input_schema"]),
            "read_only": tool["annotations"]["readOnlyHint"],
            "destructive": tool["annotations"]["destructiveHint"],
            "idempotent": tool["annotations"]["idempotentHint"],
            "open_world": tool["annotations"]["openWorldHint"],
            "provider_operation": tool["provider_operation"] or "",
        }
        for tool in tools
    ]


def tenant_rows(tasks: Sequence[PublishedTask]) -> list[dict[str, Any]]:
    profiles = {task.tenant.slug: task.tenant for task in tasks}
    return [_tenant_row(profile, [t for t in tasks if t.tenant.slug == slug]) for slug, profile in profiles.items()]


def _tenant_row(profile: TenantProfile, tasks: Sequence[PublishedTask]) -> dict[str, Any]:
    habits = profile.habits
    return {
        **{name: getattr(profile, name) for name in ("slug", "code", "number", "company", "industry", "site")},
        **{name: getattr(profile, name) for name in ("country", "timezone", "currency")},
        "as_of": tasks[0].view["as_of"],
        "policy_format": habits.policies,
        "date_format": habits.dates,
        "decimal_comma": habits.decimal_comma,
        "csv_delimiter": habits.csv_delimiter,
        "paper": habits.paper,
        "people": [{name: getattr(p, name) for name in ("role", "name", "title", "email")} for p in profile.people],
        "items": len(profile.items),
        "customers": len(profile.customers),
        "suppliers": len(profile.suppliers),
        "files": len({file.sha256 for task in tasks for file in task.files}),
        "task_ids": [task.task_id for task in tasks],
    }


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
