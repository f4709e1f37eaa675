"""`python -m erpbench_world`: serve the world that the environment describes (see settings.read)."""

import gc
import os
import sys

import uvicorn

from erpbench_world import settings, store
from erpbench_world.dispatch import World
from erpbench_world.intake import MAX_CONNECTIONS, MAX_HEADERS
from erpbench_world.server import DEFAULT_HOSTS, build_app
from erpbench_world.wire import PatientProtocol

GARBAGE = 5_000
"""How many objects more than before make the collector look: a call makes and drops about a thousand."""


def main() -> int:
    """Serve until told to stop. 2 if the settings or the seed are wrong."""
    try:
        chosen = settings.read(os.environ)
        world = World(store.prepare(chosen.seed, chosen.data), chosen.files)
    except (settings.SettingsError, store.StoreError) as error:
        print(f"erpbench_world: {error}", file=sys.stderr)
        return 2
    with world:
        app = build_app(world, chosen.tool_names, chosen.hosts or DEFAULT_HOSTS)
        # What stands now stays for good: the collector need not walk through it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GARBAGE, 10, 10)
        uvicorn.run(
            app,
            host=chosen.host,
            port=chosen.port,
            log_level="warning",
            access_log=False,
            http=PatientProtocol,
            proxy_headers=False,
            h11_max_incomplete_event_size=MAX_HEADERS,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
