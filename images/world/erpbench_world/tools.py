"""All tools of the world: importing the resource modules registers their functions; out comes one function a tool."""

from erpbench_world import (  # noqa: F401
    control,
    drive,
    gmail,
    hcm,
    inventory,
    items,
    orders,
    payables,
    procurement,
    receivables,
    receiving,
    sheets,
    shipments,
    slack,
)
from erpbench_world.catalog import Catalog
from erpbench_world.registry import TOOLS, Tool


def functions(catalog: Catalog) -> dict[str, Tool]:
    """The function of every tool of the catalog. Raises ValueError if the two lists differ."""
    names = {tool.name for tool in catalog.tools}
    if names != set(TOOLS):
        raise ValueError(f"tools: only in the catalog or only registered: {sorted(names ^ set(TOOLS))}")
    return dict(TOOLS)
