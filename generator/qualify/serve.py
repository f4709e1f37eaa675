"""`erpbench world`: one task's world on loopback, in this process, until interrupted."""

import contextlib
import signal
import socket
import tempfile
from pathlib import Path

import click
import uvicorn
from erpbench_world.catalog import SERVERS
from erpbench_world.server import build_app

from generator.dataset import task_directory
from generator.qualify.episode import evidence, fresh_world
from generator.spec.errors import DatasetError

HOST = "127.0.0.1"


def serve_world(dataset: Path, task: str, port: int, tool_names: str, keep: Path | None) -> None:
    """Serve until Ctrl-C, then write the snapshot if the data is kept. Raises DatasetError if the port is taken."""
    folder = task_directory(dataset, task)
    if keep is not None and keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
        raise DatasetError(f"{keep}: expected an empty or a new folder for the world's data")
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(contextlib.closing(_listen(port)))
        data = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="erpbench-world-")))
        world = stack.enter_context(fresh_world(folder, data))
        url = f"http://{HOST}:{listener.getsockname()[1]}"
        app = build_app(world, "underscore" if tool_names == "underscore" else "dotted")
        click.echo(f"{task}: {url}/mcp/{{{','.join(SERVERS)}}}, {url}/healthz; stop with Ctrl-C")
        click.echo(f"from another shell: ERP_URL={url} python3 images/agent/erp.py list")
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        # Being told to stop is no crash: the data is cleared away, or the snapshot written, as after Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
        if keep is not None:
            click.echo(f"snapshot: {evidence(world)}; grade it with: erpbench grade {evidence(world)} --task {task}")


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise DatasetError(
            f"port {port} on {HOST} cannot be had ({error.strerror}); choose another with --port"
        ) from None
    return listener
