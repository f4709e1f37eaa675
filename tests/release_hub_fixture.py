"""A stand-in for the hub on loopback: what a push and a download of a dataset repository ask for, kept in memory."""

import asyncio
import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

APART = (".parquet", ".xlsx", ".docx", ".pdf")
"""Endings of what the stand-in stores apart, as the hub does with binary files."""


@dataclass
class Repository:
    private: bool
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=lambda: [hashlib.sha1(b"empty").hexdigest()])


@dataclass
class Hub:
    """token: the only one that is accepted. received: digest of every stored upload in order, repeats included.
    stall_after: uploads after which the next one is left hanging; stalled is set once that has happened."""

    token: str
    url: str = ""
    stall_after: int | None = None
    repositories: dict[str, Repository] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    received: list[str] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)

    def app(self) -> Starlette:
        repo = "/{org}/{name}"
        return Starlette(
            routes=[
                Route("/api/repos/create", self._create, methods=["POST"]),
                Route("/api/validate-yaml", self._validate_yaml, methods=["POST"]),
                Route(f"/api/datasets{repo}", self._info),
                Route(f"/api/datasets{repo}/revision/{{revision}}", self._info),
                Route(f"/api/datasets{repo}/tree/{{revision}}", self._tree),
                Route(f"/api/datasets{repo}/tree/{{revision}}/{{path:path}}", self._tree),
                Route(f"/api/datasets{repo}/paths-info/{{revision}}", self._paths_info, methods=["POST"]),
                Route(f"/api/datasets{repo}/preupload/{{revision}}", self._preupload, methods=["POST"]),
                Route(f"/api/datasets{repo}/commit/{{revision}}", self._commit, methods=["POST"]),
                Route(f"/datasets{repo}.git/info/lfs/objects/batch", self._batch, methods=["POST"]),
                Route("/objects/{oid}", self._store, methods=["PUT"]),
                Route(f"/datasets{repo}/resolve/{{revision}}/{{path:path}}", self._resolve, methods=["GET", "HEAD"]),
            ]
        )

    def _refusal(self, request: Request) -> Response | None:
        given = request.headers.get("authorization")
        return None if given == f"Bearer {self.token}" else _error(401, "Invalid username or password.")

    def _repository(self, request: Request) -> Repository | None:
        name = f"{request.path_params['org']}/{request.path_params['name'].removesuffix('.git')}"
        return self.repositories.get(name)

    async def _create(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        asked = await request.json()
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.repositories:
            return _error(409, "You already created this dataset repo", {"url": f"{self.url}/datasets/{name}"})
        self.repositories[name] = Repository(asked.get("visibility") == "private")
        return JSONResponse({"url": f"{self.url}/datasets/{name}", "name": name})

    async def _validate_yaml(self, request: Request) -> Response:
        asked = await request.json()
        good = asked["content"].startswith("---\nlicense: ")
        return JSONResponse({"errors": [], "warnings": []} if good else {"errors": [{"message": "no licence"}]})

    async def _info(self, request: Request) -> Response:
        repository = self._repository(request)
        if repository is None:
            return _error(404, "Repository not found", code="RepoNotFound")
        name = f"{request.path_params['org']}/{request.path_params['name']}"
        siblings = [{"rfilename": path} for path in sorted(repository.files)]
        told = {"_id": "0", "id": name, "sha": repository.commits[-1], "private": repository.private}
        return JSONResponse({**told, "disabled": False, "downloads": 0, "likes": 0, "tags": [], "siblings": siblings})

    async def _tree(self, request: Request) -> Response:
        repository = self._repository(request)
        if repository is None:
            return _error(404, "Repository not found", code="RepoNotFound")
        folder = request.path_params.get("path", "")
        under = f"{folder}/" if folder else ""
        found = {path: data for path, data in repository.files.items() if path.startswith(under)}
        if request.query_params.get("recursive", "").lower() in ("true", "1"):
            return JSONResponse([_entry(path, data) for path, data in sorted(found.items())])
        here = sorted({under + path.removeprefix(under).split("/")[0] for path in found})
        return JSONResponse([_entry(path, found.get(path)) for path in here])

    async def _paths_info(self, request: Request) -> Response:
        repository = self._repository(request)
        if repository is None:
            return _error(404, "Repository not found", code="RepoNotFound")
        asked = (await request.json())["paths"]
        folders = {path for path in asked if any(name.startswith(f"{path}/") for name in repository.files)}
        known = [path for path in asked if path in repository.files or path in folders]
        return JSONResponse([_entry(path, repository.files.get(path)) for path in known])

    async def _preupload(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        asked = await request.json()
        modes = [
            {
                "path": file["path"],
                "uploadMode": "lfs" if file["path"].endswith(APART) else "regular",
                "shouldIgnore": False,
            }
            for file in asked["files"]
        ]
        return JSONResponse({"files": modes})

    async def _batch(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        objects = []
        for one in (await request.json())["objects"]:
            action = {"actions": {"upload": {"href": f"{self.url}/objects/{one['oid']}"}}}
            objects.append({**one, **({} if one["oid"] in self.objects else action)})
        return JSONResponse({"transfer": "basic", "objects": objects})

    async def _store(self, request: Request) -> Response:
        data = await request.body()
        if self.stall_after is not None and len(self.received) >= self.stall_after:
            self.stalled.set()
            while not (self.stopping.is_set() or await request.is_disconnected()):
                await asyncio.sleep(0.02)
            return _error(503, "stopped")
        oid = request.path_params["oid"]
        if hashlib.sha256(data).hexdigest() != oid:
            return _error(400, "not the object that was announced")
        self.objects[oid] = data
        self.received.append(oid)
        return Response()

    async def _commit(self, request: Request) -> Response:
        repository = self._repository(request)
        if refusal := self._refusal(request):
            return refusal
        if repository is None:
            return _error(404, "Repository not found", code="RepoNotFound")
        for line in (await request.body()).splitlines():
            change = json.loads(line)
            kind, value = change["key"], change["value"]
            if kind == "file":
                repository.files[value["path"]] = base64.b64decode(value["content"])
            elif kind == "lfsFile":
                repository.files[value["path"]] = self.objects[value["oid"]]
            elif kind == "deletedFile":
                del repository.files[value["path"]]
        oid = hashlib.sha1(repr(sorted(repository.files.items())).encode()).hexdigest()
        repository.commits.append(oid)
        place = f"/datasets/{request.path_params['org']}/{request.path_params['name']}"
        return JSONResponse({"success": True, "commitOid": oid, "commitUrl": f"{self.url}{place}/commit/{oid}"})

    async def _resolve(self, request: Request) -> Response:
        repository = self._repository(request)
        data = None if repository is None else repository.files.get(request.path_params["path"])
        if repository is None or data is None:
            return _error(404, "Entry not found", code="EntryNotFound")
        headers = {"X-Repo-Commit": repository.commits[-1], "ETag": f'"{_etag(request.path_params["path"], data)}"'}
        return Response(data, headers=headers, media_type="application/octet-stream")


def _entry(path: str, data: bytes | None) -> dict[str, Any]:
    if data is None:
        return {"type": "directory", "path": path, "oid": hashlib.sha1(path.encode()).hexdigest(), "size": 0}
    entry = {"type": "file", "path": path, "size": len(data), "oid": _git_digest(data)}
    if path.endswith(APART):
        entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return entry


def _etag(path: str, data: bytes) -> str:
    return hashlib.sha256(data).hexdigest() if path.endswith(APART) else _git_digest(data)


def _git_digest(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _error(status: int, message: str, more: dict[str, Any] | None = None, code: str = "") -> Response:
    headers = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {})}
    return JSONResponse({"error": message, **(more or {})}, status_code=status, headers=headers)


@contextmanager
def running_hub(token: str) -> Iterator[Hub]:
    """The stand-in on a free port of loopback, stopped at the end."""
    hub = Hub(token)
    server = uvicorn.Server(uvicorn.Config(hub.app(), host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    hub.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield hub
    finally:
        hub.stopping.set()
        server.should_exit = True
        thread.join(10)
